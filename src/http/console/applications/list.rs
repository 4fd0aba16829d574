use bytes::Bytes;
use http::{Request, Response, StatusCode};

use crate::domain::{Application, PageRequest};
use crate::http::Body;
use crate::http::console::gate::SignedIn;
use crate::http::console::names::Names;
use crate::http::console::query::Query;
use crate::http::console::refusal::Refusal;
use crate::http::console::server::Server;
use crate::http::console::views::{ApplicationRow, ApplicationsPage, Pages};
use crate::http::pages::Moment;
use crate::store::Registered;

/// `GET /applications`: one's own.
pub(super) async fn own(server: &Server, who: &SignedIn, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let page = Query::of(request)?.page()?;
    let found = server.storage.applications(Some(&who.person.id), page).await?;
    let rows = rows(server, &found, &Names::default()).await?;
    let pages = Pages::of(found.total, page, server.texts(), |page| server.at(&format!("/applications?page={page}")));
    let frame = server.frame(who, "applications");
    server.page(StatusCode::OK, &ApplicationsPage { text: server.texts(), frame, everyone: false, applications: rows, pages })
}

/// `GET /admin/applications`: everybody's, for administrators.
pub(in crate::http::console) async fn everybodys(
    server: &Server,
    who: &SignedIn,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Refusal> {
    who.check_administrator()?;
    let page = Query::of(request)?.page()?;
    let found = server.storage.applications(None, page).await?;
    let owners: Vec<_> = found.items.iter().map(|application| &application.owner).collect();
    let names = Names::of(server, owners).await?;
    let rows = rows(server, &found, &names).await?;
    let pages = Pages::of(found.total, page, server.texts(), |page| server.at(&format!("/admin/applications?page={page}")));
    let frame = server.frame(who, "admin");
    server.page(StatusCode::OK, &ApplicationsPage { text: server.texts(), frame, everyone: true, applications: rows, pages })
}

async fn rows(server: &Server, found: &Registered<Application>, names: &Names) -> Result<Vec<ApplicationRow>, Refusal> {
    let one = PageRequest::new(0, 1).map_err(Refusal::failure)?;
    let mut rows = Vec::new();
    for application in &found.items {
        rows.push(ApplicationRow {
            id: application.id.to_string(),
            name: application.name.to_string(),
            owner: names.name(&application.owner),
            scopes: server.storage.scopes(Some(application.id), one).await?.total,
            created: Moment::at(application.created_at, &server.zone),
        });
    }
    Ok(rows)
}

use bytes::Bytes;
use http::{Request, Response, StatusCode};

use crate::domain::{Application, PageRequest};
use crate::http::Body;
use crate::http::console::error::Error;
use crate::http::console::query::Query;
use crate::http::console::server::Server;
use crate::http::console::session::SignedInUser;
use crate::http::console::subject_names::SubjectNames;
use crate::http::console::views::{ApplicationRow, ApplicationsPage, PageLinks};
use crate::http::pages::DisplayTime;
use crate::store::Paged;

/// `GET /applications`: the user's own applications.
pub(super) async fn list_own(
    server: &Server,
    user: &SignedInUser,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let page = Query::from_request(request)?.page()?;
    let found = server
        .registry
        .applications(Some(&user.subject.id), page)
        .await?;
    let rows = rows(server, &found, &SubjectNames::default()).await?;
    let page_links = PageLinks::new(found.total, page, server.texts(), |page| {
        server.href(&format!("/applications?page={page}"))
    });
    let layout = server.layout(user, "applications");
    server.render(
        StatusCode::OK,
        &ApplicationsPage {
            text: server.texts(),
            layout,
            all_owners: false,
            applications: rows,
            page_links,
        },
    )
}

/// `GET /admin/applications`: all applications, for administrators.
pub(in crate::http::console) async fn list_all(
    server: &Server,
    user: &SignedInUser,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    user.check_administrator()?;
    let page = Query::from_request(request)?.page()?;
    let found = server.registry.applications(None, page).await?;
    let owners: Vec<_> = found
        .items
        .iter()
        .map(|application| &application.owner)
        .collect();
    let names = SubjectNames::load(server, owners).await?;
    let rows = rows(server, &found, &names).await?;
    let page_links = PageLinks::new(found.total, page, server.texts(), |page| {
        server.href(&format!("/admin/applications?page={page}"))
    });
    let layout = server.layout(user, "admin");
    server.render(
        StatusCode::OK,
        &ApplicationsPage {
            text: server.texts(),
            layout,
            all_owners: true,
            applications: rows,
            page_links,
        },
    )
}

async fn rows(
    server: &Server,
    found: &Paged<Application>,
    names: &SubjectNames,
) -> Result<Vec<ApplicationRow>, Error> {
    let one = PageRequest::new(0, 1).map_err(Error::internal)?;
    let mut rows = Vec::new();
    for application in &found.items {
        rows.push(ApplicationRow {
            id: application.id.to_string(),
            name: application.name.to_string(),
            owner: names.name(&application.owner),
            scopes: server
                .registry
                .scopes(Some(application.id), one)
                .await?
                .total,
            created: DisplayTime::from_timestamp(application.created_at, &server.zone),
        });
    }
    Ok(rows)
}

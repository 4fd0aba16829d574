use http::StatusCode;

use crate::domain::{Application, PageRequest};
use crate::http::console::error::Error;
use crate::http::console::route::HandlerResult;
use crate::http::console::server::Server;
use crate::http::console::subject_names::SubjectNames;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{ApplicationRow, ApplicationsPage, PageLinks};
use crate::http::pages::DisplayTime;
use crate::store::Paged;

/// `GET /applications`: the user's own applications.
pub(crate) async fn list_own(request: &UserRequest<'_>) -> HandlerResult {
    let page = request.query()?.page()?;
    let found = request
        .server
        .storage()
        .applications(Some(&request.user.subject.id), page)
        .await?;
    let rows = rows(request.server, &found, &SubjectNames::default()).await?;
    let page_links = PageLinks::new(found.total, page, request.texts(), |page| {
        request.server.href(&format!("/applications?page={page}"))
    });
    let layout = request.layout("applications");
    request.render(
        StatusCode::OK,
        &ApplicationsPage {
            text: request.texts(),
            layout,
            all_owners: false,
            applications: rows,
            page_links,
        },
    )
}

/// `GET /admin/applications`: all applications, for administrators.
pub(crate) async fn list_all(request: &UserRequest<'_>) -> HandlerResult {
    let page = request.query()?.page()?;
    let found = request.server.storage().applications(None, page).await?;
    let owners: Vec<_> = found
        .items
        .iter()
        .map(|application| &application.owner)
        .collect();
    let names = SubjectNames::load(request.server, owners).await?;
    let rows = rows(request.server, &found, &names).await?;
    let page_links = PageLinks::new(found.total, page, request.texts(), |page| {
        request
            .server
            .href(&format!("/admin/applications?page={page}"))
    });
    let layout = request.layout("admin");
    request.render(
        StatusCode::OK,
        &ApplicationsPage {
            text: request.texts(),
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
                .storage()
                .scopes(Some(application.id), one)
                .await?
                .total,
            created: DisplayTime::from_timestamp(application.created_at, server.zone()),
        });
    }
    Ok(rows)
}

use http::StatusCode;

use crate::domain::{Application, PageRequest, SubjectId};
use crate::http::console::error::Error;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_labels::UserLabels;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{ApplicationRow, ApplicationsPage, PageLinks};
use crate::http::pages::DisplayTime;
use crate::store::Paged;

/// `GET /applications`: the user's own applications.
pub(crate) async fn list_own(request: &UserRequest<'_>) -> HandlerResult {
    list(request, Some(&request.user.subject.id)).await
}

/// `GET /admin/applications`: all applications.
pub(crate) async fn list_all(request: &UserRequest<'_>) -> HandlerResult {
    list(request, None).await
}

async fn list(request: &UserRequest<'_>, owner: Option<&SubjectId>) -> HandlerResult {
    let (server, page) = (request.server, request.query()?.page()?);
    let found = server.registry().applications(owner, page).await?;
    let (path, section, names) = if owner.is_some() {
        ("/applications", "applications", UserLabels::default())
    } else {
        let owners: Vec<_> = found.items.iter().map(|found| &found.owner).collect();
        let names = UserLabels::load(server, owners).await?;
        ("/admin/applications", "all_applications", names)
    };
    let waiting = match owner {
        Some(_) => request.management().count_waiting_requests().await?,
        None => 0,
    };
    let view = ApplicationsPage {
        waiting: (waiting > 0).then(|| request.texts().approvals.inbox_count(waiting)),
        text: request.texts(),
        layout: request.layout(section),
        all_owners: owner.is_none(),
        applications: rows(request, &found, &names).await?,
        page_links: PageLinks::new(found.total, page, request.texts(), |page| {
            server.href(&format!("{path}?page={page}"))
        }),
    };
    request.render(StatusCode::OK, &view)
}

async fn rows(
    request: &UserRequest<'_>,
    found: &Paged<Application>,
    names: &UserLabels,
) -> Result<Vec<ApplicationRow>, Error> {
    let (server, text) = (request.server, request.texts());
    let one = PageRequest::new(0, 1).map_err(Error::internal)?;
    let mut rows = Vec::new();
    for application in &found.items {
        rows.push(ApplicationRow {
            id: application.id.to_string(),
            name: text.application_name(application).to_owned(),
            owner: names.owner(&application.owner),
            scopes: server
                .registry()
                .scopes(Some(application.id), one)
                .await?
                .total,
            created: DisplayTime::from_timestamp(application.created_at, server.zone()),
        });
    }
    Ok(rows)
}

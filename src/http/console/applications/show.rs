use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::address;
use crate::domain::{Application, ApplicationId, ScopeDefinition};
use crate::http::Body;
use crate::http::console::gate::SignedIn;
use crate::http::console::names::Names;
use crate::http::console::query::Query;
use crate::http::console::refusal::Refusal;
use crate::http::console::server::Server;
use crate::http::console::views::{ApplicationPage, Pages, ScopeRow, ScopeUse};
use crate::http::manage::Desk;
use crate::http::pages::Moment;

/// `GET /applications/{id}`: for anyone, as its name and scopes are what people are shown who are asked to allow them.
pub(super) async fn answer(server: &Server, who: &SignedIn, id: &str, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let (desk, page) = (who.desk(server), Query::of(request)?.page()?);
    let application = desk.application(id).await?;
    let read_only = read_only(server, &desk, &application);
    let found = desk.scopes(&application, page).await?;
    let mut scopes = Vec::new();
    for definition in &found.items {
        let used = if read_only.is_none() { Some(used(server, &desk, definition).await?) } else { None };
        scopes.push(ScopeRow {
            id: definition.id.to_string(),
            name: definition.scope.name.to_string(),
            description: definition.description.to_string(),
            approval_required: definition.approval_required,
            used,
        });
    }
    let at = |page| server.at(&format!("{}?page={page}", address(application.id)));
    let view = ApplicationPage {
        text: server.texts(),
        frame: server.frame(who, "applications"),
        id: application.id.to_string(),
        name: application.name.to_string(),
        owner: Names::of(server, [&application.owner]).await?.name(&application.owner),
        created: Moment::at(application.created_at, &server.zone),
        read_only,
        scopes,
        pages: Pages::of(found.total, page, server.texts(), at),
    };
    server.page(StatusCode::OK, &view)
}

/// To count who uses a scope reads all grants, which is for its owner to ask, and not for anybody.
async fn used(server: &Server, desk: &Desk<'_>, definition: &ScopeDefinition) -> Result<ScopeUse, Refusal> {
    let usage = desk.scope_usage(definition).await?;
    let last_granted = usage.grants.last_granted_at.map(|at| Moment::at(at, &server.zone));
    Ok(ScopeUse { clients: usage.clients.total, last_granted })
}

/// Why the person cannot change the application, if they cannot.
fn read_only(server: &Server, desk: &Desk<'_>, application: &Application) -> Option<&'static str> {
    desk.check_application(application).err()?;
    let text = server.texts();
    Some(if application.id == ApplicationId::Service { text.faults.of_the_service } else { text.application_read_only })
}

use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::address;
use crate::domain::{Application, ApplicationId};
use crate::http::Body;
use crate::http::console::gate::SignedIn;
use crate::http::console::names::Names;
use crate::http::console::query::Query;
use crate::http::console::refusal::Refusal;
use crate::http::console::server::Server;
use crate::http::console::views::{ApplicationPage, Pages, ScopeRow};
use crate::http::manage::Desk;
use crate::http::pages::Moment;

/// `GET /applications/{id}`: for anyone, as its name and scopes are what people are shown who are asked to allow them.
pub(super) async fn answer(server: &Server, who: &SignedIn, id: &str, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let (desk, page) = (who.desk(server), Query::of(request)?.page()?);
    let application = desk.application(id).await?;
    let found = desk.scopes(&application, page).await?;
    let mut scopes = Vec::new();
    for definition in &found.items {
        let usage = desk.scope_usage(definition).await?;
        scopes.push(ScopeRow {
            id: definition.id.to_string(),
            name: definition.scope.name.to_string(),
            description: definition.description.to_string(),
            approval_required: definition.approval_required,
            clients: usage.clients.total,
            last_granted: usage.grants.last_granted_at.map(|at| Moment::at(at, &server.zone)),
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
        read_only: read_only(server, &desk, &application),
        scopes,
        pages: Pages::of(found.total, page, server.texts(), at),
    };
    server.page(StatusCode::OK, &view)
}

/// Why the person cannot change the application, if they cannot.
fn read_only(server: &Server, desk: &Desk<'_>, application: &Application) -> Option<&'static str> {
    desk.check_application(application).err()?;
    let text = server.texts();
    Some(if application.id == ApplicationId::Service { text.faults.of_the_service } else { text.application_read_only })
}

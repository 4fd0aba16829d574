use http::StatusCode;

use super::address;
use crate::domain::{Application, ApplicationId, ScopeDefinition};
use crate::http::console::error::Error;
use crate::http::console::form::translations;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::server::Server;
use crate::http::console::user_labels::UserLabels;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{ApplicationPage, PageLinks, ScopeRow, ScopeUsageRow};
use crate::http::management::ManagementSession;
use crate::http::pages::DisplayTime;

/// `GET /applications/{id}`: visible to every user, because consent pages show the same name and
/// scopes.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let server = request.server;
    let [id] = request.params();
    let text = request.texts();
    let (management, page) = (request.management(), request.query()?.page()?);
    let application = management.application(id).await?;
    let read_only = read_only(server, &management, &application);
    let found = management.scopes(&application, page).await?;
    let mut scopes = Vec::new();
    for definition in &found.items {
        let usage = if read_only.is_none() {
            Some(usage(server, &management, definition).await?)
        } else {
            None
        };
        scopes.push(ScopeRow {
            id: definition.id.to_string(),
            name: definition.scope.name.to_string(),
            description: text.scope_description(definition).to_owned(),
            approval_required: definition.approval_required,
            usage,
        });
    }
    let at = |page| server.href(&format!("{}?page={page}", address(application.id)));
    let view = ApplicationPage {
        text: request.texts(),
        layout: request.layout("applications"),
        id: application.id.to_string(),
        name: text.application_name(&application).to_owned(),
        translations: translations::rows(&application.name, &application.name_translations, text),
        owner: UserLabels::load(server, [&application.owner])
            .await?
            .for_user(&application.owner, request),
        created: DisplayTime::from_timestamp(application.created_at, server.zone()),
        read_only,
        scopes,
        page_links: PageLinks::new(found.total, page, request.texts(), at),
    };
    request.render(StatusCode::OK, &view)
}

/// Counts the clients of a scope. Counting reads all grants, so only users who may change the
/// application see it.
async fn usage(
    server: &Server,
    management: &ManagementSession<'_>,
    definition: &ScopeDefinition,
) -> Result<ScopeUsageRow, Error> {
    let usage = management.scope_usage(definition).await?;
    let last_granted = usage
        .grants
        .last_granted_at
        .map(|at| DisplayTime::from_timestamp(at, server.zone()));
    Ok(ScopeUsageRow {
        clients: usage.clients.total,
        last_granted,
    })
}

/// Reason why the user cannot change the application, if any.
fn read_only(
    server: &Server,
    management: &ManagementSession<'_>,
    application: &Application,
) -> Option<&'static str> {
    management.check_application(application).err()?;
    let text = server.texts();
    Some(if application.id == ApplicationId::Service {
        text.errors.of_the_service
    } else {
        text.application_read_only
    })
}

//! Who may see and change what: its owner, and administrators (service.md, "Scope definition and authorization").

use std::str::FromStr;
use std::sync::Arc;

use http::StatusCode;

use crate::domain::{Application, ApplicationId, Client, ClientId, Role, Scope, ScopeDefinition, SubjectId};
use crate::http::audit::Rule;
use crate::http::auth_server::bearer::Caller;
use crate::http::auth_server::error::Refusal;
use crate::http::auth_server::server::Server;

/// Refuses a client that may no longer ask for `service:manage`. Grants keep what their users approved, so the scope alone does not tell.
pub(super) async fn check_client(server: &Server, caller: &Caller) -> Result<(), Refusal> {
    let client = server.storage.client(caller.client).await?;
    if client.is_some_and(|client| client.first_party && client.allowed_scopes.contains(&Scope::manage())) {
        return Ok(());
    }
    let description = "The client that asks is not one of the service's own any more, or may not manage any more.";
    Err(Refusal::told(Rule::FirstPartyOnly, StatusCode::FORBIDDEN, description))
}

/// Whose records the caller's lists have: everybody's for an administrator.
pub(super) fn listed(caller: &Caller) -> Option<&SubjectId> {
    (!is_administrator(caller)).then_some(&caller.subject.id)
}

/// The application with this id, which anyone may see: its name and scopes are what every user is shown who is asked to allow them.
pub(super) async fn application(server: &Server, id: &str) -> Result<Application, Refusal> {
    server.storage.application(id_of(id)?).await?.ok_or_else(unknown)
}

/// The application with this id, for whoever may change it. The service's own stays as it is.
pub(super) async fn changeable_application(server: &Server, caller: &Caller, id: &str) -> Result<Application, Refusal> {
    let application = application(server, id).await?;
    owned_by(caller, Some(&application.owner))?;
    if application.id == ApplicationId::Service { Err(of_the_service()) } else { Ok(application) }
}

/// The scope with this id of the application with that one, for whoever may change both.
pub(super) async fn changeable_scope(server: &Server, caller: &Caller, application: &str, id: &str) -> Result<ScopeDefinition, Refusal> {
    let application = changeable_application(server, caller, application).await?;
    let scope = server.storage.scope(id_of(id)?).await?;
    scope.filter(|definition| definition.scope.application == application.id).ok_or_else(unknown)
}

/// The client with this id, for whoever may see it.
pub(super) async fn client(server: &Server, caller: &Caller, id: &str) -> Result<Arc<Client>, Refusal> {
    let client = server.storage.client(id_of::<ClientId>(id)?).await?.ok_or_else(unknown)?;
    owned_by(caller, Some(&client.owner))?;
    Ok(client)
}

/// The client with this id, for whoever may change it. One of the service's own is trusted with `service:manage`, so whoever could send
/// its users elsewhere could manage in everybody's name: only administrators change it, also if somebody else owns it.
pub(super) async fn changeable_client(server: &Server, caller: &Caller, id: &str) -> Result<Arc<Client>, Refusal> {
    let client = client(server, caller, id).await?;
    if client.first_party && !is_administrator(caller) {
        return Err(administrators_only("Only an administrator may change one of the service's own clients."));
    }
    Ok(client)
}

/// Refuses a setting that only administrators may change, unless it stays as it is.
pub(super) fn check_privileged(caller: &Caller, name: &'static str, old: bool, new: bool) -> Result<(), Refusal> {
    if old == new || is_administrator(caller) {
        return Ok(());
    }
    Err(administrators_only("Only an administrator may change this field.").of_parameter(name))
}

/// Refuses who neither owns it nor is an administrator. What nobody owns is an administrator's.
pub(super) fn owned_by(caller: &Caller, owner: Option<&SubjectId>) -> Result<(), Refusal> {
    if owner == Some(&caller.subject.id) || is_administrator(caller) {
        return Ok(());
    }
    Err(Refusal::told(Rule::NotOwner, StatusCode::FORBIDDEN, "This belongs to somebody else, and you are not an administrator."))
}

/// An id from a path. One that is malformed names nothing.
pub(super) fn id_of<T: FromStr>(text: &str) -> Result<T, Refusal> {
    text.parse().map_err(|_| unknown())
}

/// Status 404 `not_found`.
pub(super) fn unknown() -> Refusal {
    Refusal::told(Rule::NotFound, StatusCode::NOT_FOUND, "There is nothing with this id.")
}

/// Status 403 `of_the_service`.
pub(super) fn of_the_service() -> Refusal {
    Refusal::told(Rule::OfTheService, StatusCode::FORBIDDEN, "The service's own application and scopes stay as they are.")
}

fn administrators_only(description: &'static str) -> Refusal {
    Refusal::told(Rule::AdministratorsOnly, StatusCode::FORBIDDEN, description)
}

fn is_administrator(caller: &Caller) -> bool {
    caller.subject.role == Role::Admin
}

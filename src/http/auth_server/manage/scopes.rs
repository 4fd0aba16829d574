use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::applications::finished;
use super::audit::{changed, managed};
use super::fields::{Fields, required};
use super::wire::{AvailableScope, ScopeBody, Scopes};
use super::{page, permission, reply};
use crate::domain::{Scope, ScopeDefinition, ScopeId};
use crate::http::Body;
use crate::http::audit::{Change, Object, Rule};
use crate::http::auth_server::bearer::Caller;
use crate::http::auth_server::error::Refusal;
use crate::http::auth_server::server::Server;
use crate::store::{ScopeChange, ScopeCreation};

/// `GET /v1/applications/{id}/scopes`.
pub(super) async fn list(server: &Server, id: &str, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let application = permission::application(server, id).await?;
    let page = page::requested(request)?;
    let found = server.storage.scopes(Some(application.id), page).await?;
    Ok(reply::page(page, found.total, Scopes { scopes: found.items.iter().map(ScopeBody::of).collect() }))
}

/// `GET /v1/clients/available-scopes`: every scope there is, for anyone who can sign in.
pub(super) async fn list_available(server: &Server, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let page = page::requested(request)?;
    let found = server.storage.scopes(None, page).await?;
    Ok(reply::page(page, found.total, Scopes { scopes: found.items.iter().map(AvailableScope::of).collect() }))
}

/// `POST /v1/applications/{id}/scopes`.
pub(super) async fn create(server: &Server, caller: &Caller, id: &str, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let application = permission::changeable_application(server, caller, id).await?;
    let mut fields = Fields::read(request)?;
    let name = fields.text("scopeName", str::parse)?;
    let description = fields.text("description", str::parse)?;
    let approval_required = fields.boolean("approvalRequired")?;
    fields.finish()?;
    let definition = ScopeDefinition {
        id: ScopeId::from_random(server.entropy.bytes()),
        scope: Scope { application: application.id, name: required("scopeName", name)? },
        description: required("description", description)?,
        application_name: application.name,
        approval_required: approval_required.unwrap_or(false),
    };
    match server.storage.create_scope(definition.clone()).await? {
        ScopeCreation::Created => {}
        ScopeCreation::NameTaken => return Err(name_taken()),
        ScopeCreation::UnknownApplication => return Err(permission::unknown()),
    }
    managed(server, caller, Object::Scope(definition.scope.clone()), Change::Created);
    Ok(reply::with(ScopeBody::of(&definition)))
}

/// `PATCH /v1/applications/{id}/scopes/{scopeId}`. A scope's name is in tokens and in other people's code, so it never changes.
pub(super) async fn change(
    server: &Server,
    caller: &Caller,
    application: &str,
    id: &str,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Refusal> {
    let definition = permission::changeable_scope(server, caller, application, id).await?;
    let mut fields = Fields::read(request)?;
    let change =
        ScopeChange { description: fields.text("description", str::parse)?, approval_required: fields.boolean("approvalRequired")? };
    fields.finish()?;
    let fields = [("description", change.description.is_some()), ("approvalRequired", change.approval_required.is_some())];
    finished(server.storage.update_scope(definition.id, change).await?)?;
    changed(server, caller, Object::Scope(definition.scope), &fields);
    let changed = server.storage.scope(definition.id).await?.ok_or_else(permission::unknown)?;
    Ok(reply::with(ScopeBody::of(&changed)))
}

/// `DELETE /v1/applications/{id}/scopes/{scopeId}`.
pub(super) async fn delete(server: &Server, caller: &Caller, application: &str, id: &str) -> Result<Response<Body>, Refusal> {
    let definition = permission::changeable_scope(server, caller, application, id).await?;
    finished(server.storage.delete_scope(definition.id).await?)?;
    managed(server, caller, Object::Scope(definition.scope), Change::Deleted);
    Ok(reply::done())
}

fn name_taken() -> Refusal {
    Refusal::told(Rule::ScopeNameTaken, StatusCode::CONFLICT, "The application has a scope of this name.").of_parameter("scopeName")
}

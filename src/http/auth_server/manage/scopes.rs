use bytes::Bytes;
use http::{Request, Response};

use super::fields::{Fields, required};
use super::wire::{AvailableScope, ScopeBody, Scopes};
use super::{page, reply};
use crate::http::Body;
use crate::http::auth_server::error::Refusal;
use crate::http::manage::Desk;
use crate::store::ScopeChange;

/// `GET /v1/applications/{id}/scopes`.
pub(super) async fn list(desk: &Desk<'_>, id: &str, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let application = desk.application(id).await?;
    let page = page::requested(request)?;
    let found = desk.scopes(&application, page).await?;
    Ok(reply::page(page, found.total, Scopes { scopes: found.items.iter().map(ScopeBody::of).collect() }))
}

/// `GET /v1/clients/available-scopes`.
pub(super) async fn list_available(desk: &Desk<'_>, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let page = page::requested(request)?;
    let found = desk.available_scopes(page).await?;
    Ok(reply::page(page, found.total, Scopes { scopes: found.items.iter().map(AvailableScope::of).collect() }))
}

/// `POST /v1/applications/{id}/scopes`.
pub(super) async fn create(desk: &Desk<'_>, id: &str, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let application = desk.changeable_application(id).await?;
    let mut fields = Fields::read(request)?;
    let name = fields.text("scopeName", str::parse)?;
    let description = fields.text("description", str::parse)?;
    let approval_required = fields.boolean("approvalRequired")?;
    fields.finish()?;
    let (name, description) = (required("scopeName", name)?, required("description", description)?);
    let definition = desk.create_scope(&application, name, description, approval_required.unwrap_or(false)).await?;
    Ok(reply::with(ScopeBody::of(&definition)))
}

/// `PATCH /v1/applications/{id}/scopes/{scopeId}`.
pub(super) async fn change(desk: &Desk<'_>, application: &str, id: &str, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let definition = desk.changeable_scope(application, id).await?;
    let mut fields = Fields::read(request)?;
    let change =
        ScopeChange { description: fields.text("description", str::parse)?, approval_required: fields.boolean("approvalRequired")? };
    fields.finish()?;
    Ok(reply::with(ScopeBody::of(&desk.change_scope(&definition, change).await?)))
}

/// `DELETE /v1/applications/{id}/scopes/{scopeId}`.
pub(super) async fn delete(desk: &Desk<'_>, application: &str, id: &str) -> Result<Response<Body>, Refusal> {
    desk.delete_scope(&desk.changeable_scope(application, id).await?).await?;
    Ok(reply::done())
}

use bytes::Bytes;
use http::{Request, Response};

use super::fields::{Fields, required};
use super::wire::{ApplicationBody, Applications};
use super::{page, reply};
use crate::domain::{Application, PageRequest};
use crate::http::Body;
use crate::http::auth_server::error::Refusal;
use crate::http::manage::Desk;

/// `GET /v1/applications`.
pub(super) async fn list(desk: &Desk<'_>, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let page = page::requested(request)?;
    let found = desk.applications(page).await?;
    Ok(reply::page(page, found.total, Applications { applications: found.items.iter().map(ApplicationBody::of).collect() }))
}

/// `POST /v1/applications`.
pub(super) async fn create(desk: &Desk<'_>, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let mut fields = Fields::read(request)?;
    let name = fields.text("name", str::parse)?;
    fields.finish()?;
    let application = desk.create_application(required("name", name)?).await?;
    Ok(reply::with(ApplicationBody::of(&application).with_scopes(&[])))
}

/// `GET /v1/applications/{id}`.
pub(super) async fn show(desk: &Desk<'_>, id: &str) -> Result<Response<Body>, Refusal> {
    shown(desk, &desk.application(id).await?).await
}

/// `PATCH /v1/applications/{id}`.
pub(super) async fn change(desk: &Desk<'_>, id: &str, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let application = desk.changeable_application(id).await?;
    let mut fields = Fields::read(request)?;
    let name = fields.text("name", str::parse)?;
    fields.finish()?;
    let Some(name) = name else { return shown(desk, &application).await };
    desk.rename_application(&application, name).await?;
    show(desk, id).await
}

/// `DELETE /v1/applications/{id}`.
pub(super) async fn delete(desk: &Desk<'_>, id: &str) -> Result<Response<Body>, Refusal> {
    desk.delete_application(&desk.changeable_application(id).await?).await?;
    Ok(reply::done())
}

/// An application with its scopes, of which the first thousand; there is a list of them with pages.
async fn shown(desk: &Desk<'_>, application: &Application) -> Result<Response<Body>, Refusal> {
    let scopes = desk.scopes(application, PageRequest::LARGEST).await?;
    Ok(reply::with(ApplicationBody::of(application).with_scopes(&scopes.items)))
}

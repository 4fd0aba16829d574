use bytes::Bytes;
use http::{Request, Response};

use super::audit::{changed, managed};
use super::fields::{Fields, required};
use super::wire::{ApplicationBody, Applications};
use super::{page, permission, reply};
use crate::domain::{Application, ApplicationId, PageRequest};
use crate::http::Body;
use crate::http::audit::{Change, Object};
use crate::http::auth_server::bearer::Caller;
use crate::http::auth_server::error::Refusal;
use crate::http::auth_server::server::Server;
use crate::store::{Creation, RegistryChange};

/// `GET /v1/applications`.
pub(super) async fn list(server: &Server, caller: &Caller, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let page = page::requested(request)?;
    let found = server.storage.applications(permission::listed(caller), page).await?;
    Ok(reply::page(page, found.total, Applications { applications: found.items.iter().map(ApplicationBody::of).collect() }))
}

/// `POST /v1/applications`.
pub(super) async fn create(server: &Server, caller: &Caller, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let mut fields = Fields::read(request)?;
    let name = fields.text("name", str::parse)?;
    fields.finish()?;
    let application = Application {
        id: ApplicationId::from_random(server.entropy.bytes()),
        name: required("name", name)?,
        owner: caller.subject.id.clone(),
        created_at: server.clock.now(),
    };
    match server.storage.create_application(application.clone()).await? {
        Creation::Created => {}
        Creation::Taken => return Err(Refusal::failure("a new application's id was taken")),
    }
    managed(server, caller, Object::Application(application.id), Change::Created);
    Ok(reply::with(ApplicationBody::of(&application).with_scopes(&[])))
}

/// `GET /v1/applications/{id}`.
pub(super) async fn show(server: &Server, id: &str) -> Result<Response<Body>, Refusal> {
    shown(server, permission::application(server, id).await?).await
}

/// `PATCH /v1/applications/{id}`.
pub(super) async fn change(server: &Server, caller: &Caller, id: &str, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let application = permission::changeable_application(server, caller, id).await?;
    let mut fields = Fields::read(request)?;
    let name = fields.text("name", str::parse)?;
    fields.finish()?;
    let Some(name) = name else { return shown(server, application).await };
    finished(server.storage.rename_application(application.id, name).await?)?;
    changed(server, caller, Object::Application(application.id), &[("name", true)]);
    show(server, id).await
}

/// `DELETE /v1/applications/{id}`.
pub(super) async fn delete(server: &Server, caller: &Caller, id: &str) -> Result<Response<Body>, Refusal> {
    let application = permission::changeable_application(server, caller, id).await?;
    finished(server.storage.delete_application(application.id).await?)?;
    managed(server, caller, Object::Application(application.id), Change::Deleted);
    Ok(reply::done())
}

/// What became of a change, as far as there is something to refuse.
pub(super) fn finished(change: RegistryChange) -> Result<(), Refusal> {
    match change {
        RegistryChange::Done => Ok(()),
        RegistryChange::OfTheService => Err(permission::of_the_service()),
        RegistryChange::Unknown => Err(permission::unknown()),
    }
}

/// An application with its scopes, of which the first thousand; there is a list of them with pages.
async fn shown(server: &Server, application: Application) -> Result<Response<Body>, Refusal> {
    let first = PageRequest::new(0, PageRequest::MAX_SIZE).map_err(Refusal::failure)?;
    let scopes = server.storage.scopes(Some(application.id), first).await?;
    Ok(reply::with(ApplicationBody::of(&application).with_scopes(&scopes.items)))
}

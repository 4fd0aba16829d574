use bytes::Bytes;
use http::{Request, Response};

use super::fields::{Fields, required};
use super::wire::{AvailableScope, ScopeBody, Scopes};
use super::{envelope, page_request};
use crate::http::Body;
use crate::http::auth_server::error::Error;
use crate::http::management::ManagementSession;
use crate::store::ScopePatch;

/// `GET /v1/applications/{id}/scopes`.
pub(super) async fn list(
    management: &ManagementSession<'_>,
    id: &str,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let application = management.application(id).await?;
    let page = page_request::from_query(request)?;
    let found = management.scopes(&application, page).await?;
    Ok(envelope::page(
        page,
        found.total,
        Scopes {
            scopes: found.items.iter().map(ScopeBody::new).collect(),
        },
    ))
}

/// `GET /v1/clients/available-scopes`.
pub(super) async fn list_available(
    management: &ManagementSession<'_>,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let page = page_request::from_query(request)?;
    let found = management.available_scopes(page).await?;
    Ok(envelope::page(
        page,
        found.total,
        Scopes {
            scopes: found.items.iter().map(AvailableScope::new).collect(),
        },
    ))
}

/// `POST /v1/applications/{id}/scopes`.
pub(super) async fn create(
    management: &ManagementSession<'_>,
    id: &str,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let application = management.changeable_application(id).await?;
    let mut fields = Fields::read(request)?;
    let name = fields.text("scopeName", str::parse)?;
    let description = fields.text("description", str::parse)?;
    let translations = fields.translations("descriptionTranslations")?;
    let approval_required = fields.boolean("approvalRequired")?;
    fields.finish()?;
    let (name, description) = (
        required("scopeName", name)?,
        required("description", description)?,
    );
    let definition = management
        .create_scope(
            &application,
            name,
            description,
            translations.unwrap_or_default(),
            approval_required.unwrap_or(false),
        )
        .await?;
    Ok(envelope::ok(ScopeBody::new(&definition)))
}

/// `PATCH /v1/applications/{id}/scopes/{scopeId}`.
pub(super) async fn change(
    management: &ManagementSession<'_>,
    application: &str,
    id: &str,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let definition = management.changeable_scope(application, id).await?;
    let mut fields = Fields::read(request)?;
    let change = ScopePatch {
        description: fields.text("description", str::parse)?,
        description_translations: fields.translations("descriptionTranslations")?,
        approval_required: fields.boolean("approvalRequired")?,
    };
    fields.finish()?;
    Ok(envelope::ok(ScopeBody::new(
        &management.change_scope(&definition, change).await?,
    )))
}

/// `DELETE /v1/applications/{id}/scopes/{scopeId}`.
pub(super) async fn delete(
    management: &ManagementSession<'_>,
    application: &str,
    id: &str,
) -> Result<Response<Body>, Error> {
    management
        .delete_scope(&management.changeable_scope(application, id).await?)
        .await?;
    Ok(envelope::empty())
}

use bytes::Bytes;
use http::{Request, Response};

use super::fields::{Fields, required};
use super::wire::{ApplicationBody, Applications};
use super::{envelope, page_request};
use crate::domain::{Application, PageRequest};
use crate::http::Body;
use crate::http::auth_server::error::Error;
use crate::http::management::ManagementSession;
use crate::store::ApplicationPatch;

/// `GET /v1/applications`.
pub(super) async fn list(
    management: &ManagementSession<'_>,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let page = page_request::from_query(request)?;
    let found = management.applications(page).await?;
    Ok(envelope::page(
        page,
        found.total,
        Applications {
            applications: found.items.iter().map(ApplicationBody::new).collect(),
        },
    ))
}

/// `POST /v1/applications`.
pub(super) async fn create(
    management: &ManagementSession<'_>,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let mut fields = Fields::read(request)?;
    let name = fields.text("name", str::parse)?;
    let translations = fields.translations("nameTranslations")?;
    fields.finish()?;
    let application = management
        .create_application(required("name", name)?, translations.unwrap_or_default())
        .await?;
    Ok(envelope::ok(
        ApplicationBody::new(&application).with_scopes(&[]),
    ))
}

/// `GET /v1/applications/{id}`.
pub(super) async fn show(
    management: &ManagementSession<'_>,
    id: &str,
) -> Result<Response<Body>, Error> {
    shown(management, &management.application(id).await?).await
}

/// `PATCH /v1/applications/{id}`.
pub(super) async fn change(
    management: &ManagementSession<'_>,
    id: &str,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let application = management.changeable_application(id).await?;
    let mut fields = Fields::read(request)?;
    let change = ApplicationPatch {
        name: fields.text("name", str::parse)?,
        name_translations: fields.translations("nameTranslations")?,
    };
    fields.finish()?;
    if change == ApplicationPatch::default() {
        return shown(management, &application).await;
    }
    management.change_application(&application, change).await?;
    show(management, id).await
}

/// `DELETE /v1/applications/{id}`.
pub(super) async fn delete(
    management: &ManagementSession<'_>,
    id: &str,
) -> Result<Response<Body>, Error> {
    management
        .delete_application(&management.changeable_application(id).await?)
        .await?;
    Ok(envelope::empty())
}

/// An application with its first thousand scopes; all of them are in a paged list.
async fn shown(
    management: &ManagementSession<'_>,
    application: &Application,
) -> Result<Response<Body>, Error> {
    let scopes = management.scopes(application, PageRequest::LARGEST).await?;
    Ok(envelope::ok(
        ApplicationBody::new(application).with_scopes(&scopes.items),
    ))
}

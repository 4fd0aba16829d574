use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};

use super::fields::{self, Fields, required};
use super::wire::{ApiKeyBody, ApiKeys};
use super::{page, reply};
use crate::http::Body;
use crate::http::auth_server::error::Refusal;
use crate::http::manage::{Desk, NewApiKey, known_scopes, own_quota};

/// `GET /v1/api-keys`.
pub(super) async fn list(desk: &Desk<'_>, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let page = page::requested(request)?;
    let (found, now) = (desk.api_keys(page).await?, desk.now());
    let api_keys = found.items.iter().map(|key| ApiKeyBody::of(key, now)).collect();
    Ok(reply::page(page, found.total, ApiKeys { api_keys }))
}

/// `POST /v1/api-keys`: the key itself is in this answer alone.
pub(super) async fn create(desk: &Desk<'_>, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let (key, secret) = desk.issue_api_key(wishes(desk, request)?).await?;
    Ok(reply::with(ApiKeyBody::of(&key, key.created_at).with_key(&secret)))
}

/// `POST /v1/api-keys/{id}/renew`: the new value is in this answer alone.
pub(super) async fn renew(desk: &Desk<'_>, id: &str, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let key = desk.changeable_api_key(id).await?;
    let mut fields = fields::read_any(request)?;
    let overlap = fields.number("overlapSeconds")?.map(|seconds| Duration::from_secs(seconds.into()));
    fields.finish()?;
    let (key, secret) = desk.renew_api_key(&key, overlap).await?;
    Ok(reply::with(ApiKeyBody::of(&key, desk.now()).with_key(&secret)))
}

/// `DELETE /v1/api-keys/{id}`.
pub(super) async fn delete(desk: &Desk<'_>, id: &str) -> Result<Response<Body>, Refusal> {
    desk.revoke_api_key(&desk.changeable_api_key(id).await?).await?;
    Ok(reply::done())
}

fn wishes(desk: &Desk<'_>, request: &Request<Bytes>) -> Result<NewApiKey, Refusal> {
    let mut fields = Fields::read(request)?;
    let description = fields.text("description", str::parse)?;
    let scopes = fields.texts("scopes", |scopes| Ok(scopes.to_vec()))?;
    let hidden = fields.texts("hiddenFields", |names| names.iter().map(|name| name.parse()).collect())?;
    let (limit, window, burst) = (fields.number("rateLimit")?, fields.number("rateWindowSeconds")?, fields.number("rateBurst")?);
    fields.finish()?;
    Ok(NewApiKey {
        description: required("description", description)?,
        scopes: known_scopes(&required("scopes", scopes)?, &desk.office.api_scopes)?,
        hidden: hidden.unwrap_or_default(),
        quota: own_quota(limit, window, burst)?,
    })
}

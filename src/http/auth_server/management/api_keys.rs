use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};

use super::fields::{self, Fields, required};
use super::wire::{ApiKeyBody, ApiKeys};
use super::{envelope, page_request};
use crate::domain::{ApiKeySettings, HiddenFields, Quota, ShortText};
use crate::http::Body;
use crate::http::auth_server::error::Error;
use crate::http::management::{ManagementSession, Rejection, parse_api_scopes, parse_quota};

/// `GET /v1/api-keys`.
pub(super) async fn list(
    management: &ManagementSession<'_>,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let page = page_request::from_query(request)?;
    let (found, now) = (management.api_keys(page).await?, management.now());
    let api_keys = found
        .items
        .iter()
        .map(|key| ApiKeyBody::new(key, now))
        .collect();
    Ok(envelope::page(page, found.total, ApiKeys { api_keys }))
}

/// `POST /v1/api-keys`. Only this response contains the key.
pub(super) async fn create(
    management: &ManagementSession<'_>,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let (key, secret) = management
        .issue_api_key(read_new_api_key(management, request)?)
        .await?;
    Ok(envelope::ok(
        ApiKeyBody::new(&key, key.created_at).with_key(&secret),
    ))
}

/// `POST /v1/api-keys/{id}/renew`. Only this response contains the new value.
pub(super) async fn renew(
    management: &ManagementSession<'_>,
    id: &str,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let key = management.changeable_api_key(id).await?;
    let mut fields = fields::read_optional(request)?;
    let overlap = fields
        .number("overlapSeconds")?
        .map(|seconds| Duration::from_secs(seconds.into()));
    fields.finish()?;
    let (key, secret) = management.renew_api_key(&key, overlap).await?;
    Ok(envelope::ok(
        ApiKeyBody::new(&key, management.now()).with_key(&secret),
    ))
}

/// `PATCH /v1/api-keys/{id}`.
pub(super) async fn change(
    management: &ManagementSession<'_>,
    id: &str,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let key = management.changeable_api_key(id).await?;
    let old = key.settings();
    let waiting = old.waiting_fields();
    let given = GivenSettings::read(request)?;
    let known = management.management.api_scopes.union(&old.scopes);
    let new = ApiKeySettings {
        description: given.description.unwrap_or(old.description),
        scopes: match given.scopes {
            Some(names) => parse_api_scopes(&names, &known)?,
            None => old.scopes,
        },
        hidden: given.hidden.unwrap_or(old.hidden),
        requested: given.requested.unwrap_or(waiting),
        quota: given.limit.quota()?.or(old.quota),
    };
    management.change_api_key(&key, new).await?;
    let key = management.changeable_api_key(id).await?;
    Ok(envelope::ok(ApiKeyBody::new(&key, management.now())))
}

fn personal_fields(fields: &mut Fields, name: &'static str) -> Result<Option<HiddenFields>, Error> {
    fields.texts(name, |names| {
        names.iter().map(|name| name.parse()).collect()
    })
}

/// `DELETE /v1/api-keys/{id}`.
pub(super) async fn delete(
    management: &ManagementSession<'_>,
    id: &str,
) -> Result<Response<Body>, Error> {
    management
        .revoke_api_key(&management.changeable_api_key(id).await?)
        .await?;
    Ok(envelope::empty())
}

/// The settings in a body; `None` for those that it omits.
struct GivenSettings {
    description: Option<ShortText>,
    scopes: Option<Vec<String>>,
    hidden: Option<HiddenFields>,
    requested: Option<HiddenFields>,
    limit: GivenLimit,
}

/// The three fields of a limit.
struct GivenLimit {
    limit: Option<u32>,
    window: Option<u32>,
    burst: Option<u32>,
}

impl GivenLimit {
    fn quota(&self) -> Result<Option<Quota>, Rejection> {
        parse_quota(self.limit, self.window, self.burst)
    }
}

impl GivenSettings {
    fn read(request: &Request<Bytes>) -> Result<Self, Error> {
        let mut fields = Fields::read(request)?;
        let given = Self {
            description: fields.text("description", str::parse)?,
            scopes: fields.texts("scopes", |scopes| Ok(scopes.to_vec()))?,
            hidden: personal_fields(&mut fields, "hiddenFields")?,
            requested: personal_fields(&mut fields, "requestedFields")?,
            limit: GivenLimit {
                limit: fields.number("rateLimit")?,
                window: fields.number("rateWindowSeconds")?,
                burst: fields.number("rateBurst")?,
            },
        };
        fields.finish()?;
        Ok(given)
    }
}

fn read_new_api_key(
    management: &ManagementSession<'_>,
    request: &Request<Bytes>,
) -> Result<ApiKeySettings, Error> {
    let given = GivenSettings::read(request)?;
    Ok(ApiKeySettings {
        description: required("description", given.description)?,
        scopes: parse_api_scopes(
            &required("scopes", given.scopes)?,
            &management.management.api_scopes,
        )?,
        hidden: given.hidden.unwrap_or_default(),
        requested: given.requested.unwrap_or_default(),
        quota: given.limit.quota()?,
    })
}

//! The keys of the data API.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::audit::managed;
use super::fields::{self, Fields, invalid, required};
use super::permission::{self, unknown};
use super::wire::{ApiKeyBody, ApiKeys};
use super::{page, reply};
use crate::domain::{ApiKey, ApiKeyId, ApiKeyRenewal, ApiKeySecret, ApiScopes, HiddenFields, Invalid, Line, Quota};
use crate::http::Body;
use crate::http::audit::{Change, Object, Rule};
use crate::http::auth_server::bearer::Caller;
use crate::http::auth_server::error::Refusal;
use crate::http::auth_server::server::Server;
use crate::store::{ApiKeyStore, Issuance, Renewal};

/// The window of a limit whose window nobody tells.
const WINDOW: Duration = Duration::from_secs(60);

/// `GET /v1/api-keys`.
pub(super) async fn list(server: &Server, caller: &Caller, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let page = page::requested(request)?;
    let now = server.clock.now();
    let found = store(server)?.api_keys(permission::listed(caller), page).await?;
    let api_keys = found.items.iter().map(|key| ApiKeyBody::of(key, now)).collect();
    Ok(reply::page(page, found.total, ApiKeys { api_keys }))
}

/// `POST /v1/api-keys`: the key itself is in this answer, and nobody is shown it again.
pub(super) async fn create(server: &Server, caller: &Caller, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let wishes = Wishes::read(request)?;
    permission::check_privileged(caller, "rateLimit", false, wishes.quota.is_some())?;
    check_scopes(server, caller, wishes.scopes)?;
    let (now, secret) = (server.clock.now(), ApiKeySecret::from_random(server.entropy.bytes()));
    let key = ApiKey {
        owner: Some(caller.subject.id.clone()),
        hidden: wishes.hidden,
        quota: wishes.quota,
        ..ApiKey::issued(ApiKeyId::from_random(server.entropy.bytes()), &secret, wishes.description, wishes.scopes, now)
    };
    match store(server)?.issue_api_key(key.clone(), server.api_keys_per_owner).await? {
        Issuance::Issued => {}
        Issuance::OwnerHasEnough => return Err(enough(server.api_keys_per_owner)),
        Issuance::Taken => return Err(Refusal::failure("a new API key's id or value was taken")),
    }
    managed(server, caller, Object::ApiKey(key.id), Change::Created);
    Ok(reply::with(ApiKeyBody::of(&key, now).with_key(&secret)))
}

/// `POST /v1/api-keys/{id}/renew`: a new value, shown in this answer alone; the old one goes on for the overlap. Whoever may not have the
/// key's scopes any more does not keep them by renewing.
pub(super) async fn renew(server: &Server, caller: &Caller, id: &str, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let key = changeable(server, caller, id).await?;
    let overlap = overlap(request)?;
    check_scopes(server, caller, key.scopes)?;
    let (now, secret) = (server.clock.now(), ApiKeySecret::from_random(server.entropy.bytes()));
    let renewal = ApiKeyRenewal { digest: secret.digest(), hint: secret.hint(), overlap };
    let key = match store(server)?.renew_api_key(key.id, renewal, now).await? {
        Renewal::Renewed(key) => key,
        Renewal::Revoked | Renewal::Unknown => return Err(unknown()),
        Renewal::Taken => return Err(Refusal::failure("a new value of an API key was taken")),
    };
    managed(server, caller, Object::ApiKey(key.id), Change::Renewed);
    Ok(reply::with(ApiKeyBody::of(&key, now).with_key(&secret)))
}

/// `DELETE /v1/api-keys/{id}`: the key works no more, whatever its value.
pub(super) async fn delete(server: &Server, caller: &Caller, id: &str) -> Result<Response<Body>, Refusal> {
    let key = changeable(server, caller, id).await?;
    if !store(server)?.revoke_api_key(key.id, server.clock.now()).await? {
        return Err(unknown());
    }
    managed(server, caller, Object::ApiKey(key.id), Change::Deleted);
    Ok(reply::done())
}

/// What a body says of a new key.
struct Wishes {
    description: Line,
    scopes: ApiScopes,
    hidden: HiddenFields,
    quota: Option<Quota>,
}

impl Wishes {
    fn read(request: &Request<Bytes>) -> Result<Self, Refusal> {
        let mut fields = Fields::read(request)?;
        let description = fields.text("description", str::parse)?;
        let scopes = fields.texts("scopes", |scopes| Ok(scopes.to_vec()))?;
        let hidden = fields.texts("hiddenFields", |names| names.iter().map(|name| name.parse()).collect())?;
        let (limit, window, burst) = (fields.number("rateLimit")?, fields.number("rateWindowSeconds")?, fields.number("rateBurst")?);
        fields.finish()?;
        Ok(Self {
            description: required("description", description)?,
            scopes: known_scopes(&required("scopes", scopes)?)?,
            hidden: hidden.unwrap_or_default(),
            quota: quota(limit, window, burst)?,
        })
    }
}

fn known_scopes(names: &[String]) -> Result<ApiScopes, Refusal> {
    let scopes: ApiScopes = names.iter().map(|name| name.parse()).collect::<Result<_, Invalid>>().map_err(|rule| {
        Refusal::told(Rule::ScopeUnknown, StatusCode::BAD_REQUEST, format!("Each of the scopes {rule}.")).of_parameter("scopes")
    })?;
    if scopes.is_empty() { Err(invalid("scopes", &Invalid::new("must name a scope"))) } else { Ok(scopes) }
}

fn quota(limit: Option<u32>, window: Option<u32>, burst: Option<u32>) -> Result<Option<Quota>, Refusal> {
    let Some(limit) = limit else {
        return if window.or(burst).is_none() { Ok(None) } else { required("rateLimit", None) };
    };
    let window = window.map_or(WINDOW, |seconds| Duration::from_secs(seconds.into()));
    Quota::new(limit, window, burst.unwrap_or(limit)).map(Some).map_err(|rule| invalid("rateLimit", &rule))
}

/// How long the old value goes on. A key lasts no longer, so more would mean nothing.
fn overlap(request: &Request<Bytes>) -> Result<Duration, Refusal> {
    let mut fields = fields::read_any(request)?;
    let seconds = fields.number("overlapSeconds")?;
    fields.finish()?;
    let overlap = seconds.map_or(ApiKey::OVERLAP, |seconds| Duration::from_secs(seconds.into()));
    if overlap > ApiKey::VALIDITY {
        return Err(invalid("overlapSeconds", &Invalid::new("must be at most 2592000, which are 30 days")));
    }
    Ok(overlap)
}

/// The key with this id, for whoever may change it. One that is revoked is gone.
async fn changeable(server: &Server, caller: &Caller, id: &str) -> Result<Arc<ApiKey>, Refusal> {
    let key = store(server)?.api_key_by_id(permission::id_of(id)?).await?.ok_or_else(unknown)?;
    permission::owned_by(caller, key.owner.as_ref())?;
    if key.revoked_at.is_some() { Err(unknown()) } else { Ok(key) }
}

/// Refuses scopes that the host does not allow to keys of the caller's role.
fn check_scopes(server: &Server, caller: &Caller, scopes: ApiScopes) -> Result<(), Refusal> {
    if server.api_key_scopes.get(&caller.subject.role).is_none_or(|allowed| scopes.is_subset(*allowed)) {
        return Ok(());
    }
    let description = "The scopes have one that keys of your role may not have.";
    Err(Refusal::told(Rule::ScopeNotAllowed, StatusCode::FORBIDDEN, description).of_parameter("scopes"))
}

fn enough(at_most: u32) -> Refusal {
    let description = format!("You have all the API keys that one user may have, which are {at_most}. A deleted one counts for a day.");
    Refusal::told(Rule::TooManyApiKeys, StatusCode::CONFLICT, description)
}

/// The router lets nobody here without a store.
fn store(server: &Server) -> Result<&dyn ApiKeyStore, Refusal> {
    server.api_keys.as_deref().ok_or_else(unknown)
}

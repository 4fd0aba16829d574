use bytes::Bytes;
use http::{Request, Response};

use super::fields::{Fields, required};
use super::wire::{ClientBody, Clients};
use super::{page, reply};
use crate::domain::{ClientPolicy, ClientSettings, Invalid, Line, RedirectUri, ScopeSet, Verification};
use crate::http::Body;
use crate::http::auth_server::error::Refusal;
use crate::http::manage::Desk;

/// What a body says of a client. What it does not say stays, or is as it usually is.
struct Wishes {
    name: Option<Line>,
    policy: Option<ClientPolicy>,
    redirect_uris: Option<Vec<RedirectUri>>,
    allowed_scopes: Option<ScopeSet>,
    plain_pkce_allowed: Option<bool>,
    pkce_required: Option<bool>,
    first_party: Option<bool>,
    client_credentials_allowed: Option<bool>,
    iss_omitted: Option<bool>,
    verified: Option<bool>,
}

impl Wishes {
    fn read(request: &Request<Bytes>) -> Result<Self, Refusal> {
        let mut fields = Fields::read(request)?;
        let wishes = Self {
            name: fields.text("name", str::parse)?,
            policy: fields.text("policy", str::parse)?,
            redirect_uris: fields.texts("redirectUris", |uris| uris.iter().map(|uri| uri.parse()).collect())?,
            allowed_scopes: fields.texts("allowedScopes", |scopes| ScopeSet::collect(scopes.iter().map(String::as_str)))?,
            plain_pkce_allowed: fields.boolean("plainPkceAllowed")?,
            pkce_required: fields.boolean("pkceRequired")?,
            first_party: fields.boolean("firstParty")?,
            client_credentials_allowed: fields.boolean("clientCredentialsAllowed")?,
            iss_omitted: fields.boolean("issOmitted")?,
            verified: fields.boolean("verified")?,
        };
        fields.finish()?;
        Ok(wishes)
    }

    /// The settings of a new client.
    fn settings(self) -> Result<ClientSettings, Refusal> {
        Ok(ClientSettings {
            name: required("name", self.name)?,
            policy: self.policy.unwrap_or(ClientPolicy::SecretOrPkce),
            redirect_uris: required("redirectUris", self.redirect_uris)?,
            allowed_scopes: required("allowedScopes", self.allowed_scopes)?,
            plain_pkce_allowed: self.plain_pkce_allowed.unwrap_or(false),
            pkce_required: self.pkce_required.unwrap_or(false),
            first_party: self.first_party.unwrap_or(false),
            client_credentials_allowed: self.client_credentials_allowed.unwrap_or(false),
            iss_omitted: self.iss_omitted.unwrap_or(false),
            verification: Verification::Unverified,
        })
    }

    /// Refuses a verification that does not say of what: the owner may have changed the client since it was looked at.
    fn check_reviewed(&self) -> Result<(), Refusal> {
        required("name", self.name.as_ref())?;
        required("redirectUris", self.redirect_uris.as_ref())?;
        Ok(())
    }

    /// These settings, as they become.
    fn applied_to(self, seen: ClientSettings) -> ClientSettings {
        ClientSettings {
            name: self.name.unwrap_or(seen.name),
            policy: self.policy.unwrap_or(seen.policy),
            redirect_uris: self.redirect_uris.unwrap_or(seen.redirect_uris),
            allowed_scopes: self.allowed_scopes.unwrap_or(seen.allowed_scopes),
            plain_pkce_allowed: self.plain_pkce_allowed.unwrap_or(seen.plain_pkce_allowed),
            pkce_required: self.pkce_required.unwrap_or(seen.pkce_required),
            first_party: self.first_party.unwrap_or(seen.first_party),
            client_credentials_allowed: self.client_credentials_allowed.unwrap_or(seen.client_credentials_allowed),
            iss_omitted: self.iss_omitted.unwrap_or(seen.iss_omitted),
            verification: seen.verification,
        }
    }
}

/// The parameter that selects the clients that no administrator has verified, and its one value.
pub(in crate::http::auth_server) const REVIEW: &str = "review";
pub(in crate::http::auth_server) const AWAITING: &str = "awaiting";

/// `GET /v1/clients`.
pub(super) async fn list(desk: &Desk<'_>, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let (page, review) = page::requested_with(request, REVIEW)?;
    let found = match review.as_deref() {
        None => desk.clients(page).await?,
        Some(AWAITING) => desk.clients_to_review(page).await?,
        Some(_) => return Err(page::invalid(REVIEW, &Invalid::new("must be awaiting"))),
    };
    let now = desk.now();
    let clients = found.items.iter().map(|client| ClientBody::of(client, now)).collect();
    Ok(reply::page(page, found.total, Clients { clients }))
}

/// `POST /v1/clients`: the secret of a client that is not public is in this answer alone.
pub(super) async fn create(desk: &Desk<'_>, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let wishes = Wishes::read(request)?;
    let verified = wishes.verified;
    let (client, secret) = desk.create_client(wishes.settings()?, verified).await?;
    Ok(reply::with(ClientBody::of(&client, client.created_at).with_secret(secret.as_ref())))
}

/// `GET /v1/clients/{id}`.
pub(super) async fn show(desk: &Desk<'_>, id: &str) -> Result<Response<Body>, Refusal> {
    Ok(reply::with(ClientBody::of(&*desk.client(id).await?, desk.now())))
}

/// `PATCH /v1/clients/{id}`.
pub(super) async fn change(desk: &Desk<'_>, id: &str, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let seen = desk.changeable_client(id).await?;
    let wishes = Wishes::read(request)?;
    let verified = wishes.verified;
    if verified == Some(true) && desk.is_administrator() {
        wishes.check_reviewed()?;
    }
    desk.change_client(&seen, wishes.applied_to(seen.settings()), verified).await?;
    show(desk, id).await
}

/// `DELETE /v1/clients/{id}`.
pub(super) async fn delete(desk: &Desk<'_>, id: &str) -> Result<Response<Body>, Refusal> {
    desk.delete_client(&desk.changeable_client(id).await?).await?;
    Ok(reply::done())
}

/// `POST /v1/clients/{id}/owner`, for administrators.
pub(super) async fn give(desk: &Desk<'_>, id: &str, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let client = desk.changeable_client(id).await?;
    let mut fields = Fields::read(request)?;
    let owner = fields.text("owner", str::parse)?;
    fields.finish()?;
    desk.transfer_client(&client, required("owner", owner)?).await?;
    show(desk, id).await
}

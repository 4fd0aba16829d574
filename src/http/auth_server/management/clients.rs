use bytes::Bytes;
use http::{Request, Response};

use super::fields::{Fields, required};
use super::wire::{ClientBody, Clients};
use super::{envelope, page_request};
use crate::domain::{
    Client, ClientPolicy, ClientSettings, InvalidValue, PolicyUri, RedirectUri, ScopeSet,
    ShortText, Verification,
};
use crate::http::Body;
use crate::http::auth_server::error::Error;
use crate::http::management::{ManagementSession, Rejection};

/// Client settings in a request body. Absent fields keep their value or have their default.
struct ClientInput {
    name: Option<ShortText>,
    policy: Option<ClientPolicy>,
    redirect_uris: Option<Vec<RedirectUri>>,
    allowed_scopes: Option<ScopeSet>,
    plain_pkce_allowed: Option<bool>,
    pkce_required: Option<bool>,
    first_party: Option<bool>,
    client_credentials_allowed: Option<bool>,
    iss_omitted: Option<bool>,
    /// `Some(None)` removes the address.
    policy_uri: Option<Option<PolicyUri>>,
    verified: Option<bool>,
}

impl ClientInput {
    fn read(request: &Request<Bytes>) -> Result<Self, Error> {
        let mut fields = Fields::read(request)?;
        let input = Self {
            name: fields.text("name", str::parse)?,
            policy: fields.text("policy", str::parse)?,
            redirect_uris: fields.texts("redirectUris", |uris| {
                uris.iter().map(|uri| uri.parse()).collect()
            })?,
            allowed_scopes: fields.texts("allowedScopes", |scopes| {
                ScopeSet::parse_all(scopes.iter().map(String::as_str))
            })?,
            plain_pkce_allowed: fields.boolean("plainPkceAllowed")?,
            pkce_required: fields.boolean("pkceRequired")?,
            first_party: fields.boolean("firstParty")?,
            client_credentials_allowed: fields.boolean("clientCredentialsAllowed")?,
            iss_omitted: fields.boolean("issOmitted")?,
            policy_uri: fields.nullable_text("policyUri", str::parse)?,
            verified: fields.boolean("verified")?,
        };
        fields.finish()?;
        Ok(input)
    }

    /// The settings of a new client.
    fn settings(self) -> Result<ClientSettings, Error> {
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
            policy_uri: self.policy_uri.flatten(),
            verification: Verification::Unverified,
        })
    }

    /// Refuses a verification without the reviewed name, redirect URIs and privacy policy: the owner
    /// may have changed the client since it was read. The privacy policy may be absent if the
    /// client has none.
    fn check_reviewed(&self, seen: &Client) -> Result<(), Error> {
        required("name", self.name.as_ref())?;
        required("redirectUris", self.redirect_uris.as_ref())?;
        if seen.policy_uri.is_some() {
            required("policyUri", self.policy_uri.as_ref())?;
        }
        Ok(())
    }

    /// Applies the fields to the existing settings.
    fn applied_to(self, seen: ClientSettings) -> ClientSettings {
        ClientSettings {
            name: self.name.unwrap_or(seen.name),
            policy: self.policy.unwrap_or(seen.policy),
            redirect_uris: self.redirect_uris.unwrap_or(seen.redirect_uris),
            allowed_scopes: self.allowed_scopes.unwrap_or(seen.allowed_scopes),
            plain_pkce_allowed: self.plain_pkce_allowed.unwrap_or(seen.plain_pkce_allowed),
            pkce_required: self.pkce_required.unwrap_or(seen.pkce_required),
            first_party: self.first_party.unwrap_or(seen.first_party),
            client_credentials_allowed: self
                .client_credentials_allowed
                .unwrap_or(seen.client_credentials_allowed),
            iss_omitted: self.iss_omitted.unwrap_or(seen.iss_omitted),
            policy_uri: self.policy_uri.unwrap_or(seen.policy_uri),
            verification: seen.verification,
        }
    }
}

/// Query parameter that selects the unverified clients, and its only value.
pub(in crate::http::auth_server) const REVIEW: &str = "review";
pub(in crate::http::auth_server) const AWAITING: &str = "awaiting";

/// `GET /v1/clients`.
pub(super) async fn list(
    management: &ManagementSession<'_>,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let (page, review) = page_request::from_query_with(request, REVIEW)?;
    let found = match review.as_deref() {
        None => management.clients(page).await?,
        Some(AWAITING) => management.clients_to_review(page).await?,
        Some(_) => {
            let rule = InvalidValue::new("must be awaiting");
            return Err(Rejection::parameter_invalid(REVIEW, &rule).into());
        }
    };
    let now = management.now();
    let clients = found
        .items
        .iter()
        .map(|client| ClientBody::new(client, now))
        .collect();
    Ok(envelope::page(page, found.total, Clients { clients }))
}

/// `POST /v1/clients`. Only this response contains the client's secret.
pub(super) async fn create(
    management: &ManagementSession<'_>,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let input = ClientInput::read(request)?;
    let verified = input.verified;
    let (client, secret) = management
        .create_client(input.settings()?, verified)
        .await?;
    Ok(envelope::ok(
        ClientBody::new(&client, client.created_at).with_secret(secret.as_ref()),
    ))
}

/// `GET /v1/clients/{id}`.
pub(super) async fn show(
    management: &ManagementSession<'_>,
    id: &str,
) -> Result<Response<Body>, Error> {
    Ok(envelope::ok(ClientBody::new(
        &*management.client(id).await?,
        management.now(),
    )))
}

/// `PATCH /v1/clients/{id}`.
pub(super) async fn change(
    management: &ManagementSession<'_>,
    id: &str,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let client = management.changeable_client(id).await?;
    let input = ClientInput::read(request)?;
    let verified = input.verified;
    if verified == Some(true) && management.is_administrator() {
        input.check_reviewed(&client)?;
    }
    management
        .change_client(&client, input.applied_to(client.settings()), verified)
        .await?;
    show(management, id).await
}

/// `DELETE /v1/clients/{id}`.
pub(super) async fn delete(
    management: &ManagementSession<'_>,
    id: &str,
) -> Result<Response<Body>, Error> {
    management
        .delete_client(&management.changeable_client(id).await?)
        .await?;
    Ok(envelope::empty())
}

/// `POST /v1/clients/{id}/owner`, for administrators.
pub(super) async fn transfer(
    management: &ManagementSession<'_>,
    id: &str,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let client = management.changeable_client(id).await?;
    let mut fields = Fields::read(request)?;
    let owner = fields.text("owner", str::parse)?;
    fields.finish()?;
    management
        .transfer_client(&client, required("owner", owner)?)
        .await?;
    show(management, id).await
}

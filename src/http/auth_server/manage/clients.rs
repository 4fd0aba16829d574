use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::audit::{changed, managed};
use super::fields::{Fields, invalid, required};
use super::wire::{ClientBody, Clients};
use super::{page, permission, reply};
use crate::domain::{
    Client, ClientFault, ClientId, ClientPolicy, ClientSecret, ClientSettings, Invalid, Line, RedirectUri, RegisteredSecret, ScopeSet,
};
use crate::http::Body;
use crate::http::audit::{Change, Object, Rule};
use crate::http::auth_server::bearer::Caller;
use crate::http::auth_server::error::Refusal;
use crate::http::auth_server::server::Server;
use crate::store::{ClientCreation, ClientUpdate};

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
        })
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
        }
    }
}

/// `GET /v1/clients`.
pub(super) async fn list(server: &Server, caller: &Caller, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let page = page::requested(request)?;
    let now = server.clock.now();
    let found = server.storage.clients(permission::listed(caller), page).await?;
    let clients = found.items.iter().map(|client| ClientBody::of(client, now)).collect();
    Ok(reply::page(page, found.total, Clients { clients }))
}

/// `POST /v1/clients`: a client that is not public gets a secret at once, which nobody is shown again.
pub(super) async fn create(server: &Server, caller: &Caller, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let settings = Wishes::read(request)?.settings()?;
    check_privileges(caller, (false, false), &settings)?;
    let now = server.clock.now();
    let secret = (settings.policy != ClientPolicy::Public).then(|| ClientSecret::from_random(server.entropy.bytes()));
    let client = Client {
        id: ClientId::from_random(server.entropy.bytes()),
        name: settings.name,
        owner: caller.subject.id.clone(),
        policy: settings.policy,
        secrets: secret.iter().map(|secret| RegisteredSecret { digest: secret.digest(), created_at: now }).collect(),
        redirect_uris: settings.redirect_uris,
        allowed_scopes: settings.allowed_scopes,
        plain_pkce_allowed: settings.plain_pkce_allowed,
        pkce_required: settings.pkce_required,
        first_party: settings.first_party,
        client_credentials_allowed: settings.client_credentials_allowed,
        created_at: now,
    };
    match server.storage.create_client(client.clone()).await? {
        ClientCreation::Created => {}
        ClientCreation::Refused(fault) => return Err(refused(fault)),
        ClientCreation::UnknownScope(_) => return Err(scope_unknown()),
        ClientCreation::NeedsApproval(_) => return Err(needs_approval()),
        ClientCreation::Taken => return Err(Refusal::failure("a new client's id was taken")),
    }
    managed(server, caller, Object::Client(client.id), Change::Created);
    Ok(reply::with(ClientBody::of(&client, now).with_secret(secret.as_ref())))
}

/// `GET /v1/clients/{id}`.
pub(super) async fn show(server: &Server, caller: &Caller, id: &str) -> Result<Response<Body>, Refusal> {
    let client = permission::client(server, caller, id).await?;
    Ok(reply::with(ClientBody::of(&client, server.clock.now())))
}

/// `PATCH /v1/clients/{id}`.
pub(super) async fn change(server: &Server, caller: &Caller, id: &str, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let client = permission::changeable_client(server, caller, id).await?;
    let seen = client.settings();
    let new = Wishes::read(request)?.applied_to(seen.clone());
    check_privileges(caller, (seen.first_party, seen.client_credentials_allowed), &new)?;
    let fields = differences(&seen, &new);
    match server.storage.update_client(client.id, &seen, new).await? {
        ClientUpdate::Updated => {}
        ClientUpdate::Changed => return Err(changed_meanwhile()),
        ClientUpdate::Refused(fault) => return Err(refused(fault)),
        ClientUpdate::UnknownScope(_) => return Err(scope_unknown()),
        ClientUpdate::NeedsApproval(_) => return Err(needs_approval()),
        ClientUpdate::Unknown => return Err(permission::unknown()),
    }
    changed(server, caller, Object::Client(client.id), &fields);
    show(server, caller, id).await
}

/// `DELETE /v1/clients/{id}`.
pub(super) async fn delete(server: &Server, caller: &Caller, id: &str) -> Result<Response<Body>, Refusal> {
    let client = permission::changeable_client(server, caller, id).await?;
    if !server.storage.delete_client(client.id, server.clock.now()).await? {
        return Err(permission::unknown());
    }
    managed(server, caller, Object::Client(client.id), Change::Deleted);
    Ok(reply::done())
}

fn check_privileges(caller: &Caller, (first_party, credentials): (bool, bool), new: &ClientSettings) -> Result<(), Refusal> {
    permission::check_privileged(caller, "firstParty", first_party, new.first_party)?;
    permission::check_privileged(caller, "clientCredentialsAllowed", credentials, new.client_credentials_allowed)
}

fn differences(seen: &ClientSettings, new: &ClientSettings) -> [(&'static str, bool); 8] {
    [
        ("name", seen.name != new.name),
        ("policy", seen.policy != new.policy),
        ("redirectUris", seen.redirect_uris != new.redirect_uris),
        ("allowedScopes", seen.allowed_scopes != new.allowed_scopes),
        ("plainPkceAllowed", seen.plain_pkce_allowed != new.plain_pkce_allowed),
        ("pkceRequired", seen.pkce_required != new.pkce_required),
        ("firstParty", seen.first_party != new.first_party),
        ("clientCredentialsAllowed", seen.client_credentials_allowed != new.client_credentials_allowed),
    ]
}

fn refused(fault: ClientFault) -> Refusal {
    let (name, rule) = match fault {
        ClientFault::ManageIsForFirstParties => ("allowedScopes", "has service:manage, which is for the service's own clients"),
        ClientFault::PublicWithCredentials => ("clientCredentialsAllowed", "cannot be true for a client whose policy is none"),
        ClientFault::PublicWithSecrets | ClientFault::TooManySecrets => ("policy", "does not go with the client's secrets"),
    };
    invalid(name, &Invalid::new(rule))
}

fn scope_unknown() -> Refusal {
    let description = "A scope in allowedScopes does not exist; GET /v1/clients/available-scopes lists those that do.";
    Refusal::told(Rule::ScopeUnknown, StatusCode::BAD_REQUEST, description).of_parameter("allowedScopes")
}

fn needs_approval() -> Refusal {
    let description = "A scope in allowedScopes has to be approved for this client by the owner of its application first.";
    Refusal::told(Rule::ApprovalRequired, StatusCode::FORBIDDEN, description).of_parameter("allowedScopes")
}

fn changed_meanwhile() -> Refusal {
    let description = "Somebody changed the client at the same moment. Nothing of this change was kept; read the client and try again.";
    Refusal::told(Rule::ChangedMeanwhile, StatusCode::CONFLICT, description)
}

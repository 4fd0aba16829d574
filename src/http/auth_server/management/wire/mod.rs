//! JSON of the management API. Field names are defined only here. Times are in epoch seconds.

mod api_keys;

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::domain::{
    Advice, Application, Client, ClientSecret, LiveGrant, Scope, ScopeDefinition, Timestamp,
    Translations, Verification,
};
#[cfg(feature = "openapi")]
use crate::domain::{ClientPolicy, Severity};
use crate::store::ScopeClient;
pub(in crate::http::auth_server) use api_keys::ApiKeyBody;
pub(super) use api_keys::ApiKeys;

/// Success without data.
#[derive(Serialize)]
pub(super) struct EmptyBody {}

/// One page of a list (spec 2.4).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PagedBody<T> {
    pub(super) total_pages: u64,
    pub(super) total_elements: u64,
    #[serde(flatten)]
    pub(super) list: T,
}

#[derive(Serialize)]
pub(super) struct Applications {
    pub(super) applications: Vec<ApplicationBody>,
}

#[derive(Serialize)]
pub(super) struct Scopes<T> {
    pub(super) scopes: Vec<T>,
}

#[derive(Serialize)]
pub(super) struct Clients<T> {
    pub(super) clients: Vec<T>,
}

#[derive(Serialize)]
pub(super) struct Grants {
    pub(super) grants: Vec<GrantBody>,
}

/// An application, which defines scopes.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(in crate::http::auth_server) struct ApplicationBody {
    id: String,
    name: String,
    /// The name in other languages, by language tag.
    name_translations: BTreeMap<String, String>,
    owner: String,
    created_at: i64,
    /// Where one application is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    scopes: Option<Vec<ScopeBody>>,
}

impl ApplicationBody {
    pub(super) fn new(application: &Application) -> Self {
        Self {
            id: application.id.to_string(),
            name: application.name.to_string(),
            name_translations: by_tag(&application.name_translations),
            owner: application.owner.as_str().to_owned(),
            created_at: application.created_at.seconds(),
            scopes: None,
        }
    }

    pub(super) fn with_scopes(self, scopes: &[ScopeDefinition]) -> Self {
        Self {
            scopes: Some(scopes.iter().map(ScopeBody::new).collect()),
            ..self
        }
    }
}

/// A scope of an application.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(in crate::http::auth_server) struct ScopeBody {
    id: String,
    scope: String,
    scope_name: String,
    description: String,
    /// The description in other languages, by language tag.
    description_translations: BTreeMap<String, String>,
    approval_required: bool,
}

impl ScopeBody {
    pub(super) fn new(definition: &ScopeDefinition) -> Self {
        Self {
            id: definition.id.to_string(),
            scope: definition.scope.to_string(),
            scope_name: definition.scope.name.to_string(),
            description: definition.description.to_string(),
            description_translations: by_tag(&definition.description_translations),
            approval_required: definition.approval_required,
        }
    }
}

fn by_tag(texts: &Translations) -> BTreeMap<String, String> {
    texts
        .iter()
        .map(|(tag, text)| (tag.to_owned(), text.to_string()))
        .collect()
}

/// A client that uses a scope, or is approved for it.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(in crate::http::auth_server) struct ScopeClientBody {
    client_id: String,
    approved: bool,
    listed: bool,
}

impl ScopeClientBody {
    pub(super) fn new(found: &ScopeClient) -> Self {
        Self {
            client_id: found.client.to_string(),
            approved: found.approved,
            listed: found.listed,
        }
    }
}

/// A scope that a client can use.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(in crate::http::auth_server) struct AvailableScope {
    scope: String,
    description: String,
    description_translations: BTreeMap<String, String>,
    application_name: String,
    application_name_translations: BTreeMap<String, String>,
    approval_required: bool,
    /// Whether only first-party clients can use it.
    first_party_only: bool,
}

impl AvailableScope {
    pub(super) fn new(definition: &ScopeDefinition) -> Self {
        Self {
            scope: definition.scope.to_string(),
            description: definition.description.to_string(),
            description_translations: by_tag(&definition.description_translations),
            application_name: definition.application_name.to_string(),
            application_name_translations: by_tag(&definition.application_name_translations),
            approval_required: definition.approval_required,
            first_party_only: definition.scope == Scope::manage(),
        }
    }
}

/// A client. Times are in epoch seconds.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(in crate::http::auth_server) struct ClientBody {
    id: String,
    name: String,
    owner: String,
    #[cfg_attr(feature = "openapi", schemars(with = "ClientPolicy"))]
    policy: &'static str,
    redirect_uris: Vec<String>,
    allowed_scopes: Vec<String>,
    plain_pkce_allowed: bool,
    pkce_required: bool,
    first_party: bool,
    client_credentials_allowed: bool,
    /// Whether redirects to it omit `iss`.
    iss_omitted: bool,
    /// The address of its privacy policy; `null` if it has none.
    policy_uri: Option<String>,
    verified: bool,
    /// When an administrator verified it; null for one that nobody has reviewed, or that is one of the service's own.
    verified_at: Option<i64>,
    secrets: Vec<SecretBody>,
    created_at: i64,
    /// When the client was suspended; `null` if it is not suspended.
    suspended_at: Option<i64>,
    advice: Vec<AdviceBody>,
    /// Only in the response that creates it.
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<String>,
}

impl ClientBody {
    pub(super) fn new(client: &Client, at: Timestamp) -> Self {
        Self {
            id: client.id.to_string(),
            name: client.name.to_string(),
            owner: client.owner.as_str().to_owned(),
            policy: client.policy.as_str(),
            redirect_uris: client
                .redirect_uris
                .iter()
                .map(ToString::to_string)
                .collect(),
            allowed_scopes: client
                .allowed_scopes
                .iter()
                .map(ToString::to_string)
                .collect(),
            plain_pkce_allowed: client.plain_pkce_allowed,
            pkce_required: client.pkce_required,
            first_party: client.first_party,
            client_credentials_allowed: client.client_credentials_allowed,
            iss_omitted: client.iss_omitted,
            policy_uri: client.policy_uri.as_ref().map(ToString::to_string),
            verified: client.is_verified(),
            verified_at: match client.verification {
                Verification::Verified { at, .. } => Some(at.seconds()),
                Verification::Unverified | Verification::Assumed => None,
            },
            secrets: client
                .secrets
                .iter()
                .map(|secret| SecretBody {
                    created_at: secret.created_at.seconds(),
                    last_four: secret.last_four.clone(),
                    last_used_at: secret.last_used_at.map(Timestamp::seconds),
                })
                .collect(),
            created_at: client.created_at.seconds(),
            suspended_at: client.suspended_at.map(Timestamp::seconds),
            advice: client.advise(at).into_iter().map(AdviceBody::new).collect(),
            secret: None,
        }
    }

    pub(super) fn with_secret(self, secret: Option<&ClientSecret>) -> Self {
        Self {
            secret: secret.map(|secret| secret.expose().to_owned()),
            ..self
        }
    }
}

/// A client secret. It is never shown again.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct SecretBody {
    created_at: i64,
    /// Its last four characters; `null` for one that was registered before these were stored.
    last_four: Option<String>,
    /// When the client last authenticated with it; `null` if it never did.
    last_used_at: Option<i64>,
}

/// A recommendation for a client, with its severity and remedy.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
struct AdviceBody {
    #[cfg_attr(feature = "openapi", schemars(with = "Advice"))]
    advice: &'static str,
    #[cfg_attr(feature = "openapi", schemars(with = "Severity"))]
    severity: &'static str,
    remedy: &'static str,
}

impl AdviceBody {
    fn new(advice: Advice) -> Self {
        Self {
            advice: advice.as_str(),
            severity: advice.severity().as_str(),
            remedy: advice.remedy(),
        }
    }
}

/// A client that has access to the account of the user. Times are in epoch seconds.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(in crate::http::auth_server) struct GrantBody {
    id: String,
    client_id: String,
    client_name: String,
    scopes: Vec<String>,
    since: i64,
    last_used_at: i64,
}

impl GrantBody {
    pub(super) fn new(grant: &LiveGrant, client_name: &str) -> Self {
        Self {
            id: grant.id.to_string(),
            client_id: grant.client.to_string(),
            client_name: client_name.to_owned(),
            scopes: grant.scopes.iter().map(ToString::to_string).collect(),
            since: grant.since.seconds(),
            last_used_at: grant.last_used_at.seconds(),
        }
    }
}

/// The fields of a JSON object with duplicate keys, in order, of which a map would silently use the
/// last. Trailing input is an error.
pub(super) fn fields_with_duplicates(
    body: &[u8],
) -> Result<Vec<(String, Value)>, serde_json::Error> {
    serde_json::from_slice(body).map(|FieldList(fields)| fields)
}

struct FieldList(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for FieldList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FieldListVisitor).map(Self)
    }
}

struct FieldListVisitor;

impl<'de> Visitor<'de> for FieldListVisitor {
    type Value = Vec<(String, Value)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields = Vec::new();
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        Ok(fields)
    }
}

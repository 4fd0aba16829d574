use serde::Serialize;

use crate::domain::{ApiKey, ApiKeySecret, ApiScope, PersonalField, PreviousValue, Timestamp};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(in super::super) struct ApiKeys {
    pub(in super::super) api_keys: Vec<ApiKeyBody>,
}

/// A key of the data API. Times are in epoch seconds.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(in crate::http::auth_server) struct ApiKeyBody {
    id: String,
    /// The first eight and the last four characters of the current value.
    hint: String,
    owner: Option<String>,
    description: String,
    #[cfg_attr(feature = "openapi", schemars(with = "Vec<ApiScope>"))]
    scopes: Vec<String>,
    /// Fields that are hidden from the key.
    #[cfg_attr(feature = "openapi", schemars(with = "Vec<PersonalField>"))]
    hidden_fields: Vec<&'static str>,
    /// Hidden fields that the owner has requested access to.
    #[cfg_attr(feature = "openapi", schemars(with = "Vec<PersonalField>"))]
    requested_fields: Vec<&'static str>,
    created_at: i64,
    /// When the current value expires.
    expires_at: i64,
    last_used_at: Option<i64>,
    /// Earlier values that are still valid after renewals, oldest first.
    previous_values: Vec<PreviousValueBody>,
    /// `null` if the default limit applies.
    rate_limit: Option<u32>,
    rate_window_seconds: Option<u64>,
    rate_burst: Option<u32>,
    /// Only in the response that creates it.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
}

/// An earlier value of a key that is still valid after a renewal.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct PreviousValueBody {
    /// The first eight and the last four characters of the value; `null` if it was replaced by a version that did not keep them.
    hint: Option<String>,
    works_until: i64,
}

impl PreviousValueBody {
    fn new(value: &PreviousValue) -> Self {
        Self {
            hint: value.hint.clone(),
            works_until: value.works_until.seconds(),
        }
    }
}

impl ApiKeyBody {
    pub(in super::super) fn new(key: &ApiKey, at: Timestamp) -> Self {
        Self {
            id: key.id.to_string(),
            hint: key.hint.clone(),
            owner: key.owner.as_ref().map(|owner| owner.as_str().to_owned()),
            description: key.description.to_string(),
            scopes: key.scopes.iter().map(ApiScope::to_string).collect(),
            hidden_fields: key.hidden.iter().map(PersonalField::as_str).collect(),
            requested_fields: key
                .waiting_fields()
                .iter()
                .map(PersonalField::as_str)
                .collect(),
            created_at: key.created_at.seconds(),
            expires_at: key.expires_at.seconds(),
            last_used_at: key.last_used_at.map(Timestamp::seconds),
            previous_values: key.live_previous(at).map(PreviousValueBody::new).collect(),
            rate_limit: key.quota.map(|quota| quota.limit()),
            rate_window_seconds: key.quota.map(|quota| quota.window().as_secs()),
            rate_burst: key.quota.map(|quota| quota.burst()),
            key: None,
        }
    }

    pub(in super::super) fn with_key(self, secret: &ApiKeySecret) -> Self {
        Self {
            key: Some(secret.expose().to_owned()),
            ..self
        }
    }
}

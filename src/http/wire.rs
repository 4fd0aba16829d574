use http::StatusCode;
use serde::Serialize;

use crate::domain::ScopeSet;

/// An error in the envelope: no `data`, and what helps to find the fault.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct ErrorBody<'a> {
    /// The status in words, such as `BAD_REQUEST`.
    status: String,
    /// The status.
    code: u16,
    /// One sentence for whoever reads it; it may change.
    message: &'a str,
    /// A stable word that tells errors apart.
    reason: &'a str,
    /// The parameter or field at fault, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    parameter: Option<&'a str>,
    /// Also in `X-Request-Id`.
    request_id: &'a str,
}

impl<'a> ErrorBody<'a> {
    pub(super) fn new(
        status: StatusCode,
        reason: &'a str,
        message: &'a str,
        request_id: &'a str,
    ) -> Self {
        Self {
            status: status_name(status),
            code: status.as_u16(),
            message,
            reason,
            parameter: None,
            request_id,
        }
    }

    /// Sets the parameter at fault.
    pub(super) fn with_parameter(self, parameter: Option<&'a str>) -> Self {
        Self { parameter, ..self }
    }
}

/// The reason phrase in the envelope's spelling: `BAD_REQUEST`.
fn status_name(status: StatusCode) -> String {
    status
        .canonical_reason()
        .unwrap_or_default()
        .to_ascii_uppercase()
        .replace(' ', "_")
}

/// The description of a protected resource (RFC 9728 §2).
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub(super) struct ResourceDocument<'a> {
    resource: &'a str,
    authorization_servers: [&'a str; 1],
    bearer_methods_supported: &'a [&'a str],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    scopes_supported: Vec<String>,
}

impl<'a> ResourceDocument<'a> {
    pub(super) fn new(
        resource: &'a str,
        authorization_server: &'a str,
        methods: &'a [&'a str],
        scopes: &ScopeSet,
    ) -> Self {
        let scopes_supported = scopes.iter().map(ToString::to_string).collect();
        Self {
            resource,
            authorization_servers: [authorization_server],
            bearer_methods_supported: methods,
            scopes_supported,
        }
    }

    pub(super) fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("texts and lists of texts have a JSON form")
    }
}

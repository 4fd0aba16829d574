use serde::Serialize;

use crate::domain::ScopeSet;

/// The description of a protected resource (RFC 9728 §2).
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub(in crate::http) struct ResourceDocument<'a> {
    resource: &'a str,
    authorization_servers: [&'a str; 1],
    bearer_methods_supported: &'a [&'a str],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    scopes_supported: Vec<String>,
}

impl<'a> ResourceDocument<'a> {
    pub(in crate::http) fn new(
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

    pub(in crate::http) fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("texts and lists of texts have a JSON form")
    }
}

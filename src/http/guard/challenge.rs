use crate::domain::{ApplicationId, Scope, ScopeSet};

/// Parameters of `WWW-Authenticate`.
#[derive(Debug, Clone)]
pub(super) struct Challenge {
    realm: ApplicationId,
    required_scopes: ScopeSet,
    /// URL of the resource's metadata (RFC 9728 §5.1); a URL contains no quotes.
    metadata: Option<String>,
}

impl Challenge {
    pub(super) fn new(realm: ApplicationId, metadata: Option<String>) -> Self {
        Self {
            realm,
            required_scopes: ScopeSet::default(),
            metadata,
        }
    }

    pub(super) fn requiring(&self, scope: Scope) -> Self {
        let mut challenge = self.clone();
        challenge.required_scopes.insert(scope);
        challenge
    }

    pub(super) fn required_scopes(&self) -> &ScopeSet {
        &self.required_scopes
    }

    /// Formats the header's value (RFC 6750 §3). `error` is a code and a description, both without
    /// quotes.
    pub(super) fn header(&self, error: Option<(&str, &str)>) -> String {
        let mut header = format!("Bearer realm=\"{}\"", self.realm);
        let mut push = |name: &str, value: &str| header.push_str(&format!(", {name}=\"{value}\""));
        if let Some((code, description)) = error {
            push("error", code);
            push("error_description", description);
        }
        if !self.required_scopes.is_empty() {
            push("scope", &self.required_scopes.to_string());
        }
        if let Some(metadata) = &self.metadata {
            push("resource_metadata", metadata);
        }
        header
    }
}

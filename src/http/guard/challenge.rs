use crate::domain::{ApplicationId, Scope, ScopeSet};

/// What `WWW-Authenticate` tells of the way in.
#[derive(Debug, Clone)]
pub(super) struct Challenge {
    realm: ApplicationId,
    demanded: ScopeSet,
    /// Where the resource describes itself (RFC 9728 §5.1): a URL, which has no quotes.
    metadata: Option<String>,
}

impl Challenge {
    pub(super) fn new(realm: ApplicationId, metadata: Option<String>) -> Self {
        Self { realm, demanded: ScopeSet::default(), metadata }
    }

    pub(super) fn demanding(&self, scope: Scope) -> Self {
        let mut challenge = self.clone();
        challenge.demanded.insert(scope);
        challenge
    }

    pub(super) fn demanded(&self) -> &ScopeSet {
        &self.demanded
    }

    /// The value of the header (RFC 6750 §3). `error` is a word and a sentence, neither of which has quotes.
    pub(super) fn header(&self, error: Option<(&str, &str)>) -> String {
        let mut header = format!("Bearer realm=\"{}\"", self.realm);
        let mut push = |name: &str, value: &str| header.push_str(&format!(", {name}=\"{value}\""));
        if let Some((word, description)) = error {
            push("error", word);
            push("error_description", description);
        }
        if !self.demanded.is_empty() {
            push("scope", &self.demanded.to_string());
        }
        if let Some(metadata) = &self.metadata {
            push("resource_metadata", metadata);
        }
        header
    }
}

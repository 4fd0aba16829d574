use crate::domain::{AccountId, ApiKeyDigest, ApiKeyId, ApiScopes, Line, Timestamp};

/// An API key as the store keeps it. The key itself is shown once, when it is issued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKey {
    /// The id by which people and rate limits refer to the key.
    pub id: ApiKeyId,
    /// The digest of the key's value.
    pub digest: ApiKeyDigest,
    /// The first eight and last four characters, for lists.
    pub hint: String,
    /// The account that owns the key, if one does.
    pub owner: Option<AccountId>,
    /// What the owner calls the key.
    pub description: Line,
    /// What the key may read.
    pub scopes: ApiScopes,
    /// When it was issued.
    pub created_at: Timestamp,
    /// The first moment at which it no longer works: 30 days after issue (service.md, "Limits").
    pub expires_at: Timestamp,
    /// When it was revoked, if it was.
    pub revoked_at: Option<Timestamp>,
}

impl ApiKey {
    /// How long a key works after it is issued or renewed.
    pub const VALIDITY: std::time::Duration = std::time::Duration::from_secs(30 * 24 * 60 * 60);

    /// Whether the key works at `at`.
    pub fn works(&self, at: Timestamp) -> bool {
        self.revoked_at.is_none() && at < self.expires_at
    }
}

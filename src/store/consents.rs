use std::fmt::Debug;

use async_trait::async_trait;

use super::{ApiKeyAction, StorageError};
use crate::domain::{ClientId, Consent, GrantId, LiveGrant, SubjectId, Timestamp};

/// Stores users' consents, and lists and ends the access that users have given to clients.
///
/// Consents change together with grants: an approval checks or stores one
/// ([`ConsentMode`](super::ConsentMode)), and a withdrawal revokes a grant. So the store of the
/// consents is the [`GrantStore`](super::GrantStore), in the same database. A server without this
/// layer asks for consent at each authorization.
#[async_trait]
pub trait ConsentStore: Debug + Send + Sync + 'static {
    /// Returns the scopes that the user has consented to for the client, and when.
    async fn consent(
        &self,
        subject: &SubjectId,
        client: &ClientId,
    ) -> Result<Option<Consent>, StorageError>;

    /// Returns the user's consents, also those without a live grant. Ordered by time of consent,
    /// newest first, then by client id; at most [`MAX_LISTED_CONSENTS`].
    async fn consents_of(
        &self,
        subject: &SubjectId,
    ) -> Result<Vec<(ClientId, Consent)>, StorageError>;

    /// Deletes the user's consent for a client, so that the consent page is shown the next time.
    /// Returns whether there was one. Grants stay valid:
    /// [`revoke_grant_and_consent`](Self::revoke_grant_and_consent) revokes one of them as well.
    async fn delete_consent(
        &self,
        subject: &SubjectId,
        client: &ClientId,
    ) -> Result<bool, StorageError>;

    /// Returns the user's live grants. Ordered by time of redemption, newest first, then by id; at
    /// most [`MAX_LISTED_GRANTS`].
    async fn grants_of(
        &self,
        subject: &SubjectId,
        at: Timestamp,
    ) -> Result<Vec<LiveGrant>, StorageError>;

    /// Revokes one grant of the user, as [`revoke_grant`](super::GrantStore::revoke_grant) does,
    /// and deletes the user's consent for its client, so that the consent page is shown the next
    /// time. Another user's grant is [`GrantRevocation::NotFound`].
    async fn revoke_grant_and_consent(
        &self,
        subject: &SubjectId,
        grant: &GrantId,
        at: Timestamp,
    ) -> Result<GrantRevocation, StorageError>;

    /// Ends all authorization and console sessions of the user, and revokes every grant that was
    /// not revoked before. With [`ApiKeyAction::Revoke`], also revokes the user's API keys in the
    /// same storage. Consents stay. Returns the number of grants revoked.
    async fn sign_out_everywhere(
        &self,
        subject: &SubjectId,
        keys: ApiKeyAction,
        at: Timestamp,
    ) -> Result<usize, StorageError>;
}

/// Maximum number of grants in a user's list.
pub const MAX_LISTED_GRANTS: usize = 200;

/// Maximum number of consents in a user's list.
pub const MAX_LISTED_CONSENTS: usize = 200;

/// Result of revoking a grant and its consent; [exhaustive](crate::store#outcomes).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum GrantRevocation {
    /// The grant is revoked, now or before, and the consent for its client is deleted.
    Revoked,
    /// The user has no such grant. Nothing changed.
    NotFound,
}

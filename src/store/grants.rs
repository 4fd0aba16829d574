use std::fmt::Debug;
use std::time::Duration;

use async_trait::async_trait;

use super::{StorageError, TokenRequestRecords};
use crate::domain::{
    AuthorizationCodeDigest, AuthorizationSession, ClientId, ClientProof, CodeBinding, Generation,
    Grant, GrantId, ScopeSet, SessionDigest, Subject, SubjectId, Timestamp,
};

/// Stores pending sessions, authorization codes and grants: the transitions of the protocol.
///
/// Approval turns a session into a grant, in one transition. The grant carries the digest of its
/// authorization code until the code is redeemed, and the generation of its refresh token from then
/// on. One row holds all of it.
#[async_trait]
pub trait GrantStore: Debug + Send + Sync + 'static {
    /// Stores a pending session under a new digest. It also deletes a few sessions that had expired
    /// when this one was created: see [`retention`](super::retention). Anyone can open sessions, so
    /// the insert itself has to bound the table.
    async fn open_session(
        &self,
        session: SessionDigest,
        pending: AuthorizationSession,
    ) -> Result<(), StorageError>;

    /// Returns the session, or `None` if it does not exist or has expired.
    async fn session(
        &self,
        session: &SessionDigest,
        at: Timestamp,
    ) -> Result<Option<AuthorizationSession>, StorageError>;

    /// Records the signed-in subject and moves the session to a new digest. The old token is
    /// invalid from then on, which prevents session fixation.
    async fn sign_in(
        &self,
        session: &SessionDigest,
        replacement: SessionDigest,
        subject: Subject,
        at: Timestamp,
    ) -> Result<SignIn, StorageError>;

    /// Removes the signed-in subject and moves the session to a new digest, so that another user
    /// can sign in. Returns the session without its subject, or `None` if it does not exist or has
    /// expired.
    async fn sign_out(
        &self,
        session: &SessionDigest,
        replacement: SessionDigest,
        at: Timestamp,
    ) -> Result<Option<AuthorizationSession>, StorageError>;

    /// Turns a signed-in session into a grant with an authorization code. Of any number of
    /// concurrent calls exactly one is approved. It also deletes a few grants that ended long
    /// before: see [`retention`](super::retention).
    ///
    /// The same transition checks or stores the user's consent, as [`ConsentMode`] says, and
    /// enforces the approval's [`limits`](Approval::limits): it revokes the least recently used
    /// grants of the user and the client, and deletes the user's least recently used consents. The
    /// limits hold under any number of concurrent approvals.
    ///
    /// A scope of the session that no longer exists is neither granted nor consented to. Otherwise
    /// it would be granted when another scope of its name is created.
    async fn approve_session(
        &self,
        session: &SessionDigest,
        approval: Approval,
        at: Timestamp,
    ) -> Result<ApprovalOutcome, StorageError>;

    /// Ends a session without a grant and returns it, or `None` if it has expired or ended before.
    async fn close_session(
        &self,
        session: &SessionDigest,
        at: Timestamp,
    ) -> Result<Option<AuthorizationSession>, StorageError>;

    /// Returns the values that the client must prove before the code is redeemed, with the user and
    /// the scopes that must still exist. A token is issued only from the [`Grant`] that the
    /// redemption returns. They are returned also after the code was redeemed or has expired,
    /// until the grant is swept, so that a client to which the code was not issued cannot tell
    /// these states apart.
    async fn code_binding(
        &self,
        code: &AuthorizationCodeDigest,
    ) -> Result<Option<CodeBinding>, StorageError>;

    /// Redeems the code. Of any number of concurrent calls with one valid code exactly one is
    /// [`Redemption::Redeemed`]. Every other one revokes the grant: the code was used twice, so one
    /// of the two parties stole it (RFC 6749 §4.1.2).
    async fn redeem_authorization_code(
        &self,
        code: &AuthorizationCodeDigest,
        proof: ClientProof,
        lifetimes: TokenLifetimes,
        at: Timestamp,
    ) -> Result<Redemption, StorageError>;

    /// Returns the values that the client must prove before the grant's refresh token is used. They
    /// do not suffice to issue a token. `None` before the code is redeemed.
    async fn refresh_binding(
        &self,
        grant: &GrantId,
    ) -> Result<Option<RefreshBinding>, StorageError>;

    /// Returns everything that decides a code exchange in one read: the client, the binding of the
    /// code, and the account of its user.
    ///
    /// Stores that hold clients and accounts beside the grants implement it, which saves two of
    /// three reads. By default it returns `None`, and the service calls
    /// [`ClientLookup::client`](super::ClientLookup::client),
    /// [`code_binding`](Self::code_binding) and the user source one after the other.
    async fn records_for_code_exchange(
        &self,
        client: ClientId,
        code: &AuthorizationCodeDigest,
    ) -> Result<Option<TokenRequestRecords<CodeBinding>>, StorageError> {
        let _ = (client, code);
        Ok(None)
    }

    /// Returns everything that decides a refresh in one read, as
    /// [`records_for_code_exchange`](Self::records_for_code_exchange) does for a code.
    async fn records_for_refresh(
        &self,
        client: ClientId,
        grant: &GrantId,
    ) -> Result<Option<TokenRequestRecords<RefreshBinding>>, StorageError> {
        let _ = (client, grant);
        Ok(None)
    }

    /// Uses a refresh token, which is identified by its grant and generation.
    ///
    /// * [`Rotation::Rotated`]: it was the current generation, and the next one is current now. Of
    ///   any number of concurrent calls exactly one rotates; the others present what has just
    ///   become the previous generation.
    /// * [`Rotation::Repeated`]: it was the previous generation, not later than
    ///   `lifetimes.retry_window` after its rotation. The client did not receive the response.
    ///   Nothing changes. The window starts at the rotation and never slides.
    /// * [`Rotation::Reused`]: it was an older generation, or the previous one after the window.
    ///   This is a sign of theft, so the grant is revoked.
    /// * [`Rotation::NotFound`]: the grant does not exist or has not been redeemed, or the
    ///   generation was never issued. Nothing changes.
    ///
    /// Revocation and expiry of the grant are checked before the generation.
    async fn rotate_refresh_token(
        &self,
        grant: &GrantId,
        presented: Generation,
        lifetimes: TokenLifetimes,
        at: Timestamp,
    ) -> Result<Rotation, StorageError>;

    /// Revokes the grant: no token can be issued from it any more, by its code or by a refresh.
    /// Returns whether the grant exists. A grant that is revoked already keeps the time of its
    /// first revocation.
    async fn revoke_grant(&self, grant: &GrantId, at: Timestamp) -> Result<bool, StorageError>;

    /// Returns whether tokens issued from the grant are still valid: the grant exists, is redeemed,
    /// and is neither revoked nor expired.
    async fn grant_is_live(&self, grant: &GrantId, at: Timestamp) -> Result<bool, StorageError>;
}

/// Lifetimes of a grant's tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenLifetimes {
    /// Lifetime of a refresh token that is not used.
    pub idle: Duration,
    /// Lifetime of a grant from its redemption, however often it is used.
    pub absolute: Duration,
    /// Time after a rotation in which the previous refresh token still gets the same successor.
    pub retry_window: Duration,
}

/// Parameters of an approval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    /// The id of the new grant.
    pub grant: GrantId,
    /// The digest of the new authorization code.
    pub code: AuthorizationCodeDigest,
    /// The first moment at which the code is expired.
    pub code_expires_at: Timestamp,
    /// Whether the user was asked, and whether the consent is stored.
    pub consent_mode: ConsentMode,
    /// Limits on the user's grants and consents.
    pub limits: ApprovalLimits,
}

/// Limits on a user's grants and consents after an approval. The least recently used ones are
/// removed, so that old grants never prevent a new sign-in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ApprovalLimits {
    /// Maximum number of usable grants of the user and the client, unredeemed codes included. 0
    /// counts as 1: the new one.
    pub grants_per_client: u32,
    /// Maximum number of the user's consents, enforced when one is stored. 0 counts as 1: the new
    /// one.
    pub consents: u32,
}

impl ApprovalLimits {
    /// No limits.
    pub const UNLIMITED: Self = Self {
        grants_per_client: u32::MAX,
        consents: u32::MAX,
    };
}

/// Basis of an approval. Without a [`ConsentStore`](super::ConsentStore) the service passes only
/// [`Once`](Self::Once).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConsentMode {
    /// The user consented, for this approval only.
    Once,
    /// The user consented, and the consent is stored: its scopes are added to those of the stored
    /// consent.
    Remembered,
    /// The user was not asked. The stored consent must cover every scope of the session; otherwise
    /// nothing is approved.
    Existing,
}

/// Result of recording a sign-in; [exhaustive](crate::store#outcomes).
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
#[expect(
    clippy::large_enum_variant,
    reason = "it is returned once and never kept"
)]
pub enum SignIn {
    /// The session has the subject and the new digest.
    SignedIn(AuthorizationSession),
    /// There is no such session, or it has expired.
    NotFound,
}

/// A session that was turned into a grant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovedSession {
    /// The session, with the scopes that were granted.
    pub session: AuthorizationSession,
    /// The grants that were revoked to stay within the limits, in no particular order.
    pub replaced: Vec<GrantId>,
}

/// Result of approving a session; [exhaustive](crate::store#outcomes).
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum ApprovalOutcome {
    /// The session is deleted and the grant and its code are stored.
    Approved(Box<ApprovedSession>),
    /// No subject has signed in to the session. Nothing changed.
    NotSignedIn,
    /// The stored consent does not cover every scope, so the user must be asked. Nothing changed.
    ConsentRequired,
    /// There is no such session, or it has expired.
    NotFound,
}

/// Result of redeeming an authorization code; [exhaustive](crate::store#outcomes).
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum Redemption {
    /// The code was valid and is redeemed now. Tokens of this grant may be issued.
    Redeemed(Grant),
    /// The code was redeemed before. Its grant is revoked now.
    AlreadyRedeemed {
        /// The revoked grant.
        grant: GrantId,
        /// The time of the first redemption.
        at: Timestamp,
    },
    /// The code has expired.
    Expired,
    /// The grant was revoked before the code was redeemed.
    Revoked,
    /// There is no such code.
    NotFound,
}

/// Values that a refresh request is checked against before the refresh token is used, so that a
/// refused request does not use it up. The binding contains neither the user's identity in tokens
/// nor whether the grant is live, so nothing can be issued from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefreshBinding {
    /// The client that the grant belongs to.
    pub client: ClientId,
    /// The proof from the code exchange, which the client must repeat.
    pub proof: ClientProof,
    /// The user, whose account may have been removed since.
    pub subject: SubjectId,
    /// The scopes of the grant. A refresh cannot request others.
    pub scopes: ScopeSet,
    /// The generation of the current refresh token. Older generations have been replaced and never
    /// become current again.
    pub generation: Generation,
}

/// Result of using a refresh token; [exhaustive](crate::store#outcomes).
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum Rotation {
    /// The token was current. The grant is at the next generation now.
    Rotated(Grant),
    /// The token was the previous one, inside the retry window. The grant is unchanged.
    Repeated(Grant),
    /// The token was an older one. The grant is revoked now.
    Reused {
        /// The grant that is revoked now.
        grant: GrantId,
    },
    /// The grant has reached its idle or absolute expiry.
    Expired,
    /// The grant was revoked before.
    Revoked,
    /// There is no such grant or generation. Nothing changed.
    NotFound,
}

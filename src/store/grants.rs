use std::fmt::Debug;
use std::time::Duration;

use async_trait::async_trait;

use super::{OwnedApiKeys, StorageError, TokenRecords};
use crate::domain::{
    AuthorizationCodeDigest, AuthorizationSession, ClientId, ClientProof, CodeBinding, Consent, Generation, Grant, GrantId, LiveGrant,
    ScopeSet, SessionDigest, Subject, SubjectId, Timestamp,
};

/// Keeps what passes between a user's approval and a client's tokens: pending sessions, authorization codes and grants.
///
/// A session becomes a grant by approval, in one transition. The grant carries the digest of its authorization code until the code is
/// redeemed, and the generation of its refresh token from then on; one row holds all of it.
#[async_trait]
pub trait GrantStore: Debug + Send + Sync + 'static {
    /// Keeps a pending session under a digest that is new, and takes a few sessions away that had expired when it was created: see
    /// [`sweep`](super::sweep). Anyone can open sessions, so what is opened must pay for the cleaning.
    async fn open_session(&self, session: SessionDigest, pending: AuthorizationSession) -> Result<(), StorageError>;

    /// The session, unless it has expired.
    async fn session(&self, session: &SessionDigest, at: Timestamp) -> Result<Option<AuthorizationSession>, StorageError>;

    /// Writes down who signed in and moves the session to a new digest, so that whoever knew the old token has nothing.
    async fn sign_in(
        &self,
        session: &SessionDigest,
        replacement: SessionDigest,
        subject: Subject,
        at: Timestamp,
    ) -> Result<SignIn, StorageError>;

    /// Forgets who signed in and moves the session to a new digest, for somebody else to sign in. The session without its subject, or
    /// nothing when there is no such session or it has expired.
    async fn sign_out(
        &self,
        session: &SessionDigest,
        replacement: SessionDigest,
        at: Timestamp,
    ) -> Result<Option<AuthorizationSession>, StorageError>;

    /// Turns a signed-in session into a grant with an authorization code. Of any number of concurrent calls, exactly one is approved,
    /// and takes a few grants away that had died long before: see [`sweep`](super::sweep).
    ///
    /// What the approval does with the user's consent it does in the same transition: see [`Assent`]. So is what goes beyond the approval's
    /// [`caps`](Approval::caps): it revokes those grants of the user and client that were used longest ago, and forgets such consents. However
    /// many approvals come at once, there are never more.
    ///
    /// A scope of the session that no longer exists is neither granted nor consented to, so that it is not granted when another scope of its
    /// name is created.
    async fn approve_session(&self, session: &SessionDigest, approval: Approval, at: Timestamp) -> Result<ApprovalOutcome, StorageError>;

    /// Ends a session without a grant and returns it, unless it has expired or ended before.
    async fn close_session(&self, session: &SessionDigest, at: Timestamp) -> Result<Option<AuthorizationSession>, StorageError>;

    /// What the client must prove before the code is redeemed. Never enough to issue a token. It is known also after the code was used
    /// or has expired, so that a wrong client learns nothing from the difference, until the grant is swept.
    async fn code_binding(&self, code: &AuthorizationCodeDigest) -> Result<Option<CodeBinding>, StorageError>;

    /// Spends the code. Of any number of concurrent calls with one code, exactly one is [`Redemption::Redeemed`]; every other revokes the
    /// grant, for somebody has a copy of the code and nobody knows which of the two is the thief (RFC 6749 §4.1.2).
    async fn redeem_authorization_code(
        &self,
        code: &AuthorizationCodeDigest,
        proof: ClientProof,
        lifetimes: TokenLifetimes,
        at: Timestamp,
    ) -> Result<Redemption, StorageError>;

    /// What the client must prove before the grant's refresh token is used. Never enough to issue a token.
    async fn refresh_binding(&self, grant: &GrantId) -> Result<Option<RefreshBinding>, StorageError>;

    /// What a request to exchange a code is decided by, in one read: the client, the binding of the code, and the account of its user.
    ///
    /// It is for stores that keep clients and accounts beside the grants, and saves them two reads of three. By default it returns `None`,
    /// and the service asks [`ClientRegistry::client`](super::ClientRegistry::client), [`code_binding`](Self::code_binding) and the users one
    /// after the other.
    async fn exchange_records(
        &self,
        client: ClientId,
        code: &AuthorizationCodeDigest,
    ) -> Result<Option<TokenRecords<CodeBinding>>, StorageError> {
        let _ = (client, code);
        Ok(None)
    }

    /// What a refresh is decided by, in one read, as [`exchange_records`](Self::exchange_records) returns it for a code.
    async fn refresh_records(&self, client: ClientId, grant: &GrantId) -> Result<Option<TokenRecords<RefreshBinding>>, StorageError> {
        let _ = (client, grant);
        Ok(None)
    }

    /// Uses a refresh token, which is known by its grant and generation.
    ///
    /// * The current generation makes the next one current: [`Rotation::Rotated`]. Of any number of concurrent calls exactly one does; the
    ///   others present what has just become the previous one.
    /// * The previous one, not later than `lifetimes.retry_window` after it was rotated, is a client that never got its answer:
    ///   [`Rotation::Repeated`], and nothing changes. The window is fixed when the rotation happens and never slides.
    /// * Anything older is theft: the grant is revoked, [`Rotation::Reused`].
    /// * A generation that was never issued changes nothing: [`Rotation::Unknown`].
    ///
    /// An expired or revoked grant says so before any of these.
    async fn rotate(
        &self,
        grant: &GrantId,
        presented: Generation,
        lifetimes: TokenLifetimes,
        at: Timestamp,
    ) -> Result<Rotation, StorageError>;

    /// Revokes the grant: no token can be issued from it any more, by its code or by a refresh. Says whether there is such a grant; the
    /// first revocation's time stays.
    async fn revoke_grant(&self, grant: &GrantId, at: Timestamp) -> Result<bool, StorageError>;

    /// Whether tokens that were issued from the grant still hold: it exists, is redeemed, and is neither revoked nor expired.
    async fn grant_is_live(&self, grant: &GrantId, at: Timestamp) -> Result<bool, StorageError>;

    /// What the user has let the client have and need not be asked for again.
    async fn consent(&self, subject: &SubjectId, client: &ClientId) -> Result<Option<Consent>, StorageError>;

    /// What the user has let clients have and need not be asked for again, also where no grant of it is live: what was allowed last first,
    /// and what was allowed at one moment by the client's id, and of this no more than [`CONSENTS_SHOWN`].
    async fn consents_of(&self, subject: &SubjectId) -> Result<Vec<(ClientId, Consent)>, StorageError>;

    /// Forgets what the user has let a client have, so that the user is asked the next time, and says whether there was anything. Grants go
    /// on: whoever means those as well withdraws them.
    async fn forget_consent(&self, subject: &SubjectId, client: &ClientId) -> Result<bool, StorageError>;

    /// The user's grants that are live, those that came last first and those of one moment by id, and of these no more than
    /// [`GRANTS_SHOWN`].
    async fn grants_of(&self, subject: &SubjectId, at: Timestamp) -> Result<Vec<LiveGrant>, StorageError>;

    /// Takes back what the user allowed: revokes this one grant, as [`revoke_grant`](Self::revoke_grant) does, and forgets the consent that
    /// its client has, so that the user is asked the next time. Somebody else's grant is unknown.
    async fn withdraw_grant(&self, subject: &SubjectId, grant: &GrantId, at: Timestamp) -> Result<Withdrawal, StorageError>;

    /// Signs the user out everywhere: ends the sessions that the user has signed in to, those in the console too, and revokes every grant
    /// that was not revoked before, and says how many grants those were. The user's API keys in the same storage are revoked too, unless `keys`
    /// says otherwise. What was consented to is still remembered.
    async fn revoke_grants_of(&self, subject: &SubjectId, keys: OwnedApiKeys, at: Timestamp) -> Result<usize, StorageError>;
}

/// How many grants a user is shown at most.
pub const GRANTS_SHOWN: usize = 200;

/// How many clients a user is shown at most as those that need not ask again.
pub const CONSENTS_SHOWN: usize = 200;

/// How long the tokens of a grant last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenLifetimes {
    /// How long a refresh token lasts when it is not used.
    pub idle: Duration,
    /// How long a grant lasts from its redemption, whatever happens.
    pub absolute: Duration,
    /// How long after a rotation the previous refresh token still gets the same successor.
    pub retry_window: Duration,
}

/// What a user's approval makes of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    /// The id of the new grant.
    pub grant: GrantId,
    /// The digest of the new authorization code.
    pub code: AuthorizationCodeDigest,
    /// The first moment at which the code no longer works.
    pub code_expires_at: Timestamp,
    /// What it rests on.
    pub assent: Assent,
    /// How much of the user's is kept.
    pub caps: ApprovalCaps,
}

/// How much of a user's an approval leaves. What was used longest ago makes room, so that old sign-ins never keep a user from a new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ApprovalCaps {
    /// How many grants of the user and the client work afterwards at most, codes that wait among them. 0 counts as 1: the new one.
    pub grants_per_client: u32,
    /// How many consents of the user are kept at most, once one is remembered. 0 counts as 1: the new one.
    pub consents: u32,
}

impl ApprovalCaps {
    /// As many as there are.
    pub const NONE: Self = Self { grants_per_client: u32::MAX, consents: u32::MAX };
}

/// What an approval rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assent {
    /// The user was asked and said yes, this once.
    Once,
    /// The user was asked and said yes, and that is remembered: the scopes are added to those that were allowed before.
    Remembered,
    /// The user was not asked. What is remembered must cover every scope of the session, or nothing is approved.
    Earlier,
}

/// What became of a sign-in.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum SignIn {
    /// The session has a subject now, and is known by its new digest.
    SignedIn(AuthorizationSession),
    /// There is no such session, or it has expired.
    Unknown,
}

/// A session that became a grant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovedSession {
    /// The session, with the scopes that the grant has.
    pub session: AuthorizationSession,
    /// The grants that were revoked to make room, in no particular order.
    pub replaced: Vec<GrantId>,
}

/// What became of an approval.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum ApprovalOutcome {
    /// The session is gone and the grant and its code are there.
    Approved(Box<ApprovedSession>),
    /// Nobody has signed in yet; nothing changed.
    NotSignedIn,
    /// The user must be asked: what is remembered does not cover every scope. Nothing changed.
    NotConsented,
    /// There is no such session, or it has expired.
    Unknown,
}

/// What became of an authorization code.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum Redemption {
    /// It was good and is spent now. Its grant may be issued from.
    Redeemed(Grant),
    /// It had been redeemed before. The grant that came of it is revoked now.
    AlreadyRedeemed {
        /// The grant that the first redemption issued from.
        grant: GrantId,
        /// When that was.
        at: Timestamp,
    },
    /// It came too late.
    Expired,
    /// Its grant was revoked before it was used.
    Revoked,
    /// There is no such code.
    Unknown,
}

/// What must be proven before a grant's refresh token is used, and what a request is held against, so that one that must be refused uses
/// nothing up. It says neither who the user is in tokens nor whether the grant still lives, so nothing can be issued from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefreshBinding {
    /// The client that the grant belongs to.
    pub client: ClientId,
    /// What the client proved at the exchange, and must prove again.
    pub proof: ClientProof,
    /// The user, who may have left since.
    pub subject: SubjectId,
    /// The scopes of the grant, beyond which nothing may be asked for.
    pub scopes: ScopeSet,
    /// The refresh token that is current. One of another generation has been replaced, and never becomes current again.
    pub generation: Generation,
}

/// What became of a refresh token.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum Rotation {
    /// It was current; the grant is now at the next generation.
    Rotated(Grant),
    /// It was the previous one inside the retry window; the grant is as the first use left it.
    Repeated(Grant),
    /// It was an old one. The grant is revoked.
    Reused {
        /// The grant that is revoked now.
        grant: GrantId,
    },
    /// The grant has expired, idle or altogether.
    Expired,
    /// The grant was revoked before.
    Revoked,
    /// There is no such grant or generation.
    Unknown,
}

/// What became of a user's wish to take a grant back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Withdrawal {
    /// The grant is revoked, now or before, and its client's consent is forgotten.
    Withdrawn,
    /// The user has no such grant; nothing changed.
    Unknown,
}

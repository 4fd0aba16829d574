//! What passes between a user's approval and a client's tokens.

use std::fmt;

use crate::domain::{ClientId, CodeChallenge, GrantId, ScopeSet, Subject, SubjectId, Timestamp, vocabulary};

/// An authorization request that waits for its user, kept under the digest of a random token.
#[derive(Clone, PartialEq, Eq)]
pub struct AuthorizationSession {
    /// The client that asks.
    pub client: ClientId,
    /// Where the user goes back to: one that the client registered, as the request spelled it.
    pub redirect_uri: String,
    /// The client's own value, to be returned unchanged. Not every store can keep U+0000, so it has none.
    pub state: Option<String>,
    /// The scopes that are asked for, none of them outside the client's allowed list.
    pub scopes: ScopeSet,
    /// The PKCE challenge, if the client sent one.
    pub challenge: Option<CodeChallenge>,
    /// Whether the client wants the user asked also for what was allowed before.
    pub ask_again: bool,
    /// Who has signed in, once somebody has.
    pub subject: Option<Subject>,
    /// When it was opened.
    pub created_at: Timestamp,
    /// The first moment at which it is no longer there.
    pub expires_at: Timestamp,
}

/// `state` is the client's secret, so it is not printed.
impl fmt::Debug for AuthorizationSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AuthorizationSession").field("client", &self.client).field("scopes", &self.scopes).finish_non_exhaustive()
    }
}

/// What must be proven before a code is redeemed, and whose it is. It has neither the scopes nor what a token says of its user, so nothing
/// can be issued from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeBinding {
    /// The client that the code was issued to.
    pub client: ClientId,
    /// The redirect URI of the authorization request, as it was spelled there.
    pub redirect_uri: String,
    /// The PKCE challenge of the authorization request.
    pub challenge: Option<CodeChallenge>,
    /// The user, who may have left since.
    pub subject: SubjectId,
}

vocabulary! {
    /// What a client proved when it redeemed a code. A refresh demands at least as much.
    ClientProof {
        /// Its secret.
        Secret = "secret",
        /// Only the PKCE verifier of this one authorization.
        Pkce = "pkce",
    }
}

/// Which refresh token of a grant it is, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Generation(u32);

impl Generation {
    /// The first token of a grant.
    pub const FIRST: Self = Self(0);

    /// A generation from its number.
    pub const fn new(number: u32) -> Self {
        Self(number)
    }

    /// The number.
    pub const fn get(self) -> u32 {
        self.0
    }

    /// The generation after this one; `None` after 2³² − 1.
    pub const fn next(self) -> Option<Self> {
        match self.0.checked_add(1) {
            Some(number) => Some(Self(number)),
            None => None,
        }
    }
}

impl fmt::Display for Generation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What a user has let a client have and need not be asked for again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Consent {
    /// The scopes, those that were allowed last first.
    pub scopes: ScopeSet,
    /// When the user last said yes.
    pub granted_at: Timestamp,
}

/// A grant in use, as its user is shown it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveGrant {
    /// The id.
    pub id: GrantId,
    /// The client that has access.
    pub client: ClientId,
    /// What it has access to.
    pub scopes: ScopeSet,
    /// Since when: its code was redeemed then.
    pub since: Timestamp,
    /// When it last got tokens.
    pub last_used_at: Timestamp,
}

/// One authorization by one user for one client: what tokens are issued from. Stores give it out only once it has been redeemed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// The id.
    pub id: GrantId,
    /// The client.
    pub client: ClientId,
    /// The user. Who that is in tokens is asked anew whenever some are issued.
    pub subject: SubjectId,
    /// The scopes that the user approved, less those that have been deleted since.
    pub scopes: ScopeSet,
    /// What the client proved at the exchange.
    pub proof: ClientProof,
    /// The refresh token that is current.
    pub generation: Generation,
    /// When it expires if it is not used.
    pub idle_expires_at: Timestamp,
    /// When it expires whatever happens.
    pub expires_at: Timestamp,
}

//! Authorization sessions, codes, consents and grants.

use std::fmt;

use crate::domain::{
    ClientId, CodeChallenge, GrantId, ScopeSet, Subject, SubjectId, Timestamp, string_enum,
};

/// An authorization request that waits for the user's decision. It is stored under the digest of a
/// random token.
#[derive(Clone, PartialEq, Eq)]
pub struct AuthorizationSession {
    /// The client.
    pub client: ClientId,
    /// The redirect URI as spelled in the request. It matches a registered one.
    pub redirect_uri: String,
    /// The client's `state`, returned unchanged. It contains no U+0000, which not every store can
    /// hold.
    pub state: Option<String>,
    /// The requested scopes, all of them in the client's allowed list.
    pub scopes: ScopeSet,
    /// The PKCE challenge, if the client sent one.
    pub challenge: Option<CodeChallenge>,
    /// What the user is asked for even if it is known.
    pub prompt: Prompt,
    /// The user, once signed in.
    pub subject: Option<Subject>,
    /// When the session was opened.
    pub created_at: Timestamp,
    /// When the session expires; the first second at which it is no longer valid.
    pub expires_at: Timestamp,
}

/// What a client's `prompt` parameter asks for (OpenID Connect Core 1.0 §3.1.2.1).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Prompt {
    /// `login`: the password, even if the user is signed in.
    pub login: bool,
    /// `consent`: the consent, even if the stored one covers all scopes.
    pub consent: bool,
}

/// Omits `state`, which may be a secret of the client.
impl fmt::Debug for AuthorizationSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AuthorizationSession")
            .field("client", &self.client)
            .field("scopes", &self.scopes)
            .finish_non_exhaustive()
    }
}

/// The client, redirect URI and PKCE challenge that a token request must match before its code is
/// redeemed, and what may have been deleted since: the user and the scopes. Tokens are issued from
/// a [`Grant`], which only the redemption returns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeBinding {
    /// The client that the code was issued to.
    pub client: ClientId,
    /// The redirect URI of the authorization request, as spelled there.
    pub redirect_uri: String,
    /// The PKCE challenge of the authorization request.
    pub challenge: Option<CodeChallenge>,
    /// The user. The account may have been removed since.
    pub subject: SubjectId,
    /// The granted scopes. A host without a registry may have deleted some since.
    pub scopes: ScopeSet,
}

string_enum! {
    /// Proof that a client gave when it redeemed a code. A refresh requires at least the same.
    ClientProof {
        /// The client secret.
        Secret = "secret",
        /// Only the PKCE verifier of the authorization.
        Pkce = "pkce",
    }
}

/// Number of a refresh token within its grant, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Generation(u32);

impl Generation {
    /// The generation of a grant's first refresh token.
    pub const FIRST: Self = Self(0);

    /// Creates a generation from its number.
    pub const fn new(number: u32) -> Self {
        Self(number)
    }

    /// The number.
    pub const fn get(self) -> u32 {
        self.0
    }

    /// The next generation; `None` after 2³² − 1.
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

/// A user's stored consent for a client. Requests for its scopes skip the consent page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Consent {
    /// The scopes, the most recently granted first.
    pub scopes: ScopeSet,
    /// When the user last gave consent.
    pub granted_at: Timestamp,
}

/// A usable grant, as its user sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveGrant {
    /// The id.
    pub id: GrantId,
    /// The client.
    pub client: ClientId,
    /// The scopes.
    pub scopes: ScopeSet,
    /// When the code was redeemed.
    pub since: Timestamp,
    /// When tokens were last issued.
    pub last_used_at: Timestamp,
}

/// One authorization by one user for one client, from which tokens are issued. Stores return it
/// only once its code has been redeemed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// The id.
    pub id: GrantId,
    /// The client.
    pub client: ClientId,
    /// The user. The user's claims are looked up again for each token.
    pub subject: SubjectId,
    /// The scopes that the user approved, without those deleted since.
    pub scopes: ScopeSet,
    /// The client's proof when the code was redeemed.
    pub proof: ClientProof,
    /// The generation of the current refresh token.
    pub generation: Generation,
    /// When the grant expires if it is not used.
    pub idle_expires_at: Timestamp,
    /// When the grant expires regardless of use.
    pub expires_at: Timestamp,
}

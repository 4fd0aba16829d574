use std::fmt;

use crate::domain::{ApplicationId, ClientId, ClientSecretDigest, Line, RedirectUri, Scope, ScopeSet, SubjectId, Timestamp, vocabulary};

vocabulary! {
    /// What a client must prove at the token endpoint.
    ClientPolicy {
        /// Its secret, always.
        Secret = "secret",
        /// Its secret or a PKCE verifier; a secret that is sent is always checked.
        SecretOrPkce = "secret_or_pkce",
        /// Nothing of its own: a public client, which must use PKCE.
        Public = "none",
    }
}

/// One of a client's secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegisteredSecret {
    /// The digest of the secret.
    pub digest: ClientSecretDigest,
    /// When it was issued.
    pub created_at: Timestamp,
}

/// Whether an administrator has reviewed a client: its name, its owner and its redirect URIs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verification {
    /// No administrator has verified it, or its owner has changed its name or added a redirect URI since.
    Unverified,
    /// It counts as verified although no administrator has reviewed it: it is older than the review of clients, or the host registered it.
    Assumed,
    /// An administrator has verified it.
    Verified {
        /// The administrator.
        by: SubjectId,
        /// When.
        at: Timestamp,
    },
}

/// An OAuth client (RFC 6749 §2).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    /// The `client_id`.
    pub id: ClientId,
    /// The name that users are shown.
    pub name: Line,
    /// Who may change it.
    pub owner: SubjectId,
    /// What it must prove at the token endpoint.
    pub policy: ClientPolicy,
    /// Its secrets, at most two; none for a public client.
    pub secrets: Vec<RegisteredSecret>,
    /// Where users may be sent back to.
    pub redirect_uris: Vec<RedirectUri>,
    /// The scopes that it may ask for, in the order of registration.
    pub allowed_scopes: ScopeSet,
    /// Whether it may use the PKCE method `plain`, for old clients that cannot do better.
    pub plain_pkce_allowed: bool,
    /// Whether it must use PKCE although it may have a secret. A public client must anyway.
    pub pkce_required: bool,
    /// Whether it is one of the service's own, such as the console or a tool of its administrators. Only such a client may ask for
    /// `service:manage`.
    pub first_party: bool,
    /// Whether it may get tokens for itself, without a user.
    pub client_credentials_allowed: bool,
    /// Whether redirects to it omit `iss` (RFC 9207), for clients that fail at a parameter they do not expect.
    pub iss_omitted: bool,
    /// Whether an administrator has reviewed it. See [`Client::is_verified`].
    pub verification: Verification,
    /// When it was registered.
    pub created_at: Timestamp,
    /// When the client was suspended, because its owner left. Until an administrator gives it to another owner, nobody signs in to it and it
    /// gets no tokens.
    pub suspended_at: Option<Timestamp>,
}

/// What of a client can be changed, as one value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientSettings {
    /// See [`Client::name`].
    pub name: Line,
    /// See [`Client::policy`].
    pub policy: ClientPolicy,
    /// See [`Client::redirect_uris`].
    pub redirect_uris: Vec<RedirectUri>,
    /// See [`Client::allowed_scopes`].
    pub allowed_scopes: ScopeSet,
    /// See [`Client::plain_pkce_allowed`].
    pub plain_pkce_allowed: bool,
    /// See [`Client::pkce_required`].
    pub pkce_required: bool,
    /// See [`Client::first_party`].
    pub first_party: bool,
    /// See [`Client::client_credentials_allowed`].
    pub client_credentials_allowed: bool,
    /// See [`Client::iss_omitted`].
    pub iss_omitted: bool,
    /// See [`Client::verification`].
    pub verification: Verification,
}

impl Client {
    /// How many secrets a client has at most, so that the newer one can be brought out while the older one still works.
    pub const SECRETS: usize = 2;

    /// Whether the client can be registered so. Every store asks before it keeps a client.
    ///
    /// # Errors
    /// With the first rule that it breaks.
    pub fn check(&self) -> Result<(), ClientFault> {
        if !self.first_party && self.allowed_scopes.contains(&Scope::manage()) {
            return Err(ClientFault::ManageIsForFirstParties);
        }
        if self.policy == ClientPolicy::Public && self.client_credentials_allowed {
            return Err(ClientFault::PublicWithCredentials);
        }
        if self.policy == ClientPolicy::Public && !self.secrets.is_empty() {
            return Err(ClientFault::PublicWithSecrets);
        }
        if self.secrets.len() > Self::SECRETS {
            return Err(ClientFault::TooManySecrets);
        }
        Ok(())
    }

    /// What of it can be changed.
    pub fn settings(&self) -> ClientSettings {
        ClientSettings {
            name: self.name.clone(),
            policy: self.policy,
            redirect_uris: self.redirect_uris.clone(),
            allowed_scopes: self.allowed_scopes.clone(),
            plain_pkce_allowed: self.plain_pkce_allowed,
            pkce_required: self.pkce_required,
            first_party: self.first_party,
            client_credentials_allowed: self.client_credentials_allowed,
            iss_omitted: self.iss_omitted,
            verification: self.verification.clone(),
        }
    }

    /// The same client with other settings. One that becomes public loses its secrets.
    #[must_use]
    pub fn with(&self, settings: ClientSettings) -> Self {
        Self {
            id: self.id,
            name: settings.name,
            owner: self.owner.clone(),
            policy: settings.policy,
            secrets: if settings.policy == ClientPolicy::Public { Vec::new() } else { self.secrets.clone() },
            redirect_uris: settings.redirect_uris,
            allowed_scopes: settings.allowed_scopes,
            plain_pkce_allowed: settings.plain_pkce_allowed,
            pkce_required: settings.pkce_required,
            first_party: settings.first_party,
            client_credentials_allowed: settings.client_credentials_allowed,
            iss_omitted: settings.iss_omitted,
            verification: settings.verification,
            created_at: self.created_at,
            suspended_at: self.suspended_at,
        }
    }

    /// Whether users may be sent to it by an error without a click of theirs (RFC 9700 §4.11.2), and are not warned when they are asked to
    /// consent. The service's own clients are verified.
    pub fn is_verified(&self) -> bool {
        self.first_party || self.verification != Verification::Unverified
    }

    /// Whether it is listed for administrators to review.
    pub fn awaits_review(&self) -> bool {
        !self.first_party && !matches!(self.verification, Verification::Verified { .. })
    }

    /// Whether no code may be issued to the client that is not bound to a PKCE challenge.
    pub fn must_use_pkce(&self) -> bool {
        self.pkce_required || self.policy == ClientPolicy::Public
    }

    /// Whether the client is suspended.
    pub fn is_suspended(&self) -> bool {
        self.suspended_at.is_some()
    }

    /// The client with another owner and without a suspension. A suspended client loses its secrets, which the owner who left may know.
    #[must_use]
    pub fn with_owner(&self, owner: SubjectId) -> Self {
        let secrets = if self.is_suspended() { Vec::new() } else { self.secrets.clone() };
        Self { owner, secrets, suspended_at: None, ..self.clone() }
    }

    /// Whether the client may ask for `service:manage`.
    pub fn may_manage(&self) -> bool {
        self.allowed_scopes.contains(&Scope::manage())
    }

    /// Whether the client may have tokens without a user. Tokens that it has are not active while it may not.
    pub fn may_have_own_tokens(&self) -> bool {
        self.client_credentials_allowed && self.policy != ClientPolicy::Public && !self.is_suspended()
    }

    /// The allowed scopes that the client may have in tokens without a user: not those of this service, which are about one.
    pub fn own_token_scopes(&self) -> ScopeSet {
        let without_user = |scope: &&Scope| scope.application != ApplicationId::Service;
        if self.may_have_own_tokens() { self.allowed_scopes.iter().filter(without_user).cloned().collect() } else { ScopeSet::default() }
    }

    /// The registered redirect URI that allows the presented one.
    pub fn redirect_uri(&self, presented: &str) -> Option<&RedirectUri> {
        self.redirect_uris.iter().find(|registered| registered.allows(presented))
    }
}

/// Why a client cannot be registered so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientFault {
    /// It asks for `service:manage` and is not one of the service's own.
    ManageIsForFirstParties,
    /// It is public, so anyone could get tokens in its name.
    PublicWithCredentials,
    /// It is public and has a secret, which would prove nothing.
    PublicWithSecrets,
    /// It has more than [`Client::SECRETS`].
    TooManySecrets,
}

impl fmt::Display for ClientFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ManageIsForFirstParties => "only the service's own clients may ask for service:manage",
            Self::PublicWithCredentials => "a public client cannot get tokens for itself, for anyone could in its name",
            Self::PublicWithSecrets => "a public client has no secret",
            Self::TooManySecrets => "a client has at most two secrets",
        })
    }
}

impl std::error::Error for ClientFault {}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(policy: ClientPolicy) -> Client {
        Client {
            id: ClientId::from_random([1; 16]),
            name: Line::literal("Timetable"),
            owner: SubjectId::service(),
            policy,
            secrets: Vec::new(),
            redirect_uris: Vec::new(),
            allowed_scopes: [Scope::self_read()].into_iter().collect(),
            plain_pkce_allowed: false,
            pkce_required: false,
            first_party: false,
            client_credentials_allowed: false,
            iss_omitted: false,
            verification: Verification::Assumed,
            created_at: Timestamp::from_seconds(0),
            suspended_at: None,
        }
    }

    #[test]
    fn decision_3_21_only_the_services_own_clients_may_manage() {
        let manager = Client { allowed_scopes: [Scope::manage()].into_iter().collect(), ..client(ClientPolicy::Secret) };
        assert_eq!(manager.check(), Err(ClientFault::ManageIsForFirstParties));
        assert_eq!(Client { first_party: true, ..manager }.check(), Ok(()));
    }

    #[test]
    fn decision_3_16_only_a_confidential_client_gets_tokens_for_itself() {
        for policy in ClientPolicy::ALL {
            let refused = Client { client_credentials_allowed: true, ..client(*policy) }.check();
            assert_eq!(refused == Err(ClientFault::PublicWithCredentials), *policy == ClientPolicy::Public);
        }
    }

    #[test]
    fn decision_3_11_a_client_has_two_secrets_at_most_and_a_public_one_none() {
        let with = |policy, number| {
            let secret = RegisteredSecret { digest: ClientSecretDigest::from_bytes([1; 32]), created_at: Timestamp::from_seconds(0) };
            Client { secrets: vec![secret; number], ..client(policy) }.check()
        };
        assert_eq!((with(ClientPolicy::Secret, 2), with(ClientPolicy::Secret, 3)), (Ok(()), Err(ClientFault::TooManySecrets)));
        assert_eq!((with(ClientPolicy::Public, 0), with(ClientPolicy::Public, 1)), (Ok(()), Err(ClientFault::PublicWithSecrets)));
    }
}

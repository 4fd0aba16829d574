use std::fmt;

use crate::domain::{
    ApplicationId, ClientId, ClientSecret, ClientSecretDigest, PolicyUri, RedirectUri, Scope,
    ScopeSet, ShortText, SubjectId, Timestamp, string_enum,
};

string_enum! {
    /// Authentication that a client must provide at the token endpoint.
    ClientPolicy {
        /// The client secret, always.
        Secret = "secret",
        /// The client secret or a PKCE verifier. A secret that is sent is always verified.
        SecretOrPkce = "secret_or_pkce",
        /// None: a public client, which must use PKCE.
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
    /// Its last four characters, by which its owner recognizes it; `None` for secrets registered
    /// before these were stored.
    pub last_four: Option<String>,
    /// When a client last authenticated with it, as far as recorded.
    pub last_used_at: Option<Timestamp>,
}

/// A use of a client secret, to be recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientSecretUse {
    /// The client.
    pub client: ClientId,
    /// The digest of the secret.
    pub secret: ClientSecretDigest,
    /// When the client last authenticated with it.
    pub last_used_at: Timestamp,
}

impl RegisteredSecret {
    /// The record of a secret issued at `at`.
    pub fn new(secret: &ClientSecret, at: Timestamp) -> Self {
        Self {
            digest: secret.digest(),
            created_at: at,
            last_four: Some(secret.last_four().to_owned()),
            last_used_at: None,
        }
    }
}

/// Whether an administrator has reviewed a client's name, owner, redirect URIs and privacy policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verification {
    /// Not verified, or its owner has since changed its name or the address of its privacy policy, or
    /// added a redirect URI.
    Unverified,
    /// Treated as verified without a review: it is older than client reviews, or the host
    /// registered it.
    Assumed,
    /// Verified by an administrator.
    Verified {
        /// The administrator.
        by: SubjectId,
        /// When it was verified.
        at: Timestamp,
    },
}

/// An OAuth client (RFC 6749 §2).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    /// The `client_id`.
    pub id: ClientId,
    /// The name shown to users.
    pub name: ShortText,
    /// The user that owns the client and may change it.
    pub owner: SubjectId,
    /// The required authentication at the token endpoint.
    pub policy: ClientPolicy,
    /// Its secrets, at most two; none for a public client.
    pub secrets: Vec<RegisteredSecret>,
    /// The registered redirect URIs.
    pub redirect_uris: Vec<RedirectUri>,
    /// The scopes that it may request, in order of registration.
    pub allowed_scopes: ScopeSet,
    /// Whether it may use the PKCE method `plain`, for old clients without S256.
    pub plain_pkce_allowed: bool,
    /// Whether it must use PKCE even though it may have a secret. A public client always must.
    pub pkce_required: bool,
    /// Whether it is first-party, such as the console or an administration tool. Only first-party
    /// clients may request `service:manage`.
    pub first_party: bool,
    /// Whether it may use the client credentials grant.
    pub client_credentials_allowed: bool,
    /// Whether redirects to it omit `iss` (RFC 9207), for clients that fail on unknown parameters.
    pub iss_omitted: bool,
    /// The address of its privacy policy, to which consent pages link.
    pub policy_uri: Option<PolicyUri>,
    /// The review status. See [`Client::is_verified`].
    pub verification: Verification,
    /// When it was registered.
    pub created_at: Timestamp,
    /// When the client was suspended because its owner left, or a backup was restored. Until an
    /// administrator assigns another owner or the operator confirms it, users cannot sign in to it
    /// and it obtains no tokens.
    pub suspended_at: Option<Timestamp>,
}

/// The settings of a client that can be changed together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientSettings {
    /// See [`Client::name`].
    pub name: ShortText,
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
    /// See [`Client::policy_uri`].
    pub policy_uri: Option<PolicyUri>,
    /// See [`Client::verification`].
    pub verification: Verification,
}

impl Client {
    /// Maximum number of secrets of a client, so that a secret can be rotated without downtime.
    pub const MAX_SECRETS: usize = 2;

    /// Checks whether the client is a valid registration. Every store calls this before it saves a
    /// client.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub fn check(&self) -> Result<(), InvalidClientMetadata> {
        if !self.first_party && self.allowed_scopes.contains(&Scope::manage()) {
            return Err(InvalidClientMetadata::ManageIsForFirstParties);
        }
        if self.policy == ClientPolicy::Public && self.client_credentials_allowed {
            return Err(InvalidClientMetadata::PublicWithCredentials);
        }
        if self.policy == ClientPolicy::Public && !self.secrets.is_empty() {
            return Err(InvalidClientMetadata::PublicWithSecrets);
        }
        if self.secrets.len() > Self::MAX_SECRETS {
            return Err(InvalidClientMetadata::TooManySecrets);
        }
        Ok(())
    }

    /// The settings.
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
            policy_uri: self.policy_uri.clone(),
            verification: self.verification.clone(),
        }
    }

    /// Returns the client with other settings. A client that becomes public loses its secrets.
    #[must_use]
    pub fn with_settings(&self, settings: ClientSettings) -> Self {
        Self {
            id: self.id,
            name: settings.name,
            owner: self.owner.clone(),
            policy: settings.policy,
            secrets: if settings.policy == ClientPolicy::Public {
                Vec::new()
            } else {
                self.secrets.clone()
            },
            redirect_uris: settings.redirect_uris,
            allowed_scopes: settings.allowed_scopes,
            plain_pkce_allowed: settings.plain_pkce_allowed,
            pkce_required: settings.pkce_required,
            first_party: settings.first_party,
            client_credentials_allowed: settings.client_credentials_allowed,
            iss_omitted: settings.iss_omitted,
            policy_uri: settings.policy_uri,
            verification: settings.verification,
            created_at: self.created_at,
            suspended_at: self.suspended_at,
        }
    }

    /// Whether an error may redirect users to it without a click (RFC 9700 §4.11.2), and consent
    /// pages show no warning. First-party clients are always verified.
    pub fn is_verified(&self) -> bool {
        self.first_party || self.verification != Verification::Unverified
    }

    /// Whether it is listed for review by an administrator.
    pub fn awaits_review(&self) -> bool {
        !self.first_party && !matches!(self.verification, Verification::Verified { .. })
    }

    /// Whether every authorization request must have a PKCE challenge.
    pub fn must_use_pkce(&self) -> bool {
        self.pkce_required || self.policy == ClientPolicy::Public
    }

    /// Whether the client is suspended.
    pub fn is_suspended(&self) -> bool {
        self.suspended_at.is_some()
    }

    /// Returns the client with another owner and without suspension. A suspended client loses its
    /// secrets, because the former owner may know them.
    #[must_use]
    pub fn with_owner(&self, owner: SubjectId) -> Self {
        let secrets = if self.is_suspended() {
            Vec::new()
        } else {
            self.secrets.clone()
        };
        Self {
            owner,
            secrets,
            suspended_at: None,
            ..self.clone()
        }
    }

    /// Whether the client may request `service:manage`.
    pub fn may_manage(&self) -> bool {
        self.allowed_scopes.contains(&Scope::manage())
    }

    /// Whether the client may use the client credentials grant. Tokens it holds are inactive while
    /// it may not.
    pub fn can_use_client_credentials(&self) -> bool {
        self.client_credentials_allowed
            && self.policy != ClientPolicy::Public
            && !self.is_suspended()
    }

    /// The allowed scopes for tokens without a user. Scopes of this service are excluded, because
    /// they concern a user.
    pub fn scopes_without_user(&self) -> ScopeSet {
        let without_user = |scope: &&Scope| scope.application != ApplicationId::Service;
        if self.can_use_client_credentials() {
            self.allowed_scopes
                .iter()
                .filter(without_user)
                .cloned()
                .collect()
        } else {
            ScopeSet::default()
        }
    }

    /// Finds the registered redirect URI that matches the presented one.
    pub fn matching_redirect_uri(&self, presented: &str) -> Option<&RedirectUri> {
        self.redirect_uris
            .iter()
            .find(|registered| registered.allows(presented))
    }
}

/// Reason why a client's registration is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvalidClientMetadata {
    /// It may request `service:manage` and is not first-party.
    ManageIsForFirstParties,
    /// It is public and may use the client credentials grant, so anyone could obtain its tokens.
    PublicWithCredentials,
    /// It is public and has a secret.
    PublicWithSecrets,
    /// It has more than [`Client::MAX_SECRETS`] secrets.
    TooManySecrets,
}

impl fmt::Display for InvalidClientMetadata {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ManageIsForFirstParties => {
                "only the service's own clients may ask for service:manage"
            }
            Self::PublicWithCredentials => {
                "a public client cannot get tokens for itself, for anyone could in its name"
            }
            Self::PublicWithSecrets => "a public client has no secret",
            Self::TooManySecrets => "a client has at most two secrets",
        })
    }
}

impl std::error::Error for InvalidClientMetadata {}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(policy: ClientPolicy) -> Client {
        Client {
            id: ClientId::from_random([1; 16]),
            name: ShortText::from_static("Timetable"),
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
            policy_uri: None,
            verification: Verification::Assumed,
            created_at: Timestamp::from_seconds(0),
            suspended_at: None,
        }
    }

    // Proves: spec 3.21
    #[test]
    fn only_the_services_own_clients_may_manage() {
        let manager = Client {
            allowed_scopes: [Scope::manage()].into_iter().collect(),
            ..client(ClientPolicy::Secret)
        };
        assert_eq!(
            manager.check(),
            Err(InvalidClientMetadata::ManageIsForFirstParties)
        );
        assert_eq!(
            Client {
                first_party: true,
                ..manager
            }
            .check(),
            Ok(())
        );
    }

    // Proves: spec 3.16
    #[test]
    fn only_a_confidential_client_gets_tokens_for_itself() {
        for policy in ClientPolicy::ALL {
            let refused = Client {
                client_credentials_allowed: true,
                ..client(*policy)
            }
            .check();
            assert_eq!(
                refused == Err(InvalidClientMetadata::PublicWithCredentials),
                *policy == ClientPolicy::Public
            );
        }
    }

    // Proves: spec 3.11
    #[test]
    fn a_client_has_two_secrets_at_most_and_a_public_one_none() {
        let with = |policy, number| {
            let secret = RegisteredSecret {
                digest: ClientSecretDigest::from_bytes([1; 32]),
                created_at: Timestamp::from_seconds(0),
                last_four: None,
                last_used_at: None,
            };
            Client {
                secrets: vec![secret; number],
                ..client(policy)
            }
            .check()
        };
        assert_eq!(
            (with(ClientPolicy::Secret, 2), with(ClientPolicy::Secret, 3)),
            (Ok(()), Err(InvalidClientMetadata::TooManySecrets))
        );
        assert_eq!(
            (with(ClientPolicy::Public, 0), with(ClientPolicy::Public, 1)),
            (Ok(()), Err(InvalidClientMetadata::PublicWithSecrets))
        );
    }
}

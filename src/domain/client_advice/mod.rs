//! Security advice on a client's registration.

use std::time::Duration;

use crate::domain::{Client, ClientPolicy, RedirectUri, Scope, Timestamp, string_enum};

/// Age at which a secret should be replaced.
const MAX_SECRET_AGE: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// Time for which two secrets may be valid during a rotation.
const MAX_ROTATION_TIME: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Maximum number of redirect URIs that is easy to review.
const MAX_REDIRECT_URIS: usize = 5;

/// Maximum number of scopes for a public client, which anyone can impersonate.
const MAX_PUBLIC_SCOPES: usize = 5;

string_enum! {
    /// Severity of a piece of advice, the least first.
    Severity {
        /// For information.
        Low = "low",
        /// Makes an attack easier, or the client unusable.
        Medium = "medium",
        /// Disables a protection that others rely on.
        High = "high",
    }
}

string_enum! {
    /// An improvement to a client's registration.
    ///
    /// Covers RFC 9700, "Best Current Practice for OAuth 2.0 Security", and RFC 10017, "OAuth 2.0
    /// for Browser-Based Applications". The other rules of RFC 10017 on registrations, exact
    /// redirect URIs and PKCE for public clients, are always enforced.
    Advice {
        /// It may use the PKCE method `plain` (RFC 9700 §2.1.1).
        PlainPkce = "plain_pkce",
        /// It is public and may ask for `service:manage` (RFC 9700 §2.3).
        PublicManagement = "public_management",
        /// It has a secret, but a PKCE verifier alone authenticates it (RFC 9700 §2.5, RFC 10017
        /// §6.1.3.1).
        SecretNotDemanded = "secret_not_demanded",
        /// A secret is older than a year.
        OldSecret = "old_secret",
        /// Two secrets are valid, and the newer one is older than 30 days.
        UnfinishedRotation = "unfinished_rotation",
        /// It must authenticate with a secret and has none.
        NoSecret = "no_secret",
        /// It is confidential and redirects to a program on the user's machine (RFC 8252 §8.5, RFC
        /// 10017 §6.3.3.1).
        SecretOnUsersMachine = "secret_on_users_machine",
        /// It redirects to a scheme that any app can claim (RFC 8252 §8.1).
        PrivateUseScheme = "private_use_scheme",
        /// It has no redirect URI and cannot use the client credentials grant.
        Unreachable = "unreachable",
        /// It redirects to `localhost` by name (RFC 8252 §8.3).
        LocalhostByName = "localhost_by_name",
        /// Redirects to it omit `iss`, so it cannot detect a mix-up attack (RFC 9207 §1, RFC 9700
        /// §2.1).
        IssOmitted = "iss_omitted",
        /// It may send authorization requests without a PKCE challenge (RFC 9700 §2.1.1, RFC 10017
        /// §6.3.2.2).
        PkceNotDemanded = "pkce_not_demanded",
        /// It has more than five redirect URIs (RFC 9700 §2.1).
        ManyRedirectUris = "many_redirect_uris",
        /// It is public and may request more than five scopes (RFC 9700 §2.3).
        ManyPublicScopes = "many_public_scopes",
    }
}

impl Advice {
    /// The severity.
    pub const fn severity(self) -> Severity {
        match self {
            Self::PlainPkce | Self::PublicManagement => Severity::High,
            Self::SecretNotDemanded
            | Self::OldSecret
            | Self::UnfinishedRotation
            | Self::NoSecret
            | Self::SecretOnUsersMachine
            | Self::PrivateUseScheme
            | Self::Unreachable => Severity::Medium,
            Self::LocalhostByName
            | Self::IssOmitted
            | Self::PkceNotDemanded
            | Self::ManyRedirectUris
            | Self::ManyPublicScopes => Severity::Low,
        }
    }

    /// One sentence on how to follow the advice.
    pub const fn remedy(self) -> &'static str {
        match self {
            Self::PlainPkce => {
                "Let the client send S256 challenges and forbid it the method plain, which shows the verifier to whoever sees the request."
            }
            Self::PublicManagement => {
                "Take service:manage from this client or give it a secret, for anyone can run a copy of a public client."
            }
            Self::SecretNotDemanded => {
                "Choose the policy secret, so that a stolen code is worth nothing without the client's secret."
            }
            Self::OldSecret => {
                "Add a new secret, bring it out, and remove the one that is older than a year."
            }
            Self::UnfinishedRotation => {
                "Remove the older secret: the newer one has had 30 days to take its place."
            }
            Self::NoSecret => {
                "Add a secret, or make the client public and let it use PKCE: as it is, it cannot prove who it is."
            }
            Self::SecretOnUsersMachine => {
                "Register the program on users' machines as a public client of its own, because a secret that is shipped to users is none."
            }
            Self::PrivateUseScheme => {
                "Use an https redirect that the app has claimed, since another app can register the same private scheme and take the code."
            }
            Self::Unreachable => {
                "Register a redirect URI, or allow client_credentials if the client works without users."
            }
            Self::LocalhostByName => {
                "Register 127.0.0.1 or [::1] instead of localhost, a name that can be made to mean another machine."
            }
            Self::IssOmitted => {
                "Tell the client the issuer and let redirects have iss again, by which a client of several servers notices an answer of the wrong one."
            }
            Self::PkceNotDemanded => {
                "Let the client send an S256 challenge with every authorization request and require PKCE of it, which also protects against codes \
                 that are slipped to the client."
            }
            Self::ManyRedirectUris => {
                "Remove the redirect URIs that are no longer used, for each is a place that a code can be stolen from."
            }
            Self::ManyPublicScopes => {
                "Allow only the scopes that the client really asks for, since anyone can ask in the name of a public client."
            }
        }
    }
}

impl Client {
    /// Advice on the registration at `at`, the most severe first; empty for a sound registration.
    ///
    /// Does not mention `http` redirects to other machines, because they cannot be registered.
    ///
    /// ```
    /// # use lyceum::domain::*;
    /// # let client = Client {
    /// #     id: ClientId::from_random([1; 16]), name: ShortText::from_static("Old Kiosk"), owner: SubjectId::service(), policy: ClientPolicy::Public,
    /// #     secrets: vec![], redirect_uris: vec!["https://kiosk.example/callback".parse()?], allowed_scopes: ScopeSet::default(),
    /// #     plain_pkce_allowed: true, pkce_required: false, first_party: false, client_credentials_allowed: false, iss_omitted: false,
    /// #     policy_uri: None, verification: Verification::Assumed, created_at: Timestamp::from_seconds(0), suspended_at: None,
    /// # };
    /// let advice = client.advise(Timestamp::from_seconds(1_790_000_000));
    /// assert_eq!(advice, [Advice::PlainPkce]);
    /// assert_eq!(advice[0].severity(), Severity::High);
    /// # Ok::<(), InvalidValue>(())
    /// ```
    pub fn advise(&self, at: Timestamp) -> Vec<Advice> {
        let mut applicable: Vec<Advice> = Advice::ALL
            .iter()
            .copied()
            .filter(|advice| self.applies(*advice, at))
            .collect();
        applicable.sort_by_key(|advice| std::cmp::Reverse(advice.severity()));
        applicable
    }

    fn applies(&self, advice: Advice, at: Timestamp) -> bool {
        let is_public = self.policy == ClientPolicy::Public;
        let redirects_to = |start: &str| {
            self.redirect_uris
                .iter()
                .any(|uri| uri.as_str().starts_with(start))
        };
        match advice {
            Advice::PlainPkce => self.plain_pkce_allowed,
            Advice::PublicManagement => is_public && self.allowed_scopes.contains(&Scope::manage()),
            Advice::SecretNotDemanded => {
                self.policy == ClientPolicy::SecretOrPkce && !self.secrets.is_empty()
            }
            Advice::OldSecret => self
                .secrets
                .iter()
                .any(|secret| secret.created_at.plus(MAX_SECRET_AGE) <= at),
            Advice::UnfinishedRotation => {
                self.secrets.len() > 1
                    && self
                        .secrets
                        .iter()
                        .all(|secret| secret.created_at.plus(MAX_ROTATION_TIME) <= at)
            }
            Advice::NoSecret => {
                self.secrets.is_empty()
                    && (self.policy == ClientPolicy::Secret || self.client_credentials_allowed)
            }
            Advice::SecretOnUsersMachine => {
                !is_public
                    && self
                        .redirect_uris
                        .iter()
                        .any(RedirectUri::can_be_impersonated)
            }
            Advice::PrivateUseScheme => {
                let is_private =
                    |uri: &str| !uri.starts_with("https://") && !uri.starts_with("http://");
                self.redirect_uris
                    .iter()
                    .any(|uri| is_private(uri.as_str()))
            }
            Advice::Unreachable => {
                self.redirect_uris.is_empty() && !self.client_credentials_allowed
            }
            Advice::LocalhostByName => redirects_to("http://localhost"),
            Advice::IssOmitted => self.iss_omitted && !self.redirect_uris.is_empty(),
            Advice::PkceNotDemanded => !self.must_use_pkce() && !self.redirect_uris.is_empty(),
            Advice::ManyRedirectUris => self.redirect_uris.len() > MAX_REDIRECT_URIS,
            Advice::ManyPublicScopes => is_public && self.allowed_scopes.len() > MAX_PUBLIC_SCOPES,
        }
    }
}

#[cfg(test)]
mod tests;

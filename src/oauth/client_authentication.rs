use std::fmt;
use std::iter;

use super::TokenError;
use crate::domain::{Client, ClientPolicy, ClientSecret, ClientSecretDigest, RegisteredSecret};

/// Credentials that a client presents, by any method (RFC 6749 §2.3.1).
#[derive(Clone, Copy)]
pub enum PresentedCredentials<'a> {
    /// Only the client id.
    None,
    /// A client secret.
    Secret(&'a str),
}

impl fmt::Debug for PresentedCredentials<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "None",
            Self::Secret(_) => "Secret(..)",
        })
    }
}

/// A client that satisfies its policy as far as possible without the grant. Only
/// [`authenticate_client`] creates it.
#[derive(Debug, Clone, Copy)]
pub struct AuthenticatedClient<'a> {
    client: &'a Client,
    secret: Option<ClientSecretDigest>,
}

impl<'a> AuthenticatedClient<'a> {
    /// The client.
    pub const fn client(&self) -> &'a Client {
        self.client
    }

    /// Rejects suspended clients. A client that authenticated with its secret receives
    /// `unauthorized_client` (RFC 6749 §5.2). Any other is treated like an unknown client.
    ///
    /// # Errors
    /// [`TokenError::ClientSuspended`] and [`TokenError::InvalidClient`], for a suspended client.
    pub fn reject_suspended(self) -> Result<Self, TokenError> {
        match (self.client.is_suspended(), self.used_secret()) {
            (false, _) => Ok(self),
            (true, true) => Err(TokenError::ClientSuspended),
            (true, false) => Err(TokenError::InvalidClient),
        }
    }

    /// Whether it authenticated with its secret. Otherwise it must still present a PKCE verifier.
    pub const fn used_secret(&self) -> bool {
        self.secret.is_some()
    }

    /// The digest of the secret with which it authenticated.
    pub const fn secret(&self) -> Option<ClientSecretDigest> {
        self.secret
    }
}

/// Authenticates a client according to its policy. A secret that is sent is always verified.
///
/// `client` is the record of the presented id, if found. An unknown client takes the same work as a
/// wrong secret and results in the same error.
///
/// # Errors
/// [`TokenError::InvalidClient`] for every failure.
pub fn authenticate_client<'a>(
    client: Option<&'a Client>,
    presented: PresentedCredentials<'_>,
) -> Result<AuthenticatedClient<'a>, TokenError> {
    let secret = match presented {
        PresentedCredentials::None => None,
        PresentedCredentials::Secret(secret) => {
            let registered = client.map_or(&[][..], |client| &client.secrets);
            Some(matching(registered, secret).ok_or(TokenError::InvalidClient)?)
        }
    };
    let client = client.ok_or(TokenError::InvalidClient)?;
    let satisfies_policy = match client.policy {
        ClientPolicy::Secret => secret.is_some(),
        ClientPolicy::SecretOrPkce => true,
        ClientPolicy::Public => secret.is_none(),
    };
    if satisfies_policy {
        Ok(AuthenticatedClient { client, secret })
    } else {
        Err(TokenError::InvalidClient)
    }
}

/// The digest of the presented secret, if it is registered. Compares with all secrets, so that
/// timing does not reveal which one matches.
fn matching(registered: &[RegisteredSecret], presented: &str) -> Option<ClientSecretDigest> {
    let digest = ClientSecret::parse(presented).ok()?.digest();
    with_decoys(registered)
        .fold(false, |found, stored| found | stored.matches(&digest))
        .then_some(digest)
}

/// Adds decoys up to the maximum number of secrets, so that timing reveals neither their number nor
/// whether the client exists.
fn with_decoys(registered: &[RegisteredSecret]) -> impl Iterator<Item = ClientSecretDigest> {
    const MAX_SECRETS: usize = 2;
    // No known input has a digest of zeros.
    let decoys = iter::repeat_n(
        ClientSecretDigest::from_bytes([0; 32]),
        MAX_SECRETS.saturating_sub(registered.len()),
    );
    registered.iter().map(|secret| secret.digest).chain(decoys)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::oauth::fixtures::{client, secret};

    fn outcome(
        client: Option<&Client>,
        presented: PresentedCredentials<'_>,
    ) -> Result<bool, TokenError> {
        authenticate_client(client, presented).map(|authentication| authentication.used_secret())
    }

    // Proves: spec 3.11
    #[test]
    fn each_policy_asks_for_its_own_proof() {
        const REFUSED: Result<bool, TokenError> = Err(TokenError::InvalidClient);
        // Policy; result without a secret, with the right secret, with a wrong one.
        let table = [
            (ClientPolicy::Secret, REFUSED, Ok(true), REFUSED),
            (ClientPolicy::SecretOrPkce, Ok(false), Ok(true), REFUSED),
            (ClientPolicy::Public, Ok(false), REFUSED, REFUSED),
        ];
        for (policy, on_nothing, on_right, on_wrong) in table {
            let client = client(policy);
            assert_eq!(
                outcome(Some(&client), PresentedCredentials::None),
                on_nothing,
                "{policy}"
            );
            assert_eq!(
                outcome(
                    Some(&client),
                    PresentedCredentials::Secret(secret(1).expose())
                ),
                on_right,
                "{policy}"
            );
            for wrong in [
                "",
                "wrong",
                secret(3).expose(),
                &format!("{}=", secret(1).expose()),
            ] {
                assert_eq!(
                    outcome(Some(&client), PresentedCredentials::Secret(wrong)),
                    on_wrong,
                    "{policy} {wrong}"
                );
            }
        }
    }

    // Proves: spec 3.11
    #[test]
    fn two_secrets_live_at_once() {
        let mut client = client(ClientPolicy::Secret);
        for number in [1, 2] {
            assert_eq!(
                outcome(
                    Some(&client),
                    PresentedCredentials::Secret(secret(number).expose())
                ),
                Ok(true)
            );
        }
        client.secrets.remove(0);
        assert_eq!(
            outcome(
                Some(&client),
                PresentedCredentials::Secret(secret(1).expose())
            ),
            Err(TokenError::InvalidClient)
        );
        assert_eq!(
            outcome(
                Some(&client),
                PresentedCredentials::Secret(secret(2).expose())
            ),
            Ok(true)
        );
    }

    // Proves: spec 3.11
    #[test]
    fn a_public_client_is_refused_even_a_secret_that_it_once_had() {
        let demoted = Client {
            policy: ClientPolicy::Public,
            ..client(ClientPolicy::Secret)
        };
        assert_eq!(
            outcome(
                Some(&demoted),
                PresentedCredentials::Secret(secret(1).expose())
            ),
            Err(TokenError::InvalidClient)
        );
    }

    // Proves: threats 17
    #[test]
    fn the_secret_of_one_client_proves_no_other() {
        let other = Client {
            secrets: vec![],
            ..client(ClientPolicy::Secret)
        };
        assert_eq!(
            outcome(
                Some(&other),
                PresentedCredentials::Secret(secret(1).expose())
            ),
            Err(TokenError::InvalidClient)
        );
    }

    // Proves: threats 18
    #[test]
    fn an_unknown_client_is_refused_like_a_wrong_secret() {
        let known = client(ClientPolicy::Secret);
        let wrong = outcome(
            Some(&known),
            PresentedCredentials::Secret(secret(3).expose()),
        )
        .unwrap_err();
        for presented in [
            PresentedCredentials::None,
            PresentedCredentials::Secret(secret(1).expose()),
            PresentedCredentials::Secret(""),
        ] {
            assert_eq!(outcome(None, presented), Err(wrong));
        }
    }

    // Proves: threats 18
    /// Counts comparisons, which take constant time, instead of measuring time. Fails if only
    /// registered secrets are compared.
    #[test]
    fn an_unknown_client_costs_as_many_comparisons_as_a_known_one() {
        let known = client(ClientPolicy::Secret);
        for registered in [&[], &known.secrets[..1], &known.secrets] {
            assert_eq!(
                with_decoys(registered).count(),
                2,
                "with {} secrets",
                registered.len()
            );
        }
    }

    #[test]
    fn a_presented_secret_is_not_printed() {
        assert_eq!(
            format!(
                "{:?} {:?}",
                PresentedCredentials::None,
                PresentedCredentials::Secret("hunter2")
            ),
            "None Secret(..)"
        );
    }

    proptest! {
        #[test]
        fn arbitrary_text_is_no_secret(text in any::<String>(), policy in proptest::sample::select(ClientPolicy::ALL)) {
            prop_assert_eq!(outcome(Some(&client(policy)), PresentedCredentials::Secret(&text)), Err(TokenError::InvalidClient));
        }
    }
}

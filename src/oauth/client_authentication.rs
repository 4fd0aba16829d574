use std::fmt;
use std::iter;

use super::TokenError;
use crate::domain::{Client, ClientPolicy, ClientSecret, ClientSecretDigest, RegisteredSecret};

/// What a client presents to prove itself, by whichever method (RFC 6749 §2.3.1).
#[derive(Clone, Copy)]
pub enum Presented<'a> {
    /// Only its id.
    Nothing,
    /// A secret.
    Secret(&'a str),
}

impl fmt::Debug for Presented<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Nothing => "Nothing",
            Self::Secret(_) => "Secret(..)",
        })
    }
}

/// A client that has proven what its policy asks of it before anything is known of its grant. Only [`authenticate`] makes one.
#[derive(Debug, Clone, Copy)]
pub struct ClientAuthentication<'a> {
    client: &'a Client,
    by_secret: bool,
}

impl<'a> ClientAuthentication<'a> {
    /// The client.
    pub const fn client(&self) -> &'a Client {
        self.client
    }

    /// Rejects suspended clients. A client that authenticated by its secret gets `unauthorized_client` (RFC 6749 §5.2); any other is answered like an
    /// unknown client.
    ///
    /// # Errors
    /// [`TokenError::ClientSuspended`] and [`TokenError::InvalidClient`], of a suspended client.
    pub fn reject_suspended(self) -> Result<Self, TokenError> {
        match (self.client.is_suspended(), self.by_secret) {
            (false, _) => Ok(self),
            (true, true) => Err(TokenError::ClientSuspended),
            (true, false) => Err(TokenError::InvalidClient),
        }
    }

    /// Whether it has proven its secret. If not, it is yet to prove a PKCE verifier.
    pub const fn is_by_secret(&self) -> bool {
        self.by_secret
    }
}

/// Checks a client's secret by the client's policy. A secret that is sent is always checked.
///
/// The client is what the presented id was found to name. An unknown one costs the same work as a wrong secret, and gets the same answer.
///
/// # Errors
/// [`TokenError::InvalidClient`], whatever was wrong.
pub fn authenticate<'a>(client: Option<&'a Client>, presented: Presented<'_>) -> Result<ClientAuthentication<'a>, TokenError> {
    let by_secret = match presented {
        Presented::Nothing => false,
        Presented::Secret(secret) => {
            let registered = client.map_or(&[][..], |client| &client.secrets);
            if !is_one_of(registered, secret) {
                return Err(TokenError::InvalidClient);
            }
            true
        }
    };
    let client = client.ok_or(TokenError::InvalidClient)?;
    let enough = match client.policy {
        ClientPolicy::Secret => by_secret,
        ClientPolicy::SecretOrPkce => true,
        ClientPolicy::Public => !by_secret,
    };
    if enough { Ok(ClientAuthentication { client, by_secret }) } else { Err(TokenError::InvalidClient) }
}

/// Compares with all of them, so that the time says nothing about which it was.
fn is_one_of(registered: &[RegisteredSecret], presented: &str) -> bool {
    let Ok(secret) = ClientSecret::presented(presented) else {
        return false;
    };
    let digest = secret.digest();
    compared_with(registered).fold(false, |found, one| found | one.matches(&digest))
}

/// As many digests as a client may have, so that the time does not say either how many there are, or that there is no client.
fn compared_with(registered: &[RegisteredSecret]) -> impl Iterator<Item = ClientSecretDigest> {
    const AT_MOST: usize = 2;
    // Nothing that anyone can find has the digest zero.
    let decoys = iter::repeat_n(ClientSecretDigest::from_bytes([0; 32]), AT_MOST.saturating_sub(registered.len()));
    registered.iter().map(|secret| secret.digest).chain(decoys)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::oauth::fixtures::{client, secret};

    fn verdict(client: Option<&Client>, presented: Presented<'_>) -> Result<bool, TokenError> {
        authenticate(client, presented).map(|authentication| authentication.is_by_secret())
    }

    #[test]
    fn decision_3_11_each_policy_asks_for_its_own_proof() {
        const REFUSED: Result<bool, TokenError> = Err(TokenError::InvalidClient);
        // Policy, verdict on nothing, on a right secret, on a wrong one.
        let table = [
            (ClientPolicy::Secret, REFUSED, Ok(true), REFUSED),
            (ClientPolicy::SecretOrPkce, Ok(false), Ok(true), REFUSED),
            (ClientPolicy::Public, Ok(false), REFUSED, REFUSED),
        ];
        for (policy, on_nothing, on_right, on_wrong) in table {
            let client = client(policy);
            assert_eq!(verdict(Some(&client), Presented::Nothing), on_nothing, "{policy}");
            assert_eq!(verdict(Some(&client), Presented::Secret(secret(1).expose())), on_right, "{policy}");
            for wrong in ["", "wrong", secret(3).expose(), &format!("{}=", secret(1).expose())] {
                assert_eq!(verdict(Some(&client), Presented::Secret(wrong)), on_wrong, "{policy} {wrong}");
            }
        }
    }

    #[test]
    fn decision_3_11_two_secrets_live_at_once() {
        let mut client = client(ClientPolicy::Secret);
        for number in [1, 2] {
            assert_eq!(verdict(Some(&client), Presented::Secret(secret(number).expose())), Ok(true));
        }
        client.secrets.remove(0);
        assert_eq!(verdict(Some(&client), Presented::Secret(secret(1).expose())), Err(TokenError::InvalidClient));
        assert_eq!(verdict(Some(&client), Presented::Secret(secret(2).expose())), Ok(true));
    }

    #[test]
    fn decision_3_11_a_public_client_is_refused_even_a_secret_that_it_once_had() {
        let demoted = Client { policy: ClientPolicy::Public, ..client(ClientPolicy::Secret) };
        assert_eq!(verdict(Some(&demoted), Presented::Secret(secret(1).expose())), Err(TokenError::InvalidClient));
    }

    #[test]
    fn s17_the_secret_of_one_client_proves_no_other() {
        let other = Client { secrets: vec![], ..client(ClientPolicy::Secret) };
        assert_eq!(verdict(Some(&other), Presented::Secret(secret(1).expose())), Err(TokenError::InvalidClient));
    }

    #[test]
    fn s18_an_unknown_client_is_refused_like_a_wrong_secret() {
        let known = client(ClientPolicy::Secret);
        let wrong = verdict(Some(&known), Presented::Secret(secret(3).expose())).unwrap_err();
        for presented in [Presented::Nothing, Presented::Secret(secret(1).expose()), Presented::Secret("")] {
            assert_eq!(verdict(None, presented), Err(wrong));
        }
    }

    /// The time itself is not measured: the same work is done, in a comparison that takes one time. Fails if only what is registered is
    /// compared with.
    #[test]
    fn s18_an_unknown_client_costs_as_many_comparisons_as_a_known_one() {
        let known = client(ClientPolicy::Secret);
        for registered in [&[], &known.secrets[..1], &known.secrets] {
            assert_eq!(compared_with(registered).count(), 2, "with {} secrets", registered.len());
        }
    }

    #[test]
    fn a_presented_secret_is_not_printed() {
        assert_eq!(format!("{:?} {:?}", Presented::Nothing, Presented::Secret("hunter2")), "Nothing Secret(..)");
    }

    proptest! {
        #[test]
        fn arbitrary_text_is_no_secret(text in any::<String>(), policy in proptest::sample::select(ClientPolicy::ALL)) {
            prop_assert_eq!(verdict(Some(&client(policy)), Presented::Secret(&text)), Err(TokenError::InvalidClient));
        }
    }
}

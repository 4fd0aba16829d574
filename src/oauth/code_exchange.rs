use super::{AuthenticatedClient, TokenError};
use crate::domain::{ClientProof, CodeBinding, CodeVerifier};

/// Validates the redemption of a code (RFC 6749 §4.1.3, RFC 7636 §4.6) and returns the client's
/// proof.
///
/// Runs before the redemption, so that a wrong verifier or redirect URI does not use up the code of
/// the rightful client.
///
/// # Errors
/// * [`TokenError::BadCode`] if the code belongs to another client or redirect URI;
///   [`TokenError::MissingRedirectUri`] without one.
/// * [`TokenError::PkceFailed`] if the code has a challenge and the verifier is missing, malformed
///   or wrong, or if it has none and the client must use PKCE.
/// * [`TokenError::UnexpectedVerifier`] for a verifier without a challenge. The error code is
///   `invalid_request`, because the request contradicts the authorization request, while the code
///   itself may be valid.
/// * [`TokenError::InvalidClient`] if neither a secret nor a verifier authenticates the client.
pub fn validate_code_exchange(
    binding: &CodeBinding,
    client: &AuthenticatedClient<'_>,
    redirect_uri: Option<&str>,
    verifier: Option<&str>,
) -> Result<ClientProof, TokenError> {
    if client.client().id != binding.client {
        return Err(TokenError::BadCode);
    }
    // A parameter without a value counts as absent (RFC 6749 §3.2).
    let [redirect_uri, verifier] =
        [redirect_uri, verifier].map(|value| value.filter(|value| !value.is_empty()));
    if redirect_uri.ok_or(TokenError::MissingRedirectUri)? != binding.redirect_uri {
        return Err(TokenError::BadCode);
    }
    match (&binding.challenge, verifier) {
        (Some(challenge), Some(verifier)) => {
            let verifier = CodeVerifier::parse(verifier).map_err(|_| TokenError::PkceFailed)?;
            if !challenge.matches(&verifier) {
                return Err(TokenError::PkceFailed);
            }
        }
        (Some(_), None) => return Err(TokenError::PkceFailed),
        (None, Some(_)) => return Err(TokenError::UnexpectedVerifier),
        // The code was issued before the client had to use PKCE.
        (None, None) if client.client().pkce_required => return Err(TokenError::PkceFailed),
        (None, None) if client.used_secret() => {}
        (None, None) => return Err(TokenError::InvalidClient),
    }
    Ok(if client.used_secret() {
        ClientProof::Secret
    } else {
        ClientProof::Pkce
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::{ChallengeMethod, Client, ClientId, ClientPolicy, CodeChallenge, ScopeSet};
    use crate::oauth::fixtures::{CHALLENGE, REDIRECT_URI, VERIFIER, client, secret};
    use crate::oauth::{ErrorCode, PresentedCredentials, TokenErrorKind, authenticate_client};

    fn binding(challenge: Option<CodeChallenge>) -> CodeBinding {
        CodeBinding {
            client: client(ClientPolicy::Secret).id,
            redirect_uri: REDIRECT_URI.to_owned(),
            challenge,
            subject: "7".parse().unwrap(),
            scopes: ScopeSet::default(),
        }
    }

    fn challenge() -> Option<CodeChallenge> {
        Some(CodeChallenge::new(ChallengeMethod::S256, CHALLENGE).unwrap())
    }

    fn exchange(
        client: &Client,
        with_secret: bool,
        challenge: Option<CodeChallenge>,
        verifier: Option<&str>,
    ) -> Result<ClientProof, TokenError> {
        let secret = secret(1);
        let presented = if with_secret {
            PresentedCredentials::Secret(secret.expose())
        } else {
            PresentedCredentials::None
        };
        validate_code_exchange(
            &binding(challenge),
            &authenticate_client(Some(client), presented)?,
            Some(REDIRECT_URI),
            verifier,
        )
    }

    // Proves: threats 17
    /// Fails if PKCE satisfies the policy `secret`.
    #[test]
    fn each_policy_requires_its_proof_and_accepts_nothing_less() {
        use TokenError::{InvalidClient, PkceFailed};
        // Policy, with a secret?, with PKCE?, result; every combination.
        let table = [
            (ClientPolicy::Secret, false, false, Err(InvalidClient)),
            (ClientPolicy::Secret, false, true, Err(InvalidClient)),
            (ClientPolicy::Secret, true, false, Ok(ClientProof::Secret)),
            (ClientPolicy::Secret, true, true, Ok(ClientProof::Secret)),
            (ClientPolicy::SecretOrPkce, false, false, Err(InvalidClient)),
            (
                ClientPolicy::SecretOrPkce,
                false,
                true,
                Ok(ClientProof::Pkce),
            ),
            (
                ClientPolicy::SecretOrPkce,
                true,
                false,
                Ok(ClientProof::Secret),
            ),
            (
                ClientPolicy::SecretOrPkce,
                true,
                true,
                Ok(ClientProof::Secret),
            ),
            (ClientPolicy::Public, false, false, Err(InvalidClient)),
            (ClientPolicy::Public, false, true, Ok(ClientProof::Pkce)),
            (ClientPolicy::Public, true, false, Err(InvalidClient)),
            (ClientPolicy::Public, true, true, Err(InvalidClient)),
        ];
        for (policy, with_secret, with_pkce, outcome) in table {
            let client = client(policy);
            let (challenge, verifier) = if with_pkce {
                (challenge(), Some(VERIFIER))
            } else {
                (None, None)
            };
            assert_eq!(
                exchange(&client, with_secret, challenge.clone(), verifier),
                outcome,
                "{policy} {with_secret} {with_pkce}"
            );
            if with_pkce && outcome.is_ok() {
                assert_eq!(
                    exchange(&client, with_secret, challenge, None),
                    Err(PkceFailed),
                    "{policy} {with_secret}"
                );
            }
        }
    }

    /// Fails if a missing verifier is accepted.
    #[test]
    fn a_secret_does_not_stand_in_for_the_pkce_that_a_client_must_use() {
        for policy in [ClientPolicy::Secret, ClientPolicy::SecretOrPkce] {
            let strict = Client {
                pkce_required: true,
                ..client(policy)
            };
            assert_eq!(
                exchange(&strict, true, None, None),
                Err(TokenError::PkceFailed),
                "{policy}"
            );
            assert_eq!(
                exchange(&strict, true, challenge(), Some(VERIFIER)),
                Ok(ClientProof::Secret),
                "{policy}"
            );
        }
    }

    // Proves: threats 7
    #[test]
    fn leaving_the_verifier_out_does_not_bypass_pkce() {
        for (policy, with_secret) in [
            (ClientPolicy::Secret, true),
            (ClientPolicy::SecretOrPkce, true),
            (ClientPolicy::Public, false),
        ] {
            assert_eq!(
                exchange(&client(policy), with_secret, challenge(), None),
                Err(TokenError::PkceFailed),
                "{policy}"
            );
        }
    }

    // Proves: spec 3.12
    #[test]
    fn a_missing_malformed_or_wrong_verifier_is_an_invalid_grant_of_its_own_kind() {
        let wrong = "a".repeat(43);
        for verifier in [
            None,
            Some(""),
            Some("short"),
            Some(CHALLENGE),
            Some(&*wrong),
            Some(&*"a".repeat(129)),
            Some(&*"é".repeat(43)),
        ] {
            let refusal =
                exchange(&client(ClientPolicy::Public), false, challenge(), verifier).unwrap_err();
            assert_eq!(
                (refusal, refusal.code(), refusal.kind()),
                (
                    TokenError::PkceFailed,
                    ErrorCode::InvalidGrant,
                    TokenErrorKind::Verifier
                )
            );
        }
    }

    // Proves: threats 8
    /// Fails if an unexpected verifier is ignored.
    #[test]
    fn a_verifier_without_a_challenge_is_refused() {
        for (policy, with_secret) in [
            (ClientPolicy::Secret, true),
            (ClientPolicy::SecretOrPkce, false),
            (ClientPolicy::Public, false),
        ] {
            let refusal = exchange(&client(policy), with_secret, None, Some(VERIFIER)).unwrap_err();
            assert_eq!(refusal, TokenError::UnexpectedVerifier, "{policy}");
            assert_eq!(
                (refusal.code(), refusal.kind()),
                (ErrorCode::InvalidRequest, TokenErrorKind::Request)
            );
        }
    }

    // Proves: threats 13
    /// Fails if the redirect URI of the exchange may end in another slash.
    #[test]
    fn a_code_is_bound_to_its_client_and_to_the_exact_redirect_uri() {
        let other = Client {
            id: ClientId::from_random([9; 16]),
            ..client(ClientPolicy::SecretOrPkce)
        };
        assert_eq!(
            exchange(&other, true, challenge(), Some(VERIFIER)),
            Err(TokenError::BadCode)
        );
        let client = client(ClientPolicy::Public);
        let client = authenticate_client(Some(&client), PresentedCredentials::None).unwrap();
        let redirected = |redirect_uri| {
            validate_code_exchange(&binding(challenge()), &client, redirect_uri, Some(VERIFIER))
        };
        assert_eq!(redirected(Some(REDIRECT_URI)), Ok(ClientProof::Pkce));
        for missing in [None, Some("")] {
            assert_eq!(redirected(missing), Err(TokenError::MissingRedirectUri));
        }
        for uri in [
            "https://client.example/callback/",
            "https://client.example:443/callback",
            "HTTPS://client.example/callback",
        ] {
            assert_eq!(redirected(Some(uri)), Err(TokenError::BadCode), "{uri}");
        }
    }

    // Proves: spec 3.4
    #[test]
    fn the_loopback_port_of_the_request_is_the_port_of_the_exchange() {
        let client = client(ClientPolicy::Public);
        let client = authenticate_client(Some(&client), PresentedCredentials::None).unwrap();
        let binding = CodeBinding {
            redirect_uri: "http://127.0.0.1:51004/callback".to_owned(),
            ..binding(challenge())
        };
        let redirected = |uri| validate_code_exchange(&binding, &client, Some(uri), Some(VERIFIER));
        assert_eq!(
            redirected("http://127.0.0.1:51004/callback"),
            Ok(ClientProof::Pkce)
        );
        assert_eq!(
            redirected("http://127.0.0.1:51005/callback"),
            Err(TokenError::BadCode)
        );
    }

    proptest! {
        #[test]
        fn no_arbitrary_verifier_passes(verifier in prop_oneof![any::<String>(), "[A-Za-z0-9._~-]{43,128}"]) {
            prop_assume!(verifier != VERIFIER);
            let outcome = exchange(&client(ClientPolicy::Public), false, challenge(), Some(&verifier));
            prop_assert_eq!(outcome, Err(TokenError::PkceFailed));
        }
    }
}

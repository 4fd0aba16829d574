use super::claims::fits_access_token;
use super::{AuthenticatedClient, TokenError};
use crate::domain::ScopeSet;

/// Determines the scopes of a client credentials grant (RFC 6749 §4.4): the requested ones, or all
/// allowed ones. The scopes of this service concern a user, so they are excluded.
///
/// An empty request counts as absent.
///
/// # Errors
/// * [`TokenError::InvalidClient`] if the client did not authenticate with a secret.
/// * [`TokenError::ClientCredentialsNotAllowed`] if the client's registration does not allow the
///   grant.
/// * [`TokenError::ScopeNotForClients`] if it requests more scopes than allowed,
///   [`TokenError::NoScopeForClients`] if no scope is allowed.
/// * [`TokenError::TooManyScopes`] if the scopes do not fit into an access token.
pub fn client_credentials_scopes(
    client: &AuthenticatedClient<'_>,
    requested: &ScopeSet,
) -> Result<ScopeSet, TokenError> {
    if !client.used_secret() {
        return Err(TokenError::InvalidClient);
    }
    let client = client.client();
    if !client.can_use_client_credentials() {
        return Err(TokenError::ClientCredentialsNotAllowed);
    }
    let available = client.scopes_without_user();
    if available.is_empty() {
        return Err(TokenError::NoScopeForClients);
    }
    if !requested.is_subset(&available) {
        return Err(TokenError::ScopeNotForClients);
    }
    let scopes = if requested.is_empty() {
        available
    } else {
        requested.clone()
    };
    if fits_access_token(&scopes) {
        Ok(scopes)
    } else {
        Err(TokenError::TooManyScopes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Client, ClientPolicy};
    use crate::oauth::fixtures::{client, secret};
    use crate::oauth::{ErrorCode, PresentedCredentials, authenticate_client};

    const READ: &str = "7d444840-9dc0-41d1-b245-5ffdce74fad2:read";

    fn allowed(policy: ClientPolicy) -> Client {
        Client {
            client_credentials_allowed: true,
            ..client(policy)
        }
    }

    fn outcome(client: &Client, requested: &str) -> Result<String, TokenError> {
        let secret = secret(1);
        let client =
            authenticate_client(Some(client), PresentedCredentials::Secret(secret.expose()))?;
        client_credentials_scopes(&client, &ScopeSet::parse(requested).unwrap())
            .map(|scopes| scopes.to_string())
    }

    // Proves: spec 3.16
    #[test]
    fn a_client_gets_its_allowed_scopes_without_a_user() {
        for policy in [ClientPolicy::Secret, ClientPolicy::SecretOrPkce] {
            for requested in ["", READ] {
                assert_eq!(
                    outcome(&allowed(policy), requested).as_deref(),
                    Ok(READ),
                    "{policy}"
                );
            }
        }
    }

    // Proves: spec 3.16
    #[test]
    fn a_client_must_be_allowed_it_and_prove_its_secret() {
        let refusal = outcome(&client(ClientPolicy::Secret), "").unwrap_err();
        assert_eq!(
            (refusal, refusal.code()),
            (
                TokenError::ClientCredentialsNotAllowed,
                ErrorCode::UnauthorizedClient
            )
        );
        assert_eq!(
            outcome(&allowed(ClientPolicy::Public), ""),
            Err(TokenError::InvalidClient)
        );
        for policy in [ClientPolicy::SecretOrPkce, ClientPolicy::Public] {
            let client = allowed(policy);
            let bare = authenticate_client(Some(&client), PresentedCredentials::None).unwrap();
            assert_eq!(
                client_credentials_scopes(&bare, &ScopeSet::default()),
                Err(TokenError::InvalidClient),
                "{policy}"
            );
        }
    }

    // Proves: spec 3.16
    #[test]
    fn scopes_about_a_user_are_never_granted_to_a_client_alone() {
        let mine = allowed(ClientPolicy::Secret);
        for beyond in [
            "service:self_read",
            &format!("{READ} service:self_read"),
            "7d444840-9dc0-41d1-b245-5ffdce74fad2:write",
        ] {
            assert_eq!(
                outcome(&mine, beyond),
                Err(TokenError::ScopeNotForClients),
                "{beyond}"
            );
        }
        for allowed_scopes in ["", "service:self_read service:manage"] {
            let mine = Client {
                allowed_scopes: ScopeSet::parse(allowed_scopes).unwrap(),
                ..mine.clone()
            };
            assert_eq!(outcome(&mine, ""), Err(TokenError::NoScopeForClients));
        }
    }
}

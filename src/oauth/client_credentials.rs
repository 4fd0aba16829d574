use super::claims::fits_a_token;
use super::{ClientAuthentication, TokenError};
use crate::domain::ScopeSet;

/// Decides which scopes a client may have for itself, without a user (RFC 6749 §4.4): all that are allowed to it, or
/// those that it asks for. The scopes of this service are about a user, so no client has them for itself.
///
/// An empty request counts as none.
///
/// # Errors
/// * [`TokenError::InvalidClient`] when no secret was proven: here nothing else proves anything.
/// * [`TokenError::ClientCredentialsNotAllowed`] when the client's record does not allow it.
/// * [`TokenError::ScopeNotForClients`] when it asks for more than it may have, [`TokenError::NoScopeForClients`] when it may have nothing.
/// * [`TokenError::TooManyScopes`] when no access token can carry them all.
pub fn client_scopes(client: &ClientAuthentication<'_>, requested: &ScopeSet) -> Result<ScopeSet, TokenError> {
    if !client.is_by_secret() {
        return Err(TokenError::InvalidClient);
    }
    let client = client.client();
    if !client.may_have_own_tokens() {
        return Err(TokenError::ClientCredentialsNotAllowed);
    }
    let available = client.own_token_scopes();
    if available.is_empty() {
        return Err(TokenError::NoScopeForClients);
    }
    if !requested.is_subset(&available) {
        return Err(TokenError::ScopeNotForClients);
    }
    let scopes = if requested.is_empty() { available } else { requested.clone() };
    if fits_a_token(&scopes) { Ok(scopes) } else { Err(TokenError::TooManyScopes) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Client, ClientPolicy};
    use crate::oauth::fixtures::{client, secret};
    use crate::oauth::{ErrorCode, Presented, authenticate};

    const READ: &str = "7d444840-9dc0-41d1-b245-5ffdce74fad2:read";

    fn allowed(policy: ClientPolicy) -> Client {
        Client { client_credentials_allowed: true, ..client(policy) }
    }

    fn verdict(client: &Client, requested: &str) -> Result<String, TokenError> {
        let secret = secret(1);
        let client = authenticate(Some(client), Presented::Secret(secret.expose()))?;
        client_scopes(&client, &ScopeSet::parse(requested).unwrap()).map(|scopes| scopes.to_string())
    }

    #[test]
    fn decision_3_16_a_client_gets_what_is_allowed_to_it_and_needs_no_user() {
        for policy in [ClientPolicy::Secret, ClientPolicy::SecretOrPkce] {
            for requested in ["", READ] {
                assert_eq!(verdict(&allowed(policy), requested).as_deref(), Ok(READ), "{policy}");
            }
        }
    }

    #[test]
    fn decision_3_16_a_client_must_be_allowed_it_and_prove_its_secret() {
        let refusal = verdict(&client(ClientPolicy::Secret), "").unwrap_err();
        assert_eq!((refusal, refusal.code()), (TokenError::ClientCredentialsNotAllowed, ErrorCode::UnauthorizedClient));
        assert_eq!(verdict(&allowed(ClientPolicy::Public), ""), Err(TokenError::InvalidClient));
        for policy in [ClientPolicy::SecretOrPkce, ClientPolicy::Public] {
            let client = allowed(policy);
            let bare = authenticate(Some(&client), Presented::Nothing).unwrap();
            assert_eq!(client_scopes(&bare, &ScopeSet::default()), Err(TokenError::InvalidClient), "{policy}");
        }
    }

    #[test]
    fn decision_3_16_what_is_about_a_user_is_for_no_client_alone() {
        let mine = allowed(ClientPolicy::Secret);
        for beyond in ["service:self_read", &format!("{READ} service:self_read"), "7d444840-9dc0-41d1-b245-5ffdce74fad2:write"] {
            assert_eq!(verdict(&mine, beyond), Err(TokenError::ScopeNotForClients), "{beyond}");
        }
        for allowed_scopes in ["", "service:self_read service:manage"] {
            let mine = Client { allowed_scopes: ScopeSet::parse(allowed_scopes).unwrap(), ..mine.clone() };
            assert_eq!(verdict(&mine, ""), Err(TokenError::NoScopeForClients));
        }
    }
}

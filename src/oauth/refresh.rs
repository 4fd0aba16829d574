use super::{AuthenticatedClient, TokenError};
use crate::domain::{ClientId, ClientProof, ScopeSet};

/// Validates that a client may use a refresh token. The grant belongs to `owner`, and `proof` was
/// given when its code was redeemed. A refresh requires at least the same proof.
///
/// # Errors
/// [`TokenError::BadRefreshToken`] if the grant belongs to another client,
/// [`TokenError::InvalidClient`] if the exchange had a secret and the refresh has none.
pub fn validate_refresh(
    owner: ClientId,
    proof: ClientProof,
    client: &AuthenticatedClient<'_>,
) -> Result<(), TokenError> {
    if client.client().id != owner {
        return Err(TokenError::BadRefreshToken);
    }
    match proof {
        ClientProof::Secret if !client.used_secret() => Err(TokenError::InvalidClient),
        ClientProof::Secret | ClientProof::Pkce => Ok(()),
    }
}

/// Returns the scopes of the next access token: all granted ones, or a requested subset (RFC 6749
/// §6). The grant keeps its scopes.
///
/// An empty request counts as absent.
///
/// # Errors
/// [`TokenError::NoScopeLeft`] if the grant has no scopes, [`TokenError::ScopeNotGranted`] if the
/// request exceeds the grant.
pub fn narrow_scopes(
    granted: &ScopeSet,
    requested: Option<&ScopeSet>,
) -> Result<ScopeSet, TokenError> {
    if granted.is_empty() {
        return Err(TokenError::NoScopeLeft);
    }
    match requested.filter(|requested| !requested.is_empty()) {
        None => Ok(granted.clone()),
        Some(requested) if requested.is_subset(granted) => Ok(requested.clone()),
        Some(_) => Err(TokenError::ScopeNotGranted),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::ClientPolicy;
    use crate::oauth::fixtures::{client, secret};
    use crate::oauth::{ErrorCode, PresentedCredentials, authenticate_client};

    fn scopes(text: &str) -> ScopeSet {
        ScopeSet::parse(text).unwrap()
    }

    // Proves: spec 3.11
    #[test]
    fn a_refresh_demands_at_least_what_the_exchange_proved() {
        let client = client(ClientPolicy::SecretOrPkce);
        let secret = secret(2);
        let bare = authenticate_client(Some(&client), PresentedCredentials::None).unwrap();
        let by_secret =
            authenticate_client(Some(&client), PresentedCredentials::Secret(secret.expose()))
                .unwrap();
        assert_eq!(
            validate_refresh(client.id, ClientProof::Pkce, &bare),
            Ok(())
        );
        assert_eq!(
            validate_refresh(client.id, ClientProof::Pkce, &by_secret),
            Ok(())
        );
        assert_eq!(
            validate_refresh(client.id, ClientProof::Secret, &by_secret),
            Ok(())
        );
        assert_eq!(
            validate_refresh(client.id, ClientProof::Secret, &bare),
            Err(TokenError::InvalidClient)
        );
    }

    #[test]
    fn a_refresh_token_of_another_client_is_no_grant() {
        let client = client(ClientPolicy::Public);
        let bare = authenticate_client(Some(&client), PresentedCredentials::None).unwrap();
        for proof in ClientProof::ALL.iter().copied() {
            let refusal =
                validate_refresh(ClientId::from_random([9; 16]), proof, &bare).unwrap_err();
            assert_eq!(
                (refusal, refusal.code()),
                (TokenError::BadRefreshToken, ErrorCode::InvalidGrant)
            );
        }
    }

    // Proves: threats 20
    /// Fails if requested scopes are returned unchecked.
    #[test]
    fn a_scope_may_narrow_the_access_token_and_never_widen_it() {
        let granted = scopes("service:a service:b");
        assert_eq!(narrow_scopes(&granted, None), Ok(granted.clone()));
        assert_eq!(
            narrow_scopes(&granted, Some(&ScopeSet::default())),
            Ok(granted.clone())
        );
        assert_eq!(
            narrow_scopes(&granted, Some(&scopes("service:b"))),
            Ok(scopes("service:b"))
        );
        assert_eq!(
            narrow_scopes(&granted, Some(&scopes("service:b service:a"))),
            Ok(scopes("service:b service:a"))
        );
        for beyond in ["service:c", "service:a service:b service:c"] {
            assert_eq!(
                narrow_scopes(&granted, Some(&scopes(beyond))),
                Err(TokenError::ScopeNotGranted),
                "{beyond}"
            );
        }
    }

    // Proves: spec 3.17
    #[test]
    fn a_grant_without_scopes_gives_no_token() {
        for requested in [None, Some(&scopes("service:a"))] {
            let refusal = narrow_scopes(&ScopeSet::default(), requested).unwrap_err();
            assert_eq!(
                (refusal, refusal.code()),
                (TokenError::NoScopeLeft, ErrorCode::InvalidScope)
            );
        }
    }

    proptest! {
        #[test]
        fn issued_scopes_were_granted_and_are_never_empty(granted in "(service:[a-d]( service:[a-d]){0,4})?", requested in "(service:[a-e]( service:[a-e]){0,4})?") {
            let granted = scopes(&granted);
            if let Ok(issued) = narrow_scopes(&granted, Some(&scopes(&requested))) {
                prop_assert!(!issued.is_empty() && issued.is_subset(&granted));
            }
        }
    }
}

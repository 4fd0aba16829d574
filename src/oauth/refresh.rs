use super::{ClientAuthentication, TokenError};
use crate::domain::{ClientId, ClientProof, ScopeSet};

/// Decides whether a client may use a refresh token of the grant that belongs to `owner`, for which `proof` was given at the exchange.
/// A refresh demands at least as much.
///
/// # Errors
/// [`TokenError::BadRefreshToken`] when the grant belongs to another client, [`TokenError::InvalidClient`] when a secret was proven then
/// and none is now.
pub fn prove_refresh(owner: ClientId, proof: ClientProof, client: &ClientAuthentication<'_>) -> Result<(), TokenError> {
    if client.client().id != owner {
        return Err(TokenError::BadRefreshToken);
    }
    match proof {
        ClientProof::Secret if !client.is_by_secret() => Err(TokenError::InvalidClient),
        ClientProof::Secret | ClientProof::Pkce => Ok(()),
    }
}

/// The scopes of the next access token: all that are granted, or fewer when the request says which (RFC 6749 §6). The grant keeps its own.
///
/// An empty request counts as none.
///
/// # Errors
/// [`TokenError::NoScopeLeft`] when nothing is granted any more, [`TokenError::ScopeNotGranted`] when the request goes beyond the grant.
pub fn narrow(granted: &ScopeSet, requested: Option<&ScopeSet>) -> Result<ScopeSet, TokenError> {
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
    use crate::oauth::{ErrorCode, Presented, authenticate};

    fn scopes(text: &str) -> ScopeSet {
        ScopeSet::parse(text).unwrap()
    }

    #[test]
    fn decision_3_11_a_refresh_demands_at_least_what_the_exchange_proved() {
        let client = client(ClientPolicy::SecretOrPkce);
        let secret = secret(2);
        let bare = authenticate(Some(&client), Presented::Nothing).unwrap();
        let by_secret = authenticate(Some(&client), Presented::Secret(secret.expose())).unwrap();
        assert_eq!(prove_refresh(client.id, ClientProof::Pkce, &bare), Ok(()));
        assert_eq!(prove_refresh(client.id, ClientProof::Pkce, &by_secret), Ok(()));
        assert_eq!(prove_refresh(client.id, ClientProof::Secret, &by_secret), Ok(()));
        assert_eq!(prove_refresh(client.id, ClientProof::Secret, &bare), Err(TokenError::InvalidClient));
    }

    #[test]
    fn a_refresh_token_of_another_client_is_no_grant() {
        let client = client(ClientPolicy::Public);
        let bare = authenticate(Some(&client), Presented::Nothing).unwrap();
        for proof in ClientProof::ALL.iter().copied() {
            let refusal = prove_refresh(ClientId::from_random([9; 16]), proof, &bare).unwrap_err();
            assert_eq!((refusal, refusal.code()), (TokenError::BadRefreshToken, ErrorCode::InvalidGrant));
        }
    }

    /// Fails if whatever is asked for is granted.
    #[test]
    fn s20_a_scope_may_narrow_the_access_token_and_never_widen_it() {
        let granted = scopes("service:a service:b");
        assert_eq!(narrow(&granted, None), Ok(granted.clone()));
        assert_eq!(narrow(&granted, Some(&ScopeSet::default())), Ok(granted.clone()));
        assert_eq!(narrow(&granted, Some(&scopes("service:b"))), Ok(scopes("service:b")));
        assert_eq!(narrow(&granted, Some(&scopes("service:b service:a"))), Ok(scopes("service:b service:a")));
        for beyond in ["service:c", "service:a service:b service:c"] {
            assert_eq!(narrow(&granted, Some(&scopes(beyond))), Err(TokenError::ScopeNotGranted), "{beyond}");
        }
    }

    #[test]
    fn decision_3_17_a_grant_without_scopes_gives_no_token() {
        for requested in [None, Some(&scopes("service:a"))] {
            let refusal = narrow(&ScopeSet::default(), requested).unwrap_err();
            assert_eq!((refusal, refusal.code()), (TokenError::NoScopeLeft, ErrorCode::InvalidScope));
        }
    }

    proptest! {
        #[test]
        fn what_is_issued_was_granted_and_is_never_nothing(granted in "(service:[a-d]( service:[a-d]){0,4})?", requested in "(service:[a-e]( service:[a-e]){0,4})?") {
            let granted = scopes(&granted);
            if let Ok(issued) = narrow(&granted, Some(&scopes(&requested))) {
                prop_assert!(!issued.is_empty() && issued.is_subset(&granted));
            }
        }
    }
}

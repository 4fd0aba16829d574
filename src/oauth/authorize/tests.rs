use proptest::prelude::*;

use super::*;
use crate::domain::ClientPolicy;
use crate::oauth::ErrorCode;
use crate::oauth::fixtures::{CHALLENGE, REDIRECT_URI, VERIFIER, client};

const GOOD: AuthorizeParameters<'static> = AuthorizeParameters {
    client_id: Some("a client"),
    redirect_uri: Some(REDIRECT_URI),
    response_type: Some("code"),
    scope: None,
    state: Some("a b&c"),
    code_challenge: Some(CHALLENGE),
    code_challenge_method: Some("S256"),
    prompt: None,
};

fn request(
    client: &Client,
    parameters: AuthorizeParameters<'_>,
) -> Result<AuthorizationRequest, AuthorizeError> {
    RedirectableRequest::new(Some(client), parameters)
        .unwrap()
        .validate()
}

fn pkce(
    client: &Client,
    challenge: Option<&str>,
    method: Option<&str>,
) -> Result<Option<CodeChallenge>, AuthorizeError> {
    let parameters = AuthorizeParameters {
        code_challenge: challenge,
        code_challenge_method: method,
        ..GOOD
    };
    request(client, parameters).map(|request| request.challenge)
}

#[test]
fn a_good_request_is_taken_as_it_was_sent() {
    let client = client(ClientPolicy::Public);
    let request = request(&client, GOOD).unwrap();
    assert_eq!(
        (request.client, &*request.redirect_uri),
        (client.id, REDIRECT_URI)
    );
    assert_eq!(
        RedirectableRequest::new(Some(&client), GOOD)
            .unwrap()
            .state(),
        Some("a b&c")
    );
    assert_eq!(request.scopes, client.allowed_scopes);
    assert_eq!(
        request.challenge,
        Some(CodeChallenge::new(ChallengeMethod::S256, CHALLENGE).unwrap())
    );
}

// Proves: spec 3.2
#[test]
fn without_a_known_client_and_its_own_redirect_uri_nothing_is_trusted() {
    let client = client(ClientPolicy::Secret);
    let rejection = |client: Option<&Client>, parameters| {
        RedirectableRequest::new(client, parameters)
            .map(|_| ())
            .unwrap_err()
    };
    for client_id in [None, Some("")] {
        assert_eq!(
            rejection(Some(&client), AuthorizeParameters { client_id, ..GOOD }),
            NonRedirectableError::MissingClientId
        );
    }
    assert_eq!(rejection(None, GOOD), NonRedirectableError::UnknownClient);
    for redirect_uri in [None, Some("")] {
        assert_eq!(
            rejection(
                Some(&client),
                AuthorizeParameters {
                    redirect_uri,
                    ..GOOD
                }
            ),
            NonRedirectableError::MissingRedirectUri
        );
    }
    for redirect_uri in [
        "https://evil.example/callback",
        "https://client.example/callback/",
        "https://client.example/callback?x=1",
        "x",
    ] {
        let parameters = AuthorizeParameters {
            redirect_uri: Some(redirect_uri),
            ..GOOD
        };
        assert_eq!(
            rejection(Some(&client), parameters),
            NonRedirectableError::UnregisteredRedirectUri,
            "{redirect_uri}"
        );
    }
}

// Proves: threats 14
/// Fails if an unregistered redirect URI is trusted.
#[test]
fn a_request_that_is_wrong_all_over_is_still_not_trusted() {
    let client = client(ClientPolicy::Public);
    let wrong = AuthorizeParameters {
        redirect_uri: Some("https://evil.example/"),
        response_type: Some("token"),
        scope: Some("::"),
        code_challenge: None,
        ..GOOD
    };
    assert_eq!(
        RedirectableRequest::new(Some(&client), wrong).unwrap_err(),
        NonRedirectableError::UnregisteredRedirectUri
    );
}

// Proves: spec 3.4
#[test]
fn the_redirect_uri_is_kept_with_the_port_that_was_presented() {
    let mut client = client(ClientPolicy::Public);
    client.redirect_uris = vec!["http://127.0.0.1:8400/callback".parse().unwrap()];
    let presented = "http://127.0.0.1:51004/callback";
    let parameters = AuthorizeParameters {
        redirect_uri: Some(presented),
        ..GOOD
    };
    assert_eq!(
        RedirectableRequest::new(Some(&client), parameters)
            .unwrap()
            .redirect_uri(),
        presented
    );
    assert_eq!(
        request(&client, parameters).unwrap().redirect_uri,
        presented
    );
}

// Proves: spec 3.1
#[test]
fn the_response_type_is_required_and_is_code() {
    let client = client(ClientPolicy::Secret);
    for response_type in [None, Some("")] {
        assert_eq!(
            request(
                &client,
                AuthorizeParameters {
                    response_type,
                    ..GOOD
                }
            ),
            Err(AuthorizeError::MissingResponseType)
        );
    }
    for response_type in ["token", "Code", "code token", "code ", "id_token"] {
        let parameters = AuthorizeParameters {
            response_type: Some(response_type),
            ..GOOD
        };
        assert_eq!(
            request(&client, parameters),
            Err(AuthorizeError::UnsupportedResponseType),
            "{response_type}"
        );
    }
}

// Proves: spec 3.1
#[test]
fn without_a_scope_parameter_all_allowed_scopes_are_requested() {
    let mut client = client(ClientPolicy::Secret);
    for scope in [None, Some("")] {
        assert_eq!(
            request(&client, AuthorizeParameters { scope, ..GOOD })
                .unwrap()
                .scopes,
            client.allowed_scopes
        );
    }
    client.allowed_scopes = ScopeSet::default();
    assert_eq!(request(&client, GOOD), Err(AuthorizeError::NoScope));
}

// Proves: spec 3.3
#[test]
fn a_scope_outside_the_allowed_list_is_an_invalid_scope() {
    let client = client(ClientPolicy::Secret);
    let scopes = |scope| {
        request(
            &client,
            AuthorizeParameters {
                scope: Some(scope),
                ..GOOD
            },
        )
        .map(|request| request.scopes.to_string())
    };
    assert_eq!(
        scopes("service:self_read"),
        Ok("service:self_read".to_owned())
    );
    for scope in [
        "service:manage",
        "service:self_read service:manage",
        "service:self_rea",
    ] {
        assert_eq!(
            scopes(scope),
            Err(AuthorizeError::ScopeNotAllowed),
            "{scope}"
        );
    }
    for scope in [
        "self_read",
        " ",
        "service:self_read ",
        "service:self_read,service:manage",
        "service:Self_read",
        "한:글",
    ] {
        assert_eq!(
            scopes(scope),
            Err(AuthorizeError::MalformedScope),
            "{scope}"
        );
    }
    for error in [
        AuthorizeError::ScopeNotAllowed,
        AuthorizeError::MalformedScope,
        AuthorizeError::NoScope,
    ] {
        assert_eq!(error.code(), ErrorCode::InvalidScope);
    }
}

// Proves: spec 3.12
#[test]
fn a_challenge_and_its_method_come_together() {
    for policy in ClientPolicy::ALL.iter().copied() {
        let client = client(policy);
        assert!(
            pkce(&client, Some(CHALLENGE), Some("S256"))
                .unwrap()
                .is_some()
        );
        assert_eq!(
            pkce(&client, None, Some("S256")),
            Err(AuthorizeError::MethodWithoutChallenge),
            "{policy}"
        );
        assert_eq!(
            pkce(&client, Some(""), Some("S256")),
            Err(AuthorizeError::MethodWithoutChallenge),
            "{policy}"
        );
        assert_eq!(
            pkce(&client, Some(CHALLENGE), None),
            Err(AuthorizeError::MissingChallengeMethod),
            "{policy}"
        );
        assert_eq!(
            pkce(&client, Some(CHALLENGE), Some("")),
            Err(AuthorizeError::MissingChallengeMethod),
            "{policy}"
        );
    }
}

// Proves: threats 8
/// Fails if a public client is treated as a confidential one.
#[test]
fn a_client_that_must_use_pkce_is_refused_without_it() {
    assert_eq!(
        pkce(&client(ClientPolicy::Public), None, None),
        Err(AuthorizeError::MissingChallenge)
    );
    assert_eq!(
        pkce(&client(ClientPolicy::Public), Some(""), None),
        Err(AuthorizeError::MissingChallenge)
    );
    for policy in [ClientPolicy::Secret, ClientPolicy::SecretOrPkce] {
        assert_eq!(pkce(&client(policy), None, None), Ok(None), "{policy}");
        let strict = Client {
            pkce_required: true,
            ..client(policy)
        };
        assert_eq!(
            pkce(&strict, None, None),
            Err(AuthorizeError::MissingChallenge),
            "{policy}"
        );
        assert!(
            pkce(&strict, Some(CHALLENGE), Some("S256")).is_ok_and(|challenge| challenge.is_some()),
            "{policy}"
        );
    }
}

// Proves: threats 9
/// Fails if a method that is missing or unknown counts as `plain`.
#[test]
fn an_unknown_method_is_not_read_as_plain_and_plain_is_not_assumed() {
    for plain_pkce_allowed in [false, true] {
        let client = Client {
            plain_pkce_allowed,
            ..client(ClientPolicy::Public)
        };
        for method in ["S512", "s256", "PLAIN", "Plain", "none", " S256", "S256 "] {
            assert_eq!(
                pkce(&client, Some(CHALLENGE), Some(method)),
                Err(AuthorizeError::UnknownChallengeMethod),
                "{method:?}"
            );
        }
        let padded = format!("{CHALLENGE}=");
        for challenge in [
            &padded,
            &CHALLENGE[..42],
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw+cM",
        ] {
            assert_eq!(
                pkce(&client, Some(challenge), Some("S256")),
                Err(AuthorizeError::MalformedChallenge),
                "{challenge}"
            );
        }
    }
    let strict = client(ClientPolicy::Public);
    assert_eq!(
        pkce(&strict, Some(VERIFIER), Some("plain")),
        Err(AuthorizeError::PlainNotAllowed)
    );
    assert_eq!(
        pkce(&strict, Some(VERIFIER), None),
        Err(AuthorizeError::MissingChallengeMethod)
    );
}

// Proves: spec 3.12
#[test]
fn plain_is_for_clients_whose_record_allows_it() {
    let lenient = Client {
        plain_pkce_allowed: true,
        ..client(ClientPolicy::Public)
    };
    let plain = CodeChallenge::new(ChallengeMethod::Plain, VERIFIER).unwrap();
    assert_eq!(
        pkce(&lenient, Some(VERIFIER), Some("plain")),
        Ok(Some(plain.clone()))
    );
    assert_eq!(pkce(&lenient, Some(VERIFIER), None), Ok(Some(plain)));
    assert_eq!(
        pkce(&lenient, Some("short"), Some("plain")),
        Err(AuthorizeError::MalformedChallenge)
    );
    assert_eq!(
        pkce(&lenient, None, None),
        Err(AuthorizeError::MissingChallenge)
    );
}

#[test]
fn prompts_for_the_password_and_the_consent_are_known_and_prompt_none_is_refused() {
    let prompted = |prompt| {
        request(
            &client(ClientPolicy::Public),
            AuthorizeParameters { prompt, ..GOOD },
        )
        .map(|valid| (valid.prompt.login, valid.prompt.consent))
    };
    for ignored in ["", "select_account", "LOGIN CONSENT", "create", "\u{e9}"] {
        assert_eq!(prompted(Some(ignored)), Ok((false, false)), "{ignored:?}");
    }
    assert_eq!(prompted(None), Ok((false, false)));
    for prompt in ["consent", "consent consent", " consent"] {
        assert_eq!(prompted(Some(prompt)), Ok((false, true)), "{prompt:?}");
    }
    for prompt in ["login", "select_account login"] {
        assert_eq!(prompted(Some(prompt)), Ok((true, false)), "{prompt:?}");
    }
    assert_eq!(prompted(Some("login consent")), Ok((true, true)));
    assert_eq!(prompted(Some("none")), Err(AuthorizeError::LoginRequired));
    for prompt in ["none login", "consent none", "none none", "none "] {
        assert_eq!(
            prompted(Some(prompt)),
            Err(AuthorizeError::PromptNoneAndMore),
            "{prompt:?}"
        );
    }
}

// Proves: threats 21
/// Fails if consent is always remembered.
#[test]
fn consent_is_never_remembered_for_a_redirect_uri_that_can_be_impersonated() {
    for policy in ClientPolicy::ALL {
        let uris = [
            "https://app.example/callback",
            "http://127.0.0.1:8400/callback",
            "http://localhost/callback",
            "com.example.app:/callback",
        ];
        let client = Client {
            redirect_uris: uris.map(|uri| uri.parse().unwrap()).to_vec(),
            ..client(*policy)
        };
        let remembered = |uri| can_remember_consent(&client, uri);
        assert!(remembered("https://app.example/callback"));
        for uri in [
            "http://127.0.0.1:8400/callback",
            "http://127.0.0.1:51004/callback",
            "http://localhost/callback",
            "com.example.app:/callback",
        ] {
            assert!(!remembered(uri), "{uri}");
        }
        assert!(
            !remembered("https://gone.example/callback"),
            "a redirect URI that is no longer registered"
        );
    }
}

// Proves: threats 26
/// Fails if `Debug` shows the state.
#[test]
fn debug_of_a_request_shows_no_state() {
    let client = client(ClientPolicy::Public);
    let printed = format!(
        "{:?}",
        RedirectableRequest::new(Some(&client), GOOD).unwrap()
    );
    assert!(!printed.contains("a b&c") && !printed.contains(CHALLENGE));
}

proptest! {
    #[test]
    fn a_valid_request_never_exceeds_the_clients_scopes(
        scope in proptest::option::of("(service:(self_read|manage)|[a-z: ]{0,9})( service:(self_read|manage)){0,2}"),
        challenge in proptest::option::of(prop_oneof![Just(CHALLENGE.to_owned()), any::<String>()]),
        method in proptest::option::of(prop_oneof![Just("S256".to_owned()), Just("plain".to_owned()), any::<String>()]),
        state in proptest::option::of(any::<String>()),
        policy in proptest::sample::select(ClientPolicy::ALL),
        plain_pkce_allowed in any::<bool>(),
        pkce_required in any::<bool>(),
    ) {
        let client = Client { plain_pkce_allowed, pkce_required, ..client(policy) };
        let parameters = AuthorizeParameters {
            scope: scope.as_deref(),
            code_challenge: challenge.as_deref(),
            code_challenge_method: method.as_deref(),
            state: state.as_deref(),
            ..GOOD
        };
        if let Ok(request) = request(&client, parameters) {
            prop_assert!(!request.scopes.is_empty() && request.scopes.is_subset(&client.allowed_scopes));
            prop_assert!(request.challenge.is_some() || (policy != ClientPolicy::Public && !pkce_required));
            prop_assert!(plain_pkce_allowed || request.challenge.is_none_or(|challenge| challenge.method() == ChallengeMethod::S256));
        }
    }
}

use std::sync::Arc;

use http::header::{ACCEPT, SET_COOKIE};
use http::{Request, StatusCode};
use lyceum::domain::{ClientPolicy, ClientSettings, ScopeSet, SessionToken};
use lyceum::http::{Body, Clock};
use lyceum::store::ClientUpdate;
use lyceum::store::sql::SqlStore;

use crate::harness::*;
use crate::token::harness as tokens;

/// The scopes of the session that an authorization request opened.
async fn scopes_of(harness: &Harness, path: &str) -> ScopeSet {
    let mut browser = harness.browser();
    let answer = browser.get(path).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
    let session = SessionToken::parse(browser.session().unwrap()).unwrap();
    harness
        .store
        .session(&session.digest(), harness.clock.now())
        .await
        .unwrap()
        .unwrap()
        .scopes
}

// Proves: spec 3.1
#[tokio::test]
async fn a_sound_request_leads_to_the_login_page() {
    let harness = Harness::new().await;
    let mut browser = harness.browser();
    let answer = browser.get(&harness.authorize(&[])).await;
    assert_eq!(
        (answer.status, answer.location()),
        (StatusCode::SEE_OTHER, "/v1/oauth/login")
    );
    let page = browser.get("/v1/oauth/login").await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(
        page.body.contains("Timetable &#60;Plus&#62;"),
        "{}",
        page.body
    );
}

// Proves: spec 3.1
#[tokio::test]
async fn any_repeated_parameter_is_refused_where_it_is() {
    let harness = Harness::new().await;
    let sound = harness.authorize(&[]);
    for (name, value) in harness
        .parameters()
        .iter()
        .chain(&[("unknown", "1".to_owned())])
    {
        let twice = format!("{sound}&unknown=1&{}", encoded(&[(name, value.clone())]));
        let answer = get(&harness.server, &twice).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{name}");
        assert_eq!(answer.json()["error"], "invalid_request");
    }
}

// Proves: threats 15
/// Fails if the last one is used.
#[tokio::test]
async fn a_parameter_is_repeated_however_it_is_spelled() {
    let harness = Harness::new().await;
    for twice in ["&%73tate=2", "&state", "&state=", "&st%61te=xyz"] {
        assert_eq!(
            get(&harness.server, &(harness.authorize(&[]) + twice))
                .await
                .status,
            StatusCode::BAD_REQUEST,
            "{twice}"
        );
    }
}

// Proves: spec 3.1
#[tokio::test]
async fn bad_encoding_is_refused_where_it_is() {
    let harness = Harness::new().await;
    for bad in ["&x=%", "&x=%f", "&x=%zz", "&x=%ff", "&%c3%28=1"] {
        assert_eq!(
            get(&harness.server, &(harness.authorize(&[]) + bad))
                .await
                .status,
            StatusCode::BAD_REQUEST,
            "{bad}"
        );
    }
}

// Proves: spec 3.1
#[tokio::test]
async fn an_unknown_parameter_is_passed_over() {
    let harness = Harness::new().await;
    assert_eq!(
        get(
            &harness.server,
            &(harness.authorize(&[]) + "&prompt=login&nonce=1")
        )
        .await
        .status,
        StatusCode::SEE_OTHER
    );
}

// Proves: spec 3.1
#[tokio::test]
async fn an_absent_or_empty_scope_asks_for_every_scope_of_the_client() {
    let harness = Harness::new().await;
    let absent = harness.authorize(&[("scope", "")]);
    assert_eq!(
        scopes_of(&harness, &absent).await,
        harness.client.allowed_scopes
    );
    assert_eq!(
        scopes_of(&harness, &format!("{absent}&scope=")).await,
        harness.client.allowed_scopes
    );
    assert_eq!(
        scopes_of(&harness, &harness.authorize(&[]))
            .await
            .to_string(),
        format!("{}:read", harness.application)
    );
}

// Proves: spec 3.1
#[tokio::test]
async fn scopes_are_separated_by_plus_or_percent_20() {
    let harness = Harness::new().await;
    for blank in ["+", "%20"] {
        let path = format!(
            "{}&scope={}:write{blank}service:self_read",
            harness.authorize(&[("scope", "")]),
            harness.application
        );
        assert_eq!(
            scopes_of(&harness, &path).await.to_string(),
            format!("{}:write service:self_read", harness.application)
        );
    }
}

// Proves: spec 3.2
#[tokio::test]
async fn an_untrusted_redirect_is_an_error_page_for_browsers_and_json_otherwise() {
    let harness = Harness::new().await;
    let unknown = "11111111-1111-4111-8111-111111111111";
    for change in [
        ("client_id", ""),
        ("client_id", "x"),
        ("client_id", unknown),
        ("redirect_uri", ""),
        ("redirect_uri", "https://evil.example/callback"),
    ] {
        let path = harness.authorize(&[change]);
        let page = harness.browser().get(&path).await;
        assert!(
            page.status == StatusCode::BAD_REQUEST && page.is_page(),
            "{change:?} {page:?}"
        );
        let json = get(&harness.server, &path).await;
        assert_eq!(json.status, StatusCode::BAD_REQUEST);
        assert!(json.json()["error"].is_string() && json.json()["error_description"].is_string());
    }
}

// Proves: spec 3.2
#[tokio::test]
async fn only_accept_with_html_itself_gets_a_page() {
    let harness = Harness::new().await;
    let path = harness.authorize(&[("client_id", "")]);
    for (accept, is_page) in [
        ("text/html", true),
        ("application/xhtml+xml, TEXT/HTML;q=0.5", true),
        ("*/*", false),
        ("application/json", false),
        ("text/html;q=0, application/json", false),
        ("text/htmlx", false),
    ] {
        let request = Request::get(&path)
            .header(ACCEPT, accept)
            .body(Body::empty())
            .unwrap();
        assert_eq!(
            ask(&harness.server, request).await.is_page(),
            is_page,
            "{accept}"
        );
    }
}

// Proves: spec 3.3
#[tokio::test]
async fn a_scope_that_is_not_allowed_is_a_400_here() {
    let harness = Harness::new().await;
    let other = format!("{}:other", harness.application);
    for scope in [
        &*other,
        "service:manage",
        "service:self_read service:manage",
        "nonsense",
        "a:b:c",
        " ",
    ] {
        let path = harness.authorize(&[("scope", scope)]);
        let json = get(&harness.server, &path).await;
        assert_eq!(
            (json.status, json.json()["error"].as_str()),
            (StatusCode::BAD_REQUEST, Some("invalid_scope")),
            "{scope}"
        );
        let page = harness.browser().get(&path).await;
        assert!(page.status == StatusCode::BAD_REQUEST && page.is_page());
    }
}

// Proves: spec 3.3
#[tokio::test]
async fn an_option_redirects_with_invalid_scope_instead() {
    let harness = Harness::with_settings(|builder| builder.redirect_scope_errors()).await;
    let answer = get(
        &harness.server,
        &harness.authorize(&[("scope", "service:manage")]),
    )
    .await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    assert_eq!(answer.sent_back("error").as_deref(), Some("invalid_scope"));
    assert_eq!(answer.sent_back("state").as_deref(), Some("xyz"));
}

// Proves: spec 3.3
#[tokio::test]
async fn every_other_error_redirects_to_the_client() {
    let harness = Harness::new().await;
    for (change, error) in [
        (("response_type", ""), "invalid_request"),
        (("response_type", "token"), "unsupported_response_type"),
        (("response_type", "code token"), "unsupported_response_type"),
        (("code_challenge", ""), "invalid_request"),
        (("code_challenge", "short"), "invalid_request"),
        (("code_challenge_method", "S512"), "invalid_request"),
        (("code_challenge_method", "plain"), "invalid_request"),
    ] {
        let answer = get(&harness.server, &harness.authorize(&[change])).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{change:?}");
        assert!(
            answer
                .location()
                .starts_with("https://app.example/callback?")
        );
        assert_eq!(
            answer.sent_back("error").as_deref(),
            Some(error),
            "{change:?}"
        );
        assert_eq!(answer.sent_back("state").as_deref(), Some("xyz"));
        assert_eq!(answer.sent_back("iss").as_deref(), Some(ISSUER));
        let description = answer.sent_back("error_description").unwrap();
        let allowed = |byte: u8| matches!(byte, 0x20..=0x21 | 0x23..=0x5B | 0x5D..=0x7E);
        assert!(
            !description.is_empty() && description.bytes().all(allowed),
            "{description:?}"
        );
    }
}

#[tokio::test]
async fn a_state_has_a_bound() {
    let harness = Harness::new().await;
    assert_eq!(
        get(
            &harness.server,
            &harness.authorize(&[("state", &"s".repeat(1000))])
        )
        .await
        .location(),
        "/v1/oauth/login"
    );
    let answer = get(
        &harness.server,
        &harness.authorize(&[("state", &"s".repeat(5000))]),
    )
    .await;
    assert_eq!(
        answer.sent_back("error").as_deref(),
        Some("invalid_request")
    );
}

#[tokio::test]
async fn a_state_with_a_character_that_not_every_store_can_keep_is_refused_on_all() {
    let harness = Harness::new().await;
    let answer = get(&harness.server, &harness.authorize(&[("state", "a\0b")])).await;
    assert_eq!(
        answer.sent_back("error").as_deref(),
        Some("invalid_request")
    );
    assert_eq!(answer.sent_back("state").as_deref(), Some("a\0b"));
}

// Proves: spec 3.12, threats 9
/// Fails if a missing or unknown method counts as `plain`.
#[tokio::test]
async fn a_challenge_has_the_method_s256_and_its_form() {
    let harness = Harness::new().await;
    let padded = format!("{CHALLENGE}=");
    for changes in [
        &[("code_challenge_method", "")][..],
        &[("code_challenge_method", "S512")],
        &[("code_challenge_method", "s256")],
        &[("code_challenge_method", "PLAIN")],
        &[("code_challenge_method", "plain")],
        &[("code_challenge_method", "S256 ")],
        &[("code_challenge", "")],
        &[("code_challenge", &padded)],
        &[(
            "code_challenge",
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw+cM",
        )],
    ] {
        let answer = get(&harness.server, &harness.authorize(changes)).await;
        assert_eq!(
            answer.sent_back("error").as_deref(),
            Some("invalid_request"),
            "{changes:?} {answer:?}"
        );
    }
}

// Proves: spec 3.12
#[tokio::test]
async fn plain_is_for_clients_whose_record_allows_it() {
    let harness = Harness::new().await;
    let id = harness.old_client.id.to_string();
    for method in ["plain", ""] {
        let path = harness.authorize(&[("client_id", &id), ("code_challenge_method", method)]);
        assert_eq!(
            get(&harness.server, &path).await.location(),
            "/v1/oauth/login",
            "{method:?}"
        );
    }
    let path = harness.authorize(&[("client_id", &id), ("code_challenge_method", "PLAIN")]);
    assert_eq!(
        get(&harness.server, &path)
            .await
            .sent_back("error")
            .as_deref(),
        Some("invalid_request")
    );
}

// Proves: threats 8
/// Fails if a public client is treated as one with a secret.
#[tokio::test]
async fn a_public_client_without_pkce_is_refused_and_one_with_a_secret_is_not() {
    let harness = Harness::new().await;
    let id = harness.public_client.id.to_string();
    let changes = [
        ("client_id", &*id),
        ("redirect_uri", "http://127.0.0.1:9000/callback"),
        ("code_challenge", ""),
        ("code_challenge_method", ""),
    ];
    let answer = get(&harness.server, &harness.authorize(&changes)).await;
    assert_eq!(
        answer.sent_back("error").as_deref(),
        Some("invalid_request")
    );
    let answer = get(
        &harness.server,
        &harness.authorize(&[("code_challenge", ""), ("code_challenge_method", "")]),
    )
    .await;
    assert_eq!(answer.location(), "/v1/oauth/login");
    let strict = ClientSettings {
        pkce_required: true,
        ..harness.client.settings()
    };
    assert_eq!(
        harness
            .store
            .update_client(harness.client.id, &harness.client.settings(), strict)
            .await
            .unwrap(),
        ClientUpdate::Updated
    );
    let answer = get(
        &harness.server,
        &harness.authorize(&[("code_challenge", ""), ("code_challenge_method", "")]),
    )
    .await;
    assert_eq!(
        answer.sent_back("error").as_deref(),
        Some("invalid_request"),
        "the client is registered with it"
    );
    assert_eq!(
        get(&harness.server, &harness.authorize(&[]))
            .await
            .location(),
        "/v1/oauth/login"
    );
}

#[tokio::test]
async fn a_head_request_opens_no_session() {
    let harness = Harness::new().await;
    let request = Request::head(harness.authorize(&[]))
        .body(Body::empty())
        .unwrap();
    let answer = ask(&harness.server, request).await;
    assert_eq!(
        (answer.status, answer.location()),
        (StatusCode::SEE_OTHER, "/v1/oauth/login")
    );
    assert!(answer.header(SET_COOKIE).is_empty());
}

/// The response to a valid request whose session cannot be stored.
pub async fn answer_of_a_broken_store() -> TestResponse {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("school.db");
    let harness =
        tokens::Harness::with_store(Arc::new(SqlStore::sqlite(&path).unwrap()), |builder| {
            builder
        })
        .await;
    let client = harness.client(ClientPolicy::Public).await;
    rusqlite::Connection::open(&path)
        .unwrap()
        .execute_batch("DROP TABLE sessions")
        .unwrap();
    let query = encoded(&[
        ("response_type", "code".to_owned()),
        ("client_id", client.id),
        ("redirect_uri", CALLBACK.to_owned()),
        ("state", "xyz".to_owned()),
        ("code_challenge", CHALLENGE.to_owned()),
        ("code_challenge_method", "S256".to_owned()),
    ]);
    get(&harness.server, &format!("/v1/oauth/authorize?{query}")).await
}

// Proves: spec 3.3
#[tokio::test]
async fn a_server_error_redirects_with_server_error_and_logs_the_cause() {
    let answer = answer_of_a_broken_store().await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
    let told = [
        answer.sent_back("error"),
        answer.sent_back("state"),
        answer.sent_back("iss"),
    ]
    .map(Option::unwrap);
    assert_eq!(told, ["server_error", "xyz", ISSUER]);
    assert!(
        answer.has_cause && !answer.location().contains("sessions"),
        "{answer:?}"
    );
}

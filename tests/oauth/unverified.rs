//! Clients that no administrator has verified.

use http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use http::{Method, StatusCode};
use lyceum::domain::{Client, ClientId, ClientPolicy, Password, Role, Verification};
use lyceum::http::auth_server::AccountCreationOutcome;
use lyceum::store::ClientCreation;

use crate::harness::*;

const PUPIL: &str = "park.pupil@school.example";

/// A client like the harness's own, owned by a pupil.
async fn of_pupil(harness: &Harness, change: impl FnOnce(Client) -> Client) -> Client {
    let created = harness
        .accounts
        .create(
            PUPIL.parse().unwrap(),
            &Password::new(PASSWORD).unwrap(),
            Role::User,
        )
        .await
        .unwrap();
    let AccountCreationOutcome::Created(owner) = created else {
        panic!("{created:?}")
    };
    let client = change(Client {
        id: ClientId::from_random([77; 16]),
        name: "Lunch".parse().unwrap(),
        owner: owner.into(),
        policy: ClientPolicy::Public,
        secrets: Vec::new(),
        verification: Verification::Unverified,
        ..Client::clone(&harness.client)
    });
    assert_eq!(
        harness.store.create_client(client.clone()).await.unwrap(),
        ClientCreation::Created
    );
    client
}

/// Requests of a known client with its own redirect URI, each with a different error.
fn errors(long: &str) -> Vec<(&'static str, Vec<(&'static str, &str)>)> {
    vec![
        ("login_required", vec![("prompt", "none")]),
        ("invalid_request", vec![("prompt", "none login")]),
        (
            "unsupported_response_type",
            vec![("response_type", "token")],
        ),
        ("invalid_request", vec![("response_type", "")]),
        ("invalid_scope", vec![("scope", "service:manage")]),
        ("invalid_scope", vec![("scope", "nonsense")]),
        ("invalid_request", vec![("code_challenge", "")]),
        ("invalid_request", vec![("code_challenge", "short")]),
        ("invalid_request", vec![("code_challenge_method", "plain")]),
        ("invalid_request", vec![("state", long)]),
    ]
}

// Proves: spec 3.24
/// Fails if an error of an authorization request redirects away from the school's host without a
/// click (RFC 9700 §4.11.2).
#[tokio::test]
async fn no_error_alone_sends_a_browser_to_an_unverified_client() {
    let harness = Harness::with_settings(|builder| builder.redirect_scope_errors()).await;
    let id = of_pupil(&harness, |client| client).await.id.to_string();
    let long = "s".repeat(2001);
    for (error, changes) in errors(&long) {
        let path = harness.authorize(&[&[("client_id", &*id)], &changes[..]].concat());
        let page = harness.browser().get(&path).await;
        assert_eq!(
            (page.status, page.location()),
            (StatusCode::BAD_REQUEST, ""),
            "{changes:?}"
        );
        assert!(
            page.is_page()
                && page
                    .header(CONTENT_SECURITY_POLICY)
                    .starts_with("default-src 'none'"),
            "{page:?}"
        );
        assert!(
            !page.body.contains("http-equiv")
                && page.headers.get("refresh").is_none()
                && page.headers.get("link").is_none()
        );
        let link = page
            .body
            .split("href=\"https://app.example/callback")
            .nth(1)
            .expect("a link")
            .split('"')
            .next()
            .unwrap();
        let link = link.replace("&#38;", "&");
        let state = changes
            .iter()
            .find(|(name, _)| *name == "state")
            .map_or("xyz", |(_, state)| state);
        assert!(
            link.starts_with(&format!("?error={error}&error_description=")),
            "{link}"
        );
        assert!(
            link.ends_with(&format!(
                "&state={state}&iss=https%3A%2F%2Fauth.school.example"
            )),
            "{link}"
        );
        assert!(
            page.body.contains("<bdi>app.example</bdi>"),
            "the host is named: {}",
            page.body
        );

        for method in [Method::GET, Method::HEAD] {
            let request = http::Request::builder().method(&method).uri(&path);
            let answer = ask(
                &harness.server,
                request.body(lyceum::http::Body::empty()).unwrap(),
            )
            .await;
            assert_eq!(
                (answer.status, answer.location()),
                (StatusCode::BAD_REQUEST, ""),
                "{changes:?}"
            );
            assert_eq!(answer.header(CONTENT_TYPE), "application/json");
            assert!(
                method == Method::HEAD || answer.json()["error"] == error,
                "{answer:?}"
            );
        }
    }
}

// Proves: spec 3.24
#[tokio::test]
async fn errors_send_a_browser_to_a_verified_client_and_to_one_of_the_services_own() {
    let harness = Harness::with_settings(|builder| builder.redirect_scope_errors()).await;
    let client = of_pupil(&harness, |client| client).await;
    let by = client.owner.clone();
    for (first_party, verification) in [
        (true, Verification::Unverified),
        (false, Verification::Verified { by, at: START }),
        (false, Verification::Assumed),
    ] {
        let id = ClientId::from_random([first_party.into(); 16]);
        let client = Client {
            id,
            first_party,
            verification,
            ..client.clone()
        };
        let _ = harness.store.delete_client(id, START).await.unwrap();
        assert_eq!(
            harness.store.create_client(client).await.unwrap(),
            ClientCreation::Created
        );
        let long = "s".repeat(2001);
        for (error, changes) in errors(&long) {
            let answer = harness
                .browser()
                .get(
                    &harness
                        .authorize(&[&[("client_id", &*id.to_string())], &changes[..]].concat()),
                )
                .await;
            assert_eq!(
                (answer.status, answer.sent_back("error").as_deref()),
                (StatusCode::SEE_OTHER, Some(error)),
                "{changes:?}"
            );
            assert!(answer.location().starts_with(CALLBACK), "{answer:?}");
        }
    }
}

// Proves: spec 3.24
/// Fails if a click is not enough, or an unverified client cannot be used at all.
#[tokio::test]
async fn after_a_click_an_unverified_client_hears_the_decision() {
    let harness = Harness::new().await;
    let id = of_pupil(&harness, |client| client).await.id.to_string();
    for (decision, parameter) in [("deny", "error"), ("allow", "code")] {
        let mut browser = harness.browser();
        browser.get(&harness.authorize(&[("client_id", &id)])).await;
        browser.sign_in(EMAIL, PASSWORD).await;
        let answer = browser.decide(decision).await;
        assert!(
            answer.status == StatusCode::SEE_OTHER && answer.location().starts_with(CALLBACK),
            "{answer:?}"
        );
        assert!(answer.sent_back(parameter).is_some(), "{answer:?}");
    }
}

// Proves: spec 3.24
#[tokio::test]
async fn the_consent_page_says_who_registered_a_client_and_whether_it_is_verified() {
    let harness = Harness::new().await;
    let client = of_pupil(&harness, |client| client).await;
    let id = client.id.to_string();
    let consent = async || {
        let mut browser = harness.browser();
        browser.get(&harness.authorize(&[("client_id", &id)])).await;
        browser.sign_in(EMAIL, PASSWORD).await;
        browser.get("/v1/oauth/consent").await.body
    };
    let page = consent().await;
    assert!(
        page.contains("Unverified") && page.contains(&format!("<bdi>{PUPIL}</bdi>")),
        "{page}"
    );
    let verified = Client {
        verification: Verification::Verified {
            by: client.owner.clone(),
            at: START,
        },
        ..client.clone()
    };
    let verifying = harness
        .store
        .update_client(client.id, &client.settings(), verified.settings())
        .await
        .unwrap();
    assert_eq!(verifying, lyceum::store::ClientUpdate::Updated);
    let page = consent().await;
    assert!(
        !page.contains("Unverified") && page.contains(">Verified<") && page.contains(PUPIL),
        "{page}"
    );
}

/// Fails if consent to a formerly verified client is remembered: its name or redirect URI may have
/// changed.
#[tokio::test]
async fn a_client_that_is_unverified_again_asks_users_who_allowed_it_before() {
    let harness = Harness::new().await;
    let client = of_pupil(&harness, |client| Client {
        verification: Verification::Assumed,
        ..client
    })
    .await;
    let id = client.id.to_string();
    let sign_in = async || {
        let mut browser = harness.browser();
        browser.get(&harness.authorize(&[("client_id", &id)])).await;
        (browser.sign_in(EMAIL, PASSWORD).await, browser)
    };
    let (_, mut browser) = sign_in().await;
    assert!(browser.decide("allow").await.sent_back("code").is_some());
    assert!(
        sign_in().await.0.sent_back("code").is_some(),
        "the consent is remembered"
    );
    let unverified = Client {
        verification: Verification::Unverified,
        ..client.clone()
    };
    let changing = harness
        .store
        .update_client(client.id, &client.settings(), unverified.settings())
        .await
        .unwrap();
    assert_eq!(changing, lyceum::store::ClientUpdate::Updated);
    let (answer, mut browser) = sign_in().await;
    assert!(!answer.location().starts_with(CALLBACK), "{answer:?}");
    assert!(
        browser
            .get("/v1/oauth/consent")
            .await
            .body
            .contains("Unverified")
    );
}

//! Remembered consent.

use http::StatusCode;
use http::header::SET_COOKIE;
use lyceum::domain::{
    AuthorizationCode, ClientProof, Consent, Grant, GrantId, ScopeSet, SubjectId,
};
use lyceum::http::Clock;
use lyceum::store::{GrantRevocation, Redemption, TokenLifetimes};

use crate::harness::*;

const CONSENT: &str = "/v1/oauth/consent";
const LOGIN: &str = "/v1/oauth/login";

async fn owner(harness: &Harness) -> SubjectId {
    harness
        .store
        .account_by_email(&EMAIL.parse().unwrap())
        .await
        .unwrap()
        .unwrap()
        .id
        .into()
}

async fn consent(harness: &Harness) -> Option<Consent> {
    harness
        .store
        .consent(&owner(harness).await, &harness.client.id)
        .await
        .unwrap()
}

fn scopes(harness: &Harness, names: &[&str]) -> ScopeSet {
    names
        .iter()
        .map(|name| format!("{}:{name}", harness.application).parse().unwrap())
        .collect()
}

/// The browser of a user who has signed in for this request, and the response.
async fn sign_in(harness: &Harness, changes: &[(&'static str, &str)]) -> (Browser, TestResponse) {
    let mut browser = harness.browser();
    let started = browser.get(&harness.authorize(changes)).await;
    assert_eq!(
        (started.status, started.location()),
        (StatusCode::SEE_OTHER, LOGIN),
        "{started:?}"
    );
    let answer = browser.sign_in(EMAIL, PASSWORD).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
    (browser, answer)
}

/// The grant of the code in a response.
async fn grant_of(harness: &Harness, answer: &TestResponse) -> Grant {
    let minute = std::time::Duration::from_secs(60);
    let lifetimes = TokenLifetimes {
        idle: minute,
        absolute: minute,
        retry_window: minute,
    };
    let code = AuthorizationCode::parse(&answer.sent_back("code").unwrap()).unwrap();
    let redemption = harness
        .store
        .redeem_authorization_code(
            &code.digest(),
            ClientProof::Pkce,
            lifetimes,
            harness.clock.now(),
        )
        .await;
    match redemption.unwrap() {
        Redemption::Redeemed(grant) => grant,
        other => panic!("{other:?}"),
    }
}

/// Lets a user consent to a request with these parameters, and returns the grant.
async fn allowed(harness: &Harness, changes: &[(&'static str, &str)]) -> GrantId {
    let (mut browser, _) = sign_in(harness, changes).await;
    grant_of(harness, &browser.decide("allow").await).await.id
}

// Proves: spec 3.7
#[tokio::test]
async fn a_stored_consent_skips_the_consent_page() {
    let harness = Harness::new().await;
    allowed(
        &harness,
        &[("scope", &scopes(&harness, &["read", "write"]).to_string())],
    )
    .await;
    for names in [&["read", "write"][..], &["write"], &["read"]] {
        let asked = scopes(&harness, names);
        let (browser, answer) = sign_in(&harness, &[("scope", &asked.to_string())]).await;
        assert!(
            answer
                .location()
                .starts_with("https://app.example/callback?code="),
            "{answer:?}"
        );
        assert_eq!(
            (
                answer.sent_back("state").as_deref(),
                answer.sent_back("iss").as_deref()
            ),
            (Some("xyz"), Some(ISSUER))
        );
        assert!(
            browser.session().is_none() && answer.header(SET_COOKIE).contains("Max-Age=0"),
            "the session has ended"
        );
        let grant = grant_of(&harness, &answer).await;
        assert_eq!(
            (grant.scopes, grant.subject),
            (asked, owner(&harness).await),
            "no more is granted than was asked for"
        );
    }
}

// Proves: spec 3.7
#[tokio::test]
async fn the_consent_page_marks_new_scopes_beside_those_of_a_stored_consent() {
    let harness = Harness::new().await;
    let (mut browser, _) = sign_in(&harness, &[]).await;
    assert!(
        !browser.get(CONSENT).await.body.contains(">New<"),
        "the first time no scope is marked as new"
    );
    browser.decide("allow").await;
    let both = scopes(&harness, &["read", "write"]);
    let (mut browser, answer) = sign_in(&harness, &[("scope", &both.to_string())]).await;
    assert_eq!(answer.location(), CONSENT);
    let page = browser.get(CONSENT).await.body;
    let rows: Vec<_> = page
        .lines()
        .filter(|line| line.starts_with("<li>"))
        .map(|row| (row.contains("Change"), row.contains(">New<")))
        .collect();
    assert_eq!(rows, [(true, true), (false, false)], "{page}");
    let [new, before] =
        ["New permissions", "permission already allowed"].map(|title| page.find(title).unwrap());
    let [change, read] = ["Change your timetable", "Read &#60;your&#62; timetable"]
        .map(|text| page.find(text).unwrap());
    assert!(new < change && change < before && before < read, "{page}");
    assert_eq!(
        consent(&harness).await.unwrap().scopes,
        scopes(&harness, &["read"]),
        "a GET request grants nothing"
    );
    grant_of(&harness, &browser.decide("allow").await).await;
    assert_eq!(consent(&harness).await.unwrap().scopes, both);
}

// Proves: spec 3.7
#[tokio::test]
async fn a_user_who_denies_is_asked_again() {
    let harness = Harness::new().await;
    for _ in 0..2 {
        let (mut browser, answer) = sign_in(&harness, &[]).await;
        assert_eq!(answer.location(), CONSENT);
        browser.decide("deny").await;
    }
    assert_eq!(consent(&harness).await, None);
}

// Proves: spec 3.7
#[tokio::test]
async fn a_withdrawn_consent_is_requested_again() {
    let harness = Harness::new().await;
    let grant = allowed(&harness, &[]).await;
    let withdrawal = harness
        .store
        .revoke_grant_and_consent(&owner(&harness).await, &grant, harness.clock.now())
        .await
        .unwrap();
    assert_eq!(withdrawal, GrantRevocation::Revoked);
    assert_eq!(sign_in(&harness, &[]).await.1.location(), CONSENT);
}

// Proves: spec 3.7
#[tokio::test]
async fn a_consent_is_for_one_user_and_one_client() {
    let harness = Harness::new().await;
    allowed(&harness, &[]).await;
    assert_eq!(
        sign_in(
            &harness,
            &[("client_id", &harness.old_client.id.to_string())]
        )
        .await
        .1
        .location(),
        CONSENT
    );
    let password = lyceum::domain::Password::new("second password").unwrap();
    let created = harness
        .accounts
        .create(
            "lee@school.example".parse().unwrap(),
            &password,
            lyceum::domain::Role::User,
        )
        .await
        .unwrap();
    assert!(matches!(
        created,
        lyceum::http::auth_server::AccountCreationOutcome::Created(_)
    ));
    let mut browser = harness.browser_at_login().await;
    assert_eq!(
        browser
            .sign_in("lee@school.example", "second password")
            .await
            .location(),
        CONSENT
    );
}

// Proves: threats 21
/// Fails if consent is always remembered.
#[tokio::test]
async fn a_client_that_anyone_can_imitate_asks_each_time_and_nothing_is_remembered() {
    let harness = Harness::new().await;
    let id = harness.public_client.id.to_string();
    for redirect_uri in [
        "http://127.0.0.1:8400/callback",
        "http://127.0.0.1:51004/callback",
        "com.example.campus:/callback",
    ] {
        for _ in 0..2 {
            let (mut browser, answer) = sign_in(
                &harness,
                &[("client_id", &id), ("redirect_uri", redirect_uri)],
            )
            .await;
            assert_eq!(answer.location(), CONSENT, "{redirect_uri}");
            grant_of(&harness, &browser.decide("allow").await).await;
        }
    }
    assert_eq!(
        harness
            .store
            .consent(&owner(&harness).await, &harness.public_client.id)
            .await
            .unwrap(),
        None
    );
}

// Proves: spec 3.7
#[tokio::test]
async fn a_client_may_have_its_user_asked_again() {
    let harness = Harness::new().await;
    allowed(&harness, &[]).await;
    for prompt in ["consent", "login consent"] {
        let (mut browser, answer) = sign_in(&harness, &[("prompt", prompt)]).await;
        assert_eq!(answer.location(), CONSENT, "{prompt}");
        assert!(browser.decide("deny").await.sent_back("code").is_none());
    }
    assert!(
        consent(&harness).await.is_some(),
        "a denial withdraws no consent"
    );
    for prompt in ["login", "select_account", "create"] {
        assert!(
            sign_in(&harness, &[("prompt", prompt)])
                .await
                .1
                .sent_back("code")
                .is_some(),
            "{prompt}"
        );
    }
}

#[tokio::test]
async fn prompt_none_without_a_session_is_login_required() {
    let harness = Harness::new().await;
    allowed(&harness, &[]).await;
    for (prompt, error) in [
        ("none", "login_required"),
        ("none consent", "invalid_request"),
    ] {
        let answer = harness
            .browser()
            .get(&harness.authorize(&[("prompt", prompt)]))
            .await;
        assert!(
            answer
                .location()
                .starts_with(&format!("{CALLBACK}?error={error}&")),
            "{answer:?}"
        );
        assert_eq!(
            (
                answer.sent_back("state").as_deref(),
                answer.sent_back("iss").as_deref()
            ),
            (Some("xyz"), Some(ISSUER))
        );
        assert!(
            answer.headers.get(SET_COOKIE).is_none(),
            "no session is opened"
        );
    }
    let elsewhere = harness
        .browser()
        .get(&harness.authorize(&[
            ("prompt", "none"),
            ("redirect_uri", "https://evil.example/"),
        ]))
        .await;
    assert_eq!(
        (elsewhere.status, elsewhere.location()),
        (StatusCode::BAD_REQUEST, "")
    );
}

// Proves: threats 23
/// Fails if the session token is not replaced.
#[tokio::test]
async fn switching_accounts_gives_a_session_with_a_new_id_and_no_user() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_at_consent().await;
    let (before, form) = (browser.cookies.clone(), browser.form_token(CONSENT).await);
    let answer = browser.decide("switch").await;
    assert_eq!(
        (answer.status, answer.location()),
        (StatusCode::SEE_OTHER, LOGIN)
    );
    assert!(
        answer
            .header(SET_COOKIE)
            .contains("; HttpOnly; SameSite=Lax; Secure"),
        "{answer:?}"
    );
    assert_ne!(browser.cookies, before);
    assert_eq!(
        browser.get(CONSENT).await.location(),
        LOGIN,
        "no user is signed in"
    );
    let answer = browser
        .post(CONSENT, &[("form_token", &form), ("decision", "allow")])
        .await;
    assert_eq!(
        answer.status,
        StatusCode::FORBIDDEN,
        "the earlier form belongs to another session"
    );
    let mut old = harness.browser();
    old.cookies = before;
    assert_eq!(
        old.get(CONSENT).await.status,
        StatusCode::UNAUTHORIZED,
        "the earlier session id is invalid"
    );
    assert_eq!(
        browser.sign_in(EMAIL, PASSWORD).await.location(),
        CONSENT,
        "the client's prompt=consent still applies"
    );
    assert!(browser.decide("allow").await.sent_back("code").is_some());
}

// Proves: threats 22
/// Fails if any well-formed token is accepted.
#[tokio::test]
async fn only_the_sessions_own_form_switches_its_account() {
    let harness = Harness::new().await;
    let (mut victim, mut attacker) = (
        harness.browser_at_consent().await,
        harness.browser_at_consent().await,
    );
    let token = attacker.form_token(CONSENT).await;
    assert_eq!(
        victim
            .post(CONSENT, &[("form_token", &token), ("decision", "switch")])
            .await
            .status,
        StatusCode::FORBIDDEN
    );
    assert_eq!(
        victim.post(CONSENT, &[("decision", "switch")]).await.status,
        StatusCode::FORBIDDEN
    );
    assert!(
        victim.decide("allow").await.sent_back("code").is_some(),
        "the session is unchanged"
    );
}

// Proves: threats 22
/// Fails if any well-formed token is accepted.
#[tokio::test]
async fn no_form_but_the_sessions_own_is_spared_the_question() {
    let harness = Harness::new().await;
    allowed(&harness, &[]).await;
    let (mut victim, mut attacker) = (
        harness.browser_at_login().await,
        harness.browser_at_login().await,
    );
    let token = attacker.form_token(LOGIN).await;
    let fields = [
        ("form_token", &*token),
        ("email", EMAIL),
        ("password", PASSWORD),
    ];
    let answer = victim.post(LOGIN, &fields).await;
    assert_eq!(
        (answer.status, answer.location()),
        (StatusCode::FORBIDDEN, "")
    );
}

#[tokio::test]
async fn after_an_external_login_the_consent_page_is_shown_once() {
    let harness = Harness::with_settings(|builder| {
        builder.external_login("https://login.school.example/start")
    })
    .await;
    for is_known in [false, true] {
        let mut browser = harness.browser();
        let token = browser
            .get(&harness.authorize(&[]))
            .await
            .sent_back("token")
            .unwrap();
        let body =
            serde_json::json!({"email": EMAIL, "password": PASSWORD, "token": token}).to_string();
        let answer = post_json(&harness.server, "/v1/oauth/authorize", body).await;
        let answer = browser
            .get(answer.location().strip_prefix(ISSUER).unwrap())
            .await;
        assert_eq!(
            (
                answer.location() == "/v1/oauth/consent",
                answer.sent_back("code").is_some()
            ),
            (!is_known, is_known),
            "{answer:?}"
        );
        if !is_known {
            assert!(browser.decide("allow").await.sent_back("code").is_some());
        }
    }
    assert!(consent(&harness).await.is_some());
}

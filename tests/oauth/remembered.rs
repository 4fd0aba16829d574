//! What a user allowed before, when it spares them the question, and when it does not.

use http::StatusCode;
use http::header::SET_COOKIE;
use lyceum::domain::{AuthorizationCode, ClientProof, Consent, Grant, GrantId, ScopeSet, SubjectId};
use lyceum::http::Clock;
use lyceum::store::{Redemption, TokenLifetimes, Withdrawal};

use crate::harness::*;

const CONSENT: &str = "/v1/oauth/consent";
const LOGIN: &str = "/v1/oauth/login";

async fn owner(world: &World) -> SubjectId {
    world.store.account_by_email(&EMAIL.parse().unwrap()).await.unwrap().unwrap().id.into()
}

async fn consent(world: &World) -> Option<Consent> {
    world.store.consent(&owner(world).await, &world.client.id).await.unwrap()
}

fn scopes(world: &World, names: &[&str]) -> ScopeSet {
    names.iter().map(|name| format!("{}:{name}", world.application).parse().unwrap()).collect()
}

/// The browser of a user who has signed in for this request, and the answer to that.
async fn sign_in(world: &World, changes: &[(&'static str, &str)]) -> (Browser, Answer) {
    let mut browser = world.browser();
    let started = browser.get(&world.authorize(changes)).await;
    assert_eq!((started.status, started.location()), (StatusCode::SEE_OTHER, LOGIN), "{started:?}");
    let answer = browser.sign_in(EMAIL, PASSWORD).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
    (browser, answer)
}

/// The grant that comes of the code in an answer.
async fn grant_of(world: &World, answer: &Answer) -> Grant {
    let minute = std::time::Duration::from_secs(60);
    let lifetimes = TokenLifetimes { idle: minute, absolute: minute, retry_window: minute };
    let code = AuthorizationCode::presented(&answer.sent_back("code").unwrap()).unwrap();
    let redemption = world.store.redeem_authorization_code(&code.digest(), ClientProof::Pkce, lifetimes, world.clock.now()).await;
    match redemption.unwrap() {
        Redemption::Redeemed(grant) => grant,
        other => panic!("{other:?}"),
    }
}

/// A user who has allowed what a request with these parameters asks for, and the grant.
async fn allowed(world: &World, changes: &[(&'static str, &str)]) -> GrantId {
    let (mut browser, _) = sign_in(world, changes).await;
    grant_of(world, &browser.decide("allow").await).await.id
}

#[tokio::test]
async fn decision_3_7_what_was_allowed_before_is_not_asked_for_again() {
    let world = World::new().await;
    allowed(&world, &[("scope", &scopes(&world, &["read", "write"]).to_string())]).await;
    for names in [&["read", "write"][..], &["write"], &["read"]] {
        let asked = scopes(&world, names);
        let (browser, answer) = sign_in(&world, &[("scope", &asked.to_string())]).await;
        assert!(answer.location().starts_with("https://app.example/callback?code="), "{answer:?}");
        assert_eq!((answer.sent_back("state").as_deref(), answer.sent_back("iss").as_deref()), (Some("xyz"), Some(ISSUER)));
        assert!(browser.session().is_none() && answer.header(SET_COOKIE).contains("Max-Age=0"), "the session is over");
        let grant = grant_of(&world, &answer).await;
        assert_eq!((grant.scopes, grant.subject), (asked, owner(&world).await), "no more is granted than was asked for");
    }
}

#[tokio::test]
async fn decision_3_7_new_scopes_are_asked_for_and_marked_beside_those_of_before() {
    let world = World::new().await;
    let (mut browser, _) = sign_in(&world, &[]).await;
    assert!(!browser.get(CONSENT).await.body.contains(">New<"), "the first time everything is new");
    browser.decide("allow").await;
    let both = scopes(&world, &["read", "write"]);
    let (mut browser, answer) = sign_in(&world, &[("scope", &both.to_string())]).await;
    assert_eq!(answer.location(), CONSENT);
    let page = browser.get(CONSENT).await.body;
    let rows: Vec<_> =
        page.lines().filter(|line| line.starts_with("<li>")).map(|row| (row.contains("Change"), row.contains(">New<"))).collect();
    assert_eq!(rows, [(true, true), (false, false)], "{page}");
    let [new, before] = ["New since last time", "Allowed before"].map(|title| page.find(title).unwrap());
    let [change, read] = ["Change your timetable", "Read &#60;your&#62; timetable"].map(|text| page.find(text).unwrap());
    assert!(new < change && change < before && before < read, "{page}");
    assert_eq!(consent(&world).await.unwrap().scopes, scopes(&world, &["read"]), "nothing is allowed by looking");
    grant_of(&world, &browser.decide("allow").await).await;
    assert_eq!(consent(&world).await.unwrap().scopes, both);
}

#[tokio::test]
async fn decision_3_7_a_user_who_denies_is_asked_again() {
    let world = World::new().await;
    for _ in 0..2 {
        let (mut browser, answer) = sign_in(&world, &[]).await;
        assert_eq!(answer.location(), CONSENT);
        browser.decide("deny").await;
    }
    assert_eq!(consent(&world).await, None);
}

#[tokio::test]
async fn decision_3_7_what_was_withdrawn_is_asked_for_again() {
    let world = World::new().await;
    let grant = allowed(&world, &[]).await;
    let withdrawal = world.store.withdraw_grant(&owner(&world).await, &grant, world.clock.now()).await.unwrap();
    assert_eq!(withdrawal, Withdrawal::Withdrawn);
    assert_eq!(sign_in(&world, &[]).await.1.location(), CONSENT);
}

#[tokio::test]
async fn decision_3_7_nobody_consents_for_another_user_or_another_client() {
    let world = World::new().await;
    allowed(&world, &[]).await;
    assert_eq!(sign_in(&world, &[("client_id", &world.old_client.id.to_string())]).await.1.location(), CONSENT);
    let password = lyceum::domain::Password::new("second password").unwrap();
    let created = world.accounts.create("lee@school.example".parse().unwrap(), &password, lyceum::domain::Role::User).await.unwrap();
    assert!(matches!(created, lyceum::http::auth_server::AccountCreation::Created(_)));
    let mut browser = world.browser_at_login().await;
    assert_eq!(browser.sign_in("lee@school.example", "second password").await.location(), CONSENT);
}

/// Fails if consent is always remembered.
#[tokio::test]
async fn s21_a_client_that_anyone_can_imitate_asks_each_time_and_nothing_is_remembered() {
    let world = World::new().await;
    let id = world.public_client.id.to_string();
    for redirect_uri in ["http://127.0.0.1:8400/callback", "http://127.0.0.1:51004/callback", "com.example.campus:/callback"] {
        for _ in 0..2 {
            let (mut browser, answer) = sign_in(&world, &[("client_id", &id), ("redirect_uri", redirect_uri)]).await;
            assert_eq!(answer.location(), CONSENT, "{redirect_uri}");
            grant_of(&world, &browser.decide("allow").await).await;
        }
    }
    assert_eq!(world.store.consent(&owner(&world).await, &world.public_client.id).await.unwrap(), None);
}

#[tokio::test]
async fn decision_3_7_a_client_may_have_its_user_asked_again() {
    let world = World::new().await;
    allowed(&world, &[]).await;
    for prompt in ["consent", "login consent"] {
        let (mut browser, answer) = sign_in(&world, &[("prompt", prompt)]).await;
        assert_eq!(answer.location(), CONSENT, "{prompt}");
        assert!(browser.decide("deny").await.sent_back("code").is_none());
    }
    assert!(consent(&world).await.is_some(), "a denial takes nothing back");
    for prompt in ["login", "select_account", "create"] {
        assert!(sign_in(&world, &[("prompt", prompt)]).await.1.sent_back("code").is_some(), "{prompt}");
    }
}

#[tokio::test]
async fn a_client_that_wants_no_page_is_told_that_its_user_has_to_sign_in() {
    let world = World::new().await;
    allowed(&world, &[]).await;
    for (prompt, error) in [("none", "login_required"), ("none consent", "invalid_request")] {
        let answer = world.browser().get(&world.authorize(&[("prompt", prompt)])).await;
        assert!(answer.location().starts_with(&format!("{CALLBACK}?error={error}&")), "{answer:?}");
        assert_eq!((answer.sent_back("state").as_deref(), answer.sent_back("iss").as_deref()), (Some("xyz"), Some(ISSUER)));
        assert!(answer.headers.get(SET_COOKIE).is_none(), "no session is opened");
    }
    let elsewhere = world.browser().get(&world.authorize(&[("prompt", "none"), ("redirect_uri", "https://evil.example/")])).await;
    assert_eq!((elsewhere.status, elsewhere.location()), (StatusCode::BAD_REQUEST, ""));
}

/// Fails if the old one is given again.
#[tokio::test]
async fn s23_who_uses_another_account_gets_a_session_with_a_new_id_and_nobody_in_it() {
    let world = World::new().await;
    let mut browser = world.browser_at_consent().await;
    let (before, form) = (browser.cookies.clone(), browser.form_token(CONSENT).await);
    let answer = browser.decide("switch").await;
    assert_eq!((answer.status, answer.location()), (StatusCode::SEE_OTHER, LOGIN));
    assert!(answer.header(SET_COOKIE).contains("; HttpOnly; SameSite=Lax; Secure"), "{answer:?}");
    assert_ne!(browser.cookies, before);
    assert_eq!(browser.get(CONSENT).await.location(), LOGIN, "nobody is signed in");
    let answer = browser.post(CONSENT, &[("form_token", &form), ("decision", "allow")]).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN, "the form of before is another session's");
    let mut old = world.browser();
    old.cookies = before;
    assert_eq!(old.get(CONSENT).await.status, StatusCode::UNAUTHORIZED, "the id of before is worth nothing");
    assert_eq!(browser.sign_in(EMAIL, PASSWORD).await.location(), CONSENT, "and the client's wish to ask stays");
    assert!(browser.decide("allow").await.sent_back("code").is_some());
}

/// Fails if any token in the right form is good.
#[tokio::test]
async fn s22_nobody_else_switches_the_account_of_a_session() {
    let world = World::new().await;
    let (mut victim, mut attacker) = (world.browser_at_consent().await, world.browser_at_consent().await);
    let token = attacker.form_token(CONSENT).await;
    assert_eq!(victim.post(CONSENT, &[("form_token", &token), ("decision", "switch")]).await.status, StatusCode::FORBIDDEN);
    assert_eq!(victim.post(CONSENT, &[("decision", "switch")]).await.status, StatusCode::FORBIDDEN);
    assert!(victim.decide("allow").await.sent_back("code").is_some(), "the session was left as it was");
}

/// Fails if any token in the right form is good.
#[tokio::test]
async fn s22_no_form_but_the_sessions_own_is_spared_the_question() {
    let world = World::new().await;
    allowed(&world, &[]).await;
    let (mut victim, mut attacker) = (world.browser_at_login().await, world.browser_at_login().await);
    let token = attacker.form_token(LOGIN).await;
    let fields = [("form_token", &*token), ("email", EMAIL), ("password", PASSWORD)];
    let answer = victim.post(LOGIN, &fields).await;
    assert_eq!((answer.status, answer.location()), (StatusCode::FORBIDDEN, ""));
}

#[tokio::test]
async fn after_a_login_page_elsewhere_the_user_is_asked_here_once() {
    let world = World::with(|builder| builder.external_login("https://login.school.example/start")).await;
    for is_known in [false, true] {
        let mut browser = world.browser();
        let token = browser.get(&world.authorize(&[])).await.sent_back("token").unwrap();
        let body = serde_json::json!({"email": EMAIL, "password": PASSWORD, "token": token}).to_string();
        let answer = post_json(&world.server, "/v1/oauth/authorize", body).await;
        let answer = browser.get(answer.location().strip_prefix(ISSUER).unwrap()).await;
        assert_eq!((answer.location() == "/v1/oauth/consent", answer.sent_back("code").is_some()), (!is_known, is_known), "{answer:?}");
        if !is_known {
            assert!(browser.decide("allow").await.sent_back("code").is_some());
        }
    }
    assert!(consent(&world).await.is_some());
}

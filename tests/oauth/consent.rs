use http::StatusCode;
use http::header::SET_COOKIE;
use lyceum::domain::{AuthorizationCode, AuthorizationSession, ClientProof, ClientSettings, ScopeSet, SessionToken, SubjectId};
use lyceum::http::Clock;
use lyceum::store::{ClientUpdate, Redemption, TokenLifetimes};
use std::time::Duration;

use crate::harness::*;

const CONSENT: &str = "/v1/oauth/consent";
const LIFETIMES: TokenLifetimes =
    TokenLifetimes { idle: Duration::from_secs(60), absolute: Duration::from_secs(60), retry_window: Duration::from_secs(30) };

async fn redeem(world: &World, code: &str) -> Redemption {
    let code = AuthorizationCode::presented(code).unwrap();
    world.store.redeem_authorization_code(&code.digest(), ClientProof::Pkce, LIFETIMES, world.clock.now()).await.unwrap()
}

/// Whose address it is.
async fn owner_of(world: &World, email: &str) -> SubjectId {
    world.store.account_by_email(&email.parse().unwrap()).await.unwrap().unwrap().id.into()
}

#[tokio::test]
async fn the_page_says_who_asks_whom_for_what_and_how_long() {
    let world = World::new().await;
    let mut browser = world.browser();
    browser.get(&world.authorize(&[("scope", "")])).await;
    browser.sign_in(EMAIL, PASSWORD).await;
    world.clock.advance(Duration::from_secs(61));
    let page = browser.get(CONSENT).await;
    for text in [
        "Timetable &#60;Plus&#62;",
        EMAIL,
        "Read &#60;your&#62; timetable",
        "Change your timetable",
        "Timetable &#38; Friends",
        "Read your basic information and student details",
        "School account",
        "9 minutes left",
        "value=\"allow\"",
        "value=\"deny\"",
    ] {
        assert!(page.body.contains(text), "{text} is missing in {}", page.body);
    }
}

#[tokio::test]
async fn decision_3_6_and_3_9_allowing_sends_a_new_code_that_is_good_for_what_was_asked() {
    let world = World::new().await;
    let mut browser = world.browser_at_consent().await;
    let answer = browser.decide("allow").await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    let code = answer.sent_back("code").unwrap();
    assert_eq!(code.len(), 43, "256 bits in base64url");
    let digest = AuthorizationCode::presented(&code).unwrap().digest();
    let binding = world.store.code_binding(&digest).await.unwrap().unwrap();
    assert_eq!((binding.client, &*binding.redirect_uri), (world.client.id, CALLBACK));
    assert_eq!(binding.challenge.unwrap().as_str(), CHALLENGE);
    let Redemption::Redeemed(grant) = redeem(&world, &code).await else { panic!("not redeemed") };
    assert_eq!((grant.client, grant.subject), (world.client.id, owner_of(&world, EMAIL).await));
    assert_eq!(grant.scopes.to_string(), format!("{}:read", world.application));
    assert!(browser.session().is_none() && answer.header(SET_COOKIE).contains("Max-Age=0"));
}

#[tokio::test]
async fn decision_3_9_a_code_lives_for_a_minute_unless_the_host_says_otherwise() {
    let minute = World::new().await;
    let longer = World::with(|builder| builder.code_lifetime(10 * MINUTE)).await;
    for (world, seconds, is_good) in [(&minute, 59, true), (&minute, 60, false), (&longer, 599, true), (&longer, 600, false)] {
        let code = world.browser_at_consent().await.decide("allow").await.sent_back("code").unwrap();
        world.clock.advance(Duration::from_secs(seconds));
        let redemption = redeem(world, &code).await;
        assert_eq!(matches!(redemption, Redemption::Redeemed(_)), is_good, "{redemption:?}");
        assert_eq!(matches!(redemption, Redemption::Expired), !is_good, "{redemption:?}");
    }
}

#[tokio::test]
async fn decision_3_9_every_code_is_another() {
    let world = World::new().await;
    let mut codes = std::collections::HashSet::new();
    for _ in 0..10 {
        assert!(codes.insert(world.browser_at_consent().await.decide("allow").await.sent_back("code").unwrap()));
    }
}

#[tokio::test]
async fn decision_3_6_denying_tells_the_client_and_ends_the_session() {
    let world = World::new().await;
    let mut browser = world.browser_at_consent().await;
    let cookies = browser.cookies.clone();
    let answer = browser.decide("deny").await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    assert!(answer.location().starts_with("https://app.example/callback?error=access_denied&"), "{answer:?}");
    assert_eq!((answer.sent_back("state").as_deref(), answer.sent_back("code")), (Some("xyz"), None));
    assert!(browser.session().is_none());
    browser.cookies = cookies;
    assert_eq!(browser.get(CONSENT).await.status, StatusCode::UNAUTHORIZED);
}

/// Fails if any token in the right form is good.
#[tokio::test]
async fn s22_the_form_of_another_browser_decides_nothing() {
    let world = World::new().await;
    let (mut victim, mut attacker) = (world.browser_at_consent().await, world.browser_at_consent().await);
    let token = attacker.form_token(CONSENT).await;
    for decision in ["allow", "deny"] {
        let answer = victim.post(CONSENT, &[("form_token", &token), ("decision", decision)]).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN);
        assert_eq!(victim.post(CONSENT, &[("decision", decision)]).await.status, StatusCode::FORBIDDEN);
    }
    // Two browsers whose session ids were swapped: each page's form belongs to the other session.
    let mine = victim.form_token(CONSENT).await;
    std::mem::swap(&mut victim.cookies, &mut attacker.cookies);
    assert_eq!(victim.post(CONSENT, &[("form_token", &mine), ("decision", "allow")]).await.status, StatusCode::FORBIDDEN);
    std::mem::swap(&mut victim.cookies, &mut attacker.cookies);
    assert!(victim.decide("allow").await.sent_back("code").is_some(), "the session was left as it was");
}

/// Fails if any token in the right form is good.
#[tokio::test]
async fn s22_the_login_pages_form_does_not_decide_because_signing_in_changes_the_session() {
    let world = World::new().await;
    let mut browser = world.browser_at_login().await;
    let before = browser.form_token("/v1/oauth/login").await;
    browser.sign_in(EMAIL, PASSWORD).await;
    assert_eq!(browser.post(CONSENT, &[("form_token", &before), ("decision", "allow")]).await.status, StatusCode::FORBIDDEN);
}

/// Fails if fields that are not the form's own are passed over.
#[tokio::test]
async fn s25_no_field_of_the_form_changes_what_was_asked() {
    let world = World::new().await;
    let (public, wide) = (world.public_client.id.to_string(), world.client.allowed_scopes.to_string());
    for (name, value) in [
        ("client_id", &*public),
        ("redirect_uri", "https://evil.example/"),
        ("scope", &*wide),
        ("state", "evil"),
        ("code_challenge", "evil"),
        ("email", "admin@school.example"),
        ("sub", "admin@school.example"),
        ("role", "ADMIN"),
        ("prompt", "login"),
        ("remember", "1"),
        ("token", "evil"),
    ] {
        let mut browser = world.browser_at_consent().await;
        let token = browser.form_token(CONSENT).await;
        let fields = [("form_token", &*token), ("decision", "allow"), (name, value)];
        assert_eq!(browser.post(CONSENT, &fields).await.status, StatusCode::BAD_REQUEST, "{name}");
        // Neither does the query.
        let form = encoded(&[("form_token", token), ("decision", "allow".to_owned())]);
        let path = format!("{CONSENT}?{}", encoded(&[(name, value.to_owned())]));
        let answer = browser.send(http::Method::POST, &path, Some("application/x-www-form-urlencoded"), &form).await;
        assert!(answer.location().starts_with("https://app.example/callback?code="), "{answer:?}");
        assert_eq!(answer.sent_back("state").as_deref(), Some("xyz"));
        let Redemption::Redeemed(grant) = redeem(&world, &answer.sent_back("code").unwrap()).await else { panic!("not redeemed") };
        assert_eq!((grant.client, grant.subject), (world.client.id, owner_of(&world, EMAIL).await));
        assert_eq!(grant.scopes.to_string(), format!("{}:read", world.application));
    }
}

#[tokio::test]
async fn approving_twice_or_too_late_gives_a_page_and_no_second_code() {
    let world = World::new().await;
    let mut browser = world.browser_at_consent().await;
    let (cookies, token) = (browser.cookies.clone(), browser.form_token(CONSENT).await);
    assert!(browser.decide("allow").await.sent_back("code").is_some());
    browser.cookies = cookies;
    let again = browser.post(CONSENT, &[("form_token", &token), ("decision", "allow")]).await;
    assert_eq!((again.status, again.is_page()), (StatusCode::UNAUTHORIZED, true));

    let mut late = world.browser_at_consent().await;
    let token = late.form_token(CONSENT).await;
    world.clock.advance(10 * MINUTE);
    let answer = late.post(CONSENT, &[("form_token", &token), ("decision", "allow")]).await;
    assert_eq!((answer.status, answer.is_page()), (StatusCode::UNAUTHORIZED, true));
}

#[tokio::test]
async fn nobody_decides_before_signing_in() {
    let world = World::new().await;
    let mut browser = world.browser_at_login().await;
    assert_eq!(browser.get(CONSENT).await.location(), "/v1/oauth/login");
    let token = browser.form_token("/v1/oauth/login").await;
    for decision in ["allow", "deny"] {
        let answer = browser.post(CONSENT, &[("form_token", &token), ("decision", decision)]).await;
        assert_eq!((answer.status, answer.location()), (StatusCode::SEE_OTHER, "/v1/oauth/login"));
    }
    assert!(browser.session().is_some(), "the sign-in can go on");
}

#[tokio::test]
async fn a_decision_is_allow_or_deny() {
    let world = World::new().await;
    let mut browser = world.browser_at_consent().await;
    let token = browser.form_token(CONSENT).await;
    for decision in ["", "ALLOW", "yes"] {
        let answer = browser.post(CONSENT, &[("form_token", &token), ("decision", decision)]).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{decision:?}");
    }
    assert_eq!(browser.post(CONSENT, &[("form_token", &token)]).await.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn another_account_can_be_used_until_the_decision() {
    let world = World::new().await;
    let password = lyceum::domain::Password::new("second password").unwrap();
    let created = world.accounts.create("lee@school.example".parse().unwrap(), &password, lyceum::domain::Role::Admin).await.unwrap();
    assert!(matches!(created, lyceum::http::auth_server::AccountCreation::Created(_)));
    let mut browser = world.browser_at_consent().await;
    browser.sign_in("lee@school.example", "second password").await;
    let code = browser.decide("allow").await.sent_back("code").unwrap();
    let Redemption::Redeemed(grant) = redeem(&world, &code).await else { panic!("not redeemed") };
    assert_eq!(grant.subject, owner_of(&world, "lee@school.example").await);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_approvals_at_once_exactly_one_gets_a_code() {
    let world = World::new().await;
    let mut browser = world.browser_at_consent().await;
    let token = browser.form_token(CONSENT).await;
    let mut approvals = tokio::task::JoinSet::new();
    for _ in 0..64 {
        let mut twin = world.browser();
        (twin.cookies, twin.address) = (browser.cookies.clone(), browser.address);
        let token = token.clone();
        approvals.spawn(async move { twin.post(CONSENT, &[("form_token", &token), ("decision", "allow")]).await });
    }
    let answers = approvals.join_all().await;
    assert_eq!(answers.iter().filter(|answer| answer.sent_back("code").is_some()).count(), 1);
    assert_eq!(answers.iter().filter(|answer| answer.status == StatusCode::UNAUTHORIZED).count(), 63);
}

#[tokio::test]
async fn a_scope_that_was_deleted_since_is_neither_shown_nor_granted() {
    let world = World::new().await;
    let mut browser = world.browser_at_consent().await;
    let token = SessionToken::presented(browser.session().unwrap()).unwrap();
    let session = world.store.close_session(&token.digest(), START).await.unwrap().unwrap();
    // The session as it would be, had one of its scopes been deleted.
    let gone = ScopeSet::parse(&format!("{} {}:gone", session.scopes, world.application)).unwrap();
    let form_token = {
        world.store.open_session(token.digest(), session.clone()).await.unwrap();
        let form_token = browser.form_token("/v1/oauth/consent").await;
        world.store.close_session(&token.digest(), START).await.unwrap();
        form_token
    };
    world.store.open_session(token.digest(), AuthorizationSession { scopes: gone, ..session }).await.unwrap();
    let shown = browser.get("/v1/oauth/consent").await;
    assert_eq!((shown.status, shown.is_page()), (StatusCode::BAD_REQUEST, true), "{shown:?}");
    let allowed = browser.post("/v1/oauth/consent", &[("form_token", &form_token), ("decision", "allow")]).await;
    assert_eq!((allowed.status, allowed.location()), (StatusCode::BAD_REQUEST, ""), "{allowed:?}");
}

#[tokio::test]
async fn a_session_that_has_lost_all_its_scopes_grants_nothing_also_by_what_was_allowed_before() {
    let world = World::new().await;
    assert!(world.browser_at_consent().await.decide("allow").await.sent_back("code").is_some());
    let mut browser = world.browser_at_login().await;
    let (form, token) = (browser.form_token("/v1/oauth/login").await, SessionToken::presented(browser.session().unwrap()).unwrap());
    let session = world.store.close_session(&token.digest(), START).await.unwrap().unwrap();
    world.store.open_session(token.digest(), AuthorizationSession { scopes: ScopeSet::default(), ..session }).await.unwrap();
    let answer = browser.post("/v1/oauth/login", &[("form_token", &form), ("email", EMAIL), ("password", PASSWORD)]).await;
    assert_eq!(answer.location(), CONSENT, "{answer:?}");
    assert_eq!(browser.get(CONSENT).await.status, StatusCode::BAD_REQUEST);
}

/// Fails if only what was registered when the session began counts.
#[tokio::test]
async fn s13_what_the_client_has_given_up_since_is_neither_shown_nor_granted_nor_gone_to() {
    let world = World::new().await;
    let before = world.client.settings();
    let narrower = ClientSettings { allowed_scopes: ScopeSet::parse("service:self_read").unwrap(), ..before.clone() };
    let moved = ClientSettings { redirect_uris: vec!["https://moved.example/".parse().unwrap()], ..before.clone() };
    for (now, status) in [(narrower, StatusCode::BAD_REQUEST), (moved, StatusCode::UNAUTHORIZED)] {
        for decision in ["allow", "deny"] {
            let mut browser = world.browser_at_consent().await;
            let form_token = browser.form_token(CONSENT).await;
            assert_eq!(world.store.update_client(world.client.id, &before, now.clone()).await.unwrap(), ClientUpdate::Updated);
            let shown = browser.get(CONSENT).await;
            let decided = browser.post(CONSENT, &[("form_token", &form_token), ("decision", decision)]).await;
            assert_eq!(shown.status, status, "{shown:?}");
            if decision == "deny" && status == StatusCode::BAD_REQUEST {
                assert!(decided.sent_back("error").is_some(), "nothing is given by saying no: {decided:?}");
            } else {
                assert_eq!((decided.status, decided.location()), (status, ""), "{decided:?}");
            }
            assert_eq!(world.store.update_client(world.client.id, &now, before.clone()).await.unwrap(), ClientUpdate::Updated);
        }
    }
}

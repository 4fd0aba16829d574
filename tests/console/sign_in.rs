use http::StatusCode;
use lyceum::domain::{Password, UserSessionToken};
use lyceum::http::audit::EventKind;
use lyceum::store::OwnedApiKeys;

use crate::harness::*;

#[tokio::test]
async fn whoever_has_not_signed_in_is_led_to_the_sign_in_page_and_back() {
    let world = World::new().await;
    let mut browser = world.browser();
    let answer = browser.get("/?x=1").await;
    assert_eq!((answer.status, answer.location()), (StatusCode::SEE_OTHER, "/console/sign-in?next=%2F%3Fx%3D1&done=first"));
    let page = browser.follow().await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.body.contains("name=\"next\" value=\"/?x=1\"") && page.body.contains("Please sign in"), "{}", page.body);
    let fields = [("form_token", &*form_token(&page.body)), ("email", EMAIL), ("password", PASSWORD), ("next", "/?x=1")];
    let answer = browser.post("/sign-in", &fields).await;
    assert_eq!((answer.status, answer.location()), (StatusCode::SEE_OTHER, "/console/?x=1"));
    assert_eq!(browser.follow().await.status, StatusCode::OK);
    let again = browser.get("/sign-in").await;
    assert_eq!((again.status, again.location()), (StatusCode::SEE_OTHER, "/console/"), "who is signed in need not again");
}

/// Fails if `next` is followed wherever it leads.
#[tokio::test]
async fn s14_nobody_is_led_elsewhere_after_signing_in() {
    let world = World::new().await;
    for next in [
        "//evil.example",
        "https://evil.example/",
        "/\\evil.example",
        "/nowhere",
        "javascript:alert(1)",
        "/?a\r\nb: c",
        "/keys/a\r\nb: c",
        "/apps/é/withdraw",
    ] {
        let mut browser = world.browser();
        let token = form_token(&browser.get("/sign-in?next=//evil.example/").await.body);
        let fields = [("form_token", &*token), ("email", EMAIL), ("password", PASSWORD), ("next", next)];
        assert_eq!(browser.post("/sign-in", &fields).await.location(), "/console/", "{next:?}");
    }
}

/// Fails if the token of before goes on, or the cookie is one that a subdomain could plant.
#[tokio::test]
async fn s23_signing_in_gives_a_new_token_in_a_cookie_of_the_host_alone() {
    let world = World::new().await;
    let mut browser = world.browser();
    browser.get("/sign-in").await;
    let before = browser.cookies[0].1.clone();
    let answer = browser.sign_in(EMAIL, PASSWORD).await;
    let given = answer.cookies().into_iter().find(|cookie| cookie.starts_with("__Host-lyceum-console=")).unwrap().to_owned();
    assert!(given.ends_with("; Path=/; Max-Age=43200; HttpOnly; SameSite=Lax; Secure"), "{given}");
    assert!(!given.contains(&before) && browser.cookies.len() == 1, "{given}");
    let first = browser.session().unwrap().to_owned();
    // A planted session's token is not that of whoever signs in with it.
    let mut victim = world.browser();
    victim.cookies = vec![("__Host-lyceum-console".to_owned(), first.clone()), ("__Host-lyceum-visit".to_owned(), before)];
    assert_eq!(victim.get("/").await.status, StatusCode::OK);
    victim.cookies.push(("__Host-lyceum-console".to_owned(), first));
    assert_eq!(victim.get("/").await.status, StatusCode::SEE_OTHER, "of two cookies one may be planted");
}

#[tokio::test]
async fn s23_without_tls_on_loopback_the_cookie_has_a_plain_name() {
    let world = World::at("http://127.0.0.1:8080/console", |builder| builder, |builder| builder).await;
    let browser = world.browser_of(EMAIL).await;
    assert_eq!(browser.cookies[0].0, "lyceum-console");
}

/// Fails if a form without its browser's token signs anybody in.
#[tokio::test]
async fn s23_nobody_is_signed_in_by_another_page() {
    let world = World::new().await;
    let (mut attacker, mut victim) = (world.browser(), world.browser());
    let token = form_token(&attacker.get("/sign-in").await.body);
    victim.get("/sign-in").await;
    for (browser, token) in [(&mut victim, &*token), (&mut world.browser(), &*token), (&mut attacker, ""), (&mut world.browser(), "")] {
        let answer = browser.post("/sign-in", &[("form_token", token), ("email", EMAIL), ("password", PASSWORD), ("next", "/")]).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{answer:?}");
        assert!(answer.body.contains("The form was too old") && browser.session().is_none());
        // The page has a form that is good.
        let fields = [("form_token", &*form_token(&answer.body)), ("email", EMAIL), ("password", PASSWORD), ("next", "/")];
        assert_eq!(browser.post("/sign-in", &fields).await.status, StatusCode::SEE_OTHER);
        browser.cookies.clear();
    }
}

#[tokio::test]
async fn a_wrong_password_is_told_as_an_unknown_address_is() {
    let world = World::new().await;
    let mut bodies = Vec::new();
    for (email, password) in [(EMAIL, "wrong"), ("nobody@school.example", PASSWORD), ("nonsense", PASSWORD), ("", "")] {
        let mut browser = world.browser();
        let answer = browser.sign_in(email, password).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
        assert!(answer.body.contains("The e-mail address or the password is wrong.") && browser.session().is_none());
        let token = form_token(&answer.body);
        bodies.push(answer.body.replace(&token, "").replace(&format!("value=\"{email}\""), "value=\"\""));
        assert!(!answer.body.contains(PASSWORD));
    }
    assert!(bodies.iter().all(|body| *body == bodies[0]));
}

/// Fails if the console has attempts of its own.
#[tokio::test]
async fn s40_both_doors_have_one_budget_of_attempts() {
    let world = World::new().await;
    for _ in 0..10 {
        assert_eq!(world.browser().sign_in(EMAIL, "wrong").await.status, StatusCode::UNAUTHORIZED);
    }
    let answer = world.browser().sign_in(EMAIL, PASSWORD).await;
    assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(answer.header("retry-after").parse::<u64>().unwrap() > 0 && answer.body.contains("Please try again later"));
    let (old, new) = (Password::new(PASSWORD).unwrap(), Password::new("another one").unwrap());
    let verdict = world.auth.office().change_password(&world.person, &old, &new, OwnedApiKeys::Revoke, None).await.unwrap();
    assert!(format!("{verdict:?}").contains("TooManyAttempts"), "{verdict:?}");
}

#[tokio::test]
async fn signing_in_is_told_to_the_audit_log_and_kept_as_a_digest() {
    let world = World::new().await;
    world.browser().sign_in(EMAIL, "wrong").await;
    let browser = world.browser_of(EMAIL).await;
    let kinds: Vec<EventKind> = world.log.events().into_iter().map(|event| event.kind).collect();
    let signed_in = EventKind::SignedIn { subject: world.person.clone(), client: None };
    assert!(kinds.contains(&EventKind::SignInRefused { client: None }) && kinds.contains(&signed_in), "{kinds:?}");
    let token = UserSessionToken::presented(browser.session().unwrap()).unwrap();
    let kept = world.store.user_session(&token.digest(), MINUTE, START).await.unwrap().unwrap();
    assert_eq!((kept.subject, kept.browser.unwrap().to_string()), (world.person.clone(), "Firefox, Linux".to_owned()));
}

use http::StatusCode;
use lyceum::domain::{Password, UserSessionToken};
use lyceum::http::Branding;
use lyceum::http::audit::{EmailOwner, EventKind};
use lyceum::http::auth_server::AuthServerBuilder;
use lyceum::store::ApiKeyAction;

use crate::harness::*;

#[tokio::test]
async fn a_signed_out_request_is_redirected_to_sign_in_and_back() {
    let harness = Harness::new().await;
    let mut browser = harness.browser();
    let answer = browser.get("/?x=1").await;
    assert_eq!(
        (answer.status, answer.location()),
        (
            StatusCode::SEE_OTHER,
            "/console/sign-in?next=%2F%3Fx%3D1&done=first"
        )
    );
    let page = browser.follow().await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(
        page.body.contains("name=\"next\" value=\"/?x=1\"") && page.body.contains("Please sign in"),
        "{}",
        page.body
    );
    let fields = [
        ("form_token", &*form_token(&page.body)),
        ("email", EMAIL),
        ("password", PASSWORD),
        ("next", "/?x=1"),
    ];
    let answer = browser.post("/sign-in", &fields).await;
    assert_eq!(
        (answer.status, answer.location()),
        (StatusCode::SEE_OTHER, "/console/?x=1")
    );
    assert_eq!(browser.follow().await.status, StatusCode::OK);
    let again = browser.get("/sign-in").await;
    assert_eq!(
        (again.status, again.location()),
        (StatusCode::SEE_OTHER, "/console/"),
        "a signed-in user need not sign in again"
    );
}

// Proves: threats 14
/// Fails if `next` leads to another site.
/// Fails if a user who forgot the password reads only that it is wrong.
#[tokio::test]
async fn the_sign_in_page_says_what_to_do_about_a_forgotten_password() {
    let harness = Harness::new().await;
    let page = harness.browser().get("/sign-in").await.body;
    assert!(page.contains("Ask your school to reset it"), "{page}");
    let branding = Branding::new("Haneul").unwrap();
    let branding = branding.support("help@school.example").unwrap();
    let branded = |builder: AuthServerBuilder| builder.branding(branding);
    let harness = Harness::with_settings(ADDRESS, branded, |console| console).await;
    let page = harness.browser().get("/sign-in").await.body;
    let contact = "Forgot your password? Contact <a href=\"mailto:help@school.example\">";
    assert!(page.contains(contact), "{page}");
}

#[tokio::test]
async fn sign_in_redirects_to_own_pages_only() {
    let harness = Harness::new().await;
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
        let mut browser = harness.browser();
        let token = form_token(&browser.get("/sign-in?next=//evil.example/").await.body);
        let fields = [
            ("form_token", &*token),
            ("email", EMAIL),
            ("password", PASSWORD),
            ("next", next),
        ];
        assert_eq!(
            browser.post("/sign-in", &fields).await.location(),
            "/console/",
            "{next:?}"
        );
    }
}

// Proves: threats 23
/// Fails if the old token stays valid, or a subdomain could set the cookie.
#[tokio::test]
async fn signing_in_gives_a_new_token_in_a_cookie_of_the_host_alone() {
    let harness = Harness::new().await;
    let mut browser = harness.browser();
    browser.get("/sign-in").await;
    let before = browser.cookies[0].1.clone();
    let answer = browser.sign_in(EMAIL, PASSWORD).await;
    let given = answer
        .cookies()
        .into_iter()
        .find(|cookie| cookie.starts_with("__Host-lyceum-console="))
        .unwrap()
        .to_owned();
    assert!(
        given.ends_with("; Path=/; HttpOnly; SameSite=Lax; Secure"),
        "{given}"
    );
    assert!(
        !given.contains(&before) && browser.cookies.len() == 1,
        "{given}"
    );
    let first = browser.session().unwrap().to_owned();
    // Signing in replaces a planted token.
    let mut victim = harness.browser();
    victim.cookies = vec![
        ("__Host-lyceum-console".to_owned(), first.clone()),
        ("__Host-lyceum-visit".to_owned(), before),
    ];
    assert_eq!(victim.get("/").await.status, StatusCode::OK);
    victim
        .cookies
        .push(("__Host-lyceum-console".to_owned(), first));
    assert_eq!(
        victim.get("/").await.status,
        StatusCode::SEE_OTHER,
        "one of two cookies may be planted"
    );
}

// Proves: threats 23
#[tokio::test]
async fn without_tls_on_loopback_the_cookie_has_a_plain_name() {
    let harness = Harness::with_settings(
        "http://127.0.0.1:8080/console",
        |builder| builder,
        |builder| builder,
    )
    .await;
    let browser = harness.browser_of(EMAIL).await;
    assert_eq!(browser.cookies[0].0, "lyceum-console");
}

// Proves: threats 23
/// Fails if a form without the browser's token signs a user in.
#[tokio::test]
async fn a_cross_site_sign_in_form_is_refused() {
    let harness = Harness::new().await;
    let (mut attacker, mut victim) = (harness.browser(), harness.browser());
    let token = form_token(&attacker.get("/sign-in").await.body);
    victim.get("/sign-in").await;
    for (browser, token) in [
        (&mut victim, &*token),
        (&mut harness.browser(), &*token),
        (&mut attacker, ""),
        (&mut harness.browser(), ""),
    ] {
        let answer = browser
            .post(
                "/sign-in",
                &[
                    ("form_token", token),
                    ("email", EMAIL),
                    ("password", PASSWORD),
                    ("next", "/"),
                ],
            )
            .await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{answer:?}");
        assert!(answer.body.contains("This form has expired") && browser.session().is_none());
        // The new page has a valid form.
        let fields = [
            ("form_token", &*form_token(&answer.body)),
            ("email", EMAIL),
            ("password", PASSWORD),
            ("next", "/"),
        ];
        assert_eq!(
            browser.post("/sign-in", &fields).await.status,
            StatusCode::SEE_OTHER
        );
        browser.cookies.clear();
    }
}

/// Fails if the form of a second tab, which was opened before the first tab signed in, is an error
/// or forgets its page.
#[tokio::test]
async fn the_form_of_a_second_tab_leads_to_its_page_once_the_first_has_signed_in() {
    let harness = Harness::new().await;
    let mut browser = harness.browser();
    let second = form_token(&browser.get("/sign-in?next=%2Fkeys").await.body);
    let fields = [
        ("form_token", &*second),
        ("email", EMAIL),
        ("password", PASSWORD),
        ("next", "/keys"),
    ];
    let without_cookie = harness.browser().post("/sign-in", &fields).await;
    assert_eq!(without_cookie.status, StatusCode::FORBIDDEN);
    assert!(
        without_cookie
            .body
            .contains("name=\"next\" value=\"/keys\"")
    );
    browser.sign_in(EMAIL, PASSWORD).await;
    let answer = browser.post("/sign-in", &fields).await;
    assert_eq!(
        (answer.status, answer.location()),
        (StatusCode::SEE_OTHER, "/console/keys"),
        "{}",
        answer.body
    );
    let elsewhere = [&fields[..3], &[("next", "//evil.example")]].concat();
    let answer = browser.post("/sign-in", &elsewhere).await;
    assert_eq!(answer.location(), "/console/");
    let of_another = [&fields[..1], &[("email", ADMIN)], &fields[2..]].concat();
    let answer = browser.post("/sign-in", &of_another).await;
    assert_eq!(
        answer.status,
        StatusCode::FORBIDDEN,
        "another user signs in"
    );
    assert!(answer.body.contains("another account has signed in"));
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_address_give_the_same_page() {
    let harness = Harness::new().await;
    let mut bodies = Vec::new();
    for (email, password) in [
        (EMAIL, "wrong"),
        ("nobody@school.example", PASSWORD),
        ("nonsense", PASSWORD),
        ("", ""),
    ] {
        let mut browser = harness.browser();
        let answer = browser.sign_in(email, password).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
        assert!(
            answer.body.contains("Incorrect email address or password.")
                && browser.session().is_none()
        );
        let token = form_token(&answer.body);
        bodies.push(
            answer
                .body
                .replace(&token, "")
                .replace(&format!("value=\"{email}\""), "value=\"\""),
        );
        assert!(!answer.body.contains(PASSWORD));
    }
    assert!(bodies.iter().all(|body| *body == bodies[0]));
}

// Proves: threats 40
/// Fails if the console counts attempts separately.
#[tokio::test]
async fn the_console_and_the_authorization_pages_share_one_limit_of_attempts() {
    let harness = Harness::new().await;
    for _ in 0..10 {
        assert_eq!(
            harness.browser().sign_in(EMAIL, "wrong").await.status,
            StatusCode::UNAUTHORIZED
        );
    }
    let answer = harness.browser().sign_in(EMAIL, PASSWORD).await;
    assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(answer.header("retry-after").parse::<u64>().unwrap() > 0);
    assert!(
        answer.body.contains("minute") && answer.body.contains(&format!("value=\"{EMAIL}\"")),
        "the form stays with the address: {}",
        answer.body
    );
    let (old, new) = (
        Password::new(PASSWORD).unwrap(),
        Password::new("another one").unwrap(),
    );
    let verdict = harness
        .auth
        .management()
        .change_password(&harness.person, &old, &new, ApiKeyAction::Revoke, None)
        .await
        .unwrap();
    assert!(
        format!("{verdict:?}").contains("TooManyAttempts"),
        "{verdict:?}"
    );
}

// Proves: threats 26
/// Fails if what was typed is recorded, or the user with the address is not.
#[tokio::test]
async fn signing_in_is_audited_and_the_session_is_stored_as_a_digest() {
    let harness = Harness::new().await;
    for (email, password) in [
        (EMAIL, "wrong"),
        (&*EMAIL.to_uppercase(), "wrong"),
        ("nobody@school.example", "wrong"),
        (PASSWORD, "wrong"),
        (EMAIL, ""),
    ] {
        harness.browser().sign_in(email, password).await;
    }
    let browser = harness.browser_of(EMAIL).await;
    let kinds: Vec<EventKind> = harness
        .log
        .events()
        .into_iter()
        .map(|event| event.kind)
        .collect();
    let signed_in = EventKind::SignedIn {
        subject: harness.person.clone(),
        client: None,
    };
    assert!(kinds.contains(&signed_in), "{kinds:?}");
    let owners: Vec<&EmailOwner> = kinds
        .iter()
        .filter_map(|kind| match kind {
            EventKind::SignInRefused {
                client: None,
                email_owner,
            } => Some(email_owner),
            _ => None,
        })
        .collect();
    let person = EmailOwner::User(harness.person.clone());
    assert_eq!(
        owners,
        [
            &person,
            &person,
            &EmailOwner::NoUser,
            &EmailOwner::NoUser,
            &EmailOwner::NotLookedUp,
        ]
    );
    let lines = harness.log.events().into_iter();
    let lines: String = lines.map(|event| event.to_json()).collect();
    for typed in [EMAIL, "nobody", PASSWORD] {
        assert!(!lines.contains(typed), "{typed} is in {lines}");
    }
    let token = UserSessionToken::parse(browser.session().unwrap()).unwrap();
    let kept = harness
        .store
        .user_session(&token.digest(), MINUTE, START)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (kept.subject, kept.browser.unwrap().to_string()),
        (harness.person.clone(), "Firefox, Linux".to_owned())
    );
}

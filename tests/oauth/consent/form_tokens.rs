//! Forged consent forms.

use super::*;

// Proves: threats 22
/// Fails if any well-formed token is accepted.
#[tokio::test]
async fn the_form_of_another_browser_decides_nothing() {
    let harness = Harness::new().await;
    let (mut victim, mut attacker) = (
        harness.browser_at_consent().await,
        harness.browser_at_consent().await,
    );
    let token = attacker.form_token(CONSENT).await;
    for decision in ["allow", "deny"] {
        let answer = victim
            .post(CONSENT, &[("form_token", &token), ("decision", decision)])
            .await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN);
        assert_eq!(
            victim.post(CONSENT, &[("decision", decision)]).await.status,
            StatusCode::FORBIDDEN
        );
    }
    // Two browsers whose session ids were swapped: each page's form belongs to the other session.
    let mine = victim.form_token(CONSENT).await;
    std::mem::swap(&mut victim.cookies, &mut attacker.cookies);
    assert_eq!(
        victim
            .post(CONSENT, &[("form_token", &mine), ("decision", "allow")])
            .await
            .status,
        StatusCode::FORBIDDEN
    );
    std::mem::swap(&mut victim.cookies, &mut attacker.cookies);
    assert!(
        victim.decide("allow").await.sent_back("code").is_some(),
        "the session is unchanged"
    );
}

// Proves: threats 22
/// Fails if any well-formed token is accepted.
#[tokio::test]
async fn the_login_pages_form_does_not_decide_because_signing_in_changes_the_session() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_at_login().await;
    let before = browser.form_token("/v1/oauth/login").await;
    browser.sign_in(EMAIL, PASSWORD).await;
    assert_eq!(
        browser
            .post(CONSENT, &[("form_token", &before), ("decision", "allow")])
            .await
            .status,
        StatusCode::FORBIDDEN
    );
}

// Proves: threats 25
/// Fails if unexpected form fields are ignored.
#[tokio::test]
async fn no_field_of_the_form_changes_what_was_asked() {
    let harness = Harness::new().await;
    let (public, wide) = (
        harness.public_client.id.to_string(),
        harness.client.allowed_scopes.to_string(),
    );
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
        let mut browser = harness.browser_at_consent().await;
        let token = browser.form_token(CONSENT).await;
        let fields = [
            ("form_token", &*token),
            ("decision", "allow"),
            (name, value),
        ];
        assert_eq!(
            browser.post(CONSENT, &fields).await.status,
            StatusCode::BAD_REQUEST,
            "{name}"
        );
        // The query has no effect either.
        let form = encoded(&[("form_token", token), ("decision", "allow".to_owned())]);
        let path = format!("{CONSENT}?{}", encoded(&[(name, value.to_owned())]));
        let answer = browser
            .send(
                http::Method::POST,
                &path,
                Some("application/x-www-form-urlencoded"),
                &form,
            )
            .await;
        assert!(
            answer
                .location()
                .starts_with("https://app.example/callback?code="),
            "{answer:?}"
        );
        assert_eq!(answer.sent_back("state").as_deref(), Some("xyz"));
        let Redemption::Redeemed(grant) =
            redeem(&harness, &answer.sent_back("code").unwrap()).await
        else {
            panic!("not redeemed")
        };
        assert_eq!(
            (grant.client, grant.subject),
            (harness.client.id, owner_of(&harness, EMAIL).await)
        );
        assert_eq!(
            grant.scopes.to_string(),
            format!("{}:read", harness.application)
        );
    }
}

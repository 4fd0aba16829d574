//! Account pages: access and accounts of an external authenticator.

mod invite;
mod new;
mod remove;
mod update;

use http::{Method, StatusCode};
use lyceum::domain::{Account, AccountId, Password, Role};
use lyceum::http::auth_server::PasswordResetOutcome;
use lyceum::store::ApiKeyAction;

use crate::harness::*;
use crate::one_user::OneUser;
use crate::pages::assert_safe;

const NEW: &str = "four words that differ";

async fn account(harness: &Harness, email: &str) -> Option<Account> {
    harness
        .store
        .account_by_email(&email.parse().unwrap())
        .await
        .unwrap()
}

async fn id(harness: &Harness, email: &str) -> AccountId {
    account(harness, email).await.unwrap().id
}

/// A browser of an administrator, with its form token.
async fn administrator(harness: &Harness) -> (Browser, String) {
    let mut browser = harness.browser_of(ADMIN).await;
    let token = form_token(&browser.get("/admin/people").await.body);
    (browser, token)
}

/// Adds an account with the administrators' form.
async fn add(browser: &mut Browser, token: &str, email: &str, role: &str) -> TestResponse {
    browser
        .post(
            "/admin/people/new",
            &[("form_token", token), ("email", email), ("role", role)],
        )
        .await
}

/// Adds an account as [`add`] does, and sets its password to [`PASSWORD`].
async fn add_user(
    harness: &Harness,
    browser: &mut Browser,
    token: &str,
    email: &str,
    role: &str,
) -> TestResponse {
    let answer = add(browser, token, email, role).await;
    let by = id(harness, ADMIN).await.into();
    let made = id(harness, email).await;
    let password = Password::new(PASSWORD).unwrap();
    let set = harness
        .accounts
        .set_password(&by, made, &password, ApiKeyAction::Keep);
    assert_eq!(set.await.unwrap(), PasswordResetOutcome::Changed);
    answer
}

/// Fails if a page does not check for administrators.
#[tokio::test]
async fn only_administrators_list_and_change_accounts() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_of(EMAIL).await;
    let token = form_token(&browser.get("/").await.body);
    let one = format!("/admin/people/{}", id(&harness, EMAIL).await);
    let other = format!("/admin/people/{}", id(&harness, ADMIN).await);
    for path in [
        "/admin/people",
        "/admin/people/new",
        &one,
        &format!("{other}/remove"),
        "/admin/people/nobody",
    ] {
        let answer = browser.get(path).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path}");
        assert_safe(&answer);
        assert!(!answer.body.contains(ADMIN), "{}", answer.body);
    }
    for (path, field) in [
        (
            "/admin/people/new".to_owned(),
            ("email", "new@school.example"),
        ),
        (format!("{one}/role"), ("role", "ADMIN")),
        (format!("{other}/password"), ("revoke_keys", "true")),
        (format!("{other}/sessions/end"), ("form_token", &*token)),
        (format!("{other}/sessions/x/end"), ("form_token", &*token)),
        (format!("{other}/remove"), ("form_token", &*token)),
    ] {
        let fields: Vec<_> = [("form_token", &*token), field]
            .into_iter()
            .take(if field.0 == "form_token" { 1 } else { 2 })
            .collect();
        assert_eq!(
            browser.post(&path, &fields).await.status,
            StatusCode::FORBIDDEN,
            "{path}"
        );
    }
    assert_eq!(account(&harness, EMAIL).await.unwrap().role, Role::User);
    assert!(
        account(&harness, ADMIN).await.is_some()
            && account(&harness, "new@school.example").await.is_none()
    );
    let mut nobody = harness.browser();
    assert!(
        nobody
            .get("/admin/people")
            .await
            .location()
            .starts_with("/console/sign-in")
    );
}

// Proves: threats 22
/// Fails if any form token, or none, is accepted.
#[tokio::test]
async fn forms_of_other_sessions_change_no_account() {
    let harness = Harness::new().await;
    let (mut mine, _) = administrator(&harness).await;
    let (_, of_another) = administrator(&harness).await;
    let one = format!("/admin/people/{}", id(&harness, EMAIL).await);
    for token in ["", &*of_another] {
        for (path, field) in [
            ("/admin/people/new", Some(("email", "new@school.example"))),
            (&*format!("{one}/role"), Some(("role", "ADMIN"))),
            (&format!("{one}/password"), None),
            (&format!("{one}/sessions/end"), None),
            (&format!("{one}/sessions/x/end"), None),
            (&format!("{one}/remove"), None),
        ] {
            let fields: Vec<_> = [("form_token", token)].into_iter().chain(field).collect();
            assert_eq!(
                mine.post(path, &fields).await.status,
                StatusCode::FORBIDDEN,
                "{path}"
            );
        }
    }
    let kept = account(&harness, EMAIL).await.unwrap();
    assert_eq!(kept.role, Role::User);
    assert!(account(&harness, "new@school.example").await.is_none());
    harness.browser_of(EMAIL).await;
}

#[tokio::test]
async fn unknown_ids_and_other_methods_are_refused() {
    let harness = Harness::new().await;
    let (mut browser, token) = administrator(&harness).await;
    for id in ["nobody", "%3Cb%3E", "00000000-0000-4000-8000-000000000000"] {
        let answer = browser.get(&format!("/admin/people/{id}")).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{id}");
        assert_safe(&answer);
        for (path, field) in [
            ("role", Some(("role", "USER"))),
            ("password", None),
            ("sessions/end", None),
            ("sessions/x/end", None),
            ("remove", None),
        ] {
            let fields: Vec<_> = [("form_token", &*token)].into_iter().chain(field).collect();
            assert_eq!(
                browser
                    .post(&format!("/admin/people/{id}/{path}"), &fields)
                    .await
                    .status,
                StatusCode::NOT_FOUND
            );
        }
    }
    let one = format!("/admin/people/{}", id(&harness, EMAIL).await);
    for (path, allow) in [
        ("/admin/people", "GET, HEAD"),
        ("/admin/people/new", "GET, HEAD, POST"),
        (&format!("{one}/role"), "POST"),
    ] {
        let answer = browser.send(Method::DELETE, path, None, "").await;
        assert_eq!(
            (answer.status, answer.header("allow")),
            (StatusCode::METHOD_NOT_ALLOWED, allow),
            "{path}"
        );
    }
    let (full, head) = (
        browser.get(&one).await,
        browser.send(Method::HEAD, &one, None, "").await,
    );
    assert_eq!(
        (head.status, &*head.body, full.status),
        (StatusCode::OK, "", StatusCode::OK)
    );
    browser.language = "ko";
    assert!(browser.get(&one).await.body.contains("계정 삭제"));
}

/// Fails if accounts that cannot sign in can be created.
#[tokio::test]
async fn accounts_of_an_external_authenticator_are_not_managed_here() {
    let boss = std::sync::Arc::new(OneUser::new("boss", ADMIN, Role::Admin));
    let harness = Harness::with_auth(|builder| builder.authenticator(boss)).await;
    let (mut browser, token) = {
        let mut browser = harness.browser_of(ADMIN).await;
        let token = form_token(&browser.get("/").await.body);
        (browser, token)
    };
    let page = browser.get("/admin/people").await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(
        page.body.contains("sign-in service manages the accounts"),
        "{}",
        page.body
    );
    assert_eq!(
        browser.get("/admin/people/new").await.status,
        StatusCode::NOT_FOUND
    );
    assert_eq!(
        add(&mut browser, &token, "new@school.example", "USER")
            .await
            .status,
        StatusCode::NOT_FOUND
    );
    assert_eq!(
        browser
            .get(&format!("/admin/people/{}", id(&harness, EMAIL).await))
            .await
            .status,
        StatusCode::NOT_FOUND
    );
    assert!(account(&harness, "new@school.example").await.is_none());
}

mod authorize;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use http::StatusCode;
use http::header::RETRY_AFTER;
use lyceum::domain::{Password, Quota, Subject, SubjectId};
use lyceum::http::auth_server::{Accounts, AuthenticationOutcome, Authenticator, LoginLimits};
use lyceum::store::StorageError;
use lyceum::store::memory::MemoryStore;

use crate::harness::*;

pub use authorize::the_1001st_authorization_of_an_address;

/// A host's own users, with the same result for every call.
#[derive(Debug)]
pub struct Always(pub fn() -> Result<AuthenticationOutcome, StorageError>);

#[async_trait]
impl Authenticator for Always {
    async fn authenticate(
        &self,
        _: &str,
        _: &Password,
        _: Option<IpAddr>,
    ) -> Result<AuthenticationOutcome, StorageError> {
        (self.0)()
    }

    async fn subject(&self, _: &SubjectId) -> Result<Option<Subject>, StorageError> {
        Ok(None)
    }
}

pub async fn harness_with_authenticator(
    answer: fn() -> Result<AuthenticationOutcome, StorageError>,
) -> Harness {
    Harness::with_settings(|builder| builder.authenticator(Arc::new(Always(answer)))).await
}

// Proves: spec 3.6
#[tokio::test]
async fn failures_are_limited_per_account_and_the_owner_gets_in_again() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_at_login().await;
    for _ in 0..10 {
        assert_eq!(
            browser.sign_in(EMAIL, "wrong").await.status,
            StatusCode::UNAUTHORIZED
        );
    }
    let before = harness.accounts.password_checks();
    let blocked = browser.sign_in(&EMAIL.to_uppercase(), PASSWORD).await;
    assert_eq!(
        (blocked.status, blocked.header(RETRY_AFTER)),
        (StatusCode::TOO_MANY_REQUESTS, "90")
    );
    assert_eq!(
        harness.accounts.password_checks(),
        before,
        "no password is checked in a blocked attempt"
    );
    assert!(blocked.is_page());
    assert_eq!(
        browser.sign_in("lee@school.example", "wrong").await.status,
        StatusCode::UNAUTHORIZED,
        "others are not blocked"
    );
    harness.clock.advance(Duration::from_secs(90));
    assert_eq!(
        browser.sign_in(EMAIL, PASSWORD).await.status,
        StatusCode::SEE_OTHER
    );
}

// Proves: spec 3.6
#[tokio::test]
async fn unknown_accounts_are_limited_in_the_same_way() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_at_login().await;
    for _ in 0..10 {
        assert_eq!(
            browser
                .sign_in("nobody@school.example", "wrong")
                .await
                .status,
            StatusCode::UNAUTHORIZED
        );
    }
    assert_eq!(
        browser
            .sign_in("nobody@school.example", "wrong")
            .await
            .status,
        StatusCode::TOO_MANY_REQUESTS
    );
}

// Proves: spec 3.6
#[tokio::test]
async fn failures_are_limited_per_address() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_at_login().await;
    browser.address = Some("192.0.2.1".parse().unwrap());
    for number in 0..50 {
        let email = format!("pupil{number}@school.example");
        assert_eq!(
            browser.sign_in(&email, "wrong").await.status,
            StatusCode::UNAUTHORIZED
        );
    }
    assert_eq!(
        browser.sign_in(EMAIL, PASSWORD).await.status,
        StatusCode::TOO_MANY_REQUESTS
    );
    browser.address = Some("192.0.2.2".parse().unwrap());
    assert_eq!(
        browser.sign_in(EMAIL, PASSWORD).await.status,
        StatusCode::SEE_OTHER
    );
}

// Proves: threats 40
#[tokio::test]
async fn the_owner_signs_in_from_a_known_network_at_every_try_while_attackers_guess_for_days() {
    let harness = Harness::new().await;
    let home = "2001:db8::7";
    assert_eq!(
        sign_in_from(&harness, home, PASSWORD).await,
        StatusCode::SEE_OTHER
    );
    for round in 0..12 {
        // From a hundred networks, five attempts in each.
        let mut tried = 0;
        while sign_in_from(&harness, &format!("198.51.{round}.{}", tried / 5), "wrong").await
            == StatusCode::UNAUTHORIZED
        {
            tried += 1;
        }
        assert_eq!(tried, 100, "the account's limit holds elsewhere");
        // From the owner's network, at another address in it.
        assert_eq!(
            sign_in_from(&harness, &format!("2001:db8::{round}"), PASSWORD).await,
            StatusCode::SEE_OTHER,
            "round {round}"
        );
        assert_eq!(
            sign_in_from(&harness, "203.0.113.1", PASSWORD).await,
            StatusCode::TOO_MANY_REQUESTS,
            "an unknown network"
        );
        harness.clock.advance(Duration::from_secs(6 * 60 * 60));
    }
    // After a pause the owner signs in from another network, where an attacker then has no more
    // attempts than elsewhere.
    assert_eq!(
        sign_in_from(&harness, "203.0.113.1", PASSWORD).await,
        StatusCode::SEE_OTHER
    );
    for _ in 0..10 {
        assert_eq!(
            sign_in_from(&harness, "203.0.113.1", "wrong").await,
            StatusCode::UNAUTHORIZED
        );
    }
    assert_eq!(
        sign_in_from(&harness, "203.0.113.1", "wrong").await,
        StatusCode::TOO_MANY_REQUESTS
    );
    assert_eq!(
        sign_in_from(&harness, home, PASSWORD).await,
        StatusCode::SEE_OTHER
    );
}

/// The status of a sign-in with a new browser at this address.
async fn sign_in_from(harness: &Harness, address: &str, password: &str) -> StatusCode {
    let mut browser = harness.browser();
    browser.address = Some(address.parse().unwrap());
    browser
        .get(&harness.authorize(&[("prompt", "consent")]))
        .await;
    browser.sign_in(EMAIL, password).await.status
}

#[tokio::test]
async fn signing_in_rightly_costs_nothing() {
    let harness = Harness::with_settings(|builder| {
        let once = Quota::new(1, Duration::from_secs(3600), 1).unwrap();
        builder.login_limits(LoginLimits {
            per_account_and_address: once,
            per_account: once,
            per_address: once,
        })
    })
    .await;
    for _ in 0..5 {
        let mut browser = harness.browser_at_login().await;
        browser.address = Some("192.0.2.1".parse().unwrap());
        assert_eq!(
            browser.sign_in(EMAIL, PASSWORD).await.status,
            StatusCode::SEE_OTHER
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn many_guesses_at_once_do_not_slip_through_together() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_at_login().await;
    let token = browser.form_token("/v1/oauth/login").await;
    let mut guesses = tokio::task::JoinSet::new();
    for number in 0..30 {
        let mut twin = harness.browser();
        (twin.cookies, twin.address) = (browser.cookies.clone(), browser.address);
        let token = token.clone();
        let guess = move || async move {
            twin.post(
                "/v1/oauth/login",
                &[
                    ("form_token", &token),
                    ("email", EMAIL),
                    ("password", &format!("guess {number}")),
                ],
            )
            .await
            .status
        };
        guesses.spawn(guess());
    }
    let statuses = guesses.join_all().await;
    assert_eq!(
        statuses
            .iter()
            .filter(|status| **status == StatusCode::TOO_MANY_REQUESTS)
            .count(),
        20,
        "{statuses:?}"
    );
}

// Proves: threats 34
/// Fails if a full queue looks like a wrong password, or is counted as one.
#[tokio::test]
async fn a_full_queue_is_a_503_with_retry_after_and_does_not_count_as_a_failure() {
    let harness = harness_with_authenticator(|| Ok(AuthenticationOutcome::Busy)).await;
    let mut browser = harness.browser_at_login().await;
    for _ in 0..12 {
        let answer = browser.sign_in(EMAIL, PASSWORD).await;
        assert_eq!(
            (answer.status, answer.header(RETRY_AFTER)),
            (StatusCode::SERVICE_UNAVAILABLE, "2")
        );
        assert!(answer.is_page());
    }
}

// Proves: threats 34
/// Fails if the queue is unbounded.
#[tokio::test]
async fn the_built_in_accounts_are_busy_when_their_queue_is_full() {
    // One thread and a queue of one: few of many concurrent attempts are accepted.
    let accounts = Accounts::builder(Arc::new(MemoryStore::new()))
        .hashing_threads(1, 1)
        .build()
        .unwrap();
    let accounts = Arc::new(accounts);
    let mut attempts = tokio::task::JoinSet::new();
    for _ in 0..50 {
        let accounts = Arc::clone(&accounts);
        attempts.spawn(async move {
            accounts
                .authenticate(EMAIL, &Password::new(PASSWORD).unwrap(), None)
                .await
                .unwrap()
        });
    }
    let verdicts = attempts.join_all().await;
    let busy = verdicts
        .iter()
        .filter(|verdict| **verdict == AuthenticationOutcome::Busy)
        .count();
    let refused = verdicts
        .iter()
        .filter(|verdict| **verdict == AuthenticationOutcome::InvalidCredentials)
        .count();
    assert!(
        busy > 0 && refused > 0 && busy + refused == 50,
        "{busy} busy, {refused} refused"
    );
    assert_eq!(accounts.password_checks(), refused as u64);
}

#[tokio::test]
async fn a_hosts_own_limit_is_passed_on() {
    let harness = harness_with_authenticator(|| {
        Ok(AuthenticationOutcome::TooManyAttempts {
            retry_after: Duration::from_millis(1500),
        })
    })
    .await;
    let answer = harness
        .browser_at_login()
        .await
        .sign_in(EMAIL, PASSWORD)
        .await;
    assert_eq!(
        (answer.status, answer.header(RETRY_AFTER)),
        (StatusCode::TOO_MANY_REQUESTS, "2")
    );
}

//! Limits on attempts to change a password.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use lyceum::http::auth_server::{LoginLimits, NewPassword, PasswordPolicy, PasswordPolicyError};
use lyceum::testing::ManualClock;

use super::*;

#[tokio::test]
async fn guesses_at_the_current_password_are_limited() {
    let clock = ManualClock::new(START);
    let (_, accounts, id) = accounts(|builder| builder.clock(Arc::new(clock.clone()))).await;
    let change = async |old: &str| {
        accounts
            .change_password(
                id,
                &password(old),
                &password(NEW),
                ApiKeyAction::Revoke,
                None,
            )
            .await
            .unwrap()
    };
    for _ in 0..10 {
        assert_eq!(change("wrong").await, PasswordChangeOutcome::WrongPassword);
    }
    let before = accounts.password_checks();
    let limited = PasswordChangeOutcome::TooManyAttempts {
        retry_after: Duration::from_secs(90),
    };
    assert_eq!(
        (change(PASSWORD).await, accounts.password_checks()),
        (limited, before)
    );
    clock.advance(Duration::from_secs(90));
    assert_eq!(change(PASSWORD).await, PasswordChangeOutcome::Changed);
}

/// Fails if `Management` counts attempts separately.
#[tokio::test]
async fn guesses_at_the_current_password_and_at_sign_in_share_one_limit() {
    let harness = Harness::new().await;
    let (office, id) = (harness.server.management(), kim(&harness).await.into());
    let change = async |old: &str| {
        office
            .change_password(
                &id,
                &password(old),
                &password(NEW),
                ApiKeyAction::Revoke,
                None,
            )
            .await
            .unwrap()
    };
    for _ in 0..5 {
        assert_eq!(
            change("wrong").await,
            Some(PasswordChangeOutcome::WrongPassword)
        );
        assert!(!signs_in(&harness, "wrong").await);
    }
    assert_eq!(
        change(PASSWORD).await,
        Some(PasswordChangeOutcome::TooManyAttempts {
            retry_after: Duration::from_secs(90)
        })
    );
    assert!(!signs_in(&harness, PASSWORD).await);
    harness.clock.advance(Duration::from_secs(90));
    assert_eq!(change(PASSWORD).await, Some(PasswordChangeOutcome::Changed));
    assert!(signs_in(&harness, NEW).await);
}

/// A policy that counts its calls.
#[derive(Debug, Default)]
struct CountingPolicy(AtomicUsize);

#[async_trait]
impl PasswordPolicy for CountingPolicy {
    async fn check(&self, _: &NewPassword<'_>) -> Result<(), PasswordPolicyError> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

/// Fails if blocked clients can have new passwords estimated.
#[tokio::test]
async fn beyond_the_limit_of_attempts_no_new_password_is_checked() {
    let policy = Arc::new(CountingPolicy::default());
    let once = Quota::new(1, Duration::from_secs(86_400), 1).unwrap();
    let limits = LoginLimits {
        per_account_and_address: once,
        per_account: once,
        per_address: once,
    };
    let (_, accounts, id) =
        accounts(|builder| builder.password_policy(policy.clone()).login_limits(limits)).await;
    let before = policy.0.load(Ordering::Relaxed);
    let change = async || {
        accounts
            .change_password(
                id,
                &password("wrong"),
                &password(NEW),
                ApiKeyAction::Keep,
                None,
            )
            .await
            .unwrap()
    };
    assert_eq!(change().await, PasswordChangeOutcome::WrongPassword);
    assert!(matches!(
        change().await,
        PasswordChangeOutcome::TooManyAttempts { .. }
    ));
    assert_eq!(policy.0.load(Ordering::Relaxed), before + 1);
}

//! The policy for new passwords.

use async_trait::async_trait;
use lyceum::http::auth_server::{
    AuthenticationOutcome, NewPassword, PasswordPolicy, PasswordPolicyError,
};

use super::*;

/// Fails if an account gets a weak password in any of the three ways, or an account that already
/// has one is locked out.
#[tokio::test]
async fn new_and_changed_passwords_follow_the_policy_and_existing_ones_go_on() {
    let school =
        |builder: AccountsBuilder| builder.school_name("Star High School".parse().unwrap());
    let (store, accounts, id) = accounts(school).await;
    let faults = [
        ("short one", PasswordPolicyError::TooShort { at_least: 10 }),
        (EMAIL, PasswordPolicyError::IsEmail),
        ("star-high-school", PasswordPolicyError::IsName),
        ("password2026", PasswordPolicyError::TooCommon),
    ];
    for (weak, fault) in faults {
        let created = accounts
            .create(EMAIL.parse().unwrap(), &password(weak), Role::User)
            .await
            .unwrap();
        assert_eq!(
            created,
            AccountCreationOutcome::PasswordRejected(fault),
            "{weak}"
        );
        let before = accounts.password_checks();
        let changed = accounts
            .change_password(
                id,
                &password(PASSWORD),
                &password(weak),
                ApiKeyAction::Keep,
                None,
            )
            .await
            .unwrap();
        assert_eq!(
            (changed, accounts.password_checks()),
            (PasswordChangeOutcome::NewPasswordRejected(fault), before),
            "{weak}"
        );
        let set = accounts
            .set_password(&administrator(), id, &password(weak), ApiKeyAction::Keep)
            .await
            .unwrap();
        assert_eq!(set, PasswordResetOutcome::PasswordRejected(fault), "{weak}");
    }
    assert!(matches!(
        accounts
            .authenticate(EMAIL, &password(PASSWORD), None)
            .await
            .unwrap(),
        AuthenticationOutcome::SignedIn(_)
    ));
    // An account of an earlier version.
    let lax = Accounts::builder(store.clone())
        .hashing_cost(8, 1)
        .password_policy(Arc::new(AcceptAllPolicy))
        .build()
        .unwrap();
    assert_eq!(
        lax.set_password(&administrator(), id, &password("1234"), ApiKeyAction::Keep)
            .await
            .unwrap(),
        PasswordResetOutcome::Changed
    );
    assert!(matches!(
        accounts
            .authenticate(EMAIL, &password("1234"), None)
            .await
            .unwrap(),
        AuthenticationOutcome::SignedIn(_)
    ));
    assert_eq!(
        accounts
            .change_password(
                id,
                &password("1234"),
                &password(NEW),
                ApiKeyAction::Keep,
                None
            )
            .await
            .unwrap(),
        PasswordChangeOutcome::Changed
    );
}

/// A host's policy that refuses a single word.
#[derive(Debug)]
struct AcceptAllPolicy;

#[async_trait]
impl PasswordPolicy for AcceptAllPolicy {
    async fn check(&self, new: &NewPassword<'_>) -> Result<(), PasswordPolicyError> {
        assert_eq!(new.email.as_str(), EMAIL);
        if new.password.expose() == "forbidden" {
            Err(PasswordPolicyError::NotAllowed)
        } else {
            Ok(())
        }
    }
}

#[tokio::test]
async fn a_host_decides_by_a_policy_of_its_own() {
    let (_, accounts, id) =
        accounts(|builder| builder.password_policy(Arc::new(AcceptAllPolicy))).await;
    let set = async |text: &str| {
        accounts
            .set_password(&administrator(), id, &password(text), ApiKeyAction::Keep)
            .await
            .unwrap()
    };
    assert_eq!(
        set("forbidden").await,
        PasswordResetOutcome::PasswordRejected(PasswordPolicyError::NotAllowed)
    );
    assert_eq!(set("x").await, PasswordResetOutcome::Changed);
}

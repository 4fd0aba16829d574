//! Rehashing, and passwords that change during a check.

use std::sync::Mutex;

use lyceum::http::auth_server::AuthenticationOutcome;
use lyceum::store::{AccountRemoval, Creation, LeaverChange, Paged, PasswordChange, StorageError};

use super::*;

#[tokio::test]
async fn a_good_sign_in_brings_the_hash_to_todays_cost() {
    let (store, old, id) = accounts(|builder| builder).await;
    let today = Accounts::builder(store.clone())
        .hashing_cost(16, 2)
        .former_hashing_cost(8, 1)
        .build()
        .unwrap();
    let hash = async || {
        store
            .account(id)
            .await
            .unwrap()
            .unwrap()
            .password_hash
            .as_phc()
            .to_owned()
    };
    let sign_in = async |text: &str| {
        today
            .authenticate(EMAIL, &password(text), None)
            .await
            .unwrap()
    };
    let before = hash().await;
    assert_eq!(
        sign_in("wrong").await,
        AuthenticationOutcome::InvalidCredentials
    );
    assert_eq!(hash().await, before);
    assert!(matches!(
        sign_in(PASSWORD).await,
        AuthenticationOutcome::SignedIn(_)
    ));
    let after = hash().await;
    assert!(
        before.contains("m=8,t=1") && after.contains("m=16,t=2"),
        "{before} {after}"
    );
    assert!(matches!(
        sign_in(PASSWORD).await,
        AuthenticationOutcome::SignedIn(_)
    ));
    assert_eq!(hash().await, after, "it is rehashed only once");
    let (before, unknown) = (
        today.password_checks(),
        today
            .authenticate("nobody@school.example", &password("x"), None)
            .await
            .unwrap(),
    );
    assert_eq!(
        (unknown, today.password_checks() - before),
        (AuthenticationOutcome::InvalidCredentials, 2),
        "the work of both costs, as for an existing account"
    );
    assert!(matches!(
        old.authenticate(EMAIL, &password(PASSWORD), None)
            .await
            .unwrap(),
        AuthenticationOutcome::SignedIn(_)
    ));
}

/// An account store that replaces the password of an account right after it was looked up.
#[derive(Debug)]
struct ChangedMeanwhile(Arc<MemoryStore>, Mutex<Option<PasswordHash>>);

delegate!(AccountStore for ChangedMeanwhile, except account_by_email);

impl ChangedMeanwhile {
    async fn delegate(&self, _: &str) -> Result<&MemoryStore, StorageError> {
        Ok(&self.0)
    }

    async fn account_by_email(&self, email: &Email) -> Result<Option<Account>, StorageError> {
        let found = self.0.account_by_email(email).await?;
        let new = self.1.lock().unwrap().take();
        if let (Some(account), Some(new)) = (&found, new) {
            assert_eq!(
                self.0
                    .set_password(
                        account.id,
                        &account.password_hash,
                        new,
                        ApiKeyAction::Revoke,
                        START
                    )
                    .await?,
                PasswordChange::Changed
            );
        }
        Ok(found)
    }
}

#[tokio::test]
async fn a_password_that_is_changed_while_it_is_checked_is_good_no_more_and_no_rehash_undoes_it() {
    for (cost, meanwhile, is_good) in [
        (8, NEW, false),
        (16, NEW, false),
        (8, PASSWORD, true),
        (16, PASSWORD, true),
    ] {
        let (store, _, id) = accounts(|builder| builder).await;
        let other = a_hash_of(meanwhile).await;
        let changing = Arc::new(ChangedMeanwhile(
            store.clone(),
            Mutex::new(Some(other.clone())),
        ));
        let accounts = Accounts::builder(changing)
            .hashing_cost(cost, 1)
            .build()
            .unwrap();
        let verdict = accounts
            .authenticate(EMAIL, &password(PASSWORD), None)
            .await
            .unwrap();
        assert_eq!(
            matches!(verdict, AuthenticationOutcome::SignedIn(_)),
            is_good,
            "{cost} {meanwhile}: {verdict:?}"
        );
        let kept = store.account(id).await.unwrap().unwrap().password_hash;
        assert_eq!(
            kept.as_phc() == other.as_phc(),
            !is_good || cost == 8,
            "the new password is not overwritten"
        );
    }
}

/// The hash of an account with this password.
async fn a_hash_of(text: &str) -> PasswordHash {
    let (store, accounts, id) = accounts(|builder| builder).await;
    assert_eq!(
        accounts
            .set_password(&administrator(), id, &password(text), ApiKeyAction::Revoke)
            .await
            .unwrap(),
        PasswordResetOutcome::Changed
    );
    store.account(id).await.unwrap().unwrap().password_hash
}

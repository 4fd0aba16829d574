//! API keys of accounts, with keys and accounts in different stores.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use lyceum::domain::*;
use lyceum::http::auth_server::{
    AccountCreationOutcome, Accounts, PasswordChangeOutcome, PasswordResetOutcome,
};
use lyceum::store::memory::MemoryStore;
use lyceum::store::*;

use crate::harness::*;

const NEW: &str = "another horse";

/// A key store that fails the next calls of `revoke_api_keys_of`.
#[derive(Debug, Default)]
struct Keys {
    store: MemoryStore,
    away: AtomicUsize,
}

delegate!(ApiKeyStore for Keys, except revoke_api_keys_of);

impl Keys {
    async fn delegate(&self, _: &str) -> Result<&MemoryStore, StorageError> {
        Ok(&self.store)
    }

    async fn revoke_api_keys_of(
        &self,
        owner: &SubjectId,
        at: Timestamp,
    ) -> Result<usize, StorageError> {
        if self
            .away
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                left.checked_sub(1)
            })
            .is_ok()
        {
            return Err(StorageError::unavailable("the store of keys", "it is away"));
        }
        self.store.revoke_api_keys_of(owner, at).await
    }
}

/// An account that owns key 1, and an administrator, in another store than the key.
struct SeparateKeys {
    accounts: Accounts,
    keys: Arc<Keys>,
    kim: AccountId,
}

impl SeparateKeys {
    async fn new() -> Self {
        let keys = Arc::new(Keys::default());
        let accounts = Accounts::builder(Arc::new(MemoryStore::new()))
            .hashing_cost(8, 1)
            .api_keys(keys.clone())
            .build()
            .unwrap();
        let mut ids = Vec::new();
        for (email, role) in [(EMAIL, Role::User), ("admin@school.example", Role::Admin)] {
            let created = accounts
                .create(email.parse().unwrap(), &password(PASSWORD), role)
                .await
                .unwrap();
            let AccountCreationOutcome::Created(id) = created else {
                panic!("{created:?}")
            };
            ids.push(id);
        }
        let apart = Self {
            accounts,
            keys,
            kim: ids.remove(0),
        };
        own(&*apart.keys, apart.kim).await;
        apart
    }

    async fn is_revoked(&self) -> bool {
        is_revoked(&*self.keys).await
    }
}

/// Assigns key 1 to an owner.
async fn own(store: &(impl ApiKeyStore + ?Sized), owner: AccountId) {
    let secret = ApiKeySecret::from_random([1; 16]);
    let key = ApiKey::new(
        ApiKeyId::from_random([1; 16]),
        &secret,
        ShortText::from_static("Lunch"),
        ApiScopes::built_in(),
        START,
    );
    assert_eq!(
        store
            .create_api_key(ApiKey {
                owner: Some(owner.into()),
                ..key
            })
            .await
            .unwrap(),
        Creation::Created
    );
}

async fn is_revoked(store: &(impl ApiKeyStore + ?Sized)) -> bool {
    store
        .api_key_by_id(ApiKeyId::from_random([1; 16]))
        .await
        .unwrap()
        .unwrap()
        .revoked_at
        .is_some()
}

fn password(text: &str) -> Password {
    Password::new(text).unwrap()
}

fn administrator() -> SubjectId {
    "administrator".parse().unwrap()
}

/// Fails if a change leaves the keys of the other store, or revokes them despite `Keep`.
#[tokio::test]
async fn keys_in_another_store_end_right_after_the_account_or_its_password() {
    for keys in [ApiKeyAction::Keep, ApiKeyAction::Revoke] {
        let apart = SeparateKeys::new().await;
        let changed = apart
            .accounts
            .change_password(apart.kim, &password(PASSWORD), &password(NEW), keys, None)
            .await
            .unwrap();
        assert_eq!(
            (changed, apart.is_revoked().await),
            (PasswordChangeOutcome::Changed, keys == ApiKeyAction::Revoke)
        );
        let apart = SeparateKeys::new().await;
        let set = apart
            .accounts
            .set_password(&administrator(), apart.kim, &password(NEW), keys)
            .await
            .unwrap();
        assert_eq!(
            (set, apart.is_revoked().await),
            (PasswordResetOutcome::Changed, keys == ApiKeyAction::Revoke)
        );
    }
    let apart = SeparateKeys::new().await;
    assert_eq!(
        apart
            .accounts
            .remove(&administrator(), apart.kim)
            .await
            .unwrap(),
        AccountChange::Done
    );
    assert!(apart.is_revoked().await);
}

/// Fails if one failure is enough to leave the keys, or the last failure is not reported.
#[tokio::test]
async fn an_unavailable_key_store_is_retried_and_then_reported() {
    let apart = SeparateKeys::new().await;
    apart.keys.away.store(2, Ordering::Relaxed);
    assert_eq!(
        apart
            .accounts
            .remove(&administrator(), apart.kim)
            .await
            .unwrap(),
        AccountChange::Done
    );
    assert!(apart.is_revoked().await);
    let apart = SeparateKeys::new().await;
    apart.keys.away.store(3, Ordering::Relaxed);
    assert!(
        apart
            .accounts
            .remove(&administrator(), apart.kim)
            .await
            .unwrap_err()
            .is_unavailable()
    );
    assert!(!apart.is_revoked().await);
    assert_eq!(
        apart
            .accounts
            .remove(&administrator(), apart.kim)
            .await
            .unwrap(),
        AccountChange::NotFound,
        "the account is gone"
    );
    assert!(apart.is_revoked().await, "and now its keys are gone, too");
}

/// Fails if a refused change revokes keys.
#[tokio::test]
async fn where_nothing_changes_no_key_ends() {
    let apart = SeparateKeys::new().await;
    let (wrong, new) = (password("wrong"), password(NEW));
    let change = apart
        .accounts
        .change_password(apart.kim, &wrong, &new, ApiKeyAction::Revoke, None)
        .await
        .unwrap();
    assert_eq!(change, PasswordChangeOutcome::WrongPassword);
    assert_eq!(
        apart
            .accounts
            .set_role(&administrator(), apart.kim, Role::Admin)
            .await
            .unwrap(),
        AccountChange::Done
    );
    assert!(!apart.is_revoked().await);
}

/// Fails if `Management` ignores that keys are in a separate store.
#[tokio::test]
async fn management_revokes_keys_in_a_separate_store() {
    for keys in [ApiKeyAction::Keep, ApiKeyAction::Revoke] {
        let store = Arc::new(Keys::default());
        let harness = Harness::with_settings(|builder| builder.api_keys(store.clone())).await;
        let kim = harness
            .store
            .account_by_email(&EMAIL.parse().unwrap())
            .await
            .unwrap()
            .unwrap()
            .id;
        own(&*store, kim).await;
        store.away.store(1, Ordering::Relaxed);
        let (old, new) = (password(PASSWORD), password(NEW));
        let change = harness
            .server
            .management()
            .change_password(&kim.into(), &old, &new, keys, None)
            .await
            .unwrap();
        assert_eq!(change, Some(PasswordChangeOutcome::Changed));
        assert_eq!(is_revoked(&*store).await, keys == ApiKeyAction::Revoke);
    }
}

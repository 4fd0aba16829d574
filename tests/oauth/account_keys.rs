//! API keys of accounts, where the two are in different stores.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use lyceum::domain::*;
use lyceum::http::auth_server::{AccountCreation, Accounts, PasswordReset, PasswordVerdict};
use lyceum::store::memory::MemoryStore;
use lyceum::store::*;

use crate::harness::*;

const NEW: &str = "another horse";

/// A store of keys that does not answer the next calls that revoke all keys of an owner.
#[derive(Debug, Default)]
struct Keys {
    store: MemoryStore,
    away: AtomicUsize,
}

#[async_trait]
impl ApiKeyStore for Keys {
    async fn create_api_key(&self, key: ApiKey) -> Result<Creation, StorageError> {
        self.store.create_api_key(key).await
    }

    async fn issue_api_key(&self, key: ApiKey, at_most: u32) -> Result<Issuance, StorageError> {
        self.store.issue_api_key(key, at_most).await
    }

    async fn api_key(&self, digest: &ApiKeyDigest) -> Result<Option<Arc<ApiKey>>, StorageError> {
        self.store.api_key(digest).await
    }

    async fn api_key_by_id(&self, id: ApiKeyId) -> Result<Option<Arc<ApiKey>>, StorageError> {
        self.store.api_key_by_id(id).await
    }

    async fn api_keys(&self, owner: Option<&SubjectId>, page: PageRequest) -> Result<Registered<Arc<ApiKey>>, StorageError> {
        self.store.api_keys(owner, page).await
    }

    async fn renew_api_key(&self, id: ApiKeyId, renewal: ApiKeyRenewal, at: Timestamp) -> Result<Renewal, StorageError> {
        self.store.renew_api_key(id, renewal, at).await
    }

    async fn revoke_api_key(&self, id: ApiKeyId, at: Timestamp) -> Result<bool, StorageError> {
        self.store.revoke_api_key(id, at).await
    }

    async fn revoke_api_keys_of(&self, owner: &SubjectId, at: Timestamp) -> Result<usize, StorageError> {
        if self.away.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok() {
            return Err(StorageError::unavailable("the store of keys", "it is away"));
        }
        self.store.revoke_api_keys_of(owner, at).await
    }

    async fn touch_api_keys(&self, uses: Vec<KeyUse>) -> Result<(), StorageError> {
        self.store.touch_api_keys(uses).await
    }

    async fn api_key_usage(&self, id: ApiKeyId, days: DateRange) -> Result<Vec<(Date, u64)>, StorageError> {
        self.store.api_key_usage(id, days).await
    }

    async fn claim_expiry_notice(&self, id: ApiKeyId, expires_at: Timestamp) -> Result<bool, StorageError> {
        self.store.claim_expiry_notice(id, expires_at).await
    }
}

/// An account that owns key 1, and an administrator, in another store than the key.
struct Apart {
    accounts: Accounts,
    keys: Arc<Keys>,
    kim: AccountId,
}

impl Apart {
    async fn new() -> Self {
        let keys = Arc::new(Keys::default());
        let accounts = Accounts::builder(Arc::new(MemoryStore::new())).hashing_cost(8, 1).api_keys(keys.clone()).build().unwrap();
        let mut ids = Vec::new();
        for (email, role) in [(EMAIL, Role::User), ("admin@school.example", Role::Admin)] {
            let created = accounts.create(email.parse().unwrap(), &password(PASSWORD), role).await.unwrap();
            let AccountCreation::Created(id) = created else { panic!("{created:?}") };
            ids.push(id);
        }
        let apart = Self { accounts, keys, kim: ids.remove(0) };
        own(&*apart.keys, apart.kim).await;
        apart
    }

    async fn is_revoked(&self) -> bool {
        is_revoked(&*self.keys).await
    }
}

/// Gives key 1 to somebody.
async fn own(store: &(impl ApiKeyStore + ?Sized), owner: AccountId) {
    let secret = ApiKeySecret::from_random([1; 16]);
    let key = ApiKey::issued(ApiKeyId::from_random([1; 16]), &secret, Line::literal("Lunch"), ApiScopes::built_in(), START);
    assert_eq!(store.create_api_key(ApiKey { owner: Some(owner.into()), ..key }).await.unwrap(), Creation::Created);
}

async fn is_revoked(store: &(impl ApiKeyStore + ?Sized)) -> bool {
    store.api_key_by_id(ApiKeyId::from_random([1; 16])).await.unwrap().unwrap().revoked_at.is_some()
}

fn password(text: &str) -> Password {
    Password::new(text).unwrap()
}

fn administrator() -> SubjectId {
    "administrator".parse().unwrap()
}

/// Fails if a change leaves the keys of the other store, or takes them although they are to be kept.
#[tokio::test]
async fn keys_in_another_store_end_right_after_the_account_or_its_password() {
    for keys in [OwnedApiKeys::Keep, OwnedApiKeys::Revoke] {
        let apart = Apart::new().await;
        let changed = apart.accounts.change_password(apart.kim, &password(PASSWORD), &password(NEW), keys, None).await.unwrap();
        assert_eq!((changed, apart.is_revoked().await), (PasswordVerdict::Changed, keys == OwnedApiKeys::Revoke));
        let apart = Apart::new().await;
        let set = apart.accounts.set_password(&administrator(), apart.kim, &password(NEW), keys).await.unwrap();
        assert_eq!((set, apart.is_revoked().await), (PasswordReset::Done, keys == OwnedApiKeys::Revoke));
    }
    let apart = Apart::new().await;
    assert_eq!(apart.accounts.remove(&administrator(), apart.kim).await.unwrap(), AccountChange::Done);
    assert!(apart.is_revoked().await);
}

/// Fails if one failure is enough to leave the keys, or a last one is not told.
#[tokio::test]
async fn a_store_of_keys_that_does_not_answer_is_asked_again_and_then_told_of() {
    let apart = Apart::new().await;
    apart.keys.away.store(2, Ordering::Relaxed);
    assert_eq!(apart.accounts.remove(&administrator(), apart.kim).await.unwrap(), AccountChange::Done);
    assert!(apart.is_revoked().await);
    let apart = Apart::new().await;
    apart.keys.away.store(3, Ordering::Relaxed);
    assert!(apart.accounts.remove(&administrator(), apart.kim).await.unwrap_err().is_unavailable());
    assert!(!apart.is_revoked().await);
    assert_eq!(apart.accounts.remove(&administrator(), apart.kim).await.unwrap(), AccountChange::Unknown, "the account is gone");
    assert!(apart.is_revoked().await, "and now its keys are, too");
}

/// Fails if a refused change ends keys.
#[tokio::test]
async fn where_nothing_changes_no_key_ends() {
    let apart = Apart::new().await;
    let (wrong, new) = (password("wrong"), password(NEW));
    let change = apart.accounts.change_password(apart.kim, &wrong, &new, OwnedApiKeys::Revoke, None).await.unwrap();
    assert_eq!(change, PasswordVerdict::Refused);
    assert_eq!(apart.accounts.set_role(&administrator(), apart.kim, Role::Admin).await.unwrap(), AccountChange::Done);
    assert!(!apart.is_revoked().await);
}

/// Fails if the office forgets that keys are managed in a store of their own.
#[tokio::test]
async fn the_office_ends_keys_in_another_store() {
    for keys in [OwnedApiKeys::Keep, OwnedApiKeys::Revoke] {
        let store = Arc::new(Keys::default());
        let world = World::with(|builder| builder.api_keys(store.clone())).await;
        let kim = world.store.account_by_email(&EMAIL.parse().unwrap()).await.unwrap().unwrap().id;
        own(&*store, kim).await;
        store.away.store(1, Ordering::Relaxed);
        let (old, new) = (password(PASSWORD), password(NEW));
        let change = world.server.office().change_password(&kim.into(), &old, &new, keys, None).await.unwrap();
        assert_eq!(change, Some(PasswordVerdict::Changed));
        assert_eq!(is_revoked(&*store).await, keys == OwnedApiKeys::Revoke);
    }
}

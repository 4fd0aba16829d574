use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use http::header::AUTHORIZATION;
use lyceum::domain::*;
use lyceum::http::Clock;
use lyceum::http::audit::{EventKind, Object, Rule};
use lyceum::http::auth_server::{
    AccountCreation, Accounts, AccountsBuilder, Authenticator, NewPassword, PasswordFault, PasswordPolicy, PasswordReset, PasswordVerdict,
    SignInLimits, SignInVerdict,
};
use lyceum::store::memory::MemoryStore;
use lyceum::store::{AccountChange, AccountRemoval, AccountStore, Creation, OwnedApiKeys, PasswordChange, Registered, StorageError};
use lyceum::testing::{ManualClock, MemoryAuditLog};

use crate::harness::*;
use crate::token::world::{Fields, VERIFIER, basic};

const NEW: &str = "a new and better password";

async fn token(world: &World, fields: &[(&str, &str)]) -> Answer {
    let mut request = Fields::new(fields).as_form();
    request.headers_mut().insert(AUTHORIZATION, basic(&world.client.id.to_string(), world.secret.expose()).parse().unwrap());
    ask(&world.server, request).await
}

/// The refresh token of what the user has just allowed.
async fn allowed(world: &World) -> String {
    let code = world.browser_at_consent().await.decide("allow").await.sent_back("code").unwrap();
    let fields = [("grant_type", "authorization_code"), ("code", &*code), ("redirect_uri", CALLBACK), ("code_verifier", VERIFIER)];
    token(world, &fields).await.json()["refresh_token"].as_str().unwrap().to_owned()
}

async fn refreshed(world: &World, refresh_token: &str) -> Answer {
    token(world, &[("grant_type", "refresh_token"), ("refresh_token", refresh_token)]).await
}

async fn kim(world: &World) -> AccountId {
    world.store.account_by_email(&EMAIL.parse().unwrap()).await.unwrap().unwrap().id
}

fn password(text: &str) -> Password {
    Password::new(text).unwrap()
}

fn administrator() -> SubjectId {
    "administrator".parse().unwrap()
}

async fn signs_in(world: &World, password: &str) -> bool {
    world.browser_at_login().await.sign_in(EMAIL, password).await.status == 303
}

#[tokio::test]
async fn a_new_password_leaves_whoever_had_the_old_one_nothing() {
    let world = World::new().await;
    let (id, refresh_token) = (kim(&world).await, allowed(&world).await);
    let mut begun = world.browser_at_consent().await;
    let change = async |old| world.accounts.change_password(id, &password(old), &password(NEW), OwnedApiKeys::Revoke, None).await.unwrap();
    assert_eq!(change("wrong").await, PasswordVerdict::Refused);
    let refresh_token = refreshed(&world, &refresh_token).await.json()["refresh_token"].as_str().expect("nothing has ended").to_owned();
    assert_eq!(change(PASSWORD).await, PasswordVerdict::Changed);
    assert_eq!(refreshed(&world, &refresh_token).await.json()["error"], "invalid_grant");
    assert_ne!(begun.get("/v1/oauth/consent").await.status, 200, "whoever had signed in must do so again");
    assert!(!signs_in(&world, PASSWORD).await && signs_in(&world, NEW).await);
    assert_eq!(change(PASSWORD).await, PasswordVerdict::Refused);
}

#[tokio::test]
async fn an_administrator_gives_a_new_password_without_the_old_one() {
    let world = World::new().await;
    let (id, refresh_token) = (kim(&world).await, allowed(&world).await);
    assert_eq!(world.accounts.set_password(&administrator(), id, &password(NEW), OwnedApiKeys::Revoke).await.unwrap(), PasswordReset::Done);
    assert_eq!(refreshed(&world, &refresh_token).await.json()["error"], "invalid_grant");
    assert!(!signs_in(&world, PASSWORD).await && signs_in(&world, NEW).await);
    let nobody = AccountId::from_random([9; 16]);
    assert_eq!(
        world.accounts.set_password(&administrator(), nobody, &password(NEW), OwnedApiKeys::Revoke).await.unwrap(),
        PasswordReset::Unknown
    );
}

#[tokio::test]
async fn somebody_whose_account_is_removed_gets_nothing_more() {
    let log = MemoryAuditLog::default();
    let world = World::with(|builder| builder.audit(Arc::new(log.clone()))).await;
    let (id, refresh_token) = (kim(&world).await, allowed(&world).await);
    assert_eq!(world.accounts.remove(&administrator(), id).await.unwrap(), AccountChange::Done);
    assert_eq!(refreshed(&world, &refresh_token).await.json()["error"], "invalid_grant");
    let told: Vec<_> = log.events().into_iter().rev().map(|event| event.kind).take(2).collect();
    assert!(matches!(&told[0], EventKind::Refused(refused) if refused.rule == Rule::UserGone), "{told:?}");
    assert!(matches!(&told[1], EventKind::RevokedWithUser { subject, .. } if *subject == SubjectId::from(id)), "{told:?}");
    assert!(!signs_in(&world, PASSWORD).await);
    assert_eq!(world.accounts.remove(&administrator(), id).await.unwrap(), AccountChange::Unknown);
    let grants = world.store.grants_of(&id.into(), world.clock.now()).await.unwrap();
    assert!(grants.is_empty(), "{grants:?}");
}

#[tokio::test]
async fn another_role_is_in_the_tokens_of_the_next_refresh() {
    let world = World::new().await;
    let (id, refresh_token) = (kim(&world).await, allowed(&world).await);
    assert_eq!(world.accounts.set_role(&administrator(), id, Role::Admin).await.unwrap(), AccountChange::Done);
    let nobody = AccountId::from_random([9; 16]);
    assert_eq!(world.accounts.set_role(&administrator(), nobody, Role::Admin).await.unwrap(), AccountChange::Unknown);
    let tokens = refreshed(&world, &refresh_token).await.json();
    let keys = serde_json::from_value(get(&world.server, "/v1/oauth/jwk-set").await.json()).unwrap();
    let verifier = lyceum::crypto::TokenVerifier::new(&keys);
    let claims: serde_json::Value = verifier.verify(tokens["access_token"].as_str().unwrap(), world.clock.now()).unwrap();
    assert_eq!(claims["role"], "ADMIN");
}

/// Accounts on a store of their own, and one of them.
async fn accounts(settings: impl FnOnce(AccountsBuilder) -> AccountsBuilder) -> (Arc<MemoryStore>, Accounts, AccountId) {
    let store = Arc::new(MemoryStore::new());
    let accounts = settings(Accounts::builder(store.clone()).hashing_cost(8, 1)).build().unwrap();
    let AccountCreation::Created(id) = accounts.create(EMAIL.parse().unwrap(), &password(PASSWORD), Role::User).await.unwrap() else {
        panic!("the address is free")
    };
    (store, accounts, id)
}

#[tokio::test]
async fn what_becomes_of_accounts_is_recorded() {
    let log = MemoryAuditLog::default();
    let (_, accounts, id) = accounts(|builder| builder.audit(Arc::new(log.clone()))).await;
    let by = administrator();
    let nobody = AccountId::from_random([9; 16]);
    assert_eq!(
        accounts.change_password(id, &password("wrong"), &password(NEW), OwnedApiKeys::Revoke, None).await.unwrap(),
        PasswordVerdict::Refused
    );
    assert_eq!(accounts.remove(&by, nobody).await.unwrap(), AccountChange::Unknown);
    assert_eq!(accounts.set_role(&by, nobody, Role::Admin).await.unwrap(), AccountChange::Unknown);
    assert_eq!(log.events(), [], "what did not happen is not told");
    assert_eq!(
        accounts.change_password(id, &password(PASSWORD), &password(NEW), OwnedApiKeys::Revoke, None).await.unwrap(),
        PasswordVerdict::Changed
    );
    assert_eq!(accounts.set_password(&by, id, &password(PASSWORD), OwnedApiKeys::Revoke).await.unwrap(), PasswordReset::Done);
    assert_eq!(accounts.set_role(&by, id, Role::Admin).await.unwrap(), AccountChange::Done);
    assert_eq!(accounts.set_role(&by, id, Role::User).await.unwrap(), AccountChange::LastAdministrator);
    assert_eq!(accounts.remove(&by, id).await.unwrap(), AccountChange::LastAdministrator, "which is not told, for it did not happen");
    let AccountCreation::Created(_) =
        accounts.create("admin@school.example".parse().unwrap(), &password(PASSWORD), Role::Admin).await.unwrap()
    else {
        panic!("the address is free")
    };
    assert_eq!(accounts.remove(&by, id).await.unwrap(), AccountChange::Done);
    let told: Vec<String> = log.events().iter().map(|event| event.to_json()).collect();
    let (own, by) = (id.to_string(), by.as_str());
    let expected = [(&*own, "password", "changed"), (by, "password", "changed"), (by, "account", "changed"), (by, "account", "deleted")];
    assert_eq!(told.len(), expected.len());
    for (line, (by, object, change)) in told.iter().zip(expected) {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!([&line["event"], &line["subject"], &line["object"], &line["change"]], ["managed", by, object, change]);
        assert_eq!(line["id"], own);
    }
}

#[tokio::test]
async fn guesses_at_an_old_password_are_limited() {
    let clock = ManualClock::at(START);
    let (_, accounts, id) = accounts(|builder| builder.clock(Arc::new(clock.clone()))).await;
    let change = async |old: &str| accounts.change_password(id, &password(old), &password(NEW), OwnedApiKeys::Revoke, None).await.unwrap();
    for _ in 0..10 {
        assert_eq!(change("wrong").await, PasswordVerdict::Refused);
    }
    let before = accounts.password_checks();
    let limited = PasswordVerdict::TooManyAttempts { retry_after: Duration::from_secs(90) };
    assert_eq!((change(PASSWORD).await, accounts.password_checks()), (limited, before));
    clock.advance(Duration::from_secs(90));
    assert_eq!(change(PASSWORD).await, PasswordVerdict::Changed);
}

/// Fails if the office counts attempts of its own.
#[tokio::test]
async fn guesses_at_an_old_password_and_at_the_door_are_counted_together() {
    let world = World::new().await;
    let (office, id) = (world.server.office(), kim(&world).await.into());
    let change = async |old: &str| office.change_password(&id, &password(old), &password(NEW), OwnedApiKeys::Revoke, None).await.unwrap();
    for _ in 0..5 {
        assert_eq!(change("wrong").await, Some(PasswordVerdict::Refused));
        assert!(!signs_in(&world, "wrong").await);
    }
    assert_eq!(change(PASSWORD).await, Some(PasswordVerdict::TooManyAttempts { retry_after: Duration::from_secs(90) }));
    assert!(!signs_in(&world, PASSWORD).await);
    world.clock.advance(Duration::from_secs(90));
    assert_eq!(change(PASSWORD).await, Some(PasswordVerdict::Changed));
    assert!(signs_in(&world, NEW).await);
}

#[tokio::test]
async fn the_office_changes_passwords_of_its_own_accounts_alone() {
    let log = MemoryAuditLog::default();
    let world = World::with(|builder| builder.audit(Arc::new(log.clone()))).await;
    let change = async |world: &World, id: SubjectId, address: &str| {
        let address = Some(address.parse().unwrap());
        world.server.office().change_password(&id, &password(PASSWORD), &password(NEW), OwnedApiKeys::Revoke, address).await.unwrap()
    };
    assert_eq!(change(&world, AccountId::from_random([9; 16]).into(), "192.0.2.1").await, None, "there is nobody");
    assert_eq!(change(&world, kim(&world).await.into(), "192.0.2.1").await, Some(PasswordVerdict::Changed));
    let told = log.events().pop().unwrap();
    assert_eq!(told.address, Some("192.0.2.1".parse().unwrap()));
    assert!(matches!(told.kind, EventKind::Managed { object: Object::Password(_), .. }), "{told:?}");
    let world = World::with(|builder| builder.authenticator(Arc::new(Elsewhere))).await;
    assert_eq!(change(&world, "kim".parse().unwrap(), "192.0.2.1").await, None, "they are kept elsewhere");
}

/// Users that are not kept here.
#[derive(Debug)]
struct Elsewhere;

#[async_trait]
impl Authenticator for Elsewhere {
    async fn authenticate(&self, _: &str, _: &Password, _: Option<IpAddr>) -> Result<SignInVerdict, StorageError> {
        Ok(SignInVerdict::Refused)
    }

    async fn subject(&self, id: &SubjectId) -> Result<Option<Subject>, StorageError> {
        Ok(Some(Subject { id: id.clone(), email: EMAIL.parse().unwrap(), role: Role::User, number: None }))
    }
}

#[tokio::test]
async fn a_good_sign_in_brings_the_hash_to_todays_cost() {
    let (store, old, id) = accounts(|builder| builder).await;
    let today = Accounts::builder(store.clone()).hashing_cost(16, 2).former_hashing_cost(8, 1).build().unwrap();
    let hash = async || store.account(id).await.unwrap().unwrap().password_hash.as_phc().to_owned();
    let sign_in = async |text: &str| today.authenticate(EMAIL, &password(text), None).await.unwrap();
    let before = hash().await;
    assert_eq!(sign_in("wrong").await, SignInVerdict::Refused);
    assert_eq!(hash().await, before);
    assert!(matches!(sign_in(PASSWORD).await, SignInVerdict::SignedIn(_)));
    let after = hash().await;
    assert!(before.contains("m=8,t=1") && after.contains("m=16,t=2"), "{before} {after}");
    assert!(matches!(sign_in(PASSWORD).await, SignInVerdict::SignedIn(_)));
    assert_eq!(hash().await, after, "once is enough");
    let (before, unknown) = (today.password_checks(), today.authenticate("nobody@school.example", &password("x"), None).await.unwrap());
    assert_eq!((unknown, today.password_checks() - before), (SignInVerdict::Refused, 2), "the work of both costs, as for an account");
    assert!(matches!(old.authenticate(EMAIL, &password(PASSWORD), None).await.unwrap(), SignInVerdict::SignedIn(_)));
}

/// Accounts of which one gets another password right after it was looked up.
#[derive(Debug)]
struct ChangedMeanwhile(Arc<MemoryStore>, Mutex<Option<PasswordHash>>);

#[async_trait]
impl AccountStore for ChangedMeanwhile {
    async fn create_account(&self, account: Account) -> Result<Creation, StorageError> {
        self.0.create_account(account).await
    }

    async fn account(&self, id: AccountId) -> Result<Option<Account>, StorageError> {
        self.0.account(id).await
    }

    async fn account_by_email(&self, email: &Email) -> Result<Option<Account>, StorageError> {
        let found = self.0.account_by_email(email).await?;
        let new = self.1.lock().unwrap().take();
        if let (Some(account), Some(new)) = (&found, new) {
            assert_eq!(
                self.0.set_password(account.id, &account.password_hash, new, OwnedApiKeys::Revoke, START).await?,
                PasswordChange::Changed
            );
        }
        Ok(found)
    }

    async fn accounts(&self, search: Option<&Needle>, page: PageRequest) -> Result<Registered<Account>, StorageError> {
        self.0.accounts(search, page).await
    }

    async fn rehash_password(&self, id: AccountId, seen: &PasswordHash, new: PasswordHash) -> Result<PasswordChange, StorageError> {
        self.0.rehash_password(id, seen, new).await
    }

    async fn set_password(
        &self,
        id: AccountId,
        seen: &PasswordHash,
        new: PasswordHash,
        keys: OwnedApiKeys,
        at: Timestamp,
    ) -> Result<PasswordChange, StorageError> {
        self.0.set_password(id, seen, new, keys, at).await
    }

    async fn set_role(&self, id: AccountId, role: Role) -> Result<AccountChange, StorageError> {
        self.0.set_role(id, role).await
    }

    async fn remove_account(&self, id: AccountId, at: Timestamp) -> Result<AccountRemoval, StorageError> {
        self.0.remove_account(id, at).await
    }
}

#[tokio::test]
async fn a_password_that_is_changed_while_it_is_checked_is_good_no_more_and_no_rehash_undoes_it() {
    for (cost, meanwhile, is_good) in [(8, NEW, false), (16, NEW, false), (8, PASSWORD, true), (16, PASSWORD, true)] {
        let (store, _, id) = accounts(|builder| builder).await;
        let other = a_hash_of(meanwhile).await;
        let changing = Arc::new(ChangedMeanwhile(store.clone(), Mutex::new(Some(other.clone()))));
        let accounts = Accounts::builder(changing).hashing_cost(cost, 1).build().unwrap();
        let verdict = accounts.authenticate(EMAIL, &password(PASSWORD), None).await.unwrap();
        assert_eq!(matches!(verdict, SignInVerdict::SignedIn(_)), is_good, "{cost} {meanwhile}: {verdict:?}");
        let kept = store.account(id).await.unwrap().unwrap().password_hash;
        assert_eq!(kept.as_phc() == other.as_phc(), !is_good || cost == 8, "another password stays as it was set");
    }
}

/// The hash of an account with this password.
async fn a_hash_of(text: &str) -> PasswordHash {
    let (store, accounts, id) = accounts(|builder| builder).await;
    assert_eq!(accounts.set_password(&administrator(), id, &password(text), OwnedApiKeys::Revoke).await.unwrap(), PasswordReset::Done);
    store.account(id).await.unwrap().unwrap().password_hash
}

/// Fails if a weak password comes to an account by any of the three ways, or an account that has one is locked out.
#[tokio::test]
async fn new_and_changed_passwords_follow_the_policy_and_existing_ones_go_on() {
    let school = |builder: AccountsBuilder| builder.school_name("Star High School".parse().unwrap());
    let (store, accounts, id) = accounts(school).await;
    let faults = [
        ("short one", PasswordFault::TooShort { at_least: 10 }),
        (EMAIL, PasswordFault::IsEmail),
        ("star-high-school", PasswordFault::IsName),
        ("password2026", PasswordFault::Usual),
    ];
    for (weak, fault) in faults {
        let created = accounts.create(EMAIL.parse().unwrap(), &password(weak), Role::User).await.unwrap();
        assert_eq!(created, AccountCreation::PasswordRefused(fault), "{weak}");
        let before = accounts.password_checks();
        let changed = accounts.change_password(id, &password(PASSWORD), &password(weak), OwnedApiKeys::Keep, None).await.unwrap();
        assert_eq!((changed, accounts.password_checks()), (PasswordVerdict::NewRefused(fault), before), "{weak}");
        let set = accounts.set_password(&administrator(), id, &password(weak), OwnedApiKeys::Keep).await.unwrap();
        assert_eq!(set, PasswordReset::PasswordRefused(fault), "{weak}");
    }
    assert!(matches!(accounts.authenticate(EMAIL, &password(PASSWORD), None).await.unwrap(), SignInVerdict::SignedIn(_)));
    // As an account of an earlier version has it.
    let lax = Accounts::builder(store.clone()).hashing_cost(8, 1).password_policy(Arc::new(Anything)).build().unwrap();
    assert_eq!(lax.set_password(&administrator(), id, &password("1234"), OwnedApiKeys::Keep).await.unwrap(), PasswordReset::Done);
    assert!(matches!(accounts.authenticate(EMAIL, &password("1234"), None).await.unwrap(), SignInVerdict::SignedIn(_)));
    assert_eq!(
        accounts.change_password(id, &password("1234"), &password(NEW), OwnedApiKeys::Keep, None).await.unwrap(),
        PasswordVerdict::Changed
    );
}

/// A host's own policy: anything but one word of its own.
#[derive(Debug)]
struct Anything;

#[async_trait]
impl PasswordPolicy for Anything {
    async fn check(&self, new: &NewPassword<'_>) -> Result<(), PasswordFault> {
        assert_eq!(new.email.as_str(), EMAIL);
        if new.password.expose() == "forbidden" { Err(PasswordFault::NotAllowed) } else { Ok(()) }
    }
}

/// A policy that counts how often it is asked.
#[derive(Debug, Default)]
struct Asked(AtomicUsize);

#[async_trait]
impl PasswordPolicy for Asked {
    async fn check(&self, _: &NewPassword<'_>) -> Result<(), PasswordFault> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

/// Fails if who has to wait can have new passwords estimated meanwhile.
#[tokio::test]
async fn beyond_the_limit_of_attempts_no_new_password_is_checked() {
    let policy = Arc::new(Asked::default());
    let once = Quota::new(1, Duration::from_secs(86_400), 1).unwrap();
    let limits = SignInLimits { per_account_and_address: once, per_account: once, per_address: once };
    let (_, accounts, id) = accounts(|builder| builder.password_policy(policy.clone()).sign_in_limits(limits)).await;
    let before = policy.0.load(Ordering::Relaxed);
    let change = async || accounts.change_password(id, &password("wrong"), &password(NEW), OwnedApiKeys::Keep, None).await.unwrap();
    assert_eq!(change().await, PasswordVerdict::Refused);
    assert!(matches!(change().await, PasswordVerdict::TooManyAttempts { .. }));
    assert_eq!(policy.0.load(Ordering::Relaxed), before + 1);
}

#[tokio::test]
async fn a_host_decides_by_a_policy_of_its_own() {
    let (_, accounts, id) = accounts(|builder| builder.password_policy(Arc::new(Anything))).await;
    let set = async |text: &str| accounts.set_password(&administrator(), id, &password(text), OwnedApiKeys::Keep).await.unwrap();
    assert_eq!(set("forbidden").await, PasswordReset::PasswordRefused(PasswordFault::NotAllowed));
    assert_eq!(set("x").await, PasswordReset::Done);
}

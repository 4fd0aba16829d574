mod argon2_memory;
mod builder;
mod changes;
mod hashing;
mod password_policy;

use std::net::IpAddr;
use std::sync::{Arc, PoisonError, RwLock};

use async_trait::async_trait;

pub use builder::AccountsBuilder;
pub(in crate::http) use changes::password_fields;
pub use changes::{PasswordReset, PasswordVerdict};
pub use password_policy::{NewPassword, PasswordFault, PasswordPolicy, StandardPasswordPolicy};

use super::attempts::{self, Attempts};
use super::authenticator::{AccountRead, Authenticator, SignInVerdict};
use super::config_error::ConfigError;
use super::known_networks::KnownNetworks;
use super::workers::{Busy, Place};
use crate::crypto::Entropy;
use crate::domain::{Account, AccountId, Email, Line, Password, Role, Subject, SubjectId};
use crate::http::Clock;
use crate::http::audit::AuditLog;
use crate::http::key_owners::KeyOwners;
use crate::http::network_limit::network;
use crate::store::{AccountStore, ApiKeyStore, Creation, PasswordChange, StorageError};
use hashing::Hashing;

/// How often a password is checked while others change it.
const TRIES: usize = 3;

/// The built-in users: accounts in the storage, whose passwords are hashed with argon2id.
///
/// Hashing costs tens of milliseconds and megabytes by design. It runs on threads of its own with a short queue; when that is full, the
/// answer is [`SignInVerdict::Busy`] and nothing else slows down. A part of the queue is kept for people who are signed in and for accounts that
/// have signed in from the same network before, on this node and since it started, so that a flood of attempts from elsewhere does not keep them out. Who signs in with a hash of another cost than today's gets a new one.
///
/// Sessions, grants and API keys end with an account and its password where they are kept in the same storage; API keys in another store end if
/// [`AccountsBuilder::api_keys`] names it.
#[derive(Debug)]
pub struct Accounts {
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    audit: Arc<dyn AuditLog>,
    hashing: Hashing,
    policy: Arc<dyn PasswordPolicy>,
    /// The names of the school and the service, which no password may be.
    names: RwLock<Vec<Line>>,
    attempts: Attempts,
    /// From where accounts have signed in, for which places in the queue are kept.
    known: KnownNetworks,
    storage: Arc<dyn AccountStore>,
    api_keys: Option<Arc<dyn ApiKeyStore>>,
}

/// What a password proved.
enum Proof {
    /// It is that of the account, which is as it is now.
    Right(Account),
    Wrong,
    Busy,
}

impl Accounts {
    /// Accounts over a storage, with the settings that suit almost everyone.
    ///
    /// # Errors
    /// As [`AccountsBuilder::build`].
    pub fn new(storage: Arc<dyn AccountStore>) -> Result<Self, ConfigError> {
        Self::builder(storage).build()
    }

    /// Accounts over a storage, with other settings.
    pub fn builder(storage: Arc<dyn AccountStore>) -> AccountsBuilder {
        AccountsBuilder::new(storage)
    }

    /// Makes an account. Its password has to follow the [policy](AccountsBuilder::password_policy).
    ///
    /// # Errors
    /// When the storage could not answer.
    pub async fn create(&self, email: Email, password: &Password, role: Role) -> Result<AccountCreation, StorageError> {
        match self.check_new(password, &email).await {
            Ok(None) => {}
            Ok(Some(fault)) => return Ok(AccountCreation::PasswordRefused(fault)),
            Err(Busy) => return Ok(AccountCreation::Busy),
        }
        let hashed = match self.hashing.hash(password, self.entropy.bytes()).await {
            Ok(hashed) => hashed?,
            Err(Busy) => return Ok(AccountCreation::Busy),
        };
        let id = AccountId::from_random(self.entropy.bytes());
        let account = Account { id, email, password_hash: hashed, role, created_at: self.clock.now() };
        Ok(match self.storage.create_account(account).await? {
            Creation::Created => AccountCreation::Created(id),
            Creation::Taken => AccountCreation::Taken,
        })
    }

    /// How many passwords have been checked against a hash since the start, for metrics: one at each attempt, and one more for each
    /// [former cost](AccountsBuilder::former_hashing_cost).
    pub fn password_checks(&self) -> u64 {
        self.hashing.checks()
    }

    /// The names of the school and the service, which no new password may be.
    pub(in crate::http) fn school_names(&self) -> Vec<Line> {
        self.names.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Refuses a name of the school or the service as a password from now on.
    #[cfg(feature = "ui")]
    pub(in crate::http) fn refuse_name(&self, name: Line) {
        let mut names = self.names.write().unwrap_or_else(PoisonError::into_inner);
        if !names.contains(&name) {
            names.push(name);
        }
    }

    /// Why an account may not get this password.
    async fn check_new(&self, password: &Password, email: &Email) -> Result<Option<PasswordFault>, Busy> {
        let names = self.school_names();
        match self.policy.check(&NewPassword::new(password, email, &names).estimated_on(&self.hashing)).await {
            Ok(()) => Ok(None),
            Err(PasswordFault::Busy) => Err(Busy),
            Err(fault) => Ok(Some(fault)),
        }
    }

    pub(in crate::http) fn store(&self) -> &dyn AccountStore {
        &*self.storage
    }

    /// Checks a password, and hashes it again if its hash has a former cost.
    async fn prove(&self, mut found: Option<Account>, password: &Password, place: Place) -> Result<Proof, StorageError> {
        for _ in 0..TRIES {
            let kept = found.as_ref().map(|account| account.password_hash.clone());
            let checked = match self.hashing.check(kept, password, self.entropy.bytes(), place).await {
                Ok(checked) => checked?,
                Err(Busy) => return Ok(Proof::Busy),
            };
            let Some(seen) = found.filter(|_| checked.is_right) else { return Ok(Proof::Wrong) };
            if let Some(new) = &checked.rehashed {
                let _: PasswordChange = self.storage.rehash_password(seen.id, &seen.password_hash, new.clone()).await?;
            }
            // It takes a while, in which the password may have become another: an old one is good no more.
            let right = checked.rehashed.unwrap_or(seen.password_hash);
            found = self.storage.account(seen.id).await?;
            if let Some(account) = found.take_if(|account| account.password_hash.as_phc() == right.as_phc()) {
                return Ok(Proof::Right(account));
            }
        }
        Ok(Proof::Busy)
    }
}

#[async_trait]
impl Authenticator for Accounts {
    async fn authenticate(&self, email: &str, password: &Password, address: Option<IpAddr>) -> Result<SignInVerdict, StorageError> {
        let origin = address.map(|address| (attempts::account(email), network(address)));
        let is_known = origin.is_some_and(|(account, network)| self.known.knows(&account, network));
        let place = if is_known { Place::Kept } else { Place::Open };
        let account = match email.parse::<Email>() {
            Ok(email) => self.storage.account_by_email(&email).await?,
            Err(_) => None,
        };
        Ok(match self.prove(account, password, place).await? {
            Proof::Right(account) => {
                if let Some((account, network)) = origin {
                    self.known.remember(account, network);
                }
                SignInVerdict::SignedIn(subject(account))
            }
            Proof::Wrong => SignInVerdict::Refused,
            Proof::Busy => SignInVerdict::Busy,
        })
    }

    async fn subject(&self, id: &SubjectId) -> Result<Option<Subject>, StorageError> {
        let Ok(id) = id.as_str().parse() else { return Ok(None) };
        Ok(self.storage.account(id).await?.map(subject))
    }

    async fn subject_with(&self, id: &SubjectId, read: AccountRead<'_>) -> Result<Option<Subject>, StorageError> {
        match read.of(&self.storage) {
            Some(account) => Ok(account.cloned().map(subject)),
            None => self.subject(id).await,
        }
    }

    fn accounts(&self) -> Option<&Accounts> {
        Some(self)
    }
}

/// Those who have an account, for API keys in another store. Keys that belong to the service itself are not anybody's who can leave.
#[async_trait]
impl KeyOwners for Accounts {
    async fn is_user(&self, owner: &SubjectId) -> Result<bool, StorageError> {
        Ok(*owner == SubjectId::service() || self.subject(owner).await?.is_some())
    }
}

/// What became of a new account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum AccountCreation {
    /// It is kept from now on.
    Created(AccountId),
    /// Somebody has the address already.
    Taken,
    /// The policy for new passwords is against this one; nothing changed.
    PasswordRefused(PasswordFault),
    /// More passwords are waiting than can be worked on.
    Busy,
}

fn subject(account: Account) -> Subject {
    Subject { id: account.id.into(), email: account.email, role: account.role, number: None }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::task::{Context, Poll, Waker};

    use super::*;
    use crate::store::memory::MemoryStore;

    /// Fails if the estimate is made where the call is, and holds up whatever else runs there.
    #[tokio::test]
    async fn a_new_password_is_estimated_on_the_threads_that_hash() {
        let accounts = Accounts::builder(Arc::new(MemoryStore::new())).hashing_cost(8, 1).hashing_threads(1, 8).build().unwrap();
        let (begun, has_begun) = channel();
        let (go_on, may_go_on) = channel::<()>();
        let mut context = Context::from_waker(Waker::noop());
        let mut holds = Box::pin(accounts.hashing.workers().run(Place::Kept, move |_| {
            begun.send(()).unwrap();
            may_go_on.recv().is_ok()
        }));
        assert!(holds.as_mut().poll(&mut context).is_pending());
        has_begun.recv().unwrap();
        let usual = Password::new("P@ssw0rd123!").unwrap();
        let mut creation = Box::pin(accounts.create("kim@school.example".parse().unwrap(), &usual, Role::User));
        assert!(creation.as_mut().poll(&mut context).is_pending());
        drop(go_on);
        assert_eq!(creation.await.unwrap(), AccountCreation::PasswordRefused(PasswordFault::Usual));
    }

    /// Fails if strangers may take every place in the queue of passwords.
    #[tokio::test]
    async fn s34_an_owner_signs_in_from_a_known_network_while_strangers_fill_the_queue() {
        let accounts = Accounts::builder(Arc::new(MemoryStore::new())).hashing_cost(8, 1).hashing_threads(1, 8).build().unwrap();
        let (email, password) = ("kim@school.example", Password::new("a long password").unwrap());
        let _ = accounts.create(email.parse().unwrap(), &password, Role::User).await.unwrap();
        let home = Some("2001:db8:1::1".parse().unwrap());
        assert!(matches!(accounts.authenticate(email, &password, home).await.unwrap(), SignInVerdict::SignedIn(_)));
        let (begun, has_begun) = channel();
        let (go_on, may_go_on) = channel::<()>();
        let mut context = Context::from_waker(Waker::noop());
        let mut holds = Box::pin(accounts.hashing.workers().run(Place::Kept, move |_| {
            begun.send(()).unwrap();
            may_go_on.recv().is_ok()
        }));
        assert!(holds.as_mut().poll(&mut context).is_pending());
        has_begun.recv().unwrap();
        let mut flood = Vec::new();
        for subnet in 0..20 {
            let address = Some(format!("2001:db8:2:{subnet:x}::1").parse().unwrap());
            let mut attempt = accounts.authenticate("lee@school.example", &password, address);
            match attempt.as_mut().poll(&mut context) {
                Poll::Pending => flood.push(attempt),
                Poll::Ready(verdict) => assert_eq!(verdict.unwrap(), SignInVerdict::Busy),
            }
        }
        assert_eq!(flood.len(), 8);
        let elsewhere = Some("192.0.2.1".parse().unwrap());
        assert_eq!(accounts.authenticate(email, &password, elsewhere).await.unwrap(), SignInVerdict::Busy);
        let mut owner = accounts.authenticate(email, &password, home);
        assert!(owner.as_mut().poll(&mut context).is_pending(), "there is a place for the owner");
        drop((flood, go_on));
        assert!(matches!(owner.await.unwrap(), SignInVerdict::SignedIn(_)));
    }
}

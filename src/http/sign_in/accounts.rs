mod argon2_memory;
mod builder;
mod changes;
mod hashing;

use std::net::IpAddr;
use std::sync::Arc;

use async_trait::async_trait;

pub use builder::AccountsBuilder;
pub use changes::{PasswordReset, PasswordVerdict};

use super::attempts::Attempts;
use super::authenticator::{Authenticator, SignInVerdict};
use super::config_error::ConfigError;
use super::workers::Busy;
use crate::crypto::Entropy;
use crate::domain::{Account, AccountId, Email, Password, Role, Subject, SubjectId};
use crate::http::Clock;
use crate::http::audit::AuditLog;
use crate::store::{AccountStore, Creation, PasswordChange, StorageError};
use hashing::Hashing;

/// How often a password is checked while others change it.
const TRIES: usize = 3;

/// The built-in users: accounts in the storage, whose passwords are hashed with argon2id.
///
/// Hashing costs tens of milliseconds and megabytes by design. It runs on threads of its own with a short queue; when that is full, the
/// answer is [`SignInVerdict::Busy`] and nothing else slows down. Who signs in with a hash of another cost than today's gets a new one.
///
/// Sessions and grants end with an account and its password where they are kept in the same storage.
#[derive(Debug)]
pub struct Accounts {
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    audit: Arc<dyn AuditLog>,
    hashing: Hashing,
    attempts: Attempts,
    storage: Arc<dyn AccountStore>,
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

    /// Makes an account.
    ///
    /// # Errors
    /// When the storage could not answer.
    pub async fn create(&self, email: Email, password: &Password, role: Role) -> Result<AccountCreation, StorageError> {
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

    pub(in crate::http) fn store(&self) -> &dyn AccountStore {
        &*self.storage
    }

    /// Checks a password, and hashes it again if its hash has a former cost.
    async fn prove(&self, mut found: Option<Account>, password: &Password) -> Result<Proof, StorageError> {
        for _ in 0..TRIES {
            let kept = found.as_ref().map(|account| account.password_hash.clone());
            let checked = match self.hashing.check(kept, password, self.entropy.bytes()).await {
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
    async fn authenticate(&self, email: &str, password: &Password, _: Option<IpAddr>) -> Result<SignInVerdict, StorageError> {
        let account = match email.parse::<Email>() {
            Ok(email) => self.storage.account_by_email(&email).await?,
            Err(_) => None,
        };
        Ok(match self.prove(account, password).await? {
            Proof::Right(account) => SignInVerdict::SignedIn(subject(account)),
            Proof::Wrong => SignInVerdict::Refused,
            Proof::Busy => SignInVerdict::Busy,
        })
    }

    async fn subject(&self, id: &SubjectId) -> Result<Option<Subject>, StorageError> {
        let Ok(id) = id.as_str().parse() else { return Ok(None) };
        Ok(self.storage.account(id).await?.map(subject))
    }

    fn accounts(&self) -> Option<&Accounts> {
        Some(self)
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
    /// More passwords are waiting than can be worked on.
    Busy,
}

fn subject(account: Account) -> Subject {
    Subject { id: account.id.into(), email: account.email, role: account.role }
}

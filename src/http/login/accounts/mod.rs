#[cfg(feature = "data-api")]
mod address_list;
mod argon2_memory;
mod builder;
mod changes;
mod hashing;
mod invitations;
#[cfg(feature = "data-api")]
mod key_owners;
#[cfg(feature = "data-api")]
mod leavers;
mod password_policy;

use std::net::IpAddr;
use std::sync::{Arc, PoisonError, RwLock};

use async_trait::async_trait;

#[cfg(feature = "data-api")]
pub use address_list::{AddressList, LineRefusal, RefusedLine};
pub use builder::AccountsBuilder;
pub(in crate::http) use changes::password_change_fields;
pub use changes::{PasswordChangeOutcome, PasswordResetOutcome};
#[cfg(feature = "data-api")]
pub use leavers::LeaverReport;
pub use password_policy::{
    NewPassword, PasswordPolicy, PasswordPolicyError, StandardPasswordPolicy,
};

use super::attempts::{self, LoginAttemptLimiter};
use super::authenticator::{AuthenticationOutcome, Authenticator, PreloadedAccount};
use super::known_networks::KnownNetworks;
use super::worker_pool::{QueueFull, QueuePriority};
use crate::crypto::Entropy;
use crate::domain::{
    Account, AccountId, Email, Password, PasswordHash, Role, ShortText, Subject, SubjectId,
};
use crate::http::audit::{AuditLog, EmailOwner};
use crate::http::network_limiter::network;
use crate::http::{Clock, ConfigError};
use crate::store::{AccountStore, ApiKeyStore, Creation, PasswordChange, StorageError};
use hashing::PasswordHashing;

/// Maximum attempts at checking a password while it is being changed concurrently.
const MAX_TRIES: usize = 3;

/// The built-in user accounts, stored in the storage, with passwords hashed by argon2id.
///
/// Hashing costs tens of milliseconds and megabytes by design. It runs on dedicated threads with a
/// short queue; when the queue is full, the result is [`AuthenticationOutcome::Busy`] and other
/// requests are not slowed down. Part of the queue is reserved for signed-in users and for accounts
/// that have signed in from the same network before (on this node, since it started), so that a
/// flood of attempts from elsewhere does not lock them out. A successful sign-in replaces a hash of
/// another cost than the configured one.
///
/// When an account is removed or its password changes, its sessions, grants and API keys in the
/// same storage are revoked. API keys in another store are revoked if [`AccountsBuilder::api_keys`]
/// names it.
#[derive(Debug)]
pub struct Accounts {
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    audit: Arc<dyn AuditLog>,
    hashing: PasswordHashing,
    policy: Arc<dyn PasswordPolicy>,
    /// Names of the school and the service, which no password may be.
    names: RwLock<Vec<ShortText>>,
    attempts: LoginAttemptLimiter,
    /// Networks from which accounts have signed in; they may use the reserved part of the queue.
    known: KnownNetworks,
    storage: Arc<dyn AccountStore>,
    api_keys: Option<Arc<dyn ApiKeyStore>>,
    /// Held while the accounts are brought into line with the students of the school.
    #[cfg(feature = "data-api")]
    reconciling: tokio::sync::Mutex<()>,
}

/// Result of checking a password.
enum PasswordVerification {
    /// The password is correct; contains the account as currently stored.
    Correct(Account),
    Wrong,
    Busy,
}

impl Accounts {
    /// Creates accounts over a storage with the default settings.
    ///
    /// # Errors
    /// As [`AccountsBuilder::build`].
    pub fn new(storage: Arc<dyn AccountStore>) -> Result<Self, ConfigError> {
        Self::builder(storage).build()
    }

    /// Creates a builder of accounts over a storage.
    pub fn builder(storage: Arc<dyn AccountStore>) -> AccountsBuilder {
        AccountsBuilder::new(storage)
    }

    /// Creates an account. The password must satisfy the
    /// [policy](AccountsBuilder::password_policy).
    ///
    /// # Errors
    /// When the storage could not answer.
    pub async fn create(
        &self,
        email: Email,
        password: &Password,
        role: Role,
    ) -> Result<AccountCreationOutcome, StorageError> {
        match self.check_new(password, &email).await {
            Ok(None) => {}
            Ok(Some(fault)) => return Ok(AccountCreationOutcome::PasswordRejected(fault)),
            Err(QueueFull) => return Ok(AccountCreationOutcome::Busy),
        }
        match self.hashing.hash(password, self.entropy.bytes()).await {
            Ok(hash) => self.store_new(email, hash?, role).await,
            Err(QueueFull) => Ok(AccountCreationOutcome::Busy),
        }
    }

    /// Creates an account without a password: no password is right. Its owner sets one by a one-time
    /// link, such as that of `Console::password_link` (feature `console`).
    ///
    /// # Errors
    /// When the storage could not answer.
    pub async fn create_without_password(
        &self,
        email: Email,
        role: Role,
    ) -> Result<AccountCreationOutcome, StorageError> {
        self.store_new(email, PasswordHash::none(), role).await
    }

    async fn store_new(
        &self,
        email: Email,
        password_hash: PasswordHash,
        role: Role,
    ) -> Result<AccountCreationOutcome, StorageError> {
        let id = AccountId::from_random(self.entropy.bytes());
        let account = Account {
            id,
            email,
            password_hash,
            role,
            created_at: self.clock.now(),
            student: None,
        };
        Ok(match self.storage.create_account(account).await? {
            Creation::Created => AccountCreationOutcome::Created(id),
            Creation::AlreadyExists => AccountCreationOutcome::EmailTaken,
        })
    }

    /// Number of password hashes computed for checks since the start, for metrics: one for each
    /// attempt, and one more for each [former cost](AccountsBuilder::former_hashing_cost).
    pub fn password_checks(&self) -> u64 {
        self.hashing.checks()
    }

    /// The names of the school and the service, which no new password may be.
    pub(in crate::http) fn school_names(&self) -> Vec<ShortText> {
        self.names
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Adds a name that no new password may be.
    pub(in crate::http) fn add_school_name(&self, name: ShortText) {
        let mut names = self.names.write().unwrap_or_else(PoisonError::into_inner);
        if !names.contains(&name) {
            names.push(name);
        }
    }

    /// Checks a new password against the policy and returns the violation, if any.
    async fn check_new(
        &self,
        password: &Password,
        email: &Email,
    ) -> Result<Option<PasswordPolicyError>, QueueFull> {
        let names = self.school_names();
        match self
            .policy
            .check(&NewPassword::new(password, email, &names).estimated_on(&self.hashing))
            .await
        {
            Ok(()) => Ok(None),
            Err(PasswordPolicyError::Busy) => Err(QueueFull),
            Err(fault) => Ok(Some(fault)),
        }
    }

    pub(in crate::http) fn store(&self) -> &dyn AccountStore {
        &*self.storage
    }

    /// Checks a password, and rehashes it if its hash has another cost than the configured one.
    async fn verify_password(
        &self,
        mut found: Option<Account>,
        password: &Password,
        priority: QueuePriority,
    ) -> Result<PasswordVerification, StorageError> {
        for _ in 0..MAX_TRIES {
            // An account that is suspended or has no password takes as long as an unknown one.
            found = found.filter(|account| {
                !account.password_hash.is_suspended() && !account.password_hash.is_none()
            });
            let kept = found.as_ref().map(|account| account.password_hash.clone());
            let checked = match self
                .hashing
                .check(kept, password, self.entropy.bytes(), priority)
                .await
            {
                Ok(checked) => checked?,
                Err(QueueFull) => return Ok(PasswordVerification::Busy),
            };
            let Some(seen) = found.filter(|_| checked.is_right) else {
                return Ok(PasswordVerification::Wrong);
            };
            if let Some(new) = &checked.rehashed {
                let _: PasswordChange = self
                    .storage
                    .rehash_password(seen.id, &seen.password_hash, new.clone())
                    .await?;
            }
            // The password may have been changed during the check: an old one is no longer valid.
            let right = checked.rehashed.unwrap_or(seen.password_hash);
            found = self.storage.account(seen.id).await?;
            if let Some(account) =
                found.take_if(|account| account.password_hash.as_phc() == right.as_phc())
            {
                return Ok(PasswordVerification::Correct(account));
            }
        }
        Ok(PasswordVerification::Busy)
    }
}

#[async_trait]
impl Authenticator for Accounts {
    async fn authenticate(
        &self,
        email: &str,
        password: &Password,
        address: Option<IpAddr>,
    ) -> Result<AuthenticationOutcome, StorageError> {
        let origin = address.map(|address| (attempts::account_key(email), network(address)));
        let is_known =
            origin.is_some_and(|(account, network)| self.known.contains(&account, network));
        let priority = if is_known {
            QueuePriority::Reserved
        } else {
            QueuePriority::Normal
        };
        let account = match email.parse::<Email>() {
            Ok(email) => self.storage.account_by_email(&email).await?,
            Err(_) => None,
        };
        Ok(
            match self.verify_password(account, password, priority).await? {
                PasswordVerification::Correct(account) => {
                    if let Some((account, network)) = origin {
                        self.known.remember(account, network);
                    }
                    AuthenticationOutcome::SignedIn(subject(account))
                }
                PasswordVerification::Wrong => AuthenticationOutcome::InvalidCredentials,
                PasswordVerification::Busy => AuthenticationOutcome::Busy,
            },
        )
    }

    async fn subject(&self, id: &SubjectId) -> Result<Option<Subject>, StorageError> {
        let Ok(id) = id.as_str().parse() else {
            return Ok(None);
        };
        Ok(self.storage.account(id).await?.and_then(present_subject))
    }

    async fn subject_with_account(
        &self,
        id: &SubjectId,
        preloaded: PreloadedAccount<'_>,
    ) -> Result<Option<Subject>, StorageError> {
        match preloaded.for_store(&*self.storage) {
            Some(account) => Ok(account.cloned().and_then(present_subject)),
            None => self.subject(id).await,
        }
    }

    async fn email_owner(&self, email: &str) -> Result<EmailOwner, StorageError> {
        let Ok(email) = email.parse::<Email>() else {
            return Ok(EmailOwner::NoUser);
        };
        let account = self.storage.account_by_email(&email).await?;
        Ok(account.map_or(EmailOwner::NoUser, |account| {
            EmailOwner::User(account.id.into())
        }))
    }

    fn accounts(&self) -> Option<&Accounts> {
        Some(self)
    }
}

/// Result of creating an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
#[must_use]
pub enum AccountCreationOutcome {
    /// The account was created.
    Created(AccountId),
    /// Another account has this e-mail address.
    EmailTaken,
    /// The password violates the policy; no account was created.
    PasswordRejected(PasswordPolicyError),
    /// The queue of the hashing threads is full.
    Busy,
}

/// The user of an account, unless the account is suspended because its owner has left: tokens and
/// API keys of the owner are then those of nobody.
pub(in crate::http) fn present_subject(account: Account) -> Option<Subject> {
    let is_present = account.password_hash.left_at().is_none();
    is_present.then(|| subject(account))
}

fn subject(account: Account) -> Subject {
    Subject {
        id: account.id.into(),
        email: account.email,
        role: account.role,
        numeric_id: None,
        student: account.student,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::task::{Context, Poll, Waker};

    use super::*;
    use crate::store::memory::MemoryStore;

    /// Fails if the estimate runs on the caller's thread and blocks other tasks there.
    #[tokio::test]
    async fn a_new_password_is_estimated_on_the_threads_that_hash() {
        let accounts = Accounts::builder(Arc::new(MemoryStore::new()))
            .hashing_cost(8, 1)
            .hashing_threads(1, 8)
            .build()
            .unwrap();
        let (begun, has_begun) = channel();
        let (go_on, may_go_on) = channel::<()>();
        let mut context = Context::from_waker(Waker::noop());
        let mut holds = Box::pin(accounts.hashing.workers().run(
            QueuePriority::Reserved,
            move |_| {
                begun.send(()).unwrap();
                may_go_on.recv().is_ok()
            },
        ));
        assert!(holds.as_mut().poll(&mut context).is_pending());
        has_begun.recv().unwrap();
        let usual = Password::new("P@ssw0rd123!").unwrap();
        let mut creation =
            Box::pin(accounts.create("kim@school.example".parse().unwrap(), &usual, Role::User));
        assert!(creation.as_mut().poll(&mut context).is_pending());
        drop(go_on);
        assert_eq!(
            creation.await.unwrap(),
            AccountCreationOutcome::PasswordRejected(PasswordPolicyError::TooCommon)
        );
    }

    // Proves: threats 34
    /// Fails if unknown networks may use the whole queue.
    #[tokio::test]
    async fn the_owner_signs_in_from_a_known_network_while_attackers_fill_the_queue() {
        let accounts = Accounts::builder(Arc::new(MemoryStore::new()))
            .hashing_cost(8, 1)
            .hashing_threads(1, 8)
            .build()
            .unwrap();
        let (email, password) = (
            "kim@school.example",
            Password::new("a long password").unwrap(),
        );
        let _ = accounts
            .create(email.parse().unwrap(), &password, Role::User)
            .await
            .unwrap();
        let home = Some("2001:db8:1::1".parse().unwrap());
        assert!(matches!(
            accounts.authenticate(email, &password, home).await.unwrap(),
            AuthenticationOutcome::SignedIn(_)
        ));
        let (begun, has_begun) = channel();
        let (go_on, may_go_on) = channel::<()>();
        let mut context = Context::from_waker(Waker::noop());
        let mut holds = Box::pin(accounts.hashing.workers().run(
            QueuePriority::Reserved,
            move |_| {
                begun.send(()).unwrap();
                may_go_on.recv().is_ok()
            },
        ));
        assert!(holds.as_mut().poll(&mut context).is_pending());
        has_begun.recv().unwrap();
        let mut flood = Vec::new();
        for subnet in 0..20 {
            let address = Some(format!("2001:db8:2:{subnet:x}::1").parse().unwrap());
            let mut attempt = accounts.authenticate("lee@school.example", &password, address);
            match attempt.as_mut().poll(&mut context) {
                Poll::Pending => flood.push(attempt),
                Poll::Ready(verdict) => assert_eq!(verdict.unwrap(), AuthenticationOutcome::Busy),
            }
        }
        assert_eq!(flood.len(), 8);
        let elsewhere = Some("192.0.2.1".parse().unwrap());
        assert_eq!(
            accounts
                .authenticate(email, &password, elsewhere)
                .await
                .unwrap(),
            AuthenticationOutcome::Busy
        );
        let mut owner = accounts.authenticate(email, &password, home);
        assert!(
            owner.as_mut().poll(&mut context).is_pending(),
            "the reserved part of the queue has a slot for the owner"
        );
        drop((flood, go_on));
        assert!(matches!(
            owner.await.unwrap(),
            AuthenticationOutcome::SignedIn(_)
        ));
    }
}

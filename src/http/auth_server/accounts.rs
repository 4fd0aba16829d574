use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use argon2::password_hash::{PasswordHasher, PasswordVerifier, SaltString};
use argon2::{Algorithm, Argon2, Params, Version};
use async_trait::async_trait;

use super::authenticator::{Authenticator, SignInVerdict};
use super::config_error::ConfigError;
use super::workers::{Busy, Workers};
use crate::crypto::{Entropy, SystemEntropy};
use crate::domain::{Account, AccountId, Email, Invalid, Password, PasswordHash, Role, Subject, SubjectId};
use crate::http::{Clock, SystemClock};
use crate::store::{AccountStore, Creation, StorageError};

/// The built-in users: accounts in the storage, whose passwords are hashed with argon2id.
///
/// Hashing costs tens of milliseconds and megabytes by design. It runs on threads of its own with a short queue; when that is full, the
/// answer is [`SignInVerdict::Busy`] and nothing else slows down.
#[derive(Debug)]
pub struct Accounts {
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    argon2: Argon2<'static>,
    workers: Workers,
    /// What the password of somebody unknown is checked against, so that it takes as long as any other.
    nobody: PasswordHash,
    checks: Arc<AtomicU64>,
    storage: Arc<dyn AccountStore>,
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
        AccountsBuilder {
            clock: Arc::new(SystemClock),
            entropy: Arc::new(SystemEntropy),
            memory_kib: 19 * 1024,
            passes: 2,
            threads: 2,
            waiting: 32,
            storage,
        }
    }

    /// Makes an account.
    ///
    /// # Errors
    /// When the storage could not answer.
    pub async fn create(&self, email: Email, password: &Password, role: Role) -> Result<AccountCreation, StorageError> {
        let (argon2, password, salt) = (self.argon2.clone(), password.clone(), self.entropy.bytes());
        let hashed = match self.workers.run(move || hash(&argon2, &password, &salt)).await {
            Ok(hashed) => hashed.map_err(|error| StorageError::failed("a password could not be hashed", error))?,
            Err(Busy) => return Ok(AccountCreation::Busy),
        };
        let id = AccountId::from_random(self.entropy.bytes());
        let account = Account { id, email, password_hash: hashed, role, created_at: self.clock.now() };
        Ok(match self.storage.create_account(account).await? {
            Creation::Created => AccountCreation::Created(id),
            Creation::Taken => AccountCreation::Taken,
        })
    }

    /// How many passwords have been checked against a hash since the start, for metrics.
    pub fn password_checks(&self) -> u64 {
        self.checks.load(Ordering::Relaxed)
    }

    async fn is_password_of(&self, hash: PasswordHash, password: Password) -> Result<Result<bool, StorageError>, Busy> {
        let (argon2, checks) = (self.argon2.clone(), Arc::clone(&self.checks));
        let check = move || {
            checks.fetch_add(1, Ordering::Relaxed);
            let hash = argon2::PasswordHash::new(hash.as_phc()).map_err(|_| StorageError::corrupt("a password hash is damaged"))?;
            Ok(argon2.verify_password(password.expose().as_bytes(), &hash).is_ok())
        };
        self.workers.run(check).await
    }
}

#[async_trait]
impl Authenticator for Accounts {
    async fn authenticate(&self, email: &str, password: &Password, _: Option<IpAddr>) -> Result<SignInVerdict, StorageError> {
        let account = match email.parse::<Email>() {
            Ok(email) => self.storage.account_by_email(&email).await?,
            Err(_) => None,
        };
        let hash = account.as_ref().map_or(&self.nobody, |account| &account.password_hash).clone();
        let right = match self.is_password_of(hash, password.clone()).await {
            Ok(checked) => checked?,
            Err(Busy) => return Ok(SignInVerdict::Busy),
        };
        Ok(match account {
            Some(account) if right => SignInVerdict::SignedIn(subject(account)),
            _ => SignInVerdict::Refused,
        })
    }

    async fn subject(&self, id: &SubjectId) -> Result<Option<Subject>, StorageError> {
        let Ok(id) = id.as_str().parse() else { return Ok(None) };
        Ok(self.storage.account(id).await?.map(subject))
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

/// Settings of the built-in [`Accounts`].
pub struct AccountsBuilder {
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    memory_kib: u32,
    passes: u32,
    threads: usize,
    waiting: usize,
    storage: Arc<dyn AccountStore>,
}

impl AccountsBuilder {
    /// What time it is; the system's clock by default.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Where salts and ids come from; the operating system by default.
    #[must_use]
    pub fn entropy(mut self, entropy: Arc<dyn Entropy>) -> Self {
        self.entropy = entropy;
        self
    }

    /// The cost of a new hash: memory in KiB (19,456 by default) and passes over it (2 by default). Less is for tests alone.
    #[must_use]
    pub fn hashing_cost(mut self, memory_kib: u32, passes: u32) -> Self {
        (self.memory_kib, self.passes) = (memory_kib, passes);
        self
    }

    /// How many threads hash (2 by default, at least 1) and how many passwords may wait for them (32 by default).
    #[must_use]
    pub fn hashing_threads(mut self, threads: usize, waiting: usize) -> Self {
        (self.threads, self.waiting) = (threads.max(1), waiting);
        self
    }

    /// Starts the hashing threads.
    ///
    /// # Errors
    /// When argon2 has no such cost, or no thread could be started.
    pub fn build(self) -> Result<Accounts, ConfigError> {
        let refused = |_| ConfigError::HashingCost(Invalid::new("must be a cost that argon2id knows"));
        let params = Params::new(self.memory_kib, self.passes, 1, None).map_err(refused)?;
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let unguessable = AccountId::from_random(self.entropy.bytes()).to_string();
        let unguessable = Password::new(&unguessable).map_err(ConfigError::HashingCost)?;
        let nobody = hash(&argon2, &unguessable, &self.entropy.bytes())
            .map_err(|_| ConfigError::HashingCost(Invalid::new("must be a cost that argon2id knows")))?;
        let workers = Workers::start(self.threads, self.waiting).map_err(ConfigError::Threads)?;
        let (clock, entropy, storage) = (self.clock, self.entropy, self.storage);
        Ok(Accounts { clock, entropy, argon2, workers, nobody, checks: Arc::default(), storage })
    }
}

impl fmt::Debug for AccountsBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AccountsBuilder").finish_non_exhaustive()
    }
}

fn hash(argon2: &Argon2<'_>, password: &Password, salt: &[u8; 16]) -> Result<PasswordHash, String> {
    let salt = SaltString::encode_b64(salt).map_err(|error| error.to_string())?;
    let hash = argon2.hash_password(password.expose().as_bytes(), &salt).map_err(|error| error.to_string())?;
    Ok(PasswordHash::from_phc(hash.to_string()))
}

fn subject(account: Account) -> Subject {
    Subject { id: account.id.into(), email: account.email, role: account.role }
}

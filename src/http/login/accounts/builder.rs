use std::fmt;
use std::sync::{Arc, RwLock};

use super::hashing::{HashingCost, PasswordHashing};
use super::{Accounts, PasswordPolicy, StandardPasswordPolicy};
use crate::crypto::{Entropy, SystemEntropy};
use crate::domain::ShortText;
use crate::http::audit::{AuditLog, CountingAuditLog, TracingLog};
use crate::http::login::attempts::{LoginAttemptLimiter, LoginLimits};
use crate::http::login::known_networks::KnownNetworks;
use crate::http::{Clock, ConfigError, SystemClock};
use crate::store::{AccountStore, ApiKeyStore};

/// Settings of the built-in [`Accounts`].
pub struct AccountsBuilder {
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    audit: Arc<dyn AuditLog>,
    cost: HashingCost,
    former_costs: Vec<HashingCost>,
    threads: usize,
    waiting: usize,
    limits: Option<LoginLimits>,
    policy: Arc<dyn PasswordPolicy>,
    names: Vec<ShortText>,
    storage: Arc<dyn AccountStore>,
    api_keys: Option<Arc<dyn ApiKeyStore>>,
}

impl AccountsBuilder {
    pub(super) fn new(storage: Arc<dyn AccountStore>) -> Self {
        Self {
            clock: Arc::new(SystemClock),
            entropy: Arc::new(SystemEntropy),
            audit: Arc::new(TracingLog),
            cost: (19 * 1024, 2),
            former_costs: Vec::new(),
            threads: 2,
            waiting: 32,
            limits: None,
            policy: Arc::new(StandardPasswordPolicy),
            names: Vec::new(),
            storage,
            api_keys: None,
        }
    }

    /// Sets the source of the current time; the system clock by default.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Sets the source of randomness for salts and ids; the operating system by default.
    #[must_use]
    pub fn entropy(mut self, entropy: Arc<dyn Entropy>) -> Self {
        self.entropy = entropy;
        self
    }

    /// Sets the destination of events about changed and removed accounts; by default `tracing`, by
    /// [`TracingLog`].
    #[must_use]
    pub fn audit(mut self, audit: Arc<dyn AuditLog>) -> Self {
        self.audit = audit;
        self
    }

    /// Sets the cost of new hashes: memory in KiB (19,456 by default) and passes over it (2 by
    /// default). Use less only in tests.
    ///
    /// A sign-in replaces a hash of another cost. An account that has not signed in since takes the
    /// time of its former cost, which reveals that the account exists, unless that cost is named
    /// with [`former_hashing_cost`](Self::former_hashing_cost).
    #[must_use]
    pub fn hashing_cost(mut self, memory_kib: u32, passes: u32) -> Self {
        self.cost = (memory_kib, passes);
        self
    }

    /// Names a cost that existing hashes may still have; none by default. Every login attempt then
    /// also does the work of this cost, so that attempts take the same time for every account and
    /// for unknown addresses. Remove it when few such hashes are left.
    #[must_use]
    pub fn former_hashing_cost(mut self, memory_kib: u32, passes: u32) -> Self {
        self.former_costs.push((memory_kib, passes));
        self
    }

    /// Sets the number of hashing threads (2 by default, at least 1) and of passwords that may wait
    /// for them (32 by default). A quarter more may wait for accounts that have signed in from the
    /// same network before, and for signed-in users who choose a new password. After its first hash
    /// each thread holds the memory of one hash: 19 MiB at the default cost.
    #[must_use]
    pub fn hashing_threads(mut self, threads: usize, waiting: usize) -> Self {
        (self.threads, self.waiting) = (threads.max(1), waiting);
        self
    }

    /// Limits password changes that fail because of a wrong old password; by default the same
    /// limits as for logins, counted separately.
    #[must_use]
    pub fn login_limits(mut self, limits: LoginLimits) -> Self {
        self.limits = Some(limits);
        self
    }

    /// Sets the store of users' API keys, if it is another store than the accounts'.
    /// [`Accounts::remove`], [`Accounts::set_password`] and [`Accounts::change_password`] then
    /// revoke the user's keys there right after the change, in up to three attempts. None by
    /// default: a storage that holds both revokes them in the same transaction.
    #[must_use]
    pub fn api_keys(mut self, store: Arc<dyn ApiKeyStore>) -> Self {
        self.api_keys = Some(store);
        self
    }

    /// Sets the policy for new passwords; [`StandardPasswordPolicy`] by default. Existing passwords
    /// are not checked.
    #[must_use]
    pub fn password_policy(mut self, policy: Arc<dyn PasswordPolicy>) -> Self {
        self.policy = policy;
        self
    }

    /// Adds a name of the school or the service. No new password may be this name, and only
    /// administrators may give it to clients and applications. May be called several times. The
    /// console adds the name shown on its pages.
    #[must_use]
    pub fn school_name(mut self, name: ShortText) -> Self {
        self.names.push(name);
        self
    }

    /// Starts the hashing threads.
    ///
    /// # Errors
    /// When argon2 does not support the cost, or a thread could not be started.
    pub fn build(self) -> Result<Accounts, ConfigError> {
        let limits = self.limits.map_or_else(LoginLimits::standard, Ok)?;
        let hashing = PasswordHashing::start(
            self.cost,
            &self.former_costs,
            (self.threads, self.waiting),
            &*self.entropy,
        )?;
        let (clock, entropy, audit, storage) = (
            self.clock,
            self.entropy,
            CountingAuditLog::new(self.audit),
            self.storage,
        );
        let (attempts, known) = (LoginAttemptLimiter::new(limits), KnownNetworks::default());
        let (policy, names) = (self.policy, RwLock::new(self.names));
        Ok(Accounts {
            clock,
            entropy,
            audit,
            hashing,
            policy,
            names,
            attempts,
            known,
            storage,
            api_keys: self.api_keys,
            #[cfg(feature = "data-api")]
            reconciling: tokio::sync::Mutex::default(),
        })
    }
}

impl fmt::Debug for AccountsBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AccountsBuilder").finish_non_exhaustive()
    }
}

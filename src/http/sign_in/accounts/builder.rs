use std::fmt;
use std::sync::{Arc, RwLock};

use super::hashing::{Cost, Hashing};
use super::{Accounts, PasswordPolicy, StandardPasswordPolicy};
use crate::crypto::{Entropy, SystemEntropy};
use crate::domain::Line;
use crate::http::audit::{AuditLog, Counted, TracingLog};
use crate::http::sign_in::attempts::{Attempts, SignInLimits};
use crate::http::sign_in::config_error::ConfigError;
use crate::http::sign_in::known_networks::KnownNetworks;
use crate::http::{Clock, SystemClock};
use crate::store::{AccountStore, ApiKeyStore};

/// Settings of the built-in [`Accounts`].
pub struct AccountsBuilder {
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    audit: Arc<dyn AuditLog>,
    cost: Cost,
    former_costs: Vec<Cost>,
    threads: usize,
    waiting: usize,
    limits: Option<SignInLimits>,
    policy: Arc<dyn PasswordPolicy>,
    names: Vec<Line>,
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

    /// Where events of changed and removed accounts go; by default to `tracing`, as [`TracingLog`] says.
    #[must_use]
    pub fn audit(mut self, audit: Arc<dyn AuditLog>) -> Self {
        self.audit = audit;
        self
    }

    /// The cost of a new hash: memory in KiB (19,456 by default) and passes over it (2 by default). Less is for tests alone.
    ///
    /// Who signs in gets a hash of this cost. An account that has not since still takes the time of its former cost, which tells a stranger
    /// that there is such an account, unless that is named with [`former_hashing_cost`](Self::former_hashing_cost).
    #[must_use]
    pub fn hashing_cost(mut self, memory_kib: u32, passes: u32) -> Self {
        self.cost = (memory_kib, passes);
        self
    }

    /// A cost that accounts may still have from before; none by default. Every attempt to sign in then does the work of this one too, so
    /// that it takes as long whatever hash the account has, or whether there is one. To be taken out when few such accounts are left.
    #[must_use]
    pub fn former_hashing_cost(mut self, memory_kib: u32, passes: u32) -> Self {
        self.former_costs.push((memory_kib, passes));
        self
    }

    /// How many threads hash (2 by default, at least 1) and how many passwords may wait for them (32 by default). A quarter more may wait where
    /// the account has signed in from the same network before, or a signed-in user chooses a new password. From its first hash on each
    /// thread holds the memory that a hash needs: 19 MiB at the default cost.
    #[must_use]
    pub fn hashing_threads(mut self, threads: usize, waiting: usize) -> Self {
        (self.threads, self.waiting) = (threads.max(1), waiting);
        self
    }

    /// How many attempts to change a password may fail for a wrong old one: by default as many as to sign in, and counted for themselves.
    #[must_use]
    pub fn sign_in_limits(mut self, limits: SignInLimits) -> Self {
        self.limits = Some(limits);
        self
    }

    /// Where users' API keys are kept, if that is another store than the accounts': [`Accounts::remove`], [`Accounts::set_password`] and
    /// [`Accounts::change_password`] revoke the user's keys there right after the change, in up to three attempts. By default none, for a storage
    /// that holds both revokes them in the same transition.
    #[must_use]
    pub fn api_keys(mut self, store: Arc<dyn ApiKeyStore>) -> Self {
        self.api_keys = Some(store);
        self
    }

    /// Which passwords accounts may get; [`StandardPasswordPolicy`] by default. Passwords that accounts have already are not checked.
    #[must_use]
    pub fn password_policy(mut self, policy: Arc<dyn PasswordPolicy>) -> Self {
        self.policy = policy;
        self
    }

    /// A name of the school or the service, which no new password may be, and no client or application of users who are no administrators; may be called several times. The web interface adds the name
    /// that stands on its pages.
    #[must_use]
    pub fn school_name(mut self, name: Line) -> Self {
        self.names.push(name);
        self
    }

    /// Starts the hashing threads.
    ///
    /// # Errors
    /// When argon2 has no such cost, or no thread could be started.
    pub fn build(self) -> Result<Accounts, ConfigError> {
        let limits = self.limits.map_or_else(SignInLimits::usual, Ok)?;
        let hashing = Hashing::start(self.cost, &self.former_costs, (self.threads, self.waiting), &*self.entropy)?;
        let (clock, entropy, audit, storage) = (self.clock, self.entropy, Counted::over(self.audit), self.storage);
        let (attempts, known) = (Attempts::new(limits), KnownNetworks::default());
        let (policy, names) = (self.policy, RwLock::new(self.names));
        Ok(Accounts { clock, entropy, audit, hashing, policy, names, attempts, known, storage, api_keys: self.api_keys })
    }
}

impl fmt::Debug for AccountsBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AccountsBuilder").finish_non_exhaustive()
    }
}

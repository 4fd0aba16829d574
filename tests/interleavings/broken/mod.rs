//! Stores that check in one step and act in another. The searches must find them.

mod accounts;
mod api_keys;
mod audit_trail;
mod grants;
mod locks;
mod rate_limits;
mod registry;
mod school;
mod signing_keys;
mod user_sessions;

use std::collections::{HashMap, HashSet};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex};

use locks::Locks;
use lyceum::domain::{
    AuthorizationCodeDigest, ClientId, Consent, Generation, Grant, GrantId, RateLimitKey,
    SubjectId, Timestamp,
};
use lyceum::store::StorageError;
use lyceum::store::memory::MemoryStore;
use lyceum::testing::interleavings::StepGate;

/// Planted fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Same steps without a fault.
    None,
    RedeemsByCheckThenAct,
    RotatesByCheckThenAct,
    WritesTheWholeRowBack,
    ApprovesTwice,
    InstallsKeysTwice,
    ResealsInTwoSteps,
    SelectsThenInsertsScopes,
    SelectsThenInsertsAccounts,
    RenewsWhatItSaw,
    IssuesByCheckThenAct,
    RegistersByCheckThenAct,
    RevokesWhatItSaw,
    AddsSecretsToWhatItSaw,
    WritesWholeScopesBack,
    UpdatesClientsByCheckThenAct,
    ReadsThenWritesRates,
    ApprovesInTwoTransactions,
    AnswersBeforeItCommits,
    RemembersBesideWhatItSaw,
    WithdrawsInTwoTransactions,
    LocksInOneOrder,
    LocksInTwoOrders,
    TakesFewerStepsEachTime,
    RehashesWhatItSaw,
    RemovesAccountsInTwoTransactions,
    SetsPasswordsAfterTheKeys,
    RemovesOwnersBeforeTheirAccounts,
    MovesWhatItSaw,
    AppendsInTwoTransactions,
    WritesWhateverVersionThereIs,
    WritesRowsBeforeTheVersion,
    ForgetsTombstones,
    TellsOnlyTheLastVersion,
    LoadsInTwoTransactions,
}

impl Fault {
    fn is_of_the_directory(self) -> bool {
        matches!(
            self,
            Self::WritesWhateverVersionThereIs
                | Self::WritesRowsBeforeTheVersion
                | Self::ForgetsTombstones
                | Self::TellsOnlyTheLastVersion
                | Self::LoadsInTwoTransactions
        )
    }
}

/// State that the handles share.
#[derive(Debug, Default)]
pub struct Shared {
    store: MemoryStore,
    grants: Mutex<HashMap<AuthorizationCodeDigest, GrantId>>,
    /// Grant of the first call, which the second call returns too.
    issued: Mutex<HashMap<GrantId, Grant>>,
    generations: Mutex<HashMap<GrantId, Generation>>,
    revoked: Mutex<HashSet<GrantId>>,
    dead_codes: Mutex<HashSet<GrantId>>,
    consents: Mutex<HashMap<(SubjectId, ClientId), Consent>>,
    arrivals: Mutex<HashMap<RateLimitKey, Timestamp>>,
    /// Number of created accounts.
    accounts: AtomicUsize,
    pub locks: Locks,
}

/// Handle of a node.
#[derive(Debug)]
pub struct BrokenStore {
    pub shared: Arc<Shared>,
    pub fault: Fault,
    pub gate: StepGate,
    pub node: usize,
}

type StorageResult<T> = Result<T, StorageError>;

impl BrokenStore {
    /// Returns the store of the methods without a fault, each of which is one step.
    async fn delegate(&self, _: &str) -> StorageResult<&MemoryStore> {
        self.gate.before_step().await?;
        Ok(self.store())
    }

    fn has(&self, fault: Fault) -> bool {
        self.fault == fault
    }

    fn store(&self) -> &MemoryStore {
        &self.shared.store
    }

    fn is_revoked(&self, grant: &GrantId) -> bool {
        self.shared.revoked.lock().unwrap().contains(grant)
    }
}

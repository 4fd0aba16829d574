//! Stores that check in one step and act in another, as a search must notice.

mod audit_trail;
mod grants;
mod locks;
mod registry;
mod school;
mod user_sessions;

use std::collections::{HashMap, HashSet};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex};

use locks::Locks;
use lyceum::domain::{AuthorizationCodeDigest, ClientId, Consent, Generation, Grant, GrantId, RateKey, SubjectId};
use lyceum::store::StorageError;
use lyceum::store::memory::MemoryStore;
use lyceum::testing::interleavings::Turn;

/// What is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The same steps, and nothing broken.
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

/// What the handles share.
#[derive(Debug, Default)]
pub struct Shared {
    store: MemoryStore,
    grants: Mutex<HashMap<AuthorizationCodeDigest, GrantId>>,
    /// What the first call got, for the second one to get it too.
    issued: Mutex<HashMap<GrantId, Grant>>,
    generations: Mutex<HashMap<GrantId, Generation>>,
    revoked: Mutex<HashSet<GrantId>>,
    dead_codes: Mutex<HashSet<GrantId>>,
    consents: Mutex<HashMap<(SubjectId, ClientId), Consent>>,
    arrivals: Mutex<HashMap<RateKey, i64>>,
    /// How many accounts were made.
    accounts: AtomicUsize,
    pub locks: Locks,
}

/// One handle.
#[derive(Debug)]
pub struct BrokenStore {
    pub shared: Arc<Shared>,
    pub fault: Fault,
    pub turn: Turn,
    pub node: usize,
}

type Answer<T> = Result<T, StorageError>;

impl BrokenStore {
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

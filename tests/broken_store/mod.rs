//! Memory store with one planted fault of a kind that real stores have. Where a fault depends on
//! timing, a barrier forces it: all callers check before any acts.

mod accounts;
mod api_keys;
mod audit_trail;
mod directory;
mod grants;
mod rate_limits;
mod registry;
mod signing_keys;
mod user_sessions;

use std::any::Any;
use std::sync::atomic::AtomicU64;
use std::sync::{Barrier, Mutex};

use lyceum::store::StorageError;
use lyceum::store::memory::MemoryStore;
use lyceum::testing::conformance::CONCURRENT_CALLERS;

/// Planted fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    RedeemsByCheckThenAct,
    SpendsExpiredCodes,
    RotatesByCheckThenAct,
    ForgetsTheWindow,
    SlidesTheWindow,
    IgnoresRevocationAfterRedemption,
    ApprovesByCheckThenAct,
    KeepsTheOldSessionToken,
    AllowsOneSecondMore,
    SelectsThenInsertsScopes,
    SelectsThenInsertsAccounts,
    IgnoresTheExpectedMark,
    AdvancesByCheckThenAct,
    WritesRowsBeforeTheVersion,
    ForgetsTombstones,
    TellsOnlyTenChanges,
    MixesColumns,
    DropsRepeatedTexts,
    TakesAnyMark,
    RevokesOnlyRedeemedGrants,
    RedeemsOverARevocation,
    RotatesOverARevocation,
    InstallsKeysByCheckThenAct,
    CountsByReadThenWrite,
    SweepsLivingGrants,
    SweepsWhatHasJustDied,
    NeverSweeps,
    DeletesClientsButNotTheirGrants,
    ForgetsGrantsWhenAScopeGoes,
    GrantsScopesThatAreGone,
    AddsSecretsByReadThenWrite,
    WithdrawsWithoutTheConsent,
    WithdrawsGrantsOfOthers,
    ReplacesConsents,
    RemembersEveryApproval,
    ApprovesWithoutAsking,
    RevokesOnlyWhatIsShown,
    SignsOutByCheckThenAct,
    NeverForgetsConsents,
    KeepsThreeSecrets,
    UpdatesClientsByCheckThenAct,
    WithdrawsScopesFromEverybody,
    ListsEverybodyForReview,
    VerifiesWhatItIsGiven,
    VerifiesWhatNobodyReviewed,
    OpensScopesThatAreDescribed,
    WritesWholeScopesBack,
    LeavesDeletedScopesOnLists,
    RemovesSecretsByCheckThenAct,
    ForgetsApprovals,
    RevokesTheNewestKey,
    RevokesKeysAgain,
    RevokesKeysUntilTheNextOne,
    RevokesKeysByCheckThenAct,
    ResealsWhateverIsKept,
    ForgetsPreviousValues,
    CutsOverlapsThatRun,
    RenewsPastTheMost,
    ListsKeysOfEverybody,
    RenewsWhatItSaw,
    RenewsRevokedKeys,
    WritesWhicheverUseComesLast,
    ClaimsNoticesByCheckThenAct,
    IssuesByCheckThenAct,
    RegistersByCheckThenAct,
    CapsGrantsByCheckThenAct,
    ChangesHashesByReadThenWrite,
    ChangesPasswordsButEndsNothing,
    ChangesPasswordsButNotTheKeys,
    RevokesKeysThatAreToBeKept,
    RemovesAccountsButNotTheirKeys,
    SignsOutWithoutTheKeys,
    LeavesTheClientsOfLeavers,
    DeletesTheLastFirstParty,
    RevokesApiKeysOfEverybody,
    RemovesAccountsButNotTheirConsents,
    SortsAccountsAsTheyAreWritten,
    HidesConsentsWithoutGrants,
    CountsOnlyGrantsOfListingClients,
    ReadsTheUsageOfOneClient,
    LeavesRevokedKeysOut,
    CountsCallsByReadThenWrite,
    AppendsOneByOne,
    PagesWithoutTheFilter,
    SweepsAuditAtOnce,
    LetsSessionsIdle,
    KeepsTheOldUserSessionToken,
    MovesSessionsByCheckThenAct,
    ChangesRolesAlone,
    LetsTheLastAdministratorGo,
}

#[derive(Debug)]
pub struct BrokenStore {
    store: MemoryStore,
    fault: Option<Fault>,
    everybody: Barrier,
    first: Mutex<Option<Box<dyn Any + Send>>>,
    sweeps: AtomicU64,
}

type StorageResult<T> = Result<T, StorageError>;

impl BrokenStore {
    pub fn new(fault: Option<Fault>) -> Self {
        Self {
            store: MemoryStore::new(),
            fault,
            everybody: Barrier::new(CONCURRENT_CALLERS),
            first: Mutex::new(None),
            sweeps: AtomicU64::new(0),
        }
    }

    /// Returns the store of the methods without a fault.
    async fn delegate(&self, _: &str) -> StorageResult<&MemoryStore> {
        Ok(&self.store)
    }

    fn has(&self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }

    /// Returns the limit that is left when all callers have counted before any acts.
    fn counted(&self, at_most: u32) -> u32 {
        if !self.has(Fault::RegistersByCheckThenAct) {
            return at_most;
        }
        self.everybody.wait();
        u32::MAX
    }

    /// Returns the record that was partly deleted.
    fn gone<T: Clone + 'static>(&self) -> Option<T> {
        self.first
            .lock()
            .unwrap()
            .as_ref()
            .and_then(|gone| gone.downcast_ref::<T>())
            .cloned()
    }

    /// Acts after all callers have checked. All then return the result that only the first should.
    async fn act_after_check<T: Clone + Send + 'static>(
        &self,
        act: impl Future<Output = StorageResult<T>>,
        is_first: impl Fn(&T) -> bool,
    ) -> StorageResult<T> {
        self.everybody.wait();
        let answer = act.await?;
        if is_first(&answer) {
            *self.first.lock().unwrap() = Some(Box::new(answer));
        }
        self.everybody.wait();
        let first = self.first.lock().unwrap();
        Ok(first
            .as_ref()
            .and_then(|first| first.downcast_ref::<T>())
            .expect("one caller was first")
            .clone())
    }
}

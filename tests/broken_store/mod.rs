//! A memory store with one broken promise, in the ways in which stores really break them. Where a fault needs bad luck with the timing,
//! a barrier brings it about: everybody checks before anybody acts.

mod api_keys;
mod audit_trail;
mod directory;
mod grants;
mod registry;
mod user_sessions;

use std::any::Any;
use std::sync::atomic::AtomicU64;
use std::sync::{Barrier, Mutex};

use lyceum::store::StorageError;
use lyceum::store::memory::MemoryStore;
use lyceum::testing::conformance::RACERS;

/// What is broken.
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

type Answer<T> = Result<T, StorageError>;

impl BrokenStore {
    pub fn new(fault: Option<Fault>) -> Self {
        Self { store: MemoryStore::new(), fault, everybody: Barrier::new(RACERS), first: Mutex::new(None), sweeps: AtomicU64::new(0) }
    }

    fn has(&self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }

    /// The cap that is left when everybody has counted before anybody acts.
    fn counted(&self, at_most: u32) -> u32 {
        if !self.has(Fault::RegistersByCheckThenAct) {
            return at_most;
        }
        self.everybody.wait();
        u32::MAX
    }

    /// What was deleted halfway.
    fn gone<T: Clone + 'static>(&self) -> Option<T> {
        self.first.lock().unwrap().as_ref().and_then(|gone| gone.downcast_ref::<T>()).cloned()
    }

    /// Everybody has checked that nobody came before them. Now all act, and all believe what only the first may.
    async fn act_after_check<T: Clone + Send + 'static>(
        &self,
        act: impl Future<Output = Answer<T>>,
        is_first: impl Fn(&T) -> bool,
    ) -> Answer<T> {
        self.everybody.wait();
        let answer = act.await?;
        if is_first(&answer) {
            *self.first.lock().unwrap() = Some(Box::new(answer));
        }
        self.everybody.wait();
        let first = self.first.lock().unwrap();
        Ok(first.as_ref().and_then(|first| first.downcast_ref::<T>()).expect("somebody was first").clone())
    }
}

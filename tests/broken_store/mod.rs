//! A memory store with one broken promise, in the ways in which stores really break them. Where a fault needs bad luck with the timing,
//! a barrier brings it about: everybody checks before anybody acts.

use std::any::Any;
use std::sync::{Arc, Barrier, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use lyceum::domain::*;
use lyceum::store::memory::MemoryStore;
use lyceum::store::*;
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
    WritesPieceByPiece,
    CountsOnlyThePage,
    TakesPercentForAWildcard,
}

#[derive(Debug)]
pub struct BrokenStore {
    store: MemoryStore,
    fault: Option<Fault>,
    everybody: Barrier,
    first: Mutex<Option<Box<dyn Any + Send>>>,
}

type Answer<T> = Result<T, StorageError>;

impl BrokenStore {
    pub fn new(fault: Option<Fault>) -> Self {
        Self { store: MemoryStore::new(), fault, everybody: Barrier::new(RACERS), first: Mutex::new(None) }
    }

    fn has(&self, fault: Fault) -> bool {
        self.fault == Some(fault)
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

#[async_trait]
impl GrantStore for BrokenStore {
    async fn open_session(&self, session: SessionDigest, pending: AuthorizationSession) -> Answer<()> {
        self.store.open_session(session, pending).await
    }

    async fn session(&self, session: &SessionDigest, at: Timestamp) -> Answer<Option<AuthorizationSession>> {
        let late = if self.has(Fault::AllowsOneSecondMore) { Duration::from_secs(1) } else { Duration::ZERO };
        self.store.session(session, at.minus(late)).await
    }

    async fn sign_in(&self, session: &SessionDigest, replacement: SessionDigest, subject: Subject, at: Timestamp) -> Answer<SignIn> {
        let answer = self.store.sign_in(session, replacement, subject, at).await?;
        if let (true, SignIn::SignedIn(signed_in)) = (self.has(Fault::KeepsTheOldSessionToken), &answer) {
            self.store.open_session(*session, signed_in.clone()).await?;
        }
        Ok(answer)
    }

    async fn approve_session(&self, session: &SessionDigest, approval: Approval, at: Timestamp) -> Answer<ApprovalOutcome> {
        let approving = self.store.approve_session(session, approval, at);
        if self.has(Fault::ApprovesByCheckThenAct) {
            return self.act_after_check(approving, |outcome| matches!(outcome, ApprovalOutcome::Approved(_))).await;
        }
        approving.await
    }

    async fn close_session(&self, session: &SessionDigest, at: Timestamp) -> Answer<Option<AuthorizationSession>> {
        self.store.close_session(session, at).await
    }

    async fn code_binding(&self, code: &AuthorizationCodeDigest) -> Answer<Option<CodeBinding>> {
        self.store.code_binding(code).await
    }

    async fn redeem_authorization_code(
        &self,
        code: &AuthorizationCodeDigest,
        proof: ClientProof,
        lifetimes: TokenLifetimes,
        at: Timestamp,
    ) -> Answer<Redemption> {
        let redeeming = self.store.redeem_authorization_code(code, proof, lifetimes, at);
        if self.has(Fault::RedeemsByCheckThenAct) {
            return self.act_after_check(redeeming, |outcome| matches!(outcome, Redemption::Redeemed(_))).await;
        }
        let outcome = redeeming.await?;
        if self.has(Fault::SpendsExpiredCodes) && outcome == Redemption::Expired {
            let _ = self.store.redeem_authorization_code(code, proof, lifetimes, Timestamp::from_seconds(0)).await?;
        }
        Ok(outcome)
    }

    async fn refresh_binding(&self, grant: &GrantId) -> Answer<Option<RefreshBinding>> {
        self.store.refresh_binding(grant).await
    }

    async fn rotate(&self, grant: &GrantId, presented: Generation, mut lifetimes: TokenLifetimes, at: Timestamp) -> Answer<Rotation> {
        if self.has(Fault::ForgetsTheWindow) {
            lifetimes.retry_window = Duration::from_secs(1_000_000);
        }
        if self.has(Fault::SlidesTheWindow) && self.first.lock().unwrap().is_some() {
            lifetimes.retry_window *= 2;
        }
        let rotating = self.store.rotate(grant, presented, lifetimes, at);
        if self.has(Fault::RotatesByCheckThenAct) {
            return self.act_after_check(rotating, |outcome| matches!(outcome, Rotation::Rotated(_))).await;
        }
        let outcome = rotating.await?;
        if matches!(outcome, Rotation::Repeated(_)) {
            *self.first.lock().unwrap() = Some(Box::new(()));
        }
        Ok(outcome)
    }

    async fn revoke_grant(&self, grant: &GrantId, at: Timestamp) -> Answer<bool> {
        if self.has(Fault::IgnoresRevocationAfterRedemption) && self.store.grant_is_live(grant, at).await? {
            return Ok(true);
        }
        self.store.revoke_grant(grant, at).await
    }

    async fn grant_is_live(&self, grant: &GrantId, at: Timestamp) -> Answer<bool> {
        self.store.grant_is_live(grant, at).await
    }
}

#[async_trait]
impl AccountStore for BrokenStore {
    async fn create_account(&self, account: Account) -> Answer<Creation> {
        let creating = self.store.create_account(account);
        if self.has(Fault::SelectsThenInsertsAccounts) {
            return self.act_after_check(creating, |creation| *creation == Creation::Created).await;
        }
        creating.await
    }

    async fn account(&self, id: AccountId) -> Answer<Option<Account>> {
        self.store.account(id).await
    }

    async fn account_by_email(&self, email: &Email) -> Answer<Option<Account>> {
        self.store.account_by_email(email).await
    }
}

#[async_trait]
impl ApiKeyStore for BrokenStore {
    async fn create_api_key(&self, key: ApiKey) -> Answer<Creation> {
        self.store.create_api_key(key).await
    }

    async fn api_key(&self, digest: &ApiKeyDigest) -> Answer<Option<Arc<ApiKey>>> {
        self.store.api_key(digest).await
    }

    async fn revoke_api_key(&self, id: ApiKeyId, at: Timestamp) -> Answer<bool> {
        self.store.revoke_api_key(id, at).await
    }
}

#[async_trait]
impl ClientRegistry for BrokenStore {
    async fn create_application(&self, application: Application) -> Answer<Creation> {
        self.store.create_application(application).await
    }

    async fn application(&self, id: ApplicationId) -> Answer<Option<Application>> {
        self.store.application(id).await
    }

    async fn create_scope(&self, definition: ScopeDefinition) -> Answer<ScopeCreation> {
        let creating = self.store.create_scope(definition);
        if self.has(Fault::SelectsThenInsertsScopes) {
            return self.act_after_check(creating, |creation| *creation == ScopeCreation::Created).await;
        }
        creating.await
    }

    async fn scope_definitions(&self, scopes: &ScopeSet) -> Answer<Vec<ScopeDefinition>> {
        self.store.scope_definitions(scopes).await
    }

    async fn create_client(&self, client: Client) -> Answer<ClientCreation> {
        self.store.create_client(client).await
    }

    async fn client(&self, id: ClientId) -> Answer<Option<Arc<Client>>> {
        self.store.client(id).await
    }
}

#[async_trait]
impl KeyStore for BrokenStore {
    async fn signing_keys(&self) -> Answer<Vec<SigningKeyRecord>> {
        self.store.signing_keys().await
    }

    async fn install_signing_key(&self, key: SigningKeyRecord) -> Answer<KeyInstallation> {
        self.store.install_signing_key(key).await
    }
}

#[async_trait]
impl SchoolDirectory for BrokenStore {
    async fn students(&self, query: &StudentQuery) -> Answer<Page<StudentProfile>> {
        let mut query = query.clone();
        let is_percent = query.filter.name.as_ref().is_some_and(|needle| needle.as_str() == "%");
        if self.has(Fault::TakesPercentForAWildcard) && is_percent {
            query.filter.name = None;
        }
        let mut page = self.store.students(&query).await?;
        if self.has(Fault::CountsOnlyThePage) {
            page.total = page.items.len() as u64;
        }
        Ok(page)
    }

    async fn clubs(&self, query: &ClubQuery) -> Answer<Page<ClubProfile>> {
        self.store.clubs(query).await
    }

    async fn projects(&self, query: &ProjectQuery) -> Answer<Page<ProjectProfile>> {
        self.store.projects(query).await
    }

    async fn meals(&self, days: DateRange) -> Answer<Vec<Arc<Record<Meal>>>> {
        self.store.meals(days).await
    }

    async fn events(&self, days: DateRange) -> Answer<Vec<Arc<Record<SchoolEvent>>>> {
        self.store.events(days).await
    }

    async fn lessons(&self, days: DateRange, filter: &LessonFilter) -> Answer<Vec<Arc<Record<Lesson>>>> {
        self.store.lessons(days, filter).await
    }

    async fn version(&self) -> Answer<DatasetVersion> {
        self.store.version().await
    }

    async fn write(&self, changes: Vec<DirectoryChange>) -> Answer<Writing> {
        if !self.has(Fault::WritesPieceByPiece) {
            return self.store.write(changes).await;
        }
        let mut written = self.store.version().await.map(Writing::Written)?;
        for (index, change) in changes.into_iter().enumerate() {
            written = self.store.write(vec![change]).await?;
            if let Writing::Refused { refusal, .. } = written {
                return Ok(Writing::Refused { index, refusal });
            }
        }
        Ok(written)
    }
}

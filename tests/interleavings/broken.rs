//! Stores that check in one step and act in another, as a search must notice.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use lyceum::domain::*;
use lyceum::store::memory::MemoryStore;
use lyceum::store::*;
use lyceum::testing::interleavings::{Call, Turn};

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
    SelectsThenInsertsScopes,
    SelectsThenInsertsAccounts,
    RevokesWhatItSaw,
    ApprovesInTwoTransactions,
    AnswersBeforeItCommits,
    LocksInOneOrder,
    LocksInTwoOrders,
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

#[async_trait]
impl GrantStore for BrokenStore {
    async fn open_session(&self, session: SessionDigest, pending: AuthorizationSession) -> Answer<()> {
        self.turn.pass().await?;
        self.store().open_session(session, pending).await
    }

    async fn session(&self, session: &SessionDigest, at: Timestamp) -> Answer<Option<AuthorizationSession>> {
        self.turn.pass().await?;
        self.store().session(session, at).await
    }

    async fn sign_in(&self, session: &SessionDigest, replacement: SessionDigest, subject: Subject, at: Timestamp) -> Answer<SignIn> {
        self.turn.pass().await?;
        self.store().sign_in(session, replacement, subject, at).await
    }

    async fn approve_session(&self, session: &SessionDigest, approval: Approval, at: Timestamp) -> Answer<ApprovalOutcome> {
        self.turn.pass().await?;
        let seen = self.store().session(session, at).await?;
        if self.has(Fault::ApprovesInTwoTransactions) {
            return self.approve_in_two_transactions(session, approval, at).await;
        }
        self.turn.pass().await?;
        self.shared.grants.lock().unwrap().insert(approval.code, approval.grant);
        let approved = self.store().approve_session(session, approval, at).await?;
        Ok(match seen {
            Some(seen) if self.has(Fault::ApprovesTwice) && seen.subject.is_some() => ApprovalOutcome::Approved(seen),
            _ => approved,
        })
    }

    async fn close_session(&self, session: &SessionDigest, at: Timestamp) -> Answer<Option<AuthorizationSession>> {
        self.turn.pass().await?;
        self.store().close_session(session, at).await
    }

    async fn code_binding(&self, code: &AuthorizationCodeDigest) -> Answer<Option<CodeBinding>> {
        self.turn.pass().await?;
        self.store().code_binding(code).await
    }

    async fn redeem_authorization_code(
        &self,
        code: &AuthorizationCodeDigest,
        proof: ClientProof,
        lifetimes: TokenLifetimes,
        at: Timestamp,
    ) -> Answer<Redemption> {
        self.turn.pass().await?;
        let grant = self.shared.grants.lock().unwrap().get(code).copied();
        let Some(grant) = grant else { return Ok(Redemption::Unknown) };
        let was_spent = self.store().refresh_binding(&grant).await?.is_some();
        self.turn.pass().await?;
        if !was_spent && (self.is_revoked(&grant) || self.shared.dead_codes.lock().unwrap().contains(&grant)) {
            let is_spent = self.store().refresh_binding(&grant).await?.is_some();
            return if is_spent {
                self.store().redeem_authorization_code(code, proof, lifetimes, at).await
            } else {
                Ok(Redemption::Revoked)
            };
        }
        let redemption = self.store().redeem_authorization_code(code, proof, lifetimes, at).await?;
        match &redemption {
            Redemption::Redeemed(issued) => drop(self.shared.issued.lock().unwrap().insert(grant, issued.clone())),
            Redemption::AlreadyRedeemed { .. } if !was_spent && self.has(Fault::RedeemsByCheckThenAct) => {
                return Ok(Redemption::Redeemed(self.shared.issued.lock().unwrap()[&grant].clone()));
            }
            _ => {}
        }
        Ok(redemption)
    }

    async fn refresh_binding(&self, grant: &GrantId) -> Answer<Option<RefreshBinding>> {
        self.turn.pass().await?;
        self.store().refresh_binding(grant).await
    }

    async fn rotate(&self, grant: &GrantId, presented: Generation, lifetimes: TokenLifetimes, at: Timestamp) -> Answer<Rotation> {
        self.turn.pass().await?;
        let was_revoked = self.is_revoked(grant);
        let was_current = self.shared.generations.lock().unwrap().get(grant).is_none_or(|current| *current == presented);
        self.turn.pass().await?;
        if self.has(Fault::WritesTheWholeRowBack) && !was_revoked {
            self.shared.revoked.lock().unwrap().remove(grant);
        } else if self.is_revoked(grant) {
            return Ok(if self.store().refresh_binding(grant).await?.is_some() { Rotation::Revoked } else { Rotation::Unknown });
        }
        let rotation = self.store().rotate(grant, presented, lifetimes, at).await?;
        if let Rotation::Rotated(rotated) = &rotation {
            self.shared.generations.lock().unwrap().insert(*grant, rotated.generation);
        }
        Ok(match rotation {
            Rotation::Repeated(rotated) if was_current && self.has(Fault::RotatesByCheckThenAct) => Rotation::Rotated(rotated),
            rotation => rotation,
        })
    }

    async fn revoke_grant(&self, grant: &GrantId, at: Timestamp) -> Answer<bool> {
        if self.turn.pass().await.is_err() && self.has(Fault::AnswersBeforeItCommits) {
            return Ok(true);
        }
        let is_spent = self.store().refresh_binding(grant).await?.is_some();
        let is_there = self.shared.grants.lock().unwrap().values().any(|known| known == grant);
        self.turn.pass().await?;
        if is_there && self.has(Fault::RevokesWhatItSaw) && !is_spent {
            self.shared.dead_codes.lock().unwrap().insert(*grant);
        } else if is_there {
            self.shared.revoked.lock().unwrap().insert(*grant);
        }
        let _ = at;
        Ok(is_there || self.shared.grants.lock().unwrap().values().any(|known| known == grant) && self.revoke_late(*grant))
    }

    async fn grant_is_live(&self, grant: &GrantId, at: Timestamp) -> Answer<bool> {
        self.turn.pass().await?;
        Ok(!self.is_revoked(grant) && self.store().grant_is_live(grant, at).await?)
    }
}

impl BrokenStore {
    fn revoke_late(&self, grant: GrantId) -> bool {
        self.shared.revoked.lock().unwrap().insert(grant);
        true
    }

    /// The session is gone in one transaction, and the grant comes in another.
    async fn approve_in_two_transactions(&self, session: &SessionDigest, approval: Approval, at: Timestamp) -> Answer<ApprovalOutcome> {
        let Some(closed) = self.store().close_session(session, at).await? else { return Ok(ApprovalOutcome::Unknown) };
        self.turn.pass().await?;
        self.store().open_session(*session, closed).await?;
        self.shared.grants.lock().unwrap().insert(approval.code, approval.grant);
        self.store().approve_session(session, approval, at).await
    }

    async fn lock_both(&self, in_order: bool) -> Answer<Vec<Held<'_>>> {
        let mut held = Vec::new();
        for lock in if in_order { [0, 1] } else { [1, 0] } {
            held.push(self.shared.locks.hold(self.node, lock).await);
            self.turn.pass().await?;
        }
        Ok(held)
    }
}

/// Two locks, of which it is known who holds them and who waits for them.
#[derive(Debug, Default)]
pub struct Locks {
    locks: [tokio::sync::Mutex<()>; 2],
    waiting: Mutex<HashMap<usize, usize>>,
    holding: Mutex<HashMap<usize, usize>>,
}

impl Locks {
    async fn hold(&self, node: usize, lock: usize) -> Held<'_> {
        self.waiting.lock().unwrap().insert(node, lock);
        let guard = self.locks[lock].lock().await;
        self.waiting.lock().unwrap().remove(&node);
        self.holding.lock().unwrap().insert(lock, node);
        Held { locks: self, lock, _guard: guard }
    }

    pub fn is_blocked(&self, call: Call, others: &[Call]) -> bool {
        let holding = self.holding.lock().unwrap();
        let holder = self.waiting.lock().unwrap().get(&call.node).and_then(|lock| holding.get(lock).copied());
        others.iter().any(|other| Some(other.node) == holder)
    }
}

struct Held<'l> {
    locks: &'l Locks,
    lock: usize,
    _guard: tokio::sync::MutexGuard<'l, ()>,
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.locks.holding.lock().unwrap().remove(&self.lock);
    }
}

#[async_trait]
impl AccountStore for BrokenStore {
    async fn create_account(&self, account: Account) -> Answer<Creation> {
        self.turn.pass().await?;
        let _held = match self.fault {
            Fault::LocksInTwoOrders => self.lock_both(account.id < AccountId::from_random([1; 16])).await?,
            Fault::LocksInOneOrder => self.lock_both(true).await?,
            _ => Vec::new(),
        };
        let is_free = self.store().account_by_email(&account.email).await?.is_none() && self.store().account(account.id).await?.is_none();
        self.turn.pass().await?;
        let creation = self.store().create_account(account).await?;
        Ok(if is_free && self.has(Fault::SelectsThenInsertsAccounts) { Creation::Created } else { creation })
    }

    async fn account(&self, id: AccountId) -> Answer<Option<Account>> {
        self.turn.pass().await?;
        self.store().account(id).await
    }

    async fn account_by_email(&self, email: &Email) -> Answer<Option<Account>> {
        self.turn.pass().await?;
        self.store().account_by_email(email).await
    }
}

#[async_trait]
impl KeyStore for BrokenStore {
    async fn signing_keys(&self) -> Answer<Vec<SigningKeyRecord>> {
        self.turn.pass().await?;
        self.store().signing_keys().await
    }

    async fn remove_signing_keys(&self, until: Timestamp) -> Answer<usize> {
        self.turn.pass().await?;
        self.store().remove_signing_keys(until).await
    }

    async fn install_signing_key(&self, key: SigningKeyRecord) -> Answer<KeyInstallation> {
        self.turn.pass().await?;
        let is_free = self.store().signing_keys().await?.iter().all(|known| known.sequence != key.sequence);
        self.turn.pass().await?;
        let installation = self.store().install_signing_key(key).await?;
        Ok(if is_free && self.has(Fault::InstallsKeysTwice) { KeyInstallation::Installed } else { installation })
    }
}

#[async_trait]
impl RateLimiter for BrokenStore {
    async fn take(&self, key: &RateKey, quota: Quota, now_micros: i64) -> Answer<RateVerdict> {
        self.turn.pass().await?;
        self.store().take(key, quota, now_micros).await
    }
}

#[async_trait]
impl ClientRegistry for BrokenStore {
    async fn create_application(&self, application: Application) -> Answer<Creation> {
        self.turn.pass().await?;
        self.store().create_application(application).await
    }

    async fn application(&self, id: ApplicationId) -> Answer<Option<Application>> {
        self.turn.pass().await?;
        self.store().application(id).await
    }

    async fn create_scope(&self, definition: ScopeDefinition) -> Answer<ScopeCreation> {
        self.turn.pass().await?;
        let wanted: ScopeSet = [definition.scope.clone()].into_iter().collect();
        let is_free = self.store().scope_definitions(&wanted).await?.is_empty();
        self.turn.pass().await?;
        let is_free = is_free && !self.store().scope_definitions(&wanted).await?.is_empty();
        let creation = self.store().create_scope(definition).await?;
        Ok(if is_free && self.has(Fault::SelectsThenInsertsScopes) { ScopeCreation::Created } else { creation })
    }

    async fn scope_definitions(&self, scopes: &ScopeSet) -> Answer<Vec<ScopeDefinition>> {
        self.turn.pass().await?;
        self.store().scope_definitions(scopes).await
    }

    async fn create_client(&self, client: Client) -> Answer<ClientCreation> {
        self.turn.pass().await?;
        self.store().create_client(client).await
    }

    async fn client(&self, id: ClientId) -> Answer<Option<Arc<Client>>> {
        self.turn.pass().await?;
        self.store().client(id).await
    }
}

#[async_trait]
impl ApiKeyStore for BrokenStore {
    async fn create_api_key(&self, key: ApiKey) -> Answer<Creation> {
        self.turn.pass().await?;
        self.store().create_api_key(key).await
    }

    async fn api_key(&self, digest: &ApiKeyDigest) -> Answer<Option<Arc<ApiKey>>> {
        self.turn.pass().await?;
        self.store().api_key(digest).await
    }

    async fn revoke_api_key(&self, id: ApiKeyId, at: Timestamp) -> Answer<bool> {
        self.turn.pass().await?;
        self.store().revoke_api_key(id, at).await
    }
}

#[async_trait]
impl SchoolDirectory for BrokenStore {
    async fn students(&self, query: &StudentQuery) -> Answer<Page<StudentProfile>> {
        self.store().students(query).await
    }

    async fn clubs(&self, query: &ClubQuery) -> Answer<Page<ClubProfile>> {
        self.turn.pass().await?;
        self.store().clubs(query).await
    }

    async fn projects(&self, query: &ProjectQuery) -> Answer<Page<ProjectProfile>> {
        self.store().projects(query).await
    }

    async fn meals(&self, days: DateRange) -> Answer<Vec<Arc<Record<Meal>>>> {
        self.store().meals(days).await
    }

    async fn events(&self, days: DateRange) -> Answer<Vec<Arc<Record<SchoolEvent>>>> {
        self.store().events(days).await
    }

    async fn lessons(&self, days: DateRange, filter: &LessonFilter) -> Answer<Vec<Arc<Record<Lesson>>>> {
        self.store().lessons(days, filter).await
    }

    async fn version(&self) -> Answer<DatasetVersion> {
        self.store().version().await
    }

    async fn write(&self, changes: Vec<DirectoryChange>) -> Answer<Writing> {
        self.turn.pass().await?;
        self.store().write(changes).await
    }
}

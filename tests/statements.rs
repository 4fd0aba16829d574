//! Timing of calls to a SQL store: the number of their statements, and the calls that they wait for.

#[path = "support/postgres.rs"]
mod postgres_server;
#[path = "support/statement_counter.rs"]
mod statement_counter;
#[path = "support/token_issuance.rs"]
mod token_issuance;

use std::sync::Arc;
use std::task::{Context, Waker};
use std::time::Duration;

use async_trait::async_trait;
use http::Request;
use lyceum::DataApi;
use lyceum::directory::Directory;
use lyceum::domain::{
    ApiKey, ApiKeyDigest, ApiKeyId, ApiKeySecret, ApiScopes, AuthorizationCodeDigest, Client,
    ClientId, ClientPolicy, ClientSecretDigest, GrantId, PageRequest, RegisteredSecret, Scope,
    ScopeSet, SessionDigest, ShortText, SubjectId, Timestamp, UserSessionDigest, Verification,
};
use lyceum::http::data_api::{DataApiBuilder, LeasedLimiter};
use lyceum::store::sql::{Phase, SqlStore, TransactionHook};
use lyceum::store::{
    AccountStore, ApiKeyStore, ClientCreation, ClientLookup, ClientRegistry, ConsentStore,
    Creation, DirectoryStore, GrantStore, SigningKeyStore, StorageError, UserSessionStore,
};
use lyceum::testing::ManualClock;
use postgres_server::{cluster, needs_postgres};
use statement_counter::StatementCounter;
use token_issuance::TokenIssuance;
use tokio::sync::watch;
use tower::ServiceExt;

fn client(number: u8, policy: ClientPolicy, secrets: usize) -> Client {
    let created_at = Timestamp::from_seconds(1_790_000_000);
    let secret = RegisteredSecret {
        digest: ClientSecretDigest::from_bytes([number; 32]),
        created_at,
        last_four: None,
        last_used_at: None,
    };
    Client {
        id: ClientId::from_random([number; 16]),
        name: ShortText::from_static("Club app"),
        owner: SubjectId::service(),
        policy,
        secrets: vec![secret; secrets],
        redirect_uris: vec!["https://app.example/callback".parse().unwrap()],
        allowed_scopes: [Scope::self_read()].into_iter().collect(),
        plain_pkce_allowed: false,
        pkce_required: false,
        first_party: false,
        client_credentials_allowed: false,
        iss_omitted: false,
        policy_uri: None,
        verification: Verification::Assumed,
        created_at,
        suspended_at: None,
    }
}

async fn an_unknown_client_takes_as_many_statements_as_any(store: SqlStore) {
    let [public, secret] = [
        client(1, ClientPolicy::Public, 0),
        client(2, ClientPolicy::Secret, 2),
    ];
    let bare = Client {
        allowed_scopes: ScopeSet::default(),
        ..client(3, ClientPolicy::Public, 0)
    };
    for client in [&public, &secret, &bare] {
        assert_eq!(
            store.create_client(client.clone()).await.unwrap(),
            ClientCreation::Created
        );
    }
    let counter = Arc::new(StatementCounter::default());
    let watched = store.with_transaction_hook(counter.clone());
    let mut statements = Vec::new();
    for (id, is_known) in [
        (ClientId::from_random([9; 16]), false),
        (public.id, true),
        (secret.id, true),
        (bare.id, true),
    ] {
        assert_eq!(watched.client(id).await.unwrap().is_some(), is_known);
        statements.push(counter.take());
    }
    assert_eq!(statements, [3; 4]);
}

// Proves: threats 18
#[tokio::test]
async fn in_sqlite_an_unknown_client_takes_as_many_statements_as_any() {
    let folder = tempfile::tempdir().unwrap();
    an_unknown_client_takes_as_many_statements_as_any(
        SqlStore::sqlite(folder.path().join("lyceum.db")).unwrap(),
    )
    .await;
}

// Proves: threats 18
#[tokio::test]
async fn in_postgres_an_unknown_client_takes_as_many_statements_as_any() {
    needs_postgres!();
    let store = SqlStore::postgres(&cluster().new_schema())
        .migrate(true)
        .open()
        .await
        .unwrap();
    an_unknown_client_takes_as_many_statements_as_any(store).await;
}

/// Fails if a request reads twice, or writes by more than its one conditional statement.
async fn an_exchange_and_a_refresh_are_one_statement_that_reads_and_one_that_writes(
    store: SqlStore,
) {
    let issuance = TokenIssuance::with_store(&store).await;
    let counter = Arc::new(StatementCounter::default());
    let auth = issuance
        .server(store.with_transaction_hook(counter.clone()))
        .await;
    counter.take();
    let refresh_token = issuance.exchange(&auth, 0).await;
    assert_eq!(counter.take(), 2, "an exchange");
    let refresh_token = issuance.refresh(&auth, &refresh_token).await;
    assert_eq!(counter.take(), 2, "a refresh");
    issuance.refresh(&auth, &refresh_token).await;
    assert_eq!(counter.take(), 2, "another refresh");
}

#[tokio::test]
async fn an_exchange_and_a_refresh_are_one_statement_that_reads_and_one_that_writes_in_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqlStore::sqlite(folder.path().join("lyceum.db")).unwrap();
    an_exchange_and_a_refresh_are_one_statement_that_reads_and_one_that_writes(store).await;
}

#[tokio::test]
async fn an_exchange_and_a_refresh_are_one_statement_that_reads_and_one_that_writes_in_postgresql()
{
    needs_postgres!();
    let store = SqlStore::postgres(&cluster().new_schema())
        .migrate(true)
        .open()
        .await
        .unwrap();
    an_exchange_and_a_refresh_are_one_statement_that_reads_and_one_that_writes(store).await;
}

/// Blocks each transaction at its beginning until the gate is opened.
#[derive(Debug)]
struct Hold(watch::Sender<bool>);

/// Opens the gate when it is dropped.
struct Opens(Arc<Hold>);

impl Drop for Opens {
    fn drop(&mut self) {
        self.0.0.send_replace(true);
    }
}

#[async_trait]
impl TransactionHook for Hold {
    async fn before(&self, phase: Phase) -> Result<(), StorageError> {
        if phase == Phase::Begin {
            let _ = self.0.subscribe().wait_for(|is_open| *is_open).await;
        }
        Ok(())
    }

    async fn after(&self, _: Phase) -> Result<(), StorageError> {
        Ok(())
    }
}

/// Fails if what a request is authorized by stands in one queue with searches.
async fn sixteen_hanging_searches_delay_no_authorization(store: SqlStore) {
    let hold = Arc::new(Hold(watch::Sender::new(false)));
    // SQLite's threads wait in the hook, and the store waits for the threads when it is dropped.
    let _open_in_the_end = Opens(Arc::clone(&hold));
    let held = store.clone().with_transaction_hook(hold);
    let page = PageRequest::new(0, 10).unwrap();
    let mut searches: Vec<_> = (0..8).map(|_| held.load_directory()).collect();
    let mut lists: Vec<_> = (0..8).map(|_| held.accounts(None, page)).collect();
    let mut context = Context::from_waker(Waker::noop());
    for _ in 0..100 {
        assert!(
            searches
                .iter_mut()
                .all(|search| search.as_mut().poll(&mut context).is_pending())
        );
        assert!(
            lists
                .iter_mut()
                .all(|list| list.as_mut().poll(&mut context).is_pending())
        );
        tokio::task::yield_now().await;
    }
    let (at, email) = (
        Timestamp::from_seconds(1_790_000_000),
        "kim@school.example".parse().unwrap(),
    );
    let (subject, id) = (SubjectId::service(), ClientId::from_random([1; 16]));
    assert!(store.client(id).await.unwrap().is_none());
    assert!(store.account_by_email(&email).await.unwrap().is_none());
    assert!(
        store
            .session(&SessionDigest::from_bytes([1; 32]), at)
            .await
            .unwrap()
            .is_none()
    );
    assert!(
        store
            .user_session(
                &UserSessionDigest::from_bytes([1; 32]),
                Duration::from_secs(60),
                at
            )
            .await
            .unwrap()
            .is_none()
    );
    assert!(store.consent(&subject, &id).await.unwrap().is_none());
    assert!(
        store
            .code_binding(&AuthorizationCodeDigest::from_bytes([1; 32]))
            .await
            .unwrap()
            .is_none()
    );
    assert!(
        store
            .refresh_binding(&GrantId::from_random([1; 16]))
            .await
            .unwrap()
            .is_none()
    );
    assert!(
        !store
            .grant_is_live(&GrantId::from_random([1; 16]), at)
            .await
            .unwrap()
    );
    assert!(
        store
            .scope_definitions(&ScopeSet::default())
            .await
            .unwrap()
            .is_empty()
    );
    assert!(
        store
            .api_key(&ApiKeyDigest::from_bytes([1; 32]))
            .await
            .unwrap()
            .is_none()
    );
    assert!(store.signing_keys().await.unwrap().is_empty());
    assert_eq!(store.directory_version().await.unwrap().number, 0);
    assert!(
        searches
            .iter_mut()
            .all(|search| search.as_mut().poll(&mut context).is_pending())
    );
    drop((searches, lists));
}

#[tokio::test]
async fn sixteen_searches_that_hang_hold_up_nothing_that_authorizes_in_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    sixteen_hanging_searches_delay_no_authorization(
        SqlStore::sqlite(folder.path().join("lyceum.db")).unwrap(),
    )
    .await;
}

#[tokio::test]
async fn sixteen_searches_that_hang_hold_up_nothing_that_authorizes_in_postgresql() {
    needs_postgres!();
    let store = SqlStore::postgres(&cluster().new_schema())
        .migrate(true)
        .timeout(Duration::from_secs(60))
        .open()
        .await
        .unwrap();
    sixteen_hanging_searches_delay_no_authorization(store).await;
}

/// A data API over a SQL store whose statements are counted. Its requests have an unknown parameter,
/// so the response is 400 after the key and its limit are checked and the use is recorded.
struct Counted {
    store: SqlStore,
    counter: Arc<StatementCounter>,
    clock: ManualClock,
    api: DataApi,
}

impl Counted {
    async fn new(
        store: SqlStore,
        options: impl FnOnce(DataApiBuilder, Arc<SqlStore>) -> DataApiBuilder,
    ) -> Self {
        let (counter, clock) = (
            Arc::new(StatementCounter::default()),
            ManualClock::new(Timestamp::from_seconds(1_790_000_000)),
        );
        let watched = Arc::new(store.clone().with_transaction_hook(counter.clone()));
        for number in 0..64 {
            let (secret, id) = (
                ApiKeySecret::from_random([number; 16]),
                ApiKeyId::from_random([number; 16]),
            );
            let key = ApiKey::new(
                id,
                &secret,
                ShortText::from_static("key"),
                ApiScopes::built_in(),
                Timestamp::from_seconds(1_790_000_000),
            );
            assert_eq!(store.create_api_key(key).await.unwrap(), Creation::Created);
        }
        let directory = Directory::open(watched.clone()).await.unwrap();
        let _ = counter.take();
        let api = options(
            DataApi::builder(directory, watched.clone()).clock(Arc::new(clock.clone())),
            watched,
        )
        .build()
        .unwrap();
        Self {
            store,
            counter,
            clock,
            api,
        }
    }

    /// Sends a request with a key, and returns the status and the number of statements.
    async fn request(&self, number: u8) -> (u16, usize) {
        let secret = ApiKeySecret::from_random([number; 16]);
        let request = Request::get("/v1/clubs?x=1")
            .header("x-api-key", secret.expose())
            .body(())
            .unwrap();
        let status = self
            .api
            .clone()
            .oneshot(request)
            .await
            .unwrap()
            .status()
            .as_u16();
        (status, self.counter.take())
    }

    async fn flushed(&self) -> usize {
        self.api.flush().await.unwrap();
        self.counter.take()
    }
}

/// Fails if a key is read for each request, a limit is written, or a last use is.
async fn a_request_with_a_known_key_sends_no_statement_for_the_key_its_limit_and_its_last_use(
    store: SqlStore,
) {
    let counted = Counted::new(store, |api, _| api).await;
    assert_eq!(counted.request(1).await, (400, 1), "the key");
    for _ in 0..20 {
        assert_eq!(counted.request(1).await, (400, 0));
    }
    counted.clock.advance(Duration::from_secs(5));
    assert_eq!(counted.request(1).await, (400, 1), "the key is read again");
    assert!(
        counted
            .store
            .revoke_api_key(
                ApiKeyId::from_random([1; 16]),
                Timestamp::from_seconds(1_790_000_000)
            )
            .await
            .unwrap()
    );
    assert_eq!(
        counted.request(1).await,
        (401, 1),
        "it was revoked through another handle of the same store"
    );
    assert_eq!(counted.request(1).await, (401, 1));
}

#[tokio::test]
async fn in_sqlite_a_request_with_a_known_key_sends_no_statement_for_the_key_its_limit_and_its_last_use()
 {
    let folder = tempfile::tempdir().unwrap();
    let store = SqlStore::sqlite(folder.path().join("lyceum.db")).unwrap();
    a_request_with_a_known_key_sends_no_statement_for_the_key_its_limit_and_its_last_use(store)
        .await;
}

#[tokio::test]
async fn in_postgresql_a_request_with_a_known_key_sends_no_statement_for_the_key_its_limit_and_its_last_use()
 {
    needs_postgres!();
    let store = SqlStore::postgres(&cluster().new_schema())
        .migrate(true)
        .compare_clock(false)
        .open()
        .await
        .unwrap();
    a_request_with_a_known_key_sends_no_statement_for_the_key_its_limit_and_its_last_use(store)
        .await;
}

/// Fails if the number of statements grows with the number of keys.
async fn the_last_uses_of_many_keys_are_written_by_four_statements(store: SqlStore) {
    let counted = Counted::new(store, |api, _| api).await;
    for statements in [4, 3] {
        for number in (0..64).chain(0..64) {
            assert_eq!(counted.request(number).await.0, 400);
        }
        assert_eq!(
            counted.flushed().await,
            statements,
            "who is there, the last use, the calls, and on a new day the old days"
        );
    }
}

#[tokio::test]
async fn in_sqlite_the_last_uses_of_many_keys_are_written_by_four_statements() {
    let folder = tempfile::tempdir().unwrap();
    the_last_uses_of_many_keys_are_written_by_four_statements(
        SqlStore::sqlite(folder.path().join("lyceum.db")).unwrap(),
    )
    .await;
}

#[tokio::test]
async fn in_postgresql_the_last_uses_of_many_keys_are_written_by_four_statements() {
    needs_postgres!();
    let store = SqlStore::postgres(&cluster().new_schema())
        .migrate(true)
        .compare_clock(false)
        .open()
        .await
        .unwrap();
    the_last_uses_of_many_keys_are_written_by_four_statements(store).await;
}

/// Fails if each request asks the store for its limit.
async fn a_shared_limit_is_asked_for_once_in_ten_requests(store: SqlStore) {
    let counted = Counted::new(store, |api, store| {
        api.rate_limiter(Arc::new(LeasedLimiter::new(store)))
    })
    .await;
    counted.request(1).await;
    for _ in 0..14 {
        assert_eq!(counted.request(1).await.0, 400);
    }
    // At the time at which its row was inserted, each write would also delete expired rows.
    counted.clock.advance(Duration::from_secs(1));
    let mut statements = 0;
    for _ in 0..70 {
        let (status, sent) = counted.request(1).await;
        assert_eq!(status, 400);
        statements += sent;
    }
    assert_eq!(statements, 14, "a look and a write for ten requests");
}

#[tokio::test]
async fn in_sqlite_a_shared_limit_is_asked_for_once_in_ten_requests() {
    let folder = tempfile::tempdir().unwrap();
    a_shared_limit_is_asked_for_once_in_ten_requests(
        SqlStore::sqlite(folder.path().join("lyceum.db")).unwrap(),
    )
    .await;
}

#[tokio::test]
async fn in_postgresql_a_shared_limit_is_asked_for_once_in_ten_requests() {
    needs_postgres!();
    let store = SqlStore::postgres(&cluster().new_schema())
        .migrate(true)
        .compare_clock(false)
        .open()
        .await
        .unwrap();
    a_shared_limit_is_asked_for_once_in_ten_requests(store).await;
}

//! Checks that one of many concurrent calls wins, in every store, through two handles where
//! possible.

#[path = "support/postgres.rs"]
mod postgres_server;
#[path = "support/report.rs"]
mod report;

use std::sync::Arc;
use std::time::Duration;

use lyceum::domain::{
    AuthorizationCodeDigest, AuthorizationSession, ClientId, ClientProof, Generation, GrantId,
    Role, ScopeSet, SessionDigest, Subject, SubjectId, Timestamp,
};
use lyceum::store::memory::MemoryStore;
use lyceum::store::sql::SqlStore;
use lyceum::store::{
    Approval, ApprovalLimits, ApprovalOutcome, ConsentMode, GrantStore, Redemption, Rotation,
    TokenLifetimes,
};
use report::report;
use tokio::sync::Barrier;
use tokio::task::JoinSet;

const ROUNDS: u64 = 200;
const CALLS: usize = 64;

const NOW: Timestamp = Timestamp::from_seconds(1_790_000_000);
const LIFETIMES: TokenLifetimes = TokenLifetimes {
    idle: Duration::from_secs(1000),
    absolute: Duration::from_secs(5000),
    retry_window: Duration::from_secs(30),
};

/// Two handles on the same data.
type Handles = [Arc<dyn GrantStore>; 2];

fn in_memory() -> Handles {
    let store = Arc::new(MemoryStore::new());
    [store.clone(), store]
}

fn in_a_file(folder: &tempfile::TempDir) -> Handles {
    [(), ()].map(|()| Arc::new(SqlStore::sqlite(folder.path().join("school.db")).unwrap()) as _)
}

async fn on_a_server() -> Handles {
    let url = tokio::task::spawn_blocking(|| postgres_server::cluster().new_schema())
        .await
        .unwrap();
    // Long enough for a busy machine.
    let open = async || {
        Arc::new(
            SqlStore::postgres(&url)
                .migrate(true)
                .compare_clock(false)
                .timeout(Duration::from_secs(120))
                .open()
                .await
                .unwrap(),
        )
    };
    [open().await, open().await]
}

/// Creates a test on each store for every `async fn(&str, Handles)`.
macro_rules! on_each_store {
    ($($test:ident)+) => {$(
        mod $test {
            #[tokio::test(flavor = "multi_thread", worker_threads = 8)]
            async fn in_memory() {
                super::$test("memory", super::in_memory()).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 8)]
            async fn in_sqlite() {
                let folder = tempfile::tempdir().unwrap();
                super::$test("SQLite", super::in_a_file(&folder)).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 8)]
            async fn in_postgres() {
                crate::postgres_server::needs_postgres!();
                super::$test("PostgreSQL", super::on_a_server().await).await;
            }
        }
    )+};
}

on_each_store!(of_64_redemptions_of_one_code_one_wins of_64_rotations_of_one_token_one_wins);

// Proves: threats 1
async fn of_64_redemptions_of_one_code_one_wins(name: &str, handles: Handles) {
    let mut replays = 0;
    for number in 0..ROUNDS {
        approve(&*handles[0], number).await;
        let outcomes = at_once(&handles, move |store| async move {
            redeem(&*store, number).await
        })
        .await;
        let won = outcomes
            .iter()
            .filter(|outcome| matches!(outcome, Redemption::Redeemed(_)))
            .count();
        assert_eq!(won, 1, "{outcomes:?}");
        let replay = Redemption::AlreadyRedeemed {
            grant: grant(number),
            at: NOW,
        };
        assert_eq!(
            outcomes
                .iter()
                .filter(|outcome| **outcome == replay)
                .count(),
            CALLS - 1,
            "{outcomes:?}"
        );
        assert!(
            !handles[1].grant_is_live(&grant(number), NOW).await.unwrap(),
            "a replay did not end the grant"
        );
        replays += CALLS - won;
    }
    report(
        "races",
        format!(
            "{name}: {ROUNDS} rounds of {CALLS} redemptions of one code: {ROUNDS} won, {replays} were replays"
        ),
    );
}

// Proves: threats 4
async fn of_64_rotations_of_one_token_one_wins(name: &str, handles: Handles) {
    let mut repeated = 0;
    for number in 0..ROUNDS {
        approve(&*handles[0], number).await;
        assert!(matches!(
            redeem(&*handles[1], number).await,
            Redemption::Redeemed(_)
        ));
        let outcomes = at_once(&handles, move |store| async move {
            rotate(&*store, number, 0).await
        })
        .await;
        let successors: Vec<_> = outcomes
            .iter()
            .filter_map(|outcome| {
                if let Rotation::Rotated(grant) = outcome {
                    Some(grant)
                } else {
                    None
                }
            })
            .collect();
        let [successor] = successors[..] else {
            panic!("not one rotated: {outcomes:?}")
        };
        let repetition = Rotation::Repeated(successor.clone());
        assert_eq!(
            outcomes
                .iter()
                .filter(|outcome| **outcome == repetition)
                .count(),
            CALLS - 1,
            "{outcomes:?}"
        );
        assert_eq!(successor.generation, Generation::new(1));
        // The first token is invalid once its successor is used.
        assert!(matches!(
            rotate(&*handles[0], number, 1).await,
            Rotation::Rotated(_)
        ));
        assert_eq!(
            rotate(&*handles[1], number, 0).await,
            Rotation::Reused {
                grant: grant(number)
            }
        );
        repeated += CALLS - 1;
    }
    report(
        "races",
        format!(
            "{name}: {ROUNDS} rounds of {CALLS} rotations of one token: {ROUNDS} rotated, {repeated} got the same successor"
        ),
    );
}

/// Runs calls concurrently, half of them through each handle.
async fn at_once<T, F>(handles: &Handles, call: impl Fn(Arc<dyn GrantStore>) -> F) -> Vec<T>
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    let everybody = Arc::new(Barrier::new(CALLS));
    let calls: JoinSet<_> = (0..CALLS)
        .map(|number| {
            let (everybody, call) = (
                Arc::clone(&everybody),
                call(Arc::clone(&handles[number % handles.len()])),
            );
            async move {
                everybody.wait().await;
                call.await
            }
        })
        .collect();
    calls.join_all().await
}

async fn redeem(store: &dyn GrantStore, number: u64) -> Redemption {
    store
        .redeem_authorization_code(&code(number), ClientProof::Pkce, LIFETIMES, NOW)
        .await
        .unwrap()
}

async fn rotate(store: &dyn GrantStore, number: u64, generation: u32) -> Rotation {
    store
        .rotate_refresh_token(&grant(number), Generation::new(generation), LIFETIMES, NOW)
        .await
        .unwrap()
}

/// Creates an unredeemed code.
async fn approve(store: &dyn GrantStore, number: u64) {
    let session = SessionDigest::from_bytes(seed(number));
    let pending = AuthorizationSession {
        client: ClientId::from_random([2; 16]),
        redirect_uri: "https://app.example/callback".to_owned(),
        state: None,
        scopes: ScopeSet::default(),
        challenge: None,
        prompt_consent: false,
        subject: Some(Subject {
            id: SubjectId::service(),
            email: "kim@school.example".parse().unwrap(),
            role: Role::User,
            numeric_id: None,
        }),
        created_at: NOW,
        expires_at: NOW.plus(Duration::from_secs(600)),
    };
    store.open_session(session, pending).await.unwrap();
    let approval = Approval {
        grant: grant(number),
        code: code(number),
        code_expires_at: NOW.plus(Duration::from_secs(60)),
        consent_mode: ConsentMode::Once,
        limits: ApprovalLimits::UNLIMITED,
    };
    assert!(matches!(
        store
            .approve_session(&session, approval, NOW)
            .await
            .unwrap(),
        ApprovalOutcome::Approved(_)
    ));
}

fn code(number: u64) -> AuthorizationCodeDigest {
    AuthorizationCodeDigest::from_bytes(seed(number))
}

fn grant(number: u64) -> GrantId {
    GrantId::from_random(std::array::from_fn(|at| seed(number)[at]))
}

fn seed(number: u64) -> [u8; 32] {
    let mut bytes = [7; 32];
    bytes[..8].copy_from_slice(&number.to_be_bytes());
    bytes
}

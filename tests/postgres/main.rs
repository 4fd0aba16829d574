//! Tests of the PostgreSQL store beyond the conformance suite: opening, loss of the server, and the
//! state that is left.

#[path = "../support/postgres.rs"]
mod postgres_server;

#[path = "../support/metrics_capture.rs"]
mod metrics_capture;
#[path = "../support/token_issuance.rs"]
mod token_issuance;

mod between;
mod cancelling;
mod clock;
mod conflicts;
mod metrics;
mod opening;
mod outages;
mod round_trips;
mod settings;
mod slow_reads;
mod statements;
mod tls;

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use lyceum::domain::{
    AuthorizationCodeDigest, AuthorizationSession, ClientId, Email, GrantId, Role, ScopeSet,
    SessionDigest, Subject, SubjectId, Timestamp,
};
use lyceum::store::sql::SqlStore;
use lyceum::store::{
    Approval, ApprovalLimits, ApprovalOutcome, ConsentMode, DatasetVersion, DirectoryRows,
    DirectoryStore, DirectoryWrite, GrantStore, StorageError, TokenLifetimes,
};

const NOW: Timestamp = Timestamp::from_seconds(1_790_000_000);
const CODE: AuthorizationCodeDigest = AuthorizationCodeDigest::from_bytes([7; 32]);
const LIFETIMES: TokenLifetimes = TokenLifetimes {
    idle: Duration::from_secs(1000),
    absolute: Duration::from_secs(5000),
    retry_window: Duration::from_secs(30),
};

pub(crate) use postgres_server::needs_postgres;

/// Long enough for a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);

async fn store(url: &str) -> SqlStore {
    SqlStore::postgres(url)
        .migrate(true)
        .compare_clock(false)
        .timeout(TIMEOUT)
        .open()
        .await
        .unwrap()
}

/// Returns the present version of the directory, and a change without records that leads to the
/// next one.
async fn next_version(
    store: &SqlStore,
) -> Result<(DatasetVersion, Arc<DirectoryRows>), StorageError> {
    let present = store.directory_version().await?;
    let next = DatasetVersion {
        number: present.number + 1,
        mark: present.number,
        ..present
    };
    Ok((present, Arc::new(DirectoryRows::empty(next))))
}

/// Writes the next version of the directory, without a record.
async fn advance(store: &SqlStore) -> Result<DirectoryWrite, StorageError> {
    let (present, change) = next_version(store).await?;
    store.write_directory(present, change).await
}

/// Advances the time of this process, without waiting.
async fn go_by(time: Duration) {
    tokio::time::pause();
    tokio::time::advance(time).await;
    tokio::time::resume();
}

fn subject() -> Subject {
    Subject {
        id: SubjectId::service(),
        email: "kim@school.example".parse::<Email>().unwrap(),
        role: Role::User,
        numeric_id: None,
        student: None,
    }
}

/// Returns a session whose user has signed in.
fn pending() -> AuthorizationSession {
    AuthorizationSession {
        client: ClientId::from_random([2; 16]),
        redirect_uri: "https://app.example/callback".to_owned(),
        state: None,
        scopes: ScopeSet::parse("service:self_read").unwrap(),
        challenge: None,
        prompt: lyceum::domain::Prompt::default(),
        subject: Some(subject()),
        created_at: NOW,
        expires_at: NOW.plus(Duration::from_secs(600)),
    }
}

/// Creates a grant whose [`CODE`] is unredeemed.
async fn approved_grant(store: &SqlStore) -> GrantId {
    let (session, grant) = (
        SessionDigest::from_bytes([1; 32]),
        GrantId::from_random([3; 16]),
    );
    store.open_session(session, pending()).await.unwrap();
    let approval = Approval {
        grant,
        code: CODE,
        code_expires_at: NOW.plus(Duration::from_secs(60)),
        consent_mode: ConsentMode::Once,
        limits: ApprovalLimits::UNLIMITED,
    };
    let outcome = store
        .approve_session(&session, approval, NOW)
        .await
        .unwrap();
    assert!(
        matches!(outcome, ApprovalOutcome::Approved(_)),
        "{outcome:?}"
    );
    grant
}

/// Asserts that the error is a temporary one, and returns it with its cause.
#[track_caller]
fn unavailable<T: std::fmt::Debug>(outcome: Result<T, StorageError>) -> String {
    let error = outcome.unwrap_err();
    let text = format!(
        "{error}: {}",
        error.source().map(ToString::to_string).unwrap_or_default()
    );
    assert!(error.is_unavailable(), "{text}");
    text
}

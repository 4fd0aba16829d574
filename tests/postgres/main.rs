//! What the conformance suite cannot ask of a store on PostgreSQL: how it is opened, what it does when its server is lost, and what it
//! leaves behind.

#[path = "../support/postgres.rs"]
mod postgres_server;

#[path = "../support/issuing.rs"]
mod issuing;
#[path = "../support/measured.rs"]
mod measuring;

mod between;
mod cancelling;
mod clock;
mod conflicts;
mod measured;
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
    AuthorizationCodeDigest, AuthorizationSession, ClientId, Email, GrantId, Role, ScopeSet, SessionDigest, Subject, SubjectId, Timestamp,
};
use lyceum::store::sql::SqlStore;
use lyceum::store::{
    Advance, Approval, ApprovalCaps, ApprovalOutcome, Assent, DatasetVersion, DirectoryRows, DirectoryStore, GrantStore, StorageError,
    TokenLifetimes,
};

const NOW: Timestamp = Timestamp::from_seconds(1_790_000_000);
const CODE: AuthorizationCodeDigest = AuthorizationCodeDigest::from_bytes([7; 32]);
const LIFETIMES: TokenLifetimes =
    TokenLifetimes { idle: Duration::from_secs(1000), absolute: Duration::from_secs(5000), retry_window: Duration::from_secs(30) };

pub(crate) use postgres_server::needs_postgres;

/// So long that no machine is too busy to answer within it.
const PATIENCE: Duration = Duration::from_secs(60);

async fn store(url: &str) -> SqlStore {
    SqlStore::postgres(url).migrate(true).compare_clock(false).patience(PATIENCE).open().await.unwrap()
}

/// The present version of the directory, and a change without records that leads to the next one.
async fn next_version(store: &SqlStore) -> Result<(DatasetVersion, Arc<DirectoryRows>), StorageError> {
    let present = store.directory_version().await?;
    let next = DatasetVersion { number: present.number + 1, mark: present.number, ..present };
    Ok((present, Arc::new(DirectoryRows::empty(next))))
}

/// Makes the next version of the directory, without a record.
async fn advance(store: &SqlStore) -> Result<Advance, StorageError> {
    let (present, change) = next_version(store).await?;
    store.write_directory(present, change).await
}

/// Lets time go by for this program, without waiting.
async fn go_by(time: Duration) {
    tokio::time::pause();
    tokio::time::advance(time).await;
    tokio::time::resume();
}

fn subject() -> Subject {
    Subject { id: SubjectId::service(), email: "kim@school.example".parse::<Email>().unwrap(), role: Role::User, number: None }
}

/// A session whose user has signed in.
fn pending() -> AuthorizationSession {
    AuthorizationSession {
        client: ClientId::from_random([2; 16]),
        redirect_uri: "https://app.example/callback".to_owned(),
        state: None,
        scopes: ScopeSet::parse("service:self_read").unwrap(),
        challenge: None,
        ask_again: false,
        subject: Some(subject()),
        created_at: NOW,
        expires_at: NOW.plus(Duration::from_secs(600)),
    }
}

/// A grant that waits for its [`CODE`] to be redeemed.
async fn approved_grant(store: &SqlStore) -> GrantId {
    let (session, grant) = (SessionDigest::from_bytes([1; 32]), GrantId::from_random([3; 16]));
    store.open_session(session, pending()).await.unwrap();
    let approval =
        Approval { grant, code: CODE, code_expires_at: NOW.plus(Duration::from_secs(60)), assent: Assent::Once, caps: ApprovalCaps::NONE };
    let outcome = store.approve_session(&session, approval, NOW).await.unwrap();
    assert!(matches!(outcome, ApprovalOutcome::Approved(_)), "{outcome:?}");
    grant
}

/// An error with its cause, which must be about the passing moment.
#[track_caller]
fn unavailable<T: std::fmt::Debug>(outcome: Result<T, StorageError>) -> String {
    let error = outcome.unwrap_err();
    let text = format!("{error}: {}", error.source().map(ToString::to_string).unwrap_or_default());
    assert!(error.is_unavailable(), "{text}");
    text
}

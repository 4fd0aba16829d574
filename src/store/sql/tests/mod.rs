//! Tests that the conformance suite cannot contain: files, several stores on one file, and damage.

mod backups;
mod damaged_rows;
mod database_files;
mod large_directory;
mod protected_fields;
mod statements;
mod two_stores;

use std::time::Duration;

use crate::domain::{
    AuthorizationCodeDigest, AuthorizationSession, ClientId, Email, GrantId, Role, ScopeSet,
    SessionDigest, Subject, SubjectId, Timestamp,
};
use crate::store::sql::SqlStore;
use crate::store::{
    Approval, ApprovalLimits, ApprovalOutcome, ConsentMode, GrantStore, TokenLifetimes,
};

const NOW: Timestamp = Timestamp::from_seconds(1_790_000_000);
const CODE: AuthorizationCodeDigest = AuthorizationCodeDigest::from_bytes([7; 32]);
const LIFETIMES: TokenLifetimes = TokenLifetimes {
    idle: Duration::from_secs(1000),
    absolute: Duration::from_secs(5000),
    retry_window: Duration::from_secs(30),
};

/// A file in a temporary folder, which is deleted with the test.
fn database() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lyceum.db");
    (folder, path)
}

/// A session whose user has signed in.
fn pending() -> AuthorizationSession {
    AuthorizationSession {
        client: ClientId::from_random([2; 16]),
        redirect_uri: "https://app.example/callback".to_owned(),
        state: None,
        scopes: ScopeSet::parse("service:self_read").unwrap(),
        challenge: None,
        prompt: crate::domain::Prompt::default(),
        subject: Some(Subject {
            id: SubjectId::service(),
            email: "kim@school.example".parse::<Email>().unwrap(),
            role: Role::User,
            numeric_id: None,
            student: None,
        }),
        created_at: NOW,
        expires_at: NOW.plus(Duration::from_secs(600)),
    }
}

/// A grant whose [`CODE`] is not redeemed yet.
async fn approved_grant(store: &SqlStore) -> GrantId {
    let session = SessionDigest::from_bytes([1; 32]);
    let grant = GrantId::from_random([3; 16]);
    let approval = Approval {
        grant,
        code: CODE,
        code_expires_at: NOW.plus(Duration::from_secs(60)),
        consent_mode: ConsentMode::Once,
        limits: ApprovalLimits::UNLIMITED,
    };
    store.open_session(session, pending()).await.unwrap();
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

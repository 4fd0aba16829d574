//! Responses to clients and users over a restored database that version 1 filled.

use std::sync::Arc;

use http::StatusCode;
use lyceum::crypto::MasterKey;
use lyceum::domain::{ApiKey, ApiKeyId, ApiKeySecret, Password, Subject};
use lyceum::http::auth_server::{Accounts, AuthenticationOutcome, Authenticator};
use lyceum::store::sql::{RestoreReport, SqlStore};
use lyceum::store::{ApiKeyStore, Creation};
use lyceum::testing::ManualClock;

use crate::fixtures::*;
use crate::services::{self, exchange, refresh, tokens};

/// Value of a key that was issued after the backup.
const LATER_API_KEY: &str = "03030303-0303-4303-8303-030303030303";

/// Checks that nothing which the backup may show to be valid opens anything, until it is confirmed.
pub async fn opens_nothing_until_it_is_confirmed(store: SqlStore, report: &RestoreReport) {
    assert_eq!(
        (
            report.authorization_sessions,
            report.grants,
            report.signing_keys,
            report.suspended_accounts.len(),
            report.suspended_api_keys.len()
        ),
        (2, 2, 1, 2, 1),
        "{report}"
    );
    let store = Arc::new(store);
    let server = services::server(store.clone(), MasterKey::from_bytes(MASTER_KEY))
        .await
        .unwrap();
    for request in [
        refresh(REFRESH_TOKEN),
        refresh(PREVIOUS_REFRESH_TOKEN),
        exchange(CODE),
    ] {
        assert_eq!(tokens(&server, request).await.unwrap_err(), "invalid_grant");
    }
    for session in [SESSION_AT_LOGIN, SESSION_AT_CONSENT] {
        assert_eq!(
            services::session_status(&server, session).await,
            StatusCode::UNAUTHORIZED
        );
    }
    let published = services::keys(&server).await.to_string();
    assert!(!published.contains(SIGNING_KEY), "{published}");

    let status = async |key| services::status_with_key(store.clone(), key).await;
    assert_eq!(status(API_KEY).await, StatusCode::UNAUTHORIZED);
    assert_eq!(signed_in(&store).await, None);
    assert_eq!(store.confirm_all_api_keys().await.unwrap(), 1);
    assert_eq!(store.confirm_all_accounts().await.unwrap(), 2);
    assert_eq!(status(API_KEY).await, StatusCode::OK);
    for key in [REVOKED_API_KEY, LATER_API_KEY] {
        assert_eq!(status(key).await, StatusCode::UNAUTHORIZED, "{key}");
    }
    assert_eq!(signed_in(&store).await.unwrap().email.as_str(), EMAIL);
}

/// Signs in with the password of the backup.
async fn signed_in(store: &Arc<SqlStore>) -> Option<Subject> {
    let accounts = Accounts::builder(store.clone())
        .clock(Arc::new(ManualClock::new(NOW)))
        .hashing_cost(8, 1)
        .build()
        .unwrap();
    let password = Password::new(PASSWORD).unwrap();
    match accounts.authenticate(EMAIL, &password, None).await.unwrap() {
        AuthenticationOutcome::SignedIn(subject) => Some(subject),
        outcome => {
            assert_eq!(outcome, AuthenticationOutcome::InvalidCredentials);
            None
        }
    }
}

/// Changes after the backup, which it does not have.
pub async fn changes_after_the_backup(store: &SqlStore) {
    let revoked = ApiKeySecret::parse(API_KEY).unwrap().digest();
    let revoked = store.api_key(&revoked).await.unwrap().unwrap();
    assert!(store.revoke_api_key(revoked.id, NOW).await.unwrap());
    let later = ApiKey::new(
        ApiKeyId::from_random([3; 16]),
        &ApiKeySecret::parse(LATER_API_KEY).unwrap(),
        revoked.description.clone(),
        revoked.scopes.clone(),
        NOW,
    );
    assert_eq!(
        store.create_api_key(later).await.unwrap(),
        Creation::Created
    );
}

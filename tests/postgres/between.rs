//! Concurrent writes between two statements of one call.

use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use lyceum::domain::{AuthorizationCodeDigest, ClientProof, GrantId, SessionDigest};
use lyceum::store::sql::{Phase, SqlStore, TransactionHook};
use lyceum::store::{
    Approval, ApprovalLimits, ApprovalOutcome, ConsentMode, GrantStore, Redemption, Rotation,
    SignIn, StorageError,
};

use crate::postgres_server::cluster;
use crate::{CODE, LIFETIMES, NOW, approved_grant, needs_postgres, pending, store, subject};

type Meanwhile = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Runs a future once, right after the first statement.
struct AfterFirstStatement(Mutex<Option<Meanwhile>>);

impl std::fmt::Debug for AfterFirstStatement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AfterFirstStatement")
    }
}

#[async_trait]
impl TransactionHook for AfterFirstStatement {
    async fn before(&self, _: Phase) -> Result<(), StorageError> {
        Ok(())
    }

    async fn after(&self, phase: Phase) -> Result<(), StorageError> {
        let meanwhile = self
            .0
            .lock()
            .unwrap()
            .take_if(|_| phase == Phase::Statement);
        if let Some(meanwhile) = meanwhile {
            meanwhile.await;
        }
        Ok(())
    }
}

/// Returns a store during whose first call a concurrent write happens.
fn store_with_concurrent_write<F: Future<Output = ()> + Send + 'static>(
    store: &SqlStore,
    meanwhile: impl FnOnce(SqlStore) -> F,
) -> SqlStore {
    let meanwhile: Meanwhile = Box::pin(meanwhile(store.clone()));
    store
        .clone()
        .with_transaction_hook(Arc::new(AfterFirstStatement(Mutex::new(Some(meanwhile)))))
}

#[tokio::test]
async fn a_code_that_is_approved_while_it_is_looked_for_is_redeemed() {
    needs_postgres!();
    let store = store(&cluster().new_schema()).await;
    let late = store_with_concurrent_write(&store, async |store| {
        approved_grant(&store).await;
    });
    let redemption = late
        .redeem_authorization_code(&CODE, ClientProof::Pkce, LIFETIMES, NOW)
        .await
        .unwrap();
    assert!(
        matches!(redemption, Redemption::Redeemed(_)),
        "{redemption:?}"
    );
}

#[tokio::test]
async fn a_grant_that_is_redeemed_while_its_token_is_looked_for_rotates() {
    needs_postgres!();
    let store = store(&cluster().new_schema()).await;
    let grant = approved_grant(&store).await;
    let late = store_with_concurrent_write(&store, async |store| {
        drop(
            store
                .redeem_authorization_code(&CODE, ClientProof::Pkce, LIFETIMES, NOW)
                .await
                .unwrap(),
        )
    });
    let rotation = late
        .rotate_refresh_token(&grant, lyceum::domain::Generation::FIRST, LIFETIMES, NOW)
        .await
        .unwrap();
    assert!(matches!(rotation, Rotation::Rotated(_)), "{rotation:?}");
}

#[tokio::test]
async fn a_session_that_is_signed_in_while_it_is_looked_for_is_approved() {
    needs_postgres!();
    let store = store(&cluster().new_schema()).await;
    let (before, after) = (
        SessionDigest::from_bytes([1; 32]),
        SessionDigest::from_bytes([2; 32]),
    );
    store.open_session(before, pending()).await.unwrap();
    let late = store_with_concurrent_write(&store, async move |store| {
        let signed_in = store.sign_in(&before, after, subject(), NOW).await.unwrap();
        assert!(matches!(signed_in, SignIn::SignedIn(_)));
    });
    let approval = Approval {
        grant: GrantId::from_random([3; 16]),
        code: CODE,
        code_expires_at: NOW.plus(Duration::from_secs(60)),
        consent_mode: ConsentMode::Once,
        limits: ApprovalLimits::UNLIMITED,
    };
    let outcome = late.approve_session(&after, approval, NOW).await.unwrap();
    assert!(
        matches!(outcome, ApprovalOutcome::Approved(_)),
        "{outcome:?}"
    );
}

#[tokio::test]
async fn a_session_without_a_subject_waits_whatever_others_do() {
    needs_postgres!();
    let store = store(&cluster().new_schema()).await;
    let session = SessionDigest::from_bytes([1; 32]);
    store
        .open_session(
            session,
            lyceum::domain::AuthorizationSession {
                subject: None,
                ..pending()
            },
        )
        .await
        .unwrap();
    let late = store_with_concurrent_write(&store, async move |store| {
        store
            .open_session(SessionDigest::from_bytes([9; 32]), pending())
            .await
            .unwrap()
    });
    let code = AuthorizationCodeDigest::from_bytes([8; 32]);
    let approval = Approval {
        grant: GrantId::from_random([3; 16]),
        code,
        code_expires_at: NOW,
        consent_mode: ConsentMode::Once,
        limits: ApprovalLimits::UNLIMITED,
    };
    assert_eq!(
        late.approve_session(&session, approval, NOW).await.unwrap(),
        ApprovalOutcome::NotSignedIn
    );
}

//! Applications, scopes and clients that are changed or deleted, and the effects on sessions,
//! grants and consents.

pub(super) mod applications;
pub(super) mod scope_approval;
pub(super) mod scope_deletion;
pub(super) mod scope_requests;
pub(super) mod scopes;

use super::fixtures::{
    LIFETIMES, NOW, application, approval, approve, client, code, definition, grant, session,
    subject, token,
};
use super::store_under_test::{CONCURRENT_CALLERS, ExpectOk, StoreUnderTest};
use crate::domain::{AuthorizationSession, Client, ClientProof, PageRequest, ScopeSet, SubjectId};
use crate::store::{ApprovalOutcome, ClientDeletion, Redemption};

cases! { Storage, management as __conformance_management:
    a_client_deleted_beside_redemptions_has_no_live_grant
}

async fn a_client_deleted_beside_redemptions_has_no_live_grant(store: &StoreUnderTest) {
    registered(
        store,
        Client {
            first_party: false,
            allowed_scopes: ScopeSet::default(),
            ..client(1)
        },
    )
    .await;
    let numbers = 1..=u8::try_from(CONCURRENT_CALLERS).expect("few callers");
    for number in numbers.clone() {
        pending(store, number, ScopeSet::default()).await;
    }
    store.race(async |store, caller| {
        let number = u8::try_from(caller).expect("few callers") + 1;
        if caller == CONCURRENT_CALLERS / 2 {
            assert_eq!(
                store.delete_client(client(1).id, NOW).await.expect_ok(),
                ClientDeletion::Deleted,
                "the client existed"
            );
            return;
        }
        if let ApprovalOutcome::Approved(_) = store
            .approve_session(&token(number), approval(number), NOW)
            .await
            .expect_ok()
        {
            let redemption = store
                .redeem_authorization_code(&code(number), ClientProof::Pkce, LIFETIMES, NOW)
                .await
                .expect_ok();
            assert!(
                matches!(redemption, Redemption::Redeemed(_) | Redemption::Revoked),
                "not {redemption:?}"
            );
        }
    });
    for number in numbers {
        assert!(
            !store.grant_is_live(&grant(number), NOW).await.expect_ok(),
            "grant {number} of a deleted client has ended"
        );
    }
}

pub(super) fn other_user() -> SubjectId {
    "stranger".parse().expect("an id")
}

pub(super) fn page(page: u32, size: u32) -> PageRequest {
    PageRequest::new(page, size).expect("a page")
}

/// Registers application 1 and scopes with these names, whose definitions are numbered from 1.
pub(super) async fn with_scopes(store: &StoreUnderTest, names: &[&str]) {
    store.fixtures().create_application(application(1)).await;
    for (number, name) in (1..).zip(names) {
        store
            .fixtures()
            .create_scope(definition(number, &application(1), name))
            .await;
    }
}

pub(super) async fn registered(store: &StoreUnderTest, client: Client) {
    store.fixtures().create_client(client).await;
}

/// Returns a session of client 1 that requests these scopes, with a subject.
pub(super) fn pending_session(scopes: ScopeSet) -> AuthorizationSession {
    AuthorizationSession {
        scopes,
        subject: Some(subject()),
        ..session()
    }
}

/// Opens such a session under `token(number)`.
pub(super) async fn pending(store: &StoreUnderTest, number: u8, scopes: ScopeSet) {
    store
        .open_session(token(number), pending_session(scopes))
        .await
        .expect_ok();
}

/// Creates the grant `grant(number)` of client 1, redeemed at [`NOW`].
async fn granted(store: &StoreUnderTest, number: u8, scopes: ScopeSet) {
    pending(store, number, scopes).await;
    approve(store, &token(number), approval(number), NOW).await;
    let redemption = store
        .redeem_authorization_code(&code(number), ClientProof::Pkce, LIFETIMES, NOW)
        .await
        .expect_ok();
    assert!(matches!(redemption, Redemption::Redeemed(_)));
}

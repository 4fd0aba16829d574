//! Scopes that are deleted before they are granted.

use super::fixtures::{
    LIFETIMES, NOW, application, approval, approved_as, client, code, definition, owner, scope,
    token,
};
use super::management::{pending, pending_session, registered, with_scopes};
use super::store_under_test::{ExpectOk, StoreUnderTest};
use crate::domain::{ClientProof, Scope, ScopeSet};
use crate::store::{Approval, ConsentMode, Redemption, RegistryChange};

cases! { Storage, deleted_scopes as __conformance_deleted_scopes:
    a_scope_that_is_gone_before_its_session_is_opened_is_not_granted
}

async fn a_scope_that_is_gone_before_its_session_is_opened_is_not_granted(store: &StoreUnderTest) {
    with_scopes(store, &["read", "write"]).await;
    registered(store, client(1)).await;
    let [gone, kept] = ["read", "write"].map(|name| scope(application(1).id, name));
    assert_eq!(
        store
            .delete_scope(definition(1, &application(1), "read").id)
            .await
            .expect_ok(),
        RegistryChange::Done
    );
    // The request read the client before the scope was deleted.
    pending(
        store,
        1,
        [gone.clone(), Scope::self_read(), kept.clone()]
            .into_iter()
            .collect(),
    )
    .await;
    let approval = Approval {
        consent_mode: ConsentMode::Remembered,
        ..approval(1)
    };
    let left: ScopeSet = [Scope::self_read(), kept].into_iter().collect();
    let approving = store
        .approve_session(&token(1), approval, NOW)
        .await
        .expect_ok();
    assert_eq!(
        approving,
        approved_as(pending_session(left.clone())),
        "deleted scopes are left out, and the others keep their order"
    );
    store
        .fixtures()
        .create_scope(definition(3, &application(1), "read"))
        .await;
    let redemption = store
        .redeem_authorization_code(&code(1), ClientProof::Pkce, LIFETIMES, NOW)
        .await
        .expect_ok();
    assert!(
        matches!(&redemption, Redemption::Redeemed(grant) if grant.scopes == left),
        "a deleted scope does not come back, not {redemption:?}"
    );
    let consent = store.consent(&owner(), &client(1).id).await.expect_ok();
    assert_eq!(
        consent.map(|consent| consent.scopes),
        Some(left),
        "nor is it in the consent"
    );
}

//! Effects of deleting a scope on clients, grants and consents.

use super::super::fixtures::{
    LIFETIMES, NOW, application, approval, approve, client, code, definition, grant, owner, scope,
    token,
};
use super::super::store_under_test::{CONCURRENT_CALLERS, ExpectOk, StoreUnderTest};
use super::{granted, pending, registered, with_scopes};
use crate::domain::{Client, ClientProof, Generation, Scope, ScopeSet};
use crate::store::{
    Approval, ApprovalOutcome, ClientCreation, ClientDeletion, ConsentMode, Redemption,
    RegistryChange, Rotation,
};

cases! { Storage, management as __conformance_management_scope_deletion:
    a_deleted_scope_is_removed_from_clients_and_grants
    a_scope_deleted_beside_approvals_is_in_no_grant
    deleted_scopes_are_removed_from_consents
    a_scope_deleted_beside_new_clients_is_on_no_list
}

// Proves: spec 3.17
async fn a_deleted_scope_is_removed_from_clients_and_grants(store: &StoreUnderTest) {
    // Names that contain each other, at every position of a list.
    with_scopes(store, &["read", "read2", "pre-read", "all"]).await;
    let of = |name| scope(application(1).id, name);
    let lists = [
        vec![of("read"), of("read2")],
        vec![of("pre-read"), of("read"), of("all")],
        vec![of("read2"), of("read")],
        vec![of("read")],
    ];
    for (number, list) in (1..).zip(&lists) {
        granted(store, number, list.iter().cloned().collect()).await;
        pending(store, number + 50, list.iter().cloned().collect()).await;
    }
    let allowed = [of("pre-read"), of("read"), Scope::self_read(), of("all")]
        .into_iter()
        .collect();
    registered(
        store,
        Client {
            allowed_scopes: allowed,
            ..client(1)
        },
    )
    .await;

    assert_eq!(
        store
            .delete_scope(definition(1, &application(1), "read").id)
            .await
            .expect_ok(),
        RegistryChange::Done
    );
    assert_eq!(
        store
            .scope(definition(1, &application(1), "read").id)
            .await
            .expect_ok(),
        None
    );
    let found = store
        .client(client(1).id)
        .await
        .expect_ok()
        .map(|client| client.allowed_scopes.clone());
    assert_eq!(
        found,
        Some(
            [of("pre-read"), Scope::self_read(), of("all")]
                .into_iter()
                .collect()
        ),
        "a client's list keeps its order"
    );
    for (number, list) in (1..).zip(&lists) {
        let left: ScopeSet = list
            .iter()
            .filter(|scope| **scope != of("read"))
            .cloned()
            .collect();
        let binding = store
            .refresh_binding(&grant(number))
            .await
            .expect_ok()
            .expect("a grant stays live without scopes");
        assert_eq!(
            binding.scopes, left,
            "a deleted scope is removed from grants"
        );
        let session = store.session(&token(number + 50), NOW).await.expect_ok();
        assert_eq!(
            session.map(|session| session.scopes),
            Some(left.clone()),
            "a deleted scope is removed from sessions"
        );
        let rotation = store
            .rotate_refresh_token(&grant(number), Generation::FIRST, LIFETIMES, NOW)
            .await
            .expect_ok();
        assert!(
            matches!(&rotation, Rotation::Rotated(grant) if grant.scopes == left),
            "a refresh returns the remaining scopes, not {rotation:?}"
        );
    }
    assert_eq!(
        store
            .delete_scope(definition(1, &application(1), "read").id)
            .await
            .expect_ok(),
        RegistryChange::NotFound,
        "the scope no longer exists"
    );
}

async fn a_scope_deleted_beside_approvals_is_in_no_grant(store: &StoreUnderTest) {
    with_scopes(store, &["read"]).await;
    let scopes: ScopeSet = [Scope::self_read(), scope(application(1).id, "read")]
        .into_iter()
        .collect();
    let numbers = 1..=u8::try_from(CONCURRENT_CALLERS).expect("few callers");
    for number in numbers.clone() {
        pending(store, number, scopes.clone()).await;
    }
    store.race(async |store, caller| {
        let number = u8::try_from(caller).expect("few callers") + 1;
        if caller == CONCURRENT_CALLERS / 2 {
            assert_eq!(
                store
                    .delete_scope(definition(1, &application(1), "read").id)
                    .await
                    .expect_ok(),
                RegistryChange::Done
            );
        }
        let approving = store
            .approve_session(&token(number), approval(number), NOW)
            .await
            .expect_ok();
        assert!(
            matches!(approving, ApprovalOutcome::Approved(_)),
            "a signed-in session can be approved, not {approving:?}"
        );
    });
    for number in numbers {
        let redemption = store
            .redeem_authorization_code(&code(number), ClientProof::Pkce, LIFETIMES, NOW)
            .await
            .expect_ok();
        let left: ScopeSet = [Scope::self_read()].into_iter().collect();
        assert!(
            matches!(&redemption, Redemption::Redeemed(grant) if grant.scopes == left),
            "grant {number} lost it, not {redemption:?}"
        );
    }
}

// Proves: spec 3.17
async fn deleted_scopes_are_removed_from_consents(store: &StoreUnderTest) {
    with_scopes(store, &["read", "write", "list"]).await;
    let names = ["read", "write", "list"].map(|name| scope(application(1).id, name));
    let allowed: ScopeSet = names.iter().cloned().chain([Scope::self_read()]).collect();
    registered(
        store,
        Client {
            allowed_scopes: allowed.clone(),
            first_party: false,
            ..client(1)
        },
    )
    .await;
    pending(store, 1, allowed.clone()).await;
    let approval = Approval {
        consent_mode: ConsentMode::Remembered,
        ..approval(1)
    };
    approve(store, &token(1), approval, NOW).await;
    let consent = async || {
        store
            .consent(&owner(), &client(1).id)
            .await
            .expect_ok()
            .map(|consent| consent.scopes)
    };
    assert_eq!(consent().await, Some(allowed.clone()));

    assert_eq!(
        store
            .delete_scope(definition(1, &application(1), "read").id)
            .await
            .expect_ok(),
        RegistryChange::Done
    );
    let left = allowed.without(&names[0]);
    assert_eq!(
        consent().await,
        Some(left.clone()),
        "a deleted scope is removed from consents"
    );
    assert!(
        store
            .revoke_scope_approval(definition(2, &application(1), "write").id, client(1).id)
            .await
            .expect_ok()
    );
    assert_eq!(
        consent().await,
        Some(left.without(&names[1])),
        "a withdrawn scope is removed from consents"
    );
    assert_eq!(
        store
            .delete_application(application(1).id)
            .await
            .expect_ok(),
        RegistryChange::Done
    );
    assert_eq!(
        consent().await,
        Some([Scope::self_read()].into_iter().collect()),
        "so are the scopes of a deleted application"
    );
    assert_eq!(
        store.delete_client(client(1).id, NOW).await.expect_ok(),
        ClientDeletion::Deleted
    );
    assert_eq!(
        consent().await,
        None,
        "consents to a deleted client are deleted"
    );
}

async fn a_scope_deleted_beside_new_clients_is_on_no_list(store: &StoreUnderTest) {
    with_scopes(store, &["read"]).await;
    let listed: ScopeSet = [scope(application(1).id, "read")].into_iter().collect();
    let number = |caller: usize| u8::try_from(caller).expect("few callers");
    store.race(async |store, caller| {
        if caller == CONCURRENT_CALLERS / 2 {
            assert_eq!(
                store
                    .delete_scope(definition(1, &application(1), "read").id)
                    .await
                    .expect_ok(),
                RegistryChange::Done
            );
            return;
        }
        let created = store
            .create_client(Client {
                allowed_scopes: listed.clone(),
                ..client(number(caller))
            })
            .await
            .expect_ok();
        assert!(
            matches!(
                created,
                ClientCreation::Created | ClientCreation::UnknownScope(_)
            ),
            "not {created:?}"
        );
    });
    for caller in 0..CONCURRENT_CALLERS {
        let found = store.client(client(number(caller)).id).await.expect_ok();
        assert!(
            found.is_none_or(|client| client.allowed_scopes.is_empty()),
            "client {caller} lists a deleted scope"
        );
    }
}

//! Scopes that a client may list only after an approval.

use super::pending_session;
use std::sync::Arc;

use super::super::fixtures::{NOW, application, client, definition, grant, owner, token};
use super::super::store_under_test::{ExpectOk, StoreUnderTest};
use super::{granted, other_user, page, pending, registered, with_scopes};
use crate::domain::{AuthorizationSession, Client, Scope, ScopeDefinition, ScopeSet, ShortText};
use crate::store::{
    ClientCreation, ClientDeletion, ClientUpdate, Paged, RegistryChange, ScopeApproval,
    ScopeClient, ScopePatch,
};

cases! { Storage, management as __conformance_management_scope_approval:
    a_scope_that_needs_approval_is_listed_after_it
    whoever_lists_a_scope_or_was_approved_for_it_is_on_its_list
    a_withdrawn_scope_is_taken_from_that_client_alone
}

async fn a_scope_that_needs_approval_is_listed_after_it(store: &StoreUnderTest) {
    with_scopes(store, &["read"]).await;
    let guarded = definition(1, &application(1), "read");
    let wanted: ScopeSet = [guarded.scope.clone()].into_iter().collect();
    let early = Client {
        owner: other_user(),
        allowed_scopes: wanted.clone(),
        ..client(1)
    };
    registered(store, early.clone()).await;
    let change = ScopePatch {
        approval_required: Some(true),
        ..ScopePatch::default()
    };
    assert_eq!(
        store.update_scope(guarded.id, change).await.expect_ok(),
        RegistryChange::Done
    );
    let renamed = Client {
        name: ShortText::from_static("Other"),
        ..early.clone()
    };
    let updating = store
        .update_client(early.id, &early.settings(), renamed.settings())
        .await
        .expect_ok();
    assert_eq!(
        updating,
        ClientUpdate::Updated,
        "scopes that are already listed stay"
    );

    let own = Client {
        owner: owner(),
        allowed_scopes: wanted.clone(),
        ..client(2)
    };
    assert_eq!(
        store.create_client(own).await.expect_ok(),
        ClientCreation::Created,
        "the owner's own clients need no approval"
    );
    let eager = Client {
        owner: other_user(),
        allowed_scopes: wanted.clone(),
        ..client(3)
    };
    let refused = store.create_client(eager.clone()).await.expect_ok();
    assert_eq!(
        refused,
        ClientCreation::NeedsApproval(guarded.scope.clone()),
        "a client that has not been approved may not list the scope"
    );
    let modest = Client {
        allowed_scopes: ScopeSet::default(),
        ..eager.clone()
    };
    registered(store, modest.clone()).await;
    let update = async || {
        store
            .update_client(modest.id, &modest.settings(), eager.settings())
            .await
            .expect_ok()
    };
    assert_eq!(
        update().await,
        ClientUpdate::NeedsApproval(guarded.scope.clone())
    );
    assert_eq!(
        store.client(modest.id).await.expect_ok(),
        Some(Arc::new(modest.clone())),
        "a refused update changes nothing"
    );
    for _ in 0..2 {
        assert_eq!(
            store
                .approve_scope(guarded.id, modest.id, NOW)
                .await
                .expect_ok(),
            ScopeApproval::Approved,
            "a repeated approval succeeds"
        );
    }
    assert_eq!(
        update().await,
        ClientUpdate::Updated,
        "a client that has been approved may list the scope"
    );
    let unknown = definition(9, &application(1), "x").id;
    assert_eq!(
        store
            .approve_scope(unknown, modest.id, NOW)
            .await
            .expect_ok(),
        ScopeApproval::UnknownScope
    );
    assert_eq!(
        store
            .approve_scope(guarded.id, client(9).id, NOW)
            .await
            .expect_ok(),
        ScopeApproval::UnknownClient
    );
}

async fn whoever_lists_a_scope_or_was_approved_for_it_is_on_its_list(store: &StoreUnderTest) {
    with_scopes(store, &["read", "write"]).await;
    let [read, write] =
        [(1, "read"), (2, "write")].map(|(number, name)| definition(number, &application(1), name));
    let one = |scope: &ScopeDefinition| [scope.scope.clone()].into_iter().collect::<ScopeSet>();
    let both = [write.scope.clone(), read.scope.clone()]
        .into_iter()
        .collect();
    for (number, allowed_scopes) in [
        (4, one(&read)),
        (3, both),
        (2, one(&write)),
        (1, ScopeSet::default()),
        (5, ScopeSet::default()),
    ] {
        registered(
            store,
            Client {
                owner: other_user(),
                allowed_scopes,
                ..client(number)
            },
        )
        .await;
    }
    for number in [3, 1] {
        assert_eq!(
            store
                .approve_scope(read.id, client(number).id, NOW)
                .await
                .expect_ok(),
            ScopeApproval::Approved
        );
    }
    let guarded = ScopePatch {
        approval_required: Some(true),
        ..ScopePatch::default()
    };
    assert_eq!(
        store.update_scope(read.id, guarded).await.expect_ok(),
        RegistryChange::Done
    );
    let found = |number, approved, listed| ScopeClient {
        client: client(number).id,
        approved,
        listed,
    };
    let first = store
        .clients_of_scope(read.id, page(0, 2))
        .await
        .expect_ok();
    assert_eq!(
        (first.total, first.items),
        (3, vec![found(1, true, false), found(3, true, true)]),
        "each once, by id"
    );
    let second = store
        .clients_of_scope(read.id, page(1, 2))
        .await
        .expect_ok();
    assert_eq!(
        (second.total, second.items),
        (3, vec![found(4, false, true)]),
        "clients that listed it before it needed approval too"
    );
    assert_eq!(
        store
            .clients_of_scope(read.id, page(2, 2))
            .await
            .expect_ok(),
        Paged {
            total: 3,
            items: Vec::new()
        }
    );
    let of_other = store
        .clients_of_scope(write.id, page(0, 9))
        .await
        .expect_ok();
    assert_eq!(
        of_other.items,
        [found(2, false, true), found(3, false, true)],
        "no other scope is affected"
    );

    for number in [4, 1] {
        assert!(
            store
                .revoke_scope_approval(read.id, client(number).id)
                .await
                .expect_ok(),
            "the scope is withdrawn from a client that lists it"
        );
    }
    assert_eq!(
        store.delete_client(client(3).id, NOW).await.expect_ok(),
        ClientDeletion::Deleted,
        "the client existed"
    );
    assert_eq!(
        store
            .clients_of_scope(read.id, page(0, 9))
            .await
            .expect_ok(),
        Paged {
            total: 0,
            items: Vec::new()
        }
    );
    assert_eq!(
        store
            .clients_of_scope(definition(9, &application(1), "x").id, page(0, 9))
            .await
            .expect_ok()
            .total,
        0
    );
}

async fn a_withdrawn_scope_is_taken_from_that_client_alone(store: &StoreUnderTest) {
    with_scopes(store, &["read"]).await;
    let withdrawn = definition(1, &application(1), "read");
    let scopes: ScopeSet = [withdrawn.scope.clone(), Scope::self_read()]
        .into_iter()
        .collect();
    let (one, other) = (
        Client {
            allowed_scopes: scopes.clone(),
            ..client(1)
        },
        Client {
            allowed_scopes: scopes.clone(),
            ..client(2)
        },
    );
    registered(store, one.clone()).await;
    registered(store, other.clone()).await;
    granted(store, 1, scopes.clone()).await;
    pending(store, 2, scopes.clone()).await;
    let of_other = AuthorizationSession {
        client: other.id,
        ..pending_session(scopes.clone())
    };
    store.open_session(token(3), of_other).await.expect_ok();
    assert_eq!(
        store
            .approve_scope(withdrawn.id, one.id, NOW)
            .await
            .expect_ok(),
        ScopeApproval::Approved
    );

    assert!(
        store
            .revoke_scope_approval(withdrawn.id, one.id)
            .await
            .expect_ok()
    );
    let left: ScopeSet = [Scope::self_read()].into_iter().collect();
    assert_eq!(
        store
            .client(one.id)
            .await
            .expect_ok()
            .map(|client| client.allowed_scopes.clone()),
        Some(left.clone())
    );
    assert_eq!(
        store
            .refresh_binding(&grant(1))
            .await
            .expect_ok()
            .map(|binding| binding.scopes),
        Some(left.clone())
    );
    assert_eq!(
        store
            .session(&token(2), NOW)
            .await
            .expect_ok()
            .map(|session| session.scopes),
        Some(left)
    );
    let left = [ScopeClient {
        client: other.id,
        approved: false,
        listed: true,
    }];
    assert_eq!(
        store.client(other.id).await.expect_ok(),
        Some(Arc::new(other)),
        "no other client loses it"
    );
    assert_eq!(
        store
            .clients_of_scope(withdrawn.id, page(0, 9))
            .await
            .expect_ok()
            .items,
        left,
        "the approval is withdrawn too"
    );
    assert_eq!(
        store
            .session(&token(3), NOW)
            .await
            .expect_ok()
            .map(|session| session.scopes),
        Some(scopes)
    );
    assert!(
        !store
            .revoke_scope_approval(withdrawn.id, one.id)
            .await
            .expect_ok(),
        "nothing is left to withdraw"
    );
    assert!(
        !store
            .revoke_scope_approval(definition(9, &application(1), "x").id, one.id)
            .await
            .expect_ok()
    );
}

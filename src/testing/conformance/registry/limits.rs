//! Limits on applications, scopes and clients.

use super::super::fixtures::{application, at, client, count, definition, owner};
use super::super::store_under_test::{CONCURRENT_CALLERS, ExpectOk, StoreUnderTest};
use super::clients::found;
use super::number;
use crate::domain::{Application, Client, PageRequest};
use crate::store::{
    ClientCreation, ClientDeletion, ClientFilter, LimitedCreation, RegistryChange, ScopeCreation,
};

cases! { Storage, registry as __conformance_registry_limits:
    nobody_gets_more_applications_scopes_or_clients_than_one_may_have
    of_many_applications_registered_at_once_an_owner_gets_as_many_as_one_may_have
    of_many_scopes_registered_at_once_an_application_gets_as_many_as_one_may_have
    of_many_clients_registered_at_once_an_owner_gets_as_many_as_one_may_have
}

async fn nobody_gets_more_applications_scopes_or_clients_than_one_may_have(store: &StoreUnderTest) {
    let other_user = || "stranger".parse().expect("an id");
    store
        .fixtures()
        .create_application(Application {
            owner: other_user(),
            ..application(9)
        })
        .await;
    store
        .fixtures()
        .create_client(Client {
            owner: other_user(),
            ..client(9)
        })
        .await;
    for number in [1, 2] {
        assert_eq!(
            store
                .register_application(application(number), 2)
                .await
                .expect_ok(),
            LimitedCreation::Created,
            "other owners' records do not count"
        );
        assert_eq!(
            store.register_client(client(number), 2).await.expect_ok(),
            ClientCreation::Created
        );
        let kept = definition(number, &application(1), &format!("scope-{number}"));
        assert_eq!(
            store.register_scope(kept, 2).await.expect_ok(),
            ScopeCreation::Created
        );
    }
    let (third, elsewhere) = (
        definition(3, &application(1), "scope-3"),
        definition(4, &application(2), "scope-1"),
    );
    assert_eq!(
        store
            .register_application(application(3), 2)
            .await
            .expect_ok(),
        LimitedCreation::LimitReached
    );
    assert_eq!(
        store.register_client(client(3), 2).await.expect_ok(),
        ClientCreation::LimitReached
    );
    assert_eq!(
        store.register_scope(third.clone(), 2).await.expect_ok(),
        ScopeCreation::LimitReached
    );
    assert_eq!(
        store.application(application(3).id).await.expect_ok(),
        None,
        "refused records are not stored"
    );
    assert_eq!(found(store, client(3).id).await, None);
    assert_eq!(store.scope(third.id).await.expect_ok(), None);
    assert_eq!(
        store.register_scope(elsewhere, 2).await.expect_ok(),
        ScopeCreation::Created,
        "each application has its own"
    );
    assert_eq!(
        store
            .register_scope(definition(5, &application(3), "read"), 2)
            .await
            .expect_ok(),
        ScopeCreation::UnknownApplication
    );
    for refused in [
        LimitedCreation::AlreadyExists,
        LimitedCreation::LimitReached,
    ] {
        let at_most = if refused == LimitedCreation::AlreadyExists {
            3
        } else {
            0
        };
        assert_eq!(
            store
                .register_application(application(1), at_most)
                .await
                .expect_ok(),
            refused
        );
    }
    assert_eq!(
        store
            .delete_scope(definition(1, &application(1), "scope-1").id)
            .await
            .expect_ok(),
        RegistryChange::Done
    );
    assert_eq!(
        store
            .delete_application(application(2).id)
            .await
            .expect_ok(),
        RegistryChange::Done
    );
    assert_eq!(
        store.delete_client(client(1).id, at(1)).await.expect_ok(),
        ClientDeletion::Deleted
    );
    assert_eq!(
        store.register_scope(third, 2).await.expect_ok(),
        ScopeCreation::Created,
        "deleted records no longer count"
    );
    assert_eq!(
        store
            .register_application(application(3), 2)
            .await
            .expect_ok(),
        LimitedCreation::Created
    );
    assert_eq!(
        store.register_client(client(3), 2).await.expect_ok(),
        ClientCreation::Created
    );
}

async fn of_many_applications_registered_at_once_an_owner_gets_as_many_as_one_may_have(
    store: &StoreUnderTest,
) {
    let answers = store.race(async |store, caller| {
        store
            .register_application(application(number(caller)), 5)
            .await
            .expect_ok()
    });
    assert_eq!(
        count(&answers, |answer| *answer == LimitedCreation::Created),
        5,
        "of {CONCURRENT_CALLERS} applications exactly 5 are registered"
    );
    assert_eq!(
        count(&answers, |answer| *answer == LimitedCreation::LimitReached),
        CONCURRENT_CALLERS - 5,
        "the other calls report the limit"
    );
    assert_eq!(
        store
            .applications(Some(&owner()), first_page())
            .await
            .expect_ok()
            .total,
        5
    );
}

async fn of_many_scopes_registered_at_once_an_application_gets_as_many_as_one_may_have(
    store: &StoreUnderTest,
) {
    store.fixtures().create_application(application(1)).await;
    let answers = store.race(async |store, caller| {
        let definition = definition(number(caller), &application(1), &format!("scope-{caller}"));
        store.register_scope(definition, 5).await.expect_ok()
    });
    assert_eq!(
        count(&answers, |answer| *answer == ScopeCreation::Created),
        5,
        "of {CONCURRENT_CALLERS} scopes exactly 5 are registered"
    );
    assert_eq!(
        count(&answers, |answer| *answer == ScopeCreation::LimitReached),
        CONCURRENT_CALLERS - 5,
        "the other calls report the limit"
    );
    assert_eq!(
        store
            .scopes(Some(application(1).id), first_page())
            .await
            .expect_ok()
            .total,
        5
    );
}

async fn of_many_clients_registered_at_once_an_owner_gets_as_many_as_one_may_have(
    store: &StoreUnderTest,
) {
    let answers = store.race(async |store, caller| {
        store
            .register_client(client(number(caller)), 5)
            .await
            .expect_ok()
    });
    assert_eq!(
        count(&answers, |answer| *answer == ClientCreation::Created),
        5,
        "of {CONCURRENT_CALLERS} clients exactly 5 are registered"
    );
    assert_eq!(
        count(&answers, |answer| *answer == ClientCreation::LimitReached),
        CONCURRENT_CALLERS - 5,
        "the other calls report the limit"
    );
    assert_eq!(
        store
            .clients(ClientFilter::OwnedBy(&owner()), first_page())
            .await
            .expect_ok()
            .total,
        5
    );
}

fn first_page() -> PageRequest {
    PageRequest::new(0, 1).expect("a page")
}

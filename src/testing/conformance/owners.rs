//! Clients and applications of removed owners, and clients that cannot be deleted.

use super::fixtures::{NOW, account, application, at, client, count, owner};
use super::store_under_test::{CONCURRENT_CALLERS, ExpectCreated, ExpectOk, StoreUnderTest};
use crate::domain::{Application, Client, ClientId, Scope, SubjectId};
use crate::store::{AccountRemoval, ClientCreation, ClientDeletion, OwnerRemoval};

cases! { Storage, owners as __conformance_owners:
    removing_an_owner_suspends_clients_and_reassigns_applications
    a_removed_account_leaves_its_clients_suspended
    a_client_that_is_given_away_is_in_use_again
    the_last_of_the_services_own_clients_stays
    of_many_deletions_of_the_services_own_clients_one_is_left
    a_client_created_while_its_owner_is_removed_is_suspended_or_created_afterwards
}

/// Returns a client with an owner, not one of the service's own.
fn owned(number: u8, owner: SubjectId) -> Client {
    Client {
        owner,
        first_party: false,
        allowed_scopes: [Scope::self_read()].into_iter().collect(),
        ..client(number)
    }
}

/// Returns one of the service's own clients.
fn first_party(number: u8, scope: Scope) -> Client {
    Client {
        first_party: true,
        allowed_scopes: [scope].into_iter().collect(),
        ..owned(number, owner())
    }
}

async fn created(store: &StoreUnderTest, client: &Client) {
    store.fixtures().create_client(client.clone()).await;
}

async fn found(store: &StoreUnderTest, id: ClientId) -> Client {
    Client::clone(
        &*store
            .client(id)
            .await
            .expect_ok()
            .expect("the client exists"),
    )
}

async fn removing_an_owner_suspends_clients_and_reassigns_applications(store: &StoreUnderTest) {
    let strangers = "stranger".parse().expect("an id");
    let (mine, other) = (owned(1, owner()), owned(2, strangers));
    let (early, own) = (
        Client {
            suspended_at: Some(at(-5)),
            ..owned(3, owner())
        },
        first_party(4, Scope::manage()),
    );
    let own = Client {
        suspended_at: Some(at(-5)),
        ..own
    };
    let of_service = owned(5, SubjectId::service());
    for client in [&mine, &other, &early, &own, &of_service] {
        created(store, client).await;
    }
    let [my_application, other_application] = [
        Application {
            owner: owner(),
            ..application(1)
        },
        application(2),
    ];
    let other_application = Application {
        owner: "stranger".parse().expect("an id"),
        ..other_application
    };
    for application in [&my_application, &other_application] {
        store
            .fixtures()
            .create_application(application.clone())
            .await;
    }
    let removal = OwnerRemoval {
        suspended_clients: vec![mine.id],
        reassigned_clients: vec![own.id],
        reassigned_applications: vec![my_application.id],
    };
    assert_eq!(
        store.remove_owner(&owner(), at(1)).await.expect_ok(),
        removal
    );
    assert_eq!(
        found(store, mine.id).await,
        Client {
            suspended_at: Some(at(1)),
            ..mine
        },
        "a client is suspended and keeps its owner"
    );
    assert_eq!(
        found(store, early.id).await,
        early,
        "the first suspension stays"
    );
    let kept = Client {
        owner: SubjectId::service(),
        suspended_at: None,
        ..own
    };
    assert_eq!(
        found(store, kept.id).await,
        kept,
        "the service's own clients are active and belong to it"
    );
    assert_eq!(
        [
            found(store, other.id).await,
            found(store, of_service.id).await
        ],
        [other, of_service],
        "other owners' records are unchanged"
    );
    let passed = Application {
        owner: SubjectId::service(),
        ..my_application
    };
    assert_eq!(
        store.application(passed.id).await.expect_ok(),
        Some(passed),
        "applications belong to the service"
    );
    assert_eq!(
        store.application(other_application.id).await.expect_ok(),
        Some(other_application)
    );
    assert_eq!(
        store.remove_owner(&owner(), at(2)).await.expect_ok(),
        OwnerRemoval::default(),
        "nothing is left to remove"
    );
    assert_eq!(
        store
            .remove_owner(&SubjectId::service(), at(2))
            .await
            .expect_ok(),
        OwnerRemoval::default(),
        "the service itself cannot be removed"
    );
}

async fn a_removed_account_leaves_its_clients_suspended(store: &StoreUnderTest) {
    let (gone, other) = (
        account(1, "kim@school.example"),
        account(2, "lee@school.example"),
    );
    for account in [&gone, &other] {
        store.create_account(account.clone()).await.expect_created();
    }
    let (theirs, others) = (owned(1, gone.id.into()), owned(2, other.id.into()));
    let application = Application {
        owner: gone.id.into(),
        ..application(1)
    };
    created(store, &theirs).await;
    created(store, &others).await;
    store
        .fixtures()
        .create_application(application.clone())
        .await;
    let removal = OwnerRemoval {
        suspended_clients: vec![theirs.id],
        reassigned_clients: Vec::new(),
        reassigned_applications: vec![application.id],
    };
    assert_eq!(
        store.remove_account(gone.id, at(1)).await.expect_ok(),
        AccountRemoval::Removed(removal)
    );
    let suspended = found(store, theirs.id).await.suspended_at;
    assert_eq!(
        suspended,
        Some(at(1)),
        "the client of a removed account is suspended"
    );
    assert_eq!(found(store, others.id).await, others);
    let owner = store
        .application(application.id)
        .await
        .expect_ok()
        .map(|application| application.owner);
    assert_eq!(owner, Some(SubjectId::service()));
}

async fn a_client_that_is_given_away_is_in_use_again(store: &StoreUnderTest) {
    let suspended = Client {
        suspended_at: Some(NOW),
        ..owned(1, owner())
    };
    created(store, &suspended).await;
    assert_eq!(
        found(store, suspended.id).await,
        suspended,
        "a suspension is kept"
    );
    let next: SubjectId = "next".parse().expect("an id");
    assert!(
        store
            .set_client_owner(suspended.id, next.clone())
            .await
            .expect_ok()
    );
    let given = Client {
        owner: next.clone(),
        suspended_at: None,
        secrets: Vec::new(),
        ..suspended
    };
    assert_eq!(
        found(store, given.id).await,
        given,
        "the secrets that the former owner may know are removed, and nothing else changes"
    );
    let in_use = Client {
        secrets: client(2).secrets,
        ..owned(2, owner())
    };
    created(store, &in_use).await;
    assert!(
        store
            .set_client_owner(in_use.id, next.clone())
            .await
            .expect_ok()
    );
    assert_eq!(
        found(store, in_use.id).await,
        Client {
            owner: next.clone(),
            ..in_use
        },
        "an active client keeps its secrets"
    );
    assert!(
        !store.set_client_owner(client(9).id, next).await.expect_ok(),
        "the client does not exist"
    );
}

async fn the_last_of_the_services_own_clients_stays(store: &StoreUnderTest) {
    let (manager, reader) = (
        first_party(1, Scope::manage()),
        first_party(2, Scope::self_read()),
    );
    for client in [&manager, &reader, &owned(3, owner())] {
        created(store, client).await;
    }
    let delete = async |id| store.delete_client(id, at(1)).await.expect_ok();
    assert_eq!(
        delete(manager.id).await,
        ClientDeletion::LastFirstParty,
        "no other may manage: the last of the service's own clients stays"
    );
    assert_eq!(found(store, manager.id).await, manager);
    assert_eq!(
        delete(reader.id).await,
        ClientDeletion::Deleted,
        "another client with as many rights is left"
    );
    assert_eq!(delete(manager.id).await, ClientDeletion::LastFirstParty);
    created(store, &first_party(4, Scope::manage())).await;
    assert_eq!(delete(manager.id).await, ClientDeletion::Deleted);
    assert_eq!(
        delete(owned(3, owner()).id).await,
        ClientDeletion::Deleted,
        "other clients can be deleted, however few there are"
    );
}

async fn of_many_deletions_of_the_services_own_clients_one_is_left(store: &StoreUnderTest) {
    let contender =
        |caller: usize| first_party(u8::try_from(caller).expect("few callers"), Scope::manage());
    for caller in 0..CONCURRENT_CALLERS {
        created(store, &contender(caller)).await;
    }
    let answers = store.race(async |store, caller| {
        store
            .delete_client(contender(caller).id, NOW)
            .await
            .expect_ok()
    });
    assert_eq!(
        count(&answers, |answer| *answer == ClientDeletion::LastFirstParty),
        1,
        "of {CONCURRENT_CALLERS} one stays, not {answers:?}"
    );
    let mut left = 0;
    for caller in 0..CONCURRENT_CALLERS {
        left += usize::from(
            store
                .client(contender(caller).id)
                .await
                .expect_ok()
                .is_some(),
        );
    }
    assert_eq!(left, 1);
}

async fn a_client_created_while_its_owner_is_removed_is_suspended_or_created_afterwards(
    store: &StoreUnderTest,
) {
    let contender = |caller: usize| owned(u8::try_from(caller).expect("few callers"), owner());
    let answers = store.race(async |store, caller| {
        if caller != CONCURRENT_CALLERS / 2 {
            let creation = store.create_client(contender(caller)).await.expect_ok();
            assert_eq!(creation, ClientCreation::Created);
            return None;
        }
        Some(store.remove_owner(&owner(), at(1)).await.expect_ok())
    });
    let told = answers
        .into_iter()
        .flatten()
        .next()
        .expect("the owner was removed")
        .suspended_clients;
    for id in (0..CONCURRENT_CALLERS)
        .filter(|caller| *caller != CONCURRENT_CALLERS / 2)
        .map(|caller| contender(caller).id)
    {
        assert_eq!(
            found(store, id).await.is_suspended(),
            told.contains(&id),
            "exactly the suspended clients are returned"
        );
    }
}

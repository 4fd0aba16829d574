//! Usage of applications, scopes and clients.

use super::fixtures::{
    IDLE_TIMEOUT, LIFETIMES, NOW, application, approval, approve, at, client, code, definition,
    grant, owner, session, subject, token,
};
use super::store_under_test::{ExpectOk, StoreUnderTest};
use crate::domain::{
    ApplicationId, AuthorizationSession, Client, ClientId, ClientProof, ScopeDefinition, ScopeSet,
    ShortText, SubjectId,
};
use crate::store::{
    ClientDeletion, ClientSummary, GrantUsage, MAX_USAGE_CLIENTS, Redemption, RegistryChange,
    ScopeUsage,
};

cases! { Storage, usage as __conformance_usage:
    a_scopes_usage_is_who_lists_it_and_what_of_it_lives
    a_scope_whose_name_begins_anothers_is_told_apart
    an_applications_usage_is_that_of_all_its_scopes_and_counts_each_once
    a_clients_usage_is_what_of_its_grants_lives
    no_more_clients_are_named_than_anyone_reads_and_all_are_counted
    the_services_own_scopes_have_a_usage_too
}

async fn a_scopes_usage_is_who_lists_it_and_what_of_it_lives(store: &StoreUnderTest) {
    let [read, write] = with_scopes(store).await;
    assert_eq!(
        usage_of(store, &read, 0).await,
        (0, vec![], GrantUsage::default()),
        "it has no usage yet"
    );
    let other = Client {
        created_at: at(-5),
        owner: other_user(),
        name: ShortText::from_static("학생회"),
        ..listing(2, &[&read, &write])
    };
    for client in [
        listing(1, &[&read]),
        other,
        listing(3, &[&write]),
        listing(4, &[&read]),
    ] {
        store.fixtures().create_client(client).await;
    }
    // The codes of 1 and 2 are redeemed, 3 is revoked, 4 has an unredeemed code, 5 is for another
    // scope, and 6 belongs to a client that does not list it.
    for (number, of, scopes) in [
        (1, 1, &[&read][..]),
        (2, 2, &[&write, &read]),
        (3, 1, &[&read]),
        (4, 1, &[&read]),
        (5, 1, &[&write]),
        (6, 3, &[&read]),
    ] {
        approved(store, number, of, scopes).await;
    }
    for (number, now) in [(1, 10), (2, 30), (3, 40), (5, 50), (6, 20)] {
        redeemed(store, number, now).await;
    }
    assert!(store.revoke_grant(&grant(3), at(41)).await.expect_ok());
    let named = [2, 1, 4].map(|number| ClientSummary {
        id: client(number).id,
        name: if number == 2 {
            ShortText::from_static("학생회")
        } else {
            client(number).name
        },
        owner: if number == 2 { other_user() } else { owner() },
    });
    let usage = usage_of(store, &read, 60).await;
    let of = store
        .scope_usage(read.id, at(60))
        .await
        .expect_ok()
        .expect("the scope exists")
        .by_client;
    let one = |at| GrantUsage {
        live: 1,
        last_granted_at: Some(at),
    };
    let of_each = [
        (client(1).id, one(at(10))),
        (client(2).id, one(at(30))),
        (client(3).id, one(at(20))),
    ];
    assert_eq!(
        of.into_iter().collect::<Vec<_>>(),
        of_each,
        "each client's own grants, also of one that no longer lists the scope"
    );
    assert_eq!(
        (usage.0, usage.1),
        (3, named.to_vec()),
        "those that list it, in the order of their registration"
    );
    assert_eq!(
        usage.2,
        GrantUsage {
            live: 3,
            last_granted_at: Some(at(30))
        },
        "live grants count, whether or not their client lists the scope"
    );
    let later = GrantUsage {
        live: 1,
        last_granted_at: Some(at(30)),
    };
    assert_eq!(
        usage_of(store, &read, 20 + IDLE_TIMEOUT).await.2,
        later,
        "an expired grant does not count"
    );
}

async fn a_scope_whose_name_begins_anothers_is_told_apart(store: &StoreUnderTest) {
    let [read, _] = with_scopes(store).await;
    let longer = definition(3, &application(1), "reader");
    store.fixtures().create_scope(longer.clone()).await;
    store.fixtures().create_client(listing(1, &[&longer])).await;
    approved(store, 1, 1, &[&longer]).await;
    redeemed(store, 1, 0).await;
    assert_eq!(
        usage_of(store, &read, 1).await,
        (0, vec![], GrantUsage::default())
    );
    assert_eq!(usage_of(store, &longer, 1).await.2.live, 1);
}

async fn an_applications_usage_is_that_of_all_its_scopes_and_counts_each_once(
    store: &StoreUnderTest,
) {
    let [read, write] = with_scopes(store).await;
    store.fixtures().create_application(application(2)).await;
    let elsewhere = definition(3, &application(2), "read");
    store.fixtures().create_scope(elsewhere.clone()).await;
    for client in [
        listing(1, &[&read, &write]),
        listing(2, &[&write]),
        listing(3, &[&elsewhere]),
    ] {
        store.fixtures().create_client(client).await;
    }
    for (number, scopes) in [
        (1, &[&read, &write][..]),
        (2, &[&elsewhere]),
        (3, &[&write]),
    ] {
        approved(store, number, 1, scopes).await;
        redeemed(store, number, i64::from(number)).await;
    }
    let usage = store
        .application_usage(application(1).id, at(9))
        .await
        .expect_ok()
        .expect("the application exists");
    assert_eq!(
        usage.by_client.into_iter().collect::<Vec<_>>(),
        [(client(1).id, usage.grants)]
    );
    let named: Vec<_> = usage.clients.items.iter().map(|client| client.id).collect();
    assert_eq!(
        (usage.clients.total, named),
        (2, vec![client(1).id, client(2).id]),
        "a client counts once"
    );
    assert_eq!(
        usage.grants,
        GrantUsage {
            live: 2,
            last_granted_at: Some(at(3))
        },
        "a grant counts once"
    );
    assert_eq!(
        store
            .delete_application(application(1).id)
            .await
            .expect_ok(),
        RegistryChange::Done
    );
    assert_eq!(
        store
            .application_usage(application(1).id, at(9))
            .await
            .expect_ok(),
        None,
        "a deleted scope has no usage"
    );
    assert_eq!(store.scope_usage(read.id, at(9)).await.expect_ok(), None);
    let left = store
        .application_usage(application(2).id, at(9))
        .await
        .expect_ok()
        .expect("the client exists");
    assert_eq!(
        (left.clients.total, left.grants.live),
        (1, 1),
        "another application's stays"
    );
}

async fn a_clients_usage_is_what_of_its_grants_lives(store: &StoreUnderTest) {
    let [read, write] = with_scopes(store).await;
    for number in 1..=5 {
        store
            .fixtures()
            .create_client(listing(number, &[&read, &write]))
            .await;
    }
    // Client 3 has an unredeemed code alone, and client 4 nothing. The grant of client 5 is read
    // for no other client.
    for (number, of) in [(1, 1), (2, 1), (3, 2), (4, 1), (5, 3), (6, 5)] {
        approved(store, number, of, &[&read]).await;
    }
    for (number, now) in [(1, 5), (2, 9), (3, 20), (6, 25)] {
        redeemed(store, number, now).await;
    }
    let usage = async |numbers: &[u8], now| {
        let ids: Vec<ClientId> = numbers.iter().map(|number| client(*number).id).collect();
        store.usage_of_clients(&ids, at(now)).await.expect_ok()
    };
    let used = |number, live, last| {
        let usage = GrantUsage {
            live,
            last_granted_at: Some(at(last)),
        };
        (client(number).id, usage)
    };
    assert_eq!(
        usage(&[2, 1, 3, 2, 4, 9], 30).await,
        [used(1, 2, 9), used(2, 1, 20)].into(),
        "each client has its own live grants, and one without any is left out"
    );
    assert_eq!(usage(&[], 30).await, [].into());
    assert_eq!(
        store.client_usage(client(1).id, at(30)).await.expect_ok(),
        used(1, 2, 9).1
    );
    assert_eq!(
        usage(&[1, 2], 9 + IDLE_TIMEOUT).await,
        [used(2, 1, 20)].into(),
        "an expired grant does not count"
    );
    assert_eq!(
        store.delete_client(client(2).id, at(31)).await.expect_ok(),
        ClientDeletion::Deleted
    );
    assert_eq!(
        usage(&[1, 2], 31).await,
        [used(1, 2, 9)].into(),
        "the grants of a deleted client are revoked"
    );
}

async fn no_more_clients_are_named_than_anyone_reads_and_all_are_counted(store: &StoreUnderTest) {
    let [read, _] = with_scopes(store).await;
    let number = u8::try_from(MAX_USAGE_CLIENTS).expect("few") + 1;
    for number in 1..=number {
        store
            .fixtures()
            .create_client(listing(number, &[&read]))
            .await;
    }
    let (total, named, _) = usage_of(store, &read, 0).await;
    assert_eq!(
        (total, named.len()),
        (number.into(), MAX_USAGE_CLIENTS),
        "the list is limited, and the total is right"
    );
}

async fn the_services_own_scopes_have_a_usage_too(store: &StoreUnderTest) {
    let [self_read, _] = ScopeDefinition::built_in();
    store.fixtures().create_client(client(1)).await;
    approved(store, 1, 1, &[&self_read]).await;
    redeemed(store, 1, 5).await;
    let used = GrantUsage {
        live: 1,
        last_granted_at: Some(at(5)),
    };
    assert_eq!(usage_of(store, &self_read, 9).await.2, used);
    let usage = store
        .application_usage(ApplicationId::Service, at(9))
        .await
        .expect_ok();
    assert_eq!(
        usage.map(|usage| (usage.clients.total, usage.grants)),
        Some((1, used))
    );
}

/// Registers application 1 with two scopes.
async fn with_scopes(store: &StoreUnderTest) -> [ScopeDefinition; 2] {
    store.fixtures().create_application(application(1)).await;
    let scopes = [
        definition(1, &application(1), "read"),
        definition(2, &application(1), "write"),
    ];
    for scope in &scopes {
        store.fixtures().create_scope(scope.clone()).await;
    }
    scopes
}

fn other_user() -> SubjectId {
    "stranger".parse().expect("an id")
}

fn listing(number: u8, scopes: &[&ScopeDefinition]) -> Client {
    Client {
        allowed_scopes: set(scopes),
        ..client(number)
    }
}

fn set(scopes: &[&ScopeDefinition]) -> ScopeSet {
    scopes
        .iter()
        .map(|definition| definition.scope.clone())
        .collect()
}

/// Creates `grant(number)` of a client with an unredeemed code.
async fn approved(store: &StoreUnderTest, number: u8, of: u8, scopes: &[&ScopeDefinition]) {
    let asked = AuthorizationSession {
        client: client(of).id,
        scopes: set(scopes),
        subject: Some(subject()),
        ..session()
    };
    store.open_session(token(number), asked).await.expect_ok();
    approve(store, &token(number), approval(number), NOW).await;
}

async fn redeemed(store: &StoreUnderTest, number: u8, now: i64) {
    let redemption = store
        .redeem_authorization_code(&code(number), ClientProof::Pkce, LIFETIMES, at(now))
        .await
        .expect_ok();
    assert!(
        matches!(redemption, Redemption::Redeemed(_)),
        "not {redemption:?}"
    );
}

/// Returns the number of clients, the listed ones, and the grants.
async fn usage_of(
    store: &StoreUnderTest,
    scope: &ScopeDefinition,
    now: i64,
) -> (u64, Vec<ClientSummary>, GrantUsage) {
    let ScopeUsage {
        clients, grants, ..
    } = store
        .scope_usage(scope.id, at(now))
        .await
        .expect_ok()
        .expect("the scope exists");
    (clients.total, clients.items, grants)
}

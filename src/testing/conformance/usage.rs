//! Who uses what is registered.

use super::candidate::{Answered, Candidate};
use super::given::{IDLE, LIFETIMES, NOW, application, approval, at, client, code, definition, grant, owner, session, subject, token};
use crate::domain::{ApplicationId, AuthorizationSession, Client, ClientProof, Line, ScopeDefinition, ScopeSet, SubjectId};
use crate::store::{
    ApprovalOutcome, ClientCreation, ClientDeletion, Creation, GrantUsage, ListingClient, Redemption, RegistryChange, ScopeCreation,
    ScopeUsage, USAGE_CLIENTS_NAMED,
};

pub(super) async fn a_scopes_usage_is_who_lists_it_and_what_of_it_lives(store: &Candidate) {
    let [read, write] = with_scopes(store).await;
    assert_eq!(usage_of(store, &read, 0).await, (0, vec![], GrantUsage::default()), "nobody uses it yet");
    let other = Client { created_at: at(-5), owner: stranger(), name: Line::literal("학생회"), ..listing(2, &[&read, &write]) };
    for client in [listing(1, &[&read]), other, listing(3, &[&write]), listing(4, &[&read])] {
        assert_eq!(store.create_client(client).await.answered(), ClientCreation::Created);
    }
    // Of 1 and 2 the code is redeemed; 3 is revoked, 4 waits, 5 is for another scope, 6 is of a client that does not list it.
    for (number, of, scopes) in
        [(1, 1, &[&read][..]), (2, 2, &[&write, &read]), (3, 1, &[&read]), (4, 1, &[&read]), (5, 1, &[&write]), (6, 3, &[&read])]
    {
        approved(store, number, of, scopes).await;
    }
    for (number, now) in [(1, 10), (2, 30), (3, 40), (5, 50), (6, 20)] {
        redeemed(store, number, now).await;
    }
    assert!(store.revoke_grant(&grant(3), at(41)).await.answered());
    let named = [2, 1, 4].map(|number| ListingClient {
        id: client(number).id,
        name: if number == 2 { Line::literal("학생회") } else { client(number).name },
        owner: if number == 2 { stranger() } else { owner() },
    });
    let usage = usage_of(store, &read, 60).await;
    let of = store.scope_usage(read.id, at(60)).await.answered().expect("it is there").by_client;
    let one = |at| GrantUsage { live: 1, last_granted_at: Some(at) };
    let of_each = [(client(1).id, one(at(10))), (client(2).id, one(at(30))), (client(3).id, one(at(20)))];
    assert_eq!(of.into_iter().collect::<Vec<_>>(), of_each, "each client's grants are its own, also of one that lists it no more");
    assert_eq!((usage.0, usage.1), (3, named.to_vec()), "those that list it, in the order of their registration");
    assert_eq!(usage.2, GrantUsage { live: 3, last_granted_at: Some(at(30)) }, "what lives counts, whoever lists it now");
    let later = GrantUsage { live: 1, last_granted_at: Some(at(30)) };
    assert_eq!(usage_of(store, &read, 20 + IDLE).await.2, later, "what has expired does not live");
}

pub(super) async fn a_scope_whose_name_begins_anothers_is_told_apart(store: &Candidate) {
    let [read, _] = with_scopes(store).await;
    let longer = definition(3, &application(1), "reader");
    assert_eq!(store.create_scope(longer.clone()).await.answered(), ScopeCreation::Created);
    assert_eq!(store.create_client(listing(1, &[&longer])).await.answered(), ClientCreation::Created);
    approved(store, 1, 1, &[&longer]).await;
    redeemed(store, 1, 0).await;
    assert_eq!(usage_of(store, &read, 1).await, (0, vec![], GrantUsage::default()));
    assert_eq!(usage_of(store, &longer, 1).await.2.live, 1);
}

pub(super) async fn an_applications_usage_is_that_of_all_its_scopes_and_counts_each_once(store: &Candidate) {
    let [read, write] = with_scopes(store).await;
    assert_eq!(store.create_application(application(2)).await.answered(), Creation::Created);
    let elsewhere = definition(3, &application(2), "read");
    assert_eq!(store.create_scope(elsewhere.clone()).await.answered(), ScopeCreation::Created);
    for client in [listing(1, &[&read, &write]), listing(2, &[&write]), listing(3, &[&elsewhere])] {
        assert_eq!(store.create_client(client).await.answered(), ClientCreation::Created);
    }
    for (number, scopes) in [(1, &[&read, &write][..]), (2, &[&elsewhere]), (3, &[&write])] {
        approved(store, number, 1, scopes).await;
        redeemed(store, number, i64::from(number)).await;
    }
    let usage = store.application_usage(application(1).id, at(9)).await.answered().expect("it is there");
    assert_eq!(usage.by_client.into_iter().collect::<Vec<_>>(), [(client(1).id, usage.grants)]);
    let named: Vec<_> = usage.clients.items.iter().map(|client| client.id).collect();
    assert_eq!((usage.clients.total, named), (2, vec![client(1).id, client(2).id]), "a client counts once");
    assert_eq!(usage.grants, GrantUsage { live: 2, last_granted_at: Some(at(3)) }, "a grant counts once");
    assert_eq!(store.delete_application(application(1).id).await.answered(), RegistryChange::Done);
    assert_eq!(store.application_usage(application(1).id, at(9)).await.answered(), None, "what is gone is used by nobody");
    assert_eq!(store.scope_usage(read.id, at(9)).await.answered(), None);
    let left = store.application_usage(application(2).id, at(9)).await.answered().expect("it is there");
    assert_eq!((left.clients.total, left.grants.live), (1, 1), "another application's stays");
}

pub(super) async fn a_clients_usage_is_what_of_its_grants_lives(store: &Candidate) {
    let [read, write] = with_scopes(store).await;
    for number in [1, 2] {
        assert_eq!(store.create_client(listing(number, &[&read, &write])).await.answered(), ClientCreation::Created);
    }
    for (number, of) in [(1, 1), (2, 1), (3, 2), (4, 1)] {
        approved(store, number, of, &[&read]).await;
    }
    for (number, now) in [(1, 5), (2, 9), (3, 20)] {
        redeemed(store, number, now).await;
    }
    let usage = async |number: u8, now| store.client_usage(client(number).id, at(now)).await.answered();
    assert_eq!(usage(1, 30).await, Some(GrantUsage { live: 2, last_granted_at: Some(at(9)) }));
    assert_eq!(usage(1, 9 + IDLE).await, Some(GrantUsage::default()), "what has expired does not live");
    assert_eq!(usage(9, 30).await, None, "there is no such client");
    assert_eq!(store.delete_client(client(2).id, at(31)).await.answered(), ClientDeletion::Deleted);
    assert_eq!(usage(2, 31).await, None);
}

pub(super) async fn no_more_clients_are_named_than_anyone_reads_and_all_are_counted(store: &Candidate) {
    let [read, _] = with_scopes(store).await;
    let number = u8::try_from(USAGE_CLIENTS_NAMED).expect("few") + 1;
    for number in 1..=number {
        assert_eq!(store.create_client(listing(number, &[&read])).await.answered(), ClientCreation::Created);
    }
    let (total, named, _) = usage_of(store, &read, 0).await;
    assert_eq!((total, named.len()), (number.into(), USAGE_CLIENTS_NAMED), "the list has an end, and the total is right");
}

pub(super) async fn the_services_own_scopes_have_a_usage_too(store: &Candidate) {
    let [self_read, _] = ScopeDefinition::of_the_service();
    assert_eq!(store.create_client(client(1)).await.answered(), ClientCreation::Created);
    approved(store, 1, 1, &[&self_read]).await;
    redeemed(store, 1, 5).await;
    let used = GrantUsage { live: 1, last_granted_at: Some(at(5)) };
    assert_eq!(usage_of(store, &self_read, 9).await.2, used);
    let usage = store.application_usage(ApplicationId::Service, at(9)).await.answered();
    assert_eq!(usage.map(|usage| (usage.clients.total, usage.grants)), Some((1, used)));
}

/// Application 1 with two scopes.
async fn with_scopes(store: &Candidate) -> [ScopeDefinition; 2] {
    assert_eq!(store.create_application(application(1)).await.answered(), Creation::Created);
    let scopes = [definition(1, &application(1), "read"), definition(2, &application(1), "write")];
    for scope in &scopes {
        assert_eq!(store.create_scope(scope.clone()).await.answered(), ScopeCreation::Created);
    }
    scopes
}

fn stranger() -> SubjectId {
    "stranger".parse().expect("an id")
}

fn listing(number: u8, scopes: &[&ScopeDefinition]) -> Client {
    Client { allowed_scopes: set(scopes), ..client(number) }
}

fn set(scopes: &[&ScopeDefinition]) -> ScopeSet {
    scopes.iter().map(|definition| definition.scope.clone()).collect()
}

/// `grant(number)` of a client, whose code waits.
async fn approved(store: &Candidate, number: u8, of: u8, scopes: &[&ScopeDefinition]) {
    let asked = AuthorizationSession { client: client(of).id, scopes: set(scopes), subject: Some(subject()), ..session() };
    store.open_session(token(number), asked).await.answered();
    let approving = store.approve_session(&token(number), approval(number), NOW).await.answered();
    assert!(matches!(approving, ApprovalOutcome::Approved(_)), "not {approving:?}");
}

async fn redeemed(store: &Candidate, number: u8, now: i64) {
    let redemption = store.redeem_authorization_code(&code(number), ClientProof::Pkce, LIFETIMES, at(now)).await.answered();
    assert!(matches!(redemption, Redemption::Redeemed(_)), "not {redemption:?}");
}

/// How many clients, which of them are named, and the grants.
async fn usage_of(store: &Candidate, scope: &ScopeDefinition, now: i64) -> (u64, Vec<ListingClient>, GrantUsage) {
    let ScopeUsage { clients, grants, .. } = store.scope_usage(scope.id, at(now)).await.answered().expect("the scope is there");
    (clients.total, clients.items, grants)
}

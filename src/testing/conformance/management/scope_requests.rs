//! Requests for scopes that need an approval.

use std::time::Duration;

use super::super::fixtures::{NOW, application, at, client, definition, owner};
use super::super::store_under_test::{CONCURRENT_CALLERS, ExpectOk, StoreUnderTest};
use super::{other_user, page, registered, with_scopes};
use crate::domain::{
    Client, ScopeId, ScopeRefusal, ScopeRequest, ScopeRequestState, ScopeSet, ShortText,
};
use crate::store::{
    ClientDeletion, RegistryChange, ScopeApproval, ScopeRequestCreation, ScopeRequestFilter,
};

cases! { Storage, management as __conformance_management_scope_requests:
    a_request_waits_until_it_is_approved_refused_or_withdrawn
    a_request_is_found_by_its_client_and_by_the_owner_of_the_application
    a_client_has_no_more_waiting_requests_than_it_may
    of_many_requests_at_once_no_more_wait_than_may
    a_request_ends_with_its_scope_its_client_or_its_approval
    a_request_is_approved_once_while_it_waits_as_it_was_made
}

fn scope(number: u8) -> ScopeId {
    definition(number, &application(1), "x").id
}

fn request(number: u8, client_number: u8) -> ScopeRequest {
    ScopeRequest {
        scope: scope(number),
        client: client(client_number).id,
        asked_by: other_user(),
        reason: ShortText::from_static("점심 “봇”"),
        asked_at: at(number.into()),
        state: ScopeRequestState::Waiting,
    }
}

fn refusal() -> ScopeRefusal {
    ScopeRefusal {
        reason: ShortText::from_static("Not for bots"),
        at: at(9),
    }
}

/// Registers scopes 1 to 3 of application 1, and clients 1 and 2 of another user.
async fn prepared(store: &StoreUnderTest) {
    with_scopes(store, &["a", "b", "c"]).await;
    for number in [1, 2] {
        let client = Client {
            owner: other_user(),
            first_party: false,
            allowed_scopes: ScopeSet::default(),
            ..client(number)
        };
        registered(store, client).await;
    }
}

async fn ask(store: &StoreUnderTest, number: u8, client_number: u8) -> ScopeRequestCreation {
    let asked = store.request_scope(request(number, client_number), 9);
    asked.await.expect_ok()
}

async fn found(store: &StoreUnderTest, filter: ScopeRequestFilter<'_>) -> Vec<ScopeRequest> {
    let found = store.scope_requests(filter, page(0, 9)).await.expect_ok();
    assert_eq!(found.total, found.items.len() as u64);
    found.items
}

async fn a_request_waits_until_it_is_approved_refused_or_withdrawn(store: &StoreUnderTest) {
    prepared(store).await;
    let of_client = ScopeRequestFilter::Of(client(1).id);
    assert_eq!(ask(store, 1, 1).await, ScopeRequestCreation::Requested);
    assert_eq!(ask(store, 1, 1).await, ScopeRequestCreation::AlreadyWaiting);
    assert_eq!(found(store, of_client).await, [request(1, 1)]);
    let refuse = async |number: u8| {
        let refused = store.refuse_scope_request(scope(number), client(1).id, refusal());
        refused.await.expect_ok()
    };
    assert!(refuse(1).await && !refuse(1).await && !refuse(2).await);
    let refused = ScopeRequest {
        state: ScopeRequestState::Refused(refusal()),
        ..request(1, 1)
    };
    assert_eq!(found(store, of_client).await, [refused]);
    assert_eq!(found(store, ScopeRequestFilter::Waiting).await, []);
    assert_eq!(
        ask(store, 1, 1).await,
        ScopeRequestCreation::Requested,
        "a refused request is replaced"
    );
    assert_eq!(found(store, of_client).await, [request(1, 1)]);
    let approval = store.approve_scope(scope(1), client(1).id, NOW).await;
    assert_eq!(approval.expect_ok(), ScopeApproval::Approved);
    let approved = ScopeRequest {
        state: ScopeRequestState::Approved { at: NOW },
        ..request(1, 1)
    };
    assert_eq!(
        found(store, of_client).await,
        std::slice::from_ref(&approved)
    );
    let later = NOW.plus(Duration::from_secs(1));
    let again = store.approve_scope(scope(1), client(1).id, later).await;
    assert_eq!(again.expect_ok(), ScopeApproval::Approved);
    assert_eq!(
        found(store, of_client).await,
        [approved],
        "the first approval counts"
    );
    assert_eq!(found(store, ScopeRequestFilter::Waiting).await, []);
    assert!(!refuse(1).await, "an approved request waits no more");
    assert_eq!(
        ask(store, 1, 1).await,
        ScopeRequestCreation::AlreadyApproved
    );
    assert_eq!(ask(store, 2, 1).await, ScopeRequestCreation::Requested);
    let withdraw = async || {
        let withdrawn = store.withdraw_scope_request(scope(2), client(1).id);
        withdrawn.await.expect_ok()
    };
    assert!(withdraw().await && !withdraw().await);
    assert_eq!(found(store, of_client).await.len(), 1);
    assert_eq!(ask(store, 9, 1).await, ScopeRequestCreation::UnknownScope);
    assert_eq!(ask(store, 1, 9).await, ScopeRequestCreation::UnknownClient);
}

async fn a_request_is_found_by_its_client_and_by_the_owner_of_the_application(
    store: &StoreUnderTest,
) {
    prepared(store).await;
    for (number, client) in [(2, 1), (1, 2), (1, 1)] {
        assert_eq!(
            ask(store, number, client).await,
            ScopeRequestCreation::Requested
        );
    }
    let owner = owner();
    let mut first = [request(1, 1), request(1, 2)];
    first.sort_by_key(|request| request.client.to_string());
    let [one, two] = first;
    let all = [one.clone(), two.clone(), request(2, 1)];
    assert_eq!(found(store, ScopeRequestFilter::Waiting).await, all);
    let waiting = ScopeRequestFilter::WaitingFor(&owner);
    assert_eq!(found(store, waiting).await, all);
    let of_other = other_user();
    assert_eq!(
        found(store, ScopeRequestFilter::WaitingFor(&of_other)).await,
        []
    );
    assert_eq!(
        found(store, ScopeRequestFilter::Of(client(1).id)).await,
        [request(1, 1), request(2, 1)]
    );
    let asker = other_user();
    let refused = store.refuse_scope_request(scope(2), client(1).id, refusal());
    assert!(refused.await.expect_ok());
    let refused = ScopeRequest {
        state: ScopeRequestState::Refused(refusal()),
        ..request(2, 1)
    };
    assert_eq!(
        found(store, ScopeRequestFilter::OfClientsOf(&asker)).await,
        [all[0].clone(), all[1].clone(), refused],
        "those of all clients of the user, in every state"
    );
    assert_eq!(
        found(store, ScopeRequestFilter::OfClientsOf(&owner)).await,
        []
    );
    assert_eq!(ask(store, 2, 1).await, ScopeRequestCreation::Requested);
    let second = store.scope_requests(waiting, page(1, 1)).await.expect_ok();
    assert_eq!((second.total, second.items), (3, vec![two]));
    let removed = store.remove_owner(&owner, NOW).await.expect_ok();
    assert_eq!(removed.reassigned_applications, [application(1).id]);
    assert_eq!(
        (
            found(store, waiting).await.len(),
            found(store, ScopeRequestFilter::Waiting).await.len()
        ),
        (0, 3),
        "requests go to the new owner of the application"
    );
}

async fn a_client_has_no_more_waiting_requests_than_it_may(store: &StoreUnderTest) {
    prepared(store).await;
    let ask = async |number, client| {
        let asked = store.request_scope(request(number, client), 1);
        asked.await.expect_ok()
    };
    assert_eq!(ask(1, 1).await, ScopeRequestCreation::Requested);
    assert_eq!(ask(2, 1).await, ScopeRequestCreation::LimitReached);
    assert_eq!(ask(1, 2).await, ScopeRequestCreation::Requested);
    let refused = store.refuse_scope_request(scope(1), client(1).id, refusal());
    assert!(refused.await.expect_ok());
    assert_eq!(ask(2, 1).await, ScopeRequestCreation::Requested);
    let approval = store.approve_scope(scope(2), client(1).id, NOW).await;
    assert_eq!(approval.expect_ok(), ScopeApproval::Approved);
    assert_eq!(
        ask(3, 1).await,
        ScopeRequestCreation::Requested,
        "neither refused nor approved requests count"
    );
}

async fn of_many_requests_at_once_no_more_wait_than_may(store: &StoreUnderTest) {
    prepared(store).await;
    store.race(async |store, caller| {
        let number = u8::try_from(caller % 3).expect("few scopes") + 1;
        let _ = store.request_scope(request(number, 1), 2).await.expect_ok();
    });
    assert_eq!(
        found(store, ScopeRequestFilter::Waiting).await.len(),
        2,
        "of {CONCURRENT_CALLERS} callers two are within the limit"
    );
}

// Proves: threats 55
async fn a_request_is_approved_once_while_it_waits_as_it_was_made(store: &StoreUnderTest) {
    prepared(store).await;
    let approve = async |number: u8, asked_at: i64| {
        let (id, client) = (scope(number), client(1).id);
        let approval = store.approve_scope_request(id, client, at(asked_at), NOW);
        approval.await.expect_ok()
    };
    assert!(!approve(1, 1).await, "nobody has asked");
    assert_eq!(ask(store, 1, 1).await, ScopeRequestCreation::Requested);
    assert!(!approve(1, 2).await, "another request was shown");
    assert_eq!(
        found(store, ScopeRequestFilter::Waiting).await,
        [request(1, 1)]
    );
    assert!(approve(1, 1).await);
    assert!(!approve(1, 1).await, "it waits no more");
    let approved = ScopeRequest {
        state: ScopeRequestState::Approved { at: NOW },
        ..request(1, 1)
    };
    let of_client = ScopeRequestFilter::Of(client(1).id);
    assert_eq!(found(store, of_client).await, [approved]);

    assert_eq!(ask(store, 2, 1).await, ScopeRequestCreation::Requested);
    let refused = store.refuse_scope_request(scope(2), client(1).id, refusal());
    assert!(refused.await.expect_ok());
    assert!(!approve(2, 2).await, "it was refused");

    assert_eq!(ask(store, 3, 1).await, ScopeRequestCreation::Requested);
    let decisions = store.race(async |store, caller| {
        let (id, client) = (scope(3), client(1).id);
        if caller % 2 == 0 {
            let approval = store.approve_scope_request(id, client, at(3), NOW);
            approval.await.expect_ok()
        } else {
            let refused = store.refuse_scope_request(id, client, refusal());
            refused.await.expect_ok()
        }
    });
    assert_eq!(
        decisions.iter().filter(|decided| **decided).count(),
        1,
        "one of {CONCURRENT_CALLERS} decides"
    );
}

async fn a_request_ends_with_its_scope_its_client_or_its_approval(store: &StoreUnderTest) {
    prepared(store).await;
    for (number, client) in [(1, 1), (2, 1), (3, 1), (3, 2)] {
        assert_eq!(
            ask(store, number, client).await,
            ScopeRequestCreation::Requested
        );
    }
    assert_eq!(
        store.delete_scope(scope(1)).await.expect_ok(),
        RegistryChange::Done
    );
    let approval = store.approve_scope(scope(2), client(1).id, NOW).await;
    assert_eq!(approval.expect_ok(), ScopeApproval::Approved);
    let revoked = store.revoke_scope_approval(scope(2), client(1).id);
    assert!(revoked.await.expect_ok());
    assert_eq!(
        found(store, ScopeRequestFilter::Of(client(1).id)).await,
        [request(3, 1)]
    );
    assert_eq!(
        store.delete_client(client(1).id, NOW).await.expect_ok(),
        ClientDeletion::Deleted
    );
    assert_eq!(
        found(store, ScopeRequestFilter::Waiting).await,
        [request(3, 2)]
    );
    let deleted = store.delete_application(application(1).id).await;
    assert_eq!(deleted.expect_ok(), RegistryChange::Done);
    assert_eq!(found(store, ScopeRequestFilter::Waiting).await, []);
}

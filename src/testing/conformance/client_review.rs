//! Review of clients by administrators.

use std::sync::Arc;

use super::fixtures::{at, client, owner};
use super::management::{other_user, page, registered};
use super::store_under_test::{ExpectOk, StoreUnderTest};
use crate::domain::{Client, ScopeSet, ShortText, Verification};
use crate::store::{ClientFilter, ClientUpdate};

cases! { Storage, client_review as __conformance_client_review:
    a_client_is_listed_for_review_until_an_administrator_verifies_it
    the_newest_client_that_awaits_review_is_listed_first
}

/// Fails if the list contains all clients, or a client is updated although its verification has
/// changed.
async fn a_client_is_listed_for_review_until_an_administrator_verifies_it(store: &StoreUnderTest) {
    let third_party = |number| Client {
        first_party: false,
        allowed_scopes: ScopeSet::default(),
        ..client(number)
    };
    let assumed = third_party(1);
    let unverified = Client {
        verification: Verification::Unverified,
        ..third_party(2)
    };
    let verified = Client {
        verification: Verification::Verified {
            by: other_user(),
            at: at(7),
        },
        ..third_party(3)
    };
    let own = Client {
        verification: Verification::Unverified,
        ..client(4)
    };
    for kept in [&assumed, &unverified, &verified, &own] {
        registered(store, kept.clone()).await;
        assert_eq!(
            store.client(kept.id).await.expect_ok().as_deref(),
            Some(kept),
            "as it was registered"
        );
    }
    let review = async || {
        store
            .clients(ClientFilter::AwaitingReview, page(0, 9))
            .await
            .expect_ok()
            .items
    };
    assert_eq!(
        review().await,
        [Arc::new(unverified.clone()), Arc::new(assumed.clone())],
        "only clients that await review are listed"
    );
    assert_eq!(
        store
            .clients(ClientFilter::AwaitingReview, page(1, 1))
            .await
            .expect_ok()
            .total,
        2,
        "in pages"
    );

    let reviewed = Client {
        verification: Verification::Verified {
            by: owner(),
            at: at(9),
        },
        ..unverified.clone()
    };
    for swapped in [
        Client {
            name: ShortText::from_static("Swapped"),
            ..unverified.clone()
        },
        Client {
            redirect_uris: vec!["https://swapped.example/".parse().expect("an address")],
            ..unverified.clone()
        },
    ] {
        let swapping = store
            .update_client(reviewed.id, &unverified.settings(), swapped.settings())
            .await
            .expect_ok();
        assert_eq!(swapping, ClientUpdate::Updated);
        let verifying = store
            .update_client(reviewed.id, &unverified.settings(), reviewed.settings())
            .await
            .expect_ok();
        assert_eq!(
            verifying,
            ClientUpdate::Conflict,
            "a client that was not reviewed is not verified"
        );
        let back = store
            .update_client(reviewed.id, &swapped.settings(), unverified.settings())
            .await
            .expect_ok();
        assert_eq!(back, ClientUpdate::Updated);
    }
    let verifying = store
        .update_client(reviewed.id, &unverified.settings(), reviewed.settings())
        .await
        .expect_ok();
    assert_eq!(verifying, ClientUpdate::Updated);
    assert_eq!(
        store.client(reviewed.id).await.expect_ok().as_deref(),
        Some(&reviewed),
        "the reviewer and the time are stored"
    );
    assert_eq!(review().await, [Arc::new(assumed)]);
    let renamed = Client {
        name: ShortText::from_static("Other"),
        ..unverified.clone()
    };
    let renaming = store
        .update_client(renamed.id, &unverified.settings(), renamed.settings())
        .await
        .expect_ok();
    assert_eq!(
        renaming,
        ClientUpdate::Conflict,
        "an update based on settings before the review does not revert it"
    );
}

/// Fails if clients from before the review of clients, which nobody waits for, hide newer ones.
async fn the_newest_client_that_awaits_review_is_listed_first(store: &StoreUnderTest) {
    for (number, registered_at) in [(1, at(5)), (2, at(8)), (3, at(3))] {
        let client = Client {
            first_party: false,
            allowed_scopes: ScopeSet::default(),
            created_at: registered_at,
            ..client(number)
        };
        registered(store, client).await;
    }
    let listed = async |filter, request| {
        let clients = store.clients(filter, request).await.expect_ok();
        let times = clients.items.iter().map(|client| client.created_at);
        times.collect::<Vec<_>>()
    };
    let review = ClientFilter::AwaitingReview;
    assert_eq!(listed(review, page(0, 2)).await, [at(8), at(5)]);
    assert_eq!(listed(review, page(1, 2)).await, [at(3)], "in pages");
    assert_eq!(
        listed(ClientFilter::All, page(0, 9)).await,
        [at(3), at(5), at(8)],
        "other lists begin with the oldest"
    );
}

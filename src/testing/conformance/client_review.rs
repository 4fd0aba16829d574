//! The review of clients by administrators.

use std::sync::Arc;

use super::candidate::{Answered, Candidate};
use super::given::{at, client, owner};
use super::management::{page, registered, stranger};
use crate::domain::{Client, Line, ScopeSet, Verification};
use crate::store::{ClientFilter, ClientUpdate};

/// Fails if the list is that of all clients, or a client is changed from settings with another verification.
pub(super) async fn a_client_is_listed_for_review_until_an_administrator_verifies_it(store: &Candidate) {
    let third_party = |number| Client { first_party: false, allowed_scopes: ScopeSet::default(), ..client(number) };
    let assumed = third_party(1);
    let unverified = Client { verification: Verification::Unverified, ..third_party(2) };
    let verified = Client { verification: Verification::Verified { by: stranger(), at: at(7) }, ..third_party(3) };
    let own = Client { verification: Verification::Unverified, ..client(4) };
    for kept in [&assumed, &unverified, &verified, &own] {
        registered(store, kept.clone()).await;
        assert_eq!(store.client(kept.id).await.answered().as_deref(), Some(kept), "as it was registered");
    }
    let review = async || store.clients(ClientFilter::AwaitingReview, page(0, 9)).await.answered().items;
    assert_eq!(review().await, [Arc::new(assumed.clone()), Arc::new(unverified.clone())], "nothing but what waits is listed");
    assert_eq!(store.clients(ClientFilter::AwaitingReview, page(1, 1)).await.answered().total, 2, "a page at a time");

    let reviewed = Client { verification: Verification::Verified { by: owner(), at: at(9) }, ..unverified.clone() };
    for swapped in [
        Client { name: Line::literal("Swapped"), ..unverified.clone() },
        Client { redirect_uris: vec!["https://swapped.example/".parse().expect("an address")], ..unverified.clone() },
    ] {
        let swapping = store.update_client(reviewed.id, &unverified.settings(), swapped.settings()).await.answered();
        assert_eq!(swapping, ClientUpdate::Updated);
        let verifying = store.update_client(reviewed.id, &unverified.settings(), reviewed.settings()).await.answered();
        assert_eq!(verifying, ClientUpdate::Changed, "nothing is verified that was not reviewed");
        let back = store.update_client(reviewed.id, &swapped.settings(), unverified.settings()).await.answered();
        assert_eq!(back, ClientUpdate::Updated);
    }
    let verifying = store.update_client(reviewed.id, &unverified.settings(), reviewed.settings()).await.answered();
    assert_eq!(verifying, ClientUpdate::Updated);
    assert_eq!(store.client(reviewed.id).await.answered().as_deref(), Some(&reviewed), "who verified it, and when");
    assert_eq!(review().await, [Arc::new(assumed)]);
    let renamed = Client { name: Line::literal("Other"), ..unverified.clone() };
    let renaming = store.update_client(renamed.id, &unverified.settings(), renamed.settings()).await.answered();
    assert_eq!(renaming, ClientUpdate::Changed, "a change from before the review does not undo it unseen");
}

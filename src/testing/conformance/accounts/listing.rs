//! Listing and search of accounts.

use super::super::fixtures::account;
use super::super::store_under_test::{ExpectCreated, ExpectOk, StoreUnderTest};
use super::{assert_same, page};
use crate::domain::{PageRequest, SearchTerm};

cases! { Storage, accounts as __conformance_accounts_listing:
    accounts_come_in_the_order_of_their_folded_addresses
    accounts_are_found_by_any_part_of_their_address
}

async fn accounts_come_in_the_order_of_their_folded_addresses(store: &StoreUnderTest) {
    let addresses = [
        "한글@school.example",
        "B@school.example",
        "a@school.example",
        "Ångström@school.example",
        "c@school.example",
    ];
    for (number, address) in (1..).zip(addresses) {
        store
            .create_account(account(number, address))
            .await
            .expect_created();
    }
    let sorted = [
        "a@school.example",
        "B@school.example",
        "c@school.example",
        "Ångström@school.example",
        "한글@school.example",
    ];
    assert_eq!(
        listed(store, None, page(0, 9)).await,
        (5, texts(&sorted)),
        "case does not affect the order"
    );
    for (number, expected) in [
        (0, &sorted[..2]),
        (1, &sorted[2..4]),
        (2, &sorted[4..]),
        (3, &[]),
    ] {
        assert_eq!(
            listed(store, None, page(number, 2)).await,
            (5, texts(expected)),
            "every page knows the total"
        );
    }
    let first = store
        .accounts(None, page(0, 1))
        .await
        .expect_ok()
        .items
        .pop();
    assert_same(first, &account(3, "a@school.example"));
}

async fn accounts_are_found_by_any_part_of_their_address(store: &StoreUnderTest) {
    for (number, address) in (1..).zip([
        "Kim.Haneul@school.example",
        "100%@school.example",
        "a_c@other.example",
        "Jürgen@school.example",
    ]) {
        store
            .create_account(account(number, address))
            .await
            .expect_created();
    }
    for (part, expected) in [
        ("HANEUL", &["Kim.Haneul@school.example"][..]),
        ("%", &["100%@school.example"]),
        ("_", &["a_c@other.example"]),
        ("@OTHER", &["a_c@other.example"]),
        ("JÜRGEN", &["Jürgen@school.example"]),
        ("nobody", &[]),
        (
            "@school.example",
            &[
                "100%@school.example",
                "Jürgen@school.example",
                "Kim.Haneul@school.example",
            ],
        ),
    ] {
        assert_eq!(
            listed(store, Some(part), page(0, 9)).await,
            (expected.len() as u64, texts(expected)),
            "{part:?}"
        );
    }
    let (total, found) = listed(store, Some("school"), page(1, 2)).await;
    assert_eq!(
        (total, found.len()),
        (3, 1),
        "every page knows the total of the search"
    );
}

/// Returns the total, and the addresses on this page.
async fn listed(
    store: &StoreUnderTest,
    part: Option<&str>,
    page: PageRequest,
) -> (u64, Vec<String>) {
    let term = part.map(|part| SearchTerm::new(part).expect("a term"));
    let found = store.accounts(term.as_ref(), page).await.expect_ok();
    (
        found.total,
        found
            .items
            .iter()
            .map(|account| account.email.to_string())
            .collect(),
    )
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

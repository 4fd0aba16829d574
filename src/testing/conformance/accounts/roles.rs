//! Role changes, and the last administrator.

use super::super::fixtures::{NOW, account, at, grant};
use super::super::store_under_test::{CONCURRENT_CALLERS, ExpectCreated, ExpectOk, StoreUnderTest};
use super::{account_id, assert_same, two_accounts_in_use};
use crate::domain::{Account, Role};
use crate::store::AccountChange;

cases! { Storage, accounts as __conformance_accounts_roles:
    a_role_changes_alone
    the_last_administrator_stays_one
    administrators_who_take_the_role_from_each_other_leave_one
}

async fn a_role_changes_alone(store: &StoreUnderTest) {
    two_accounts_in_use(store).await;
    let another = Account {
        role: Role::Admin,
        ..account(3, "admin@school.example")
    };
    store.create_account(another).await.expect_created();
    let before = store
        .account(account_id(1))
        .await
        .expect_ok()
        .expect("the account exists");
    assert_eq!(
        store.set_role(account_id(1), Role::Admin).await.expect_ok(),
        AccountChange::Done
    );
    assert_same(
        store.account(account_id(1)).await.expect_ok(),
        &Account {
            role: Role::Admin,
            ..before.clone()
        },
    );
    assert!(
        store.grant_is_live(&grant(1), at(1)).await.expect_ok(),
        "the grant stays live"
    );
    assert_eq!(
        store.set_role(account_id(1), Role::User).await.expect_ok(),
        AccountChange::Done
    );
    assert_same(store.account(account_id(1)).await.expect_ok(), &before);
    assert_eq!(
        store.set_role(account_id(9), Role::Admin).await.expect_ok(),
        AccountChange::NotFound
    );
}

async fn the_last_administrator_stays_one(store: &StoreUnderTest) {
    for (number, address, role) in [
        (1, "kim@school.example", Role::Admin),
        (2, "lee@school.example", Role::Admin),
        (3, "oh@school.example", Role::User),
    ] {
        store
            .create_account(Account {
                role,
                ..account(number, address)
            })
            .await
            .expect_created();
    }
    assert_eq!(
        store.set_role(account_id(1), Role::User).await.expect_ok(),
        AccountChange::Done,
        "another administrator exists"
    );
    let before = store
        .account(account_id(2))
        .await
        .expect_ok()
        .expect("the account exists");
    for _ in 0..2 {
        let change = store.set_role(account_id(2), Role::User).await.expect_ok();
        assert_eq!(
            change,
            AccountChange::LastAdministrator,
            "the last administrator cannot be removed"
        );
        assert_eq!(
            store
                .remove_account(account_id(2), at(1))
                .await
                .expect_ok()
                .without_owner_removal(),
            AccountChange::LastAdministrator
        );
    }
    assert_same(store.account(account_id(2)).await.expect_ok(), &before);
    assert_eq!(
        store.set_role(account_id(2), Role::Admin).await.expect_ok(),
        AccountChange::Done,
        "the role is unchanged"
    );
    assert_eq!(
        store.set_role(account_id(1), Role::User).await.expect_ok(),
        AccountChange::Done,
        "a user without the role is not the last administrator"
    );
    assert_eq!(
        store
            .remove_account(account_id(3), at(1))
            .await
            .expect_ok()
            .without_owner_removal(),
        AccountChange::Done,
        "nor does that protect another account"
    );
    assert_eq!(
        store.set_role(account_id(1), Role::Admin).await.expect_ok(),
        AccountChange::Done
    );
    assert_eq!(
        store
            .remove_account(account_id(2), at(1))
            .await
            .expect_ok()
            .without_owner_removal(),
        AccountChange::Done
    );
}

async fn administrators_who_take_the_role_from_each_other_leave_one(store: &StoreUnderTest) {
    let numbers = 1..=u8::try_from(CONCURRENT_CALLERS).expect("few callers");
    for number in numbers.clone() {
        let made = Account {
            role: Role::Admin,
            ..account(number, &format!("admin{number}@school.example"))
        };
        store.create_account(made).await.expect_created();
    }
    let answers = store.race(async |store, caller| {
        let next =
            account_id(u8::try_from((caller + 1) % CONCURRENT_CALLERS).expect("few callers") + 1);
        if caller % 2 == 0 {
            store.set_role(next, Role::User).await.expect_ok()
        } else {
            store
                .remove_account(next, NOW)
                .await
                .expect_ok()
                .without_owner_removal()
        }
    });
    assert_eq!(
        answers
            .iter()
            .filter(|answer| **answer == AccountChange::LastAdministrator)
            .count(),
        1,
        "not {answers:?}"
    );
    let mut administrators = 0;
    for number in numbers {
        administrators += usize::from(
            store
                .account(account_id(number))
                .await
                .expect_ok()
                .is_some_and(|account| account.role == Role::Admin),
        );
    }
    assert_eq!(
        administrators, 1,
        "exactly one of {CONCURRENT_CALLERS} administrators is left"
    );
}

//! Accounts of students who have left.

use std::time::Duration;

use super::super::fixtures::{account, api_key, at, client, renewal};
use super::super::store_under_test::{CONCURRENT_CALLERS, ExpectCreated, ExpectOk, StoreUnderTest};
use super::{account_id, assert_ended, consent, hash, two_accounts_in_use, working_keys};
use crate::domain::{Account, AccountId, Client, ClientId, Role, Scope, StudentId, SubjectId};
use crate::store::{
    AccountChange, AccountRemoval, ApiKeyAction, LeaverChange, PasswordChange, Renewal,
};

cases! { Storage, accounts as __conformance_accounts_leavers:
    an_account_keeps_the_last_student_that_it_was_linked_to
    a_leaver_loses_all_access_at_once
    a_leaver_who_is_enrolled_again_has_the_access_from_before
    what_was_suspended_or_revoked_for_another_reason_stays_so
    administrators_and_unknown_accounts_are_not_suspended
    a_leaver_is_removed_only_while_suspended_since_then
    a_leaver_who_has_become_an_administrator_is_not_removed
    of_many_suspensions_at_once_one_counts
}

async fn an_account_keeps_the_last_student_that_it_was_linked_to(store: &StoreUnderTest) {
    for number in [2, 1, 3] {
        let kept = account(number, &format!("kim.{number}@school.example"));
        store.create_account(kept).await.expect_created();
    }
    store.link_students(Vec::new()).await.expect_ok();
    let links = vec![
        (account_id(2), student(20)),
        (account_id(9), student(90)),
        (account_id(1), student(10)),
    ];
    store.link_students(links).await.expect_ok();
    let again = vec![(account_id(2), student(21))];
    store.link_students(again).await.expect_ok();
    assert_eq!(
        linked(store).await,
        [
            (account_id(1), Some(student(10))),
            (account_id(2), Some(student(21))),
            (account_id(3), None)
        ],
        "accounts come in the order of their ids"
    );
    let _: AccountRemoval = store.remove_account(account_id(1), at(1)).await.expect_ok();
    let next = account(1, "kim.1@school.example");
    store.create_account(next).await.expect_created();
    assert_eq!(
        linked(store).await.first(),
        Some(&(account_id(1), None)),
        "the student is forgotten with the account"
    );
    let created = Account {
        student: Some(student(40)),
        ..account(4, "kim.4@school.example")
    };
    store.create_account(created).await.expect_created();
    assert_eq!(
        linked(store).await.last(),
        Some(&(account_id(4), Some(student(40))))
    );
}

async fn a_leaver_loses_all_access_at_once(store: &StoreUnderTest) {
    two_accounts_in_use(store).await;
    two_clients(store).await;
    assert_eq!(
        store.suspend_leaver(account_id(1), at(1)).await.expect_ok(),
        LeaverChange::Changed(vec![client_id(2)])
    );
    assert_eq!(
        stored_hash(store, 1).await,
        hash(1).suspended_as_left(at(1)).as_phc()
    );
    assert_eq!(stored_hash(store, 2).await, hash(2).as_phc());
    assert_ended(store).await;
    assert_eq!(
        working_keys(store).await,
        [3, 4],
        "a leaver's keys are suspended, and no others"
    );
    assert_eq!(suspended(store).await, [Some(1), None, None]);
    assert!(
        consent(store, 1).await.is_some(),
        "consents stay until the account is removed"
    );
    assert_eq!(
        store.suspend_leaver(account_id(1), at(9)).await.expect_ok(),
        LeaverChange::Unchanged,
        "a suspension keeps its time"
    );
    assert_eq!(
        stored_hash(store, 1).await,
        hash(1).suspended_as_left(at(1)).as_phc()
    );
}

async fn a_leaver_who_is_enrolled_again_has_the_access_from_before(store: &StoreUnderTest) {
    two_accounts_in_use(store).await;
    two_clients(store).await;
    assert_eq!(
        store.resume_leaver(account_id(1)).await.expect_ok(),
        LeaverChange::Unchanged
    );
    let _: LeaverChange = store.suspend_leaver(account_id(1), at(1)).await.expect_ok();
    assert_eq!(
        store.resume_leaver(account_id(1)).await.expect_ok(),
        LeaverChange::Changed(vec![client_id(2)])
    );
    let resumed = hash(1).suspended_as_left(at(1)).resumed();
    assert_eq!(stored_hash(store, 1).await, resumed.as_phc());
    assert_eq!(working_keys(store).await, [1, 2, 3, 4]);
    assert_eq!(suspended(store).await, [None, None, None]);
    assert_ended(store).await;
    assert_eq!(
        store.resume_leaver(account_id(7)).await.expect_ok(),
        LeaverChange::NotFound
    );
}

async fn what_was_suspended_or_revoked_for_another_reason_stays_so(store: &StoreUnderTest) {
    two_accounts_in_use(store).await;
    two_clients(store).await;
    let earlier = Client {
        suspended_at: Some(at(-5)),
        ..owned(4)
    };
    store.fixtures().create_client(earlier).await;
    assert_eq!(
        store.suspend_leaver(account_id(1), at(1)).await.expect_ok(),
        LeaverChange::Changed(vec![client_id(2)])
    );
    assert!(store.revoke_api_key(api_key(1).id, at(1)).await.expect_ok());
    let renewal = renewal(103, Duration::ZERO);
    let renewed = store
        .renew_api_key(api_key(2).id, renewal, at(1))
        .await
        .expect_ok();
    assert!(matches!(renewed, Renewal::Renewed(_)), "not {renewed:?}");
    let _: LeaverChange = store.resume_leaver(account_id(1)).await.expect_ok();
    for (value, works) in [(1, false), (102, false), (103, true)] {
        let digest = api_key(value).digest;
        let key = store.api_key(&digest).await.expect_ok();
        assert_eq!(
            key.is_some_and(|key| key.is_valid(&digest, at(1))),
            works,
            "a key that was revoked meanwhile stays so, as do the values before a renewal: {value}"
        );
    }
    let found = store.client(client_id(4)).await.expect_ok();
    assert_eq!(
        found.map(|client| client.suspended_at),
        Some(Some(at(-5))),
        "a client that was suspended before stays suspended"
    );
}

async fn administrators_and_unknown_accounts_are_not_suspended(store: &StoreUnderTest) {
    let administrator = Account {
        role: Role::Admin,
        ..account(1, "kim@school.example")
    };
    store.create_account(administrator).await.expect_created();
    assert_eq!(
        store.suspend_leaver(account_id(1), at(1)).await.expect_ok(),
        LeaverChange::Unchanged
    );
    assert_eq!(stored_hash(store, 1).await, hash(1).as_phc());
    assert_eq!(
        store.suspend_leaver(account_id(2), at(1)).await.expect_ok(),
        LeaverChange::NotFound
    );
}

async fn a_leaver_is_removed_only_while_suspended_since_then(store: &StoreUnderTest) {
    two_accounts_in_use(store).await;
    two_clients(store).await;
    assert_not_removed(store).await;
    let _: LeaverChange = store.suspend_leaver(account_id(1), at(1)).await.expect_ok();
    let _: LeaverChange = store.resume_leaver(account_id(1)).await.expect_ok();
    assert_not_removed(store).await;
    let _: LeaverChange = store.suspend_leaver(account_id(1), at(2)).await.expect_ok();
    assert_not_removed(store).await;
    let removal = store
        .remove_leaver(account_id(1), at(2), at(9))
        .await
        .expect_ok();
    assert_eq!(removal.without_owner_removal(), AccountChange::Done);
    assert!(store.account(account_id(1)).await.expect_ok().is_none());
    assert_eq!(consent(store, 1).await, None);
    assert_eq!(working_keys(store).await, [3, 4]);
    assert_eq!(
        suspended(store).await,
        [Some(2), None, None],
        "its client stays suspended"
    );
    let first_party = store.client(client_id(3)).await.expect_ok();
    assert_eq!(
        first_party.map(|client| client.owner.clone()),
        Some(SubjectId::service())
    );
}

// Proves: threats 45
async fn a_leaver_who_has_become_an_administrator_is_not_removed(store: &StoreUnderTest) {
    two_accounts_in_use(store).await;
    let _: LeaverChange = store.suspend_leaver(account_id(1), at(1)).await.expect_ok();
    for number in [1, 2] {
        let promoted = store.set_role(account_id(number), Role::Admin).await;
        assert_eq!(promoted.expect_ok(), AccountChange::Done);
    }
    assert_not_removed(store).await;
}

/// Asserts that account 1 is not removed as one that is suspended since second 1.
async fn assert_not_removed(store: &StoreUnderTest) {
    assert_eq!(
        store
            .remove_leaver(account_id(1), at(1), at(9))
            .await
            .expect_ok(),
        AccountRemoval::NotFound
    );
    assert!(store.account(account_id(1)).await.expect_ok().is_some());
}

async fn of_many_suspensions_at_once_one_counts(store: &StoreUnderTest) {
    two_accounts_in_use(store).await;
    let answers = store.race(async |store, caller| {
        if caller == 0 {
            let new = hash(9);
            let changed = store
                .set_password(account_id(1), &hash(1), new, ApiKeyAction::Keep, at(1))
                .await
                .expect_ok();
            assert!(changed != PasswordChange::NotFound);
            return LeaverChange::Unchanged;
        }
        store.suspend_leaver(account_id(1), at(1)).await.expect_ok()
    });
    let changed = LeaverChange::Changed(Vec::new());
    assert_eq!(
        answers.iter().filter(|answer| **answer == changed).count(),
        1,
        "of {} suspensions one changes the account",
        CONCURRENT_CALLERS - 1
    );
    assert_ended(store).await;
    assert_eq!(working_keys(store).await, [3, 4]);
    let left = [hash(1), hash(9)].map(|hash| hash.suspended_as_left(at(1)).as_phc().to_owned());
    assert!(left.contains(&stored_hash(store, 1).await));
}

/// Registers clients of account 1: number 2, and number 3, which is first-party.
async fn two_clients(store: &StoreUnderTest) {
    for client in [
        owned(2),
        Client {
            first_party: true,
            ..owned(3)
        },
    ] {
        store.fixtures().create_client(client).await;
    }
}

fn owned(number: u8) -> Client {
    Client {
        owner: account_id(1).into(),
        allowed_scopes: [Scope::self_read()].into_iter().collect(),
        first_party: false,
        ..client(number)
    }
}

/// The seconds since when clients 2, 3 and 1 are suspended.
async fn suspended(store: &StoreUnderTest) -> [Option<i64>; 3] {
    let mut found = [None; 3];
    for (place, number) in [2, 3, 1].into_iter().enumerate() {
        let client = store.client(client_id(number)).await.expect_ok();
        let suspended_at = client.and_then(|client| client.suspended_at);
        found[place] = suspended_at.map(|since| since.seconds() - at(0).seconds());
    }
    found
}

fn client_id(number: u8) -> ClientId {
    client(number).id
}

fn student(number: i64) -> StudentId {
    StudentId::new(number).expect("an id")
}

async fn linked(store: &StoreUnderTest) -> Vec<(AccountId, Option<StudentId>)> {
    let found = store.all_accounts().await.expect_ok();
    let linked = found.iter().map(|account| (account.id, account.student));
    for (id, student) in linked.clone() {
        let account = store.account(id).await.expect_ok().expect("an account");
        let by_email = store.account_by_email(&account.email).await.expect_ok();
        let by_email = by_email.expect("an account");
        assert_eq!((account.student, by_email.student), (student, student));
    }
    linked.collect()
}

async fn stored_hash(store: &StoreUnderTest, number: u8) -> String {
    let found = store.account(account_id(number)).await.expect_ok();
    found
        .expect("the account exists")
        .password_hash
        .as_phc()
        .to_owned()
}

//! Password changes and the access that they end.

use super::super::fixtures::{NOW, account, at, count, grant};
use super::super::store_under_test::{CONCURRENT_CALLERS, ExpectCreated, ExpectOk, StoreUnderTest};
use super::{
    account_id, assert_ended, assert_same, consent, hash, redeemed_by, two_accounts_in_use,
    working_keys,
};
use crate::domain::Account;
use crate::store::{ApiKeyAction, PasswordChange};

cases! { Storage, accounts as __conformance_accounts_passwords:
    a_hash_is_replaced_only_where_it_was_seen
    a_new_password_ends_what_the_old_one_had_begun
    a_new_password_leaves_the_keys_where_they_are_to_be_kept
    of_many_new_passwords_from_one_sight_one_is_kept
}

async fn a_hash_is_replaced_only_where_it_was_seen(store: &StoreUnderTest) {
    let kept = account(1, "kim@school.example");
    store.create_account(kept.clone()).await.expect_created();
    let rehash = async |seen: u8, new: u8| {
        store
            .rehash_password(kept.id, &hash(seen), hash(new))
            .await
            .expect_ok()
    };
    let set = async |seen: u8, new: u8| {
        store
            .set_password(kept.id, &hash(seen), hash(new), ApiKeyAction::Revoke, at(1))
            .await
            .expect_ok()
    };
    assert_eq!(
        rehash(9, 2).await,
        PasswordChange::Conflict,
        "a hash other than the expected one is not replaced"
    );
    assert_eq!(set(9, 2).await, PasswordChange::Conflict);
    assert_same(store.account(kept.id).await.expect_ok(), &kept);
    redeemed_by(store, 1, 1).await;
    assert_eq!(rehash(1, 2).await, PasswordChange::Changed);
    assert_same(
        store.account(kept.id).await.expect_ok(),
        &Account {
            password_hash: hash(2),
            ..kept.clone()
        },
    );
    assert!(
        store.grant_is_live(&grant(1), at(1)).await.expect_ok(),
        "the password is the same, so nothing ends"
    );
    assert_eq!(set(2, 3).await, PasswordChange::Changed);
    assert_eq!(
        rehash(2, 4).await,
        PasswordChange::Conflict,
        "a new password is not overwritten"
    );
    assert_same(
        store.account_by_email(&kept.email).await.expect_ok(),
        &Account {
            password_hash: hash(3),
            ..kept
        },
    );
    assert_eq!(
        store
            .rehash_password(account_id(9), &hash(1), hash(2))
            .await
            .expect_ok(),
        PasswordChange::NotFound
    );
    assert_eq!(
        store
            .set_password(account_id(9), &hash(1), hash(2), ApiKeyAction::Revoke, NOW)
            .await
            .expect_ok(),
        PasswordChange::NotFound
    );
}

async fn a_new_password_ends_what_the_old_one_had_begun(store: &StoreUnderTest) {
    two_accounts_in_use(store).await;
    let set = async |seen| {
        store
            .set_password(
                account_id(1),
                &hash(seen),
                hash(3),
                ApiKeyAction::Revoke,
                at(1),
            )
            .await
            .expect_ok()
    };
    assert_eq!(set(9).await, PasswordChange::Conflict);
    assert!(
        store.grant_is_live(&grant(1), at(1)).await.expect_ok(),
        "a refused change ends no grant"
    );
    assert_eq!(
        working_keys(store).await,
        [1, 2, 3, 4],
        "nor does it revoke a key"
    );
    assert_eq!(set(1).await, PasswordChange::Changed);
    assert_ended(store).await;
    assert_eq!(
        working_keys(store).await,
        [3, 4],
        "a new password revokes the account's keys, and no others"
    );
    assert!(consent(store, 1).await.is_some(), "the consent remains");
    assert!(
        store
            .account(account_id(2))
            .await
            .expect_ok()
            .is_some_and(|account| account.password_hash.as_phc() == hash(2).as_phc())
    );
}

async fn a_new_password_leaves_the_keys_where_they_are_to_be_kept(store: &StoreUnderTest) {
    two_accounts_in_use(store).await;
    let change = store
        .set_password(account_id(1), &hash(1), hash(3), ApiKeyAction::Keep, at(1))
        .await
        .expect_ok();
    assert_eq!(change, PasswordChange::Changed);
    assert_ended(store).await;
    assert_eq!(
        working_keys(store).await,
        [1, 2, 3, 4],
        "keys to keep stay valid"
    );
}

async fn of_many_new_passwords_from_one_sight_one_is_kept(store: &StoreUnderTest) {
    let kept = account(1, "kim@school.example");
    store.create_account(kept.clone()).await.expect_created();
    let contender = |caller: usize| hash(u8::try_from(caller).expect("few callers") + 100);
    let answers = store.race(async |store, caller| {
        if caller.is_multiple_of(2) {
            store
                .set_password(
                    kept.id,
                    &kept.password_hash,
                    contender(caller),
                    ApiKeyAction::Revoke,
                    NOW,
                )
                .await
                .expect_ok()
        } else {
            store
                .rehash_password(kept.id, &kept.password_hash, contender(caller))
                .await
                .expect_ok()
        }
    });
    let changed = count(&answers, |answer| *answer == PasswordChange::Changed);
    assert_eq!(
        changed, 1,
        "of {CONCURRENT_CALLERS} hashes with one expected hash exactly one is stored"
    );
    let winner = answers
        .iter()
        .position(|answer| *answer == PasswordChange::Changed)
        .expect("one was stored");
    assert_same(
        store.account(kept.id).await.expect_ok(),
        &Account {
            password_hash: contender(winner),
            ..kept
        },
    );
}

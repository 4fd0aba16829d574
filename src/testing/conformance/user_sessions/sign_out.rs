//! Sessions that users end, and sessions that end with the rights of their user.

use super::super::fixtures::{NOW, account, at, owner};
use super::super::store_under_test::{ExpectCreated, ExpectOk, StoreUnderTest};
use super::{found, id, lives, open, other_user, touch};
use crate::domain::{Account, Role};
use crate::store::{AccountChange, ApiKeyAction, PasswordChange};

cases! { Storage, user_sessions as __conformance_user_sessions_sign_out:
    people_end_sessions_of_their_own_alone
    people_end_all_their_sessions_but_the_one_they_name
    losing_rights_ends_the_sessions_of_a_user
}

async fn people_end_sessions_of_their_own_alone(store: &StoreUnderTest) {
    for number in [1, 2] {
        open(store, number, owner()).await;
    }
    assert!(
        !store
            .end_user_session(&other_user(), id(1))
            .await
            .expect_ok(),
        "another user's session is unknown"
    );
    assert!(found(store, 1, NOW).await.is_some(), "and remains");
    assert!(store.end_user_session(&owner(), id(1)).await.expect_ok());
    assert_eq!(
        found(store, 1, NOW).await,
        None,
        "an ended session is not found"
    );
    assert!(
        !store.end_user_session(&owner(), id(1)).await.expect_ok(),
        "the session no longer exists"
    );
    touch(store, &[(1, 5)]).await;
    assert_eq!(
        found(store, 1, at(5)).await,
        None,
        "a late use does not restore it"
    );
    assert!(
        found(store, 2, NOW).await.is_some(),
        "no other session ends"
    );
}

async fn people_end_all_their_sessions_but_the_one_they_name(store: &StoreUnderTest) {
    for number in 1..=4 {
        open(store, number, owner()).await;
    }
    open(store, 5, other_user()).await;
    assert_eq!(
        store
            .end_user_sessions_of(&owner(), Some(id(2)))
            .await
            .expect_ok(),
        3
    );
    for number in 1..=5 {
        assert_eq!(
            found(store, number, NOW).await.is_some(),
            [2, 5].contains(&number),
            "session {number}"
        );
    }
    assert_eq!(
        store
            .end_user_sessions_of(&owner(), Some(id(5)))
            .await
            .expect_ok(),
        1,
        "another user's session is no exception"
    );
    assert_eq!(
        store.end_user_sessions_of(&owner(), None).await.expect_ok(),
        0
    );
    assert_eq!(
        store
            .end_user_sessions_of(&other_user(), None)
            .await
            .expect_ok(),
        1
    );
}

// Proves: threats 23
async fn losing_rights_ends_the_sessions_of_a_user(store: &StoreUnderTest) {
    for number in [1, 2] {
        store
            .create_account(account(number, &format!("kim.{number}@school.example")))
            .await
            .expect_created();
    }
    let hash = account(1, "kim@school.example").password_hash;
    let (theirs, others) = (account(1, "a@b").id, account(2, "a@b").id);
    open(store, 100, others.into()).await;
    let mut number = 0;
    let mut open_two = async || {
        number += 2;
        open(store, number - 1, theirs.into()).await;
        open(store, number, theirs.into()).await;
        [number - 1, number]
    };

    let two = open_two().await;
    assert_eq!(
        store.set_role(theirs, Role::User).await.expect_ok(),
        AccountChange::Done
    );
    assert!(lives(store, two).await, "an unchanged role ends no session");
    assert_eq!(
        store.set_role(theirs, Role::Admin).await.expect_ok(),
        AccountChange::Done
    );
    assert!(
        !lives(store, two).await,
        "a session has no more rights than its user had when it began"
    );

    let two = open_two().await;
    let other = crate::domain::PasswordHash::from_phc("$argon2id$other");
    assert_eq!(
        store
            .set_password(theirs, &other, other.clone(), ApiKeyAction::Revoke, NOW)
            .await
            .expect_ok(),
        PasswordChange::Conflict
    );
    assert_eq!(
        store
            .rehash_password(theirs, &hash, hash.clone())
            .await
            .expect_ok(),
        PasswordChange::Changed
    );
    assert!(lives(store, two).await, "a refused change ends no session");
    assert_eq!(
        store
            .set_password(theirs, &hash, other, ApiKeyAction::Revoke, NOW)
            .await
            .expect_ok(),
        PasswordChange::Changed
    );
    assert!(
        !lives(store, two).await,
        "a new password ends the earlier sessions"
    );

    let two = open_two().await;
    assert_eq!(
        store
            .sign_out_everywhere(&theirs.into(), ApiKeyAction::Revoke, NOW)
            .await
            .expect_ok(),
        0,
        "sessions are not counted"
    );
    assert!(
        !lives(store, two).await,
        "a sign-out everywhere ends the console sessions"
    );

    let two = open_two().await;
    assert_eq!(
        store.set_role(theirs, Role::User).await.expect_ok(),
        AccountChange::LastAdministrator
    );
    assert!(
        lives(store, two).await,
        "a refused role change ends no session"
    );
    let another = Account {
        role: Role::Admin,
        ..account(90, "another@school.example")
    };
    store.create_account(another).await.expect_created();
    assert_eq!(
        store
            .remove_account(theirs, NOW)
            .await
            .expect_ok()
            .without_owner_removal(),
        AccountChange::Done
    );
    assert!(!lives(store, two).await, "a removed account has no session");
    assert!(
        found(store, 100, NOW).await.is_some(),
        "other users' sessions remain"
    );
}

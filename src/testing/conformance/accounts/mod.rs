pub(super) mod leavers;
pub(super) mod listing;
pub(super) mod passwords;
pub(super) mod removal;
pub(super) mod roles;

use std::time::Duration;

use super::fixtures::{
    LIFETIMES, NOW, account, api_key, approval, approve, at, client, code, count, grant,
    registered_client, renewal, session, subject, token,
};
use super::store_under_test::{CONCURRENT_CALLERS, ExpectCreated, ExpectOk, StoreUnderTest};
use crate::domain::{
    Account, AccountId, ApiKey, AuthorizationSession, ClientProof, Consent, Email, PageRequest,
    PasswordHash, Role, Subject, SubjectId,
};
use crate::store::{Approval, ConsentMode, Creation, Redemption, Renewal};

cases! { Storage, accounts as __conformance_accounts:
    an_account_is_found_by_its_id_as_it_was_kept
    accounts_are_returned_in_the_order_of_the_ids
    an_account_is_found_by_its_address_in_any_case
    an_address_is_taken_in_any_case
    an_id_is_taken_once
    an_unknown_account_is_not_found
    of_many_accounts_with_one_address_one_is_kept
    accounts_in_bulk_are_created_as_one_by_one
}

async fn an_account_is_found_by_its_id_as_it_was_kept(store: &StoreUnderTest) {
    for (number, role) in [(1, Role::User), (2, Role::Admin)] {
        let kept = Account {
            role,
            ..account(number, &format!("Kim.{number}@School.example"))
        };
        store.create_account(kept.clone()).await.expect_created();
        assert_same(store.account(kept.id).await.expect_ok(), &kept);
    }
}

async fn accounts_are_returned_in_the_order_of_the_ids(store: &StoreUnderTest) {
    let kept = |number| account(number, &format!("kim.{number}@school.example"));
    for number in 1..=5 {
        store.create_account(kept(number)).await.expect_created();
    }
    let ids = [3, 1, 9, 3, 5].map(|number| kept(number).id);
    let found = store.accounts_by_id(&ids).await.expect_ok();
    assert_eq!(found.len(), 3, "each once, without unknown ones");
    for (found, number) in found.into_iter().zip([3, 1, 5]) {
        assert_same(Some(found), &kept(number));
    }
    assert!(store.accounts_by_id(&[]).await.expect_ok().is_empty());
}

async fn an_account_is_found_by_its_address_in_any_case(store: &StoreUnderTest) {
    let kept = account(1, "Jürgen.Straße@School.example");
    store.create_account(kept.clone()).await.expect_created();
    for text in [
        "Jürgen.Straße@School.example",
        "jürgen.straße@school.example",
        "JÜRGEN.STRASSE@SCHOOL.EXAMPLE",
        "Ju\u{308}rgen.Straße@School.example",
    ] {
        assert_same(
            store.account_by_email(&address(text)).await.expect_ok(),
            &kept,
        );
    }
}

async fn an_address_is_taken_in_any_case(store: &StoreUnderTest) {
    let first = account(1, "Ångström@school.example");
    store.create_account(first.clone()).await.expect_created();
    let second = account(2, "A\u{30a}NGSTRÖM@SCHOOL.example");
    assert_eq!(
        store.create_account(second.clone()).await.expect_ok(),
        Creation::AlreadyExists,
        "an address in another case must not create a second account"
    );
    assert!(
        store.account(second.id).await.expect_ok().is_none(),
        "a refused account must not be stored"
    );
    assert_same(
        store.account_by_email(&first.email).await.expect_ok(),
        &first,
    );
}

async fn an_id_is_taken_once(store: &StoreUnderTest) {
    let first = account(1, "first@school.example");
    store.create_account(first.clone()).await.expect_created();
    assert_eq!(
        store
            .create_account(account(1, "second@school.example"))
            .await
            .expect_ok(),
        Creation::AlreadyExists
    );
    assert_same(store.account(first.id).await.expect_ok(), &first);
    assert!(
        store
            .account_by_email(&address("second@school.example"))
            .await
            .expect_ok()
            .is_none()
    );
}

async fn an_unknown_account_is_not_found(store: &StoreUnderTest) {
    store
        .create_account(account(1, "a_c@school.example"))
        .await
        .expect_created();
    assert!(
        store
            .account(AccountId::from_random([9; 16]))
            .await
            .expect_ok()
            .is_none()
    );
    for text in [
        "abc@school.example",
        "a_c@school.exampl",
        "%@school.example",
        "xa_c@school.example",
    ] {
        assert!(
            store
                .account_by_email(&address(text))
                .await
                .expect_ok()
                .is_none(),
            "an address matches only as a whole: {text}"
        );
    }
}

async fn of_many_accounts_with_one_address_one_is_kept(store: &StoreUnderTest) {
    let email = |caller: usize| {
        if caller.is_multiple_of(2) {
            "Kim@School.example"
        } else {
            "kim@school.example"
        }
    };
    let contender =
        |caller: usize| account(u8::try_from(caller).unwrap_or_default(), email(caller));
    let answers =
        store.race(async |store, caller| store.create_account(contender(caller)).await.expect_ok());
    assert_eq!(
        count(&answers, |answer| *answer == Creation::Created),
        1,
        "of {CONCURRENT_CALLERS} accounts with one address exactly one is created"
    );
    for (caller, answer) in answers.iter().enumerate() {
        let kept = store.account(contender(caller).id).await.expect_ok();
        assert_eq!(
            kept.is_some(),
            *answer == Creation::Created,
            "the stored account is the one that was reported as created"
        );
    }
}

async fn accounts_in_bulk_are_created_as_one_by_one(store: &StoreUnderTest) {
    let kept = account(1, "kim@school.example");
    store.create_account(kept.clone()).await.expect_created();
    let new = [
        account(4, "park@school.example"),
        account(2, "KIM@school.example"),
        account(3, "lee@school.example"),
        account(1, "choi@school.example"),
    ];
    assert_eq!(
        store.create_accounts(new.to_vec()).await.expect_ok(),
        [
            Creation::Created,
            Creation::AlreadyExists,
            Creation::Created,
            Creation::AlreadyExists
        ],
        "each account has its own result, in the order of the accounts"
    );
    assert_same(store.account(kept.id).await.expect_ok(), &kept);
    assert_same(store.account(new[2].id).await.expect_ok(), &new[2]);
    assert!(store.account(new[1].id).await.expect_ok().is_none());
    assert_eq!(
        store.create_accounts(Vec::new()).await.expect_ok(),
        Vec::new()
    );
    let batch = |caller: usize| {
        let mut batch: Vec<_> = (10..30)
            .map(|number| account(number, &format!("s{number}@school.example")))
            .collect();
        if caller.is_multiple_of(2) {
            batch.reverse();
        }
        batch
    };
    let answers = store.race(async |store, caller| {
        let creations = store.create_accounts(batch(caller)).await.expect_ok();
        count(&creations, |creation| *creation == Creation::Created)
    });
    assert_eq!(
        answers.iter().sum::<usize>(),
        20,
        "of {CONCURRENT_CALLERS} batches each account is created once"
    );
}

fn page(page: u32, size: u32) -> PageRequest {
    PageRequest::new(page, size).expect("a page")
}

/// Creates two accounts, each with a grant, an unredeemed code, a pending session and a consent:
/// numbers 1 to 3 for account 1, 4 to 6 for account 2. API keys 1 and 2 belong to account 1, key 3
/// to account 2, and key 4 has no owner.
async fn two_accounts_in_use(store: &StoreUnderTest) {
    for number in [1, 2] {
        let kept = account(number, &format!("kim.{number}@school.example"));
        store.create_account(kept).await.expect_created();
        let first = 3 * number - 2;
        redeemed_by(store, first, number).await;
        approved_by(store, first + 1, number).await;
        pending_session_of(store, first + 2, number).await;
    }
    for (number, owner) in [
        (1, Some(account_id(1))),
        (2, Some(account_id(1))),
        (3, Some(account_id(2))),
        (4, None),
    ] {
        let key = ApiKey {
            owner: owner.map(SubjectId::from),
            ..api_key(number)
        };
        store.create_api_key(key).await.expect_created();
    }
    let renewed = store
        .renew_api_key(api_key(2).id, renewal(102, Duration::from_secs(60)), NOW)
        .await
        .expect_ok();
    assert!(matches!(renewed, Renewal::Renewed(_)), "not {renewed:?}");
}

/// Returns the API keys that work with each of their values: number 2 has two.
async fn working_keys(store: &StoreUnderTest) -> Vec<u8> {
    let mut working = Vec::new();
    for (number, values) in [(1, &[1][..]), (2, &[2, 102]), (3, &[3]), (4, &[4])] {
        for value in values {
            let digest = api_key(*value).digest;
            let key = store
                .api_key(&digest)
                .await
                .expect_ok()
                .expect("a revoked key is found too");
            if key.is_valid(&digest, at(1)) && working.last() != Some(&number) {
                working.push(number);
            }
        }
    }
    working
}

/// Asserts that all access of account 1 has ended, and none of account 2.
async fn assert_ended(store: &StoreUnderTest) {
    assert!(
        !store.grant_is_live(&grant(1), at(1)).await.expect_ok(),
        "the account's grants are revoked"
    );
    let redemption = store
        .redeem_authorization_code(&code(2), ClientProof::Pkce, LIFETIMES, at(1))
        .await
        .expect_ok();
    assert_eq!(
        redemption,
        Redemption::Revoked,
        "the account's codes are revoked"
    );
    assert_eq!(
        store.session(&token(3), at(1)).await.expect_ok(),
        None,
        "the account's sessions are deleted"
    );
    assert!(
        store.grant_is_live(&grant(4), at(1)).await.expect_ok(),
        "no other account's grants end"
    );
    let redemption = store
        .redeem_authorization_code(&code(5), ClientProof::Pkce, LIFETIMES, at(1))
        .await
        .expect_ok();
    assert!(
        matches!(redemption, Redemption::Redeemed(_)),
        "no other account's codes end"
    );
    assert!(
        store.session(&token(6), at(1)).await.expect_ok().is_some(),
        "no other account's sessions are deleted"
    );
}

/// Creates a pending session that this account has signed in to.
async fn pending_session_of(store: &StoreUnderTest, number: u8, of: u8) {
    let subject = Some(Subject {
        id: account_id(of).into(),
        ..subject()
    });
    store
        .open_session(
            token(number),
            AuthorizationSession {
                subject,
                ..session()
            },
        )
        .await
        .expect_ok();
}

async fn approved_by(store: &StoreUnderTest, number: u8, of: u8) {
    if store.client(client(1).id).await.expect_ok().is_none() {
        registered_client(store).await;
    }
    pending_session_of(store, number, of).await;
    let approval = Approval {
        consent_mode: ConsentMode::Remembered,
        ..approval(number)
    };
    approve(store, &token(number), approval, NOW).await;
}

async fn redeemed_by(store: &StoreUnderTest, number: u8, of: u8) {
    approved_by(store, number, of).await;
    let redemption = store
        .redeem_authorization_code(&code(number), ClientProof::Pkce, LIFETIMES, NOW)
        .await
        .expect_ok();
    assert!(
        matches!(redemption, Redemption::Redeemed(_)),
        "a fresh code can be redeemed, not {redemption:?}"
    );
}

async fn consent(store: &StoreUnderTest, of: u8) -> Option<Consent> {
    store
        .consent(&account_id(of).into(), &client(1).id)
        .await
        .expect_ok()
}

fn account_id(number: u8) -> AccountId {
    account(number, "x@school.example").id
}

fn hash(number: u8) -> PasswordHash {
    account(number, "x@school.example").password_hash
}

fn address(text: &str) -> Email {
    text.parse().expect("an address")
}

/// Compares accounts field by field, because their password hash has no equality.
#[track_caller]
fn assert_same(found: Option<Account>, kept: &Account) {
    let Some(found) = found else {
        panic!("the account {} must be found", kept.email)
    };
    assert_eq!(
        (found.id, &found.email, found.role, found.created_at),
        (kept.id, &kept.email, kept.role, kept.created_at)
    );
    assert_eq!(found.password_hash.as_phc(), kept.password_hash.as_phc());
}

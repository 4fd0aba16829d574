use super::candidate::{Answered, Candidate, RACERS};
use super::given::{account, count};
use crate::domain::{Account, AccountId, Email, Role};
use crate::store::Creation;

pub(super) async fn an_account_is_found_by_its_id_as_it_was_kept(store: &Candidate) {
    for (number, role) in [(1, Role::User), (2, Role::Admin)] {
        let kept = Account { role, ..account(number, &format!("Kim.{number}@School.example")) };
        assert_eq!(store.create_account(kept.clone()).await.answered(), Creation::Created);
        assert_same(store.account(kept.id).await.answered(), &kept);
    }
}

pub(super) async fn an_account_is_found_by_its_address_in_any_case(store: &Candidate) {
    let kept = account(1, "Jürgen.Straße@School.example");
    assert_eq!(store.create_account(kept.clone()).await.answered(), Creation::Created);
    for text in [
        "Jürgen.Straße@School.example",
        "jürgen.straße@school.example",
        "JÜRGEN.STRASSE@SCHOOL.EXAMPLE",
        "Ju\u{308}rgen.Straße@School.example",
    ] {
        assert_same(store.account_by_email(&address(text)).await.answered(), &kept);
    }
}

pub(super) async fn an_address_is_taken_in_any_case(store: &Candidate) {
    let first = account(1, "Ångström@school.example");
    assert_eq!(store.create_account(first.clone()).await.answered(), Creation::Created);
    let second = account(2, "A\u{30a}NGSTRÖM@SCHOOL.example");
    assert_eq!(store.create_account(second.clone()).await.answered(), Creation::Taken, "case must not make two accounts of one address");
    assert!(store.account(second.id).await.answered().is_none(), "an account that was refused must not be kept");
    assert_same(store.account_by_email(&first.email).await.answered(), &first);
}

pub(super) async fn an_id_is_taken_once(store: &Candidate) {
    let first = account(1, "first@school.example");
    assert_eq!(store.create_account(first.clone()).await.answered(), Creation::Created);
    assert_eq!(store.create_account(account(1, "second@school.example")).await.answered(), Creation::Taken);
    assert_same(store.account(first.id).await.answered(), &first);
    assert!(store.account_by_email(&address("second@school.example")).await.answered().is_none());
}

pub(super) async fn an_unknown_account_is_not_found(store: &Candidate) {
    assert_eq!(store.create_account(account(1, "a_c@school.example")).await.answered(), Creation::Created);
    assert!(store.account(AccountId::from_random([9; 16])).await.answered().is_none());
    for text in ["abc@school.example", "a_c@school.exampl", "%@school.example", "xa_c@school.example"] {
        assert!(store.account_by_email(&address(text)).await.answered().is_none(), "an address is found whole or not at all: {text}");
    }
}

pub(super) async fn of_many_accounts_with_one_address_one_is_kept(store: &Candidate) {
    let email = |racer: usize| if racer.is_multiple_of(2) { "Kim@School.example" } else { "kim@school.example" };
    let contender = |racer: usize| account(u8::try_from(racer).unwrap_or_default(), email(racer));
    let answers = store.race(async |store, racer| store.create_account(contender(racer)).await.answered());
    assert_eq!(count(&answers, |answer| *answer == Creation::Created), 1, "of {RACERS} accounts with one address exactly one is created");
    for (racer, answer) in answers.iter().enumerate() {
        let kept = store.account(contender(racer).id).await.answered();
        assert_eq!(kept.is_some(), *answer == Creation::Created, "what is kept is what the store said it kept");
    }
}

fn address(text: &str) -> Email {
    text.parse().expect("an address")
}

/// An account has no equality, because its password hash has none.
#[track_caller]
fn assert_same(found: Option<Account>, kept: &Account) {
    let Some(found) = found else { panic!("the account {} must be found", kept.email) };
    assert_eq!((found.id, &found.email, found.role, found.created_at), (kept.id, &kept.email, kept.role, kept.created_at));
    assert_eq!(found.password_hash.as_phc(), kept.password_hash.as_phc());
}

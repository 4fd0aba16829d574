use std::time::Duration;

use super::candidate::{Answered, Candidate, RACERS};
use super::given::{
    LIFETIMES, NOW, account, api_key, approval, at, client, code, count, grant, registered_client, renewal, session, subject, token,
};
use crate::domain::{
    Account, AccountId, ApiKey, AuthorizationSession, ClientProof, Consent, Email, Needle, PageRequest, PasswordHash, Role, Subject,
    SubjectId,
};
use crate::store::{AccountChange, Approval, ApprovalOutcome, Assent, Creation, OwnedApiKeys, PasswordChange, Redemption, Renewal};

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

pub(super) async fn a_hash_is_replaced_only_where_it_was_seen(store: &Candidate) {
    let kept = account(1, "kim@school.example");
    assert_eq!(store.create_account(kept.clone()).await.answered(), Creation::Created);
    let rehash = async |seen: u8, new: u8| store.rehash_password(kept.id, &hash(seen), hash(new)).await.answered();
    let set = async |seen: u8, new: u8| store.set_password(kept.id, &hash(seen), hash(new), OwnedApiKeys::Revoke, at(1)).await.answered();
    assert_eq!(rehash(9, 2).await, PasswordChange::Differs, "a hash that was not seen is not replaced");
    assert_eq!(set(9, 2).await, PasswordChange::Differs);
    assert_same(store.account(kept.id).await.answered(), &kept);
    redeemed_by(store, 1, 1).await;
    assert_eq!(rehash(1, 2).await, PasswordChange::Changed);
    assert_same(store.account(kept.id).await.answered(), &Account { password_hash: hash(2), ..kept.clone() });
    assert!(store.grant_is_live(&grant(1), at(1)).await.answered(), "the password is the same, so nothing ends");
    assert_eq!(set(2, 3).await, PasswordChange::Changed);
    assert_eq!(rehash(2, 4).await, PasswordChange::Differs, "a new password is not undone");
    assert_same(store.account_by_email(&kept.email).await.answered(), &Account { password_hash: hash(3), ..kept });
    assert_eq!(store.rehash_password(theirs(9), &hash(1), hash(2)).await.answered(), PasswordChange::Unknown);
    assert_eq!(store.set_password(theirs(9), &hash(1), hash(2), OwnedApiKeys::Revoke, NOW).await.answered(), PasswordChange::Unknown);
}

pub(super) async fn a_new_password_ends_what_the_old_one_had_begun(store: &Candidate) {
    begun_by_two(store).await;
    let set = async |seen| store.set_password(theirs(1), &hash(seen), hash(3), OwnedApiKeys::Revoke, at(1)).await.answered();
    assert_eq!(set(9).await, PasswordChange::Differs);
    assert!(store.grant_is_live(&grant(1), at(1)).await.answered(), "where no password changes nothing ends");
    assert_eq!(keys_that_work(store).await, [1, 2, 3, 4], "nor does a key");
    assert_eq!(set(1).await, PasswordChange::Changed);
    assert_ended(store).await;
    assert_eq!(keys_that_work(store).await, [3, 4], "a new password revokes the account's keys, and nobody else's");
    assert!(consent(store, 1).await.is_some(), "what was allowed is still allowed");
    assert!(store.account(theirs(2)).await.answered().is_some_and(|account| account.password_hash.as_phc() == hash(2).as_phc()));
}

pub(super) async fn a_new_password_leaves_the_keys_where_they_are_to_be_kept(store: &Candidate) {
    begun_by_two(store).await;
    let change = store.set_password(theirs(1), &hash(1), hash(3), OwnedApiKeys::Keep, at(1)).await.answered();
    assert_eq!(change, PasswordChange::Changed);
    assert_ended(store).await;
    assert_eq!(keys_that_work(store).await, [1, 2, 3, 4], "keys that are to be kept go on");
}

pub(super) async fn a_role_changes_alone(store: &Candidate) {
    begun_by_two(store).await;
    let another = Account { role: Role::Admin, ..account(3, "admin@school.example") };
    assert_eq!(store.create_account(another).await.answered(), Creation::Created);
    let before = store.account(theirs(1)).await.answered().expect("the account is there");
    assert_eq!(store.set_role(theirs(1), Role::Admin).await.answered(), AccountChange::Done);
    assert_same(store.account(theirs(1)).await.answered(), &Account { role: Role::Admin, ..before.clone() });
    assert!(store.grant_is_live(&grant(1), at(1)).await.answered(), "the grant goes on");
    assert_eq!(store.set_role(theirs(1), Role::User).await.answered(), AccountChange::Done);
    assert_same(store.account(theirs(1)).await.answered(), &before);
    assert_eq!(store.set_role(theirs(9), Role::Admin).await.answered(), AccountChange::Unknown);
}

pub(super) async fn a_removed_account_takes_all_of_its_own_along(store: &Candidate) {
    begun_by_two(store).await;
    let address = store.account(theirs(1)).await.answered().expect("the account is there").email;
    assert_eq!(store.remove_account(theirs(1), at(1)).await.answered().change(), AccountChange::Done);
    assert!(store.account(theirs(1)).await.answered().is_none(), "a removed account is not found");
    assert!(store.account_by_email(&address).await.answered().is_none(), "nor by its address");
    assert_ended(store).await;
    assert_eq!(keys_that_work(store).await, [3, 4], "a removed account's keys are revoked, and nobody else's");
    assert_eq!(consent(store, 1).await, None, "what a removed account allowed is forgotten");
    assert!(store.account(theirs(2)).await.answered().is_some() && consent(store, 2).await.is_some(), "nobody else goes");
    assert_eq!(store.remove_account(theirs(1), at(2)).await.answered().change(), AccountChange::Unknown, "it is gone");
    let next = Account { email: address, ..account(3, "x@school.example") };
    assert_eq!(store.create_account(next).await.answered(), Creation::Created, "the address is free again");
}

pub(super) async fn the_last_administrator_stays_one(store: &Candidate) {
    for (number, address, role) in
        [(1, "kim@school.example", Role::Admin), (2, "lee@school.example", Role::Admin), (3, "oh@school.example", Role::User)]
    {
        assert_eq!(store.create_account(Account { role, ..account(number, address) }).await.answered(), Creation::Created);
    }
    assert_eq!(store.set_role(theirs(1), Role::User).await.answered(), AccountChange::Done, "there is another");
    let before = store.account(theirs(2)).await.answered().expect("the account is there");
    for _ in 0..2 {
        let change = store.set_role(theirs(2), Role::User).await.answered();
        assert_eq!(change, AccountChange::LastAdministrator, "somebody has to be an administrator");
        assert_eq!(store.remove_account(theirs(2), at(1)).await.answered().change(), AccountChange::LastAdministrator);
    }
    assert_same(store.account(theirs(2)).await.answered(), &before);
    assert_eq!(store.set_role(theirs(2), Role::Admin).await.answered(), AccountChange::Done, "it is what it was");
    assert_eq!(store.set_role(theirs(1), Role::User).await.answered(), AccountChange::Done, "who is none anyway is not the last");
    assert_eq!(store.remove_account(theirs(3), at(1)).await.answered().change(), AccountChange::Done, "nor does that keep anybody else");
    assert_eq!(store.set_role(theirs(1), Role::Admin).await.answered(), AccountChange::Done);
    assert_eq!(store.remove_account(theirs(2), at(1)).await.answered().change(), AccountChange::Done);
}

pub(super) async fn administrators_who_take_the_role_from_each_other_leave_one(store: &Candidate) {
    let numbers = 1..=u8::try_from(RACERS).expect("few racers");
    for number in numbers.clone() {
        let made = Account { role: Role::Admin, ..account(number, &format!("admin{number}@school.example")) };
        assert_eq!(store.create_account(made).await.answered(), Creation::Created);
    }
    let answers = store.race(async |store, racer| {
        let next = theirs(u8::try_from((racer + 1) % RACERS).expect("few racers") + 1);
        if racer % 2 == 0 {
            store.set_role(next, Role::User).await.answered()
        } else {
            store.remove_account(next, NOW).await.answered().change()
        }
    });
    assert_eq!(answers.iter().filter(|answer| **answer == AccountChange::LastAdministrator).count(), 1, "not {answers:?}");
    let mut administrators = 0;
    for number in numbers {
        administrators += usize::from(store.account(theirs(number)).await.answered().is_some_and(|account| account.role == Role::Admin));
    }
    assert_eq!(administrators, 1, "exactly one of {RACERS} administrators is left");
}

pub(super) async fn accounts_come_in_the_order_of_their_folded_addresses(store: &Candidate) {
    let addresses = ["한글@school.example", "B@school.example", "a@school.example", "Ångström@school.example", "c@school.example"];
    for (number, address) in (1..).zip(addresses) {
        assert_eq!(store.create_account(account(number, address)).await.answered(), Creation::Created);
    }
    let sorted = ["a@school.example", "B@school.example", "c@school.example", "Ångström@school.example", "한글@school.example"];
    assert_eq!(listed(store, None, page(0, 9)).await, (5, texts(&sorted)), "case is no order");
    for (number, expected) in [(0, &sorted[..2]), (1, &sorted[2..4]), (2, &sorted[4..]), (3, &[])] {
        assert_eq!(listed(store, None, page(number, 2)).await, (5, texts(expected)), "every page knows the total");
    }
    let first = store.accounts(None, page(0, 1)).await.answered().items.pop();
    assert_same(first, &account(3, "a@school.example"));
}

pub(super) async fn accounts_are_found_by_any_part_of_their_address(store: &Candidate) {
    for (number, address) in (1..).zip(["Kim.Haneul@school.example", "100%@school.example", "a_c@other.example", "Jürgen@school.example"])
    {
        assert_eq!(store.create_account(account(number, address)).await.answered(), Creation::Created);
    }
    for (part, expected) in [
        ("HANEUL", &["Kim.Haneul@school.example"][..]),
        ("%", &["100%@school.example"]),
        ("_", &["a_c@other.example"]),
        ("@OTHER", &["a_c@other.example"]),
        ("JÜRGEN", &["Jürgen@school.example"]),
        ("nobody", &[]),
        ("@school.example", &["100%@school.example", "Jürgen@school.example", "Kim.Haneul@school.example"]),
    ] {
        assert_eq!(listed(store, Some(part), page(0, 9)).await, (expected.len() as u64, texts(expected)), "{part:?}");
    }
    let (total, found) = listed(store, Some("school"), page(1, 2)).await;
    assert_eq!((total, found.len()), (3, 1), "every page knows the total of what was looked for");
}

pub(super) async fn of_many_new_passwords_from_one_sight_one_is_kept(store: &Candidate) {
    let kept = account(1, "kim@school.example");
    assert_eq!(store.create_account(kept.clone()).await.answered(), Creation::Created);
    let contender = |racer: usize| hash(u8::try_from(racer).expect("few racers") + 100);
    let answers = store.race(async |store, racer| {
        if racer.is_multiple_of(2) {
            store.set_password(kept.id, &kept.password_hash, contender(racer), OwnedApiKeys::Revoke, NOW).await.answered()
        } else {
            store.rehash_password(kept.id, &kept.password_hash, contender(racer)).await.answered()
        }
    });
    let changed = count(&answers, |answer| *answer == PasswordChange::Changed);
    assert_eq!(changed, 1, "of {RACERS} hashes for one that was seen exactly one is kept");
    let winner = answers.iter().position(|answer| *answer == PasswordChange::Changed).expect("one was kept");
    assert_same(store.account(kept.id).await.answered(), &Account { password_hash: contender(winner), ..kept });
}

pub(super) async fn an_account_removed_beside_approvals_has_no_live_grant(store: &Candidate) {
    let kept = account(1, "kim@school.example");
    assert_eq!(store.create_account(kept).await.answered(), Creation::Created);
    registered_client(store).await;
    let numbers = 1..=u8::try_from(RACERS).expect("few racers");
    for number in numbers.clone() {
        asked_of(store, number, 1).await;
    }
    store.race(async |store, racer| {
        let number = u8::try_from(racer).expect("few racers") + 1;
        if racer == RACERS / 2 {
            assert_eq!(store.remove_account(theirs(1), NOW).await.answered().change(), AccountChange::Done);
            return;
        }
        let approval = Approval { assent: Assent::Remembered, ..approval(number) };
        if let ApprovalOutcome::Approved(_) = store.approve_session(&token(number), approval, NOW).await.answered() {
            let redemption = store.redeem_authorization_code(&code(number), ClientProof::Pkce, LIFETIMES, NOW).await.answered();
            assert!(matches!(redemption, Redemption::Redeemed(_) | Redemption::Revoked), "not {redemption:?}");
        }
    });
    for number in numbers {
        assert!(!store.grant_is_live(&grant(number), NOW).await.answered(), "grant {number} of a removed account is dead");
        assert_eq!(store.session(&token(number), NOW).await.answered(), None, "session {number} of a removed account is gone");
    }
    assert_eq!(consent(store, 1).await, None, "what a removed account allowed is forgotten");
}

/// How many there are on all pages, and the addresses on this one.
async fn listed(store: &Candidate, part: Option<&str>, page: PageRequest) -> (u64, Vec<String>) {
    let needle = part.map(|part| Needle::new(part).expect("a needle"));
    let found = store.accounts(needle.as_ref(), page).await.answered();
    (found.total, found.items.iter().map(|account| account.email.to_string()).collect())
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn page(page: u32, size: u32) -> PageRequest {
    PageRequest::new(page, size).expect("a page")
}

/// Two accounts, each with a grant, a code that waits, a session and a consent: of account 1 the numbers 1 to 3, of account 2 4 to 6. Each also
/// has API keys: of account 1 the numbers 1 and 2, of account 2 number 3. Key 4 has no owner.
async fn begun_by_two(store: &Candidate) {
    for number in [1, 2] {
        let kept = account(number, &format!("kim.{number}@school.example"));
        assert_eq!(store.create_account(kept).await.answered(), Creation::Created);
        let first = 3 * number - 2;
        redeemed_by(store, first, number).await;
        approved_by(store, first + 1, number).await;
        asked_of(store, first + 2, number).await;
    }
    for (number, owner) in [(1, Some(theirs(1))), (2, Some(theirs(1))), (3, Some(theirs(2))), (4, None)] {
        let key = ApiKey { owner: owner.map(SubjectId::from), ..api_key(number) };
        assert_eq!(store.create_api_key(key).await.answered(), Creation::Created);
    }
    let renewed = store.renew_api_key(api_key(2).id, renewal(102, Duration::from_secs(60)), NOW).await.answered();
    assert!(matches!(renewed, Renewal::Renewed(_)), "not {renewed:?}");
}

/// Which of the API keys work, by every value they have: number 2 has two.
async fn keys_that_work(store: &Candidate) -> Vec<u8> {
    let mut working = Vec::new();
    for (number, values) in [(1, &[1][..]), (2, &[2, 102]), (3, &[3]), (4, &[4])] {
        for value in values {
            let digest = api_key(*value).digest;
            let key = store.api_key(&digest).await.answered().expect("a revoked key is found too");
            if key.works(&digest, at(1)) && working.last() != Some(&number) {
                working.push(number);
            }
        }
    }
    working
}

/// Nothing of account 1 lives, and all of account 2.
async fn assert_ended(store: &Candidate) {
    assert!(!store.grant_is_live(&grant(1), at(1)).await.answered(), "the account's grants are revoked");
    let redemption = store.redeem_authorization_code(&code(2), ClientProof::Pkce, LIFETIMES, at(1)).await.answered();
    assert_eq!(redemption, Redemption::Revoked, "the account's codes are dead");
    assert_eq!(store.session(&token(3), at(1)).await.answered(), None, "the account's sessions are gone");
    assert!(store.grant_is_live(&grant(4), at(1)).await.answered(), "no other account's grants end");
    let redemption = store.redeem_authorization_code(&code(5), ClientProof::Pkce, LIFETIMES, at(1)).await.answered();
    assert!(matches!(redemption, Redemption::Redeemed(_)), "no other account's codes die");
    assert!(store.session(&token(6), at(1)).await.answered().is_some(), "no other account's sessions go");
}

/// A session that this account has signed in to.
async fn asked_of(store: &Candidate, number: u8, of: u8) {
    let subject = Some(Subject { id: theirs(of).into(), ..subject() });
    store.open_session(token(number), AuthorizationSession { subject, ..session() }).await.answered();
}

async fn approved_by(store: &Candidate, number: u8, of: u8) {
    if store.client(client(1).id).await.answered().is_none() {
        registered_client(store).await;
    }
    asked_of(store, number, of).await;
    let approval = Approval { assent: Assent::Remembered, ..approval(number) };
    let approving = store.approve_session(&token(number), approval, NOW).await.answered();
    assert!(matches!(approving, ApprovalOutcome::Approved(_)), "a signed-in session can be approved, not {approving:?}");
}

async fn redeemed_by(store: &Candidate, number: u8, of: u8) {
    approved_by(store, number, of).await;
    let redemption = store.redeem_authorization_code(&code(number), ClientProof::Pkce, LIFETIMES, NOW).await.answered();
    assert!(matches!(redemption, Redemption::Redeemed(_)), "a fresh code can be redeemed, not {redemption:?}");
}

async fn consent(store: &Candidate, of: u8) -> Option<Consent> {
    store.consent(&theirs(of).into(), &client(1).id).await.answered()
}

fn theirs(number: u8) -> AccountId {
    account(number, "x@school.example").id
}

fn hash(number: u8) -> PasswordHash {
    account(number, "x@school.example").password_hash
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

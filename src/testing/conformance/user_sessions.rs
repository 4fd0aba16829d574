use std::time::Duration;

use super::candidate::{Answered, Candidate, RACERS};
use super::given::{NOW, account, at, count, owner};
use crate::domain::{Account, Line, Role, SubjectId, Timestamp, UserSession, UserSessionDigest, UserSessionId};
use crate::store::sweep::{AT_ONCE, CLOCKS_APART};
use crate::store::{AccountChange, Creation, OwnedApiKeys, PasswordChange, USER_SESSIONS_SHOWN};

/// How long these sessions may be idle and how long they last, in seconds.
const IDLE: i64 = 100;
const ENDS: i64 = 1_000;

pub(super) async fn a_session_is_found_by_its_digest_as_it_was_opened(store: &Candidate) {
    let browser = "Firefox, 안드로이드".parse::<Line>().ok();
    let opened = [session(1), UserSession { browser, last_used_at: at(5), expires_at: at(7_000), ..session(2) }];
    for (number, opened) in (1..).zip(&opened) {
        store.open_user_session(digest(number), opened.clone()).await.answered();
    }
    for (number, opened) in (1..).zip(opened) {
        assert_eq!(found(store, number, at(10)).await, Some(opened));
    }
    assert_eq!(found(store, 9, NOW).await, None, "nobody opened it");
}

pub(super) async fn a_digest_and_an_id_are_taken_once(store: &Candidate) {
    open(store, 1, owner()).await;
    assert!(store.open_user_session(digest(1), session(2)).await.is_err(), "a digest that is taken is not overwritten");
    assert!(store.open_user_session(digest(2), session(1)).await.is_err(), "nor is an id");
    open(store, 3, owner()).await;
    assert!(store.move_user_session(&digest(3), digest(1), idle(), NOW).await.is_err(), "nor does a session move onto another");
    assert_eq!(found(store, 1, NOW).await, Some(session(1)));
    assert_eq!(found(store, 3, NOW).await, Some(session(3)));
    assert_eq!(found(store, 2, NOW).await, None);
}

pub(super) async fn a_session_is_over_when_it_was_idle_too_long(store: &Candidate) {
    open(store, 1, owner()).await;
    assert!(found(store, 1, at(IDLE - 1)).await.is_some(), "it is there until just before");
    assert_eq!(found(store, 1, at(IDLE)).await, None, "at last_used_at and the idle time later it is over");
    assert_eq!(store.move_user_session(&digest(1), digest(2), idle(), at(IDLE)).await.answered(), None);
    assert_eq!(shown(store, &owner(), at(IDLE)).await, []);
    touch(store, &[(1, 60)]).await;
    assert!(found(store, 1, at(60 + IDLE - 1)).await.is_some(), "a use begins the idle time anew");
    let longer = store.user_session(&digest(1), Duration::from_secs(500), at(60 + IDLE)).await.answered();
    assert!(longer.is_some(), "the idle time is that of each call");
}

pub(super) async fn a_session_is_over_at_its_end_however_often_it_is_used(store: &Candidate) {
    open(store, 1, owner()).await;
    touch(store, &[(1, ENDS - 1)]).await;
    assert!(found(store, 1, at(ENDS - 1)).await.is_some());
    touch(store, &[(1, ENDS + 1)]).await;
    assert_eq!(found(store, 1, at(ENDS)).await, None, "at == expires_at is expired");
    assert_eq!(store.move_user_session(&digest(1), digest(2), idle(), at(ENDS)).await.answered(), None);
    assert_eq!(shown(store, &owner(), at(ENDS)).await, []);
}

pub(super) async fn a_last_use_of_a_session_never_moves_backwards(store: &Candidate) {
    for number in [1, 2] {
        open(store, number, owner()).await;
    }
    touch(store, &[(1, 50), (9, 50), (2, 20)]).await;
    touch(store, &[(2, 30), (1, 40), (2, 10)]).await;
    touch(store, &[]).await;
    for (number, last) in [(1, 50), (2, 30)] {
        assert_eq!(
            found(store, number, at(50)).await,
            Some(UserSession { last_used_at: at(last), ..session(number) }),
            "the latest use stays"
        );
    }
    store.race(async |store, racer| {
        let used = |number: u8| (id(number), at(50 + i64::try_from(racer).unwrap_or_default()));
        let uses = if racer.is_multiple_of(2) { vec![used(1), used(2)] } else { vec![used(2), used(1)] };
        store.touch_user_sessions(uses).await.answered();
    });
    let last = i64::try_from(RACERS).unwrap_or_default() + 49;
    assert_eq!(found(store, 1, at(50)).await.map(|session| session.last_used_at), Some(at(last)), "of many batches the latest use stays");
}

pub(super) async fn s23_a_moved_session_is_known_by_its_new_digest_alone(store: &Candidate) {
    open(store, 1, owner()).await;
    touch(store, &[(1, 5)]).await;
    let before = UserSession { last_used_at: at(5), ..session(1) };
    let moved = store.move_user_session(&digest(1), digest(2), idle(), at(6)).await.answered();
    assert_eq!(moved, Some(before.clone()), "nothing else changes");
    assert_eq!(found(store, 1, at(6)).await, None, "whoever knew the old token has nothing");
    assert_eq!(found(store, 2, at(6)).await, Some(before));
    assert_eq!(store.move_user_session(&digest(1), digest(3), idle(), at(6)).await.answered(), None);
    touch(store, &[(1, 9)]).await;
    assert_eq!(found(store, 2, at(9)).await.map(|session| session.last_used_at), Some(at(9)), "its id stays");
}

pub(super) async fn of_many_moves_one_moves_the_session(store: &Candidate) {
    open(store, 200, owner()).await;
    let replacement = |racer: usize| digest(u8::try_from(racer).unwrap_or_default());
    let moved =
        store.race(async |store, racer| store.move_user_session(&digest(200), replacement(racer), idle(), NOW).await.answered().is_some());
    assert_eq!(count(&moved, |moved| *moved), 1, "of {RACERS} moves exactly one moves the session");
    assert_eq!(found(store, 200, NOW).await, None);
    for (racer, moved) in moved.into_iter().enumerate() {
        let there = store.user_session(&replacement(racer), idle(), NOW).await.answered();
        assert_eq!(there.is_some(), moved, "the session is where the winner moved it");
    }
}

pub(super) async fn people_are_shown_their_own_sessions_that_live(store: &Candidate) {
    for number in 1..=5 {
        open(store, number, owner()).await;
    }
    open(store, 6, stranger()).await;
    touch(store, &[(2, 30), (4, 20), (3, 30), (5, 90)]).await;
    let used = |number: u8, last| UserSession { last_used_at: at(last), ..session(number) };
    let expected = [used(5, 90), used(2, 30), used(3, 30), used(4, 20)];
    assert_eq!(shown(store, &owner(), at(IDLE)).await, expected, "those used last first and then by id, and none that is over");
    assert_eq!(shown(store, &stranger(), NOW).await, [UserSession { subject: stranger(), ..session(6) }], "nobody is shown another's");
}

pub(super) async fn no_more_sessions_are_shown_than_anyone_reads(store: &Candidate) {
    for number in 0..=u8::try_from(USER_SESSIONS_SHOWN).unwrap_or(u8::MAX) {
        open(store, number, owner()).await;
    }
    assert_eq!(shown(store, &owner(), NOW).await.len(), USER_SESSIONS_SHOWN, "the list has an end");
}

pub(super) async fn people_end_sessions_of_their_own_alone(store: &Candidate) {
    for number in [1, 2] {
        open(store, number, owner()).await;
    }
    assert!(!store.end_user_session(&stranger(), id(1)).await.answered(), "another's session is unknown");
    assert!(found(store, 1, NOW).await.is_some(), "and goes on");
    assert!(store.end_user_session(&owner(), id(1)).await.answered());
    assert_eq!(found(store, 1, NOW).await, None, "what was ended is over");
    assert!(!store.end_user_session(&owner(), id(1)).await.answered(), "it is gone");
    touch(store, &[(1, 5)]).await;
    assert_eq!(found(store, 1, at(5)).await, None, "a use that comes late brings nothing back");
    assert!(found(store, 2, NOW).await.is_some(), "no other session ends");
}

pub(super) async fn people_end_all_their_sessions_but_the_one_they_name(store: &Candidate) {
    for number in 1..=4 {
        open(store, number, owner()).await;
    }
    open(store, 5, stranger()).await;
    assert_eq!(store.end_user_sessions_of(&owner(), Some(id(2))).await.answered(), 3);
    for number in 1..=5 {
        assert_eq!(found(store, number, NOW).await.is_some(), [2, 5].contains(&number), "session {number}");
    }
    assert_eq!(store.end_user_sessions_of(&owner(), Some(id(5))).await.answered(), 1, "another's session spares none");
    assert_eq!(store.end_user_sessions_of(&owner(), None).await.answered(), 0);
    assert_eq!(store.end_user_sessions_of(&stranger(), None).await.answered(), 1);
}

pub(super) async fn s23_whatever_takes_rights_from_people_ends_their_sessions(store: &Candidate) {
    for number in [1, 2] {
        assert_eq!(store.create_account(account(number, &format!("kim.{number}@school.example"))).await.answered(), Creation::Created);
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
    assert_eq!(store.set_role(theirs, Role::User).await.answered(), AccountChange::Done);
    assert!(lives(store, two).await, "who keeps the role keeps the sessions");
    assert_eq!(store.set_role(theirs, Role::Admin).await.answered(), AccountChange::Done);
    assert!(!lives(store, two).await, "a session has no more rights than its person had when it began");

    let two = open_two().await;
    let other = crate::domain::PasswordHash::from_phc("$argon2id$other");
    assert_eq!(store.set_password(theirs, &other, other.clone(), OwnedApiKeys::Revoke, NOW).await.answered(), PasswordChange::Differs);
    assert_eq!(store.rehash_password(theirs, &hash, hash.clone()).await.answered(), PasswordChange::Changed);
    assert!(lives(store, two).await, "where no password changes nothing ends");
    assert_eq!(store.set_password(theirs, &hash, other, OwnedApiKeys::Revoke, NOW).await.answered(), PasswordChange::Changed);
    assert!(!lives(store, two).await, "a new password ends what the old one had begun");

    let two = open_two().await;
    assert_eq!(store.revoke_grants_of(&theirs.into(), OwnedApiKeys::Revoke, NOW).await.answered(), 0, "sessions are not counted");
    assert!(!lives(store, two).await, "who signs out everywhere is signed out of the console");

    let two = open_two().await;
    assert_eq!(store.set_role(theirs, Role::User).await.answered(), AccountChange::LastAdministrator);
    assert!(lives(store, two).await, "where no role changes nothing ends");
    let another = Account { role: Role::Admin, ..account(90, "another@school.example") };
    assert_eq!(store.create_account(another).await.answered(), Creation::Created);
    assert_eq!(store.remove_account(theirs, NOW).await.answered().change(), AccountChange::Done);
    assert!(!lives(store, two).await, "a removed account has no session");
    assert!(found(store, 100, NOW).await.is_some(), "nobody else's ends");
}

pub(super) async fn sessions_that_are_over_go_in_small_batches_when_new_ones_come(store: &Candidate) {
    for number in 0..30 {
        open(store, number, owner()).await;
    }
    let early = at(ENDS).plus(CLOCKS_APART).minus(Duration::from_secs(1));
    open_at(store, 99, early).await;
    assert_eq!(waiting(store, 0..30).await, 30, "they are kept for clocks that are behind");
    let now = at(ENDS).plus(CLOCKS_APART);
    let mut left = 30;
    for number in 100..130 {
        open_at(store, number, now).await;
        let before = std::mem::replace(&mut left, waiting(store, 0..30).await);
        assert!(before - left <= AT_ONCE && (left == 0 || left < before), "{before} became {left}: more go than come, and few at once");
    }
    assert_eq!(left, 0, "sessions that are over do not stay for ever");
    assert_eq!(shown(store, &owner(), now).await.len(), 31, "the new ones are all there");
}

fn session(number: u8) -> UserSession {
    UserSession { id: id(number), subject: owner(), browser: None, created_at: NOW, last_used_at: NOW, expires_at: at(ENDS) }
}

fn id(number: u8) -> UserSessionId {
    UserSessionId::from_random([number; 16])
}

const fn digest(number: u8) -> UserSessionDigest {
    UserSessionDigest::from_bytes([number; 32])
}

fn stranger() -> SubjectId {
    "stranger".parse().expect("an id")
}

const fn idle() -> Duration {
    Duration::from_secs(IDLE.unsigned_abs())
}

async fn open(store: &Candidate, number: u8, subject: SubjectId) {
    store.open_user_session(digest(number), UserSession { subject, ..session(number) }).await.answered();
}

async fn open_at(store: &Candidate, number: u8, now: Timestamp) {
    let expires_at = now.plus(Duration::from_secs(ENDS.unsigned_abs()));
    let opened = UserSession { created_at: now, last_used_at: now, expires_at, ..session(number) };
    store.open_user_session(digest(number), opened).await.answered();
}

async fn found(store: &Candidate, number: u8, now: Timestamp) -> Option<UserSession> {
    store.user_session(&digest(number), idle(), now).await.answered()
}

/// How many of these are there on a clock that is behind.
async fn waiting(store: &Candidate, numbers: std::ops::Range<u8>) -> usize {
    let mut waiting = 0;
    for number in numbers {
        waiting += usize::from(found(store, number, NOW).await.is_some());
    }
    waiting
}

/// Whether both live; it is never one alone.
async fn lives(store: &Candidate, [first, second]: [u8; 2]) -> bool {
    let [first, second] = [found(store, first, NOW).await.is_some(), found(store, second, NOW).await.is_some()];
    assert_eq!(first, second, "all end together");
    first
}

async fn shown(store: &Candidate, subject: &SubjectId, now: Timestamp) -> Vec<UserSession> {
    store.user_sessions_of(subject, idle(), now).await.answered()
}

async fn touch(store: &Candidate, uses: &[(u8, i64)]) {
    store.touch_user_sessions(uses.iter().map(|(number, seconds)| (id(*number), at(*seconds))).collect()).await.answered();
}

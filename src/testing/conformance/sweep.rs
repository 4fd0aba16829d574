//! What has had its time goes in small batches, and nothing else ever does. What is gone shows by calls of a node whose clock is behind.

use std::time::Duration;

use super::candidate::{Answered, Candidate, RACERS};
use super::given::{
    ABSOLUTE, CODE_ENDS, IDLE, LIFETIMES, NOW, SESSION_ENDS, api_key, approval, at, client, code, count, grant, owner, registered_client,
    renewal, session, subject, token,
};
use crate::domain::{ApiKey, AuthorizationSession, ClientProof, Generation, Timestamp};
use crate::store::sweep::{API_KEY_KEPT, AT_ONCE, CLOCKS_APART, CONSENT_KEPT, GRANT_KEPT};
use crate::store::{Approval, ApprovalOutcome, Assent, Creation, Redemption, Renewal, Rotation, TokenLifetimes};

/// Long enough to outlive whatever goes in these cases.
const LONG: TokenLifetimes = TokenLifetimes {
    idle: GRANT_KEPT.saturating_mul(100),
    absolute: GRANT_KEPT.saturating_mul(100),
    retry_window: Duration::from_secs(30),
};

pub(super) async fn dead_grants_go_in_small_batches_when_new_ones_come(store: &Candidate) {
    registered_client(store).await;
    for number in 0..30 {
        approve(store, number, NOW).await;
    }
    let now = at(CODE_ENDS).plus(GRANT_KEPT);
    let mut left = 30;
    for number in 100..130 {
        approve(store, number, now).await;
        let before = std::mem::replace(&mut left, known(store, 0..30).await);
        assert_batch(before, left);
    }
    assert_eq!(left, 0, "dead grants do not stay for ever");
    assert_eq!(known(store, 100..130).await, 30, "the new ones are all there");
}

pub(super) async fn a_dead_grant_is_kept_for_a_day_to_the_second(store: &Candidate) {
    registered_client(store).await;
    for number in 1..=6 {
        approve(store, number, NOW).await;
        if number > 2 {
            redeem(store, number, LIFETIMES).await;
        }
    }
    // Each of them dies in another way: its code is not used, it is revoked before or after that, it idles, idles later, or comes to its end.
    assert!(store.revoke_grant(&grant(2), at(100)).await.answered());
    assert!(store.revoke_grant(&grant(3), at(200)).await.answered());
    rotate(store, 5, 0, at(500)).await;
    for (generation, now) in (0..).zip((900..ABSOLUTE).step_by(900)) {
        rotate(store, 6, generation, at(now)).await;
    }
    for (number, end) in (1..).zip([CODE_ENDS, 100, 200, IDLE, 500 + IDLE, ABSOLUTE]) {
        let gone = at(end).plus(GRANT_KEPT);
        approve(store, 100 + number, gone.minus(Duration::from_secs(1))).await;
        assert_eq!(known(store, number..7).await, usize::from(7 - number), "grant {number} is kept until then");
        approve(store, 200 + number, gone).await;
        assert_eq!(known(store, number..7).await, usize::from(6 - number), "grant {number} alone has had its time");
    }
}

pub(super) async fn a_grant_that_lives_is_never_swept(store: &Candidate) {
    registered_client(store).await;
    for number in 0..40 {
        approve(store, number, NOW).await;
        if number < 20 {
            redeem(store, number, LONG).await;
        }
    }
    let later = at(CODE_ENDS).plus(GRANT_KEPT);
    for number in 100..120 {
        approve(store, number, later).await;
    }
    assert_eq!(known(store, 0..20).await, 20, "what lives is never swept");
    assert_eq!(known(store, 20..40).await, 0, "those that were never redeemed are gone");
    for number in 0..20 {
        assert!(store.grant_is_live(&grant(number), later).await.answered(), "whatever is old but lives stays");
        rotate(store, number, 0, later).await;
        let replay = store.redeem_authorization_code(&code(number), ClientProof::Pkce, LONG, later).await.answered();
        assert_eq!(replay, Redemption::AlreadyRedeemed { grant: grant(number), at: NOW }, "and its code is still known as used");
    }
    assert_eq!(known(store, 100..120).await, 20, "codes that wait stay");
}

pub(super) async fn a_swept_grant_is_as_if_it_had_never_been(store: &Candidate) {
    registered_client(store).await;
    approve(store, 1, NOW).await;
    redeem(store, 1, LIFETIMES).await;
    let now = at(IDLE).plus(GRANT_KEPT);
    approve(store, 2, now).await;
    assert_eq!(store.code_binding(&code(1)).await.answered(), None);
    assert_eq!(store.refresh_binding(&grant(1)).await.answered(), None);
    let replay = store.redeem_authorization_code(&code(1), ClientProof::Pkce, LIFETIMES, now).await.answered();
    assert_eq!(replay, Redemption::Unknown);
    for generation in [0, 1] {
        assert_eq!(store.rotate(&grant(1), Generation::new(generation), LIFETIMES, now).await.answered(), Rotation::Unknown);
    }
    assert!(!store.revoke_grant(&grant(1), now).await.answered(), "there is nothing to revoke");
    for now in [NOW, now] {
        assert!(!store.grant_is_live(&grant(1), now).await.answered(), "no token of it comes back to life, whatever a clock says");
    }
}

pub(super) async fn approvals_that_sweep_at_once_take_only_what_is_dead(store: &Candidate) {
    registered_client(store).await;
    for number in 0..100 {
        approve(store, number, NOW).await;
        if number >= 80 {
            redeem(store, number, LONG).await;
        }
    }
    let now = at(CODE_ENDS).plus(GRANT_KEPT);
    let contender = |racer: usize| 128 + u8::try_from(racer).unwrap_or_default();
    for racer in 0..RACERS {
        open(store, contender(racer), now).await;
    }
    let answers = store.race(async |store, racer| {
        let approval = Approval { code_expires_at: now.plus(Duration::from_secs(60)), ..approval(contender(racer)) };
        store.approve_session(&token(contender(racer)), approval, now).await.answered()
    });
    assert_eq!(count(&answers, |answer| matches!(answer, ApprovalOutcome::Approved(_))), RACERS, "nobody stands in another's way");
    assert!(known(store, 0..80).await <= 80 - RACERS, "more went than came");
    assert_eq!(known(store, 80..100).await + known(store, 128..192).await, 20 + RACERS, "what lives is there, old and new");
}

pub(super) async fn expired_sessions_go_in_small_batches_when_new_ones_come(store: &Candidate) {
    registered_client(store).await;
    for number in 0..30 {
        open(store, number, NOW).await;
    }
    let now = at(SESSION_ENDS).plus(CLOCKS_APART);
    let mut left = 30;
    for number in 100..130 {
        open(store, number, now).await;
        let before = std::mem::replace(&mut left, waiting(store, 0..30, NOW).await);
        assert_batch(before, left);
    }
    assert_eq!(left, 0, "expired sessions do not stay for ever");
    assert_eq!(waiting(store, 100..130, now).await, 30, "the new ones are all there");
}

pub(super) async fn an_expired_session_is_kept_for_clocks_that_are_behind(store: &Candidate) {
    registered_client(store).await;
    open(store, 1, NOW).await;
    let gone = at(SESSION_ENDS).plus(CLOCKS_APART);
    open(store, 2, gone.minus(Duration::from_secs(1))).await;
    assert_eq!(waiting(store, 1..2, at(SESSION_ENDS - 1)).await, 1, "a node whose clock is behind still has it");
    open(store, 3, gone).await;
    assert_eq!(waiting(store, 1..4, at(SESSION_ENDS - 1)).await, 2, "its time is over, and the others' is not");
}

pub(super) async fn dead_api_keys_go_in_small_batches_when_new_ones_come(store: &Candidate) {
    for number in 0..30 {
        create_key(store, number, NOW).await;
    }
    let now = NOW.plus(ApiKey::VALIDITY).plus(API_KEY_KEPT);
    let mut left = 30;
    for number in 100..130 {
        create_key(store, number, now).await;
        let before = std::mem::replace(&mut left, kept_keys(store, 0..30).await);
        assert_batch(before, left);
    }
    assert_eq!(left, 0, "dead keys do not stay for ever");
    assert_eq!(kept_keys(store, 100..130).await, 30, "the new ones are all there");
}

pub(super) async fn a_dead_api_key_is_kept_for_ninety_days_to_the_second(store: &Candidate) {
    create_key(store, 1, NOW).await;
    create_key(store, 2, NOW).await;
    assert!(store.revoke_api_key(api_key(2).id, at(5)).await.answered());
    for (number, end) in [(2, at(5)), (1, NOW.plus(ApiKey::VALIDITY))] {
        let gone = end.plus(API_KEY_KEPT);
        create_key(store, 100 + number, gone.minus(Duration::from_secs(1))).await;
        assert_eq!(kept_keys(store, 1..3).await, usize::from(number), "key {number} is kept until then");
        create_key(store, 200 + number, gone).await;
        assert_eq!(kept_keys(store, 1..3).await, usize::from(number) - 1, "key {number} alone has had its time");
    }
}

pub(super) async fn a_key_that_is_refused_sweeps_nothing(store: &Candidate) {
    create_key(store, 1, NOW).await;
    let later = NOW.plus(ApiKey::VALIDITY).plus(API_KEY_KEPT);
    let taken = ApiKey { digest: api_key(2).digest, created_at: later, ..api_key(1) };
    assert_eq!(store.create_api_key(taken).await.answered(), Creation::Taken);
    assert_eq!(kept_keys(store, 1..2).await, 1, "a refused key changes nothing");
}

pub(super) async fn a_renewed_key_is_swept_by_its_new_end(store: &Candidate) {
    create_key(store, 1, NOW).await;
    let (renewal, at) = (renewal(2, Duration::ZERO), NOW.plus(ApiKey::VALIDITY).plus(Duration::from_secs(5)));
    let renewing = store.renew_api_key(api_key(1).id, renewal, at).await.answered();
    assert!(matches!(renewing, Renewal::Renewed(_)), "an expired key can be renewed, not {renewing:?}");
    let gone = at.plus(ApiKey::VALIDITY).plus(API_KEY_KEPT);
    create_key(store, 100, gone.minus(Duration::from_secs(1))).await;
    assert_eq!(kept_keys(store, 1..3).await, 2, "it is kept as long as a new one");
    create_key(store, 101, gone).await;
    assert_eq!(kept_keys(store, 1..3).await, 0, "and goes with both its values");
}

pub(super) async fn unused_consents_go_in_small_batches_when_new_ones_come(store: &Candidate) {
    for number in 0..30 {
        agree(store, number, number, Assent::Remembered, NOW).await;
    }
    let mut left = 30;
    for number in 100..130 {
        agree(store, number, number, Assent::Remembered, NOW.plus(CONSENT_KEPT)).await;
        let before = std::mem::replace(&mut left, consents(store, 0..30).await);
        assert_batch(before, left);
    }
    assert_eq!(left, 0, "consents that nobody uses do not stay for ever");
    assert_eq!(consents(store, 100..130).await, 30, "the new ones are all there");
}

pub(super) async fn a_consent_is_kept_for_two_years_after_its_last_use(store: &Candidate) {
    let year = Duration::from_secs(365 * 24 * 60 * 60);
    agree(store, 1, 1, Assent::Remembered, NOW).await;
    agree(store, 2, 2, Assent::Remembered, NOW).await;
    agree(store, 3, 2, Assent::Earlier, NOW.plus(year)).await;
    for (number, used) in [(1, NOW), (2, NOW.plus(year))] {
        let gone = used.plus(CONSENT_KEPT);
        agree(store, 100 + number, 3, Assent::Remembered, gone.minus(Duration::from_secs(1))).await;
        assert_eq!(consents(store, number..3).await, usize::from(3 - number), "consent {number} is kept until then");
        agree(store, 200 + number, 3, Assent::Remembered, gone).await;
        assert_eq!(consents(store, number..3).await, usize::from(2 - number), "consent {number} alone has had its time");
    }
    assert_eq!(consents(store, 3..4).await, 1, "what was given just now stays");
}

/// More than one, so that their number falls, and few.
#[track_caller]
fn assert_batch(before: usize, left: usize) {
    let gone = before - left;
    assert!(gone <= AT_ONCE, "at most {AT_ONCE} go at once, not {gone}");
    assert!(gone >= before.min(2), "more go than come, not {gone} of {before}");
}

/// A session under `token(number)`, opened and signed in to at this time.
async fn open(store: &Candidate, number: u8, now: Timestamp) {
    let expires_at = now.plus(Duration::from_secs(SESSION_ENDS.unsigned_abs()));
    let opened = AuthorizationSession { subject: Some(subject()), created_at: now, expires_at, ..session() };
    store.open_session(token(number), opened).await.answered();
}

/// The grant `grant(number)` with its unspent `code(number)`, approved at this time.
async fn approve(store: &Candidate, number: u8, now: Timestamp) {
    open(store, number, now).await;
    let approval = Approval { code_expires_at: now.plus(Duration::from_secs(CODE_ENDS.unsigned_abs())), ..approval(number) };
    let approving = store.approve_session(&token(number), approval, now).await.answered();
    assert!(matches!(approving, ApprovalOutcome::Approved(_)), "a signed-in session can be approved, not {approving:?}");
}

/// The same through a client, with what the approval rests on.
async fn agree(store: &Candidate, number: u8, through: u8, assent: Assent, now: Timestamp) {
    let expires_at = now.plus(Duration::from_secs(SESSION_ENDS.unsigned_abs()));
    let client = client(through).id;
    let opened = AuthorizationSession { client, subject: Some(subject()), created_at: now, expires_at, ..session() };
    store.open_session(token(number), opened).await.answered();
    let code_expires_at = now.plus(Duration::from_secs(CODE_ENDS.unsigned_abs()));
    let approving = store.approve_session(&token(number), Approval { code_expires_at, assent, ..approval(number) }, now).await.answered();
    assert!(matches!(approving, ApprovalOutcome::Approved(_)), "a signed-in session can be approved, not {approving:?}");
}

async fn redeem(store: &Candidate, number: u8, lifetimes: TokenLifetimes) {
    let redemption = store.redeem_authorization_code(&code(number), ClientProof::Pkce, lifetimes, NOW).await.answered();
    assert!(matches!(redemption, Redemption::Redeemed(_)), "a fresh code can be redeemed, not {redemption:?}");
}

async fn rotate(store: &Candidate, number: u8, generation: u32, now: Timestamp) {
    let rotation = store.rotate(&grant(number), Generation::new(generation), LIFETIMES, now).await.answered();
    assert!(matches!(rotation, Rotation::Rotated(_)), "the current token of a living grant rotates, not {rotation:?}");
}

async fn create_key(store: &Candidate, number: u8, now: Timestamp) {
    let key = ApiKey { created_at: now, expires_at: now.plus(ApiKey::VALIDITY), ..api_key(number) };
    assert_eq!(store.create_api_key(key).await.answered(), Creation::Created);
}

/// How many of these grants the store still knows.
async fn known(store: &Candidate, numbers: std::ops::Range<u8>) -> usize {
    let mut known = 0;
    for number in numbers {
        known += usize::from(store.code_binding(&code(number)).await.answered().is_some());
    }
    known
}

/// How many of these sessions are there for a clock that says so.
async fn waiting(store: &Candidate, numbers: std::ops::Range<u8>, now: Timestamp) -> usize {
    let mut waiting = 0;
    for number in numbers {
        waiting += usize::from(store.session(&token(number), now).await.answered().is_some());
    }
    waiting
}

/// Of how many of these clients the owner need not be asked again.
async fn consents(store: &Candidate, clients: std::ops::Range<u8>) -> usize {
    let mut known = 0;
    for number in clients {
        known += usize::from(store.consent(&owner(), &client(number).id).await.answered().is_some());
    }
    known
}

async fn kept_keys(store: &Candidate, numbers: std::ops::Range<u8>) -> usize {
    let mut kept = 0;
    for number in numbers {
        kept += usize::from(store.api_key(&api_key(number).digest).await.answered().is_some());
    }
    kept
}

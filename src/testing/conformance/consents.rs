use super::candidate::{Answered, Candidate, RACERS};
use super::given::{
    CODE_ENDS, IDLE, LIFETIMES, NOW, approval, approved, at, client, code, count, grant, owner, redeemed, registered_client, scopes,
    session, subject, token,
};
use crate::domain::{AuthorizationSession, ClientProof, Consent, Generation, LiveGrant, Role, Scope, ScopeSet, Subject, Timestamp};
use crate::store::{
    Approval, ApprovalCaps, ApprovalOutcome, Assent, CONSENTS_SHOWN, GRANTS_SHOWN, OwnedApiKeys, Redemption, Rotation, Storage, Withdrawal,
};

pub(super) async fn only_what_is_to_be_remembered_is_remembered(store: &Candidate) {
    ask(store, 1, scopes()).await;
    assert!(approve(store, 1, Assent::Once, NOW).await, "a user who was asked may say yes once");
    assert_eq!(consent(store).await, None, "and is asked the next time");
    ask(store, 2, scopes()).await;
    assert!(approve(store, 2, Assent::Remembered, at(5)).await);
    assert_eq!(consent(store).await, Some(Consent { scopes: scopes(), granted_at: at(5) }));
    assert_eq!(store.consent(&stranger().id, &client(1).id).await.answered(), None, "nobody consents for another");
    assert_eq!(store.consent(&owner(), &client(2).id).await.answered(), None, "nor for another client");
}

pub(super) async fn what_is_remembered_adds_up(store: &Candidate) {
    for (number, scope) in (1..).zip([Scope::self_read(), Scope::manage(), Scope::manage()]) {
        ask(store, number, one(scope)).await;
        assert!(approve(store, number, Assent::Remembered, at(number.into())).await);
        redeem(store, number, at(number.into())).await;
    }
    let expected = Some(Consent { scopes: [Scope::manage(), Scope::self_read()].into_iter().collect(), granted_at: at(3) });
    assert_eq!(consent(store).await, expected, "what was allowed before is still allowed");
    ask(store, 4, one(Scope::self_read())).await;
    assert!(approve(store, 4, Assent::Once, at(4)).await);
    assert_eq!(consent(store).await, expected, "an approval that is not remembered takes nothing away");
}

pub(super) async fn an_approval_without_asking_needs_a_consent_to_every_scope(store: &Candidate) {
    ask(store, 1, one(Scope::self_read())).await;
    assert!(approve(store, 1, Assent::Remembered, NOW).await);
    let waiting = |scopes| AuthorizationSession { scopes, subject: Some(subject()), ..session() };
    for (number, asked) in [
        (2, waiting(scopes())),
        (3, waiting(one(Scope::manage()))),
        (4, AuthorizationSession { subject: Some(stranger()), ..waiting(one(Scope::self_read())) }),
        (5, AuthorizationSession { client: client(2).id, ..waiting(one(Scope::self_read())) }),
    ] {
        store.open_session(token(number), asked.clone()).await.answered();
        let approval = Approval { assent: Assent::Earlier, ..approval(number) };
        let answer = store.approve_session(&token(number), approval, NOW).await.answered();
        assert_eq!(answer, ApprovalOutcome::NotConsented, "the user must be asked");
        assert_eq!(store.session(&token(number), NOW).await.answered(), Some(asked), "and still can be");
        assert_eq!(store.code_binding(&code(number)).await.answered(), None, "a refused approval makes no code");
    }
    ask(store, 6, one(Scope::self_read())).await;
    assert!(approve(store, 6, Assent::Earlier, at(9)).await, "what was allowed before needs no asking");
    assert_eq!(consent(store).await.map(|consent| consent.granted_at), Some(NOW), "and is not said again");
}

pub(super) async fn nobody_is_spared_the_sign_in(store: &Candidate) {
    ask(store, 1, scopes()).await;
    assert!(approve(store, 1, Assent::Remembered, NOW).await);
    store.open_session(token(2), session()).await.answered();
    let approval = Approval { assent: Assent::Earlier, ..approval(2) };
    assert_eq!(store.approve_session(&token(2), approval, NOW).await.answered(), ApprovalOutcome::NotSignedIn);
}

pub(super) async fn a_withdrawal_revokes_the_grant_and_forgets_the_consent(store: &Candidate) {
    for number in [1, 2] {
        ask(store, number, scopes()).await;
        assert!(approve(store, number, Assent::Remembered, NOW).await);
        redeem(store, number, NOW).await;
    }
    assert_eq!(withdraw(store, 1, at(1)).await, Withdrawal::Withdrawn);
    assert!(!store.grant_is_live(&grant(1), at(1)).await.answered(), "what was revoked is not live");
    assert_eq!(store.rotate(&grant(1), Generation::FIRST, LIFETIMES, at(1)).await.answered(), Rotation::Revoked);
    assert_eq!(consent(store).await, None, "what was taken back is asked for again");
    assert!(store.grant_is_live(&grant(2), at(1)).await.answered(), "another grant of the same client goes on");
    assert_eq!(withdraw(store, 1, at(2)).await, Withdrawal::Withdrawn, "to take it back again is no fault");
}

pub(super) async fn nobody_withdraws_the_grant_of_another(store: &Candidate) {
    ask(store, 1, scopes()).await;
    assert!(approve(store, 1, Assent::Remembered, NOW).await);
    redeem(store, 1, NOW).await;
    let answer = store.withdraw_grant(&stranger().id, &grant(1), at(1)).await.answered();
    assert_eq!(answer, Withdrawal::Unknown, "another's grant is unknown");
    assert_eq!(withdraw(store, 9, at(1)).await, Withdrawal::Unknown);
    assert!(store.grant_is_live(&grant(1), at(1)).await.answered() && consent(store).await.is_some(), "nothing changed");
}

pub(super) async fn a_code_that_waits_can_be_withdrawn(store: &Candidate) {
    ask(store, 1, scopes()).await;
    assert!(approve(store, 1, Assent::Remembered, NOW).await);
    assert_eq!(withdraw(store, 1, NOW).await, Withdrawal::Withdrawn);
    let redemption = store.redeem_authorization_code(&code(1), ClientProof::Pkce, LIFETIMES, NOW).await.answered();
    assert_eq!(redemption, Redemption::Revoked);
    assert_eq!(consent(store).await, None);
}

pub(super) async fn users_are_shown_what_of_theirs_is_live(store: &Candidate) {
    registered_client(store).await;
    for number in 1..=6 {
        ask(store, number, one(Scope::self_read())).await;
        assert!(approve(store, number, Assent::Once, NOW).await);
    }
    store.open_session(token(7), AuthorizationSession { subject: Some(stranger()), ..session() }).await.answered();
    assert!(approve(store, 7, Assent::Once, NOW).await);
    // The sixth is never redeemed.
    for (number, now) in [(1, 30), (2, 10), (3, 20), (4, 20), (5, 20), (7, 20)] {
        redeem(store, number, at(now)).await;
    }
    assert!(store.revoke_grant(&grant(5), at(40)).await.answered());
    let rotation = store.rotate(&grant(2), Generation::FIRST, LIFETIMES, at(500)).await.answered();
    assert!(matches!(rotation, Rotation::Rotated(_)), "not {rotation:?}");
    let shown = |number: u8, since, last_used_at| LiveGrant {
        id: grant(number),
        client: client(1).id,
        scopes: one(Scope::self_read()),
        since: at(since),
        last_used_at: at(last_used_at),
    };
    let all = store.grants_of(&owner(), at(500)).await.answered();
    assert_eq!(all, [shown(1, 30, 30), shown(3, 20, 20), shown(4, 20, 20), shown(2, 10, 500)], "the newest first, and then by id");
    let later = store.grants_of(&owner(), at(20 + IDLE)).await.answered();
    assert_eq!(later, [shown(1, 30, 30), shown(2, 10, 500)], "what has expired is not shown");
}

pub(super) async fn no_more_grants_are_shown_than_anyone_reads(store: &Candidate) {
    for number in 0..=u8::try_from(GRANTS_SHOWN).unwrap_or(u8::MAX) {
        ask(store, number, scopes()).await;
        assert!(approve(store, number, Assent::Once, NOW).await);
        redeem(store, number, at(i64::from(number) % CODE_ENDS)).await;
    }
    assert_eq!(store.grants_of(&owner(), at(CODE_ENDS)).await.answered().len(), GRANTS_SHOWN, "the list has an end");
}

pub(super) async fn who_signs_out_everywhere_has_nothing_that_lives(store: &Candidate) {
    ask(store, 1, scopes()).await;
    assert!(approve(store, 1, Assent::Remembered, NOW).await);
    redeemed(store, 2).await;
    approved(store, 3).await;
    redeemed(store, 4).await;
    assert!(store.revoke_grant(&grant(4), at(1)).await.answered());
    ask(store, 5, scopes()).await;
    store.open_session(token(6), AuthorizationSession { subject: Some(stranger()), ..session() }).await.answered();
    store.open_session(token(7), session()).await.answered();
    assert_eq!(store.revoke_grants_of(&owner(), OwnedApiKeys::Keep, at(2)).await.answered(), 3, "each grant is revoked once");
    assert!(!store.grant_is_live(&grant(2), at(2)).await.answered(), "what was revoked is not live");
    for number in [1, 3] {
        let redemption = store.redeem_authorization_code(&code(number), ClientProof::Pkce, LIFETIMES, at(2)).await.answered();
        assert_eq!(redemption, Redemption::Revoked, "a code that waits is revoked too");
    }
    assert_eq!(store.session(&token(5), at(2)).await.answered(), None, "whoever had begun must sign in again");
    for number in [6, 7] {
        assert!(store.session(&token(number), at(2)).await.answered().is_some(), "nobody else's session ends");
    }
    assert!(consent(store).await.is_some(), "what was allowed is still allowed");
    assert_eq!(store.revoke_grants_of(&owner(), OwnedApiKeys::Keep, at(3)).await.answered(), 0);
}

pub(super) async fn what_was_allowed_is_shown_also_where_nothing_of_it_lives(store: &Candidate) {
    for (number, of, granted_at) in [(1, 3, 5), (2, 2, 9), (3, 1, 5), (4, 4, 7)] {
        let client = client(of).id;
        let asked = AuthorizationSession { client, scopes: one(asked_by(of.into())), subject: Some(subject()), ..session() };
        store.open_session(token(number), asked).await.answered();
        assert!(approve(store, number, Assent::Remembered, at(granted_at)).await);
    }
    store.open_session(token(5), AuthorizationSession { subject: Some(stranger()), ..session() }).await.answered();
    assert!(approve(store, 5, Assent::Remembered, NOW).await);
    let shown = |of: u8, granted_at| (client(of).id, Consent { scopes: one(asked_by(of.into())), granted_at: at(granted_at) });
    let expected = [shown(2, 9), shown(4, 7), shown(1, 5), shown(3, 5)];
    assert_eq!(store.consents_of(&owner()).await.answered(), expected, "what was allowed last first, then by the client's id");
    assert_eq!(store.consents_of(&"nobody".parse().expect("an id")).await.answered(), []);
}

pub(super) async fn no_more_consents_are_shown_than_anyone_reads(store: &Candidate) {
    for number in 0..=u8::try_from(CONSENTS_SHOWN).unwrap_or(u8::MAX) {
        let asked = AuthorizationSession { client: client(number).id, subject: Some(subject()), ..session() };
        store.open_session(token(number), asked).await.answered();
        assert!(approve(store, number, Assent::Remembered, NOW).await);
    }
    assert_eq!(store.consents_of(&owner()).await.answered().len(), CONSENTS_SHOWN, "the list has an end");
}

pub(super) async fn a_forgotten_consent_leaves_the_grants(store: &Candidate) {
    ask(store, 1, scopes()).await;
    assert!(approve(store, 1, Assent::Remembered, NOW).await);
    redeem(store, 1, NOW).await;
    assert!(!store.forget_consent(&stranger().id, &client(1).id).await.answered(), "another's consent is unknown");
    assert!(!store.forget_consent(&owner(), &client(2).id).await.answered(), "another client was allowed nothing");
    assert!(consent(store).await.is_some());
    assert!(store.forget_consent(&owner(), &client(1).id).await.answered());
    assert_eq!(
        (consent(store).await, store.consents_of(&owner()).await.answered()),
        (None, vec![]),
        "what was taken back is asked for again"
    );
    assert!(store.grant_is_live(&grant(1), at(1)).await.answered(), "what lives goes on");
    assert!(!store.forget_consent(&owner(), &client(1).id).await.answered(), "it is gone");
}

pub(super) async fn of_many_consents_at_once_none_is_lost(store: &Candidate) {
    registered_client(store).await;
    for racer in 0..RACERS {
        ask(store, number(racer), one(asked_by(racer))).await;
    }
    let answers = store.race(async |store, racer| {
        let approval = Approval { assent: Assent::Remembered, ..approval(number(racer)) };
        store.approve_session(&token(number(racer)), approval, NOW).await.answered()
    });
    assert_eq!(count(&answers, |answer| matches!(answer, ApprovalOutcome::Approved(_))), RACERS, "nobody stands in another's way");
    let scopes = consent(store).await.map(|consent| consent.scopes).unwrap_or_default();
    assert!(scopes.len() == 2 && self::scopes().is_subset(&scopes), "both were allowed, not only {scopes}");
}

pub(super) async fn a_withdrawal_beside_approvals_without_asking_is_never_lost(store: &Candidate) {
    ask(store, 200, scopes()).await;
    assert!(approve(store, 200, Assent::Remembered, NOW).await);
    for racer in 0..RACERS {
        ask(store, number(racer), scopes()).await;
    }
    let answers = store.race(async |store, racer| {
        if racer == 0 {
            assert_eq!(store.withdraw_grant(&owner(), &grant(200), NOW).await.answered(), Withdrawal::Withdrawn);
            let approval = Approval { assent: Assent::Earlier, ..approval(number(racer)) };
            return store.approve_session(&token(number(racer)), approval, NOW).await.answered();
        }
        let approval = Approval { assent: Assent::Earlier, ..approval(number(racer)) };
        store.approve_session(&token(number(racer)), approval, NOW).await.answered()
    });
    assert_eq!(answers.first(), Some(&ApprovalOutcome::NotConsented), "what was taken back is asked for again");
    for (racer, answer) in answers.iter().enumerate() {
        let is_approved = matches!(answer, ApprovalOutcome::Approved(_));
        assert!(is_approved || *answer == ApprovalOutcome::NotConsented, "not {answer:?}");
        assert_eq!(store.session(&token(number(racer)), NOW).await.answered().is_none(), is_approved, "who must be asked still can be");
    }
    assert_eq!(consent(store).await, None);
}

pub(super) async fn the_grant_that_was_used_longest_ago_makes_room(store: &Candidate) {
    registered_client(store).await;
    let other_client = AuthorizationSession { client: client(2).id, subject: Some(subject()), ..session() };
    let others = [(50, other_client), (51, AuthorizationSession { subject: Some(stranger()), ..session() })];
    for (number, pending) in others {
        store.open_session(token(number), pending).await.answered();
        assert!(approve(store, number, Assent::Once, NOW).await);
        redeem(store, number, NOW).await;
    }
    // 1 and 2 are used, 3 waits with its code, 4 is revoked, and of 5 the code is never used.
    for number in 1..=5 {
        ask(store, number, scopes()).await;
        assert!(approve(store, number, Assent::Once, at(i64::from(number))).await);
    }
    for number in [1, 2, 4] {
        redeem(store, number, at(10)).await;
    }
    assert!(matches!(store.rotate(&grant(1), Generation::FIRST, LIFETIMES, at(20)).await.answered(), Rotation::Rotated(_)));
    assert!(store.revoke_grant(&grant(4), at(20)).await.answered());
    // Of 2, 5, 3 and 1, in the order of their use from the latest, three and the new one may stay.
    let mut before: &[u8] = &[];
    for (new, at_most, now, gone) in [(6, 5, 30, &[][..]), (7, 4, 31, &[3, 5]), (8, 4, 32, &[2, 3, 5]), (9, 1, 33, &[1, 2, 3, 5, 6, 7, 8])]
    {
        ask(store, new, scopes()).await;
        let approval = Approval { caps: few_grants(at_most), ..approval(new) };
        let approving = store.approve_session(&token(new), approval, at(now)).await.answered();
        let ApprovalOutcome::Approved(mut approved) = approving else {
            panic!("an approval is never refused for old ones, not {approving:?}");
        };
        approved.replaced.sort();
        let replaced: Vec<_> = gone.iter().filter(|number| !before.contains(*number)).map(|number| grant(*number)).collect();
        assert_eq!(approved.replaced, replaced, "{new} says which it ended");
        before = gone;
        redeem(store, new, at(now)).await;
        for number in [1, 2, 6, 7, 8, 9].into_iter().filter(|number| *number <= new) {
            let is_live = store.grant_is_live(&grant(number), at(now)).await.answered();
            assert_eq!(is_live, !gone.contains(&number), "grant {number} after {new}");
        }
    }
    for number in [3, 5] {
        let redemption = store.redeem_authorization_code(&code(number), ClientProof::Pkce, LIFETIMES, at(34)).await.answered();
        assert_eq!(redemption, Redemption::Revoked, "a code that waits counts, and goes as well");
    }
    for number in [50, 51] {
        assert!(store.grant_is_live(&grant(number), at(33)).await.answered(), "those of other clients and users stay");
    }
}

pub(super) async fn of_many_approvals_at_once_no_more_grants_live_than_may(store: &Candidate) {
    registered_client(store).await;
    for racer in 0..RACERS {
        ask(store, number(racer), scopes()).await;
    }
    let answers = store.race(async |store, racer| capped(store, number(racer), Assent::Once, few_grants(5), NOW).await);
    assert_eq!(count(&answers, |approved| *approved), RACERS, "every approval is granted");
    let mut left = 0;
    for racer in 0..RACERS {
        let redemption = store.redeem_authorization_code(&code(number(racer)), ClientProof::Pkce, LIFETIMES, at(1)).await.answered();
        left += usize::from(matches!(redemption, Redemption::Redeemed(_)));
    }
    assert_eq!(left, 5, "of {RACERS} grants exactly 5 are left");
}

pub(super) async fn the_consent_that_was_used_longest_ago_makes_room(store: &Candidate) {
    for (new, of, assent, now) in
        [(1, 1, Assent::Remembered, 0), (2, 2, Assent::Remembered, 1), (3, 3, Assent::Remembered, 2), (4, 1, Assent::Earlier, 3)]
    {
        ask_through(store, new, of).await;
        assert!(capped(&**store, new, assent, few_consents(3), at(now)).await);
    }
    ask_through(store, 5, 3).await;
    assert!(capped(&**store, 5, Assent::Remembered, few_consents(3), at(4)).await);
    assert_eq!(allowed(store).await, [1, 2, 3], "one that is there already needs no room");
    ask_through(store, 6, 4).await;
    assert!(capped(&**store, 6, Assent::Once, few_consents(3), at(5)).await);
    assert_eq!(allowed(store).await, [1, 2, 3], "what is not remembered needs none either");
    ask_through(store, 7, 4).await;
    assert!(capped(&**store, 7, Assent::Remembered, few_consents(3), at(6)).await);
    assert_eq!(allowed(store).await, [1, 3, 4], "what was given before and used since stays");
    ask_through(store, 8, 5).await;
    assert!(capped(&**store, 8, Assent::Remembered, few_consents(1), at(7)).await);
    assert_eq!(allowed(store).await, [5]);
}

pub(super) async fn of_many_consents_at_once_no_more_are_kept_than_may(store: &Candidate) {
    for racer in 0..RACERS {
        ask_through(store, number(racer), number(racer)).await;
    }
    let answers = store.race(async |store, racer| capped(store, number(racer), Assent::Remembered, few_consents(5), NOW).await);
    assert_eq!(count(&answers, |approved| *approved), RACERS, "every approval is granted");
    assert_eq!(store.consents_of(&owner()).await.answered().len(), 5, "of {RACERS} consents exactly 5 are kept");
}

const fn few_grants(at_most: u32) -> ApprovalCaps {
    ApprovalCaps { grants_per_client: at_most, ..ApprovalCaps::NONE }
}

const fn few_consents(at_most: u32) -> ApprovalCaps {
    ApprovalCaps { consents: at_most, ..ApprovalCaps::NONE }
}

/// Whether `grant(number)` comes of it.
async fn capped(store: &dyn Storage, number: u8, assent: Assent, caps: ApprovalCaps, now: Timestamp) -> bool {
    let approval = Approval { assent, caps, ..approval(number) };
    matches!(store.approve_session(&token(number), approval, now).await.answered(), ApprovalOutcome::Approved(_))
}

/// A session of a client under `token(number)` that the owner has signed in to.
async fn ask_through(store: &Candidate, number: u8, through: u8) {
    let asked = AuthorizationSession { client: client(through).id, subject: Some(subject()), ..session() };
    store.open_session(token(number), asked).await.answered();
}

/// Through which of clients 1 to 9 the owner need not be asked again.
async fn allowed(store: &Candidate) -> Vec<u8> {
    let mut allowed = Vec::new();
    for number in 1..=9 {
        if store.consent(&owner(), &client(number).id).await.answered().is_some() {
            allowed.push(number);
        }
    }
    allowed
}

fn one(scope: Scope) -> ScopeSet {
    [scope].into_iter().collect()
}

fn stranger() -> Subject {
    Subject {
        id: "other".parse().expect("an id"),
        email: "other@school.example".parse().expect("an address"),
        role: Role::User,
        number: None,
    }
}

fn number(racer: usize) -> u8 {
    u8::try_from(racer).unwrap_or_default()
}

fn asked_by(racer: usize) -> Scope {
    if racer.is_multiple_of(2) { Scope::self_read() } else { Scope::manage() }
}

/// A session of client 1 under `token(number)` that the owner has signed in to.
async fn ask(store: &Candidate, number: u8, scopes: ScopeSet) {
    let asked = AuthorizationSession { scopes, subject: Some(subject()), ..session() };
    store.open_session(token(number), asked).await.answered();
}

/// Whether `grant(number)` comes of it.
async fn approve(store: &Candidate, number: u8, assent: Assent, now: Timestamp) -> bool {
    let approval = Approval { assent, ..approval(number) };
    matches!(store.approve_session(&token(number), approval, now).await.answered(), ApprovalOutcome::Approved(_))
}

async fn redeem(store: &Candidate, number: u8, now: Timestamp) {
    let redemption = store.redeem_authorization_code(&code(number), ClientProof::Pkce, LIFETIMES, now).await.answered();
    assert!(matches!(redemption, Redemption::Redeemed(_)), "a fresh code can be redeemed, not {redemption:?}");
}

/// What the owner has let client 1 have.
async fn consent(store: &Candidate) -> Option<Consent> {
    store.consent(&owner(), &client(1).id).await.answered()
}

async fn withdraw(store: &Candidate, number: u8, now: Timestamp) -> Withdrawal {
    store.withdraw_grant(&owner(), &grant(number), now).await.answered()
}

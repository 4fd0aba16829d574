use super::candidate::{Answered, Candidate, RACERS};
use super::given::{
    NOW, SESSION_ENDS, approval, approved_as, at, client, code, count, grant, open_session, owner, registered_client, session, signed_in,
    subject, token,
};
use crate::domain::{AuthorizationSession, ChallengeMethod, CodeChallenge, Role, ScopeSet, Subject};
use crate::store::{Approval, ApprovalOutcome, SignIn};

pub(super) async fn a_session_is_found_as_it_was_opened(store: &Candidate) {
    registered_client(store).await;
    let s256 = CodeChallenge::new(ChallengeMethod::S256, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM").ok();
    let plain = CodeChallenge::new(ChallengeMethod::Plain, &"a".repeat(128)).ok();
    let opened = [
        session(),
        AuthorizationSession { state: None, challenge: s256, scopes: ScopeSet::default(), ..session() },
        AuthorizationSession {
            ask_again: true,
            state: Some(String::new()),
            challenge: plain,
            redirect_uri: "http://127.0.0.1:51004/c?a=%C3%BC".to_owned(),
            ..session()
        },
    ];
    for (number, opened) in (1..).zip(&opened) {
        store.open_session(token(number), opened.clone()).await.answered();
    }
    for (number, opened) in (1..).zip(opened) {
        assert_eq!(store.session(&token(number), NOW).await.answered(), Some(opened));
    }
    assert_eq!(store.session(&token(99), NOW).await.answered(), None);
}

pub(super) async fn a_session_is_gone_at_the_moment_it_expires(store: &Candidate) {
    signed_in(store, 1).await;
    let end = at(SESSION_ENDS);
    assert!(store.session(&token(1), at(SESSION_ENDS - 1)).await.answered().is_some(), "a session is there until just before its expiry");
    assert_eq!(store.session(&token(1), end).await.answered(), None, "at == expires_at is expired");
    assert_eq!(store.sign_in(&token(1), token(2), subject(), end).await.answered(), SignIn::Unknown);
    assert_eq!(store.approve_session(&token(1), approval(1), end).await.answered(), ApprovalOutcome::Unknown);
    assert_eq!(store.code_binding(&code(1)).await.answered(), None, "an expired session makes no code");
    assert_eq!(store.close_session(&token(1), end).await.answered(), None);
    assert_eq!(store.session(&token(2), NOW).await.answered(), None, "an expired session moves nowhere");
}

pub(super) async fn signing_in_writes_down_the_subject_and_moves_the_session(store: &Candidate) {
    open_session(store, 1).await;
    let expected = AuthorizationSession { subject: Some(subject()), ..session() };
    assert_eq!(store.sign_in(&token(1), token(2), subject(), at(1)).await.answered(), SignIn::SignedIn(expected.clone()));
    assert_eq!(store.session(&token(2), at(1)).await.answered(), Some(expected));
}

pub(super) async fn the_token_from_before_the_sign_in_is_worth_nothing(store: &Candidate) {
    open_session(store, 1).await;
    assert!(matches!(store.sign_in(&token(1), token(2), subject(), NOW).await.answered(), SignIn::SignedIn(_)));
    assert_eq!(store.session(&token(1), NOW).await.answered(), None, "whoever planted the old token must not find the session");
    assert_eq!(store.sign_in(&token(1), token(3), subject(), NOW).await.answered(), SignIn::Unknown);
    assert_eq!(store.approve_session(&token(1), approval(1), NOW).await.answered(), ApprovalOutcome::Unknown);
    assert_eq!(store.close_session(&token(1), NOW).await.answered(), None);
    assert!(store.session(&token(2), NOW).await.answered().is_some(), "the session lives on under its new token");
}

pub(super) async fn somebody_else_may_sign_in_after_all(store: &Candidate) {
    signed_in(store, 1).await;
    let other = Subject {
        id: "other".parse().expect("an id"),
        email: "other@school.example".parse().expect("an address"),
        role: Role::Admin,
        number: None,
    };
    let expected = AuthorizationSession { subject: Some(other.clone()), ..session() };
    assert_eq!(store.sign_in(&token(1), token(2), other, NOW).await.answered(), SignIn::SignedIn(expected));
    assert_eq!(store.session(&token(1), NOW).await.answered(), None);
}

pub(super) async fn signing_out_forgets_the_subject_and_moves_the_session(store: &Candidate) {
    signed_in(store, 1).await;
    assert_eq!(store.sign_out(&token(1), token(2), at(1)).await.answered(), Some(session()), "nobody has signed in any more");
    assert_eq!(store.session(&token(1), at(1)).await.answered(), None, "whoever saw the old token has nothing");
    assert_eq!(store.session(&token(2), at(1)).await.answered(), Some(session()));
    assert_eq!(store.approve_session(&token(2), approval(1), at(1)).await.answered(), ApprovalOutcome::NotSignedIn);
    assert!(matches!(store.sign_in(&token(2), token(3), subject(), at(1)).await.answered(), SignIn::SignedIn(_)));
    for gone in [token(1), token(99)] {
        assert_eq!(store.sign_out(&gone, token(4), at(1)).await.answered(), None);
    }
    assert_eq!(store.sign_out(&token(3), token(4), at(SESSION_ENDS)).await.answered(), None, "at == expires_at is expired");
}

pub(super) async fn an_unknown_session_cannot_be_used(store: &Candidate) {
    registered_client(store).await;
    assert_eq!(store.sign_in(&token(1), token(2), subject(), NOW).await.answered(), SignIn::Unknown);
    assert_eq!(store.approve_session(&token(1), approval(1), NOW).await.answered(), ApprovalOutcome::Unknown);
    assert_eq!(store.close_session(&token(1), NOW).await.answered(), None);
    assert_eq!(store.session(&token(2), NOW).await.answered(), None);
}

pub(super) async fn nobody_approves_before_signing_in(store: &Candidate) {
    open_session(store, 1).await;
    assert_eq!(store.approve_session(&token(1), approval(1), NOW).await.answered(), ApprovalOutcome::NotSignedIn);
    assert_eq!(store.session(&token(1), NOW).await.answered(), Some(session()), "a refused approval changes nothing");
    assert_eq!(store.code_binding(&code(1)).await.answered(), None, "a refused approval makes no code");
    assert!(!store.revoke_grant(&grant(1), NOW).await.answered(), "a refused approval makes no grant");
}

pub(super) async fn an_approval_ends_the_session_and_makes_a_code(store: &Candidate) {
    signed_in(store, 1).await;
    let expected = AuthorizationSession { subject: Some(subject()), ..session() };
    assert_eq!(store.approve_session(&token(1), approval(1), at(1)).await.answered(), approved_as(expected));
    assert_eq!(store.session(&token(1), at(1)).await.answered(), None, "the session is gone");
    assert_eq!(
        store.approve_session(&token(1), approval(2), at(1)).await.answered(),
        ApprovalOutcome::Unknown,
        "a session is approved once"
    );
    assert_eq!(store.code_binding(&code(2)).await.answered(), None, "the second approval makes no code");
    let binding = store.code_binding(&code(1)).await.answered();
    assert_eq!(binding.map(|binding| binding.client), Some(client(1).id), "the code is there");
}

pub(super) async fn a_session_is_closed_once(store: &Candidate) {
    open_session(store, 1).await;
    assert_eq!(store.close_session(&token(1), at(1)).await.answered(), Some(session()), "closing gives the session back");
    assert_eq!(store.close_session(&token(1), at(1)).await.answered(), None, "and ends it");
    assert_eq!(store.session(&token(1), at(1)).await.answered(), None);
    assert_eq!(store.sign_in(&token(1), token(2), subject(), at(1)).await.answered(), SignIn::Unknown);
}

pub(super) async fn of_many_approvals_one_makes_a_code(store: &Candidate) {
    signed_in(store, 200).await;
    let contender = |racer: usize| u8::try_from(racer).unwrap_or_default();
    let answers = store.race(async |store, racer| store.approve_session(&token(200), approval(contender(racer)), NOW).await.answered());
    assert_eq!(
        count(&answers, |answer| matches!(answer, ApprovalOutcome::Approved(_))),
        1,
        "of {RACERS} approvals exactly one is approved"
    );
    assert_eq!(count(&answers, |answer| *answer == ApprovalOutcome::Unknown), RACERS - 1, "the others find no session");
    for (racer, answer) in answers.iter().enumerate() {
        let code = store.code_binding(&code(contender(racer))).await.answered();
        assert_eq!(code.is_some(), matches!(answer, ApprovalOutcome::Approved(_)), "only the approval that won made a code");
    }
}

pub(super) async fn of_many_sign_ins_one_moves_the_session(store: &Candidate) {
    open_session(store, 200).await;
    let replacement = |racer: usize| token(u8::try_from(racer).unwrap_or_default());
    let answers = store.race(async |store, racer| store.sign_in(&token(200), replacement(racer), subject(), NOW).await.answered());
    assert_eq!(
        count(&answers, |answer| matches!(answer, SignIn::SignedIn(_))),
        1,
        "of {RACERS} sign-ins with one token exactly one moves the session"
    );
    for (racer, answer) in answers.iter().enumerate() {
        let moved = store.session(&replacement(racer), NOW).await.answered();
        assert_eq!(moved.is_some(), matches!(answer, SignIn::SignedIn(_)), "the session is where the winner moved it");
    }
}

pub(super) async fn a_session_is_either_approved_or_closed(store: &Candidate) {
    signed_in(store, 200).await;
    let used = store.race(async |store, racer| {
        if racer.is_multiple_of(2) {
            return store.close_session(&token(200), NOW).await.answered().is_some();
        }
        let approval =
            Approval { grant: grant(u8::try_from(racer).unwrap_or_default()), ..approval(u8::try_from(racer).unwrap_or_default()) };
        matches!(store.approve_session(&token(200), approval, NOW).await.answered(), ApprovalOutcome::Approved(_))
    });
    assert_eq!(count(&used, |used| *used), 1, "of {RACERS} approvals and closings exactly one has the session");
    for racer in (1..RACERS).step_by(2) {
        let code = store.code_binding(&code(u8::try_from(racer).unwrap_or_default())).await.answered();
        assert_eq!(code.is_some(), used[racer], "a closed session leaves no code");
    }
}

pub(super) async fn of_many_sign_outs_one_moves_the_session(store: &Candidate) {
    signed_in(store, 200).await;
    let replacement = |racer: usize| token(u8::try_from(racer).unwrap_or_default());
    let moved = store.race(async |store, racer| store.sign_out(&token(200), replacement(racer), NOW).await.answered().is_some());
    assert_eq!(count(&moved, |moved| *moved), 1, "of {RACERS} sign-outs exactly one moves the session");
    assert_eq!(store.session(&token(200), NOW).await.answered(), None, "whoever saw the old token has nothing");
    for (racer, moved) in moved.into_iter().enumerate() {
        let found = store.session(&replacement(racer), NOW).await.answered();
        assert_eq!(found, moved.then(session), "it is where the one call moved it, and nobody has signed in");
    }
}

pub(super) async fn a_session_is_either_moved_or_closed(store: &Candidate) {
    open_session(store, 200).await;
    let replacement = |racer: usize| token(u8::try_from(racer).unwrap_or_default());
    let used = store.race(async |store, racer| {
        if racer.is_multiple_of(2) {
            return store.close_session(&token(200), NOW).await.answered().is_some();
        }
        let subject = Subject { id: owner(), ..subject() };
        matches!(store.sign_in(&token(200), replacement(racer), subject, NOW).await.answered(), SignIn::SignedIn(_))
    });
    assert_eq!(count(&used, |used| *used), 1, "of {RACERS} sign-ins and closings exactly one has the session");
    for racer in (1..RACERS).step_by(2) {
        let moved = store.session(&replacement(racer), NOW).await.answered();
        assert_eq!(moved.is_some(), used[racer], "a closed session is nowhere");
    }
}

use super::fixtures::{
    NOW, approval, code, count, grant, open_session, owner, session, signed_in, subject, token,
};
use super::store_under_test::{CONCURRENT_CALLERS, ExpectOk, ProtocolUnderTest};
use crate::domain::Subject;
use crate::store::{Approval, ApprovalOutcome, SignIn};

cases! { ProtocolStorage, session_races as __conformance_session_races:
    of_many_approvals_one_makes_a_code
    of_many_sign_ins_one_moves_the_session
    a_session_is_either_approved_or_closed
    of_many_sign_outs_one_moves_the_session
    a_session_is_either_moved_or_closed
}

async fn of_many_approvals_one_makes_a_code(store: &ProtocolUnderTest) {
    signed_in(store, 200).await;
    let contender = |caller: usize| u8::try_from(caller).unwrap_or_default();
    let answers = store.race(async |store, caller| {
        store
            .approve_session(&token(200), approval(contender(caller)), NOW)
            .await
            .expect_ok()
    });
    assert_eq!(
        count(&answers, |answer| matches!(
            answer,
            ApprovalOutcome::Approved(_)
        )),
        1,
        "of {CONCURRENT_CALLERS} approvals exactly one is approved"
    );
    assert_eq!(
        count(&answers, |answer| *answer == ApprovalOutcome::NotFound),
        CONCURRENT_CALLERS - 1,
        "the others find no session"
    );
    for (caller, answer) in answers.iter().enumerate() {
        let code = store
            .code_binding(&code(contender(caller)))
            .await
            .expect_ok();
        assert_eq!(
            code.is_some(),
            matches!(answer, ApprovalOutcome::Approved(_)),
            "only the successful approval created a code"
        );
    }
}

async fn of_many_sign_ins_one_moves_the_session(store: &ProtocolUnderTest) {
    open_session(store, 200).await;
    let replacement = |caller: usize| token(u8::try_from(caller).unwrap_or_default());
    let answers = store.race(async |store, caller| {
        store
            .sign_in(&token(200), replacement(caller), subject(), NOW)
            .await
            .expect_ok()
    });
    assert_eq!(
        count(&answers, |answer| matches!(answer, SignIn::SignedIn(_))),
        1,
        "of {CONCURRENT_CALLERS} sign-ins with one token exactly one moves the session"
    );
    for (caller, answer) in answers.iter().enumerate() {
        let moved = store.session(&replacement(caller), NOW).await.expect_ok();
        assert_eq!(
            moved.is_some(),
            matches!(answer, SignIn::SignedIn(_)),
            "the session has the token of the winner"
        );
    }
}

async fn a_session_is_either_approved_or_closed(store: &ProtocolUnderTest) {
    signed_in(store, 200).await;
    let used = store.race(async |store, caller| {
        if caller.is_multiple_of(2) {
            return store
                .close_session(&token(200), NOW)
                .await
                .expect_ok()
                .is_some();
        }
        let approval = Approval {
            grant: grant(u8::try_from(caller).unwrap_or_default()),
            ..approval(u8::try_from(caller).unwrap_or_default())
        };
        matches!(
            store
                .approve_session(&token(200), approval, NOW)
                .await
                .expect_ok(),
            ApprovalOutcome::Approved(_)
        )
    });
    assert_eq!(
        count(&used, |used| *used),
        1,
        "of {CONCURRENT_CALLERS} approvals and closings exactly one gets the session"
    );
    for caller in (1..CONCURRENT_CALLERS).step_by(2) {
        let code = store
            .code_binding(&code(u8::try_from(caller).unwrap_or_default()))
            .await
            .expect_ok();
        assert_eq!(
            code.is_some(),
            used[caller],
            "a closed session leaves no code"
        );
    }
}

async fn of_many_sign_outs_one_moves_the_session(store: &ProtocolUnderTest) {
    signed_in(store, 200).await;
    let replacement = |caller: usize| token(u8::try_from(caller).unwrap_or_default());
    let moved = store.race(async |store, caller| {
        store
            .sign_out(&token(200), replacement(caller), NOW)
            .await
            .expect_ok()
            .is_some()
    });
    assert_eq!(
        count(&moved, |moved| *moved),
        1,
        "of {CONCURRENT_CALLERS} sign-outs exactly one moves the session"
    );
    assert_eq!(
        store.session(&token(200), NOW).await.expect_ok(),
        None,
        "the old token is invalid"
    );
    for (caller, moved) in moved.into_iter().enumerate() {
        let found = store.session(&replacement(caller), NOW).await.expect_ok();
        assert_eq!(
            found,
            moved.then(session),
            "the session has the token of that call, and no subject"
        );
    }
}

async fn a_session_is_either_moved_or_closed(store: &ProtocolUnderTest) {
    open_session(store, 200).await;
    let replacement = |caller: usize| token(u8::try_from(caller).unwrap_or_default());
    let used = store.race(async |store, caller| {
        if caller.is_multiple_of(2) {
            return store
                .close_session(&token(200), NOW)
                .await
                .expect_ok()
                .is_some();
        }
        let subject = Subject {
            id: owner(),
            ..subject()
        };
        matches!(
            store
                .sign_in(&token(200), replacement(caller), subject, NOW)
                .await
                .expect_ok(),
            SignIn::SignedIn(_)
        )
    });
    assert_eq!(
        count(&used, |used| *used),
        1,
        "of {CONCURRENT_CALLERS} sign-ins and closings exactly one gets the session"
    );
    for caller in (1..CONCURRENT_CALLERS).step_by(2) {
        let moved = store.session(&replacement(caller), NOW).await.expect_ok();
        assert_eq!(moved.is_some(), used[caller], "a closed session is deleted");
    }
}

use super::fixtures::{
    NOW, SESSION_LIFETIME, approval, approved_as, at, client, code, grant, open_session,
    registered_client, session, signed_in, subject, token,
};
use super::store_under_test::{ExpectOk, ProtocolUnderTest};
use crate::domain::{
    AuthorizationSession, ChallengeMethod, CodeChallenge, Prompt, Role, ScopeSet, Subject,
};
use crate::store::{ApprovalOutcome, SignIn};

cases! { ProtocolStorage, sessions as __conformance_sessions:
    a_session_is_found_as_it_was_opened
    a_session_is_gone_at_the_moment_it_expires
    signing_in_writes_down_the_subject_and_moves_the_session
    the_token_from_before_the_sign_in_is_worth_nothing
    somebody_else_may_sign_in_after_all
    signing_out_forgets_the_subject_and_moves_the_session
    an_unknown_session_cannot_be_used
    nobody_approves_before_signing_in
    an_approval_ends_the_session_and_makes_a_code
    a_session_is_closed_once
}

async fn a_session_is_found_as_it_was_opened(store: &ProtocolUnderTest) {
    registered_client(store).await;
    let s256 = CodeChallenge::new(
        ChallengeMethod::S256,
        "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    )
    .ok();
    let plain = CodeChallenge::new(ChallengeMethod::Plain, &"a".repeat(128)).ok();
    let opened = [
        session(),
        AuthorizationSession {
            state: None,
            challenge: s256,
            scopes: ScopeSet::default(),
            ..session()
        },
        AuthorizationSession {
            prompt: Prompt {
                login: true,
                consent: true,
            },
            state: Some(String::new()),
            challenge: plain,
            redirect_uri: "http://127.0.0.1:51004/c?a=%C3%BC".to_owned(),
            ..session()
        },
    ];
    for (number, opened) in (1..).zip(&opened) {
        store
            .open_session(token(number), opened.clone())
            .await
            .expect_ok();
    }
    for (number, opened) in (1..).zip(opened) {
        assert_eq!(
            store.session(&token(number), NOW).await.expect_ok(),
            Some(opened)
        );
    }
    assert_eq!(store.session(&token(99), NOW).await.expect_ok(), None);
}

async fn a_session_is_gone_at_the_moment_it_expires(store: &ProtocolUnderTest) {
    signed_in(store, 1).await;
    let end = at(SESSION_LIFETIME);
    assert!(
        store
            .session(&token(1), at(SESSION_LIFETIME - 1))
            .await
            .expect_ok()
            .is_some(),
        "a session exists until just before its expiry"
    );
    assert_eq!(
        store.session(&token(1), end).await.expect_ok(),
        None,
        "at == expires_at is expired"
    );
    assert_eq!(
        store
            .sign_in(&token(1), token(2), subject(), end)
            .await
            .expect_ok(),
        SignIn::NotFound
    );
    assert_eq!(
        store
            .approve_session(&token(1), approval(1), end)
            .await
            .expect_ok(),
        ApprovalOutcome::NotFound
    );
    assert_eq!(
        store.code_binding(&code(1)).await.expect_ok(),
        None,
        "an expired session creates no code"
    );
    assert_eq!(store.close_session(&token(1), end).await.expect_ok(), None);
    assert_eq!(
        store.session(&token(2), NOW).await.expect_ok(),
        None,
        "an expired session is not rotated"
    );
}

async fn signing_in_writes_down_the_subject_and_moves_the_session(store: &ProtocolUnderTest) {
    open_session(store, 1).await;
    let expected = AuthorizationSession {
        subject: Some(subject()),
        ..session()
    };
    assert_eq!(
        store
            .sign_in(&token(1), token(2), subject(), at(1))
            .await
            .expect_ok(),
        SignIn::SignedIn(expected.clone())
    );
    assert_eq!(
        store.session(&token(2), at(1)).await.expect_ok(),
        Some(expected)
    );
}

async fn the_token_from_before_the_sign_in_is_worth_nothing(store: &ProtocolUnderTest) {
    open_session(store, 1).await;
    assert!(matches!(
        store
            .sign_in(&token(1), token(2), subject(), NOW)
            .await
            .expect_ok(),
        SignIn::SignedIn(_)
    ));
    assert_eq!(
        store.session(&token(1), NOW).await.expect_ok(),
        None,
        "the token from before the sign-in must not find the session"
    );
    assert_eq!(
        store
            .sign_in(&token(1), token(3), subject(), NOW)
            .await
            .expect_ok(),
        SignIn::NotFound
    );
    assert_eq!(
        store
            .approve_session(&token(1), approval(1), NOW)
            .await
            .expect_ok(),
        ApprovalOutcome::NotFound
    );
    assert_eq!(store.close_session(&token(1), NOW).await.expect_ok(), None);
    assert!(
        store.session(&token(2), NOW).await.expect_ok().is_some(),
        "the session continues under its new token"
    );
}

async fn somebody_else_may_sign_in_after_all(store: &ProtocolUnderTest) {
    signed_in(store, 1).await;
    let other = Subject {
        id: "other".parse().expect("an id"),
        email: "other@school.example".parse().expect("an address"),
        role: Role::Admin,
        numeric_id: None,
        student: None,
    };
    let expected = AuthorizationSession {
        subject: Some(other.clone()),
        ..session()
    };
    assert_eq!(
        store
            .sign_in(&token(1), token(2), other, NOW)
            .await
            .expect_ok(),
        SignIn::SignedIn(expected)
    );
    assert_eq!(store.session(&token(1), NOW).await.expect_ok(), None);
}

async fn signing_out_forgets_the_subject_and_moves_the_session(store: &ProtocolUnderTest) {
    signed_in(store, 1).await;
    assert_eq!(
        store.sign_out(&token(1), token(2), at(1)).await.expect_ok(),
        Some(session()),
        "the session has no subject any more"
    );
    assert_eq!(
        store.session(&token(1), at(1)).await.expect_ok(),
        None,
        "the old token is invalid"
    );
    assert_eq!(
        store.session(&token(2), at(1)).await.expect_ok(),
        Some(session())
    );
    assert_eq!(
        store
            .approve_session(&token(2), approval(1), at(1))
            .await
            .expect_ok(),
        ApprovalOutcome::NotSignedIn
    );
    assert!(matches!(
        store
            .sign_in(&token(2), token(3), subject(), at(1))
            .await
            .expect_ok(),
        SignIn::SignedIn(_)
    ));
    for gone in [token(1), token(99)] {
        assert_eq!(
            store.sign_out(&gone, token(4), at(1)).await.expect_ok(),
            None
        );
    }
    assert_eq!(
        store
            .sign_out(&token(3), token(4), at(SESSION_LIFETIME))
            .await
            .expect_ok(),
        None,
        "at == expires_at is expired"
    );
}

async fn an_unknown_session_cannot_be_used(store: &ProtocolUnderTest) {
    registered_client(store).await;
    assert_eq!(
        store
            .sign_in(&token(1), token(2), subject(), NOW)
            .await
            .expect_ok(),
        SignIn::NotFound
    );
    assert_eq!(
        store
            .approve_session(&token(1), approval(1), NOW)
            .await
            .expect_ok(),
        ApprovalOutcome::NotFound
    );
    assert_eq!(store.close_session(&token(1), NOW).await.expect_ok(), None);
    assert_eq!(store.session(&token(2), NOW).await.expect_ok(), None);
}

async fn nobody_approves_before_signing_in(store: &ProtocolUnderTest) {
    open_session(store, 1).await;
    assert_eq!(
        store
            .approve_session(&token(1), approval(1), NOW)
            .await
            .expect_ok(),
        ApprovalOutcome::NotSignedIn
    );
    assert_eq!(
        store.session(&token(1), NOW).await.expect_ok(),
        Some(session()),
        "a refused approval changes nothing"
    );
    assert_eq!(
        store.code_binding(&code(1)).await.expect_ok(),
        None,
        "a refused approval creates no code"
    );
    assert!(
        !store.revoke_grant(&grant(1), NOW).await.expect_ok(),
        "a refused approval creates no grant"
    );
}

async fn an_approval_ends_the_session_and_makes_a_code(store: &ProtocolUnderTest) {
    signed_in(store, 1).await;
    let expected = AuthorizationSession {
        subject: Some(subject()),
        ..session()
    };
    assert_eq!(
        store
            .approve_session(&token(1), approval(1), at(1))
            .await
            .expect_ok(),
        approved_as(expected)
    );
    assert_eq!(
        store.session(&token(1), at(1)).await.expect_ok(),
        None,
        "the session is deleted"
    );
    assert_eq!(
        store
            .approve_session(&token(1), approval(2), at(1))
            .await
            .expect_ok(),
        ApprovalOutcome::NotFound,
        "a session is approved once"
    );
    assert_eq!(
        store.code_binding(&code(2)).await.expect_ok(),
        None,
        "the second approval creates no code"
    );
    let binding = store.code_binding(&code(1)).await.expect_ok();
    assert_eq!(
        binding.map(|binding| binding.client),
        Some(client(1).id),
        "the code exists"
    );
}

async fn a_session_is_closed_once(store: &ProtocolUnderTest) {
    open_session(store, 1).await;
    assert_eq!(
        store.close_session(&token(1), at(1)).await.expect_ok(),
        Some(session()),
        "closing returns the session"
    );
    assert_eq!(
        store.close_session(&token(1), at(1)).await.expect_ok(),
        None,
        "and deletes it"
    );
    assert_eq!(store.session(&token(1), at(1)).await.expect_ok(), None);
    assert_eq!(
        store
            .sign_in(&token(1), token(2), subject(), at(1))
            .await
            .expect_ok(),
        SignIn::NotFound
    );
}

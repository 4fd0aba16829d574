use std::time::Duration;

use crate::domain::{
    AuthorizationCode, AuthorizationSession, ClientId, ClientProof, Generation, Grant, GrantId,
    Role, ScopeSet, SessionToken, Subject, Timestamp,
};
use crate::store::memory::MemoryStore;
use crate::store::{
    Approval, ApprovalLimits, ApprovalOutcome, ConsentMode, GrantStore, Redemption, RefreshBinding,
    Rotation, SignIn, TokenLifetimes,
};

const LIFETIMES: TokenLifetimes = TokenLifetimes {
    idle: Duration::from_secs(100),
    absolute: Duration::from_secs(250),
    retry_window: Duration::from_secs(30),
};

fn timestamp(seconds: i64) -> Timestamp {
    Timestamp::from_seconds(seconds)
}

fn token(byte: u8) -> SessionToken {
    SessionToken::from_random([byte; 32])
}

fn code() -> AuthorizationCode {
    AuthorizationCode::from_random([7; 32])
}

fn grant_id() -> GrantId {
    GrantId::from_random([7; 16])
}

fn approval() -> Approval {
    Approval {
        grant: grant_id(),
        code: code().digest(),
        code_expires_at: timestamp(60),
        consent_mode: ConsentMode::Once,
        limits: ApprovalLimits::UNLIMITED,
    }
}

fn subject() -> Subject {
    Subject {
        id: "kim".parse().unwrap(),
        email: "kim@school.example".parse().unwrap(),
        role: Role::User,
        numeric_id: None,
        student: None,
    }
}

fn session() -> AuthorizationSession {
    AuthorizationSession {
        client: ClientId::from_random([1; 16]),
        redirect_uri: "https://client.example/back".to_owned(),
        state: None,
        scopes: ScopeSet::parse("service:self_read").unwrap(),
        challenge: None,
        prompt: crate::domain::Prompt::default(),
        subject: None,
        created_at: timestamp(0),
        expires_at: timestamp(600),
    }
}

/// A store with a grant that was approved at 0.
async fn approved() -> MemoryStore {
    let store = MemoryStore::new();
    store
        .open_session(token(1).digest(), session())
        .await
        .unwrap();
    let signed_in = store
        .sign_in(
            &token(1).digest(),
            token(2).digest(),
            subject(),
            timestamp(0),
        )
        .await
        .unwrap();
    assert!(matches!(signed_in, SignIn::SignedIn(_)));
    let outcome = store
        .approve_session(&token(2).digest(), approval(), timestamp(0))
        .await
        .unwrap();
    assert!(matches!(outcome, ApprovalOutcome::Approved(_)));
    store
}

/// A store with a grant that was redeemed at 0, with idle expiry at 100 and absolute expiry at 250.
async fn redeemed() -> MemoryStore {
    let store = approved().await;
    assert!(matches!(redeem(&store, 0).await, Redemption::Redeemed(_)));
    store
}

async fn redeem(store: &MemoryStore, seconds: i64) -> Redemption {
    store
        .redeem_authorization_code(
            &code().digest(),
            ClientProof::Pkce,
            LIFETIMES,
            timestamp(seconds),
        )
        .await
        .unwrap()
}

async fn rotate(store: &MemoryStore, presented: u32, seconds: i64) -> Rotation {
    store
        .rotate_refresh_token(
            &grant_id(),
            Generation::new(presented),
            LIFETIMES,
            timestamp(seconds),
        )
        .await
        .unwrap()
}

fn grant(rotation: Rotation) -> Grant {
    match rotation {
        Rotation::Rotated(grant) | Rotation::Repeated(grant) => grant,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_sign_in_moves_the_session_away_from_its_old_token() {
    let store = MemoryStore::new();
    store
        .open_session(token(1).digest(), session())
        .await
        .unwrap();
    let _ = store
        .sign_in(
            &token(1).digest(),
            token(2).digest(),
            subject(),
            timestamp(1),
        )
        .await
        .unwrap();
    assert_eq!(
        store
            .session(&token(1).digest(), timestamp(1))
            .await
            .unwrap(),
        None
    );
    assert_eq!(
        store
            .session(&token(2).digest(), timestamp(599))
            .await
            .unwrap()
            .unwrap()
            .subject,
        Some(subject())
    );
    assert_eq!(
        store
            .session(&token(2).digest(), timestamp(600))
            .await
            .unwrap(),
        None
    );
}

#[tokio::test]
async fn a_token_that_is_taken_never_replaces_a_session() {
    let store = MemoryStore::new();
    store
        .open_session(token(1).digest(), session())
        .await
        .unwrap();
    store
        .open_session(token(2).digest(), session())
        .await
        .unwrap();
    assert!(
        store
            .open_session(token(1).digest(), session())
            .await
            .is_err()
    );
    assert!(
        store
            .sign_in(
                &token(1).digest(),
                token(2).digest(),
                subject(),
                timestamp(1)
            )
            .await
            .is_err()
    );
    assert_eq!(
        store
            .session(&token(1).digest(), timestamp(1))
            .await
            .unwrap(),
        Some(session())
    );
    assert_eq!(
        store
            .session(&token(2).digest(), timestamp(1))
            .await
            .unwrap(),
        Some(session())
    );
}

#[tokio::test]
async fn only_a_signed_in_session_is_approved_and_only_once() {
    let store = MemoryStore::new();
    store
        .open_session(token(1).digest(), session())
        .await
        .unwrap();
    assert_eq!(
        store
            .approve_session(&token(1).digest(), approval(), timestamp(1))
            .await
            .unwrap(),
        ApprovalOutcome::NotSignedIn
    );
    let store = approved().await;
    assert_eq!(
        store
            .approve_session(&token(2).digest(), approval(), timestamp(1))
            .await
            .unwrap(),
        ApprovalOutcome::NotFound
    );
    assert_eq!(
        store
            .close_session(&token(2).digest(), timestamp(1))
            .await
            .unwrap(),
        None
    );
}

// Proves: spec 3.9
#[tokio::test]
async fn a_code_is_spent_once_and_only_in_time() {
    let store = approved().await;
    assert_eq!(redeem(&store, 60).await, Redemption::Expired);
    assert!(matches!(redeem(&store, 59).await, Redemption::Redeemed(_)));
    assert_eq!(
        redeem(&store, 60).await,
        Redemption::AlreadyRedeemed {
            grant: grant_id(),
            at: timestamp(59)
        }
    );
    assert!(
        store
            .code_binding(&code().digest())
            .await
            .unwrap()
            .is_some()
    );
}

#[tokio::test]
async fn a_revoked_code_is_refused_before_it_is_too_late() {
    let store = approved().await;
    assert!(store.revoke_grant(&grant_id(), timestamp(1)).await.unwrap());
    assert_eq!(redeem(&store, 99).await, Redemption::Revoked);
}

#[tokio::test]
async fn a_grant_has_no_refresh_token_before_its_code_is_redeemed() {
    let store = approved().await;
    assert_eq!(store.refresh_binding(&grant_id()).await.unwrap(), None);
    assert_eq!(rotate(&store, 0, 1).await, Rotation::NotFound);
    assert!(
        !store
            .grant_is_live(&grant_id(), timestamp(1))
            .await
            .unwrap()
    );
    assert!(matches!(redeem(&store, 1).await, Redemption::Redeemed(_)));
    let AuthorizationSession { client, scopes, .. } = session();
    let binding = RefreshBinding {
        client,
        proof: ClientProof::Pkce,
        subject: subject().id,
        scopes,
        generation: Generation::FIRST,
    };
    assert_eq!(
        store.refresh_binding(&grant_id()).await.unwrap(),
        Some(binding)
    );
    assert!(
        store
            .grant_is_live(&grant_id(), timestamp(1))
            .await
            .unwrap()
    );
}

// Proves: threats 6
/// Fails if a repetition restarts the window.
#[tokio::test]
async fn the_retry_window_never_slides() {
    let store = redeemed().await;
    let successor = grant(rotate(&store, 0, 10).await);
    assert_eq!(successor.generation, Generation::new(1));
    for seconds in [10, 25, 40] {
        assert_eq!(
            rotate(&store, 0, seconds).await,
            Rotation::Repeated(successor.clone())
        );
    }
    assert_eq!(
        rotate(&store, 0, 41).await,
        Rotation::Reused { grant: grant_id() }
    );
    assert_eq!(rotate(&store, 1, 41).await, Rotation::Revoked);
    assert!(
        !store
            .grant_is_live(&grant_id(), timestamp(41))
            .await
            .unwrap()
    );
}

// Proves: threats 6
/// Fails if a token older than the previous one is repeated too.
#[tokio::test]
async fn a_used_successor_closes_the_retry_window() {
    let store = redeemed().await;
    assert!(matches!(rotate(&store, 0, 10).await, Rotation::Rotated(_)));
    assert!(matches!(rotate(&store, 1, 11).await, Rotation::Rotated(_)));
    assert_eq!(
        rotate(&store, 0, 12).await,
        Rotation::Reused { grant: grant_id() }
    );
}

#[tokio::test]
async fn a_generation_that_was_never_issued_changes_nothing() {
    let store = redeemed().await;
    assert_eq!(rotate(&store, 1, 1).await, Rotation::NotFound);
    assert!(matches!(rotate(&store, 0, 1).await, Rotation::Rotated(_)));
}

// Proves: spec 3.15
#[tokio::test]
async fn a_grant_expires_idle_and_altogether() {
    let store = redeemed().await;
    assert_eq!(rotate(&store, 0, 100).await, Rotation::Expired);
    assert_eq!(
        grant(rotate(&store, 0, 99).await).idle_expires_at,
        timestamp(199)
    );
    assert_eq!(
        grant(rotate(&store, 1, 198).await).idle_expires_at,
        timestamp(250),
        "idle outlived the grant"
    );
    assert!(
        store
            .grant_is_live(&grant_id(), timestamp(249))
            .await
            .unwrap()
    );
    assert!(
        !store
            .grant_is_live(&grant_id(), timestamp(250))
            .await
            .unwrap()
    );
    assert_eq!(rotate(&store, 2, 250).await, Rotation::Expired);
}

// Proves: threats 42
/// Fails if nothing is swept.
#[tokio::test]
async fn opening_sessions_deletes_expired_ones() {
    let store = MemoryStore::new();
    let open = async |number: u32, seconds: i64| {
        let mut digest = [0; 32];
        digest[..4].copy_from_slice(&number.to_be_bytes());
        let pending = AuthorizationSession {
            created_at: timestamp(seconds),
            expires_at: timestamp(seconds + 600),
            ..session()
        };
        store
            .open_session(crate::domain::SessionDigest::from_bytes(digest), pending)
            .await
            .unwrap();
    };
    for number in 0..100 {
        open(number, 0).await;
    }
    for number in 100..120 {
        open(number, 600 + 60).await;
    }
    assert_eq!(
        store.grants.read().unwrap().sessions.len(),
        20,
        "more rows are deleted than inserted"
    );
}

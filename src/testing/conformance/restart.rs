use super::fixtures::{
    LIFETIMES, NOW, approval, approved, at, code, grant, open_session, redeemed, session, token,
};
use super::store_under_test::{ExpectOk, ProtocolUnderTest};
use crate::domain::{ClientProof, Generation, SealedKey, SigningAlgorithm, SigningKeyRecord};
use crate::store::{
    ApprovalOutcome, Redemption, Rotation, SigningKeyInstallation, SigningKeyRevocation,
};

cases! { ProtocolStorage, restart as __conformance_restart:
    sessions_codes_and_grants_go_on_through_another_handle
    signing_keys_and_their_revocation_hold_through_another_handle
}

async fn sessions_codes_and_grants_go_on_through_another_handle(store: &ProtocolUnderTest) {
    open_session(store, 1).await;
    approved(store, 2).await;
    redeemed(store, 3).await;
    let again = store.reopened();
    assert_eq!(
        again.session(&token(1), NOW).await.expect_ok(),
        Some(session())
    );
    assert_eq!(
        again
            .approve_session(&token(1), approval(1), NOW)
            .await
            .expect_ok(),
        ApprovalOutcome::NotSignedIn
    );
    let redemption = again
        .redeem_authorization_code(&code(2), ClientProof::Pkce, LIFETIMES, NOW)
        .await
        .expect_ok();
    assert!(
        matches!(redemption, Redemption::Redeemed(_)),
        "a code is valid through any handle, not {redemption:?}"
    );
    let replay = store
        .redeem_authorization_code(&code(2), ClientProof::Pkce, LIFETIMES, NOW)
        .await
        .expect_ok();
    assert_eq!(
        replay,
        Redemption::AlreadyRedeemed {
            grant: grant(2),
            at: NOW
        },
        "and redeemed through every handle"
    );
    let rotation = again
        .rotate_refresh_token(&grant(3), Generation::FIRST, LIFETIMES, at(1))
        .await
        .expect_ok();
    assert!(
        matches!(rotation, Rotation::Rotated(_)),
        "a refresh token is valid through any handle, not {rotation:?}"
    );
    assert!(store.revoke_grant(&grant(3), at(2)).await.expect_ok());
    assert!(
        !again.grant_is_live(&grant(3), at(2)).await.expect_ok(),
        "a revocation through one handle holds through all"
    );
}

async fn signing_keys_and_their_revocation_hold_through_another_handle(store: &ProtocolUnderTest) {
    assert_eq!(
        store.install_signing_key(signing_key()).await.expect_ok(),
        SigningKeyInstallation::Installed
    );
    let again = store.reopened();
    assert_eq!(again.signing_keys().await.expect_ok(), [signing_key()]);
    assert_eq!(
        store
            .revoke_signing_key(&signing_key().id, at(5))
            .await
            .expect_ok(),
        SigningKeyRevocation::Revoked
    );
    assert_eq!(
        again.signing_keys().await.expect_ok(),
        [SigningKeyRecord {
            revoked_at: Some(at(5)),
            ..signing_key()
        }],
        "a key revoked through one handle is revoked through all"
    );
}

fn signing_key() -> SigningKeyRecord {
    SigningKeyRecord {
        sequence: 1,
        id: "a".repeat(43).parse().expect("a key id"),
        algorithm: SigningAlgorithm::Rs256,
        sealed: SealedKey::from_bytes(vec![7; 100]),
        created_at: NOW,
        revoked_at: None,
    }
}

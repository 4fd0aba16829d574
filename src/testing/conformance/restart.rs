use std::time::Duration;

use super::directory_fixtures::day;
use super::fixtures::{
    LIFETIMES, NOW, account, api_key, application, approval, approved, at, client, code,
    definition, grant, open_session, owner, redeemed, renewal, scopes, session, signed_in, token,
};
use super::store_under_test::{ExpectOk, StoreUnderTest};
use crate::domain::{
    ApiKey, ApiKeyDailyUsage, ClientProof, Consent, DateRange, Generation, PageRequest, SealedKey,
    SigningAlgorithm, SigningKeyRecord,
};
use crate::store::{
    Approval, ApprovalOutcome, ClientCreation, ConsentMode, Creation, GrantRevocation, Redemption,
    Renewal, Rotation, ScopeApproval, ScopeCreation, SigningKeyInstallation, SigningKeyRevocation,
};

pub(super) async fn accounts_keys_and_the_registry_are_there_through_another_handle(
    store: &StoreUnderTest,
) {
    let record = signing_key();
    assert_eq!(
        store
            .create_account(account(1, "a@school.example"))
            .await
            .expect_ok(),
        Creation::Created
    );
    assert_eq!(
        store.create_api_key(api_key(1)).await.expect_ok(),
        Creation::Created
    );
    let day = day("2026-09-21");
    store
        .record_api_key_usage(vec![ApiKeyDailyUsage {
            key: api_key(1).id,
            day,
            calls: 7,
            last_used_at: at(3),
        }])
        .await
        .expect_ok();
    let renewing = store
        .renew_api_key(api_key(1).id, renewal(2, Duration::from_secs(60)), at(4))
        .await
        .expect_ok();
    assert!(matches!(renewing, Renewal::Renewed(_)));
    assert!(store.revoke_api_key(api_key(1).id, at(5)).await.expect_ok());
    assert_eq!(
        store.create_application(application(1)).await.expect_ok(),
        Creation::Created
    );
    assert_eq!(
        store
            .create_scope(definition(1, &application(1), "read"))
            .await
            .expect_ok(),
        ScopeCreation::Created
    );
    assert_eq!(
        store.create_client(client(1)).await.expect_ok(),
        ClientCreation::Created
    );
    assert_eq!(
        store.install_signing_key(record.clone()).await.expect_ok(),
        SigningKeyInstallation::Installed
    );

    let again = store.reopened();
    assert_eq!(
        again
            .account_by_email(&account(1, "A@school.example").email)
            .await
            .expect_ok()
            .map(|found| found.id),
        Some(account(1, "a@b").id)
    );
    let used = ApiKey {
        last_used_at: Some(at(3)),
        ..api_key(1)
    };
    let renewed = used
        .renewed(renewal(2, Duration::from_secs(60)), at(4))
        .expect("one more value may work");
    for number in [1, 2] {
        let key = again.api_key(&api_key(number).digest).await.expect_ok();
        assert_eq!(
            key.as_deref(),
            Some(&ApiKey {
                revoked_at: Some(at(5)),
                ..renewed.clone()
            }),
            "value {number}"
        );
    }
    assert_eq!(
        again
            .api_key_usage(api_key(1).id, DateRange::single_day(day))
            .await
            .expect_ok(),
        [(day, 7)]
    );
    assert_eq!(
        again.application(application(1).id).await.expect_ok(),
        Some(application(1))
    );
    let expected = definition(1, &application(1), "read");
    assert_eq!(
        again
            .scope_definitions(&[expected.scope.clone()].into_iter().collect())
            .await
            .expect_ok(),
        [expected]
    );
    assert_eq!(
        again.client(client(1).id).await.expect_ok().as_deref(),
        Some(&client(1))
    );
    assert_eq!(again.signing_keys().await.expect_ok(), [record]);
    assert_eq!(
        again
            .create_account(account(2, "a@school.example"))
            .await
            .expect_ok(),
        Creation::AlreadyExists
    );
}

pub(super) async fn sessions_codes_and_grants_go_on_through_another_handle(store: &StoreUnderTest) {
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

pub(super) async fn consents_approvals_and_revocations_hold_through_another_handle(
    store: &StoreUnderTest,
) {
    let scope = definition(1, &application(1), "read");
    assert_eq!(
        store.create_application(application(1)).await.expect_ok(),
        Creation::Created
    );
    assert_eq!(
        store.create_scope(scope.clone()).await.expect_ok(),
        ScopeCreation::Created
    );
    signed_in(store, 1).await;
    let approval = Approval {
        consent_mode: ConsentMode::Remembered,
        ..approval(1)
    };
    let approving = store
        .approve_session(&token(1), approval, NOW)
        .await
        .expect_ok();
    assert!(matches!(approving, ApprovalOutcome::Approved(_)));
    assert_eq!(
        store
            .approve_scope(scope.id, client(1).id, NOW)
            .await
            .expect_ok(),
        ScopeApproval::Approved
    );
    assert_eq!(
        store.install_signing_key(signing_key()).await.expect_ok(),
        SigningKeyInstallation::Installed
    );
    assert_eq!(
        store
            .revoke_signing_key(&signing_key().id, at(5))
            .await
            .expect_ok(),
        SigningKeyRevocation::Revoked
    );

    let again = store.reopened();
    let consent = again.consent(&owner(), &client(1).id).await.expect_ok();
    assert_eq!(
        consent,
        Some(Consent {
            scopes: scopes(),
            granted_at: NOW
        }),
        "a consent is remembered"
    );
    let approved = again
        .clients_of_scope(scope.id, PageRequest::new(0, 9).expect("a page"))
        .await
        .expect_ok();
    assert!(
        approved
            .items
            .iter()
            .any(|found| found.client == client(1).id && found.approved),
        "an approval of a client holds"
    );
    let keys = again.signing_keys().await.expect_ok();
    assert_eq!(
        keys,
        [SigningKeyRecord {
            revoked_at: Some(at(5)),
            ..signing_key()
        }],
        "a revoked key stays revoked"
    );
    assert_eq!(
        again
            .revoke_grant_and_consent(&owner(), &grant(1), at(6))
            .await
            .expect_ok(),
        GrantRevocation::Revoked
    );
    assert!(
        again
            .revoke_scope_approval(scope.id, client(1).id)
            .await
            .expect_ok()
    );
    assert_eq!(
        store.consent(&owner(), &client(1).id).await.expect_ok(),
        None,
        "a consent withdrawn through one handle is deleted through all"
    );
    assert_eq!(
        store
            .clients_of_scope(scope.id, PageRequest::new(0, 9).expect("a page"))
            .await
            .expect_ok()
            .total,
        0
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

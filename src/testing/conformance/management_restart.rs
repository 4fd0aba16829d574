use std::time::Duration;

use super::directory_fixtures::day;
use super::fixtures::{
    NOW, account, api_key, application, approval, approve, at, client, definition, grant, owner,
    renewal, scopes, signed_in, token,
};
use super::store_under_test::{ExpectCreated, ExpectOk, StoreUnderTest};
use crate::domain::{ApiKey, ApiKeyDailyUsage, Consent, DailyCalls, DateRange, PageRequest};
use crate::store::{Approval, ConsentMode, Creation, GrantRevocation, Renewal, ScopeApproval};

cases! { Storage, management_restart as __conformance_management_restart:
    accounts_keys_and_the_registry_are_there_through_another_handle
    consents_and_approvals_hold_through_another_handle
}

async fn accounts_keys_and_the_registry_are_there_through_another_handle(store: &StoreUnderTest) {
    store
        .create_account(account(1, "a@school.example"))
        .await
        .expect_created();
    store.create_api_key(api_key(1)).await.expect_created();
    let day = day("2026-09-21");
    store
        .record_api_key_usage(vec![ApiKeyDailyUsage {
            key: api_key(1).id,
            day,
            calls: 7,
            errors: 3,
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
    store.fixtures().create_application(application(1)).await;
    store
        .fixtures()
        .create_scope(definition(1, &application(1), "read"))
        .await;
    store.fixtures().create_client(client(1)).await;

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
        [DailyCalls {
            day,
            calls: 7,
            errors: 3
        }]
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
    assert_eq!(
        again
            .create_account(account(2, "a@school.example"))
            .await
            .expect_ok(),
        Creation::AlreadyExists
    );
}

async fn consents_and_approvals_hold_through_another_handle(store: &StoreUnderTest) {
    let scope = definition(1, &application(1), "read");
    store.fixtures().create_application(application(1)).await;
    store.fixtures().create_scope(scope.clone()).await;
    signed_in(store, 1).await;
    let approval = Approval {
        consent_mode: ConsentMode::Remembered,
        ..approval(1)
    };
    approve(store, &token(1), approval, NOW).await;
    assert_eq!(
        store
            .approve_scope(scope.id, client(1).id, NOW)
            .await
            .expect_ok(),
        ScopeApproval::Approved
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

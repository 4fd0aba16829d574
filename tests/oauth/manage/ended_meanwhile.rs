//! Requests that were authenticated just before their user's access ended.

use std::sync::Arc;

use http::Method;
use lyceum::store::Storage;

use super::*;
use crate::stores::new_store;
use crate::token::harness::AfterLookup;

/// A request of the owner, who signs out everywhere right after it is authenticated.
async fn ask_while_signing_out(
    management: &ManagementClient,
    path: &str,
    body: Option<Value>,
) -> TestResponse {
    management.harness.users.sign_in_as("owner", Role::User);
    let token = management
        .harness
        .tokens_for(&management.console, "service:manage")
        .await
        .access;
    management.harness.users.after_lookup(
        "owner",
        AfterLookup::SignsOut(management.harness.store.clone()),
    );
    management.ask(&token, Method::POST, path, body).await
}

fn assert_lost(answer: &TestResponse) {
    assert_eq!(
        refusal(answer),
        refused(401, "invalid_token", ""),
        "{answer:?}"
    );
    assert!(
        answer.header("www-authenticate").contains("invalid_token"),
        "{answer:?}"
    );
}

async fn harness() -> (ManagementClient, Arc<dyn Storage>) {
    let store = new_store().await;
    let keys = store.clone();
    (
        ManagementClient::with_harness(
            Harness::with_store(store.clone(), |builder| builder.api_keys(keys)).await,
        )
        .await,
        store,
    )
}

/// Fails if the grant is checked only before the key is issued.
#[tokio::test]
async fn an_api_key_issued_during_sign_out_everywhere_is_revoked() {
    let (management, store) = harness().await;
    assert_lost(&ask_while_signing_out(&management, "/v1/api-keys", Some(api_key())).await);
    let owner = "owner".parse().unwrap();
    let keys = store
        .api_keys(
            Some(&owner),
            lyceum::domain::PageRequest::new(0, 9).unwrap(),
        )
        .await
        .unwrap();
    assert!(
        keys.items.iter().all(|key| key.revoked_at.is_some()),
        "{keys:?}"
    );
}

/// Fails if the new value is shown, or the owner's key is revoked.
#[tokio::test]
async fn a_renewed_key_is_not_shown_after_a_concurrent_sign_out_everywhere() {
    let (management, store) = harness().await;
    let key = management
        .post(&management.owner, "/v1/api-keys", api_key())
        .await;
    assert_lost(
        &ask_while_signing_out(
            &management,
            &format!("/v1/api-keys/{}/renew", text(&key["id"])),
            None,
        )
        .await,
    );
    let kept = store
        .api_key_by_id(text(&key["id"]).parse().unwrap())
        .await
        .unwrap()
        .unwrap();
    assert!(kept.revoked_at.is_none(), "{kept:?}");
}

/// Fails if a client, an application or a secret remains although its creator's access ended.
#[tokio::test]
async fn a_registration_during_sign_out_everywhere_is_undone() {
    let (management, _) = harness().await;
    assert_lost(&ask_while_signing_out(&management, "/v1/clients", Some(client())).await);
    assert_lost(
        &ask_while_signing_out(
            &management,
            "/v1/applications",
            Some(json!({"name": "Club portal"})),
        )
        .await,
    );
    for (path, member) in [
        ("/v1/clients", "clients"),
        ("/v1/applications", "applications"),
    ] {
        management.harness.users.sign_in_as("owner", Role::User);
        let token = management
            .harness
            .tokens_for(&management.console, "service:manage")
            .await
            .access;
        assert_eq!(
            management.get(&token, path).await[member],
            json!([]),
            "{path}"
        );
    }
    management.harness.users.sign_in_as("owner", Role::User);
    let token = management
        .harness
        .tokens_for(&management.console, "service:manage")
        .await
        .access;
    let client = management.post(&token, "/v1/clients", client()).await;
    assert_lost(
        &ask_while_signing_out(
            &management,
            &format!("/v1/clients/{}/secrets", text(&client["id"])),
            None,
        )
        .await,
    );
}

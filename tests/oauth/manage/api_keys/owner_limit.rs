//! The maximum number of keys of a user.

use lyceum::http::auth_server::AuthServerBuilder;

use super::*;

// Proves: threats 40
/// Fails if a user gets more requests by creating more keys.
#[tokio::test]
async fn a_user_gets_twenty_keys_and_another_a_day_after_one_is_deleted() {
    let keys = ApiKeyHarness::new().await;
    let management = &keys.management;
    for token in [&management.owner, &management.admin] {
        let mut last = Value::Null;
        for _ in 0..20 {
            last = management.post(token, PATH, api_key()).await;
        }
        let answer = management
            .ask(token, Method::POST, PATH, Some(api_key()))
            .await;
        assert_eq!(refusal(&answer), refused(409, "too_many_api_keys", ""));
        assert!(
            answer.json()["message"]
                .as_str()
                .unwrap()
                .contains("limit of 20 API keys. A deleted one counts for a day"),
            "{:?}",
            answer.json()
        );
        management
            .delete(token, &format!("{PATH}/{}", text(&last["id"])))
            .await;
        assert_eq!(
            refusal(
                &management
                    .ask(token, Method::POST, PATH, Some(api_key()))
                    .await
            ),
            refused(409, "too_many_api_keys", "")
        );
    }
    assert_eq!(
        management.get(&management.owner, PATH).await["totalElements"],
        19
    );
    management.harness.clock.advance(Duration::from_secs(DAY));
    management.harness.users.sign_in_as("owner", Role::User);
    let token = management
        .harness
        .tokens_for(&management.console, "service:manage")
        .await
        .access;
    management.post(&token, PATH, api_key()).await;
    assert_eq!(
        management
            .ask(&token, Method::POST, PATH, Some(api_key()))
            .await
            .status,
        409
    );
}

// Proves: spec 2.12
/// Fails if a user exceeds the limit by letting keys expire, issuing others and renewing the first.
#[tokio::test]
async fn a_key_that_expired_counts_until_it_is_deleted() {
    let (store, one) = (new_store().await, |builder: AuthServerBuilder| {
        builder.api_keys_per_owner(1)
    });
    let keys: Arc<dyn ApiKeyStore> = store.clone();
    let management = ManagementClient::with_harness(
        Harness::with_store(store, |builder| one(builder.api_keys(keys))).await,
    )
    .await;
    let made = management.post(&management.owner, PATH, api_key()).await;
    management
        .harness
        .clock
        .advance(Duration::from_secs(31 * DAY));
    management.harness.users.sign_in_as("owner", Role::User);
    let token = management
        .harness
        .tokens_for(&management.console, "service:manage")
        .await
        .access;
    assert_eq!(
        refusal(
            &management
                .ask(&token, Method::POST, PATH, Some(api_key()))
                .await
        ),
        refused(409, "too_many_api_keys", "")
    );
    management
        .post(
            &token,
            &format!("{PATH}/{}/renew", text(&made["id"])),
            json!({}),
        )
        .await;
    management
        .delete(&token, &format!("{PATH}/{}", text(&made["id"])))
        .await;
    management.harness.clock.advance(Duration::from_secs(DAY));
    let token = management
        .harness
        .tokens_for(&management.console, "service:manage")
        .await
        .access;
    management.post(&token, PATH, api_key()).await;
}

use http::Method;
use lyceum::domain::{ClientPolicy, Role};
use serde_json::json;

use super::*;
use crate::token::harness::START;

// Proves: spec 3.7
#[tokio::test]
async fn a_user_lists_and_revokes_grants() {
    let management = ManagementClient::new().await;
    management.harness.users.sign_in_as("owner", Role::User);
    let client = management.harness.client(ClientPolicy::Public).await;
    let tokens = management
        .harness
        .tokens_for(&client, "service:self_read")
        .await;
    let all = management.get(&management.owner, "/v1/grants").await;
    let grants = all["grants"].as_array().unwrap();
    assert_eq!(grants.len(), 2, "the console and this one");
    let grant = grants
        .iter()
        .find(|grant| grant["clientId"] == client.id)
        .unwrap();
    let expected = json!({
        "id": grant["id"], "clientId": client.id, "clientName": "Timetable", "scopes": ["service:self_read"], "since": START.seconds(),
        "lastUsedAt": START.seconds(),
    });
    assert_eq!(*grant, expected);

    let path = format!("/v1/grants/{}", text(&grant["id"]));
    for stranger in [&management.other, &management.admin] {
        assert_eq!(
            refusal(&management.ask(stranger, Method::DELETE, &path, None).await),
            refused(404, "not_found", "")
        );
        assert!(
            !management
                .get(stranger, "/v1/grants")
                .await
                .to_string()
                .contains(&client.id)
        );
    }
    assert_eq!(
        management.harness.user_info(&tokens.access).await.status,
        200
    );
    assert_eq!(management.delete(&management.owner, &path).await, json!({}));
    assert_eq!(
        management.harness.user_info(&tokens.access).await.status,
        401
    );
    assert_eq!(
        management.get(&management.owner, "/v1/grants").await["grants"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    for nothing in [NOBODY, "nothing"] {
        let answer = management
            .ask(
                &management.owner,
                Method::DELETE,
                &format!("/v1/grants/{nothing}"),
                None,
            )
            .await;
        assert_eq!(refusal(&answer), refused(404, "not_found", ""));
    }
}

#[tokio::test]
async fn a_console_whose_grant_is_revoked_can_refresh_nothing() {
    let management = ManagementClient::new().await;
    let grant = text(&management.get(&management.owner, "/v1/grants").await["grants"][0]["id"]);
    management
        .delete(&management.owner, &format!("/v1/grants/{grant}"))
        .await;
    let answer = management
        .ask(&management.owner, Method::GET, "/v1/grants", None)
        .await;
    assert_eq!(refusal(&answer), refused(401, "invalid_token", ""));
}

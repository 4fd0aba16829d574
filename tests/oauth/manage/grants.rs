use http::Method;
use lyceum::domain::{ClientPolicy, Role};
use serde_json::json;

use super::*;
use crate::token::world::START;

#[tokio::test]
async fn decision_3_7_a_user_sees_what_has_access_and_takes_it_back() {
    let desk = Desk::new().await;
    desk.world.users.enter("owner", Role::User);
    let client = desk.world.client(ClientPolicy::Public).await;
    let tokens = desk.world.tokens_for(&client, "service:self_read").await;
    let all = desk.get(&desk.owner, "/v1/grants").await;
    let grants = all["grants"].as_array().unwrap();
    assert_eq!(grants.len(), 2, "the console and this one");
    let grant = grants.iter().find(|grant| grant["clientId"] == client.id).unwrap();
    let expected = json!({
        "id": grant["id"], "clientId": client.id, "clientName": "Timetable", "scopes": ["service:self_read"], "since": START.seconds(),
        "lastUsedAt": START.seconds(),
    });
    assert_eq!(*grant, expected);

    let path = format!("/v1/grants/{}", text(&grant["id"]));
    for stranger in [&desk.other, &desk.admin] {
        assert_eq!(refusal(&desk.ask(stranger, Method::DELETE, &path, None).await), refused(404, "not_found", ""));
        assert!(!desk.get(stranger, "/v1/grants").await.to_string().contains(&client.id));
    }
    assert_eq!(desk.world.user_info(&tokens.access).await.status, 200);
    assert_eq!(desk.delete(&desk.owner, &path).await, json!({}));
    assert_eq!(desk.world.user_info(&tokens.access).await.status, 401);
    assert_eq!(desk.get(&desk.owner, "/v1/grants").await["grants"].as_array().unwrap().len(), 1);
    for nothing in [NOBODY, "nothing"] {
        let answer = desk.ask(&desk.owner, Method::DELETE, &format!("/v1/grants/{nothing}"), None).await;
        assert_eq!(refusal(&answer), refused(404, "not_found", ""));
    }
}

#[tokio::test]
async fn a_console_that_is_taken_back_can_ask_for_nothing_more() {
    let desk = Desk::new().await;
    let grant = text(&desk.get(&desk.owner, "/v1/grants").await["grants"][0]["id"]);
    desk.delete(&desk.owner, &format!("/v1/grants/{grant}")).await;
    let answer = desk.ask(&desk.owner, Method::GET, "/v1/grants", None).await;
    assert_eq!(refusal(&answer), refused(401, "invalid_token", ""));
}

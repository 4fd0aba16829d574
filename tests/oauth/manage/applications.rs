use http::Method;
use serde_json::json;

use super::*;
use crate::token::world::START;

#[tokio::test]
async fn decision_4_an_application_and_its_scopes_live_and_go() {
    let desk = Desk::new().await;
    let made = desk.post(&desk.owner, "/v1/applications", json!({"name": "Club portal"})).await;
    let path = format!("/v1/applications/{}", text(&made["id"]));
    let bare = json!({"id": made["id"], "name": "Club portal", "owner": "owner", "createdAt": START.seconds()});
    assert_eq!(made, with(bare.clone(), "scopes", json!([])));
    assert_eq!(desk.get(&desk.owner, &path).await, made);
    let listed = desk.get(&desk.owner, "/v1/applications").await;
    assert_eq!(listed, json!({"totalPages": 1, "totalElements": 1, "applications": [bare]}));

    let scope = json!({"scopeName": "read", "description": "See your clubs", "approvalRequired": true});
    let scope = desk.post(&desk.owner, &format!("{path}/scopes"), scope).await;
    let expected = json!({
        "id": scope["id"], "scope": format!("{}:read", text(&made["id"])), "scopeName": "read", "description": "See your clubs",
        "approvalRequired": true,
    });
    assert_eq!(scope, expected);
    assert_eq!(desk.get(&desk.owner, &path).await["scopes"], json!([scope]));
    let listed = desk.get(&desk.owner, &format!("{path}/scopes")).await;
    assert_eq!(listed, json!({"totalPages": 1, "totalElements": 1, "scopes": [scope]}));

    let scope_path = format!("{path}/scopes/{}", text(&scope["id"]));
    let changed = desk.patch(&desk.owner, &scope_path, json!({"description": "See all clubs"})).await;
    assert_eq!(changed, with(scope.clone(), "description", json!("See all clubs")), "what was not sent stays");
    let changed = desk.patch(&desk.owner, &scope_path, json!({"approvalRequired": false})).await;
    assert_eq!((&changed["description"], &changed["approvalRequired"]), (&json!("See all clubs"), &json!(false)));
    assert_eq!(desk.patch(&desk.owner, &scope_path, json!({})).await, changed);

    let renamed = desk.patch(&desk.owner, &path, json!({"name": "Clubs"})).await;
    assert_eq!((&renamed["name"], &renamed["scopes"]), (&json!("Clubs"), &json!([changed])));
    assert_eq!(desk.patch(&desk.owner, &path, json!({})).await, renamed);

    let client = with(client(), "allowedScopes", json!([scope["scope"]]));
    let client = desk.post(&desk.owner, "/v1/clients", client).await;
    let client_path = format!("/v1/clients/{}", text(&client["id"]));
    assert_eq!(desk.delete(&desk.owner, &scope_path).await, json!({}));
    assert_eq!(desk.get(&desk.owner, &client_path).await["allowedScopes"], json!([]), "decisions 3.17");
    assert_eq!(desk.delete(&desk.owner, &path).await, json!({}));
    for gone in [path, scope_path] {
        let again = desk.ask(&desk.owner, Method::DELETE, &gone, None).await;
        assert_eq!(refusal(&again), refused(404, "not_found", ""));
    }
    assert_eq!(desk.get(&desk.owner, "/v1/applications").await["applications"], json!([]));
}

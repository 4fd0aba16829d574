use http::Method;
use serde_json::json;

use super::*;
use crate::token::harness::START;

// Proves: spec 4, spec 3.26
#[tokio::test]
async fn an_application_and_its_scopes_are_created_changed_and_deleted() {
    let management = ManagementClient::new().await;
    let made = management
        .post(
            &management.owner,
            "/v1/applications",
            json!({"name": "Club portal"}),
        )
        .await;
    let path = format!("/v1/applications/{}", text(&made["id"]));
    let bare = json!({"id": made["id"], "name": "Club portal", "owner": "owner", "createdAt": START.seconds()});
    assert_eq!(made, with(bare.clone(), "scopes", json!([])));
    assert_eq!(management.get(&management.owner, &path).await, made);
    let listed = management.get(&management.owner, "/v1/applications").await;
    assert_eq!(
        listed,
        json!({"totalPages": 1, "totalElements": 1, "applications": [bare]})
    );

    let scope =
        json!({"scopeName": "read", "description": "See your clubs", "approvalRequired": true});
    let scope = management
        .post(&management.owner, &format!("{path}/scopes"), scope)
        .await;
    let expected = json!({
        "id": scope["id"], "scope": format!("{}:read", text(&made["id"])), "scopeName": "read", "description": "See your clubs",
        "approvalRequired": true,
    });
    assert_eq!(scope, expected);
    assert_eq!(
        management.get(&management.owner, &path).await["scopes"],
        json!([scope])
    );
    let listed = management
        .get(&management.owner, &format!("{path}/scopes"))
        .await;
    assert_eq!(
        listed,
        json!({"totalPages": 1, "totalElements": 1, "scopes": [scope]})
    );

    let scope_path = format!("{path}/scopes/{}", text(&scope["id"]));
    let changed = management
        .patch(
            &management.owner,
            &scope_path,
            json!({"description": "See all clubs"}),
        )
        .await;
    assert_eq!(
        changed,
        with(scope.clone(), "description", json!("See all clubs")),
        "absent fields are unchanged"
    );
    let changed = management
        .patch(
            &management.owner,
            &scope_path,
            json!({"approvalRequired": false}),
        )
        .await;
    assert_eq!(
        (&changed["description"], &changed["approvalRequired"]),
        (&json!("See all clubs"), &json!(false))
    );
    assert_eq!(
        management
            .patch(&management.owner, &scope_path, json!({}))
            .await,
        changed
    );

    let renamed = management
        .patch(&management.owner, &path, json!({"name": "Clubs"}))
        .await;
    assert_eq!(
        (&renamed["name"], &renamed["scopes"]),
        (&json!("Clubs"), &json!([changed]))
    );
    assert_eq!(
        management.patch(&management.owner, &path, json!({})).await,
        renamed
    );

    let client = with(client(), "allowedScopes", json!([scope["scope"]]));
    let client = management
        .post(&management.owner, "/v1/clients", client)
        .await;
    let client_path = format!("/v1/clients/{}", text(&client["id"]));
    assert_eq!(
        management.delete(&management.owner, &scope_path).await,
        json!({})
    );
    assert_eq!(
        management.get(&management.owner, &client_path).await["allowedScopes"],
        json!([]),
        "spec 3.17"
    );
    assert_eq!(management.delete(&management.owner, &path).await, json!({}));
    for gone in [path, scope_path] {
        let again = management
            .ask(&management.owner, Method::DELETE, &gone, None)
            .await;
        assert_eq!(refusal(&again), refused(404, "not_found", ""));
    }
    assert_eq!(
        management.get(&management.owner, "/v1/applications").await["applications"],
        json!([])
    );
}

use http::Method;
use serde_json::json;

use super::*;
use crate::token::world::START;

/// Fails if the field is taken from anybody, or from the body of a new client.
#[tokio::test]
async fn s36_only_an_administrator_verifies_a_client() {
    let desk = Desk::new().await;
    let answer = desk.ask(&desk.owner, Method::POST, "/v1/clients", Some(with(client(), "verified", json!(true)))).await;
    assert_eq!(refusal(&answer), refused(403, "administrators_only", "verified"));
    let made = desk.client().await;
    assert_eq!((&made["verified"], &made["verifiedAt"]), (&json!(false), &json!(null)));
    let path = format!("/v1/clients/{}", text(&made["id"]));
    let answer = desk.ask(&desk.owner, Method::PATCH, &path, Some(json!({"verified": true}))).await;
    assert_eq!(refusal(&answer), refused(403, "administrators_only", "verified"));
    for name in ["verifiedAt", "verifiedBy"] {
        let answer = desk.ask(&desk.admin, Method::PATCH, &path, Some(with(json!({}), name, json!(1)))).await;
        assert_eq!(refusal(&answer), refused(400, "field_unknown", name), "the service itself says when, and who");
    }
    desk.patch(&desk.owner, &path, json!({"verified": false})).await; // as it was

    let verified = desk.patch(&desk.admin, &path, json!({"verified": true})).await;
    assert_eq!((&verified["verified"], &verified["verifiedAt"]), (&json!(true), &json!(START.seconds())));
    let answer = desk.ask(&desk.owner, Method::PATCH, &path, Some(json!({"verified": false}))).await;
    assert_eq!(refusal(&answer), refused(403, "administrators_only", "verified"));
    let taken_back = desk.patch(&desk.admin, &path, json!({"verified": false})).await;
    assert_eq!((&taken_back["verified"], &taken_back["verifiedAt"]), (&json!(false), &json!(null)));

    let made = desk.post(&desk.admin, "/v1/clients", client()).await;
    assert_eq!(made["verified"], false, "nobody has said that it was reviewed");
    let made = desk.post(&desk.admin, "/v1/clients", with(client(), "verified", json!(true))).await;
    assert_eq!((&made["verified"], &made["verifiedAt"]), (&json!(true), &json!(START.seconds())));
}

#[tokio::test]
async fn one_of_the_services_own_clients_is_verified() {
    let desk = Desk::new().await;
    let own = desk.post(&desk.admin, "/v1/clients", with(client(), "firstParty", json!(true))).await;
    assert_eq!((&own["verified"], &own["verifiedAt"]), (&json!(true), &json!(null)));
    let path = format!("/v1/clients/{}", text(&own["id"]));
    let answer = desk.ask(&desk.admin, Method::PATCH, &path, Some(json!({"verified": false}))).await;
    assert_eq!(refusal(&answer), refused(400, "field_invalid", "verified"));
    let other = desk.patch(&desk.admin, &path, json!({"firstParty": false})).await;
    assert_eq!(other["verified"], false, "as an app of somebody's it was never reviewed");
}

/// Fails if a reviewed client's owner can send its users elsewhere, or show them another name, in the trust that an administrator gave.
#[tokio::test]
async fn a_client_is_unverified_again_when_its_owner_changes_what_was_reviewed() {
    let desk = Desk::new().await;
    let made = desk.client().await;
    let path = format!("/v1/clients/{}", text(&made["id"]));
    let two = json!([CALLBACK, "https://app.example/other"]);
    for (change, stays) in [
        (json!({"name": "School bank"}), false),
        (json!({"redirectUris": ["https://evil.example/"]}), false),
        (json!({"redirectUris": [CALLBACK, "https://app.example/other", "https://evil.example/"]}), false),
        (json!({"redirectUris": ["https://app.example/other", CALLBACK]}), true),
        (json!({"redirectUris": [CALLBACK]}), true),
        (json!({"redirectUris": []}), true),
        (json!({"name": "Club app", "redirectUris": two}), true),
        (json!({"policy": "secret", "pkceRequired": true, "issOmitted": true, "allowedScopes": []}), true),
        (json!({"name": "School bank", "verified": true}), false),
    ] {
        let reviewed = json!({"name": "Club app", "redirectUris": two, "verified": true});
        assert_eq!(desk.patch(&desk.admin, &path, reviewed).await["verified"], true);
        let changed = desk.patch(&desk.owner, &path, change.clone()).await;
        assert_eq!(changed["verified"], stays, "{change}");
        assert_eq!(changed["verifiedAt"].is_null(), !stays, "{change}");
    }
    let renamed = desk.patch(&desk.admin, &path, json!({"name": "Club portal", "verified": true})).await;
    assert_eq!(renamed["verified"], true);
    let renamed = desk.patch(&desk.admin, &path, json!({"name": "Clubs", "redirectUris": ["https://clubs.example/"]})).await;
    assert_eq!(renamed["verified"], true, "an administrator has seen what an administrator changes");
}

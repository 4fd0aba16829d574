use http::Method;
use serde_json::json;

use super::*;

#[tokio::test]
async fn decision_4_another_owners_client_lists_a_scope_once_it_is_approved() {
    let desk = Desk::new().await;
    let (application, id) = desk.application().await;
    let scope_path = format!("/v1/applications/{application}/scopes/{id}");
    let scope = text(&desk.patch(&desk.owner, &scope_path, json!({"approvalRequired": true})).await["scope"]);

    let wish = with(client(), "allowedScopes", json!([scope]));
    let early = desk.ask(&desk.other, Method::POST, "/v1/clients", Some(wish)).await;
    assert_eq!(refusal(&early), refused(403, "approval_required", "allowedScopes"));
    let made = text(&desk.post(&desk.other, "/v1/clients", client()).await["id"]);
    let (client_path, approval) = (format!("/v1/clients/{made}"), format!("{scope_path}/clients/{made}"));
    let wish = json!({"allowedScopes": [scope]});
    let early = desk.ask(&desk.other, Method::PATCH, &client_path, Some(wish.clone())).await;
    assert_eq!(refusal(&early), refused(403, "approval_required", "allowedScopes"));
    let by_the_client = desk.ask(&desk.other, Method::PUT, &approval, None).await;
    assert_eq!(refusal(&by_the_client), refused(403, "not_owner", ""));

    assert_eq!(desk.put(&desk.owner, &approval).await, json!({}));
    assert_eq!(desk.put(&desk.owner, &approval).await, json!({}), "twice is as good");
    let approved = desk.get(&desk.owner, &format!("{scope_path}/clients")).await;
    assert_eq!(approved, json!({"totalPages": 1, "totalElements": 1, "clients": [{"clientId": made, "approved": true, "listed": false}]}));
    assert_eq!(desk.patch(&desk.other, &client_path, wish).await["allowedScopes"], json!([scope]));

    assert_eq!(desk.delete(&desk.owner, &approval).await, json!({}));
    assert_eq!(desk.get(&desk.other, &client_path).await["allowedScopes"], json!([]));
    assert_eq!(refusal(&desk.ask(&desk.owner, Method::DELETE, &approval, None).await), refused(404, "not_found", ""));
    for nobody in [NOBODY, "nobody"] {
        let answer = desk.ask(&desk.owner, Method::PUT, &format!("{scope_path}/clients/{nobody}"), None).await;
        assert_eq!(refusal(&answer), refused(404, "not_found", ""));
    }
}

#[tokio::test]
async fn decision_3_17_whoever_listed_a_scope_before_it_needed_approval_is_seen_and_loses_it() {
    let desk = Desk::new().await;
    let (application, id) = desk.application().await;
    let scope_path = format!("/v1/applications/{application}/scopes/{id}");
    let scope = text(&desk.get(&desk.owner, &format!("/v1/applications/{application}")).await["scopes"][0]["scope"]);
    let wish = with(client(), "allowedScopes", json!([scope]));
    let early = text(&desk.post(&desk.other, "/v1/clients", wish.clone()).await["id"]);
    let own = text(&desk.post(&desk.owner, "/v1/clients", wish).await["id"]);
    desk.patch(&desk.owner, &scope_path, json!({"approvalRequired": true})).await;

    let list = format!("{scope_path}/clients");
    let mut listed = [&early, &own].map(|id| json!({"clientId": id, "approved": false, "listed": true}));
    listed.sort_by_key(|client| text(&client["clientId"]));
    let [first, second] = &listed;
    assert_eq!(desk.get(&desk.owner, &list).await, json!({"totalPages": 1, "totalElements": 2, "clients": [first, second]}));
    let last = desk.get(&desk.owner, &format!("{list}?page=1&size=1")).await;
    assert_eq!(last, json!({"totalPages": 2, "totalElements": 2, "clients": [second]}));
    assert_eq!(refusal(&desk.ask(&desk.other, Method::GET, &list, None).await), refused(403, "not_owner", ""));

    assert_eq!(desk.delete(&desk.owner, &format!("{list}/{early}")).await, json!({}));
    assert_eq!(desk.get(&desk.other, &format!("/v1/clients/{early}")).await["allowedScopes"], json!([]));
    let left = desk.get(&desk.owner, &list).await["clients"].clone();
    assert_eq!(left, json!([{"clientId": own, "approved": false, "listed": true}]));
    let again = desk.ask(&desk.other, Method::PATCH, &format!("/v1/clients/{early}"), Some(json!({"allowedScopes": [scope]}))).await;
    assert_eq!(refusal(&again), refused(403, "approval_required", "allowedScopes"));
}

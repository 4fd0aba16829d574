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
    assert_eq!(approved, json!({"totalPages": 1, "totalElements": 1, "clients": [made]}));
    assert_eq!(desk.patch(&desk.other, &client_path, wish).await["allowedScopes"], json!([scope]));

    assert_eq!(desk.delete(&desk.owner, &approval).await, json!({}));
    assert_eq!(desk.get(&desk.other, &client_path).await["allowedScopes"], json!([]));
    assert_eq!(refusal(&desk.ask(&desk.owner, Method::DELETE, &approval, None).await), refused(404, "not_found", ""));
    for nobody in [NOBODY, "nobody"] {
        let answer = desk.ask(&desk.owner, Method::PUT, &format!("{scope_path}/clients/{nobody}"), None).await;
        assert_eq!(refusal(&answer), refused(404, "not_found", ""));
    }
}

use http::Method;
use serde_json::json;

use super::*;

// Proves: spec 4
#[tokio::test]
async fn another_owners_client_lists_a_scope_once_it_is_approved() {
    let management = ManagementClient::new().await;
    let (application, id) = management.application().await;
    let scope_path = format!("/v1/applications/{application}/scopes/{id}");
    let scope = text(
        &management
            .patch(
                &management.owner,
                &scope_path,
                json!({"approvalRequired": true}),
            )
            .await["scope"],
    );

    let wish = with(client(), "allowedScopes", json!([scope]));
    let early = management
        .ask(&management.other, Method::POST, "/v1/clients", Some(wish))
        .await;
    assert_eq!(
        refusal(&early),
        refused(403, "approval_required", "allowedScopes")
    );
    let made = text(
        &management
            .post(&management.other, "/v1/clients", client())
            .await["id"],
    );
    let (client_path, approval) = (
        format!("/v1/clients/{made}"),
        format!("{scope_path}/clients/{made}"),
    );
    let wish = json!({"allowedScopes": [scope]});
    let early = management
        .ask(
            &management.other,
            Method::PATCH,
            &client_path,
            Some(wish.clone()),
        )
        .await;
    assert_eq!(
        refusal(&early),
        refused(403, "approval_required", "allowedScopes")
    );
    let by_the_client = management
        .ask(&management.other, Method::PUT, &approval, None)
        .await;
    assert_eq!(refusal(&by_the_client), refused(403, "not_owner", ""));

    assert_eq!(
        management.put(&management.owner, &approval).await,
        json!({})
    );
    assert_eq!(
        management.put(&management.owner, &approval).await,
        json!({}),
        "approval is idempotent"
    );
    let approved = management
        .get(&management.owner, &format!("{scope_path}/clients"))
        .await;
    assert_eq!(
        approved,
        json!({"totalPages": 1, "totalElements": 1, "clients": [{"clientId": made, "approved": true, "listed": false}]})
    );
    assert_eq!(
        management
            .patch(&management.other, &client_path, wish)
            .await["allowedScopes"],
        json!([scope])
    );

    assert_eq!(
        management.delete(&management.owner, &approval).await,
        json!({})
    );
    assert_eq!(
        management.get(&management.other, &client_path).await["allowedScopes"],
        json!([])
    );
    assert_eq!(
        refusal(
            &management
                .ask(&management.owner, Method::DELETE, &approval, None)
                .await
        ),
        refused(404, "not_found", "")
    );
    for nobody in [NOBODY, "nobody"] {
        let answer = management
            .ask(
                &management.owner,
                Method::PUT,
                &format!("{scope_path}/clients/{nobody}"),
                None,
            )
            .await;
        assert_eq!(refusal(&answer), refused(404, "not_found", ""));
    }
}

// Proves: spec 3.17
#[tokio::test]
async fn a_client_that_listed_a_scope_before_it_needed_approval_is_shown_and_loses_it() {
    let management = ManagementClient::new().await;
    let (application, id) = management.application().await;
    let scope_path = format!("/v1/applications/{application}/scopes/{id}");
    let scope = text(
        &management
            .get(
                &management.owner,
                &format!("/v1/applications/{application}"),
            )
            .await["scopes"][0]["scope"],
    );
    let wish = with(client(), "allowedScopes", json!([scope]));
    let early = text(
        &management
            .post(&management.other, "/v1/clients", wish.clone())
            .await["id"],
    );
    let own = text(
        &management
            .post(&management.owner, "/v1/clients", wish)
            .await["id"],
    );
    management
        .patch(
            &management.owner,
            &scope_path,
            json!({"approvalRequired": true}),
        )
        .await;

    let list = format!("{scope_path}/clients");
    let mut listed =
        [&early, &own].map(|id| json!({"clientId": id, "approved": false, "listed": true}));
    listed.sort_by_key(|client| text(&client["clientId"]));
    let [first, second] = &listed;
    assert_eq!(
        management.get(&management.owner, &list).await,
        json!({"totalPages": 1, "totalElements": 2, "clients": [first, second]})
    );
    let last = management
        .get(&management.owner, &format!("{list}?page=1&size=1"))
        .await;
    assert_eq!(
        last,
        json!({"totalPages": 2, "totalElements": 2, "clients": [second]})
    );
    assert_eq!(
        refusal(
            &management
                .ask(&management.other, Method::GET, &list, None)
                .await
        ),
        refused(403, "not_owner", "")
    );

    assert_eq!(
        management
            .delete(&management.owner, &format!("{list}/{early}"))
            .await,
        json!({})
    );
    assert_eq!(
        management
            .get(&management.other, &format!("/v1/clients/{early}"))
            .await["allowedScopes"],
        json!([])
    );
    let left = management.get(&management.owner, &list).await["clients"].clone();
    assert_eq!(
        left,
        json!([{"clientId": own, "approved": false, "listed": true}])
    );
    let again = management
        .ask(
            &management.other,
            Method::PATCH,
            &format!("/v1/clients/{early}"),
            Some(json!({"allowedScopes": [scope]})),
        )
        .await;
    assert_eq!(
        refusal(&again),
        refused(403, "approval_required", "allowedScopes")
    );
}

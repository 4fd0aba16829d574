//! Spec 3.27: each status with its causes.

use http::{Method, Request};
use lyceum::domain::ClientPolicy;
use lyceum::http::Body;
use serde_json::json;

use super::*;
use crate::token::harness::error;

// Proves: spec 3.27
#[tokio::test]
async fn every_status_of_scope_definition_and_authorization_has_its_causes() {
    let management = ManagementClient::new().await;
    let (application, scope) = management.application().await;
    let path = format!("/v1/applications/{application}/scopes");
    let create = async |token: &str, path: &str, name: Value, description: Value| {
        let body = with(
            with(json!({}), "scopeName", name),
            "description",
            description,
        );
        refusal(&management.ask(token, Method::POST, path, Some(body)).await)
    };
    let described = || json!("See your clubs");

    // 400: pattern mismatch, length.
    for name in [
        "",
        "Read",
        "read all",
        "a:b",
        "읽기",
        "read.all",
        "read\n",
        &"x".repeat(101),
    ] {
        assert_eq!(
            create(&management.owner, &path, json!(name), described()).await,
            refused(400, "field_invalid", "scopeName"),
            "{name:?}"
        );
    }
    for description in ["", " ", &"x".repeat(256)] {
        let answer = create(&management.owner, &path, json!("write"), json!(description)).await;
        assert_eq!(
            answer,
            refused(400, "field_invalid", "description"),
            "{description:?}"
        );
    }
    // 400: missing required field.
    assert_eq!(
        create(&management.owner, &path, Value::Null, described()).await,
        refused(400, "field_missing", "scopeName")
    );
    assert_eq!(
        create(&management.owner, &path, json!("write"), Value::Null).await,
        refused(400, "field_missing", "description")
    );
    // 400: requested scope not in the client's allowed list.
    let client = management.harness.client(ClientPolicy::Public).await;
    let query = format!(
        "client_id={}&redirect_uri=https%3A%2F%2Fapp.example%2Fcallback&response_type=code",
        client.id
    );
    let challenge =
        "code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256";
    let asked = management
        .harness
        .get(&format!(
            "/v1/oauth/authorize?{query}&{challenge}&scope={application}%3Aread"
        ))
        .await;
    assert_eq!(asked.error(), error(400, "invalid_scope"));

    // 401: invalid session; PKCE verification failure at token exchange.
    assert_eq!(
        management
            .harness
            .get("/v1/oauth/authorize/session")
            .await
            .error(),
        error(401, "invalid_session")
    );
    let exchange = management
        .harness
        .exchange_fields(&client)
        .await
        .with("code_verifier", &"x".repeat(43));
    assert_eq!(
        management.harness.post(&exchange).await.error(),
        error(401, "invalid_grant")
    );
    let anonymous = Request::post(&path)
        .header("content-type", "application/json")
        .body(Body::from("{}".to_owned()))
        .unwrap();
    assert_eq!(
        refusal(&management.harness.send(anonymous).await),
        refused(401, "invalid_token", "")
    );

    // 403: caller is not the application owner, or lacks administrator rights.
    assert_eq!(
        create(&management.other, &path, json!("write"), described()).await,
        refused(403, "not_owner", "")
    );
    for method in [Method::PATCH, Method::DELETE] {
        let body = (method == Method::PATCH).then(|| json!({"description": "Mine"}));
        let answer = management
            .ask(&management.other, method, &format!("{path}/{scope}"), body)
            .await;
        assert_eq!(refusal(&answer), refused(403, "not_owner", ""));
    }

    // 404: application id or scope id does not exist.
    let other = text(
        &management
            .post(
                &management.owner,
                "/v1/applications",
                json!({"name": "Another"}),
            )
            .await["id"],
    );
    for token in [&management.owner, &management.admin] {
        for nothing in [NOBODY, "nobody", &application.to_uppercase()] {
            let answer = create(
                token,
                &format!("/v1/applications/{nothing}/scopes"),
                json!("write"),
                described(),
            )
            .await;
            assert_eq!(answer, refused(404, "not_found", ""), "{nothing}");
        }
        for nowhere in [
            format!("{path}/{NOBODY}"),
            format!("{path}/x"),
            format!("/v1/applications/{other}/scopes/{scope}"),
        ] {
            for method in [Method::PATCH, Method::DELETE] {
                let body = (method == Method::PATCH).then(|| json!({"description": "Mine"}));
                let answer = management.ask(token, method, &nowhere, body).await;
                assert_eq!(refusal(&answer), refused(404, "not_found", ""), "{nowhere}");
            }
        }
    }

    // 409: the same scopeName already exists in the application. In another application it is a
    // different scope.
    assert_eq!(
        create(&management.owner, &path, json!("read"), described()).await,
        refused(409, "scope_name_taken", "scopeName")
    );
    assert_eq!(
        create(&management.admin, &path, json!("read"), described()).await,
        refused(409, "scope_name_taken", "scopeName")
    );
    let body = json!({"scopeName": "read", "description": "See your clubs"});
    management
        .post(
            &management.owner,
            &format!("/v1/applications/{other}/scopes"),
            body,
        )
        .await;

    // Values at the limits are valid.
    for name in ["a", "0", "_", "-", &"x".repeat(100)] {
        let body = json!({"scopeName": name, "description": "가".repeat(255)});
        assert_eq!(
            management.post(&management.owner, &path, body).await["scopeName"],
            name
        );
    }
}

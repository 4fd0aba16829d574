//! Validation of request bodies.

use http::Method;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use serde_json::json;

use super::*;

/// Every endpoint with a body, and a valid body for it.
async fn endpoints(management: &ManagementClient) -> Vec<(Method, String, Value)> {
    let (application, scope) = management.application().await;
    let made = text(&management.client().await["id"]);
    let (application, client_path) = (
        format!("/v1/applications/{application}"),
        format!("/v1/clients/{made}"),
    );
    let key = format!(
        "/v1/api-keys/{}",
        text(
            &management
                .post(&management.owner, "/v1/api-keys", api_key())
                .await["id"]
        )
    );
    vec![
        (Method::POST, "/v1/api-keys".to_owned(), api_key()),
        (Method::POST, format!("{key}/renew"), json!({})),
        (Method::DELETE, key, json!({})),
        (
            Method::POST,
            "/v1/applications".to_owned(),
            json!({"name": "Clubs"}),
        ),
        (Method::PATCH, application.clone(), json!({"name": "Clubs"})),
        (
            Method::POST,
            format!("{application}/scopes"),
            json!({"scopeName": "write", "description": "Change your clubs"}),
        ),
        (
            Method::PATCH,
            format!("{application}/scopes/{scope}"),
            json!({"description": "See clubs"}),
        ),
        (
            Method::PUT,
            format!("{application}/scopes/{scope}/clients/{made}"),
            json!({}),
        ),
        (Method::POST, "/v1/clients".to_owned(), client()),
        (Method::PATCH, client_path.clone(), json!({"name": "Clubs"})),
        (Method::POST, format!("{client_path}/secrets"), json!({})),
        (
            Method::DELETE,
            format!("{client_path}/secrets/older"),
            json!({}),
        ),
        (
            Method::DELETE,
            format!("{application}/scopes/{scope}/clients/{made}"),
            json!({}),
        ),
        (
            Method::DELETE,
            format!("{application}/scopes/{scope}"),
            json!({}),
        ),
        (Method::DELETE, application, json!({})),
        (Method::DELETE, client_path, json!({})),
        (Method::DELETE, format!("/v1/grants/{NOBODY}"), json!({})),
    ]
}

// Proves: threats 36
/// Fails if the body can set the owner, or unknown fields are ignored.
#[tokio::test]
async fn no_body_sets_the_owner_or_a_field_that_only_the_service_sets() {
    let management = ManagementClient::without_a_limit().await;
    for (method, path, sound) in endpoints(&management).await {
        for name in [
            "owner",
            "ownerId",
            "userId",
            "role",
            "id",
            "createdAt",
            "secrets",
            "nonsense",
            "Name",
            "",
        ] {
            let body = with(sound.clone(), name, json!("other"));
            for token in [&management.owner, &management.admin] {
                let answer = management
                    .ask(token, method.clone(), &path, Some(body.clone()))
                    .await;
                assert_eq!(
                    refusal(&answer),
                    (400, "field_unknown".to_owned(), Some(name.to_owned())),
                    "{method} {path}"
                );
            }
        }
    }
    // The valid bodies are accepted, except for the last one, whose object does not exist.
    for (method, path, sound) in endpoints(&management).await {
        let status = management
            .ask(&management.owner, method.clone(), &path, Some(sound))
            .await
            .status
            .as_u16();
        let is_there = !path.contains("/grants/");
        assert_eq!(status, if is_there { 200 } else { 404 }, "{method} {path}");
    }
}

// Proves: spec 4
#[tokio::test]
async fn the_caller_is_the_owner_of_what_is_created() {
    let management = ManagementClient::without_a_limit().await;
    for (token, owner) in [
        (&management.owner, "owner"),
        (&management.other, "other"),
        (&management.admin, "admin"),
    ] {
        assert_eq!(
            management
                .post(token, "/v1/applications", json!({"name": "Clubs"}))
                .await["owner"],
            owner
        );
        assert_eq!(
            management.post(token, "/v1/clients", client()).await["owner"],
            owner
        );
        assert_eq!(
            management.post(token, "/v1/api-keys", api_key()).await["owner"],
            owner
        );
    }
}

#[tokio::test]
async fn a_field_that_is_missing_or_wrong_is_named() {
    let management = ManagementClient::without_a_limit().await;
    let (application, _) = management.application().await;
    let scopes = format!("/v1/applications/{application}/scopes");
    let scope = json!({"scopeName": "write", "description": "Change your clubs"});
    let long = |length: usize| json!("x".repeat(length));
    let post =
        |path: &str, body: &Value, name: &'static str, value: Value, reason: &'static str| {
            (
                path.to_owned(),
                with(body.clone(), name, value),
                name,
                reason,
            )
        };
    let (missing, invalid) = ("field_missing", "field_invalid");
    let mut cases = vec![
        post(
            "/v1/applications",
            &json!({"name": "x"}),
            "name",
            Value::Null,
            missing,
        ),
        post("/v1/applications", &json!({}), "name", json!(""), invalid),
        post("/v1/applications", &json!({}), "name", long(256), invalid),
        post(
            "/v1/applications",
            &json!({}),
            "name",
            json!("two\nlines"),
            invalid,
        ),
        post(&scopes, &scope, "scopeName", Value::Null, missing),
        post(&scopes, &scope, "description", Value::Null, missing),
        post(&scopes, &scope, "approvalRequired", json!("true"), invalid),
        post("/v1/clients", &client(), "name", Value::Null, missing),
        post(
            "/v1/clients",
            &client(),
            "redirectUris",
            Value::Null,
            missing,
        ),
        post(
            "/v1/clients",
            &client(),
            "allowedScopes",
            Value::Null,
            missing,
        ),
        post("/v1/clients", &client(), "policy", json!("public"), invalid),
        post(
            "/v1/clients",
            &client(),
            "redirectUris",
            json!(CALLBACK),
            invalid,
        ),
        post(
            "/v1/clients",
            &client(),
            "redirectUris",
            json!(["http://club.example/"]),
            invalid,
        ),
        post(
            "/v1/clients",
            &client(),
            "redirectUris",
            json!([CALLBACK, "javascript:alert(1)"]),
            invalid,
        ),
        post(
            "/v1/clients",
            &client(),
            "allowedScopes",
            json!("service:self_read"),
            invalid,
        ),
        post(
            "/v1/clients",
            &client(),
            "allowedScopes",
            json!([7]),
            invalid,
        ),
        post(
            "/v1/clients",
            &client(),
            "allowedScopes",
            json!(["self_read"]),
            invalid,
        ),
        post(
            "/v1/clients",
            &client(),
            "allowedScopes",
            json!(["service:nothing"]),
            "scope_unknown",
        ),
        post(
            "/v1/clients",
            &client(),
            "allowedScopes",
            json!(["service:manage"]),
            invalid,
        ),
        post(
            "/v1/clients",
            &client(),
            "plainPkceAllowed",
            json!(1),
            invalid,
        ),
        post(
            "/v1/api-keys",
            &api_key(),
            "description",
            Value::Null,
            missing,
        ),
        post(
            "/v1/api-keys",
            &api_key(),
            "description",
            json!(" "),
            invalid,
        ),
        post("/v1/api-keys", &api_key(), "scopes", Value::Null, missing),
        post(
            "/v1/api-keys",
            &api_key(),
            "scopes",
            json!("NEIS_READ"),
            invalid,
        ),
        post("/v1/api-keys", &api_key(), "scopes", json!([]), invalid),
        post(
            "/v1/api-keys",
            &api_key(),
            "scopes",
            json!(["NEIS_READ", "neis_read"]),
            "scope_unknown",
        ),
        post(
            "/v1/api-keys",
            &api_key(),
            "hiddenFields",
            json!(["NAME"]),
            invalid,
        ),
        post("/v1/api-keys", &api_key(), "rateLimit", json!(0), invalid),
        post("/v1/api-keys", &api_key(), "rateLimit", json!(1.5), invalid),
        post(
            "/v1/api-keys",
            &api_key(),
            "rateLimit",
            json!("100"),
            invalid,
        ),
        post("/v1/api-keys", &api_key(), "rateBurst", json!(-1), invalid),
        post(
            "/v1/clients",
            &client(),
            "pkceRequired",
            json!("true"),
            invalid,
        ),
    ];
    for name in ["name", "scopeName", "description"] {
        let (path, body) = if name == "name" {
            ("/v1/clients".to_owned(), client())
        } else {
            (scopes.clone(), scope.clone())
        };
        for value in [json!(7), json!(true), json!(["x"]), json!({"x": 1})] {
            cases.push(post(&path, &body, name, value, invalid));
        }
    }
    for (path, body, name, reason) in cases {
        let answer = management
            .ask(&management.owner, Method::POST, &path, Some(body.clone()))
            .await;
        assert_eq!(
            refusal(&answer),
            refused(400, reason, name),
            "{path} {body}"
        );
    }
    let answer = management
        .send(
            &management.owner,
            Method::POST,
            "/v1/applications",
            Some(r#"{"name":null}"#.to_owned()),
        )
        .await;
    assert_eq!(
        refusal(&answer),
        refused(400, invalid, "name"),
        "null is not text"
    );
    let client_path = format!("/v1/clients/{}", text(&management.client().await["id"]));
    for name in [
        "name",
        "policy",
        "redirectUris",
        "allowedScopes",
        "plainPkceAllowed",
        "pkceRequired",
    ] {
        let answer = management
            .send(
                &management.owner,
                Method::PATCH,
                &client_path,
                Some(format!(r#"{{"{name}":null}}"#)),
            )
            .await;
        assert_eq!(
            refusal(&answer),
            refused(400, invalid, name),
            "null does not mean unchanged"
        );
    }
}

// Proves: threats 15
#[tokio::test]
async fn a_body_that_two_readers_could_understand_differently_is_refused() {
    let management = ManagementClient::without_a_limit().await;
    for (method, path, sound) in endpoints(&management).await {
        let twice = r#"{"name":"a","n\u0061me":"b"}"#.to_owned();
        let answer = management
            .send(&management.owner, method.clone(), &path, Some(twice))
            .await;
        assert_eq!(
            refusal(&answer),
            refused(400, "field_repeated", "name"),
            "{method} {path}"
        );
        for broken in [
            "[]",
            "null",
            "7",
            "{",
            r#"{"name":"a"} x"#,
            "{}{}",
            "\u{feff}{}",
            r#"{"name":"\ud800"}"#,
            r#"{"name":"a",}"#,
        ] {
            let answer = management
                .send(
                    &management.owner,
                    method.clone(),
                    &path,
                    Some(broken.to_owned()),
                )
                .await;
            assert_eq!(
                refusal(&answer),
                refused(400, "invalid_request", ""),
                "{method} {path} {broken}"
            );
        }
        let long = format!("{sound}{}", " ".repeat(32 * 1024));
        assert_eq!(
            refusal(
                &management
                    .send(&management.owner, method.clone(), &path, Some(long))
                    .await
            ),
            refused(400, "invalid_request", "")
        );
        for content_type in [
            "application/x-www-form-urlencoded",
            "text/plain",
            "application/json; charset=euc-kr",
        ] {
            let request = Request::builder()
                .method(method.clone())
                .uri(&path)
                .header(CONTENT_TYPE, content_type);
            let request = request
                .header(AUTHORIZATION, format!("Bearer {}", management.owner))
                .body(Body::from(sound.to_string()))
                .unwrap();
            assert_eq!(
                refusal(&management.harness.send(request).await),
                refused(400, "invalid_request", ""),
                "{content_type}"
            );
        }
    }
}

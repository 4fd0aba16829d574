//! What a body may not say, and how it may not say it.

use http::Method;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use serde_json::json;

use super::*;

/// Every endpoint that has a body, and a sound one for it.
async fn endpoints(desk: &Desk) -> Vec<(Method, String, Value)> {
    let (application, scope) = desk.application().await;
    let made = text(&desk.client().await["id"]);
    let (application, client_path) = (format!("/v1/applications/{application}"), format!("/v1/clients/{made}"));
    let key = format!("/v1/api-keys/{}", text(&desk.post(&desk.owner, "/v1/api-keys", api_key()).await["id"]));
    vec![
        (Method::POST, "/v1/api-keys".to_owned(), api_key()),
        (Method::POST, format!("{key}/renew"), json!({})),
        (Method::DELETE, key, json!({})),
        (Method::POST, "/v1/applications".to_owned(), json!({"name": "Clubs"})),
        (Method::PATCH, application.clone(), json!({"name": "Clubs"})),
        (Method::POST, format!("{application}/scopes"), json!({"scopeName": "write", "description": "Change your clubs"})),
        (Method::PATCH, format!("{application}/scopes/{scope}"), json!({"description": "See clubs"})),
        (Method::PUT, format!("{application}/scopes/{scope}/clients/{made}"), json!({})),
        (Method::POST, "/v1/clients".to_owned(), client()),
        (Method::PATCH, client_path.clone(), json!({"name": "Clubs"})),
        (Method::POST, format!("{client_path}/secrets"), json!({})),
        (Method::DELETE, format!("{client_path}/secrets/older"), json!({})),
        (Method::DELETE, format!("{application}/scopes/{scope}/clients/{made}"), json!({})),
        (Method::DELETE, format!("{application}/scopes/{scope}"), json!({})),
        (Method::DELETE, application, json!({})),
        (Method::DELETE, client_path, json!({})),
        (Method::DELETE, format!("/v1/grants/{NOBODY}"), json!({})),
    ]
}

/// Fails if the owner came from the body, or if what nobody knows were passed over.
#[tokio::test]
async fn s36_no_body_says_whose_something_is_or_what_only_the_service_says() {
    let desk = Desk::without_a_limit().await;
    for (method, path, sound) in endpoints(&desk).await {
        for name in ["owner", "ownerId", "userId", "role", "id", "createdAt", "secrets", "nonsense", "Name", ""] {
            let body = with(sound.clone(), name, json!("other"));
            for token in [&desk.owner, &desk.admin] {
                let answer = desk.ask(token, method.clone(), &path, Some(body.clone())).await;
                assert_eq!(refusal(&answer), (400, "field_unknown".to_owned(), Some(name.to_owned())), "{method} {path}");
            }
        }
    }
    // And the sound ones would have been good, but for the last one, of which there is nothing.
    for (method, path, sound) in endpoints(&desk).await {
        let status = desk.ask(&desk.owner, method.clone(), &path, Some(sound)).await.status.as_u16();
        let is_there = !path.contains("/grants/");
        assert_eq!(status, if is_there { 200 } else { 404 }, "{method} {path}");
    }
}

#[tokio::test]
async fn decision_4_whoever_asks_is_the_owner() {
    let desk = Desk::without_a_limit().await;
    for (token, owner) in [(&desk.owner, "owner"), (&desk.other, "other"), (&desk.admin, "admin")] {
        assert_eq!(desk.post(token, "/v1/applications", json!({"name": "Clubs"})).await["owner"], owner);
        assert_eq!(desk.post(token, "/v1/clients", client()).await["owner"], owner);
        assert_eq!(desk.post(token, "/v1/api-keys", api_key()).await["owner"], owner);
    }
}

#[tokio::test]
async fn a_field_that_is_missing_or_wrong_is_named() {
    let desk = Desk::without_a_limit().await;
    let (application, _) = desk.application().await;
    let scopes = format!("/v1/applications/{application}/scopes");
    let scope = json!({"scopeName": "write", "description": "Change your clubs"});
    let long = |length: usize| json!("x".repeat(length));
    let post = |path: &str, body: &Value, name: &'static str, value: Value, reason: &'static str| {
        (path.to_owned(), with(body.clone(), name, value), name, reason)
    };
    let (missing, invalid) = ("field_missing", "field_invalid");
    let mut cases = vec![
        post("/v1/applications", &json!({"name": "x"}), "name", Value::Null, missing),
        post("/v1/applications", &json!({}), "name", json!(""), invalid),
        post("/v1/applications", &json!({}), "name", long(256), invalid),
        post("/v1/applications", &json!({}), "name", json!("two\nlines"), invalid),
        post(&scopes, &scope, "scopeName", Value::Null, missing),
        post(&scopes, &scope, "description", Value::Null, missing),
        post(&scopes, &scope, "approvalRequired", json!("true"), invalid),
        post("/v1/clients", &client(), "name", Value::Null, missing),
        post("/v1/clients", &client(), "redirectUris", Value::Null, missing),
        post("/v1/clients", &client(), "allowedScopes", Value::Null, missing),
        post("/v1/clients", &client(), "policy", json!("public"), invalid),
        post("/v1/clients", &client(), "redirectUris", json!(CALLBACK), invalid),
        post("/v1/clients", &client(), "redirectUris", json!(["http://club.example/"]), invalid),
        post("/v1/clients", &client(), "redirectUris", json!([CALLBACK, "javascript:alert(1)"]), invalid),
        post("/v1/clients", &client(), "allowedScopes", json!("service:self_read"), invalid),
        post("/v1/clients", &client(), "allowedScopes", json!([7]), invalid),
        post("/v1/clients", &client(), "allowedScopes", json!(["self_read"]), invalid),
        post("/v1/clients", &client(), "allowedScopes", json!(["service:nothing"]), "scope_unknown"),
        post("/v1/clients", &client(), "allowedScopes", json!(["service:manage"]), invalid),
        post("/v1/clients", &client(), "plainPkceAllowed", json!(1), invalid),
        post("/v1/api-keys", &api_key(), "description", Value::Null, missing),
        post("/v1/api-keys", &api_key(), "description", json!(" "), invalid),
        post("/v1/api-keys", &api_key(), "scopes", Value::Null, missing),
        post("/v1/api-keys", &api_key(), "scopes", json!("NEIS_READ"), invalid),
        post("/v1/api-keys", &api_key(), "scopes", json!([]), invalid),
        post("/v1/api-keys", &api_key(), "scopes", json!(["NEIS_READ", "neis_read"]), "scope_unknown"),
        post("/v1/api-keys", &api_key(), "hiddenFields", json!(["NAME"]), invalid),
        post("/v1/api-keys", &api_key(), "rateLimit", json!(0), invalid),
        post("/v1/api-keys", &api_key(), "rateLimit", json!(1.5), invalid),
        post("/v1/api-keys", &api_key(), "rateLimit", json!("100"), invalid),
        post("/v1/api-keys", &api_key(), "rateBurst", json!(-1), invalid),
        post("/v1/clients", &client(), "pkceRequired", json!("true"), invalid),
    ];
    for name in ["name", "scopeName", "description"] {
        let (path, body) = if name == "name" { ("/v1/clients".to_owned(), client()) } else { (scopes.clone(), scope.clone()) };
        for value in [json!(7), json!(true), json!(["x"]), json!({"x": 1})] {
            cases.push(post(&path, &body, name, value, invalid));
        }
    }
    for (path, body, name, reason) in cases {
        let answer = desk.ask(&desk.owner, Method::POST, &path, Some(body.clone())).await;
        assert_eq!(refusal(&answer), refused(400, reason, name), "{path} {body}");
    }
    let answer = desk.send(&desk.owner, Method::POST, "/v1/applications", Some(r#"{"name":null}"#.to_owned())).await;
    assert_eq!(refusal(&answer), refused(400, invalid, "name"), "null is no text");
    let client_path = format!("/v1/clients/{}", text(&desk.client().await["id"]));
    for name in ["name", "policy", "redirectUris", "allowedScopes", "plainPkceAllowed", "pkceRequired"] {
        let answer = desk.send(&desk.owner, Method::PATCH, &client_path, Some(format!(r#"{{"{name}":null}}"#))).await;
        assert_eq!(refusal(&answer), refused(400, invalid, name), "null does not mean: as it was");
    }
}

#[tokio::test]
async fn s15_a_body_that_two_readers_could_understand_differently_is_refused() {
    let desk = Desk::without_a_limit().await;
    for (method, path, sound) in endpoints(&desk).await {
        let twice = r#"{"name":"a","n\u0061me":"b"}"#.to_owned();
        let answer = desk.send(&desk.owner, method.clone(), &path, Some(twice)).await;
        assert_eq!(refusal(&answer), refused(400, "field_repeated", "name"), "{method} {path}");
        for broken in ["[]", "null", "7", "{", r#"{"name":"a"} x"#, "{}{}", "\u{feff}{}", r#"{"name":"\ud800"}"#, r#"{"name":"a",}"#] {
            let answer = desk.send(&desk.owner, method.clone(), &path, Some(broken.to_owned())).await;
            assert_eq!(refusal(&answer), refused(400, "invalid_request", ""), "{method} {path} {broken}");
        }
        let long = format!("{sound}{}", " ".repeat(32 * 1024));
        assert_eq!(refusal(&desk.send(&desk.owner, method.clone(), &path, Some(long)).await), refused(400, "invalid_request", ""));
        for content_type in ["application/x-www-form-urlencoded", "text/plain", "application/json; charset=euc-kr"] {
            let request = Request::builder().method(method.clone()).uri(&path).header(CONTENT_TYPE, content_type);
            let request = request.header(AUTHORIZATION, format!("Bearer {}", desk.owner)).body(Body::from(sound.to_string())).unwrap();
            assert_eq!(refusal(&desk.world.send(request).await), refused(400, "invalid_request", ""), "{content_type}");
        }
    }
}

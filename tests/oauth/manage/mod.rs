//! The management API (spec 4).

mod api_keys;
mod applications;
mod approvals;
mod audit;
mod bodies;
mod clients;
mod ended_meanwhile;
mod grants;
mod lists;
mod names;
mod owners;
mod scope_table;
mod user_limits;
mod verification;
pub mod wire_table;

use std::time::Duration;

use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{Method, Request};
use lyceum::domain::{ClientPolicy, Quota, Role};
use lyceum::http::Body;
use serde_json::{Value, json};

use crate::token::harness::{Harness, TestClient, TestResponse};

pub const NOBODY: &str = "7d444840-9dc0-41d1-b245-5ffdce74fad2";
pub const CALLBACK: &str = "https://club.example/callback";

/// A server, a first-party client, and three users of it.
pub struct ManagementClient {
    pub harness: Harness,
    pub console: TestClient,
    /// Access tokens of two users and an administrator.
    pub owner: String,
    pub other: String,
    pub admin: String,
}

impl ManagementClient {
    pub async fn new() -> Self {
        Self::with_harness(Harness::new().await).await
    }

    /// For more changes than one user may make at once.
    pub async fn without_a_limit() -> Self {
        let quota = Quota::new(100_000, Duration::from_secs(60), 100_000).unwrap();
        Self::with_harness(Harness::with_settings(|builder| builder.management_limit(quota)).await)
            .await
    }

    pub async fn with_harness(harness: Harness) -> Self {
        let console = harness.client(ClientPolicy::Secret).await;
        let mut tokens = Vec::new();
        for (id, role) in [
            ("owner", Role::User),
            ("other", Role::User),
            ("admin", Role::Admin),
        ] {
            harness.users.sign_in_as(id, role);
            tokens.push(harness.tokens_for(&console, "service:manage").await.access);
        }
        let [owner, other, admin] = tokens.try_into().unwrap();
        Self {
            harness,
            console,
            owner,
            other,
            admin,
        }
    }

    pub async fn ask(
        &self,
        token: &str,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> TestResponse {
        self.send(token, method, path, body.map(|body| body.to_string()))
            .await
    }

    pub async fn send(
        &self,
        token: &str,
        method: Method,
        path: &str,
        body: Option<String>,
    ) -> TestResponse {
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header(AUTHORIZATION, format!("Bearer {token}"));
        if body.is_some() {
            request = request.header(CONTENT_TYPE, "application/json");
        }
        self.harness
            .send(request.body(Body::from(body.unwrap_or_default())).unwrap())
            .await
    }

    pub async fn get(&self, token: &str, path: &str) -> Value {
        data(&self.ask(token, Method::GET, path, None).await)
    }

    pub async fn post(&self, token: &str, path: &str, body: Value) -> Value {
        data(&self.ask(token, Method::POST, path, Some(body)).await)
    }

    pub async fn patch(&self, token: &str, path: &str, body: Value) -> Value {
        data(&self.ask(token, Method::PATCH, path, Some(body)).await)
    }

    pub async fn put(&self, token: &str, path: &str) -> Value {
        data(&self.ask(token, Method::PUT, path, None).await)
    }

    pub async fn delete(&self, token: &str, path: &str) -> Value {
        data(&self.ask(token, Method::DELETE, path, None).await)
    }

    /// A new application of the owner, and the id of its scope `read`.
    pub async fn application(&self) -> (String, String) {
        let application = self
            .post(
                &self.owner,
                "/v1/applications",
                json!({"name": "Club portal"}),
            )
            .await;
        let id = text(&application["id"]);
        let scope = json!({"scopeName": "read", "description": "See your clubs"});
        let scope = self
            .post(&self.owner, &format!("/v1/applications/{id}/scopes"), scope)
            .await;
        (id, text(&scope["id"]))
    }

    /// A new client of the owner, as returned with its secret.
    pub async fn client(&self) -> Value {
        self.post(&self.owner, "/v1/clients", client()).await
    }
}

/// The body of a valid API key.
pub fn api_key() -> Value {
    json!({"description": "Lunch display", "scopes": ["NEIS_READ", "CLUB_READ"]})
}

/// The body of a valid client.
pub fn client() -> Value {
    json!({"name": "Club app", "redirectUris": [CALLBACK], "allowedScopes": ["service:self_read"]})
}

/// The body with another value for a field; null removes it.
pub fn with(mut body: Value, name: &str, value: Value) -> Value {
    let fields = body.as_object_mut().unwrap();
    if value.is_null() {
        fields.remove(name)
    } else {
        fields.insert(name.to_owned(), value)
    };
    body
}

/// The `data` of a successful response, after a check of its envelope.
pub fn data(answer: &TestResponse) -> Value {
    assert_eq!(
        (answer.status.as_u16(), answer.header("cache-control")),
        (200, "no-store"),
        "{answer:?}"
    );
    let body = answer.json();
    assert_eq!(
        (&body["status"], &body["code"], &body["message"]),
        (&json!("OK"), &json!(200), &json!("OK"))
    );
    assert_eq!(body.as_object().unwrap().len(), 4, "{body}");
    body["data"].clone()
}

/// The status, reason and parameter of an error response, after a check of its envelope.
pub fn refusal(answer: &TestResponse) -> (u16, String, Option<String>) {
    let body = answer.json();
    assert_eq!(
        (answer.header("cache-control"), body.get("data")),
        ("no-store", None),
        "{body}"
    );
    assert_eq!(body["code"], answer.status.as_u16());
    let name = answer
        .status
        .canonical_reason()
        .unwrap()
        .to_uppercase()
        .replace(' ', "_");
    assert_eq!(body["status"], name);
    assert!(
        body["message"].as_str().unwrap().ends_with('.')
            && body["requestId"] == answer.header("x-request-id"),
        "{body}"
    );
    (
        answer.status.as_u16(),
        text(&body["reason"]),
        body["parameter"].as_str().map(str::to_owned),
    )
}

/// An expected result of [`refusal`].
pub fn refused(status: u16, reason: &str, parameter: &str) -> (u16, String, Option<String>) {
    (
        status,
        reason.to_owned(),
        (!parameter.is_empty()).then(|| parameter.to_owned()),
    )
}

pub fn text(value: &Value) -> String {
    value
        .as_str()
        .unwrap_or_else(|| panic!("{value} is not text"))
        .to_owned()
}

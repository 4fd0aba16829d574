//! Requests to a service, and their responses.

use http::header::HeaderName;
use http::{HeaderMap, Request, StatusCode};
use http_body_util::BodyExt;
use lyceum::DataApi;
use lyceum::http::FailureCause;
use serde_json::Value;
use tower::ServiceExt;

use crate::school_fixtures;

pub struct TestResponse {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: String,
    pub cause: Option<String>,
}

impl TestResponse {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    /// The value of a header that is sent at most once; empty if it is absent.
    pub fn header(&self, name: &str) -> &str {
        assert!(
            self.headers.get_all(name).iter().count() <= 1,
            "{name} was sent twice"
        );
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    /// The ids of the listed records, whatever the list's name.
    pub fn ids(&self) -> Vec<i64> {
        assert_eq!(self.status, StatusCode::OK, "{}", self.body);
        let json = self.json();
        let list = json["data"]
            .as_object()
            .unwrap()
            .values()
            .find_map(Value::as_array)
            .unwrap();
        list.iter()
            .map(|record| record["id"].as_i64().unwrap())
            .collect()
    }

    /// The `reason` and `parameter` of an error.
    pub fn reason(&self) -> (String, Option<String>) {
        let json = self.json();
        (
            json["reason"].as_str().unwrap().to_owned(),
            json["parameter"].as_str().map(str::to_owned),
        )
    }

    /// The body on many lines, with its members in their original order.
    pub fn pretty(&self) -> String {
        pretty(&self.body)
    }
}

pub async fn send(api: &DataApi, request: Request<()>) -> TestResponse {
    let response = api.clone().oneshot(request).await.unwrap();
    let (head, body) = response.into_parts();
    let cause = head
        .extensions
        .get::<FailureCause>()
        .map(|cause| cause.error().to_string());
    let bytes = body.collect().await.unwrap().to_bytes().to_vec();
    TestResponse {
        status: head.status,
        headers: head.headers,
        body: String::from_utf8(bytes).unwrap(),
        cause,
    }
}

/// Sends GET or HEAD with a key that has all scopes, and with these headers.
pub async fn send_with(
    api: &DataApi,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
) -> TestResponse {
    let mut request = request(method, path, Some(school_fixtures::FULL_KEY));
    for (name, value) in headers {
        request.headers_mut().append(
            HeaderName::from_bytes(name.as_bytes()).unwrap(),
            value.parse().unwrap(),
        );
    }
    send(api, request).await
}

/// Sends GET with a key that has all scopes.
pub async fn get(api: &DataApi, path: &str) -> TestResponse {
    send(api, request("GET", path, Some(school_fixtures::FULL_KEY))).await
}

pub fn request(method: &str, path: &str, key: Option<&str>) -> Request<()> {
    let mut request = Request::builder().method(method).uri(path);
    if let Some(key) = key {
        request = request.header("X-API-KEY", key);
    }
    request.body(()).unwrap()
}

/// Percent-encodes every byte of a text.
pub fn escaped(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

fn pretty(json: &str) -> String {
    let mut out = String::new();
    let (mut depth, mut in_text, mut escaped) = (0, false, false);
    let mut last = ' ';
    for c in json.chars() {
        if in_text {
            (in_text, escaped) = (escaped || c != '"', !escaped && c == '\\');
            out.push(c);
            last = c;
            continue;
        }
        let opened = matches!(last, '{' | '[');
        let closing = matches!(c, '}' | ']');
        depth -= usize::from(closing);
        if (opened != closing) || (last == ',') {
            out.push('\n');
            out.push_str(&"  ".repeat(depth));
        }
        depth += usize::from(matches!(c, '{' | '['));
        in_text = c == '"';
        out.push(c);
        last = c;
    }
    out
}

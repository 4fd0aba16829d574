//! A small HTTP client for tests of a server on a real port.

use std::collections::HashMap;

use bytes::Bytes;
use http::{Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper_util::client::legacy::Client as Legacy;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;

/// An HTTP client that follows no redirects and stores no cookies, so that tests decide what is
/// sent.
#[derive(Clone)]
pub struct Client(Legacy<HttpConnector, Full<Bytes>>);

/// A response whose body has been read.
pub struct TestResponse {
    pub status: StatusCode,
    pub headers: http::HeaderMap,
    pub body: String,
}

impl TestResponse {
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body)
            .unwrap_or_else(|error| panic!("{error} in {:?}", self.body))
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }
}

impl Client {
    pub fn new() -> Self {
        Self(Legacy::builder(TokioExecutor::new()).build_http())
    }

    /// Sends a request; an error means that no response arrived.
    pub async fn send(
        &self,
        request: Request<String>,
    ) -> Result<TestResponse, Box<dyn std::error::Error + Send + Sync>> {
        let response: Response<_> = self
            .0
            .request(request.map(|body| Full::new(body.into())))
            .await?;
        let (head, body) = response.into_parts();
        let body = body.collect().await?.to_bytes();
        Ok(TestResponse {
            status: head.status,
            headers: head.headers,
            body: String::from_utf8(body.to_vec())?,
        })
    }

    pub async fn get(&self, url: &str, headers: &[(&str, &str)]) -> TestResponse {
        self.send(request(Method::GET, url, headers, String::new()))
            .await
            .unwrap()
    }

    pub async fn post_form(
        &self,
        url: &str,
        headers: &[(&str, &str)],
        form: &[(&str, &str)],
    ) -> TestResponse {
        let headers = [
            headers,
            &[("content-type", "application/x-www-form-urlencoded")],
        ]
        .concat();
        self.send(request(Method::POST, url, &headers, encode(form)))
            .await
            .unwrap()
    }
}

pub fn request(
    method: Method,
    url: &str,
    headers: &[(&str, &str)],
    body: String,
) -> Request<String> {
    let request = Request::builder().method(method).uri(url);
    headers
        .iter()
        .fold(request, |request, (name, value)| {
            request.header(*name, *value)
        })
        .body(body)
        .unwrap()
}

/// Returns `name=value&…`, percent-encoded.
pub fn encode(pairs: &[(&str, &str)]) -> String {
    let escape = |text: &str| -> String {
        text.bytes()
            .map(|byte| match byte {
                b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                    char::from(byte).to_string()
                }
                _ => format!("%{byte:02X}"),
            })
            .collect()
    };
    pairs
        .iter()
        .map(|(name, value)| format!("{}={}", escape(name), escape(value)))
        .collect::<Vec<_>>()
        .join("&")
}

/// Returns the decoded query parameters of a URL.
pub fn query_of(url: &str) -> HashMap<String, String> {
    let query = url.split_once('?').map_or("", |(_, query)| query);
    let unescape = |text: &str| -> String {
        let mut bytes = Vec::new();
        let mut rest = text.bytes();
        while let Some(byte) = rest.next() {
            bytes.push(if byte == b'%' {
                let digits = [rest.next().unwrap(), rest.next().unwrap()];
                u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap()
            } else {
                byte
            });
        }
        String::from_utf8(bytes).unwrap()
    };
    query
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, value)| (unescape(name), unescape(value)))
        .collect()
}

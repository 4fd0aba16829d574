//! A response, with checks that hold for every response.

use http::header::{CACHE_CONTROL, CONTENT_TYPE, LOCATION, SET_COOKIE};
use http::{HeaderMap, Response};
use lyceum::http::{Body, FailureCause};
use serde_json::Value;

#[derive(Debug)]
pub struct TestResponse {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: String,
}

impl TestResponse {
    /// Reads a response. Fails if it is an internal error, or its headers are not printable ASCII.
    pub fn read(response: Response<Body>) -> Self {
        let (parts, body) = response.into_parts();
        let cause = parts
            .extensions
            .get::<FailureCause>()
            .map(|cause| cause.error().to_string());
        assert!(
            !parts.status.is_server_error() && cause.is_none(),
            "{} because of {cause:?}",
            parts.status
        );
        for (name, value) in &parts.headers {
            assert!(
                value
                    .as_bytes()
                    .iter()
                    .all(|byte| matches!(byte, b' '..=b'~')),
                "{name}: {value:?}"
            );
        }
        let body = std::str::from_utf8(body.as_bytes())
            .expect("every answer is text")
            .to_owned();
        let answer = Self {
            status: parts.status.as_u16(),
            headers: parts.headers,
            body,
        };
        assert_eq!(answer.header(CACHE_CONTROL.as_str()), Some("no-store"));
        answer
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.get_all(name).into_iter();
        let value = values
            .next()
            .map(|value| value.to_str().expect("printable"));
        assert!(values.next().is_none(), "{name} is repeated");
        value
    }

    pub fn location(&self) -> Option<&str> {
        self.header(LOCATION.as_str())
    }

    /// Whether a session was opened.
    pub fn has_cookie(&self) -> bool {
        self.header(SET_COOKIE.as_str()).is_some()
    }

    pub fn json(&self) -> Value {
        assert_eq!(
            self.header(CONTENT_TYPE.as_str()),
            Some("application/json"),
            "{self:?}"
        );
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The error code of a response in the form of RFC 6749 §5.2.
    pub fn error(&self) -> String {
        let body = self.json();
        let (word, description) = (body["error"].as_str(), body["error_description"].as_str());
        let (Some(word), Some(description)) = (word, description) else {
            panic!("{self:?}")
        };
        assert_eq!(
            body.as_object().map(serde_json::Map::len),
            Some(2),
            "{self:?}"
        );
        // RFC 6749 §5.2 allows only these characters.
        assert!(
            description
                .bytes()
                .all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\')),
            "{self:?}"
        );
        word.to_owned()
    }
}

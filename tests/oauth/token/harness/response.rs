//! Responses and the tokens in them.

use http::{HeaderMap, StatusCode};

use super::*;

/// A response whose body has been read.
#[derive(Debug)]
pub struct TestResponse {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: String,
    pub has_cause: bool,
}

/// Responses are equal if they differ only in the request id.
impl PartialEq for TestResponse {
    fn eq(&self, other: &Self) -> bool {
        let told = |answer: &Self| {
            let mut headers = answer.headers.clone();
            headers.remove("x-request-id");
            headers
        };
        let (one, two) = (
            (self.status, &self.body, self.has_cause),
            (other.status, &other.body, other.has_cause),
        );
        one == two && told(self) == told(other)
    }
}

impl TestResponse {
    pub fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    pub fn json(&self) -> Value {
        assert_eq!(self.header("content-type"), "application/json", "{self:?}");
        serde_json::from_str(&self.body).unwrap()
    }

    /// The status and the `error` code.
    pub fn error(&self) -> (u16, String) {
        let body = self.json();
        assert!(
            body["error_description"].is_string() && body.as_object().unwrap().len() == 2,
            "{body}"
        );
        assert_eq!(self.header("cache-control"), "no-store");
        (
            self.status.as_u16(),
            body["error"].as_str().unwrap().to_owned(),
        )
    }

    pub fn tokens(&self) -> Tokens {
        assert_eq!(self.status, StatusCode::OK, "{self:?}");
        let body = self.json();
        let text = |name: &str| body[name].as_str().unwrap().to_owned();
        Tokens {
            access: text("access_token"),
            refresh: text("refresh_token"),
            scope: text("scope"),
        }
    }
}

/// An expected result of [`TestResponse::error`].
pub fn error(status: u16, word: &str) -> (u16, String) {
    (status, word.to_owned())
}

#[derive(Debug, Clone)]
pub struct Tokens {
    pub access: String,
    pub refresh: String,
    pub scope: String,
}

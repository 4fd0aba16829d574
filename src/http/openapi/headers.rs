use serde_json::{Value, json};

/// A header of an answer, which is always there or not.
pub(in crate::http) fn header(is_always: bool, schema: Value, example: impl Into<Value>, about: &str) -> Value {
    json!({ "required": is_always, "schema": schema, "example": example.into(), "description": about })
}

/// The headers that answers of several services have.
pub(in crate::http) fn shared_headers() -> [(&'static str, Value); 4] {
    let text = || json!({ "type": "string" });
    [
        ("Cache-Control", header(true, text(), "no-store", "How caches may treat the answer.")),
        ("Retry-After", header(true, json!({ "type": "integer", "minimum": 1 }), 1, "In how many seconds to try again.")),
        ("WWW-Authenticate", header(true, text(), "ApiKey header=\"X-API-KEY\"", "How to authenticate.")),
        ("X-Request-Id", header(true, text(), "7k2m9x4p1q", "The id by which the operators find the refusal.")),
    ]
}

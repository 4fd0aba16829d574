use serde_json::{Value, json};

/// Describes a response header; `is_required` if it is always present.
pub(in crate::http) fn header(
    is_required: bool,
    schema: Value,
    example: impl Into<Value>,
    about: &str,
) -> Value {
    json!({ "required": is_required, "schema": schema, "example": example.into(), "description": about })
}

/// Response headers of several services.
pub(in crate::http) fn shared_headers() -> [(&'static str, Value); 4] {
    let text = || json!({ "type": "string" });
    [
        (
            "Cache-Control",
            header(true, text(), "no-store", "How caches may treat the answer."),
        ),
        (
            "Retry-After",
            header(
                true,
                json!({ "type": "integer", "minimum": 1 }),
                1,
                "In how many seconds to try again.",
            ),
        ),
        (
            "WWW-Authenticate",
            header(
                true,
                text(),
                "ApiKey header=\"X-API-KEY\"",
                "How to authenticate.",
            ),
        ),
        (
            "X-Request-Id",
            header(
                true,
                text(),
                "7k2m9x4p1q",
                "The id by which the operators find the refusal.",
            ),
        ),
    ]
}

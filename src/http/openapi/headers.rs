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
            header(true, text(), "no-store", "Caching rules for the response."),
        ),
        (
            "Retry-After",
            header(
                true,
                json!({ "type": "integer", "minimum": 1 }),
                1,
                "Seconds to wait before the next attempt.",
            ),
        ),
        (
            "WWW-Authenticate",
            header(
                true,
                text(),
                "ApiKey header=\"X-API-KEY\"",
                "The required authentication.",
            ),
        ),
        (
            "X-Request-Id",
            header(
                true,
                text(),
                "7k2m9x4p1q",
                "The id of the request, for support.",
            ),
        ),
    ]
}

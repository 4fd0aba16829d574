use serde_json::{Value, json};

use crate::http::openapi::{header, shared_headers};

/// Rate limit headers of every response to a valid key, where keys are limited.
pub(super) const LIMIT: [&str; 4] = [
    "X-RateLimit-Limit",
    "X-RateLimit-Remaining",
    "RateLimit-Policy",
    "RateLimit",
];

const LINK: &str = "Links to the first, previous, next and last page (RFC 8288). With `updatedSince` only to the next one, while there are more changes.";

/// All response headers, as components.
pub(super) fn all() -> Vec<(&'static str, Value)> {
    let text =
        |is_always, example, about| header(is_always, json!({ "type": "string" }), example, about);
    let number = |is_always, least, example: u32, about| {
        header(
            is_always,
            json!({ "type": "integer", "minimum": least }),
            example,
            about,
        )
    };
    let mut headers = vec![
        (
            "ETag",
            text(
                true,
                "W/\"4fVq0yXkWJ8sTt5nR2aB\"",
                "The entity tag of the response, for `If-None-Match`.",
            ),
        ),
        (
            "Vary",
            text(
                true,
                "X-API-KEY, Accept, Accept-Encoding",
                "Request headers that the response depends on.",
            ),
        ),
        (
            "Link",
            text(
                false,
                "<?page=0>; rel=\"first\", <?page=4>; rel=\"last\"",
                LINK,
            ),
        ),
        (
            "X-Total-Count",
            number(
                false,
                0,
                216,
                "Number of records on all pages, if the body is CSV or NDJSON.",
            ),
        ),
        (
            "X-RateLimit-Limit",
            number(true, 1, 100, "Requests that the key may make in a window."),
        ),
        (
            "X-RateLimit-Remaining",
            number(false, 0, 57, "Requests that are left in the window."),
        ),
        (
            "RateLimit-Policy",
            text(
                true,
                "\"default\";q=100;w=60",
                "The limit, and the window in seconds.",
            ),
        ),
        (
            "RateLimit",
            text(
                false,
                "\"default\";r=57;t=26",
                "Remaining requests, and seconds until the full limit is available again.",
            ),
        ),
        (
            "X-Data-As-Of",
            text(
                false,
                "2026-11-26T20:30:00Z",
                "When the records of the list were last confirmed to be current, where the service knows.",
            ),
        ),
        (
            "X-API-Key-Expires",
            text(
                false,
                "2026-12-20T09:00:00Z",
                "When the API key of the request expires. Only in its last seven days.",
            ),
        ),
    ];
    headers.extend(shared_headers());
    headers
}

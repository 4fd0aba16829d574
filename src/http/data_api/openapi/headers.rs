use serde_json::{Value, json};

use crate::http::openapi::{header, shared_headers};

/// Rate limit headers of every response to a valid key, where keys are limited.
pub(super) const LIMIT: [&str; 4] = [
    "X-RateLimit-Limit",
    "X-RateLimit-Remaining",
    "RateLimit-Policy",
    "RateLimit",
];

const LINK: &str = "The first, prev, next and last page (RFC 8288); with `updatedSince` only next, while there is more.";

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
                "The tag of the answer, for `If-None-Match`.",
            ),
        ),
        (
            "Vary",
            text(
                true,
                "X-API-KEY, Accept, Accept-Encoding",
                "What of the request the answer depends on.",
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
                "How many records there are on all pages, where the body is a table or lines.",
            ),
        ),
        (
            "X-RateLimit-Limit",
            number(
                true,
                1,
                100,
                "How many requests the key may make in a window.",
            ),
        ),
        (
            "X-RateLimit-Remaining",
            number(false, 0, 57, "How many of them are left now."),
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
                "How many are left, and in how many seconds all are there again.",
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
                "When the value of the key that was sent ends, in its last seven days.",
            ),
        ),
    ];
    headers.extend(shared_headers());
    headers
}

use crate::http::cors::Cors;

/// CORS headers for scripts of other origins, if the host allows them.
pub(super) static CORS: Cors = Cors {
    allowed_request_headers: "X-API-KEY, If-None-Match",
    exposed_response_headers: "ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-API-Key-Expires, X-Data-As-Of, X-RateLimit-Limit, X-RateLimit-Remaining, \
                       X-Request-Id, X-Total-Count",
};

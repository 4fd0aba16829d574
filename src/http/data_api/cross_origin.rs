use crate::http::cors::Cors;

/// What scripts of other origins may do, where the host lets them.
pub(super) static CORS: Cors = Cors {
    request_headers: "X-API-KEY, If-None-Match",
    response_headers: "ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-API-Key-Expires, X-RateLimit-Limit, X-RateLimit-Remaining, \
                       X-Request-Id, X-Total-Count",
};

use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS,
    ACCESS_CONTROL_MAX_AGE,
};
use http::{HeaderMap, HeaderValue};

/// Lets scripts of every origin use an endpoint (Fetch Standard, "CORS protocol"). Credentials are never allowed: browsers send no cookies, and
/// hide the answer from scripts that ask for them.
///
/// Every answer says so, whether the request names its origin or not, so that caches need no `Vary`.
#[derive(Debug)]
pub(crate) struct Cors {
    /// The request headers that scripts may set, beyond those that are always allowed.
    pub(crate) request_headers: &'static str,
    /// The response headers that scripts may read, beyond those that are always shown.
    pub(crate) response_headers: &'static str,
}

impl Cors {
    /// Lets scripts read the answer.
    pub(crate) fn share(&self, headers: &mut HeaderMap) {
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(self.response_headers));
    }

    /// Lets scripts send requests with these methods, in the answer to the preflight. Browsers remember it for two hours at most.
    pub(crate) fn permit(&self, methods: &'static str, headers: &mut HeaderMap) {
        headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(methods));
        headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(self.request_headers));
        headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("7200"));
    }
}

use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE,
};
use http::{HeaderMap, HeaderValue};

/// CORS headers that let scripts of every origin use an endpoint (Fetch Standard, "CORS protocol").
/// Credentials are never allowed: browsers send no cookies, and block scripts that request them
/// from reading the response.
///
/// The headers do not depend on `Origin`, so caches need no `Vary`.
#[derive(Debug)]
pub(crate) struct Cors {
    /// Request headers that scripts may set beyond the CORS-safelisted ones.
    pub(crate) allowed_request_headers: &'static str,
    /// Response headers that scripts may read beyond the CORS-safelisted ones.
    pub(crate) exposed_response_headers: &'static str,
}

impl Cors {
    /// Allows scripts to read the response.
    pub(crate) fn add_response_headers(&self, headers: &mut HeaderMap) {
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        headers.insert(
            ACCESS_CONTROL_EXPOSE_HEADERS,
            HeaderValue::from_static(self.exposed_response_headers),
        );
    }

    /// Allows scripts to use these methods, in the response to a preflight request. Browsers cache
    /// it for at most two hours.
    pub(crate) fn add_preflight_headers(&self, methods: &'static str, headers: &mut HeaderMap) {
        headers.insert(
            ACCESS_CONTROL_ALLOW_METHODS,
            HeaderValue::from_static(methods),
        );
        headers.insert(
            ACCESS_CONTROL_ALLOW_HEADERS,
            HeaderValue::from_static(self.allowed_request_headers),
        );
        headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("7200"));
    }
}

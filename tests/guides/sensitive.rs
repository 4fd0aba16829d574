use http::HeaderName;
use http::header::{AUTHORIZATION, COOKIE};
use tower::Layer;
use tower_http::sensitive_headers::{SetSensitiveRequestHeaders, SetSensitiveRequestHeadersLayer};

/// Outside of every layer that prints headers.
pub fn mark_secrets<S>(service: S) -> SetSensitiveRequestHeaders<S> {
    let secrets = [AUTHORIZATION, COOKIE, HeaderName::from_static("x-api-key")];
    SetSensitiveRequestHeadersLayer::new(secrets).layer(service)
}

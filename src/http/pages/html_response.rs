use http::header::{CONTENT_LANGUAGE, CONTENT_SECURITY_POLICY, HeaderName, VARY};
use http::{HeaderValue, Response, StatusCode};

use super::Language;
use crate::http::{Body, response};

/// Content security policy of pages: stylesheets, scripts, images and form targets are limited to
/// the page's own origin, and framing is forbidden. Only custom pages have images, such as logos.
pub(crate) const STRICT_CSP: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; \
                                 base-uri 'none'";

/// As [`STRICT_CSP`], for pages whose form may redirect to a client. Browsers apply `form-action`
/// to every redirect after a form, including those that the client makes later, so no list of
/// origins is right. Without the directive, forms still go only to the targets in the markup,
/// because the script submits none and all values are escaped.
pub(crate) const CSP_ANY_FORM_ACTION: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'";

/// Response with an HTML page.
pub(crate) fn html_response(
    status: StatusCode,
    html: String,
    policy: &'static str,
    language: Language,
) -> Response<Body> {
    let mut response = response::with_body(status, "text/html; charset=utf-8", html);
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    // For browsers without support for `frame-ancestors`.
    headers.insert(
        HeaderName::from_static("x-frame-options"),
        HeaderValue::from_static("DENY"),
    );
    headers.insert(CONTENT_LANGUAGE, HeaderValue::from_static(language.code()));
    headers.insert(VARY, HeaderValue::from_static("accept-language, cookie"));
    response
}

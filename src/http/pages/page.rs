use http::header::{CONTENT_LANGUAGE, CONTENT_SECURITY_POLICY, HeaderName, VARY};
use http::{HeaderValue, Response, StatusCode};

use super::Language;
use crate::http::{Body, answer};

/// Stylesheets, scripts and images are loaded from the page's own origin alone, nothing may frame the page, and its forms go nowhere else. The pages of this
/// crate have no images, but those of hosts have their logos.
pub(crate) const STRICT: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; \
                                 base-uri 'none'";

/// As [`STRICT`], for pages whose form may end at a client. Browsers hold `form-action` against every redirect that follows a form, also
/// against those that the client makes after us, so no list of origins is right; without the directive the form can still only go where
/// our own markup sends it, as our script sends none and nothing on the page is unescaped.
pub(crate) const ENDS_ELSEWHERE: &str =
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'";

/// A page, which nobody may keep.
pub(crate) fn page(status: StatusCode, html: String, policy: &'static str, language: Language) -> Response<Body> {
    let mut response = answer::with_body(status, "text/html; charset=utf-8", html);
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    // For browsers that know no `frame-ancestors`.
    headers.insert(HeaderName::from_static("x-frame-options"), HeaderValue::from_static("DENY"));
    headers.insert(CONTENT_LANGUAGE, HeaderValue::from_static(language.code()));
    headers.insert(VARY, HeaderValue::from_static("accept-language, cookie"));
    response
}

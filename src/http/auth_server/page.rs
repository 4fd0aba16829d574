use std::sync::LazyLock;

use askama::Template;
use base64ct::{Base64UrlUnpadded, Encoding};
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName};
use http::{HeaderValue, Response, StatusCode};
use sha2::{Digest, Sha256};

use super::answer;
use super::wire::RequestedScope;
use crate::http::Body;
use crate::http::audit::RequestId;
use crate::http::issuer::Issuer;

const STYLESHEET: &str = concat!(include_str!("../../../templates/colours.css"), include_str!("../../../templates/style.css"));

/// The stylesheet's name holds its digest, so that browsers may keep it for ever.
static STYLESHEET_NAME: LazyLock<String> = LazyLock::new(|| {
    let digest = Base64UrlUnpadded::encode_string(&Sha256::digest(STYLESHEET));
    format!("style-{}.css", &digest[..16])
});

/// Nothing may be loaded but the stylesheet, nothing may frame the page, and its forms go nowhere else.
const STRICT: &str = "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/// As [`STRICT`], for the pages whose form may end at a client. Browsers hold `form-action` against every redirect that follows a form, also
/// against those that the client makes after us, so no list of origins is right; without the directive the form can still only go where
/// our own markup sends it, as there is no script and nothing unescaped on the page.
const ENDS_AT_A_CLIENT: &str = "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'";

/// What the login page shows.
#[derive(Debug, Template)]
#[template(path = "login.html")]
pub(super) struct LoginPage<'a> {
    pub(super) frame: Frame,
    pub(super) service_name: &'a str,
    pub(super) email: &'a str,
    pub(super) failed: bool,
    pub(super) form_token: &'a str,
}

/// What the consent page shows.
#[derive(Debug, Template)]
#[template(path = "consent.html")]
pub(super) struct ConsentPage<'a> {
    pub(super) frame: Frame,
    pub(super) service_name: &'a str,
    pub(super) account: &'a str,
    pub(super) scopes: &'a [AskedScope],
    pub(super) minutes_left: i64,
    pub(super) form_token: &'a str,
}

/// A scope on the consent page.
#[derive(Debug)]
pub(super) struct AskedScope {
    pub(super) scope: RequestedScope,
    /// Whether the user allowed something to this client before, and not this.
    pub(super) is_new: bool,
}

#[derive(Debug, Template)]
#[template(path = "error.html")]
struct ErrorPage<'a> {
    frame: Frame,
    title: &'static str,
    /// Whether the fault is in what an application's link asked for, so that the description is for its makers.
    wrongly_asked: bool,
    description: &'a str,
    request_id: RequestId,
}

/// What is around every page.
#[derive(Debug)]
pub(super) struct Frame {
    /// Where the endpoints lie, from the root of the host.
    root: String,
    stylesheet: String,
}

impl Frame {
    pub(super) fn new(issuer: &Issuer) -> Self {
        Self { root: issuer.root(), stylesheet: issuer.endpoint(&format!("assets/{}", *STYLESHEET_NAME)) }
    }
}

/// The login page; status 401 after a failure.
pub(super) fn login(page: &LoginPage<'_>) -> Result<Response<Body>, askama::Error> {
    let status = if page.failed { StatusCode::UNAUTHORIZED } else { StatusCode::OK };
    // Who has allowed all of it before is sent on from here.
    Ok(html(status, page.render()?, ENDS_AT_A_CLIENT))
}

/// The consent page.
pub(super) fn consent(page: &ConsentPage<'_>) -> Result<Response<Body>, askama::Error> {
    Ok(html(StatusCode::OK, page.render()?, ENDS_AT_A_CLIENT))
}

/// A page that says what went wrong.
pub(super) fn error(status: StatusCode, description: &str, request_id: RequestId, issuer: &Issuer) -> Response<Body> {
    let frame = Frame::new(issuer);
    let title = match status {
        StatusCode::UNAUTHORIZED => "Please start again",
        StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED => "Nothing here",
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => "Please try again later",
        status if status.is_server_error() => "Something went wrong",
        _ => "This sign-in cannot go on",
    };
    let page = ErrorPage { frame, title, wrongly_asked: status == StatusCode::BAD_REQUEST, description, request_id };
    // Writing to a string does not fail; if it did, the title alone would have to do.
    html(status, page.render().unwrap_or_else(|_| title.to_owned()), STRICT)
}

/// The stylesheet, if this is its name.
pub(super) fn stylesheet(name: &str) -> Option<Response<Body>> {
    if name != *STYLESHEET_NAME {
        return None;
    }
    let mut response = answer::with_body(StatusCode::OK, "text/css; charset=utf-8", STYLESHEET);
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"));
    Some(response)
}

fn html(status: StatusCode, html: String, policy: &'static str) -> Response<Body> {
    let mut response = answer::with_body(status, "text/html; charset=utf-8", html);
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    // For browsers that know no `frame-ancestors`.
    headers.insert(HeaderName::from_static("x-frame-options"), HeaderValue::from_static("DENY"));
    response
}

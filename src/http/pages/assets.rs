//! What pages are shown with. Names hold digests, so that browsers may keep it for ever.

use std::sync::LazyLock;

use base64ct::{Base64UrlUnpadded, Encoding};
use http::header::{CACHE_CONTROL, ETAG, IF_NONE_MATCH};
use http::{HeaderMap, HeaderValue, Response, StatusCode};
use sha2::{Digest, Sha256};

use crate::http::{Body, answer};

const STYLES: &str = concat!(include_str!("../../../templates/colours.css"), include_str!("../../../templates/style.css"));

static STYLESHEET: LazyLock<Asset> = LazyLock::new(|| Asset::new("style", "css", "text/css; charset=utf-8", STYLES));
static SCRIPT: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("script", "js", "text/javascript; charset=utf-8", include_str!("../../../assets/console.js")));

struct Asset {
    name: String,
    tag: String,
    content_type: &'static str,
    content: &'static str,
}

impl Asset {
    fn new(stem: &str, extension: &str, content_type: &'static str, content: &'static str) -> Self {
        let digest = Base64UrlUnpadded::encode_string(&Sha256::digest(content));
        let digest = &digest[..16];
        Self { name: format!("{stem}-{digest}.{extension}"), tag: format!("\"{digest}\""), content_type, content }
    }

    /// Whether the browser has it already (RFC 9110 §13.1.2).
    fn is_known(&self, headers: &HeaderMap) -> bool {
        let values = headers.get_all(IF_NONE_MATCH).into_iter().filter_map(|value| value.to_str().ok());
        let mut tags = values.flat_map(|value| value.split(',')).map(str::trim);
        tags.any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == self.tag)
    }
}

/// What the stylesheet is called.
pub(crate) fn stylesheet_name() -> &'static str {
    &STYLESHEET.name
}

/// What the script is called.
pub(crate) fn script_name() -> &'static str {
    &SCRIPT.name
}

/// The asset of this name for a request with these headers, if there is one.
pub(crate) fn asset(name: &str, headers: &HeaderMap) -> Option<Response<Body>> {
    let asset = [&*STYLESHEET, &*SCRIPT].into_iter().find(|asset| asset.name == name)?;
    let mut response = if asset.is_known(headers) {
        let mut response = answer::empty();
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response
    } else {
        answer::with_body(StatusCode::OK, asset.content_type, asset.content)
    };
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"));
    headers.insert(ETAG, HeaderValue::try_from(&asset.tag).ok()?);
    Some(response)
}

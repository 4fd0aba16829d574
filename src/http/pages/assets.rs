//! Stylesheet and script of the pages. Their names contain digests, so that browsers may cache them
//! forever.

use std::sync::LazyLock;

use base64ct::{Base64UrlUnpadded, Encoding};
use http::header::{CACHE_CONTROL, ETAG};
use http::{HeaderMap, HeaderValue, Response, StatusCode};
use sha2::{Digest, Sha256};

use crate::http::{Body, entity_tags, response};

const STYLES: &str = concat!(
    include_str!("../../../templates/styles/colours.css"),
    include_str!("../../../templates/styles/base.css"),
    include_str!("../../../templates/styles/narrow.css"),
    include_str!("../../../templates/styles/shell.css"),
    include_str!("../../../templates/styles/page.css"),
    include_str!("../../../templates/styles/forms.css"),
    include_str!("../../../templates/styles/tables.css"),
    include_str!("../../../templates/styles/code.css"),
    include_str!("../../../templates/styles/charts.css"),
    include_str!("../../../templates/styles/data.css"),
    include_str!("../../../templates/styles/weeks.css"),
    include_str!("../../../templates/styles/developer.css"),
    include_str!("../../../templates/styles/admin.css"),
    include_str!("../../../templates/styles/media.css")
);

static STYLESHEET: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("style", "css", "text/css; charset=utf-8", STYLES));
static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new(
        "script",
        "js",
        "text/javascript; charset=utf-8",
        include_str!("../../../assets/console.js"),
    )
});

struct Asset {
    name: String,
    etag: String,
    content_type: &'static str,
    content: &'static str,
}

impl Asset {
    fn new(stem: &str, extension: &str, content_type: &'static str, content: &'static str) -> Self {
        let digest = Base64UrlUnpadded::encode_string(&Sha256::digest(content));
        let digest = &digest[..16];
        Self {
            name: format!("{stem}-{digest}.{extension}"),
            etag: format!("\"{digest}\""),
            content_type,
            content,
        }
    }
}

/// File name of the stylesheet.
pub(crate) fn stylesheet_name() -> &'static str {
    &STYLESHEET.name
}

/// File name of the script.
pub(crate) fn script_name() -> &'static str {
    &SCRIPT.name
}

/// Returns the asset of this name, or status 304 if the browser has cached it.
pub(crate) fn asset(name: &str, headers: &HeaderMap) -> Option<Response<Body>> {
    let asset = [&*STYLESHEET, &*SCRIPT]
        .into_iter()
        .find(|asset| asset.name == name)?;
    let mut response = if entity_tags::is_not_modified(headers, asset.etag.as_bytes()) {
        let mut response = response::empty();
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response
    } else {
        response::with_body(StatusCode::OK, asset.content_type, asset.content)
    };
    let headers = response.headers_mut();
    headers.insert(
        CACHE_CONTROL,
        HeaderValue::from_static("public, max-age=31536000, immutable"),
    );
    headers.insert(ETAG, HeaderValue::try_from(&asset.etag).ok()?);
    Some(response)
}

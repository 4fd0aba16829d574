//! API reference: the services' descriptions as an OpenAPI document and as a page.

mod labels;
mod merge;
mod page;
mod schema;
mod text;
mod translation;
mod try_it;

use std::convert::Infallible;
use std::fmt;
use std::future::{Ready, ready};
use std::sync::Arc;
use std::task::{Context, Poll};

use base64ct::{Base64UrlUnpadded, Encoding};
use bytes::Bytes;
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HeaderName, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderMap, HeaderValue, Request, Response, StatusCode};
use sha2::{Digest, Sha256};
use tower::Service;

use super::compressible_document::CompressibleDocument;
use super::openapi::ApiDescription;
use super::{Body, document, entity_tags};
use labels::{ENGLISH, KOREAN};
pub use merge::DescriptionConflict;

/// API reference of one or more services: an OpenAPI 3.1 document at `/v1/openapi.json`, and an
/// HTML page at `/v1/docs`, in Korean at `/v1/docs/ko`. The page loads its own stylesheet and
/// script alone; the script sends requests that readers try, to the described services only.
///
/// It is a public [`tower::Service`], at the root of a server or nested below a path.
///
/// ```
/// use std::sync::Arc;
///
/// use http::Request;
/// use lyceum::DataApi;
/// use lyceum::directory::Directory;
/// use lyceum::http::ApiReference;
/// use lyceum::store::memory::MemoryStore;
/// use tower::ServiceExt;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let store = Arc::new(MemoryStore::new());
/// let directory = Directory::open(store.clone()).await?;
/// let api = DataApi::builder(directory, store).public_url("https://api.school.example").build()?;
/// let reference = ApiReference::new("Star High School", [api.openapi()])?;
///
/// assert!(reference.document().starts_with('{'));
/// let response = reference.oneshot(Request::get("/v1/docs").body(())?).await?;
/// assert_eq!(response.headers()["content-type"], "text/html; charset=utf-8");
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct ApiReference(Arc<[Document]>);

const JSON: &str = "application/json";
const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

const SHORT_CACHE: &str = "public, max-age=300";
/// For names that contain a digest.
const LONG_CACHE: &str = "public, max-age=31536000, immutable";

/// The policy of everything but a page: nothing may be loaded.
const NOTHING: &str =
    "default-src 'none'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'";

/// A document that is rendered once and served from memory.
struct Document {
    path: String,
    content_type: &'static str,
    cache: &'static str,
    body: CompressibleDocument,
    tag: String,
    policy: HeaderValue,
}

impl ApiReference {
    /// Renders a reference of these services with this title.
    ///
    /// # Errors
    /// When two descriptions conflict.
    pub fn new(
        title: &str,
        descriptions: impl IntoIterator<Item = ApiDescription>,
    ) -> Result<Self, DescriptionConflict> {
        let document = merge::merge(title, descriptions)?;
        let (style_name, style) = page::stylesheet();
        let (script_name, script) = page::script();
        // Writing to a string does not fail; if it did, the page would be the title alone.
        let html = |document, labels, is_below_docs| {
            let assets = page::Assets {
                stylesheet: &style_name,
                script: &script_name,
                is_below_docs,
            };
            page::render(document, labels, &assets).unwrap_or_else(|_| title.to_owned())
        };
        let policy = page::security_policy(&document);
        let korean = translation::into_korean(&document);
        // Members are sorted by name, so that the same services always have the same document.
        let json = format!("{document:#}\n");
        Ok(Self(Arc::new([
            Document::new("/v1/openapi.json", JSON, SHORT_CACHE, json),
            Document::new(
                "/v1/docs",
                HTML,
                SHORT_CACHE,
                html(&document, &ENGLISH, false),
            )
            .with_policy(&policy),
            Document::new(
                "/v1/docs/ko",
                HTML,
                SHORT_CACHE,
                html(&korean, &KOREAN, true),
            )
            .with_policy(&policy),
            Document::new(&format!("/v1/docs/{style_name}"), CSS, LONG_CACHE, style),
            Document::new(
                &format!("/v1/docs/{script_name}"),
                SCRIPT,
                LONG_CACHE,
                script,
            ),
        ])))
    }

    /// The OpenAPI document, to be written to a file or published elsewhere.
    pub fn document(&self) -> &str {
        self.0
            .first()
            .and_then(|page| std::str::from_utf8(page.body.as_bytes()).ok())
            .unwrap_or_default()
    }
}

impl Document {
    fn new(
        path: &str,
        content_type: &'static str,
        cache: &'static str,
        body: impl Into<Bytes>,
    ) -> Self {
        let body = CompressibleDocument::new(body);
        let digest = Base64UrlUnpadded::encode_string(&Sha256::digest(body.as_bytes()));
        Self {
            path: path.to_owned(),
            content_type,
            cache,
            body,
            tag: format!("\"{}\"", &digest[..20]),
            policy: HeaderValue::from_static(NOTHING),
        }
    }

    /// The same with another policy, if it can be a header.
    fn with_policy(self, policy: &str) -> Self {
        let policy = HeaderValue::try_from(policy).unwrap_or_else(|_| self.policy.clone());
        Self { policy, ..self }
    }

    /// The response to GET; without the body if the client has this version (RFC 9110 §13.1.2).
    fn response(&self, request: &HeaderMap) -> Response<Body> {
        let mut response = Response::new(Body::empty());
        if entity_tags::is_not_modified(request, self.tag.as_bytes()) {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
        } else {
            self.body.write_to(&mut response, request);
            let headers = response.headers_mut();
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(self.content_type));
            headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
            headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
            headers.insert(CONTENT_SECURITY_POLICY, self.policy.clone());
            headers.insert(
                HeaderName::from_static("x-frame-options"),
                HeaderValue::from_static("DENY"),
            );
        }
        let headers = response.headers_mut();
        headers.insert(CACHE_CONTROL, HeaderValue::from_static(self.cache));
        if let Ok(tag) = HeaderValue::try_from(&self.tag) {
            headers.insert(ETAG, tag);
        }
        response
    }
}

impl<B> Service<Request<B>> for ApiReference {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Ready<Result<Response<Body>, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let path = request.uri().path();
        let document = self.0.iter().find(|document| document.path == path);
        ready(Ok(document::from_document(
            request.method(),
            document.map(|document| document.response(request.headers())),
        )))
    }
}

impl fmt::Debug for ApiReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.0.iter().map(|page| &page.path))
            .finish()
    }
}

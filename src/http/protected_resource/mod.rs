mod wire;

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::task::{Context, Poll};

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderValue, Request, Response};
use tower::Service;

use super::public_url::parse_public_url;
use super::{Body, document};
use crate::domain::{InvalidValue, ScopeSet};
pub(super) use wire::ResourceDocument;

const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";

/// Protected resource metadata (RFC 9728): the URL of a service and its authorization service, for
/// clients that were refused.
///
/// It is a [`tower::Service`] at its own [`path`](Self::path), which starts at the root of the host
/// even if the service is mounted below it.
///
/// ```
/// use lyceum::http::ProtectedResource;
///
/// let resource =
///     ProtectedResource::new("https://school.example/timetable", "https://school.example/auth")?;
/// assert_eq!(resource.path(), "/.well-known/oauth-protected-resource/timetable");
/// assert_eq!(
///     resource.metadata_url(),
///     "https://school.example/.well-known/oauth-protected-resource/timetable"
/// );
/// # Ok::<_, lyceum::domain::InvalidValue>(())
/// ```
#[derive(Debug, Clone)]
pub struct ProtectedResource {
    url: String,
    path_start: usize,
    authorization_server: String,
    accepts_tokens: bool,
    scopes: ScopeSet,
    document: Bytes,
}

impl ProtectedResource {
    /// Creates metadata of the service at `url`, whose tokens `authorization_server` issues. Both
    /// URLs must be `https`, or `http` on a loopback address, without a query.
    ///
    /// # Errors
    /// When one of the URLs is not.
    pub fn new(url: &str, authorization_server: &str) -> Result<Self, InvalidValue> {
        let url = url.trim_end_matches('/');
        for address in [url, authorization_server] {
            if parse_public_url(address)?.has_query() {
                return Err(InvalidValue::new("must not have a query"));
            }
        }
        let path_start = url.len() - parse_public_url(url)?.path().as_str().len();
        let resource = Self {
            url: url.to_owned(),
            path_start,
            authorization_server: authorization_server.to_owned(),
            accepts_tokens: true,
            scopes: ScopeSet::default(),
            document: Bytes::new(),
        };
        Ok(resource.with_rendered_document())
    }

    /// Sets the scopes that clients may request for the service; by default they are not published.
    #[must_use]
    pub fn scopes(mut self, scopes: ScopeSet) -> Self {
        self.scopes = scopes;
        self.with_rendered_document()
    }

    /// Publishes that the service accepts no bearer tokens, because it uses other credentials.
    #[cfg(feature = "data-api")]
    pub(crate) fn without_tokens(mut self) -> Self {
        self.accepts_tokens = false;
        self.with_rendered_document()
    }

    /// Path of the metadata on the host (RFC 9728 §3.1): the well-known prefix followed by the
    /// service's path.
    pub fn path(&self) -> String {
        format!("{WELL_KNOWN}{}", &self.url[self.path_start..])
    }

    /// URL of the metadata.
    pub fn metadata_url(&self) -> String {
        format!("{}{}", &self.url[..self.path_start], self.path())
    }

    /// Whether the metadata is at this path: its full path, or the well-known prefix alone if the
    /// host has stripped the service's path.
    pub(crate) fn matches_path(&self, path: &str) -> bool {
        path.strip_prefix(WELL_KNOWN)
            .is_some_and(|rest| rest.is_empty() || rest == &self.url[self.path_start..])
    }

    /// Response with the metadata, cacheable by everyone.
    pub(crate) fn metadata_response(&self) -> Response<Body> {
        let mut response = Response::new(Body::from(self.document.clone()));
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(CONTENT_LENGTH, HeaderValue::from(self.document.len()));
        headers.insert(
            CACHE_CONTROL,
            HeaderValue::from_static("public, max-age=300"),
        );
        response
    }

    fn with_rendered_document(mut self) -> Self {
        let methods: &[&str] = if self.accepts_tokens {
            &["header"]
        } else {
            &[]
        };
        self.document =
            ResourceDocument::new(&self.url, &self.authorization_server, methods, &self.scopes)
                .to_json()
                .into();
        self
    }
}

impl<B> Service<Request<B>> for ProtectedResource {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Ready<Result<Response<Body>, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let document = self
            .matches_path(request.uri().path())
            .then(|| self.metadata_response());
        ready(Ok(document::from_document(request.method(), document)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(resource: &ProtectedResource) -> String {
        String::from_utf8(resource.document.to_vec()).unwrap()
    }

    // Proves: spec 3.18
    #[test]
    fn a_service_describes_itself_as_in_rfc_9728() {
        let resource =
            ProtectedResource::new("https://school.example/a/b", "https://school.example/auth")
                .unwrap();
        assert_eq!(
            document(&resource),
            r#"{"resource":"https://school.example/a/b","authorization_servers":["https://school.example/auth"],"bearer_methods_supported":["header"]}"#
        );
        assert!(
            document(
                &resource
                    .clone()
                    .scopes(ScopeSet::parse("service:self_read").unwrap())
            )
            .contains(r#""scopes_supported":["service:self_read"]"#)
        );
        assert!(document(&resource.without_tokens()).contains(r#""bearer_methods_supported":[]"#));
    }

    #[test]
    fn the_well_known_path_stands_before_the_path_of_the_service() {
        for (url, path) in [
            (
                "https://school.example",
                "/.well-known/oauth-protected-resource",
            ),
            (
                "https://school.example/",
                "/.well-known/oauth-protected-resource",
            ),
            (
                "https://school.example:8443/a/b/",
                "/.well-known/oauth-protected-resource/a/b",
            ),
            (
                "http://127.0.0.1:3000/a",
                "/.well-known/oauth-protected-resource/a",
            ),
        ] {
            let resource = ProtectedResource::new(url, "https://school.example").unwrap();
            assert_eq!(resource.path(), path);
            assert!(
                resource
                    .metadata_url()
                    .starts_with(resource.url.split_at(resource.path_start).0)
            );
            assert!(resource.matches_path(path) && resource.matches_path(WELL_KNOWN));
            for other in [
                format!("{path}/"),
                format!("{path}x"),
                format!("/x{path}"),
                "/".to_owned(),
            ] {
                assert!(!resource.matches_path(&other), "{other}");
            }
        }
    }

    #[test]
    fn an_address_that_is_not_public_is_refused() {
        for url in [
            "",
            "school.example",
            "http://school.example",
            "https://a.example?x",
            "https://a.example#x",
            "https://a.example/\"x",
        ] {
            assert!(
                ProtectedResource::new(url, "https://school.example").is_err(),
                "{url:?}"
            );
            assert!(
                ProtectedResource::new("https://school.example", url).is_err(),
                "{url:?}"
            );
        }
    }
}

use http::header::{ALLOW, CONTENT_LENGTH};
use http::{HeaderValue, Method, Request, Response, StatusCode};
use http_body::Body as HttpBody;

use super::error::{Dress, Refusal};
use super::server::Server;
use super::{AuthStorage, page};
use crate::http::{Body, body};

/// The longest body that is read, in bytes.
const BODY_LIMIT: usize = 16 * 1024;

/// The endpoints, by path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Endpoint<'a> {
    Stylesheet(&'a str),
}

impl<'a> Endpoint<'a> {
    fn at(path: &'a str) -> Option<Self> {
        let mut segments = path.strip_prefix("/v1/oauth/")?.split('/');
        Some(match (segments.next()?, segments.next(), segments.next()) {
            ("assets", Some(name), None) => Self::Stylesheet(name),
            _ => return None,
        })
    }

    /// Whether the endpoint answers POST. `external_login` says whether the host has a login page of its own.
    fn methods(self, _external_login: bool) -> Methods {
        match self {
            Self::Stylesheet(_) => Methods::Get,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Methods {
    Get,
}

impl Methods {
    fn allow(self) -> &'static str {
        match self {
            Self::Get => "GET, HEAD",
        }
    }

    fn has(self, method: &Method) -> bool {
        self.allow().split(", ").any(|allowed| allowed == method.as_str())
    }
}

/// The shape in which a request's endpoint says no.
pub(super) fn dress<B>(request: &Request<B>) -> Dress {
    match Endpoint::at(request.uri().path()) {
        Some(Endpoint::Stylesheet(_)) | None => Dress::negotiated(request.headers()),
    }
}

/// Answers a request.
pub(super) async fn answer<S, B>(server: &Server<S>, request: Request<B>) -> Response<Body>
where
    S: AuthStorage + ?Sized,
    B: HttpBody,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let dress = dress(&request);
    let is_head = request.method() == Method::HEAD;
    let response = handle(server, request).await.unwrap_or_else(|refusal| refusal.into_response(dress, &server.issuer));
    if is_head { without_body(response) } else { response }
}

async fn handle<S, B>(server: &Server<S>, request: Request<B>) -> Result<Response<Body>, Refusal>
where
    S: AuthStorage + ?Sized,
    B: HttpBody,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let (parts, body) = request.into_parts();
    let endpoint = Endpoint::at(parts.uri.path()).ok_or_else(not_found)?;
    let methods = endpoint.methods(server.external_login.is_some());
    if !methods.has(&parts.method) {
        return Err(not_allowed(methods.allow()));
    }
    let body = if parts.method == Method::POST { body::read(body, BODY_LIMIT).await? } else { Default::default() };
    let _request = Request::from_parts(parts.clone(), body);
    match endpoint {
        Endpoint::Stylesheet(name) => page::stylesheet(name).ok_or_else(not_found),
    }
}

fn not_found() -> Refusal {
    Refusal::new(StatusCode::NOT_FOUND, "not_found", "There is nothing at this address.")
}

fn not_allowed(allow: &'static str) -> Refusal {
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", "This address does not answer that method.")
        .header(ALLOW, HeaderValue::from_static(allow))
}

/// The answer to HEAD: the headers that GET would have had (RFC 9110 §9.3.2).
fn without_body(response: Response<Body>) -> Response<Body> {
    let (mut parts, body) = response.into_parts();
    parts.headers.insert(CONTENT_LENGTH, HeaderValue::from(body.as_bytes().len()));
    Response::from_parts(parts, Body::empty())
}

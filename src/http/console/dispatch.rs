//! Handling of a request by the handler of its route, after the checks of every route.

use bytes::Bytes;
use http::header::{ALLOW, CONTENT_LENGTH};
use http::{HeaderValue, Method, Request, Response, StatusCode};
use http_body::Body as HttpBody;

use super::error::{Error, with_rule};
use super::route::{Handler, Route, UserHandler};
use super::server::Server;
use super::session;
use super::user_request::UserRequest;
use crate::http::audit::RefusalRule;
use crate::http::pages::{Language, asset};
use crate::http::{Body, request_body};

/// Maximum length of a request body, in bytes; enough for a client with the most scopes.
const BODY_LIMIT: usize = 64 * 1024;

/// Handles a request and finishes the response.
pub(super) async fn respond<B>(server: &Server, request: Request<B>) -> Response<Body>
where
    B: HttpBody,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let is_head = request.method() == Method::HEAD;
    let response = handle(server, request)
        .await
        .unwrap_or_else(|error| server.error_page(error));
    server.finish(if is_head {
        without_body(response)
    } else {
        response
    })
}

async fn handle<B>(server: &Server, request: Request<B>) -> Result<Response<Body>, Error>
where
    B: HttpBody,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let matched = server.context.route.as_ref();
    let route = matched.ok_or_else(Error::not_found)?.route;
    let Some(handler) = route.handler(request.method()) else {
        let error = Error::new(
            RefusalRule::MethodNotAllowed,
            StatusCode::METHOD_NOT_ALLOWED,
        );
        return Err(error.with_header(ALLOW, HeaderValue::from_static(route.methods())));
    };
    let (parts, body) = request.into_parts();
    let (is_post, address) = (parts.method == Method::POST, &server.shared.address);
    if !is_post
        && route.is_page()
        && let Some(response) =
            Language::switch_response(&parts.uri, address.path(), address.is_secure())
    {
        return Ok(response);
    }
    let body = if is_post {
        request_body::read(body, BODY_LIMIT).await?
    } else {
        Bytes::new()
    };
    let request = &Request::from_parts(parts, body);
    let handler = match handler {
        Handler::Asset => {
            let [name] = server.context.params();
            return asset(name, request.headers()).ok_or_else(Error::not_found);
        }
        Handler::Public(handle) => return handle(server, request).await,
        Handler::SignedIn(handler) => handler,
    };
    let user = match session::require_user(server, request).await? {
        Ok(user) => user,
        Err(redirect) => return Ok(redirect),
    };
    let user_request = UserRequest {
        server,
        user,
        request,
    };
    match handle_signed_in(route, handler, &user_request).await {
        Err(error) if error.has_rule(RefusalRule::SessionEnded) => Ok(with_rule(
            session::redirect_to_sign_in(server, request.headers())?,
            RefusalRule::SessionEnded,
        )),
        answer => answer,
    }
}

/// Calls the handler after the checks that its row demands.
async fn handle_signed_in(
    route: &Route,
    handler: UserHandler,
    request: &UserRequest<'_>,
) -> Result<Response<Body>, Error> {
    if let UserHandler::Form {
        is_change: true, ..
    } = handler
    {
        request.management().acquire_change()?;
    }
    if route.is_for_administrators && !request.is_administrator() {
        return Err(Error::new(
            RefusalRule::AdministratorsOnly,
            StatusCode::FORBIDDEN,
        ));
    }
    if route.needs_api_keys && request.server.api_keys().is_none() {
        return Err(Error::not_found());
    }
    match handler {
        UserHandler::Page(show) => show(request).await,
        UserHandler::Form { fields, submit, .. } => submit(request, request.form(fields)?).await,
    }
}

/// Response to HEAD: the headers of GET without its body (RFC 9110 §9.3.2).
fn without_body(response: Response<Body>) -> Response<Body> {
    let (mut parts, body) = response.into_parts();
    if let Some(length) = body.size_hint().exact() {
        parts
            .headers
            .insert(CONTENT_LENGTH, HeaderValue::from(length));
    }
    Response::from_parts(parts, Body::empty())
}

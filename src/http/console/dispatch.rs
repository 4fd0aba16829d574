//! Handling of a request by the handler of its route, after the checks of every route.

use bytes::Bytes;
use http::{Method, Request, Response, StatusCode};

use super::error::{Error, with_rule};
use super::route_matching::{Handler, HandlerResult, Route, UserHandler};
use super::server::Server;
use super::session;
use super::user_request::UserRequest;
use crate::http::Body;
use crate::http::audit::RefusalRule;
use crate::http::pages::{Language, asset};
use crate::http::request_body;
use crate::http::service::{
    CommonError, ReadableBody, Refusal, RequestContext, RequestHandler, log_refusal,
};

/// Maximum length of a request body, in bytes; enough for a client with the most scopes.
const BODY_LIMIT: usize = 64 * 1024;

impl RequestHandler for Server {
    type Error = Error;

    fn context(&self) -> &RequestContext {
        &self.context
    }

    async fn handle<B: ReadableBody>(&self, request: Request<B>) -> HandlerResult {
        let (server, (parts, body)) = (self, request.into_parts());
        let matched = server.route.as_ref().ok_or(CommonError::UnknownPath)?;
        let route = matched.route;
        let handler = route
            .handler(&parts.method)
            .ok_or(CommonError::MethodNotAllowed(route.methods()))?;
        let (is_post, address) = (parts.method == Method::POST, &server.shared.address);
        if !is_post
            && server.page_uri.is_some()
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
                let [name] = server.params();
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

    fn error_response(&self, error: Error) -> Response<Body> {
        error.into_response(self)
    }

    fn log_refusal(refusal: Refusal<'_>) {
        log_refusal!("lyceum::console", refusal);
    }
}

/// Calls the handler after the checks of its [`Route`].
async fn handle_signed_in(
    route: &Route,
    handler: UserHandler,
    request: &UserRequest<'_>,
) -> HandlerResult {
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
    if route.needs_sync && request.server.sync().is_none() {
        return Err(Error::not_found());
    }
    match handler {
        UserHandler::Page(show) => show(request).await,
        UserHandler::Form { fields, submit, .. } => submit(request, request.form(fields)?).await,
    }
}

//! Handling of a request by the handler of its route, after the checks of every route.

use std::sync::atomic::AtomicBool;

use bytes::Bytes;
use http::header::SET_COOKIE;
use http::{Method, Request, Response, StatusCode};

use super::applications::requests::back_to_waiting;
use super::error::{Error, with_rule};
use super::form::sent_once;
use super::form::typed::TypedForm;
use super::route_matching::{BODY_LIMIT, Handler, HandlerResult, MatchedRoute, Route, UserHandler};
use super::server::Server;
use super::session;
use super::user_request::UserRequest;
use crate::domain::Role;
use crate::http::Body;
use crate::http::audit::RefusalRule;
use crate::http::pages::Language;
use crate::http::request_body;
use crate::http::response;
use crate::http::service::{
    CommonError, ReadableBody, Refusal, RequestContext, RequestHandler, log_refusal,
};

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
        // A long body is read only of a user who may send it.
        let is_long = route.body_limit > BODY_LIMIT;
        let (body, rest) = match (is_post, is_long) {
            (true, false) => (request_body::read(body, BODY_LIMIT).await?, None),
            (true, true) => (Bytes::new(), Some(body)),
            (false, _) => (Bytes::new(), None),
        };
        let mut request = Request::from_parts(parts, body);
        let handler = match handler {
            Handler::Asset => {
                let [name] = server.params();
                let assets = &server.shared.management.assets;
                return assets
                    .asset(name, request.headers())
                    .ok_or_else(Error::not_found);
            }
            Handler::Public(handle) => return handle(server, &request).await,
            Handler::SignedIn(handler) => handler,
        };
        let Some(user) = session::require_user(server, request.headers()).await? else {
            // A long form is read as far as a cookie could hold it.
            if let Some(rest) = rest
                && let Ok(body) = request_body::read(rest, BODY_LIMIT).await
            {
                *request.body_mut() = body;
            }
            return session::redirect_to_sign_in(server, &request);
        };
        server.context.set_subject(&user.subject.id);
        if let Some(rest) = rest {
            check_access(route, server, user.subject.role == Role::Admin)?;
            *request.body_mut() = request_body::read(rest, route.body_limit).await?;
        }
        let request = &request;
        let is_page = request.method() == Method::GET;
        let typed = is_page
            .then(|| TypedForm::restore(server, request, &user.subject.id))
            .flatten();
        let user_request = UserRequest {
            server,
            user,
            request,
            typed,
            shows_typed: AtomicBool::new(false),
        };
        match handle_signed_in(route, handler, &user_request).await {
            Err(error) if error.has_rule(RefusalRule::SessionEnded) => {
                let redirect = session::redirect_to_sign_in(server, request)?;
                Ok(with_rule(redirect, RefusalRule::SessionEnded))
            }
            Ok(page) => match user_request.shown_form() {
                Some(typed) => Ok(response::with_header(
                    page,
                    SET_COOKIE,
                    &typed.forget(server, request.headers()),
                )?),
                None => Ok(page),
            },
            Err(error) => Err(error),
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
    let server = request.server;
    check_access(route, server, request.is_administrator())?;
    let is_confirmed = !route.needs_recent_sign_in || request.user.signed_in_recently(server.now());
    let confirm = |list| session::redirect_to_confirmation(server, request.request, list);
    match handler {
        UserHandler::Page(_) | UserHandler::Upload(_) if !is_confirmed => confirm(None),
        UserHandler::Page(show) => show(request).await,
        UserHandler::Upload(submit) => {
            request.management().acquire_change()?;
            submit(request).await
        }
        UserHandler::Form {
            fields,
            is_change,
            submit,
        } => {
            let form = request.form(fields)?;
            let once = server.route.as_ref().and_then(MatchedRoute::once);
            let once = once.and_then(|once| Some((once, sent_once::id_of(form.pairs())?)));
            if let Some(((page, notice), id)) = &once
                && request.is_sent_before(id)
            {
                return request.redirect_with_flash(page, *notice);
            }
            if !is_confirmed {
                return confirm(back_to_waiting(request, &form));
            }
            if is_change {
                request.management().acquire_change()?;
            }
            let response = submit(request, form).await?;
            match once {
                Some((_, id)) => request.mark_sent(&id, response),
                None => Ok(response),
            }
        }
    }
}

/// Refuses users for whom the route does not exist.
fn check_access(route: &Route, server: &Server, is_administrator: bool) -> Result<(), Error> {
    if route.is_for_administrators && !is_administrator {
        return Err(Error::new(
            RefusalRule::AdministratorsOnly,
            StatusCode::FORBIDDEN,
        ));
    }
    let lacks_keys = route.needs_api_keys && server.api_keys().is_none();
    let lacks_sync = route.needs_sync && server.sync().is_none();
    let lacks_editor = route.needs_school_editor && !server.edits_school();
    let lacks_year = route.needs_school_history && !server.turns_school_year();
    if lacks_keys || lacks_sync || lacks_editor || lacks_year {
        return Err(Error::not_found());
    }
    Ok(())
}

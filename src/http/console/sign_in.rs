use std::borrow::Cow;
use std::time::Duration;

use bytes::Bytes;
use fluent_uri::pct_enc::EString;
use fluent_uri::pct_enc::encoder::{Data, Query};
use http::header::{RETRY_AFTER, SET_COOKIE};
use http::{HeaderMap, Request, StatusCode};

use super::cookie;
use super::error::{Error, with_rule};
use super::form::flash::Flash;
use super::form::{Form, FormFields, check_token, former_session};
use super::route_matching::HandlerResult;
use super::server::Server;
use super::views::SignInPage;
use super::{return_to, session};
use crate::domain::{Email, SubjectId, UserSessionToken};
use crate::http::audit::{EventKind, RefusalRule};
use crate::http::login::{KeepSignedIn, LoginOutcome, OpenedSession, SignedInUser, VerifiedUser};
use crate::http::retry_after::retry_after as retry_after_value;
use crate::http::{form_urlencoded, response};

const FIELDS: FormFields = FormFields::new(&["email", "password", "next", KeepSignedIn::FIELD]);

/// Lifetime of the sign-in form.
const PRE_SESSION_LIFETIME: Duration = Duration::from_secs(60 * 60);

/// `GET /sign-in`.
pub(crate) async fn show(server: &Server, request: &Request<Bytes>) -> HandlerResult {
    let query =
        form_urlencoded::parse(request.uri().query().unwrap_or_default()).unwrap_or_default();
    let return_to = return_address(&query);
    let user = session::current_user(server, request.headers()).await?;
    let asked = Flash::from_query(request.uri()).filter(|flash| flash.asks_for_password());
    let elsewhere = match &user {
        // The session has ended meanwhile.
        None => asked.map(|asked| address(server, Some(return_to), asked.without_session())),
        Some(user) if asked.is_none() || user.signed_in_recently(server.now()) => {
            Some(server.href(return_to))
        }
        Some(_) => None,
    };
    if let Some(elsewhere) = elsewhere {
        return Ok(response::redirect(StatusCode::SEE_OTHER, &elsewhere)?);
    }
    let page = SignInPage {
        return_to,
        ..SignInPage::new(server)
    };
    let page = match &user {
        Some(user) => page.for_confirmation(server, user),
        None => page,
    };
    form(server, request.headers(), StatusCode::OK, &page)
}

/// `POST /sign-in`.
pub(crate) async fn submit(server: &Server, request: &Request<Bytes>) -> HandlerResult {
    let pre_session = pre_session_token(server, request.headers());
    let fields = match Form::parse(request, FIELDS, |token| {
        check_token(server, &pre_session, token)
    }) {
        Ok(fields) => fields,
        Err(error) if error.has_rule(RefusalRule::FormToken) => {
            // The form is old, or another tab has signed in: then the user goes on, if it is the one
            // with the typed address. Nothing else is taken from the form.
            let body = str::from_utf8(request.body()).unwrap_or_default();
            let sent = form_urlencoded::parse(body).unwrap_or_default();
            let return_to = return_address(&sent);
            let user = session::current_user(server, request.headers()).await?;
            if user.as_ref().is_some_and(|user| has_address(user, &sent)) {
                return Ok(response::redirect(
                    StatusCode::SEE_OTHER,
                    &server.href(return_to),
                )?);
            }
            let page = SignInPage {
                problem: Some(server.texts().errors.form_token),
                return_to,
                ..SignInPage::new(server)
            };
            return Ok(with_rule(
                form(server, request.headers(), StatusCode::FORBIDDEN, &page)?,
                RefusalRule::FormToken,
            ));
        }
        Err(error) => return Err(error),
    };
    let (email, password) = (
        fields.field("email").unwrap_or_default(),
        fields.field("password").unwrap_or_default(),
    );
    let return_to = fields
        .field("next")
        .and_then(return_to::validated)
        .unwrap_or("/");
    let keep = KeepSignedIn::from_field(fields.field(KeepSignedIn::FIELD));
    let page = SignInPage {
        email,
        return_to,
        keeps_signed_in: keep == KeepSignedIn::Yes,
        ..SignInPage::new(server)
    };
    match server
        .shared
        .management
        .login_service
        .authenticate(email, password, None, &server.context)
        .await?
    {
        LoginOutcome::SignedIn(verified) => {
            enter(server, request.headers(), &verified, keep, return_to).await
        }
        LoginOutcome::InvalidCredentials => {
            let page = SignInPage {
                problem: Some(server.texts().errors.credentials),
                is_confirmation: is_confirmation(server, request, email).await?,
                ..page
            };
            Ok(with_rule(
                form(server, request.headers(), StatusCode::UNAUTHORIZED, &page)?,
                RefusalRule::Credentials,
            ))
        }
        LoginOutcome::TooManyAttempts { retry_after } => {
            let (rule, status) = (RefusalRule::SignInLimited, StatusCode::TOO_MANY_REQUESTS);
            let limited = server.texts().limited_for(rule, retry_after);
            let page = SignInPage {
                problem: limited.as_deref(),
                is_confirmation: is_confirmation(server, request, email).await?,
                ..page
            };
            let mut answer = form(server, request.headers(), status, &page)?;
            let wait = retry_after_value(retry_after);
            answer.headers_mut().insert(RETRY_AFTER, wait);
            Ok(with_rule(answer, rule))
        }
        LoginOutcome::Busy => Err(busy()),
    }
}

/// Whether the user with this address was asked for the password within a session.
async fn is_confirmation(
    server: &Server,
    request: &Request<Bytes>,
    email: &str,
) -> Result<bool, Error> {
    let user = session::current_user(server, request.headers()).await?;
    Ok(user.is_some_and(|user| user.subject.email.as_str() == email))
}

/// The page of the console that a query or a form returns to: the start page if it names none.
fn return_address<'a>(fields: &'a [(Cow<'_, str>, Cow<'_, str>)]) -> &'a str {
    fields
        .iter()
        .find(|(name, _)| name == "next")
        .and_then(|(_, address)| return_to::validated(address))
        .unwrap_or("/")
}

/// Whether a form has the e-mail address of the user.
fn has_address(user: &SignedInUser, fields: &[(Cow<'_, str>, Cow<'_, str>)]) -> bool {
    let typed = fields.iter().find(|(name, _)| name == "email");
    let typed = typed.and_then(|(_, email)| email.parse::<Email>().ok());
    typed.is_some_and(|email| email == user.subject.email)
}

/// URI of the sign-in page, with the address to return to.
pub(super) fn address(server: &Server, return_to: Option<&str>, flash: Flash) -> String {
    let mut query = EString::<Query>::new();
    if let Some(return_to) = return_to {
        query.encode_str::<Data>("next");
        query.push('=');
        query.encode_str::<Data>(return_to);
        query.push('&');
    }
    server.href(&format!("/sign-in?{query}done={}", flash.code()))
}

/// Signs the browser in.
async fn enter(
    server: &Server,
    headers: &HeaderMap,
    verified: &VerifiedUser,
    keep: KeepSignedIn,
    return_to: &str,
) -> HandlerResult {
    let person = &verified.user.id;
    let former = former_session::cookie(server, headers);
    let opened = open_session(server, headers, person, keep).await?;
    if !server
        .shared
        .management
        .login_service
        .is_still_valid(verified)
        .await?
    {
        server
            .user_sessions()
            .end_user_session(person, opened.id)
            .await?;
        return Err(busy());
    }
    server.context.record(EventKind::SignedIn {
        subject: person.clone(),
        client: None,
    });
    let answer = response::redirect(StatusCode::SEE_OTHER, &server.href(return_to))?;
    let mut answer = response::with_header(answer, SET_COOKIE, &opened.cookie)?;
    if let Some(former) = former {
        answer = response::with_header(answer, SET_COOKIE, &former)?;
    }
    Ok(response::with_header(
        answer,
        SET_COOKIE,
        &cookie::set_pre_session(None, Duration::ZERO, server),
    )?)
}

/// Error of a busy service, to be retried soon.
fn busy() -> Error {
    Error::new(RefusalRule::SignInBusy, StatusCode::SERVICE_UNAVAILABLE)
        .with_retry_after(Duration::from_secs(2))
}

/// Opens a session of an authenticated user, and ends the browser's previous one.
pub(super) async fn open_session(
    server: &Server,
    headers: &HeaderMap,
    person: &SubjectId,
    keep: KeepSignedIn,
) -> Result<OpenedSession, Error> {
    let management = &server.shared.management;
    let (login, entropy) = (&management.login_service, &*management.entropy);
    let sessions = &server.shared.user_sessions;
    Ok(sessions
        .open(login, entropy, headers, person, keep, server.now())
        .await?)
}

/// Renders the page with a form bound to the browser's pre-session token.
fn form(
    server: &Server,
    headers: &HeaderMap,
    status: StatusCode,
    page: &SignInPage<'_>,
) -> HandlerResult {
    let pre_session = pre_session_token(server, headers);
    let page = SignInPage {
        layout: page.layout.with_form_token(server, &pre_session),
        ..*page
    };
    Ok(response::with_header(
        server.render(status, &page)?,
        SET_COOKIE,
        &cookie::set_pre_session(Some(&pre_session), PRE_SESSION_LIFETIME, server),
    )?)
}

/// The browser's pre-session token, or a new one.
fn pre_session_token(server: &Server, headers: &HeaderMap) -> UserSessionToken {
    cookie::pre_session_token(headers, server)
        .unwrap_or_else(|| UserSessionToken::from_random(server.shared.management.entropy.bytes()))
}

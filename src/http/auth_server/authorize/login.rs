use bytes::Bytes;
use http::header::SET_COOKIE;
use http::{HeaderMap, Request, Response, StatusCode};

use super::consent::consented_before;
use super::session::BrowserSession;
use super::session_login::{Proof, authenticate, record_login};
use super::{cookie, session};
use crate::domain::{AuthorizationSession, Scope, SessionToken};
use crate::http::Body;
use crate::http::audit::{EventKind, RefusalRule};
use crate::http::auth_server::error::{Error, with_rule};
use crate::http::auth_server::form::Form;
use crate::http::auth_server::server::Server;
use crate::http::auth_server::views;
use crate::http::auth_server::views::{LoginPage, SignedInAccount};
use crate::http::login::{KeepSignedIn, SignedInUser};
use crate::http::pages::format_utc;
use crate::http::response;

/// Field with the id of the session that a signed-in user continues.
const SESSION_FIELD: &str = "session";

/// Field of the button that ends that session.
const SIGN_OUT_FIELD: &str = "sign_out";

/// `GET /v1/oauth/login`.
pub(in crate::http::auth_server) async fn show(
    server: &Server,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let (token, session) = session::from_cookie(server, request.headers()).await?;
    let user = continuable_user(server, request.headers(), &session).await?;
    login_page(server, &token, &session, user.as_ref(), None).await
}

/// `POST /v1/oauth/login`.
pub(in crate::http::auth_server) async fn submit(
    server: &Server,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let headers = request.headers();
    let (token, session) = session::from_cookie(server, headers).await?;
    let known = [
        "email",
        "password",
        KeepSignedIn::FIELD,
        SESSION_FIELD,
        SIGN_OUT_FIELD,
    ];
    let fields = Form::read_bound(server, &token, request, &known)?;
    session::client_of(server, &session).await?;
    if let Some(id) = fields.field(SESSION_FIELD) {
        if fields.field(SIGN_OUT_FIELD).is_some() {
            return sign_out(server, headers, id).await;
        }
        return continue_session(server, headers, (&token, &session), id).await;
    }
    let field = |name| fields.field(name).ok_or_else(Error::credentials_missing);
    let (email, password) = (field("email")?, field("password")?);
    let keep = KeepSignedIn::from_field(fields.field(KeepSignedIn::FIELD));
    let Some(verified) = authenticate(server, session.client, email, password).await? else {
        let user = continuable_user(server, headers, &session).await?;
        let failed = Some(FailedLogin { email, keep });
        return Ok(with_rule(
            login_page(server, &token, &session, user.as_ref(), failed).await?,
            RefusalRule::Credentials,
        ));
    };
    let opened = match server.user_sessions() {
        Some(sessions) => {
            let management = server.management();
            let (login, entropy) = (&management.login_service, &*management.entropy);
            let (user, now) = (&verified.user.id, server.now());
            let opened = sessions
                .open(login, entropy, headers, user, keep, now)
                .await?;
            Some((sessions, opened))
        }
        None => None,
    };
    let browser = server.new_browser_session();
    let proof = Proof::Password(&verified);
    let session = match record_login(server, &token, &browser.token, proof).await {
        Ok(session) => session,
        Err(error) => {
            if let Some((sessions, opened)) = opened {
                let user = &verified.user.id;
                if let Err(error) = sessions.store.end_user_session(user, opened.id).await {
                    // Nobody has its token.
                    tracing::warn!(target: "lyceum::auth", %error, "a session of a refused sign-in stays until it expires");
                }
            }
            return Err(error);
        }
    };
    let answer = to_consent(server, &browser, &session).await?;
    Ok(match opened {
        Some((_, opened)) => response::with_header(answer, SET_COOKIE, &opened.cookie)?,
        None => answer,
    })
}

/// The signed-in user of the browser, if the authorization may continue without a password:
/// `prompt=login` asks for it, and so does the scope that manages clients and keys.
async fn continuable_user(
    server: &Server,
    headers: &HeaderMap,
    session: &AuthorizationSession,
) -> Result<Option<SignedInUser>, Error> {
    if session.prompt.login || session.scopes.contains(&Scope::manage()) {
        return Ok(None);
    }
    session::signed_in_user(server, headers).await
}

/// Signs the browser's user in for the authorization, if it still is the one of the page.
async fn continue_session(
    server: &Server,
    headers: &HeaderMap,
    (token, session): (&SessionToken, &AuthorizationSession),
    id: &str,
) -> Result<Response<Body>, Error> {
    let user = continuable_user(server, headers, session).await?;
    let user = user.filter(|user| user.session.id.to_string() == id);
    let Some((sessions, user)) = server.user_sessions().zip(user) else {
        // The page shows who is signed in now.
        let answer = response::redirect(
            StatusCode::SEE_OTHER,
            &server.issuer().endpoint_path("login"),
        )?;
        return Ok(with_rule(answer, RefusalRule::SessionNotSignedIn));
    };
    sessions.touch(&user.session, server.now()).await?;
    let browser = server.new_browser_session();
    let proof = Proof::Session(sessions, &user);
    let session = record_login(server, token, &browser.token, proof).await?;
    to_consent(server, &browser, &session).await
}

/// Sends a signed-in browser to the consent page, or back to the client if the user has consented
/// to everything before.
pub(super) async fn to_consent(
    server: &Server,
    browser: &BrowserSession,
    session: &AuthorizationSession,
) -> Result<Response<Body>, Error> {
    let answer = response::redirect(
        StatusCode::SEE_OTHER,
        &server.issuer().endpoint_path("consent"),
    )?;
    let answer = match consented_before(server, &browser.token, session).await {
        Ok(Some(allowed)) => return Ok(allowed),
        Ok(None) => answer,
        // The consent page reports the error; the browser needs the new token to reach it.
        Err(error) => error.attach_to(answer),
    };
    let time_left = session::time_left(server, session);
    Ok(response::with_header(
        answer,
        SET_COOKIE,
        &cookie::set_session(&browser.cookie, time_left, server.issuer()),
    )?)
}

/// Ends the session of the browser's user, in the console too, if it still is the one of the page.
async fn sign_out(server: &Server, headers: &HeaderMap, id: &str) -> Result<Response<Body>, Error> {
    let answer = response::redirect(
        StatusCode::SEE_OTHER,
        &server.issuer().endpoint_path("login"),
    )?;
    let user = session::signed_in_user(server, headers).await?;
    let user = user.filter(|user| user.session.id.to_string() == id);
    let Some((sessions, user)) = server.user_sessions().zip(user) else {
        return Ok(answer);
    };
    let subject = user.subject.id;
    let store = &sessions.store;
    if store.end_user_session(&subject, user.session.id).await? {
        server.context.record(EventKind::SignedOut {
            subject: Some(subject),
            client: None,
        });
    }
    Ok(response::with_header(
        answer,
        SET_COOKIE,
        &sessions.clear_cookie(),
    )?)
}

/// A refused login, whose form is shown again.
struct FailedLogin<'a> {
    email: &'a str,
    keep: KeepSignedIn,
}

/// Renders the login form, with the user who is signed in already.
async fn login_page(
    server: &Server,
    token: &SessionToken,
    session: &AuthorizationSession,
    user: Option<&SignedInUser>,
    failed: Option<FailedLogin<'_>>,
) -> Result<Response<Body>, Error> {
    let client = session::client_of(server, session).await?;
    let text = server.texts();
    let page = LoginPage {
        text,
        layout: server.layout(token),
        service_name: &client.name,
        account: user.map(|user| SignedInAccount {
            email: user.subject.email.as_str(),
            session: user.session.id.to_string(),
        }),
        email: failed.as_ref().map_or("", |failed| failed.email),
        problem: failed.as_ref().map(|_| text.errors.credentials),
        keeps_signed_in: server.user_sessions().map(|_| {
            failed
                .as_ref()
                .is_some_and(|failed| failed.keep == KeepSignedIn::Yes)
        }),
        ends: format_utc(session.expires_at),
        minutes_left: session::minutes_left(server, session),
    };
    Ok(views::login(&page, server)?)
}

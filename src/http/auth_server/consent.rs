use bytes::Bytes;
use http::header::SET_COOKIE;
use http::{Request, Response, StatusCode};

use super::authorize::login_page;
use super::error::{Refusal, refused};
use super::form::Form;
use super::page::{AskedScope, ConsentPage};
use super::redirect_back::{destination, redirect_back};
use super::server::Server;
use super::{answer, cookie, page, session};
use crate::domain::{AuthorizationCode, AuthorizationSession, Client, GrantId, SessionToken};
use crate::http::Body;
use crate::http::audit::{EventKind, Rule};
use crate::http::pages::in_utc;
use crate::oauth::{AuthorizeError, may_remember};
use crate::store::{Approval, ApprovalOutcome, ApprovedSession, Assent};

/// `GET /v1/oauth/consent`.
pub(super) async fn show(server: &Server, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let (token, session) = session::of_browser(server, request.headers()).await?;
    let Some(subject) = &session.subject else { return to_login(server, &token) };
    let (client, scopes) = session::asked(server, &session).await?;
    let before = server.storage.consent(&subject.id, &client.id).await?.map(|consent| consent.scopes);
    let is_new = session.scopes.iter().map(|scope| before.as_ref().is_some_and(|before| !before.contains(scope)));
    let scopes: Vec<_> = scopes.into_iter().zip(is_new).map(|(scope, is_new)| AskedScope::of(scope, is_new)).collect();
    server.record(EventKind::ConsentAsked { subject: subject.id.clone(), client: client.id, scopes: session.scopes.clone() });
    let unverified_owner = if client.is_verified() { None } else { Some(server.known_as(&client.owner).await?) };
    let page = ConsentPage {
        text: server.texts(),
        frame: server.frame(&token),
        service_name: &client.name,
        unverified_owner,
        account: subject.email.as_str(),
        scopes: &scopes,
        something_is_new: scopes.iter().any(|asked| asked.is_new),
        something_is_known: scopes.iter().any(|asked| !asked.is_new),
        destination: destination(&session.redirect_uri),
        ends: in_utc(session.expires_at),
        minutes_left: session::minutes_left(server, &session),
    };
    Ok(page::consent(&page, server)?)
}

/// `POST /v1/oauth/consent`.
pub(super) async fn submit(server: &Server, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let (token, session) = session::of_browser(server, request.headers()).await?;
    let form = Form::of_session(server, &token, request, &["decision"])?;
    if session.subject.is_none() {
        return to_login(server, &token);
    }
    let answer = match form.field("decision") {
        Some("allow") => allow(server, &token, &session).await?,
        Some("deny") => deny(server, &token, &session).await?,
        Some("switch") => return switch(server, &token).await,
        _ => return Err(Refusal::invalid_request(Rule::Decision, "The decision must be allow, deny or switch.")),
    };
    Ok(answer::with_header(answer, SET_COOKIE, &cookie::take_away(&server.issuer))?)
}

/// Sends a user who has just signed in back with a code at once, if everything that is asked for was allowed before.
pub(super) async fn allowed_before(
    server: &Server,
    token: &SessionToken,
    session: &AuthorizationSession,
) -> Result<Option<Response<Body>>, Refusal> {
    let (client, _) = session::asked(server, session).await?;
    // An unverified client may have another name or redirect URI than the one that the user allowed, so its user is asked again.
    if session.ask_again || !client.is_verified() || !may_remember(&client, &session.redirect_uri) {
        return Ok(None);
    }
    let Some(answer) = approve(server, token, &client, Assent::Earlier, StatusCode::SEE_OTHER).await? else { return Ok(None) };
    Ok(Some(answer::with_header(answer, SET_COOKIE, &cookie::take_away(&server.issuer))?))
}

async fn allow(server: &Server, token: &SessionToken, session: &AuthorizationSession) -> Result<Response<Body>, Refusal> {
    // What the user saw is what is granted: a scope that went since is a reason to ask again.
    let (client, _) = session::asked(server, session).await?;
    let assent = if may_remember(&client, &session.redirect_uri) { Assent::Remembered } else { Assent::Once };
    approve(server, token, &client, assent, StatusCode::SEE_OTHER).await?.ok_or_else(|| Refusal::invalid_session(Rule::ConsentGone))
}

/// Turns a signed-in session into a grant and sends the user back with its code. Nothing happens when the user must be asked first.
async fn approve(
    server: &Server,
    token: &SessionToken,
    client: &Client,
    assent: Assent,
    status: StatusCode,
) -> Result<Option<Response<Body>>, Refusal> {
    let now = server.clock.now();
    let code = AuthorizationCode::from_random(server.entropy.bytes());
    let grant = GrantId::from_random(server.entropy.bytes());
    let approval =
        Approval { grant, code: code.digest(), code_expires_at: now.plus(server.lifetimes.code), assent, caps: server.caps.of_approvals() };
    let ApprovedSession { session, replaced } = *match server.storage.approve_session(&token.digest(), approval, now).await? {
        ApprovalOutcome::Approved(approved) => approved,
        ApprovalOutcome::NotConsented => return Ok(None),
        ApprovalOutcome::NotSignedIn => return Err(Refusal::invalid_session(Rule::SessionNotSignedIn)),
        ApprovalOutcome::Unknown => return Err(Refusal::invalid_session(Rule::SessionEnded)),
    };
    record_approval(server, &session, assent, grant, replaced);
    redirect_back(status, client, &session.redirect_uri, &[("code", code.expose())], session.state.as_deref(), &server.issuer).map(Some)
}

async fn deny(server: &Server, token: &SessionToken, session: &AuthorizationSession) -> Result<Response<Body>, Refusal> {
    let client = session::client_of(server, session).await?;
    let closed = server.storage.close_session(&token.digest(), server.clock.now()).await?;
    let session = closed.ok_or_else(|| Refusal::invalid_session(Rule::SessionEnded))?;
    if let Some(subject) = session.subject {
        server.record(EventKind::ConsentDenied { subject: subject.id, client: session.client });
    }
    let denied = AuthorizeError::AccessDenied;
    let parameters = [("error", denied.code().as_str()), ("error_description", denied.description())];
    let answer =
        redirect_back(StatusCode::SEE_OTHER, &client, &session.redirect_uri, &parameters, session.state.as_deref(), &server.issuer)?;
    Ok(refused(answer, Rule::UserDenied))
}

/// Forgets who signed in, for somebody else to do so. The session has another token from then on, as after a sign-in.
async fn switch(server: &Server, token: &SessionToken) -> Result<Response<Body>, Refusal> {
    let browser = server.new_session();
    let signed_out = server.storage.sign_out(&token.digest(), browser.token.digest(), server.clock.now()).await?;
    let session = signed_out.ok_or_else(|| Refusal::invalid_session(Rule::SessionEnded))?;
    server.record(EventKind::SignedOut { subject: None, client: Some(session.client) });
    let cookie = cookie::give(&browser.cookie, session::seconds_left(server, &session), &server.issuer);
    Ok(answer::with_header(to_login(server, &browser.token)?, SET_COOKIE, &cookie)?)
}

fn record_approval(server: &Server, session: &AuthorizationSession, assent: Assent, grant: GrantId, replaced: Vec<GrantId>) {
    let Some(subject) = session.subject.as_ref().map(|subject| &subject.id) else { return };
    let (subject, client, scopes) = (subject.clone(), session.client, session.scopes.clone());
    server.record(match assent {
        Assent::Earlier => EventKind::ConsentRemembered { subject: subject.clone(), client, scopes: scopes.clone() },
        Assent::Once | Assent::Remembered => {
            let remembered = assent == Assent::Remembered;
            EventKind::ConsentGiven { subject: subject.clone(), client, scopes: scopes.clone(), remembered }
        }
    });
    server.record(EventKind::CodeIssued { grant, client, subject: subject.clone(), scopes });
    for grant in replaced {
        server.record(EventKind::GrantReplaced { grant, subject: subject.clone(), client });
    }
}

fn to_login(server: &Server, token: &SessionToken) -> Result<Response<Body>, Refusal> {
    Ok(answer::redirect(StatusCode::SEE_OTHER, &login_page(server, Some(token)))?)
}

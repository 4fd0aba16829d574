use bytes::Bytes;
use http::header::SET_COOKIE;
use http::{Request, Response, StatusCode};

use super::authorization_response::{destination, redirect_to_client};
use super::login_page;
use super::{cookie, session};
use crate::domain::{
    AuthorizationCode, AuthorizationSession, Client, GrantId, PolicyUri, SessionToken, SubjectId,
};
use crate::http::Body;
use crate::http::audit::{EventKind, RefusalRule};
use crate::http::auth_server::error::{Error, with_rule};
use crate::http::auth_server::form::Form;
use crate::http::auth_server::server::Server;
use crate::http::auth_server::views;
use crate::http::auth_server::views::{ConsentPage, ConsentScope};
use crate::http::pages::{format_utc, initial};
use crate::http::response;
use crate::oauth::{AuthorizeError, can_remember_consent};
use crate::store::{Approval, ApprovalOutcome, ApprovedSession, ConsentMode};

/// `GET /v1/oauth/consent`.
pub(in crate::http::auth_server) async fn show(
    server: &Server,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let (token, session) = session::from_cookie(server, request.headers()).await?;
    let Some(subject) = &session.subject else {
        return redirect_to_login(server, &token);
    };
    if !session::is_still_signed_in(server, request.headers(), subject).await? {
        return switch_account(server, &token).await;
    }
    let (client, scopes) = session::requested_scopes(server, &session).await?;
    let consent = match &server.shared.management.consents {
        Some(consents) => consents.consent(&subject.id, &client.id).await?,
        None => None,
    };
    let before = consent.map(|consent| consent.scopes);
    let is_new = session.scopes.iter().map(|scope| {
        before
            .as_ref()
            .is_some_and(|before| !before.contains(scope))
    });
    let (text, layout) = (server.texts(), server.layout(&token));
    let scopes: Vec<_> = scopes
        .iter()
        .zip(is_new)
        .map(|(scope, is_new)| ConsentScope::new(scope, is_new, text, &layout.head.site_name))
        .collect();
    server.context.record(EventKind::ConsentAsked {
        subject: subject.id.clone(),
        client: client.id,
        scopes: session.scopes.clone(),
    });
    let owner = if client.first_party || client.owner == SubjectId::service() {
        None
    } else {
        Some(server.management().user_label(&client.owner).await?)
    };
    let page = ConsentPage {
        text,
        layout,
        service_name: &client.name,
        service_initial: initial(&client.name),
        owner,
        is_verified: !client.awaits_review(),
        is_unverified: !client.is_verified(),
        account: subject.email.as_str(),
        policy_uri: client.policy_uri.as_ref().map(PolicyUri::as_str),
        scopes: &scopes,
        something_is_new: scopes.iter().any(|scope| scope.is_new),
        known: scopes.iter().filter(|scope| !scope.is_new).count(),
        can_withdraw: server.management().consents.is_some(),
        destination: destination(&session.redirect_uri),
        ends: format_utc(session.expires_at),
        minutes_left: session::minutes_left(server, &session),
    };
    Ok(views::consent(&page, server)?)
}

/// `POST /v1/oauth/consent`.
pub(in crate::http::auth_server) async fn submit(
    server: &Server,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let (token, session) = session::from_cookie(server, request.headers()).await?;
    let form = Form::read_bound(server, &token, request, &["decision"])?;
    let Some(subject) = &session.subject else {
        return redirect_to_login(server, &token);
    };
    if !session::is_still_signed_in(server, request.headers(), subject).await? {
        return switch_account(server, &token).await;
    }
    let answer = match form.field("decision") {
        Some("allow") => allow(server, &token, &session).await?,
        Some("deny") => deny(server, &token, &session).await?,
        Some("switch") => return switch_account(server, &token).await,
        _ => return Err(Error::decision()),
    };
    Ok(response::with_header(
        answer,
        SET_COOKIE,
        &cookie::clear_session(server.issuer()),
    )?)
}

/// Redirects a user who has just signed in back to the client with a code, if an earlier consent
/// covers all requested scopes.
pub(super) async fn consented_before(
    server: &Server,
    token: &SessionToken,
    session: &AuthorizationSession,
) -> Result<Option<Response<Body>>, Error> {
    let (client, _) = session::requested_scopes(server, session).await?;
    // An unverified client may have changed its name or redirect URI since the consent, so the user
    // consents again.
    if session.prompt.consent
        || !client.is_verified()
        || !remembers_consent(server, &client, session)
    {
        return Ok(None);
    }
    let Some(answer) = approve(
        server,
        token,
        &client,
        ConsentMode::Existing,
        StatusCode::SEE_OTHER,
    )
    .await?
    else {
        return Ok(None);
    };
    Ok(Some(response::with_header(
        answer,
        SET_COOKIE,
        &cookie::clear_session(server.issuer()),
    )?))
}

async fn allow(
    server: &Server,
    token: &SessionToken,
    session: &AuthorizationSession,
) -> Result<Response<Body>, Error> {
    // The grant has exactly the scopes that the user saw: if one was deleted since, the user is
    // asked again.
    let (client, _) = session::requested_scopes(server, session).await?;
    let consent_mode = if remembers_consent(server, &client, session) {
        ConsentMode::Remembered
    } else {
        ConsentMode::Once
    };
    approve(server, token, &client, consent_mode, StatusCode::SEE_OTHER)
        .await?
        .ok_or_else(|| Error::invalid_session(RefusalRule::ConsentGone))
}

/// Whether a consent for this session is remembered.
fn remembers_consent(server: &Server, client: &Client, session: &AuthorizationSession) -> bool {
    server.shared.management.consents.is_some()
        && can_remember_consent(client, &session.redirect_uri)
}

/// Turns a signed-in session into a grant and redirects the user to the client with its code.
/// Returns `None` without any change if the user must consent first.
async fn approve(
    server: &Server,
    token: &SessionToken,
    client: &Client,
    consent_mode: ConsentMode,
    status: StatusCode,
) -> Result<Option<Response<Body>>, Error> {
    let now = server.now();
    let code = AuthorizationCode::from_random(server.management().entropy.bytes());
    let grant = GrantId::from_random(server.management().entropy.bytes());
    let approval = Approval {
        grant,
        code: code.digest(),
        code_expires_at: now.plus(server.shared.lifetimes.code),
        consent_mode,
        limits: server.management().user_limits.approval_limits(),
    };
    let ApprovedSession { session, replaced } = *match server
        .storage()
        .approve_session(&token.digest(), approval, now)
        .await?
    {
        ApprovalOutcome::Approved(approved) => approved,
        ApprovalOutcome::ConsentRequired => return Ok(None),
        ApprovalOutcome::NotSignedIn => {
            return Err(Error::invalid_session(RefusalRule::SessionNotSignedIn));
        }
        ApprovalOutcome::NotFound => return Err(Error::invalid_session(RefusalRule::SessionEnded)),
    };
    record_approval(server, &session, consent_mode, grant, replaced);
    redirect_to_client(
        status,
        client,
        &session.redirect_uri,
        &[("code", code.expose())],
        session.state.as_deref(),
        server.issuer(),
    )
    .map(Some)
}

async fn deny(
    server: &Server,
    token: &SessionToken,
    session: &AuthorizationSession,
) -> Result<Response<Body>, Error> {
    let client = session::client_of(server, session).await?;
    let closed = server
        .storage()
        .close_session(&token.digest(), server.now())
        .await?;
    let session = closed.ok_or_else(|| Error::invalid_session(RefusalRule::SessionEnded))?;
    if let Some(subject) = session.subject {
        server.context.record(EventKind::ConsentDenied {
            subject: subject.id,
            client: session.client,
        });
    }
    let denied = AuthorizeError::AccessDenied;
    let parameters = [
        ("error", denied.code().as_str()),
        ("error_description", denied.description()),
    ];
    let answer = redirect_to_client(
        StatusCode::SEE_OTHER,
        &client,
        &session.redirect_uri,
        &parameters,
        session.state.as_deref(),
        server.issuer(),
    )?;
    Ok(with_rule(answer, RefusalRule::UserDenied))
}

/// Signs the user out of the session so that another user can sign in. The session gets a new
/// token, as after a sign-in.
async fn switch_account(server: &Server, token: &SessionToken) -> Result<Response<Body>, Error> {
    let browser = server.new_browser_session();
    let signed_out = server
        .storage()
        .sign_out(&token.digest(), browser.token.digest(), server.now())
        .await?;
    let session = signed_out.ok_or_else(|| Error::invalid_session(RefusalRule::SessionEnded))?;
    server.context.record(EventKind::SignedOut {
        subject: None,
        client: Some(session.client),
    });
    let cookie = cookie::set_session(
        &browser.cookie,
        session::time_left(server, &session),
        server.issuer(),
    );
    Ok(response::with_header(
        redirect_to_login(server, &browser.token)?,
        SET_COOKIE,
        &cookie,
    )?)
}

fn record_approval(
    server: &Server,
    session: &AuthorizationSession,
    consent_mode: ConsentMode,
    grant: GrantId,
    replaced: Vec<GrantId>,
) {
    let Some(subject) = session.subject.as_ref().map(|subject| &subject.id) else {
        return;
    };
    let (subject, client, scopes) = (subject.clone(), session.client, session.scopes.clone());
    server.context.record(match consent_mode {
        ConsentMode::Existing => EventKind::ConsentRemembered {
            subject: subject.clone(),
            client,
            scopes: scopes.clone(),
        },
        ConsentMode::Once | ConsentMode::Remembered => {
            let remembered = consent_mode == ConsentMode::Remembered;
            EventKind::ConsentGiven {
                subject: subject.clone(),
                client,
                scopes: scopes.clone(),
                remembered,
            }
        }
    });
    server.context.record(EventKind::CodeIssued {
        grant,
        client,
        subject: subject.clone(),
        scopes,
    });
    for grant in replaced {
        server.context.record(EventKind::GrantReplaced {
            grant,
            subject: subject.clone(),
            client,
        });
    }
}

fn redirect_to_login(server: &Server, token: &SessionToken) -> Result<Response<Body>, Error> {
    Ok(response::redirect(
        StatusCode::SEE_OTHER,
        &login_page(server, Some(token)),
    )?)
}

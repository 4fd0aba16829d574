use http::header::PRAGMA;
use http::{Response, StatusCode};

use crate::domain::{ClientId, Grant, ScopeSet, Subject, Timestamp};
use crate::http::Body;
use crate::http::audit::{EventKind, IssuedToken};
use crate::http::auth_server::error::Error;
use crate::http::auth_server::key_ring::signing_key_snapshot::TokenSigner;
use crate::http::auth_server::server::Server;
use crate::http::auth_server::wire::TokenReply;
use crate::http::response;
use crate::oauth::{AccessTokenClaims, AccessTokenParameters, TokenSubject};

/// Issues the tokens of a grant that was just redeemed or refreshed, as the response of the token
/// endpoint.
///
/// `subject` is the user as currently stored, and `kind` creates the event. Nothing is written to
/// the store here or afterwards, so a revocation while this signs takes effect: the tokens are then
/// rejected from the start.
pub(super) async fn for_grant(
    server: &Server,
    signer: TokenSigner,
    grant: &Grant,
    subject: Subject,
    scopes: ScopeSet,
    now: Timestamp,
    kind: impl FnOnce(IssuedToken) -> EventKind,
) -> Result<Response<Body>, Error> {
    let refresh_token = server
        .shared
        .refresh_tokens
        .issue(grant.id, grant.generation);
    let token_subject = TokenSubject::User {
        grant: grant.id,
        subject: &subject,
    };
    let (answer, token_id) = tokens(
        server,
        signer,
        grant.client,
        token_subject,
        Some(refresh_token.expose()),
        &scopes,
        now,
    )
    .await?;
    let (grant, client, subject) = (Some(grant.id), grant.client, Some(subject.id));
    server.context.record(kind(IssuedToken {
        grant,
        client,
        subject,
        scopes,
        token_id,
    }));
    Ok(answer)
}

/// Issues the access token of an authenticated client, as the response of the token endpoint. There
/// is no refresh token: the client can request another access token at any time (RFC 6749 §4.4.3).
pub(super) async fn for_client(
    server: &Server,
    signer: TokenSigner,
    client: ClientId,
    scopes: &ScopeSet,
    now: Timestamp,
) -> Result<Response<Body>, Error> {
    let (answer, token_id) = tokens(
        server,
        signer,
        client,
        TokenSubject::Client,
        None,
        scopes,
        now,
    )
    .await?;
    server
        .context
        .record(EventKind::ClientTokenIssued(IssuedToken {
            grant: None,
            client,
            subject: None,
            scopes: scopes.clone(),
            token_id,
        }));
    Ok(answer)
}

/// The response and the id of its access token.
async fn tokens(
    server: &Server,
    signer: TokenSigner,
    client: ClientId,
    token_subject: TokenSubject<'_>,
    refresh_token: Option<&str>,
    scopes: &ScopeSet,
    now: Timestamp,
) -> Result<(Response<Body>, String), Error> {
    let claims = AccessTokenClaims::new(AccessTokenParameters {
        issuer: server.issuer().as_str(),
        token_subject,
        client,
        scopes,
        key: signer.signer.key_id(),
        random: server.management().entropy.bytes(),
        issued_at: now,
        lifetime: server.shared.lifetimes.access_token,
    });
    let (token, claims) = server
        .shared
        .signing
        .sign(signer, claims)
        .await
        .map_err(Error::internal)?;
    let reply = TokenReply {
        access_token: &token,
        token_type: "Bearer",
        expires_in: server.shared.lifetimes.access_token.as_secs(),
        refresh_token,
        scope: &claims.scope,
    };
    let answer = response::with_header(response::json(StatusCode::OK, &reply), PRAGMA, "no-cache")?;
    Ok((answer, claims.id))
}

#[cfg(test)]
mod tests;

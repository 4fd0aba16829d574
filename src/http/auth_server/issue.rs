use http::header::PRAGMA;
use http::{Response, StatusCode};

use super::answer;
use super::error::Refusal;
use super::loaded_keys::TokenSigner;
use super::server::Server;
use super::wire::TokenReply;
use crate::domain::{ClientId, Grant, ScopeSet, Subject, Timestamp};
use crate::http::Body;
use crate::http::audit::{EventKind, Issued};
use crate::oauth::{AccessTokenClaims, Holder, Issuance};

/// The tokens of a grant that has just been redeemed or refreshed, as the answer of the token endpoint.
///
/// `subject` is who the user is now, and `kind` what the event is called. Nothing is written here or afterwards, so whatever becomes of the grant while this signs is not
/// undone: the tokens of a grant that was revoked in the meantime are dead when they arrive.
pub(super) async fn for_grant(
    server: &Server,
    signer: TokenSigner,
    grant: &Grant,
    subject: Subject,
    scopes: ScopeSet,
    now: Timestamp,
    kind: impl FnOnce(Issued) -> EventKind,
) -> Result<Response<Body>, Refusal> {
    let refresh_token = server.refresh_tokens.issue(grant.id, grant.generation);
    let holder = Holder::User { grant: grant.id, subject: &subject };
    let (answer, token_id) = tokens(server, signer, grant.client, holder, Some(refresh_token.expose()), &scopes, now).await?;
    let (grant, client, subject) = (Some(grant.id), grant.client, Some(subject.id));
    server.record(kind(Issued { grant, client, subject, scopes, token_id }));
    Ok(answer)
}

/// The access token of a client that has proven itself, as the answer of the token endpoint. It can come for another one at any time, so
/// there is no refresh token (RFC 6749 §4.4.3).
pub(super) async fn for_client(
    server: &Server,
    signer: TokenSigner,
    client: ClientId,
    scopes: &ScopeSet,
    now: Timestamp,
) -> Result<Response<Body>, Refusal> {
    let (answer, token_id) = tokens(server, signer, client, Holder::Client, None, scopes, now).await?;
    server.record(EventKind::ClientTokenIssued(Issued { grant: None, client, subject: None, scopes: scopes.clone(), token_id }));
    Ok(answer)
}

/// The answer, and the id of its access token.
async fn tokens(
    server: &Server,
    signer: TokenSigner,
    client: ClientId,
    holder: Holder<'_>,
    refresh_token: Option<&str>,
    scopes: &ScopeSet,
    now: Timestamp,
) -> Result<(Response<Body>, String), Refusal> {
    let claims = AccessTokenClaims::new(Issuance {
        issuer: server.issuer.as_str(),
        holder,
        client,
        scopes,
        key: signer.signer.key_id(),
        random: server.entropy.bytes(),
        issued_at: now,
        lifetime: server.lifetimes.access_token,
    });
    let (token, claims) = server.signing.sign(signer, claims).await.map_err(Refusal::failure)?;
    let reply = TokenReply {
        access_token: &token,
        token_type: "Bearer",
        expires_in: server.lifetimes.access_token.as_secs(),
        refresh_token,
        scope: &claims.scope,
    };
    let answer = answer::with_header(answer::json(StatusCode::OK, &reply), PRAGMA, "no-cache")?;
    Ok((answer, claims.id))
}

#[cfg(test)]
mod tests;

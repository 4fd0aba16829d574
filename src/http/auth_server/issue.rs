use http::header::PRAGMA;
use http::{Response, StatusCode};

use super::answer;
use super::error::Refusal;
use super::server::Server;
use super::wire::TokenReply;
use crate::crypto::{ACCESS_TOKEN_TYPE, sign_token};
use crate::domain::{Grant, ScopeSet, Subject, Timestamp};
use crate::http::Body;
use crate::oauth::{AccessTokenClaims, Issuance};

/// The tokens of a grant that has just been redeemed or refreshed, as the answer of the token endpoint.
///
/// `subject` is who the user is now. Nothing is written here or afterwards, so whatever becomes of the grant while this signs is not
/// undone: the tokens of a grant that was revoked in the meantime are dead when they arrive.
pub(super) fn tokens(
    server: &Server,
    grant: &Grant,
    subject: &Subject,
    scopes: &ScopeSet,
    now: Timestamp,
) -> Result<Response<Body>, Refusal> {
    let claims = AccessTokenClaims::new(Issuance {
        issuer: server.issuer.as_str(),
        grant: grant.id,
        client: grant.client,
        subject,
        scopes,
        key: server.active_key.key_id(),
        random: server.entropy.bytes(),
        issued_at: now,
        lifetime: server.lifetimes.access_token,
    });
    let refresh_token = server.refresh_tokens.issue(grant.id, grant.generation);
    let reply = TokenReply {
        access_token: &sign_token(&*server.active_key, ACCESS_TOKEN_TYPE, &claims).map_err(Refusal::failure)?,
        token_type: "Bearer",
        expires_in: server.lifetimes.access_token.as_secs(),
        refresh_token: refresh_token.expose(),
        scope: &claims.scope,
    };
    answer::with_header(answer::json(StatusCode::OK, &reply), PRAGMA, "no-cache")
}

#[cfg(test)]
mod tests;

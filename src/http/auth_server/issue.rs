use base64ct::{Base64UrlUnpadded, Encoding};
use http::header::PRAGMA;
use http::{Response, StatusCode};

use super::error::Refusal;
use super::server::Server;
use super::wire::{AccessTokenClaims, TokenReply};
use super::{AuthStorage, answer};
use crate::crypto::{ACCESS_TOKEN_TYPE, sign_token};
use crate::domain::{Grant, ScopeSet, Subject, Timestamp};
use crate::http::Body;

/// The tokens of a grant that has just been redeemed or refreshed, as the answer of the token endpoint.
///
/// `subject` is who the user is now. Nothing is written here or afterwards, so that whatever becomes of the grant while this signs is not
/// undone: tokens of a grant that was revoked in the meantime are dead when they arrive.
pub(super) fn tokens<S: AuthStorage + ?Sized>(
    server: &Server<S>,
    grant: &Grant,
    subject: &Subject,
    scopes: &ScopeSet,
    now: Timestamp,
) -> Result<Response<Body>, Refusal> {
    if scopes.is_empty() {
        return Err(Refusal::new(StatusCode::BAD_REQUEST, "invalid_scope", "None of the scopes is left."));
    }
    let (client, scope) = (grant.client.to_string(), scopes.to_string());
    let expires_at = now.plus(server.lifetimes.access_token).min(grant.expires_at);
    let key = &*server.active_key;
    let claims = AccessTokenClaims {
        iss: server.issuer.as_str(),
        aud: scopes.applications().iter().map(ToString::to_string).collect(),
        sub: subject.email.as_str(),
        role: subject.role.as_str(),
        client: &client,
        client_id: &client,
        scopes: scopes.iter().map(ToString::to_string).collect(),
        scope: &scope,
        iat: now.seconds(),
        exp: expires_at.seconds(),
        kid: key.key_id().as_str(),
        jti: Base64UrlUnpadded::encode_string(&server.entropy.bytes::<16>()),
        grant_id: grant.id.to_string(),
    };
    let reply = TokenReply {
        access_token: &sign_token(key, ACCESS_TOKEN_TYPE, &claims).map_err(Refusal::failure)?,
        token_type: "Bearer",
        expires_in: expires_at.seconds() - now.seconds(),
        refresh_token: server.refresh_tokens.issue(grant.id, grant.generation).expose(),
        scope: scope.clone(),
    };
    answer::with_header(answer::json(StatusCode::OK, &reply), PRAGMA, "no-cache")
}

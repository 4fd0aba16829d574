use http::Response;

use super::issue;
use super::loaded_records::LoadedRecords;
use super::presented_client::PresentedClient;
use super::token_request::TokenRequest;
use crate::domain::{ClientId, Grant};
use crate::http::Body;
use crate::http::audit::{EventKind, IssuedToken, RefusalRule, ReusedSecret};
use crate::http::auth_server::error::Error;
use crate::http::auth_server::refusal_rules;
use crate::http::auth_server::server::Server;
use crate::oauth::{TokenError, narrow_scopes, validate_refresh};
use crate::store::Rotation;

/// `grant_type=refresh_token`: exchanges a refresh token for its successor and another access token
/// (RFC 6749 §6).
///
/// All checks that can fail run before the rotation, so that after a wrong request or a failed user
/// lookup the client still has a valid token.
pub(super) async fn handle(
    server: &Server,
    presented: &PresentedClient,
    request: &TokenRequest,
) -> Result<Response<Body>, Error> {
    let token = request
        .refresh_token
        .as_deref()
        .ok_or(TokenError::MissingRefreshToken)?;
    let requested = request.scope_set()?;
    let opened = server.shared.refresh_tokens.verify(token);
    let records = LoadedRecords::load_for_grant(
        server,
        presented.id,
        opened.as_ref().map(|(grant, _)| grant),
    )
    .await?;
    let client = records.client();
    let client = presented.authenticate_active(server, client.as_deref())?;

    let (grant, generation) = opened.ok_or_else(|| bad_token(RefusalRule::RefreshUnknown))?;
    let (binding, user) = records
        .binding(server, &grant)
        .await?
        .ok_or_else(|| bad_token(RefusalRule::RefreshUnknown))?;
    validate_refresh(binding.client, binding.proof, &client).map_err(|error| {
        presented
            .error(error)
            .with_rule(refusal_rules::for_refresh(error))
    })?;
    server.limit_by_grant(&client)?;
    let now = server.now();
    let granted = server.existing_scopes(binding.scopes).await?;
    let scopes = match narrow_scopes(
        &server.shared.refreshable(&granted, client.client()),
        Some(&requested),
    ) {
        Ok(scopes) => scopes,
        // An old token is evidence of theft, whatever scopes are requested. It never becomes
        // current again, so this rotation consumes nothing.
        Err(error) if generation < binding.generation => {
            let rotation = server
                .storage()
                .rotate_refresh_token(&grant, generation, server.shared.lifetimes.refresh, now)
                .await?;
            return Err(rotated(server, presented.id, rotation)
                .map_or_else(|refusal| refusal, |_| error.into()));
        }
        Err(error) => return Err(error.into()),
    };
    let Some(subject) = user.subject(server, &binding.subject).await? else {
        if server.storage().revoke_grant(&grant, now).await? {
            server.context.record(EventKind::RevokedWithUser {
                grant,
                subject: binding.subject,
            });
        }
        return Err(bad_token(RefusalRule::UserGone));
    };

    let signer = server.shared.keys.token_signer(now).await?;
    let rotation = server
        .storage()
        .rotate_refresh_token(&grant, generation, server.shared.lifetimes.refresh, now)
        .await?;
    let (grant, kind) = rotated(server, presented.id, rotation)?;
    // A scope may have been deleted since the binding was read.
    let scopes = narrow_scopes(&scopes.intersection(&grant.scopes), None)?;
    issue::for_grant(server, signer, &grant, subject, scopes, now, kind).await
}

/// Constructor of the event for issued tokens.
type Kind = fn(IssuedToken) -> EventKind;

/// The grant to issue tokens from, and the kind of event.
fn rotated(server: &Server, client: ClientId, rotation: Rotation) -> Result<(Grant, Kind), Error> {
    match rotation {
        Rotation::Rotated(grant) => Ok((grant, EventKind::Refreshed)),
        Rotation::Repeated(grant) => Ok((grant, EventKind::RefreshRepeated)),
        Rotation::Reused { grant } => {
            server.context.record(EventKind::ReuseDetected {
                grant,
                client,
                of: ReusedSecret::RefreshToken,
            });
            Err(bad_token(RefusalRule::RefreshReused))
        }
        Rotation::Expired => Err(bad_token(RefusalRule::GrantExpired)),
        Rotation::Revoked => Err(bad_token(RefusalRule::GrantRevoked)),
        Rotation::NotFound => Err(bad_token(RefusalRule::RefreshUnknown)),
    }
}

/// The same error for every invalid refresh token; only the logged rule differs.
fn bad_token(rule: RefusalRule) -> Error {
    Error::from(TokenError::BadRefreshToken).with_rule(rule)
}

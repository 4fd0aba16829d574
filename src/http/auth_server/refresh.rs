use http::Response;

use super::error::Refusal;
use super::presented_client::PresentedClient;
use super::records::Records;
use super::server::Server;
use super::token_request::TokenRequest;
use super::{issue, rules};
use crate::domain::{ClientId, Grant};
use crate::http::Body;
use crate::http::audit::{EventKind, Issued, ReusedSecret, Rule};
use crate::oauth::{TokenError, narrow, prove_refresh};
use crate::store::Rotation;

/// `grant_type=refresh_token`: a refresh token becomes its successor and another access token (RFC 6749 §6).
///
/// Whatever can be refused is refused before the rotation, so that a client that asked wrongly, or came while the users could not be looked
/// up, still has a token that works.
pub(super) async fn answer(server: &Server, presented: &PresentedClient, request: &TokenRequest) -> Result<Response<Body>, Refusal> {
    let token = request.refresh_token.as_deref().ok_or(TokenError::MissingRefreshToken)?;
    let requested = request.scope_set()?;
    let opened = server.refresh_tokens.open(token);
    let records = Records::of_grant(server, presented.id, opened.as_ref().map(|(grant, _)| grant)).await?;
    let client = records.client();
    let client = presented.authenticate_in_use(server, client.as_deref())?;

    let (grant, generation) = opened.ok_or_else(|| bad_token(Rule::RefreshUnknown))?;
    let (binding, user) = records.binding(server, &grant).await?.ok_or_else(|| bad_token(Rule::RefreshUnknown))?;
    prove_refresh(binding.client, binding.proof, &client).map_err(|error| presented.refusal(error).by(rules::of_refresh(error)))?;
    server.count_by_grant(&client)?;
    let now = server.clock.now();
    let scopes = match narrow(&server.refreshable(&binding.scopes, client.client()), Some(&requested)) {
        Ok(scopes) => scopes,
        // An old token tells of a theft whatever it asks for. It never becomes current again, so asking the store uses nothing up.
        Err(error) if generation < binding.generation => {
            let rotation = server.storage.rotate(&grant, generation, server.lifetimes.refresh, now).await?;
            return Err(rotated(server, presented.id, rotation).map_or_else(|refusal| refusal, |_| error.into()));
        }
        Err(error) => return Err(error.into()),
    };
    let Some(subject) = user.subject(server, &binding.subject).await? else {
        if server.storage.revoke_grant(&grant, now).await? {
            server.record(EventKind::RevokedWithUser { grant, subject: binding.subject });
        }
        return Err(bad_token(Rule::UserGone));
    };

    let signer = server.keys.token_signer(now).await?;
    let rotation = server.storage.rotate(&grant, generation, server.lifetimes.refresh, now).await?;
    let (grant, kind) = rotated(server, presented.id, rotation)?;
    // A scope that was deleted since the binding was read is gone for good.
    let scopes = narrow(&scopes.intersection(&grant.scopes), None)?;
    issue::for_grant(server, signer, &grant, subject, scopes, now, kind).await
}

/// What an event of issued tokens is called.
type Kind = fn(Issued) -> EventKind;

/// The grant to issue from, if the token was good, and what that is called.
fn rotated(server: &Server, client: ClientId, rotation: Rotation) -> Result<(Grant, Kind), Refusal> {
    match rotation {
        Rotation::Rotated(grant) => Ok((grant, EventKind::Refreshed)),
        Rotation::Repeated(grant) => Ok((grant, EventKind::RefreshRepeated)),
        Rotation::Reused { grant } => {
            server.record(EventKind::ReuseDetected { grant, client, of: ReusedSecret::RefreshToken });
            Err(bad_token(Rule::RefreshReused))
        }
        Rotation::Expired => Err(bad_token(Rule::GrantExpired)),
        Rotation::Revoked => Err(bad_token(Rule::GrantRevoked)),
        Rotation::Unknown => Err(bad_token(Rule::RefreshUnknown)),
    }
}

/// One answer for whatever is wrong with a refresh token; the log knows more.
fn bad_token(rule: Rule) -> Refusal {
    Refusal::from(TokenError::BadRefreshToken).by(rule)
}

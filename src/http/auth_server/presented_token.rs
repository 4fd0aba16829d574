use std::sync::Arc;

use super::error::Error;
use super::server::Server;
use crate::crypto::TokenVerifier;
use crate::domain::{Client, ClientId, Generation, GrantId, Timestamp};
use crate::oauth::AccessTokenClaims;
use crate::store::StorageError;

/// A presented token that was issued here. Whether it has been revoked is not checked.
pub(super) enum PresentedToken {
    /// An access token that has not expired.
    Access(Box<AccessTokenClaims>),
    /// A refresh token.
    Refresh(GrantId, Generation),
}

impl PresentedToken {
    /// Identifies a token by its format. `token_type_hint` is not needed.
    pub(super) async fn identify(
        server: &Server,
        text: &str,
        now: Timestamp,
    ) -> Result<Option<Self>, Error> {
        if let Some((grant, generation)) = server.shared.refresh_tokens.verify(text) {
            return Ok(Some(Self::Refresh(grant, generation)));
        }
        Ok(access_claims(server, text, now)
            .await?
            .map(Box::new)
            .map(Self::Access))
    }
}

/// The claims of an unexpired access token that this server's keys signed for its own issuer. A
/// token without a valid key id causes no lookup.
pub(super) async fn access_claims(
    server: &Server,
    text: &str,
    now: Timestamp,
) -> Result<Option<AccessTokenClaims>, Error> {
    let Ok(key) = TokenVerifier::unverified_key_id(text) else {
        return Ok(None);
    };
    let claims: Option<AccessTokenClaims> = server
        .shared
        .keys
        .snapshot_for_key(&key, now)
        .await?
        .verify(text, now)
        .ok();
    Ok(claims.filter(|claims| claims.issuer == server.issuer().as_str()))
}

/// The client, if there is one and it is not suspended.
pub(super) async fn active_client(
    server: &Server,
    client: ClientId,
) -> Result<Option<Arc<Client>>, StorageError> {
    Ok(server
        .storage()
        .client(client)
        .await?
        .filter(|client| !client.is_suspended()))
}

use std::sync::Arc;

use super::error::Refusal;
use super::server::Server;
use crate::crypto::TokenVerifier;
use crate::domain::{Client, ClientId, Generation, GrantId, Timestamp};
use crate::oauth::AccessTokenClaims;
use crate::store::StorageError;

/// A token that somebody shows, and that was issued here. Whether it is still alive is another question.
pub(super) enum PresentedToken {
    /// An access token that has not expired.
    Access(Box<AccessTokenClaims>),
    /// A refresh token.
    Refresh(GrantId, Generation),
}

impl PresentedToken {
    /// Recognises a token by what it is made of; a hint could only mislead.
    pub(super) async fn recognise(server: &Server, text: &str, now: Timestamp) -> Result<Option<Self>, Refusal> {
        if let Some((grant, generation)) = server.refresh_tokens.open(text) {
            return Ok(Some(Self::Refresh(grant, generation)));
        }
        Ok(access_claims(server, text, now).await?.map(Box::new).map(Self::Access))
    }
}

/// The claims of an access token that this server's keys signed for its own issuer and that has not expired. What names no possible key is
/// looked up nowhere.
pub(super) async fn access_claims(server: &Server, text: &str, now: Timestamp) -> Result<Option<AccessTokenClaims>, Refusal> {
    let Ok(key) = TokenVerifier::key_named_by(text) else { return Ok(None) };
    let claims: Option<AccessTokenClaims> = server.keys.for_token_of(&key, now).await?.verify(text, now).ok();
    Ok(claims.filter(|claims| claims.issuer == server.issuer.as_str()))
}

/// The client, if there is one and it is not suspended.
pub(super) async fn client_in_use(server: &Server, client: ClientId) -> Result<Option<Arc<Client>>, StorageError> {
    Ok(server.storage.client(client).await?.filter(|client| !client.is_suspended()))
}

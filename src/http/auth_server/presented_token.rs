use super::server::Server;
use crate::domain::{Generation, GrantId, Timestamp};
use crate::oauth::{AccessTokenClaims, Origin, may_have_own_tokens};
use crate::store::StorageError;

/// A token that somebody shows, and that was issued here. Whether it is still alive is another question.
pub(super) enum PresentedToken {
    /// An access token that has not expired.
    Access(AccessTokenClaims),
    /// A refresh token.
    Refresh(GrantId, Generation),
}

impl PresentedToken {
    /// Recognises a token by what it is made of; a hint could only mislead.
    pub(super) fn recognise(server: &Server, text: &str, now: Timestamp) -> Option<Self> {
        if let Some((grant, generation)) = server.refresh_tokens.open(text) {
            return Some(Self::Refresh(grant, generation));
        }
        access_claims(server, text, now).map(Self::Access)
    }
}

/// The claims of an access token that this server's keys signed for its own issuer and that has not expired.
pub(super) fn access_claims(server: &Server, text: &str, now: Timestamp) -> Option<AccessTokenClaims> {
    let claims: AccessTokenClaims = server.verifier.verify(text, now).ok()?;
    (claims.issuer == server.issuer.as_str()).then_some(claims)
}

/// Whether what the token stands on is still there: the grant is live, or the client may still have tokens of its own.
pub(super) async fn is_alive(server: &Server, claims: &AccessTokenClaims, now: Timestamp) -> Result<bool, StorageError> {
    match claims.origin() {
        Some(Origin::Grant(grant)) => server.storage.grant_is_live(&grant, now).await,
        Some(Origin::Client(client)) => Ok(server.storage.client(client).await?.is_some_and(|client| may_have_own_tokens(&client))),
        None => Ok(false),
    }
}

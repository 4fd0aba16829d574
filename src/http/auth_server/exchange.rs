use http::Response;

use super::error::Refusal;
use super::issue;
use super::presented_client::PresentedClient;
use super::server::Server;
use super::token_request::TokenRequest;
use crate::domain::AuthorizationCode;
use crate::http::Body;
use crate::oauth::{TokenError, authenticate, narrow, prove_exchange};
use crate::store::Redemption;

/// `grant_type=authorization_code`: a code becomes tokens, once (RFC 6749 §4.1.3).
pub(super) async fn answer(server: &Server, presented: &PresentedClient, request: &TokenRequest) -> Result<Response<Body>, Refusal> {
    let refuse = |error| presented.refusal(error);
    let code = request.code.as_deref().ok_or(TokenError::MissingCode)?;
    let client = server.storage.client(presented.id).await?;
    let client = authenticate(client.as_deref(), presented.proof()).map_err(refuse)?;

    let code = AuthorizationCode::presented(code).map_err(|_| TokenError::BadCode)?.digest();
    let binding = server.storage.code_binding(&code).await?.ok_or(TokenError::BadCode)?;
    let (redirect_uri, verifier) = (request.redirect_uri.as_deref(), request.code_verifier.as_deref());
    let proof = prove_exchange(&binding, &client, redirect_uri, verifier).map_err(refuse)?;

    // Somebody who has left since signing in gets nothing, and whoever has another role now gets that.
    let subject = server.authenticator.subject(&binding.subject).await?.ok_or(TokenError::BadCode)?;
    let now = server.clock.now();
    let signer = server.keys.signer(now).await?;
    let grant = match server.storage.redeem_authorization_code(&code, proof, server.lifetimes.refresh, now).await? {
        Redemption::Redeemed(grant) => grant,
        Redemption::AlreadyRedeemed { .. } | Redemption::Expired | Redemption::Revoked | Redemption::Unknown => {
            return Err(TokenError::BadCode.into());
        }
    };
    let scopes = narrow(&grant.scopes, None)?;
    issue::for_grant(server, &*signer, &grant, &subject, &scopes, now)
}

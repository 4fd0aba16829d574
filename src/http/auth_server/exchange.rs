use http::Response;

use super::error::Refusal;
use super::presented_client::PresentedClient;
use super::records::Records;
use super::server::Server;
use super::token_request::TokenRequest;
use super::{issue, rules};
use crate::domain::AuthorizationCode;
use crate::http::Body;
use crate::http::audit::{EventKind, ReusedSecret, Rule};
use crate::oauth::{TokenError, narrow, prove_exchange};
use crate::store::Redemption;

/// `grant_type=authorization_code`: a code becomes tokens, once (RFC 6749 §4.1.3).
pub(super) async fn answer(server: &Server, presented: &PresentedClient, request: &TokenRequest) -> Result<Response<Body>, Refusal> {
    let code = request.code.as_deref().ok_or(TokenError::MissingCode)?;
    let code = AuthorizationCode::presented(code).ok().map(|code| code.digest());
    let records = Records::of_code(server, presented.id, code.as_ref()).await?;
    let client = records.client();
    let client = presented.authenticate_in_use(server, client.as_deref())?;

    let code = code.ok_or_else(|| bad_code(Rule::CodeUnknown))?;
    let (binding, user) = records.binding(server, &code).await?.ok_or_else(|| bad_code(Rule::CodeUnknown))?;
    let (redirect_uri, verifier) = (request.redirect_uri.as_deref(), request.code_verifier.as_deref());
    let proof = prove_exchange(&binding, &client, redirect_uri, verifier)
        .map_err(|error| presented.refusal(error).by(rules::of_exchange(error, &binding, presented.id, verifier)))?;
    server.count_by_grant(&client)?;

    // Somebody who has left since signing in gets nothing, and whoever has another role now gets that.
    let subject = user.subject(server, &binding.subject).await?.ok_or_else(|| bad_code(Rule::UserGone))?;
    let now = server.clock.now();
    let signer = server.keys.token_signer(now).await?;
    let grant = match server.storage.redeem_authorization_code(&code, proof, server.lifetimes.refresh, now).await? {
        Redemption::Redeemed(grant) => grant,
        Redemption::AlreadyRedeemed { grant, .. } => {
            server.record(EventKind::ReuseDetected { grant, client: presented.id, of: ReusedSecret::Code });
            return Err(bad_code(Rule::CodeReplayed));
        }
        Redemption::Expired => return Err(bad_code(Rule::CodeExpired)),
        Redemption::Revoked => return Err(bad_code(Rule::GrantRevoked)),
        Redemption::Unknown => return Err(bad_code(Rule::CodeUnknown)),
    };
    let scopes = narrow(&grant.scopes, None)?;
    issue::for_grant(server, signer, &grant, subject, scopes, now, EventKind::TokensIssued).await
}

/// One answer for whatever is wrong with a code; the log knows more.
fn bad_code(rule: Rule) -> Refusal {
    Refusal::from(TokenError::BadCode).by(rule)
}

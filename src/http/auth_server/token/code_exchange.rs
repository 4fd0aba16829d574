use http::Response;

use super::issue;
use super::loaded_records::LoadedRecords;
use super::presented_client::PresentedClient;
use super::token_request::TokenRequest;
use crate::domain::AuthorizationCode;
use crate::http::Body;
use crate::http::audit::{EventKind, RefusalRule, ReusedSecret};
use crate::http::auth_server::error::Error;
use crate::http::auth_server::refusal_rules;
use crate::http::auth_server::server::Server;
use crate::oauth::{TokenError, narrow_scopes, validate_code_exchange};
use crate::store::Redemption;

/// `grant_type=authorization_code`: exchanges a code for tokens, once (RFC 6749 §4.1.3).
pub(super) async fn handle(
    server: &Server,
    presented: &PresentedClient,
    request: &TokenRequest,
) -> Result<Response<Body>, Error> {
    let code = request.code.as_deref().ok_or(TokenError::MissingCode)?;
    let code = AuthorizationCode::parse(code)
        .ok()
        .map(|code| code.digest());
    let records = LoadedRecords::load_for_code(server, presented.id, code.as_ref()).await?;
    let client = records.client();
    let client = presented.authenticate_active(server, client.as_deref())?;

    let code = code.ok_or_else(|| bad_code(RefusalRule::CodeUnknown))?;
    let (binding, user) = records
        .binding(server, &code)
        .await?
        .ok_or_else(|| bad_code(RefusalRule::CodeUnknown))?;
    let (redirect_uri, verifier) = (
        request.redirect_uri.as_deref(),
        request.code_verifier.as_deref(),
    );
    let proof =
        validate_code_exchange(&binding, &client, redirect_uri, verifier).map_err(|error| {
            presented
                .error(error)
                .with_rule(refusal_rules::for_exchange(
                    error,
                    &binding,
                    presented.id,
                    verifier,
                ))
        })?;
    server.limit_by_grant(&client)?;

    // Look-ups, which can fail for a while, run before the redemption, so that the client can try
    // again. What they found is judged after it: a replay is detected whatever scopes are left.
    let existing = server.existing_scopes(binding.scopes).await?;
    // The user may have been removed or may have another role since signing in.
    let subject = user
        .subject(server, &binding.subject)
        .await?
        .ok_or_else(|| bad_code(RefusalRule::UserGone))?;
    let now = server.now();
    let signer = server.shared.keys.token_signer(now).await?;
    let grant = match server
        .storage()
        .redeem_authorization_code(&code, proof, server.shared.lifetimes.refresh, now)
        .await?
    {
        Redemption::Redeemed(grant) => grant,
        Redemption::AlreadyRedeemed { grant, .. } => {
            server.context.record(EventKind::ReuseDetected {
                grant,
                client: presented.id,
                of: ReusedSecret::Code,
            });
            return Err(bad_code(RefusalRule::CodeReplayed));
        }
        Redemption::Expired => return Err(bad_code(RefusalRule::CodeExpired)),
        Redemption::Revoked => return Err(bad_code(RefusalRule::GrantRevoked)),
        Redemption::NotFound => return Err(bad_code(RefusalRule::CodeUnknown)),
    };
    // A scope may have been deleted since the binding was read.
    let scopes = narrow_scopes(&existing.intersection(&grant.scopes), None)?;
    issue::for_grant(
        server,
        signer,
        &grant,
        subject,
        scopes,
        now,
        EventKind::TokensIssued,
    )
    .await
}

/// The same error for every invalid code; only the logged rule differs.
fn bad_code(rule: RefusalRule) -> Error {
    Error::from(TokenError::BadCode).with_rule(rule)
}

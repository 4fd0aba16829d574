//! Stands in for `crate::oauth::authorize` until it lands.
use std::sync::Arc;

use crate::domain::{ChallengeMethod, Client, ClientPolicy, CodeChallenge, ScopeSet};

#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Parameters<'a> {
    pub(super) response_type: Option<&'a str>,
    pub(super) scope: Option<&'a str>,
    pub(super) state: Option<&'a str>,
    pub(super) code_challenge: Option<&'a str>,
    pub(super) code_challenge_method: Option<&'a str>,
}

#[derive(Debug)]
pub(super) struct Untrusted(pub(super) &'static str);

#[derive(Debug)]
pub(super) struct Trusted {
    pub(super) client: Arc<Client>,
    pub(super) redirect_uri: String,
}

#[derive(Debug)]
pub(super) struct AuthorizationRequest {
    pub(super) scopes: ScopeSet,
    pub(super) state: Option<String>,
    pub(super) challenge: Option<CodeChallenge>,
}

#[derive(Debug)]
pub(super) struct AuthorizeError(pub(super) &'static str, pub(super) &'static str);

impl Trusted {
    pub(super) fn establish(client: Option<Arc<Client>>, redirect_uri: Option<&str>) -> Result<Self, Untrusted> {
        let client = client.ok_or(Untrusted("There is no such client."))?;
        let uri = redirect_uri.ok_or(Untrusted("The redirect URI is missing."))?;
        client.redirect_uri(uri).ok_or(Untrusted("The redirect URI is not registered."))?;
        Ok(Self { redirect_uri: uri.to_owned(), client })
    }

    pub(super) fn request(&self, p: Parameters<'_>) -> Result<AuthorizationRequest, AuthorizeError> {
        let bad = |text| AuthorizeError("invalid_request", text);
        match p.response_type {
            None => return Err(bad("The response_type is missing.")),
            Some("code") => {}
            Some(_) => return Err(AuthorizeError("unsupported_response_type", "The response_type must be code.")),
        }
        if p.state.is_some_and(|s| s.len() > 2000) {
            return Err(bad("The state is too long."));
        }
        let challenge = match (p.code_challenge, p.code_challenge_method) {
            (None, None) => None,
            (None, Some(_)) => return Err(bad("A method without a challenge.")),
            (Some(value), method) => {
                let method = method.unwrap_or("plain").parse::<ChallengeMethod>().map_err(|_| bad("No such challenge method."))?;
                if method == ChallengeMethod::Plain && !self.client.plain_pkce_allowed {
                    return Err(bad("The challenge method must be S256."));
                }
                Some(CodeChallenge::new(method, value).map_err(|_| bad("The challenge is malformed."))?)
            }
        };
        if challenge.is_none() && self.client.policy == ClientPolicy::Public {
            return Err(bad("A public client must use PKCE."));
        }
        let scopes = match p.scope {
            None => self.client.allowed_scopes.clone(),
            Some(text) => ScopeSet::parse(text)
                .ok()
                .filter(|scopes| scopes.is_subset(&self.client.allowed_scopes))
                .ok_or(AuthorizeError("invalid_scope", "A scope is not allowed to this client."))?,
        };
        Ok(AuthorizationRequest { scopes, state: p.state.map(str::to_owned), challenge })
    }
}

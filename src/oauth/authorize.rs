//! The authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3), in the two stages that keep an error from being sent to a stranger.

use std::fmt;

use super::claims::fits_a_token;
use super::{AuthorizeError, Untrusted};
use crate::domain::{ChallengeMethod, Client, ClientId, CodeChallenge, ScopeSet};

/// The parameters of an authorization request as they were sent, each at most once. An empty one counts as absent (RFC 6749 §3.1).
#[derive(Clone, Copy, Default)]
pub struct AuthorizeParameters<'a> {
    /// `client_id`
    pub client_id: Option<&'a str>,
    /// `redirect_uri`
    pub redirect_uri: Option<&'a str>,
    /// `response_type`
    pub response_type: Option<&'a str>,
    /// `scope`
    pub scope: Option<&'a str>,
    /// `state`
    pub state: Option<&'a str>,
    /// `code_challenge`
    pub code_challenge: Option<&'a str>,
    /// `code_challenge_method`
    pub code_challenge_method: Option<&'a str>,
    /// `prompt` (OpenID Connect Core 1.0 §3.1.2.1)
    pub prompt: Option<&'a str>,
}

/// `state` and a plain challenge are the client's secrets, so nothing is printed.
impl fmt::Debug for AuthorizeParameters<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AuthorizeParameters(..)")
    }
}

/// An authorization request whose client is known and whose redirect URI is the client's own. From here on errors may be sent there.
#[derive(Debug, Clone, Copy)]
pub struct Trusted<'a> {
    client: &'a Client,
    redirect_uri: &'a str,
    parameters: AuthorizeParameters<'a>,
}

impl<'a> Trusted<'a> {
    /// Looks at the client, which is what `client_id` was found to name, and at the redirect URI, and at nothing else.
    ///
    /// # Errors
    /// [`Untrusted`], to be shown to the user and never to be redirected.
    pub fn establish(client: Option<&'a Client>, parameters: AuthorizeParameters<'a>) -> Result<Self, Untrusted> {
        sent(parameters.client_id).ok_or(Untrusted::MissingClientId)?;
        let client = client.ok_or(Untrusted::UnknownClient)?;
        if client.is_suspended() {
            // The owner has left, so it is unknown who controls the redirect URI.
            return Err(Untrusted::SuspendedClient);
        }
        let redirect_uri = sent(parameters.redirect_uri).ok_or(Untrusted::MissingRedirectUri)?;
        client.redirect_uri(redirect_uri).ok_or(Untrusted::UnregisteredRedirectUri)?;
        Ok(Self { client, redirect_uri, parameters })
    }

    /// The client.
    pub const fn client(&self) -> &'a Client {
        self.client
    }

    /// Where the user goes back to, exactly as the request spelled it.
    pub const fn redirect_uri(&self) -> &'a str {
        self.redirect_uri
    }

    /// The client's own value, to be returned with an answer and with an error alike.
    pub fn state(&self) -> Option<&'a str> {
        sent(self.parameters.state)
    }

    /// Looks at the rest of the request.
    ///
    /// # Errors
    /// The first fault of `response_type`, `scope`, `code_challenge`, `code_challenge_method` and `prompt`, in this order.
    pub fn request(&self) -> Result<AuthorizationRequest, AuthorizeError> {
        match sent(self.parameters.response_type) {
            None => return Err(AuthorizeError::MissingResponseType),
            Some("code") => {}
            Some(_) => return Err(AuthorizeError::UnsupportedResponseType),
        }
        Ok(AuthorizationRequest {
            client: self.client.id,
            redirect_uri: self.redirect_uri.to_owned(),
            scopes: self.scopes()?,
            challenge: self.challenge()?,
            ask_again: self.ask_again()?,
        })
    }

    /// Without `scope`, all that the client may ask for (service.md, "GET /v1/oauth/authorize").
    fn scopes(&self) -> Result<ScopeSet, AuthorizeError> {
        let allowed = &self.client.allowed_scopes;
        let scopes = match sent(self.parameters.scope) {
            None if allowed.is_empty() => return Err(AuthorizeError::NoScope),
            None => allowed.clone(),
            Some(text) => ScopeSet::parse(text).map_err(|_| AuthorizeError::MalformedScope)?,
        };
        if !scopes.is_subset(allowed) {
            return Err(AuthorizeError::ScopeNotAllowed);
        }
        if fits_a_token(&scopes) { Ok(scopes) } else { Err(AuthorizeError::TooManyScopes) }
    }

    fn challenge(&self) -> Result<Option<CodeChallenge>, AuthorizeError> {
        let method = sent(self.parameters.code_challenge_method);
        let Some(challenge) = sent(self.parameters.code_challenge) else {
            return match method {
                Some(_) => Err(AuthorizeError::MethodWithoutChallenge),
                None if self.client.must_use_pkce() => Err(AuthorizeError::MissingChallenge),
                None => Ok(None),
            };
        };
        let plain_allowed = self.client.plain_pkce_allowed;
        let method = match method.map(str::parse) {
            Some(Ok(ChallengeMethod::S256)) => ChallengeMethod::S256,
            Some(Ok(ChallengeMethod::Plain)) if plain_allowed => ChallengeMethod::Plain,
            Some(Ok(ChallengeMethod::Plain)) => return Err(AuthorizeError::PlainNotAllowed),
            Some(Err(_)) => return Err(AuthorizeError::UnknownChallengeMethod),
            None if plain_allowed => ChallengeMethod::Plain,
            None => return Err(AuthorizeError::MissingChallengeMethod),
        };
        CodeChallenge::new(method, challenge).map(Some).map_err(|_| AuthorizeError::MalformedChallenge)
    }

    /// Users sign in each time, so `login` and `select_account` ask for what happens anyway, and `none` for what cannot be. Other values
    /// are passed over, as parameters that are not known.
    fn ask_again(&self) -> Result<bool, AuthorizeError> {
        let values: Vec<&str> = sent(self.parameters.prompt).unwrap_or_default().split(' ').collect();
        match values[..] {
            ["none"] => Err(AuthorizeError::LoginRequired),
            _ if values.contains(&"none") => Err(AuthorizeError::PromptNoneAndMore),
            _ => Ok(values.contains(&"consent")),
        }
    }
}

/// Whether a user's consent to this client, given on the way to this redirect URI, may be remembered and spare the user the question the
/// next time. Anyone can send a client's `client_id`, so never where anyone can take what comes back, whatever the
/// client's policy is: it may let PKCE alone prove the client. Nor where the client has taken the redirect URI back.
pub fn may_remember(client: &Client, redirect_uri: &str) -> bool {
    client.redirect_uri(redirect_uri).is_some_and(|registered| !registered.can_be_imitated())
}

/// What a good authorization request asks for. Its `state` is with [`Trusted::state`], for errors need it too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthorizationRequest {
    /// The client.
    pub client: ClientId,
    /// Where the user goes back to, exactly as the request spelled it.
    pub redirect_uri: String,
    /// The scopes that are asked for: at least one, and none outside the client's allowed list.
    pub scopes: ScopeSet,
    /// The PKCE challenge; always there for a client that must use PKCE.
    pub challenge: Option<CodeChallenge>,
    /// Whether the user is to be asked also for what was allowed before.
    pub ask_again: bool,
}

fn sent(parameter: Option<&str>) -> Option<&str> {
    parameter.filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests;

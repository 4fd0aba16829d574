//! The authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3), validated in two stages so that
//! errors are only redirected to registered URIs.

use std::fmt;

use super::claims::fits_access_token;
use super::{AuthorizeError, NonRedirectableError};
use crate::domain::{ChallengeMethod, Client, ClientId, CodeChallenge, Prompt, ScopeSet};

/// The parameters of an authorization request, each sent at most once. An empty one counts as
/// absent (RFC 6749 §3.1).
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

/// Omits all values, because `state` and a plain challenge are secrets of the client.
impl fmt::Debug for AuthorizeParameters<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AuthorizeParameters(..)")
    }
}

/// An authorization request with a known client and a registered redirect URI. Further errors may
/// be redirected there.
#[derive(Debug, Clone, Copy)]
pub struct RedirectableRequest<'a> {
    client: &'a Client,
    redirect_uri: &'a str,
    parameters: AuthorizeParameters<'a>,
}

impl<'a> RedirectableRequest<'a> {
    /// Checks the client and the redirect URI only. `client` is the record of `client_id`, if
    /// found.
    ///
    /// # Errors
    /// [`NonRedirectableError`], to be shown to the user and never to be redirected.
    pub fn new(
        client: Option<&'a Client>,
        parameters: AuthorizeParameters<'a>,
    ) -> Result<Self, NonRedirectableError> {
        non_empty(parameters.client_id).ok_or(NonRedirectableError::MissingClientId)?;
        let client = client.ok_or(NonRedirectableError::UnknownClient)?;
        if client.is_suspended() {
            // Its owner has left or the database was restored, so an attacker may control the
            // redirect URI.
            return Err(NonRedirectableError::SuspendedClient);
        }
        let redirect_uri =
            non_empty(parameters.redirect_uri).ok_or(NonRedirectableError::MissingRedirectUri)?;
        client
            .matching_redirect_uri(redirect_uri)
            .ok_or(NonRedirectableError::UnregisteredRedirectUri)?;
        Ok(Self {
            client,
            redirect_uri,
            parameters,
        })
    }

    /// The client.
    pub const fn client(&self) -> &'a Client {
        self.client
    }

    /// The redirect URI, exactly as spelled in the request.
    pub const fn redirect_uri(&self) -> &'a str {
        self.redirect_uri
    }

    /// The client's `state`, returned with both success and error responses.
    pub fn state(&self) -> Option<&'a str> {
        non_empty(self.parameters.state)
    }

    /// Validates the rest of the request.
    ///
    /// # Errors
    /// The first error in `response_type`, `scope`, `code_challenge`, `code_challenge_method` and
    /// `prompt`, in this order.
    pub fn validate(&self) -> Result<AuthorizationRequest, AuthorizeError> {
        match non_empty(self.parameters.response_type) {
            None => return Err(AuthorizeError::MissingResponseType),
            Some("code") => {}
            Some(_) => return Err(AuthorizeError::UnsupportedResponseType),
        }
        Ok(AuthorizationRequest {
            client: self.client.id,
            redirect_uri: self.redirect_uri.to_owned(),
            scopes: self.scopes()?,
            challenge: self.challenge()?,
            prompt: self.prompt()?,
        })
    }

    /// The requested scopes; without `scope`, all allowed ones (spec 3.26).
    fn scopes(&self) -> Result<ScopeSet, AuthorizeError> {
        let allowed = &self.client.allowed_scopes;
        let scopes = match non_empty(self.parameters.scope) {
            None if allowed.is_empty() => return Err(AuthorizeError::NoScope),
            None => allowed.clone(),
            Some(text) => ScopeSet::parse(text).map_err(|_| AuthorizeError::MalformedScope)?,
        };
        if !scopes.is_subset(allowed) {
            return Err(AuthorizeError::ScopeNotAllowed);
        }
        if fits_access_token(&scopes) {
            Ok(scopes)
        } else {
            Err(AuthorizeError::TooManyScopes)
        }
    }

    fn challenge(&self) -> Result<Option<CodeChallenge>, AuthorizeError> {
        let method = non_empty(self.parameters.code_challenge_method);
        let Some(challenge) = non_empty(self.parameters.code_challenge) else {
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
        CodeChallenge::new(method, challenge)
            .map(Some)
            .map_err(|_| AuthorizeError::MalformedChallenge)
    }

    /// What the user is asked for again.
    ///
    /// Signed-in users confirm their account for each request, so `select_account` has no effect,
    /// and `none` is always refused. Unknown values are ignored.
    fn prompt(&self) -> Result<Prompt, AuthorizeError> {
        let values: Vec<&str> = non_empty(self.parameters.prompt)
            .unwrap_or_default()
            .split(' ')
            .collect();
        match values[..] {
            ["none"] => Err(AuthorizeError::LoginRequired),
            _ if values.contains(&"none") => Err(AuthorizeError::PromptNoneAndMore),
            _ => Ok(Prompt {
                login: values.contains(&"login"),
                consent: values.contains(&"consent"),
            }),
        }
    }
}

/// Whether consent given to this client at this redirect URI may be remembered for later requests.
///
/// Anyone can send a client's `client_id`. Consent is therefore never remembered if the redirect
/// URI can be impersonated, under any client policy, because PKCE alone may authenticate the
/// client. Consent is not remembered either if the redirect URI is no longer registered.
pub fn can_remember_consent(client: &Client, redirect_uri: &str) -> bool {
    client
        .matching_redirect_uri(redirect_uri)
        .is_some_and(|registered| !registered.can_be_impersonated())
}

/// A valid authorization request. Its `state` is available from [`RedirectableRequest::state`],
/// because error responses need it, too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthorizationRequest {
    /// The client.
    pub client: ClientId,
    /// The redirect URI, exactly as spelled in the request.
    pub redirect_uri: String,
    /// The requested scopes: at least one, all in the client's allowed list.
    pub scopes: ScopeSet,
    /// The PKCE challenge; always present if the client must use PKCE.
    pub challenge: Option<CodeChallenge>,
    /// What the user is asked for even if it is known.
    pub prompt: Prompt,
}

fn non_empty(parameter: Option<&str>) -> Option<&str> {
    parameter.filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests;

//! By which rule a request was refused, where the answer itself tells less.

use crate::domain::{Client, ClientId, ClientPolicy, CodeBinding};
use crate::http::audit::Rule;
use crate::oauth::{AuthorizeError, Presented, TokenError, Untrusted};

/// As far as the error alone says it.
pub(super) const fn of_token(error: TokenError) -> Rule {
    match error {
        TokenError::MissingGrantType
        | TokenError::MissingClientId
        | TokenError::MissingCode
        | TokenError::MissingRedirectUri
        | TokenError::MissingRefreshToken
        | TokenError::MissingToken => Rule::ParameterMissing,
        TokenError::UnsupportedGrantType => Rule::GrantType,
        TokenError::TwoAuthentications => Rule::ClientTwice,
        TokenError::InvalidClient => Rule::ClientUnproven,
        TokenError::ClientSuspended => Rule::ClientSuspended,
        TokenError::ClientCredentialsNotAllowed => Rule::GrantTypeNotAllowed,
        TokenError::Irrevocable => Rule::TokenIrrevocable,
        TokenError::BadCode => Rule::CodeUnknown,
        TokenError::BadRefreshToken => Rule::RefreshUnknown,
        TokenError::PkceFailed => Rule::VerifierWrong,
        TokenError::UnexpectedVerifier => Rule::VerifierUnexpected,
        TokenError::MalformedScope => Rule::ScopeMalformed,
        TokenError::ScopeNotForClients => Rule::ScopeNotAllowed,
        TokenError::ScopeNotGranted => Rule::ScopeNotGranted,
        TokenError::NoScopeForClients | TokenError::NoScopeLeft => Rule::ScopeNone,
        TokenError::TooManyScopes => Rule::ScopeTooMany,
    }
}

/// Why a client did not authenticate.
pub(super) fn of_client(client: Option<&Client>, presented: Presented<'_>) -> Rule {
    match (client, presented) {
        (None, _) => Rule::ClientUnknown,
        (Some(_), Presented::Nothing) => Rule::SecretMissing,
        (Some(client), Presented::Secret(_)) if client.policy == ClientPolicy::Public => Rule::SecretUnexpected,
        (Some(_), Presented::Secret(_)) => Rule::SecretWrong,
    }
}

/// Why a client may not redeem a code.
pub(super) fn of_exchange(error: TokenError, binding: &CodeBinding, client: ClientId, verifier: Option<&str>) -> Rule {
    match error {
        TokenError::BadCode if binding.client != client => Rule::CodeOfOther,
        TokenError::BadCode => Rule::RedirectDiffers,
        TokenError::PkceFailed if binding.challenge.is_none() => Rule::ChallengeMissing,
        TokenError::PkceFailed if verifier.is_none() => Rule::VerifierMissing,
        other => of_token(other),
    }
}

/// Why a client may not use a refresh token.
pub(super) const fn of_refresh(error: TokenError) -> Rule {
    match error {
        TokenError::BadRefreshToken => Rule::RefreshOfOther,
        other => of_token(other),
    }
}

/// Why an authorization request is answered on the spot.
pub(super) const fn of_untrusted(untrusted: Untrusted) -> Rule {
    match untrusted {
        Untrusted::MissingClientId | Untrusted::MissingRedirectUri => Rule::ParameterMissing,
        Untrusted::UnknownClient => Rule::ClientUnknown,
        Untrusted::SuspendedClient => Rule::ClientSuspended,
        Untrusted::UnregisteredRedirectUri => Rule::RedirectUnregistered,
    }
}

/// Why an authorization request is refused.
pub(super) const fn of_authorize(error: AuthorizeError) -> Rule {
    match error {
        AuthorizeError::MissingResponseType => Rule::ParameterMissing,
        AuthorizeError::UnsupportedResponseType => Rule::ResponseType,
        AuthorizeError::MalformedScope => Rule::ScopeMalformed,
        AuthorizeError::ScopeNotAllowed => Rule::ScopeNotAllowed,
        AuthorizeError::NoScope => Rule::ScopeNone,
        AuthorizeError::TooManyScopes => Rule::ScopeTooMany,
        AuthorizeError::MissingChallenge => Rule::ChallengeMissing,
        AuthorizeError::MethodWithoutChallenge
        | AuthorizeError::MissingChallengeMethod
        | AuthorizeError::UnknownChallengeMethod
        | AuthorizeError::PlainNotAllowed => Rule::ChallengeMethod,
        AuthorizeError::MalformedChallenge => Rule::ChallengeMalformed,
        AuthorizeError::LoginRequired | AuthorizeError::PromptNoneAndMore => Rule::Prompt,
        AuthorizeError::AccessDenied => Rule::UserDenied,
        AuthorizeError::ServerError => Rule::Failed,
        AuthorizeError::TemporarilyUnavailable => Rule::StorageUnavailable,
    }
}

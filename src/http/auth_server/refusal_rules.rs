//! Maps errors to the refusal rules that are logged; responses reveal less.

use crate::domain::{Client, ClientId, ClientPolicy, CodeBinding};
use crate::http::audit::RefusalRule;
use crate::oauth::{AuthorizeError, NonRedirectableError, PresentedCredentials, TokenError};

/// The rule for a token error, as far as the error alone determines it.
pub(super) const fn for_token(error: TokenError) -> RefusalRule {
    match error {
        TokenError::MissingGrantType
        | TokenError::MissingClientId
        | TokenError::MissingCode
        | TokenError::MissingRedirectUri
        | TokenError::MissingRefreshToken
        | TokenError::MissingToken => RefusalRule::ParameterMissing,
        TokenError::UnsupportedGrantType => RefusalRule::GrantType,
        TokenError::TwoAuthentications => RefusalRule::ClientTwice,
        TokenError::InvalidClient => RefusalRule::ClientUnproven,
        TokenError::ClientSuspended => RefusalRule::ClientSuspended,
        TokenError::ClientCredentialsNotAllowed => RefusalRule::GrantTypeNotAllowed,
        TokenError::Irrevocable => RefusalRule::TokenIrrevocable,
        TokenError::BadCode => RefusalRule::CodeUnknown,
        TokenError::BadRefreshToken => RefusalRule::RefreshUnknown,
        TokenError::PkceFailed => RefusalRule::VerifierWrong,
        TokenError::UnexpectedVerifier => RefusalRule::VerifierUnexpected,
        TokenError::MalformedScope => RefusalRule::ScopeMalformed,
        TokenError::ScopeNotForClients => RefusalRule::ScopeNotAllowed,
        TokenError::ScopeNotGranted => RefusalRule::ScopeNotGranted,
        TokenError::NoScopeForClients | TokenError::NoScopeLeft => RefusalRule::ScopeNone,
        TokenError::TooManyScopes => RefusalRule::ScopeTooMany,
    }
}

/// The rule by which client authentication failed.
pub(super) fn for_client(
    client: Option<&Client>,
    presented: PresentedCredentials<'_>,
) -> RefusalRule {
    match (client, presented) {
        (None, _) => RefusalRule::ClientUnknown,
        (Some(_), PresentedCredentials::None) => RefusalRule::SecretMissing,
        (Some(client), PresentedCredentials::Secret(_))
            if client.policy == ClientPolicy::Public =>
        {
            RefusalRule::SecretUnexpected
        }
        (Some(_), PresentedCredentials::Secret(_)) => RefusalRule::SecretWrong,
    }
}

/// The rule by which a client may not redeem a code.
pub(super) fn for_exchange(
    error: TokenError,
    binding: &CodeBinding,
    client: ClientId,
    verifier: Option<&str>,
) -> RefusalRule {
    match error {
        TokenError::BadCode if binding.client != client => RefusalRule::CodeOfOther,
        TokenError::BadCode => RefusalRule::RedirectDiffers,
        TokenError::PkceFailed if binding.challenge.is_none() => RefusalRule::ChallengeMissing,
        TokenError::PkceFailed if verifier.is_none() => RefusalRule::VerifierMissing,
        other => for_token(other),
    }
}

/// The rule by which a client may not use a refresh token.
pub(super) const fn for_refresh(error: TokenError) -> RefusalRule {
    match error {
        TokenError::BadRefreshToken => RefusalRule::RefreshOfOther,
        other => for_token(other),
    }
}

/// The rule for an authorization request that is refused without a redirect.
pub(super) const fn for_non_redirectable(error: NonRedirectableError) -> RefusalRule {
    match error {
        NonRedirectableError::MissingClientId | NonRedirectableError::MissingRedirectUri => {
            RefusalRule::ParameterMissing
        }
        NonRedirectableError::UnknownClient => RefusalRule::ClientUnknown,
        NonRedirectableError::SuspendedClient => RefusalRule::ClientSuspended,
        NonRedirectableError::UnregisteredRedirectUri => RefusalRule::RedirectUnregistered,
    }
}

/// The rule for an invalid authorization request.
pub(super) const fn for_authorize(error: AuthorizeError) -> RefusalRule {
    match error {
        AuthorizeError::MissingResponseType => RefusalRule::ParameterMissing,
        AuthorizeError::UnsupportedResponseType => RefusalRule::ResponseType,
        AuthorizeError::StateTooLong | AuthorizeError::StateWithNul => RefusalRule::State,
        AuthorizeError::MalformedScope => RefusalRule::ScopeMalformed,
        AuthorizeError::ScopeNotAllowed => RefusalRule::ScopeNotAllowed,
        AuthorizeError::NoScope => RefusalRule::ScopeNone,
        AuthorizeError::TooManyScopes => RefusalRule::ScopeTooMany,
        AuthorizeError::MissingChallenge => RefusalRule::ChallengeMissing,
        AuthorizeError::MethodWithoutChallenge
        | AuthorizeError::MissingChallengeMethod
        | AuthorizeError::UnknownChallengeMethod
        | AuthorizeError::PlainNotAllowed => RefusalRule::ChallengeMethod,
        AuthorizeError::MalformedChallenge => RefusalRule::ChallengeMalformed,
        AuthorizeError::LoginRequired | AuthorizeError::PromptNoneAndMore => RefusalRule::Prompt,
        AuthorizeError::AccessDenied => RefusalRule::UserDenied,
        AuthorizeError::ServerError => RefusalRule::Failed,
        AuthorizeError::TemporarilyUnavailable => RefusalRule::StorageUnavailable,
    }
}

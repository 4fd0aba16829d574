use std::fmt;

use crate::domain::vocabulary;

vocabulary! {
    /// The word of an error on the wire (RFC 6749 §4.1.2.1 and §5.2).
    ErrorCode {
        /// A parameter is missing, malformed, or does not fit the others.
        InvalidRequest = "invalid_request",
        /// The client is unknown, or did not prove itself.
        InvalidClient = "invalid_client",
        /// The code, refresh token or PKCE verifier is not good.
        InvalidGrant = "invalid_grant",
        /// No such grant type is served.
        UnsupportedGrantType = "unsupported_grant_type",
        /// No such response type is served.
        UnsupportedResponseType = "unsupported_response_type",
        /// The client may not use this grant type.
        UnauthorizedClient = "unauthorized_client",
        /// The server cannot end a token of this kind (RFC 7009 §2.2.1).
        UnsupportedTokenType = "unsupported_token_type",
        /// A scope is malformed or not allowed, or none is left.
        InvalidScope = "invalid_scope",
        /// The user said no.
        AccessDenied = "access_denied",
        /// The user would have to sign in, and is not to be asked to (OpenID Connect Core 1.0 §3.1.2.6).
        LoginRequired = "login_required",
        /// Something broke here.
        ServerError = "server_error",
        /// Something here does not answer at the moment.
        TemporarilyUnavailable = "temporarily_unavailable",
    }
}

/// Gives an error its word and its description, and prints it as the latter.
macro_rules! described {
    ($name:ident { $($variant:ident => $code:ident, $description:literal;)+ }) => {
        impl $name {
            /// The word on the wire.
            pub const fn code(self) -> ErrorCode {
                match self { $(Self::$variant => ErrorCode::$code),+ }
            }

            /// What a developer is told. It repeats nothing of the request.
            pub const fn description(self) -> &'static str {
                match self { $(Self::$variant => $description),+ }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.description())
            }
        }

        impl std::error::Error for $name {}
    };
}

/// Why an authorization request is answered on the spot, and never by a redirect: nobody knows yet where that would lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Untrusted {
    /// `client_id` is missing.
    MissingClientId,
    /// There is no such client.
    UnknownClient,
    /// The client is suspended.
    SuspendedClient,
    /// `redirect_uri` is missing.
    MissingRedirectUri,
    /// The client has not registered this `redirect_uri`.
    UnregisteredRedirectUri,
}

described!(Untrusted {
    MissingClientId => InvalidRequest, "client_id is required";
    UnknownClient => InvalidRequest, "client_id names no registered client";
    SuspendedClient => UnauthorizedClient, "the client is suspended until an administrator gives it to another owner";
    MissingRedirectUri => InvalidRequest, "redirect_uri is required";
    UnregisteredRedirectUri => InvalidRequest, "redirect_uri is not registered for this client";
});

/// Why an authorization request with a trusted redirect URI is refused (RFC 6749 §4.1.2.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuthorizeError {
    /// `response_type` is missing.
    MissingResponseType,
    /// `response_type` is not `code`.
    UnsupportedResponseType,
    /// `scope` is not a list of scopes.
    MalformedScope,
    /// `scope` has one that the client may not ask for.
    ScopeNotAllowed,
    /// No `scope` was sent, and the client has none.
    NoScope,
    /// More scopes are asked for than one access token can carry.
    TooManyScopes,
    /// A public client sent no `code_challenge`.
    MissingChallenge,
    /// There is a `code_challenge_method`, but no `code_challenge`.
    MethodWithoutChallenge,
    /// There is a `code_challenge`, but no `code_challenge_method`; `plain` by omission is not allowed to this client.
    MissingChallengeMethod,
    /// `code_challenge_method` is neither `S256` nor `plain`.
    UnknownChallengeMethod,
    /// `code_challenge_method` is `plain`, which is not allowed to this client.
    PlainNotAllowed,
    /// `code_challenge` cannot have been made by its method.
    MalformedChallenge,
    /// The user would have to sign in, which `prompt` forbids.
    LoginRequired,
    /// `prompt` has `none` beside something else.
    PromptNoneAndMore,
    /// The user said no.
    AccessDenied,
    /// Something broke here.
    ServerError,
    /// Something here does not answer at the moment.
    TemporarilyUnavailable,
}

described!(AuthorizeError {
    MissingResponseType => InvalidRequest, "response_type is required";
    UnsupportedResponseType => UnsupportedResponseType, "response_type must be code";
    MalformedScope => InvalidScope, "scope must be a list of {applicationId}:{scopeName} separated by single spaces";
    ScopeNotAllowed => InvalidScope, "scope has one that is not allowed for this client";
    NoScope => InvalidScope, "scope is missing and this client has no scopes";
    TooManyScopes => InvalidScope, "scope asks for more than one access token can carry; ask for fewer at a time";
    MissingChallenge => InvalidRequest, "code_challenge is required for this client";
    MethodWithoutChallenge => InvalidRequest, "code_challenge_method needs a code_challenge";
    MissingChallengeMethod => InvalidRequest, "code_challenge_method is required with a code_challenge and must be S256";
    UnknownChallengeMethod => InvalidRequest, "code_challenge_method must be S256";
    PlainNotAllowed => InvalidRequest, "code_challenge_method plain is not allowed for this client; use S256";
    MalformedChallenge => InvalidRequest, "code_challenge does not have the form that its method gives it";
    LoginRequired => LoginRequired, "the user has to sign in, which prompt does not allow";
    PromptNoneAndMore => InvalidRequest, "prompt must not have none beside other values";
    AccessDenied => AccessDenied, "the user did not allow it";
    ServerError => ServerError, "the request could not be completed";
    TemporarilyUnavailable => TemporarilyUnavailable, "the service does not answer at the moment";
});

/// Who is at fault for a refusal at the token endpoint, by which the HTTP floor chooses its status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The request, or what it was granted.
    Request,
    /// The client, which did not authenticate.
    Client,
    /// The PKCE verifier (service.md, "OAuth", 3).
    Verifier,
}

/// Why a token request is refused (RFC 6749 §5.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenError {
    /// `grant_type` is missing.
    MissingGrantType,
    /// `grant_type` is not served.
    UnsupportedGrantType,
    /// `client_id` is missing, and no other authentication names a client.
    MissingClientId,
    /// `code` is missing.
    MissingCode,
    /// `redirect_uri` is missing.
    MissingRedirectUri,
    /// `refresh_token` is missing.
    MissingRefreshToken,
    /// `token` is missing.
    MissingToken,
    /// The client authenticates in two ways at once.
    TwoAuthentications,
    /// The client is unknown, or did not prove itself. Which of the two is not told.
    InvalidClient,
    /// The client is suspended. It is told so once it has proven its secret.
    ClientSuspended,
    /// The client may not ask for tokens of its own.
    ClientCredentialsNotAllowed,
    /// The token was issued to the client itself: there is no grant that could be revoked, and it ends in its time.
    Irrevocable,
    /// The code is unknown, expired or spent, or was issued to another client or redirect URI.
    BadCode,
    /// The refresh token is unknown, expired or revoked, or belongs to another client.
    BadRefreshToken,
    /// `code_verifier` is missing, malformed or not the one that the code's challenge was made of.
    PkceFailed,
    /// There is a `code_verifier`, but the authorization request had no challenge: somebody may have stripped it (RFC 9700 §4.8.2).
    UnexpectedVerifier,
    /// `scope` is not a list of scopes.
    MalformedScope,
    /// `scope` has one that the client may not have without a user.
    ScopeNotForClients,
    /// `scope` has one that was not granted.
    ScopeNotGranted,
    /// The client has no scope that does without a user.
    NoScopeForClients,
    /// More scopes are asked for than one access token can carry.
    TooManyScopes,
    /// Every scope of the grant has been deleted.
    NoScopeLeft,
}

described!(TokenError {
    MissingGrantType => InvalidRequest, "grant_type is required";
    UnsupportedGrantType => UnsupportedGrantType, "grant_type must be authorization_code, refresh_token or client_credentials";
    MissingClientId => InvalidRequest, "client_id is required";
    MissingCode => InvalidRequest, "code is required";
    MissingRedirectUri => InvalidRequest, "redirect_uri is required";
    MissingRefreshToken => InvalidRequest, "refresh_token is required";
    MissingToken => InvalidRequest, "token is required";
    TwoAuthentications => InvalidRequest, "the client must authenticate in one way only";
    InvalidClient => InvalidClient, "the client is unknown or did not authenticate";
    ClientSuspended => UnauthorizedClient, "the client is suspended until an administrator gives it to another owner";
    ClientCredentialsNotAllowed => UnauthorizedClient, "grant_type client_credentials is not allowed for this client";
    Irrevocable => UnsupportedTokenType, "a token that was issued to the client itself cannot be revoked; it expires";
    BadCode => InvalidGrant, "code is unknown, expired or used, or was issued to another client or redirect_uri";
    BadRefreshToken => InvalidGrant, "refresh_token is unknown, expired or revoked, or was issued to another client";
    PkceFailed => InvalidGrant, "code_verifier does not match the code_challenge";
    UnexpectedVerifier => InvalidRequest, "code_verifier was sent, but the authorization request had no code_challenge";
    MalformedScope => InvalidScope, "scope must be a list of {applicationId}:{scopeName} separated by single spaces";
    ScopeNotForClients => InvalidScope, "scope has one that is not allowed for this client, or that needs a user";
    ScopeNotGranted => InvalidScope, "scope has one that was not granted";
    NoScopeForClients => InvalidScope, "this client has no scopes that do without a user";
    TooManyScopes => InvalidScope, "scope asks for more than one access token can carry; ask for fewer at a time";
    NoScopeLeft => InvalidScope, "no scope of this grant is left";
});

impl TokenError {
    /// Who is at fault.
    pub const fn fault(self) -> Fault {
        match self {
            Self::InvalidClient => Fault::Client,
            Self::PkceFailed => Fault::Verifier,
            Self::MissingGrantType
            | Self::UnsupportedGrantType
            | Self::MissingClientId
            | Self::MissingCode
            | Self::MissingRedirectUri
            | Self::MissingRefreshToken
            | Self::MissingToken
            | Self::TwoAuthentications
            | Self::ClientSuspended
            | Self::ClientCredentialsNotAllowed
            | Self::Irrevocable
            | Self::BadCode
            | Self::BadRefreshToken
            | Self::UnexpectedVerifier
            | Self::MalformedScope
            | Self::ScopeNotForClients
            | Self::ScopeNotGranted
            | Self::NoScopeForClients
            | Self::TooManyScopes
            | Self::NoScopeLeft => Fault::Request,
        }
    }
}

use std::fmt;

use crate::domain::string_enum;

string_enum! {
    /// Error code on the wire (RFC 6749 §4.1.2.1 and §5.2).
    ErrorCode {
        /// A parameter is missing, malformed, or contradicts another one.
        InvalidRequest = "invalid_request",
        /// The client is unknown or did not authenticate.
        InvalidClient = "invalid_client",
        /// The code, refresh token or PKCE verifier is invalid.
        InvalidGrant = "invalid_grant",
        /// The grant type is not supported.
        UnsupportedGrantType = "unsupported_grant_type",
        /// The response type is not supported.
        UnsupportedResponseType = "unsupported_response_type",
        /// The client may not use this grant type.
        UnauthorizedClient = "unauthorized_client",
        /// Tokens of this kind cannot be revoked (RFC 7009 §2.2.1).
        UnsupportedTokenType = "unsupported_token_type",
        /// A scope is malformed or not allowed, or no scope is left.
        InvalidScope = "invalid_scope",
        /// The user denied the request.
        AccessDenied = "access_denied",
        /// The user must sign in, which the request forbids (OpenID Connect Core 1.0 §3.1.2.6).
        LoginRequired = "login_required",
        /// An internal error.
        ServerError = "server_error",
        /// A dependency is unavailable.
        TemporarilyUnavailable = "temporarily_unavailable",
    }
}

/// Declares an error type: each cause with its code and its description.
macro_rules! oauth_errors {
    (
        $(#[$meta:meta])*
        $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $code:ident, $description:literal;)+ }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name { $($(#[$variant_meta])* $variant),+ }

        impl $name {
            /// The error code on the wire.
            pub const fn code(self) -> ErrorCode {
                match self { $(Self::$variant => ErrorCode::$code),+ }
            }

            /// The description for developers. It contains nothing of the request.
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

oauth_errors! {
    /// Reason why an authorization request is refused without a redirect, because its redirect URI
    /// is not trusted.
    NonRedirectableError {
        /// `client_id` is missing.
        MissingClientId = InvalidRequest, "client_id is required";
        /// The client is not registered.
        UnknownClient = InvalidRequest, "client_id names no registered client";
        /// The client is suspended.
        SuspendedClient = UnauthorizedClient, "the client is suspended until an administrator gives it to another owner";
        /// `redirect_uri` is missing.
        MissingRedirectUri = InvalidRequest, "redirect_uri is required";
        /// The client has not registered this `redirect_uri`.
        UnregisteredRedirectUri = InvalidRequest, "redirect_uri is not registered for this client";
    }
}

oauth_errors! {
    /// Reason why an authorization request with a trusted redirect URI is refused (RFC 6749
    /// §4.1.2.1).
    AuthorizeError {
        /// `response_type` is missing.
        MissingResponseType = InvalidRequest, "response_type is required";
        /// `response_type` is not `code`.
        UnsupportedResponseType = UnsupportedResponseType, "response_type must be code";
        /// `state` is too long to be stored.
        StateTooLong = InvalidRequest, "state must have at most 2000 bytes";
        /// `state` has a character that cannot be stored.
        StateWithNul = InvalidRequest, "state must not contain U+0000";
        /// `scope` is malformed.
        MalformedScope = InvalidScope, "scope must be a list of {applicationId}:{scopeName} separated by single spaces";
        /// `scope` contains a scope that is not allowed for the client.
        ScopeNotAllowed = InvalidScope, "scope has one that is not allowed for this client";
        /// `scope` is missing, and the client has no scopes.
        NoScope = InvalidScope, "scope is missing and this client has no scopes";
        /// The requested scopes do not fit into an access token.
        TooManyScopes = InvalidScope, "scope asks for more than one access token can carry; ask for fewer at a time";
        /// `code_challenge` is missing, and the client must use PKCE.
        MissingChallenge = InvalidRequest, "code_challenge is required for this client";
        /// `code_challenge_method` is sent without `code_challenge`.
        MethodWithoutChallenge = InvalidRequest, "code_challenge_method needs a code_challenge";
        /// `code_challenge` is sent without `code_challenge_method`, and the client may not use the
        /// default `plain`.
        MissingChallengeMethod = InvalidRequest, "code_challenge_method is required with a code_challenge and must be S256";
        /// `code_challenge_method` is neither `S256` nor `plain`.
        UnknownChallengeMethod = InvalidRequest, "code_challenge_method must be S256";
        /// `code_challenge_method` is `plain`, which is not allowed for the client.
        PlainNotAllowed = InvalidRequest, "code_challenge_method plain is not allowed for this client; use S256";
        /// `code_challenge` does not fit its method.
        MalformedChallenge = InvalidRequest, "code_challenge does not have the form that its method gives it";
        /// The user must sign in, which `prompt` forbids.
        LoginRequired = LoginRequired, "the user has to sign in, which prompt does not allow";
        /// `prompt` contains `none` and another value.
        PromptNoneAndMore = InvalidRequest, "prompt must not have none beside other values";
        /// The user denied the request.
        AccessDenied = AccessDenied, "the user did not allow it";
        /// An internal error.
        ServerError = ServerError, "the request could not be completed";
        /// A dependency is unavailable.
        TemporarilyUnavailable = TemporarilyUnavailable, "the service does not answer at the moment";
    }
}

/// Kind of a token endpoint error, which determines the HTTP status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenErrorKind {
    /// The request or the grant is invalid.
    Request,
    /// The client did not authenticate.
    Client,
    /// The PKCE verifier is invalid (docs/spec.md 3.12: status 401, unlike RFC 6749 §5.2).
    Verifier,
}

oauth_errors! {
    /// Reason why a token request is refused (RFC 6749 §5.2).
    TokenError {
        /// `grant_type` is missing.
        MissingGrantType = InvalidRequest, "grant_type is required";
        /// `grant_type` is not supported.
        UnsupportedGrantType = UnsupportedGrantType, "grant_type must be authorization_code, refresh_token or client_credentials";
        /// `client_id` is missing, and no other authentication identifies a client.
        MissingClientId = InvalidRequest, "client_id is required";
        /// `code` is missing.
        MissingCode = InvalidRequest, "code is required";
        /// `redirect_uri` is missing.
        MissingRedirectUri = InvalidRequest, "redirect_uri is required";
        /// `refresh_token` is missing.
        MissingRefreshToken = InvalidRequest, "refresh_token is required";
        /// `token` is missing.
        MissingToken = InvalidRequest, "token is required";
        /// The client uses more than one authentication method.
        TwoAuthentications = InvalidRequest, "the client must authenticate in one way only";
        /// The client is unknown or did not authenticate. The response does not distinguish the
        /// two.
        InvalidClient = InvalidClient, "the client is unknown or did not authenticate";
        /// The client is suspended. Reported only after it authenticates with its secret.
        ClientSuspended = UnauthorizedClient, "the client is suspended until an administrator gives it to another owner";
        /// The client may not use the client credentials grant.
        ClientCredentialsNotAllowed = UnauthorizedClient, "grant_type client_credentials is not allowed for this client";
        /// The token was issued to the client itself. It has no grant to revoke and expires by
        /// itself.
        Irrevocable = UnsupportedTokenType, "a token that was issued to the client itself cannot be revoked; it expires";
        /// The code is unknown, expired or used, or was issued to another client or redirect URI.
        BadCode = InvalidGrant, "code is unknown, expired or used, or was issued to another client or redirect_uri";
        /// The refresh token is unknown, expired or revoked, or belongs to another client.
        BadRefreshToken = InvalidGrant, "refresh_token is unknown, expired or revoked, or was issued to another client";
        /// `code_verifier` is missing, malformed or does not match the challenge.
        PkceFailed = InvalidGrant, "code_verifier does not match the code_challenge";
        /// `code_verifier` is sent, but the authorization request had no challenge: an attacker may
        /// have removed it (RFC 9700 §4.8.2).
        UnexpectedVerifier = InvalidRequest, "code_verifier was sent, but the authorization request had no code_challenge";
        /// `scope` is malformed.
        MalformedScope = InvalidScope, "scope must be a list of {applicationId}:{scopeName} separated by single spaces";
        /// `scope` contains a scope that is not allowed for the client without a user.
        ScopeNotForClients = InvalidScope, "scope has one that is not allowed for this client, or that needs a user";
        /// `scope` contains a scope that was not granted.
        ScopeNotGranted = InvalidScope, "scope has one that was not granted";
        /// The client has no scope that is allowed without a user.
        NoScopeForClients = InvalidScope, "this client has no scopes that do without a user";
        /// The requested scopes do not fit into an access token.
        TooManyScopes = InvalidScope, "scope asks for more than one access token can carry; ask for fewer at a time";
        /// Every scope of the grant has been deleted.
        NoScopeLeft = InvalidScope, "no scope of this grant is left";
    }
}

impl TokenError {
    /// The kind of the error.
    pub const fn kind(self) -> TokenErrorKind {
        match self {
            Self::InvalidClient => TokenErrorKind::Client,
            Self::PkceFailed => TokenErrorKind::Verifier,
            // RFC 6749 §5.2: every other error has status 400.
            _ => TokenErrorKind::Request,
        }
    }
}

use super::error::Error;
use crate::http::error_reasons::error_reasons;

error_reasons! {
    /// `error` in responses of the authorization service, outside of management. Only refusals that
    /// this service declares are in [`rules`](Self::rules). The others are those of OAuth
    /// ([`oauth`](crate::oauth)) and those shared with management
    /// ([`ManagementErrorReason`](crate::http::ManagementErrorReason)).
    /// [`status`](Self::status) is the usual one: a redirect is 303, and a wrong verifier 401.
    ErrorReason for Error {
        InvalidRequest = "invalid_request", BAD_REQUEST, "a parameter is missing, repeated, badly encoded or of a wrong type" {
            BodyType form_type() "The body must be a form.";
            BodyType body_type() "The Content-Type must be application/json or application/x-www-form-urlencoded, in UTF-8.";
            BodyMalformed byte_order_mark() "The body must not begin with a byte order mark.";
            BodyMalformed form_malformed() "The body is not a well-formed form.";
            BodyMalformed json_malformed() "The body is not a well-formed JSON object whose values are strings.";
            BodyMalformed login_malformed() "The body must be JSON with email, password and token, and nothing else.";
            ParametersInQuery parameters_in_query() "The parameters must be in the body, not in the query.";
            ParameterIsList parameter_is_list() "A parameter is a list, and only scope may be one.";
            ParameterMissing credentials_missing() "The e-mail address or the password is missing.";
            FormField form_field() "The form has a field that is not part of it.";
            Decision decision() "The decision must be allow, deny or switch.";
        }
        InvalidScope = "invalid_scope", BAD_REQUEST, "a scope is malformed, not allowed, not granted or deleted, or there is none to grant" {
            SessionScopeGone session_scope_gone() "A scope that the application requested no longer exists, or the application can no longer request it.";
        }
        InvalidGrant = "invalid_grant", BAD_REQUEST, "the code or refresh token is unknown, expired, used, revoked, or another client's; 401 for a wrong verifier" {}
        UnsupportedGrantType = "unsupported_grant_type", BAD_REQUEST, "a grant type that the service does not support" {}
        UnsupportedResponseType = "unsupported_response_type", BAD_REQUEST, "a response type other than `code`" {}
        UnsupportedTokenType = "unsupported_token_type", BAD_REQUEST, "a token that was issued to the client itself" {}
        UnauthorizedClient = "unauthorized_client", BAD_REQUEST, "the client is suspended, or may not use the grant type" {}
        LoginRequired = "login_required", BAD_REQUEST, "the user has to sign in, which `prompt` does not allow" {}
        InvalidClient = "invalid_client", UNAUTHORIZED, "the client is unknown or failed to authenticate" {}
        InvalidToken = "invalid_token", UNAUTHORIZED, "no token, or one that is malformed, expired, revoked or for another service" {}
        // Not from an RFC: OAuth defines no code for a user's password.
        InvalidCredentials = "invalid_credentials", UNAUTHORIZED, "the e-mail address or the password is wrong" {
            Credentials invalid_credentials() "The e-mail address or the password is wrong.";
        }
        // spec 3.5 names the status, not the code. There is no `WWW-Authenticate`, because no HTTP
        // authentication scheme applies.
        InvalidSession = "invalid_session", UNAUTHORIZED, "there is no such sign-in, or it has ended" {
            SessionMissing | SessionEnded | SessionNotSignedIn | SessionClientGone | SessionRedirectGone | ClientSuspended | ConsentGone invalid_session() "This sign-in has expired or is already complete. Start again at the application.";
        }
        AccessDenied = "access_denied", FORBIDDEN, "the form belongs to another sign-in; in a redirect, the user denied consent" {
            FormToken form_token_mismatch() "The form does not belong to this sign-in. Go back, reload the page and try again.";
        }
        InsufficientScope = "insufficient_scope", FORBIDDEN, "the token lacks the scope of the address" {}
        NotFound = "not_found", NOT_FOUND, "there is nothing at the address" {
            NotFound not_found() "There is nothing at this address.";
        }
        MethodNotAllowed = "method_not_allowed", METHOD_NOT_ALLOWED, "the address does not support the method" {}
        TooManyRequests = "too_many_requests", TOO_MANY_REQUESTS, "the client made too many requests, or too many that failed came from this network" {
            SignInLimited | AuthorizeLimited too_many_attempts() "There were too many attempts. Try again later.";
            ClientLimited | FailedClientsLimited too_many_requests() "There were too many requests. Try again later.";
        }
        ServerError = "server_error", INTERNAL_SERVER_ERROR, "internal error; the cause is in the log of the server" {}
        TemporarilyUnavailable = "temporarily_unavailable", SERVICE_UNAVAILABLE, "the storage or the user directory is unavailable, or too many users sign in at once" {
            SignInBusy sign_in_busy() "The service is busy. Try again soon.";
        }
    }
}

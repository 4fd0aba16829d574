//! OAuth 2.0 decisions as pure functions of loaded records (RFC 6749, RFC 7636).
//!
//! No function is async, reads a clock or depends on HTTP. Each error has its RFC error code; the
//! HTTP services render the response.

mod authorize;
mod claims;
mod client_authentication;
mod client_credentials;
mod code_exchange;
mod error;
mod refresh;

pub use authorize::{
    AuthorizationRequest, AuthorizeParameters, RedirectableRequest, can_remember_consent,
};
pub use claims::{AccessTokenClaims, AccessTokenParameters, TokenOrigin, TokenSubject};
pub use client_authentication::{AuthenticatedClient, PresentedCredentials, authenticate_client};
pub use client_credentials::client_credentials_scopes;
pub use code_exchange::validate_code_exchange;
pub use error::{AuthorizeError, ErrorCode, NonRedirectableError, TokenError, TokenErrorKind};
pub use refresh::{narrow_scopes, validate_refresh};

#[cfg(test)]
mod fixtures;

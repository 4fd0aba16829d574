//! OAuth 2.0 as pure functions: what has been loaded goes in, a decision comes out (RFC 6749, RFC 7636).
//!
//! Nothing here waits, reads a clock or knows HTTP. Each refusal carries the word that the RFC gives it, and the HTTP floor dresses it.

mod authorize;
mod claims;
mod client_authentication;
mod client_credentials;
mod error;
mod exchange;
mod refresh;

pub use authorize::{AuthorizationRequest, AuthorizeParameters, Trusted, may_remember};
pub use claims::{AccessTokenClaims, Holder, Issuance, Origin};
pub use client_authentication::{ClientAuthentication, Presented, authenticate};
pub use client_credentials::client_scopes;
pub use error::{AuthorizeError, ErrorCode, Fault, TokenError, Untrusted};
pub use exchange::prove_exchange;
pub use refresh::{narrow, prove_refresh};

#[cfg(test)]
mod fixtures;

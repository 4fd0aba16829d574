//! OAuth 2.0 as pure functions: what has been loaded goes in, a decision comes out (RFC 6749, RFC 7636).
//!
//! Nothing here waits, reads a clock or knows HTTP. Each refusal carries the word that the RFC gives it, and the HTTP floor dresses it.

mod authorize;
mod claims;
mod client_authentication;
mod error;
mod exchange;
mod refresh;

pub use authorize::{AuthorizationRequest, AuthorizeParameters, Trusted, may_remember};
pub use claims::{AccessTokenClaims, Issuance};
pub use client_authentication::{ClientAuthentication, Presented, authenticate};
pub use error::{AuthorizeError, ErrorCode, Fault, TokenError, Untrusted};
pub use exchange::prove_exchange;
pub use refresh::{narrow, prove_refresh};

#[cfg(test)]
mod fixtures;

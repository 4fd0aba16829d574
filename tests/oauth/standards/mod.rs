//! Endpoints for standard clients besides the token endpoint: revocation, introspection, metadata,
//! userinfo and client credentials.

mod client_credentials;
mod cors;
mod introspect;
mod large_tokens;
mod metadata;
pub mod revoke;
mod userinfo;

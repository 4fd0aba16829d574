//! What standard clients look for beside the token endpoint: revocation, introspection, metadata, user information, tokens without a user.

mod client_credentials;
mod cors;
mod introspect;
mod large_tokens;
mod metadata;
pub mod revoke;
mod userinfo;

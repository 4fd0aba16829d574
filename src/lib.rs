//! A school's read-only data API and OAuth 2.0 authorization service, as tower services for your own server.

#![warn(missing_docs, missing_debug_implementations, unreachable_pub)]
#![warn(clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr, clippy::missing_errors_doc, clippy::missing_panics_doc)]

pub mod crypto;
pub mod domain;
pub mod http;
pub mod oauth;
pub mod store;
#[cfg(feature = "testing")]
pub mod testing;

pub use http::auth_server::AuthServer;
pub use http::data_api::DataApi;

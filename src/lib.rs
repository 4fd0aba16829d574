//! A school's read-only data API and OAuth 2.0 authorization service, as tower services for your own server.

pub mod crypto;
pub mod domain;
pub mod http;
pub mod store;
#[cfg(feature = "testing")]
pub mod testing;

//! A school's read-only data API and OAuth 2.0 authorization service, as
//! [tower](https://docs.rs/tower) services for your own server.
//!
//! * [`DataApi`] serves students, clubs, projects, meals, schedules and timetables as JSON to
//!   clients that authenticate with scoped API keys.
//! * [`AuthServer`] signs users in, obtains their consent, and issues JWTs that any service can
//!   verify with the published keys.
//! * [`Guard`] is the middleware that verifies these tokens in a service written in Rust.
//!
//! The first two access data through the traits of [`store`]: use
//! [`MemoryStore`](store::memory::MemoryStore), SQLite or PostgreSQL (`store::sql::SqlStore`,
//! features `sqlite` and `postgres`), or a backend of your own. All are plain `tower::Service`s and
//! need no web framework.
//!
//! ```
//! use std::sync::Arc;
//!
//! use http::Request;
//! use lyceum::crypto::{MasterKey, SystemEntropy};
//! use lyceum::directory::Directory;
//! use lyceum::store::memory::MemoryStore;
//! use lyceum::{AuthServer, DataApi};
//! use tower::ServiceExt;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let store = Arc::new(MemoryStore::new());
//! let directory = Directory::open(store.clone()).await?;
//! let api = DataApi::builder(directory, store.clone()).build()?;
//! let auth = AuthServer::builder(store, "https://school.example/auth", MasterKey::generate(&SystemEntropy)).build().await?;
//!
//! let response = api.oneshot(Request::get("/v1/students").body(())?).await?;
//! assert_eq!(response.status(), 401); // an API key is missing
//! let response = auth.oneshot(Request::get("/v1/oauth/jwk-set").body(String::new())?).await?;
//! assert_eq!(response.status(), 200);
//! # Ok(()) }
//! ```
//!
//! # Modules
//!
//! | Module | What |
//! |---|---|
//! | [`domain`] | validated value types: students, keys, clients, grants |
//! | [`directory`] | the school's records in memory, indexed for list queries |
//! | [`store`] | the storage traits with their contract, and the implementations |
//! | [`metrics`] | metrics of the services |
//! | [`http`] | the services, and the middleware around them |
//! | [`oauth`] | the rules of RFC 6749 and 7636 as pure functions |
//! | [`crypto`] | signing, key formats, derived tokens |
//! | `neis` | meals, events and lessons from the Korean ministry's portal |
//! | `doctor` | checks of a running school |
//! | `import` | students, clubs and projects from and to files |
//! | `school_year` | the turn of the school year, its undo, and the history |
//! | `testing` | test kit: store conformance, interleavings, crash points, sample data |
//!
//! # Features
//!
//! Each service is a feature, and compiles only the crates that it needs. The first three are on by
//! default.
//!
//! | Feature | Adds |
//! |---|---|
//! | `data-api` | [`DataApi`], with the [`directory`] |
//! | `auth-server` | [`AuthServer`], with [`oauth`] and the keys of [`crypto`] |
//! | `guard` | [`Guard`] |
//! | `console` | `http::console::Console`: the web interface; enables `auth-server` and `import` |
//! | `openapi` | `http::ApiReference`: OpenAPI 3.1 documents of the services and an HTML page; enables `data-api` |
//! | `compression` | responses of the data API compressed with gzip and Brotli; enables `data-api` |
//! | `sqlite` | `store::sql::SqlStore` on SQLite, which is compiled in |
//! | `postgres` | `store::sql::SqlStore` on PostgreSQL, with TLS |
//! | `redis` | `store::redis::RedisLimiter`: the limit on API keys on Redis or Valkey |
//! | `serve` | `http::serve`: a TCP or Unix listener with a graceful stop |
//! | `tls` | `http::Certificates`: TLS for `http::serve`, from files that are reloaded; enables `serve` |
//! | `neis` | the module `neis`: meals, events and lessons from the Korean ministry's portal; enables `data-api` |
//! | `doctor` | the module `doctor`: checks of a running school; enables `auth-server` and `tls` |
//! | `import` | the modules `import` and `school_year`: CSV and JSON files of students, clubs and projects, and the turn of the school year; enables `data-api` |
//! | `testing` | the module `testing`; enables `data-api` and `auth-server` |

#![warn(missing_docs, missing_debug_implementations, unreachable_pub)]
#![warn(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::missing_errors_doc,
    clippy::missing_panics_doc
)]

// Fixtures in tests/support name the crate as tests outside it do.
#[cfg(test)]
extern crate self as lyceum;

#[cfg(any(feature = "data-api", feature = "auth-server", feature = "guard"))]
mod catch_panic;
#[cfg(feature = "data-api")]
mod circuit_breaker;
#[cfg(any(
    feature = "data-api",
    feature = "auth-server",
    feature = "guard",
    feature = "tls"
))]
mod clock;
pub mod crypto;
#[cfg(feature = "data-api")]
pub mod directory;
#[cfg(feature = "doctor")]
pub mod doctor;
pub mod domain;
#[cfg(any(
    feature = "data-api",
    feature = "auth-server",
    feature = "guard",
    feature = "serve"
))]
pub mod http;
#[cfg(feature = "import")]
pub mod import;
#[cfg(any(
    feature = "data-api",
    feature = "auth-server",
    feature = "guard",
    feature = "sqlite",
    feature = "postgres",
    feature = "redis",
    feature = "tls"
))]
pub mod metrics;
#[cfg(feature = "neis")]
pub mod neis;
#[cfg(feature = "auth-server")]
pub mod oauth;
#[cfg(feature = "sample-data")]
pub mod sample_data;
#[cfg(feature = "import")]
pub mod school_year;
#[cfg(any(feature = "data-api", feature = "auth-server", feature = "guard"))]
mod single_flight;
pub mod store;
#[cfg(feature = "testing")]
pub mod testing;
#[cfg(any(feature = "data-api", feature = "auth-server"))]
mod thread_pool;

/// The version of this library, such as `0.1.0`.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

#[cfg(feature = "auth-server")]
pub use http::auth_server::AuthServer;
#[cfg(feature = "data-api")]
pub use http::data_api::DataApi;
#[cfg(feature = "guard")]
pub use http::guard::Guard;

/// Runs the examples of docs/embedding.md.
#[cfg(doctest)]
#[doc = include_str!("../docs/embedding.md")]
#[derive(Debug)]
pub struct Embedding;

/// Runs the examples of the README.
#[cfg(all(doctest, feature = "sqlite"))]
#[doc = include_str!("../README.md")]
#[derive(Debug)]
pub struct Readme;

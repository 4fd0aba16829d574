//! A school's read-only data API and OAuth 2.0 authorization service, as [tower](https://docs.rs/tower) services for your own server.
//!
//! * [`DataApi`] answers students, clubs, projects, meals, schedules and timetables as JSON, behind API keys with scopes.
//! * [`AuthServer`] signs users in, asks them, and issues JWTs that any service can check with the published keys.
//! * [`Guard`] is the layer with which a service in Rust does that.
//!
//! The first two read and write through the traits of [`store`]: use [`MemoryStore`](store::memory::MemoryStore), SQLite
//! or PostgreSQL (`store::sql::SqlStore`, features `sqlite` and `postgres`), or a backend of your own. Neither needs a framework; a service goes wherever a
//! `tower::Service` goes.
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
//! let answer = api.oneshot(Request::get("/v1/students").body(())?).await?;
//! assert_eq!(answer.status(), 401); // an API key is missing
//! let answer = auth.oneshot(Request::get("/v1/oauth/jwk-set").body(String::new())?).await?;
//! assert_eq!(answer.status(), 200);
//! # Ok(()) }
//! ```
//!
//! # Where things are
//!
//! | Module | What |
//! |---|---|
//! | [`domain`] | what a school, a key and a grant are: values that are valid once they exist |
//! | [`directory`] | the school in memory, which answers every list |
//! | [`store`] | the storage traits with their contract, and the implementations |
//! | [`metrics`] | what the services measure of themselves |
//! | [`http`] | the services, and what hosts need around them |
//! | [`oauth`] | the rules of RFC 6749 and 7636 as pure functions |
//! | [`crypto`] | signing, key formats, derived tokens |
//! | `testing` | the conformance suite for backends, searches for races and crash points, a manual clock, an invented school |
//!
//! # Features
//!
//! None is on by default.
//!
//! | Feature | Adds |
//! |---|---|
//! | `sqlite` | `store::sql::SqlStore` on SQLite, which is compiled in |
//! | `postgres` | `store::sql::SqlStore` on PostgreSQL, with TLS |
//! | `redis` | `store::redis::RedisLimiter`: the limit on API keys on Redis or Valkey |
//! | `serve` | `http::serve`: a listener with a graceful stop |
//! | `compression` | answers of the data API, compressed with gzip and Brotli |
//! | `openapi` | `http::ApiReference`: OpenAPI 3.1 of the services, for programs and as a page |
//! | `ui` | `http::console::Console`: the web interface |
//! | `testing` | the module `testing` |

#![warn(missing_docs, missing_debug_implementations, unreachable_pub)]
#![warn(clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr, clippy::missing_errors_doc, clippy::missing_panics_doc)]

mod clock;
pub mod crypto;
pub mod directory;
pub mod domain;
mod flight;
pub mod http;
pub mod metrics;
pub mod oauth;
mod outage;
mod panics;
pub mod store;
#[cfg(feature = "testing")]
pub mod testing;
mod threads;

pub use http::auth_server::AuthServer;
pub use http::data_api::DataApi;
pub use http::guard::Guard;

/// The examples of docs/embedding.md, run.
#[cfg(doctest)]
#[doc = include_str!("../docs/embedding.md")]
#[derive(Debug)]
pub struct Embedding;

/// The examples of the README, run.
#[cfg(all(doctest, feature = "sqlite"))]
#[doc = include_str!("../README.md")]
#[derive(Debug)]
pub struct Readme;

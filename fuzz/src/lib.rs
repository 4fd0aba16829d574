//! Checks of the fuzz targets. Each is a function that panics on a finding.
//! `tests/oauth/fuzzing.rs` runs them over the committed seeds and mutations of them;
//! `scripts/fuzz` runs them under libFuzzer.
//!
//! Each returns whether the input was accepted, so that the test can check that both cases occur.
//! Each compares the library with a second, simpler implementation of the rule.

mod answer;
mod authorize_query;
mod harness;
mod jwt;
mod pairs;
mod redirect_uri;
mod scope;
mod token;
mod token_fields;

pub use authorize_query::authorize_query;
pub use jwt::jwt;
pub use redirect_uri::redirect_uri;
pub use scope::scope;
pub use token::{token_form, token_json};

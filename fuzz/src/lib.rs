//! What the fuzz targets check. Each is a plain function that panics at a finding, so that `tests/oauth/fuzzing.rs` can run it too, over
//! the committed seeds and what becomes of them; `scripts/fuzz` runs them under libFuzzer.
//!
//! Each says whether the input got through, so that the test can tell that both is tried.
//! None of them asks only for the absence of a panic: each holds what the library says against a second, simpler reading of the rule.

mod answer;
mod authorize_query;
mod jwt;
mod pairs;
mod redirect_uri;
mod scope;
mod token;
mod token_fields;
mod world;

pub use authorize_query::authorize_query;
pub use jwt::jwt;
pub use redirect_uri::redirect_uri;
pub use scope::scope;
pub use token::{token_form, token_json};

//! Conformance suite for store backends: one list of cases that every store must pass.
//!
//! [`conformance!`](crate::conformance) creates a named test for each case, with a fresh and empty
//! store:
//!
//! ```
//! use std::sync::Arc;
//!
//! use lyceum::store::memory::MemoryStore;
//! use lyceum::testing::conformance::{self, StoreUnderTest};
//!
//! fn fresh() -> StoreUnderTest {
//!     StoreUnderTest::new(Arc::new(MemoryStore::new()))
//! }
//!
//! lyceum::conformance!(memory, fresh());
//!
//! # // One of those tests runs:
//! conformance::run_case("codes::a_code_is_redeemed_once", fresh());
//! ```
//!
//! The tests of this call are named `memory::codes::a_code_is_redeemed_once` and so on. A case
//! fails with a panic that names the broken requirement. The concurrent cases call the store from
//! [`CONCURRENT_CALLERS`] threads at once, through two handles if [`StoreUnderTest::with_reopen`]
//! provides a second one.

mod store_under_test;
#[macro_use]
mod cases;
pub(in crate::testing) mod directory_fixtures;
mod fixtures;

mod accounts;
mod api_keys;
mod api_keys_version;
mod audit_trail;
mod client_review;
mod client_secrets;
mod clients;
mod codes;
mod consents;
mod deleted_scopes;
mod directory;
mod management;
mod owners;
mod rate_limits;
mod refresh;
mod registry;
mod restart;
mod retention;
mod revocation;
mod sessions;
mod signing_keys;
mod token_records;
mod usage;
mod user_sessions;

pub(in crate::testing) use store_under_test::block_on;
pub use store_under_test::{CONCURRENT_CALLERS, StoreUnderTest, Task};

macro_rules! table {
    (() $($subject:ident { $($case:ident)* })*) => {
        &[$($((concat!(stringify!($subject), "::", stringify!($case)), |store| Box::pin($subject::$case(store)))),*),*]
    };
}

type Case = for<'a> fn(&'a StoreUnderTest) -> Task<'a>;

const CASES: &[(&str, Case)] = __conformance_cases!([table]);

/// Returns the names of all cases, such as `codes::a_code_is_redeemed_once`.
pub fn case_names() -> impl Iterator<Item = &'static str> {
    CASES.iter().map(|(name, _)| *name)
}

/// Runs the case with this name on a fresh and empty store.
///
/// # Panics
/// When the store violates the case's requirement, or the case does not exist.
pub fn run_case(name: &str, store: StoreUnderTest) {
    let Some((_, case)) = CASES.iter().find(|(known, _)| *known == name) else {
        panic!("there is no case {name:?}")
    };
    store.execute(case(&store));
}

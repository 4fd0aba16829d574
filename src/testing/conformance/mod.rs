//! What every store must do, as one list of cases, for anyone who writes one.
//!
//! [`conformance!`](crate::conformance) makes a named test of each case, and each case gets a fresh and empty store:
//!
//! ```
//! use std::sync::Arc;
//!
//! use lyceum::store::memory::MemoryStore;
//! use lyceum::testing::conformance::{self, Candidate};
//!
//! fn fresh() -> Candidate {
//!     Candidate::new(Arc::new(MemoryStore::new()))
//! }
//!
//! lyceum::conformance!(memory, fresh());
//!
//! # // What one of those tests does:
//! conformance::run("codes::a_code_is_redeemed_once", fresh());
//! ```
//!
//! The tests of this call are named `memory::codes::a_code_is_redeemed_once` and so on. A case fails by a panic that says which promise
//! was broken. The cases about concurrency call the store from [`RACERS`] threads at once, through two handles where
//! [`Candidate::opened_again_by`] gives a second one.

mod candidate;
#[macro_use]
mod cases;
mod given;
pub(in crate::testing) mod given_school;

mod accounts;
mod api_keys;
mod audit_trail;
mod changes;
mod client_review;
mod client_secrets;
mod clients;
mod clubs;
mod codes;
mod consents;
mod directory;
mod gone_scopes;
mod key_changes;
mod management;
mod neis;
mod owners;
mod projects;
mod rate_limits;
mod refresh;
mod registry;
mod restart;
mod revocation;
pub(in crate::testing) mod school;
mod sessions;
mod signing_keys;
mod sorting;
mod students;
mod sweep;
mod text;
mod token_records;
mod usage;
mod user_sessions;
mod writing;

pub(in crate::testing) use candidate::block_on;
pub use candidate::{Candidate, RACERS, Task};

macro_rules! table {
    (() $($subject:ident { $($case:ident)* })*) => {
        &[$($((concat!(stringify!($subject), "::", stringify!($case)), |store| Box::pin($subject::$case(store)))),*),*]
    };
}

type Case = for<'a> fn(&'a Candidate) -> Task<'a>;

const CASES: &[(&str, Case)] = __conformance_cases!([table]);

/// The names of all cases, such as `codes::a_code_is_redeemed_once`.
pub fn names() -> impl Iterator<Item = &'static str> {
    CASES.iter().map(|(name, _)| *name)
}

/// Runs the case of this name on a store that is fresh and empty.
///
/// # Panics
/// When the store breaks the promise that the case is about, or there is no such case.
pub fn run(name: &str, candidate: Candidate) {
    let Some((_, case)) = CASES.iter().find(|(known, _)| *known == name) else { panic!("there is no case {name:?}") };
    candidate.drive(case(&candidate));
}

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
//! A host whose store implements only [`ProtocolStorage`] creates a [`StoreUnderTest::protocol`]
//! and calls [`conformance_protocol!`](crate::conformance_protocol), which creates a test for each
//! case that needs no other trait. [`SyncStore`] is a layer of its own:
//! [`conformance_sync!`](crate::conformance_sync) creates a test for each of its cases, of a
//! [`StoreUnderTest::sync`].
//!
//! The cases of calendar feeds, which not every host needs, are run by
//! [`conformance_calendar_feeds!`](crate::conformance_calendar_feeds) over
//! [`StoreUnderTest::calendar_feeds`].
//!
//! A store of the school history takes [`SCHOOL_HISTORY_CASES`] in addition, each on a fresh store.
//!
//! The tests of the call above are named `memory::codes::a_code_is_redeemed_once` and so on. A case
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
mod calendar_feeds;
mod client_lookup;
mod client_review;
mod client_secrets;
mod clients;
mod codes;
mod consents;
mod deleted_scopes;
mod directory;
mod management;
mod management_restart;
mod owners;
mod rate_limits;
mod refresh;
mod registry;
mod restart;
mod retention;
mod revocation;
mod school_history;
mod session_races;
mod sessions;
mod signing_keys;
mod sync_runs;
mod token_records;
mod usage;
mod user_sessions;

pub use school_history::{SCHOOL_HISTORY_CASES, SchoolHistoryCase};
pub(in crate::testing) use store_under_test::block_on;
pub use store_under_test::{
    CONCURRENT_CALLERS, CalendarFeedStorage, CalendarFeedsUnderTest, ProtocolFixtures,
    ProtocolUnderTest, StoreUnderTest, SyncUnderTest, Task,
};

use crate::store::{ProtocolStorage, Storage, SyncStore};

/// The storage that cases may name.
mod storage {
    pub(super) use super::CalendarFeedStorage;
    pub(super) use crate::store::{ProtocolStorage, Storage, SyncStore};
}

type Case<S> = for<'a> fn(&'a StoreUnderTest<S>) -> Task<'a>;

/// Cases with their names.
type Cases<S> = &'static [(&'static str, Case<S>)];

macro_rules! case_lists {
    (() $($group:ident { $($($file:ident)::+ => $tests:ident,)+ })*) => {
        &[$($($($file)::+::CASES),+),*]
    };
}

const PROTOCOL_CASES: &[Cases<dyn ProtocolStorage>] = __conformance_protocol_files!([case_lists]);
const SYNC_CASES: &[Cases<dyn SyncStore>] = __conformance_sync_files!([case_lists]);
const LAYER_CASES: &[Cases<dyn Storage>] = __conformance_layer_files!([case_lists]);

const CALENDAR_FEED_CASES: &[Cases<dyn CalendarFeedStorage>] =
    __conformance_calendar_feed_files!([case_lists]);

/// Returns the names of all cases of a [`Storage`], such as `codes::a_code_is_redeemed_once`.
pub fn case_names() -> impl Iterator<Item = &'static str> {
    let layers = LAYER_CASES.iter().copied().flatten();
    protocol_case_names().chain(layers.map(|(name, _)| *name))
}

/// Returns the names of the cases that need a [`ProtocolStorage`] alone.
pub fn protocol_case_names() -> impl Iterator<Item = &'static str> {
    PROTOCOL_CASES
        .iter()
        .copied()
        .flatten()
        .map(|(name, _)| *name)
}

/// Returns the names of the cases that need a [`SyncStore`].
pub fn sync_case_names() -> impl Iterator<Item = &'static str> {
    SYNC_CASES.iter().copied().flatten().map(|(name, _)| *name)
}

/// Runs the case with this name on a fresh and empty store.
///
/// # Panics
/// When the store violates the case's requirement, or the case does not exist.
pub fn run_case(name: &str, store: StoreUnderTest) {
    match find(LAYER_CASES, name) {
        Some(case) => store.execute(case(&store)),
        None => run_protocol_case(name, store.into_protocol()),
    }
}

/// Same as [`run_case`], for the cases that need a [`ProtocolStorage`] alone.
///
/// # Panics
/// When the store violates the case's requirement, or the case does not exist.
pub fn run_protocol_case(name: &str, store: ProtocolUnderTest) {
    let Some(case) = find(PROTOCOL_CASES, name) else {
        panic!("there is no case {name:?}")
    };
    store.execute(case(&store));
}

/// Same as [`run_case`], for the cases that need a [`SyncStore`].
///
/// # Panics
/// When the store violates the case's requirement, or the case does not exist.
pub fn run_sync_case(name: &str, store: SyncUnderTest) {
    let Some(case) = find(SYNC_CASES, name) else {
        panic!("there is no case {name:?}")
    };
    store.execute(case(&store));
}

/// Runs the case of calendar feeds with this name on a fresh and empty store.
///
/// # Panics
/// When the store violates the case's requirement, or the case does not exist.
pub fn run_calendar_feed_case(name: &str, store: CalendarFeedsUnderTest) {
    let Some(case) = find(CALENDAR_FEED_CASES, name) else {
        panic!("there is no case {name:?}")
    };
    store.execute(case(&store));
}

fn find<S: ?Sized>(files: &[Cases<S>], name: &str) -> Option<Case<S>> {
    let found = files
        .iter()
        .copied()
        .flatten()
        .find(|(known, _)| *known == name)?;
    Some(found.1)
}

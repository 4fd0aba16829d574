//! Searches through all orders of concurrent calls and all crash points of a call, over the crate's
//! own stores and over stores with planted faults that the searches must find.
//!
//! On a SQL store, scenarios with few interleavings are searched exhaustively, and some
//! interleavings of the others. The output counts the exhausted scenarios. `LYCEUM_LONG=1` tries
//! every interleaving of two calls, and all or many more of three.

#[macro_use]
#[path = "../support/delegate_store.rs"]
mod delegate_store;

mod broken;
mod crash_faults;
mod fault_search;
mod faults;
mod memory;
mod postgres;
#[path = "../support/postgres.rs"]
mod postgres_server;
#[path = "../support/report.rs"]
mod report;
mod search;
mod sqlite;

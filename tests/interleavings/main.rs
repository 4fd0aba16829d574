//! Every order in which concurrent calls can reach a store, and every point at which one can die: the crate's own stores, and stores with
//! planted faults that the search must find.
//!
//! On a store in SQL, all interleavings are tried where there are few, and some where there are many: what is printed says for how many
//! stories these were all. `LYCEUM_LONG=1` tries every one of two calls, and every one or many more of three.

mod broken;
mod faults;
mod memory;
mod postgres;
#[path = "../support/postgres.rs"]
mod postgres_server;
#[path = "../support/report.rs"]
mod report;
mod search;
mod sqlite;

//! Every order in which concurrent calls can reach a store, and every point at which one can die: the crate's own stores, and stores with
//! planted faults that the search must find.
//!
//! Of three calls at once, all interleavings are tried where there are few, and some where there are many: what is printed says for how many
//! stories these were all. `LYCEUM_LONG=1` tries every one, or many more of them.

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

//! Every order in which concurrent calls can reach a store, and every point at which one can die: the crate's own stores, and stores with
//! planted faults that the search must find.
//!
//! `LYCEUM_LONG=1` tries every interleaving of three calls, or many more of them.

mod broken;
mod faults;
mod memory;
mod postgres;
#[path = "../support/postgres.rs"]
mod postgres_server;
mod search;
mod sqlite;

//! The bundled example as a process of its own: its options, what it prints, how it stops, and what a kill -9 leaves behind.

#[path = "../support/mod.rs"]
mod support;

#[path = "../support/postgres.rs"]
mod postgres;

mod cluster;
mod demo;
mod failures;
mod kill;
mod server;
mod sign_in;

//! Shared parts of the measurements.

pub mod client;
pub mod crypto_baseline;
pub mod logins;
pub mod process;
pub mod report;
pub mod school;
pub mod server;

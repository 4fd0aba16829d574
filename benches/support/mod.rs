//! What the measurements share.

pub mod bare;
pub mod client;
pub mod logins;
pub mod process;
pub mod report;
pub mod school;
pub mod server;

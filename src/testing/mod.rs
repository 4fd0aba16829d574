//! For tests, benches and demonstrations (feature `testing`): time and chance that repeat themselves, an invented school, the cases
//! that every store must pass, and searches for the orders and the deaths that it does not stand.

mod audit;
mod clock;
pub mod conformance;
pub mod crashes;
pub mod differential;
mod entropy;
pub mod interleavings;
pub mod logins;
pub mod school;

pub use audit::MemoryAuditLog;
pub use clock::ManualClock;
pub use entropy::{SeededEntropy, master_key};

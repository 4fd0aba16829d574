//! Test kit for store backends and hosts (feature `testing`).
//!
//! | Entry point | Purpose |
//! |---|---|
//! | [`conformance`] | one list of cases that every store must pass, as named tests |
//! | [`interleavings`] | a search through the orders of concurrent calls, checked against a model |
//! | [`crash_points`] | a search through the points at which a call can crash |
//!
//! [`ManualClock`], [`SeededEntropy`], [`master_key`] and [`MemoryAuditLog`] make services
//! deterministic. With the feature `neis`, `NeisReplay` takes the place of the portal.
//! `docs/testing.md` is the guide.

mod audit;
mod clock;
pub mod conformance;
pub mod crash_points;
mod entropy;
pub mod interleavings;
#[cfg(feature = "neis")]
mod neis_replay;

pub use audit::MemoryAuditLog;
pub use clock::ManualClock;
pub use entropy::{SeededEntropy, master_key};
#[cfg(feature = "neis")]
pub use neis_replay::{NeisBehavior, NeisReplay};

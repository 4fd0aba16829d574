//! For tests, benches and demonstrations (feature `testing`): time and chance that repeat themselves, and an invented school.

mod clock;
pub mod conformance;
pub mod differential;
mod entropy;
pub mod school;

pub use clock::ManualClock;
pub use entropy::SeededEntropy;

//! Signing, key formats, and secrets that are derived instead of kept.

mod entropy;

pub use entropy::{Entropy, SystemEntropy};

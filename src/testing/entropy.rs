use std::fmt;
use std::sync::{Mutex, PoisonError};

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use crate::crypto::{Entropy, MasterKey};

/// Deterministic entropy: the same seed gives the same bytes. For tests only: the seed reveals
/// every byte.
///
/// ```
/// use lyceum::crypto::Entropy;
/// use lyceum::testing::SeededEntropy;
///
/// let (one, other): (&dyn Entropy, &dyn Entropy) = (&SeededEntropy::new(7), &SeededEntropy::new(7));
/// assert_eq!(one.bytes::<32>(), other.bytes::<32>());
/// ```
pub struct SeededEntropy(Mutex<ChaCha20Rng>);

impl SeededEntropy {
    /// Creates the byte stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self(Mutex::new(ChaCha20Rng::seed_from_u64(seed)))
    }
}

/// Deterministic master key: the same seed gives the same key. For tests only.
///
/// ```
/// use lyceum::store::memory::MemoryStore;
/// use lyceum::testing::master_key;
/// # use std::sync::Arc;
/// # tokio::runtime::Runtime::new()?.block_on(async {
///
/// let server = lyceum::AuthServer::builder(Arc::new(MemoryStore::new()), "https://school.example", master_key(7)).build().await?;
/// # Ok::<_, Box<dyn std::error::Error>>(()) })?;
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub fn master_key(seed: u64) -> MasterKey {
    MasterKey::generate(&SeededEntropy::new(seed))
}

impl Entropy for SeededEntropy {
    fn fill(&self, buffer: &mut [u8]) {
        // The generator cannot panic halfway through a step, so a poisoned lock holds a valid
        // state.
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .fill_bytes(buffer);
    }
}

impl fmt::Debug for SeededEntropy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SeededEntropy(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_decides_every_byte() {
        let drawn = |seed| {
            let entropy = SeededEntropy::new(seed);
            let mut bytes = [0; 48];
            bytes.chunks_mut(16).for_each(|chunk| entropy.fill(chunk));
            bytes
        };
        assert_eq!(drawn(1), drawn(1));
        assert_ne!(drawn(1), drawn(2));
        assert_ne!(drawn(1)[..16], drawn(1)[16..32]);
    }
}

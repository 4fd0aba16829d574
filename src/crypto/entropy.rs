use std::fmt::Debug;

/// Source of random bytes. Tests replace the operating system's with a reproducible one.
pub trait Entropy: Debug + Send + Sync + 'static {
    /// Fills the buffer with unpredictable bytes.
    ///
    /// # Panics
    /// If no random bytes are available, because no secret can be created then.
    fn fill(&self, buffer: &mut [u8]);
}

/// The operating system's random number generator.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    #[expect(
        clippy::disallowed_methods,
        reason = "the only place that uses the system's random numbers"
    )]
    fn fill(&self, buffer: &mut [u8]) {
        getrandom::fill(buffer).expect("the operating system provides random bytes");
    }
}

impl dyn Entropy {
    /// Returns random bytes, as constructors of ids and secrets take them.
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.fill(&mut bytes);
        bytes
    }
}

use std::fmt::Debug;

/// Where random bytes come from. A parameter, so that tests can repeat themselves; in production it is the operating system.
pub trait Entropy: Debug + Send + Sync + 'static {
    /// Fills the buffer with bytes that nobody can predict.
    ///
    /// # Panics
    /// When there is no randomness to be had. Nothing secret can be made then, so there is no way to go on.
    fn fill(&self, buffer: &mut [u8]);
}

/// The operating system's generator.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    #[expect(clippy::disallowed_methods, reason = "this is the one place that asks the operating system")]
    fn fill(&self, buffer: &mut [u8]) {
        getrandom::fill(buffer).expect("the operating system gives random bytes");
    }
}

impl dyn Entropy {
    /// An array of random bytes, such as the constructors of ids and secrets take.
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.fill(&mut bytes);
        bytes
    }
}

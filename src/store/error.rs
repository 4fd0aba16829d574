use std::error::Error;
use std::fmt;

/// A backend that could not answer. It is for the log: no client ever sees its text.
#[derive(Debug)]
pub struct StorageError {
    unavailable: bool,
    context: &'static str,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl StorageError {
    /// The backend failed in a way that trying again will not mend, such as a damaged row.
    pub fn failed(context: &'static str, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { unavailable: false, context, source: Some(source.into()) }
    }

    /// The backend cannot be reached or is too busy; trying again later may help.
    pub fn unavailable(context: &'static str, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { unavailable: true, context, source: Some(source.into()) }
    }

    /// What is kept does not have the form in which it was written.
    pub const fn corrupt(context: &'static str) -> Self {
        Self { unavailable: false, context, source: None }
    }

    /// What metrics call it.
    #[cfg(any(feature = "sqlite", feature = "postgres", feature = "redis"))]
    pub(super) const fn kind(&self) -> &'static str {
        if self.unavailable { "unavailable" } else { "failed" }
    }

    /// Whether trying again later may help.
    pub const fn is_unavailable(&self) -> bool {
        self.unavailable
    }
}

impl fmt::Display for StorageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.context)
    }
}

impl Error for StorageError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}

use std::error::Error;
use std::fmt;
use std::sync::Arc;

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

    /// The same error for one more of those who wait for one answer.
    pub(crate) fn shared(error: &Arc<Self>) -> Self {
        let source = error.source.is_some().then(|| SharedSource(Arc::clone(error)).into());
        Self { unavailable: error.unavailable, context: error.context, source }
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

/// The source of an error that several have.
#[derive(Debug)]
struct SharedSource(Arc<StorageError>);

impl fmt::Display for SharedSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.source.as_ref().map_or(Ok(()), |source| source.fmt(f))
    }
}

impl Error for SharedSource {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source.as_ref().and_then(|source| source.source())
    }
}

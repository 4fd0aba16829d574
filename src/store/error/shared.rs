use std::error::Error;
use std::fmt;
use std::sync::Arc;

use super::StorageError;

impl StorageError {
    /// The same error, for another of several callers that wait for one result.
    pub(crate) fn shared(error: &Arc<Self>) -> Self {
        let source = error
            .source
            .is_some()
            .then(|| SharedSource(Arc::clone(error)).into());
        Self {
            unavailable: error.unavailable,
            context: error.context,
            source,
        }
    }
}

/// Source of an error that several callers share.
#[derive(Debug)]
struct SharedSource(Arc<StorageError>);

impl fmt::Display for SharedSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .source
            .as_ref()
            .map_or(Ok(()), |source| source.fmt(f))
    }
}

impl Error for SharedSource {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source.as_ref().and_then(|source| source.source())
    }
}

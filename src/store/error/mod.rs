#[cfg(feature = "data-api")]
mod shared;

use std::error::Error;
use std::fmt;

/// Failure of a backend. Its text is for logs and never reaches a client.
#[derive(Debug)]
pub struct StorageError {
    unavailable: bool,
    context: &'static str,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl StorageError {
    /// The backend failed in a way that a retry will not fix, such as a damaged row.
    pub fn failed(context: &'static str, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self {
            unavailable: false,
            context,
            source: Some(source.into()),
        }
    }

    /// The backend cannot be reached or is too busy. A later retry may succeed.
    pub fn unavailable(
        context: &'static str,
        source: impl Into<Box<dyn Error + Send + Sync>>,
    ) -> Self {
        Self {
            unavailable: true,
            context,
            source: Some(source.into()),
        }
    }

    /// Stored data does not have the format in which it was written.
    pub const fn corrupt(context: &'static str) -> Self {
        Self {
            unavailable: false,
            context,
            source: None,
        }
    }

    /// Label value in metrics.
    #[cfg(any(feature = "sqlite", feature = "postgres", feature = "redis"))]
    pub(in crate::store) const fn kind(&self) -> &'static str {
        if self.unavailable {
            "unavailable"
        } else {
            "failed"
        }
    }

    /// Whether a later retry may succeed.
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

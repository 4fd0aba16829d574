#![cfg_attr(not(feature = "testing"), expect(unreachable_pub, reason = "it is public in tests only"))]

use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;

use crate::store::StorageError;

/// What a store does to its database, as a [`Watch`] sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// A transaction begins.
    Begin,
    /// A statement runs.
    Statement,
    /// A transaction that writes is committed. One that only reads has nothing to commit, so it has no such step, nor has one that is
    /// rolled back.
    Commit,
}

/// Stands between a store and its database, for tests: it may wait at each step, or let the program die there.
#[async_trait]
pub trait Watch: Debug + Send + Sync + 'static {
    /// Called before each step.
    ///
    /// # Errors
    /// When the program dies here: the step is not taken, and the transaction is never committed.
    async fn before(&self, step: Step) -> Result<(), StorageError>;

    /// Called after each step was taken, before anybody is told.
    ///
    /// # Errors
    /// When the program dies here: nothing more is sent, and what is not committed by now never is.
    async fn after(&self, step: Step) -> Result<(), StorageError>;
}

/// Who watches a store: nobody, but in tests.
#[derive(Debug, Clone, Default)]
pub(super) struct Watched(Option<Arc<dyn Watch>>);

impl Watched {
    #[cfg(any(test, feature = "testing"))]
    pub(super) const fn by(watch: Arc<dyn Watch>) -> Self {
        Self(Some(watch))
    }

    pub(super) const fn is_watched(&self) -> bool {
        self.0.is_some()
    }

    pub(super) async fn before(&self, step: Step) -> Result<(), StorageError> {
        match &self.0 {
            Some(watch) => watch.before(step).await,
            None => Ok(()),
        }
    }

    pub(super) async fn after(&self, step: Step) -> Result<(), StorageError> {
        match &self.0 {
            Some(watch) => watch.after(step).await,
            None => Ok(()),
        }
    }
}

//! Counts the statements that a SQL store sends.

use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use lyceum::store::StorageError;
use lyceum::store::sql::{Phase, TransactionHook};

/// Number of statements sent since the last [`take`](Self::take).
#[derive(Debug, Default)]
pub struct StatementCounter(AtomicUsize);

impl StatementCounter {
    /// Returns the count and resets it.
    pub fn take(&self) -> usize {
        self.0.swap(0, Ordering::SeqCst)
    }
}

#[async_trait]
impl TransactionHook for StatementCounter {
    async fn before(&self, phase: Phase) -> Result<(), StorageError> {
        self.0
            .fetch_add(usize::from(phase == Phase::Statement), Ordering::SeqCst);
        Ok(())
    }

    async fn after(&self, _: Phase) -> Result<(), StorageError> {
        Ok(())
    }
}

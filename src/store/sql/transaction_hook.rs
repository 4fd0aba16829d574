#![cfg_attr(
    not(feature = "testing"),
    expect(unreachable_pub, reason = "it is public in tests only")
)]

use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;

use crate::store::StorageError;

/// Step of a transaction, as a [`TransactionHook`] sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// A transaction begins.
    Begin,
    /// A statement runs.
    Statement,
    /// A transaction that writes is committed. Transactions that only read or are rolled back do
    /// not have this step.
    Commit,
}

/// Intercepts the steps of a store's transactions, for tests: it may wait at a step, or simulate a
/// crash there.
#[async_trait]
pub trait TransactionHook: Debug + Send + Sync + 'static {
    /// Called before each step.
    ///
    /// # Errors
    /// To simulate a crash: the step is not taken, and the transaction is never committed.
    async fn before(&self, phase: Phase) -> Result<(), StorageError>;

    /// Called after each step, before the caller gets a result.
    ///
    /// # Errors
    /// To simulate a crash: no more statements are sent, and a transaction that is not committed
    /// yet never is.
    async fn after(&self, phase: Phase) -> Result<(), StorageError>;
}

/// The hook of a store, which only tests set.
#[derive(Debug, Clone, Default)]
pub(super) struct OptionalHook(Option<Arc<dyn TransactionHook>>);

impl OptionalHook {
    #[cfg(any(test, feature = "testing"))]
    pub(super) const fn new(hook: Arc<dyn TransactionHook>) -> Self {
        Self(Some(hook))
    }

    pub(super) const fn is_set(&self) -> bool {
        self.0.is_some()
    }

    pub(super) async fn before(&self, phase: Phase) -> Result<(), StorageError> {
        match &self.0 {
            Some(hook) => hook.before(phase).await,
            None => Ok(()),
        }
    }

    pub(super) async fn after(&self, phase: Phase) -> Result<(), StorageError> {
        match &self.0 {
            Some(hook) => hook.after(phase).await,
            None => Ok(()),
        }
    }
}

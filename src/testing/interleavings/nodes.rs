use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::operation::Operation;
use super::run_ids::RunIds;
use super::step_gate::StepGate;
use super::store_handle::StoreHandle;
use crate::store::Storage;
use crate::testing::conformance::{Task, block_on};

/// Maximum number of concurrent calls.
const MAX_CALLS: usize = 3;

/// Handles of one store, each standing for a node, with the backend's executor and lock probe.
pub struct Nodes {
    nodes: Vec<Node>,
    /// Handle that sets up and reads the scenarios. Its gate is always open.
    observer: StoreHandle,
    probe: Option<Probe>,
    executor: Box<dyn Fn(Task<'_>) + Send + Sync>,
    runs: AtomicU64,
}

pub(super) struct Node {
    pub(super) store: Arc<dyn Storage>,
    pub(super) gate: StepGate,
}

/// Call that has begun and not ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActiveCall {
    /// Node of the call, counted from 0 in the order in which [`Nodes::new`] opened them.
    pub node: usize,
    /// Operation of the call.
    pub operation: Operation,
}

type Probe = Box<
    dyn Fn(ActiveCall, Vec<ActiveCall>) -> Pin<Box<dyn Future<Output = bool> + Send>> + Send + Sync,
>;

impl Nodes {
    /// Opens handles on one store, each with the gate that its calls must await. There is one more
    /// than the maximum of concurrent calls, to set up and read the scenarios. The store may hold
    /// other records, and the search leaves its records in it.
    pub fn new(mut open: impl FnMut(StepGate) -> Arc<dyn Storage>) -> Self {
        let mut node = || {
            let gate = StepGate::default();
            Node {
                store: open(gate.clone()),
                gate,
            }
        };
        let nodes = (0..MAX_CALLS).map(|_| node()).collect();
        Self {
            nodes,
            observer: StoreHandle::new(node().store),
            probe: None,
            executor: Box::new(block_on),
            runs: AtomicU64::new(0),
        }
    }

    /// Sets a probe that returns whether a call waits for a lock that another call holds. It is
    /// queried repeatedly about a call that may move and has not reached its next boundary, with
    /// some of the other active calls. A result of `true` must hold until one of those calls moves.
    /// Without a probe, every call must reach its next boundary by itself.
    #[must_use]
    pub fn with_lock_probe<F: Future<Output = bool> + Send + 'static>(
        self,
        is_blocked: impl Fn(ActiveCall, Vec<ActiveCall>) -> F + Send + Sync + 'static,
    ) -> Self {
        Self {
            probe: Some(Box::new(move |call, others| {
                Box::pin(is_blocked(call, others))
            })),
            ..self
        }
    }

    /// Runs every future with `executor`, for a store that needs its own runtime: `|task|
    /// runtime.block_on(task)`.
    #[must_use]
    pub fn with_executor(self, executor: impl Fn(Task<'_>) + Send + Sync + 'static) -> Self {
        Self {
            executor: Box::new(executor),
            ..self
        }
    }

    pub(super) fn node(&self, number: usize) -> &Node {
        &self.nodes[number]
    }

    pub(super) const fn observer(&self) -> &StoreHandle {
        &self.observer
    }

    /// Returns identifiers that no run had before.
    pub(super) fn ids(&self) -> RunIds {
        RunIds(self.runs.fetch_add(1, Ordering::Relaxed))
    }

    pub(super) const fn has_probe(&self) -> bool {
        self.probe.is_some()
    }

    pub(super) async fn is_blocked(&self, call: ActiveCall, others: Vec<ActiveCall>) -> bool {
        match &self.probe {
            Some(is_blocked) => is_blocked(call, others).await,
            None => false,
        }
    }

    /// Runs a future to completion.
    pub(super) fn execute<T>(&self, future: impl Future<Output = T>) -> T {
        let mut answer = None;
        (self.executor)(Box::pin(async { answer = Some(future.await) }));
        answer.expect("the executor runs a future to completion")
    }
}

impl fmt::Debug for Nodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Nodes")
            .field("observer", &self.observer.store())
            .finish_non_exhaustive()
    }
}

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::handle::Handle;
use super::names::Names;
use super::operation::Operation;
use super::turn::Turn;
use crate::store::Storage;
use crate::testing::conformance::{Task, block_on};

/// How many calls run at once at most.
const MOST_CALLS: usize = 3;

/// Handles of one store, as if each were on a node of its own, and what a search must know of the backend.
pub struct Nodes {
    nodes: Vec<Node>,
    /// Makes and reads what a story is about. Nothing holds its turn.
    observer: Handle,
    probe: Option<Probe>,
    driver: Box<dyn Fn(Task<'_>) + Send + Sync>,
    runs: AtomicU64,
}

pub(super) struct Node {
    pub(super) store: Arc<dyn Storage>,
    pub(super) turn: Turn,
}

/// A call that has begun and not ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Call {
    /// On which node, from 0, in the order in which [`Nodes::new`] opened them.
    pub node: usize,
    /// What it does.
    pub operation: Operation,
}

type Probe = Box<dyn Fn(Call, Vec<Call>) -> Pin<Box<dyn Future<Output = bool> + Send>> + Send + Sync>;

impl Nodes {
    /// Opens handles on one store, each with the turn that its calls have to await. There is one more than calls run at once, for whoever
    /// makes and reads what the calls are about. The store may hold other things, and is left with what the search made.
    pub fn new(mut open: impl FnMut(Turn) -> Arc<dyn Storage>) -> Self {
        let mut node = || {
            let turn = Turn::default();
            Node { store: open(turn.clone()), turn }
        };
        let nodes = (0..MOST_CALLS).map(|_| node()).collect();
        Self { nodes, observer: Handle::new(node().store), probe: None, driver: Box::new(block_on), runs: AtomicU64::new(0) }
    }

    /// Says of a backend with locks whether a call waits for one that another holds. It is asked, again and again, about a call that was let
    /// go on and has not come to its next boundary, with some of the others that have begun. The answer `true` must stay true until one of
    /// those goes on. Without a probe every call comes to its next boundary by itself.
    #[must_use]
    pub fn probed_by<F: Future<Output = bool> + Send + 'static>(
        self,
        is_blocked: impl Fn(Call, Vec<Call>) -> F + Send + Sync + 'static,
    ) -> Self {
        Self { probe: Some(Box::new(move |call, others| Box::pin(is_blocked(call, others)))), ..self }
    }

    /// Runs every future with `driver`, for a store that needs its own runtime: `|task| runtime.block_on(task)`.
    #[must_use]
    pub fn driven_by(self, driver: impl Fn(Task<'_>) + Send + Sync + 'static) -> Self {
        Self { driver: Box::new(driver), ..self }
    }

    pub(super) fn node(&self, number: usize) -> &Node {
        &self.nodes[number]
    }

    pub(super) const fn observer(&self) -> &Handle {
        &self.observer
    }

    /// Names that no run had before.
    pub(super) fn names(&self) -> Names {
        Names(self.runs.fetch_add(1, Ordering::Relaxed))
    }

    pub(super) const fn has_probe(&self) -> bool {
        self.probe.is_some()
    }

    pub(super) async fn is_blocked(&self, call: Call, others: Vec<Call>) -> bool {
        match &self.probe {
            Some(is_blocked) => is_blocked(call, others).await,
            None => false,
        }
    }

    /// Runs a future to its end.
    pub(super) fn drive<T>(&self, future: impl Future<Output = T>) -> T {
        let mut answer = None;
        (self.driver)(Box::pin(async { answer = Some(future.await) }));
        answer.expect("the driver runs a future to its end")
    }
}

impl fmt::Debug for Nodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Nodes").field("observer", &self.observer.store()).finish_non_exhaustive()
    }
}

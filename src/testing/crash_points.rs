//! Crash-point search for store backends: crashes an operation at each of its steps and checks the
//! data that a reopened store finds.
//!
//! An operation runs once for each of its boundaries (see [`StepGate`]) and crashes there. A new
//! handle must then find the state before the operation or the complete state after it, and the
//! latter if the call had returned. Repeating the operation must have the same outcome as from that
//! state. The scenarios are those of [`single_calls`](super::interleavings::single_calls).
//!
//! ```
//! use std::sync::Arc;
//!
//! use lyceum::store::memory::MemoryStore;
//! use lyceum::testing::crash_points::CrashSearch;
//! use lyceum::testing::interleavings::single_calls;
//!
//! // The memory store has no crash points. A backend passes the gate to the handle that it opens.
//! let store = Arc::new(MemoryStore::new());
//! let crash_search = CrashSearch::new(move |_gate| store.clone());
//! let points: usize = single_calls().iter().map(|scenario| crash_search.explore(scenario)).sum::<Result<_, _>>()?;
//! assert_eq!(points, 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use super::conformance::{Task, block_on};
use super::interleavings::{
    CrashAction, Model, Operation, OperationOutcome, RunIds, Scenario, StepGate, StoreHandle,
    answer, answers, consistent_states, crash_error, create_other_administrator,
};
use crate::store::{Storage, StorageError};

/// Search for the crash points of a backend.
pub struct CrashSearch {
    open: Box<dyn Fn(StepGate) -> Arc<dyn Storage> + Send + Sync>,
    recover: Option<Box<dyn Fn() -> Arc<dyn Storage> + Send + Sync>>,
    crash: CrashAction,
    executor: Box<dyn Fn(Task<'_>) + Send + Sync>,
    /// Handle that sets up each scenario and never crashes.
    live_handle: OnceLock<StoreHandle>,
    runs: AtomicU64,
}

/// Operation that a crash left half done. Its `Display` shows the scenario, the crash point and the
/// reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrashFailure {
    /// The scenario.
    pub scenario: Scenario,
    /// Boundary at which the call crashed, counted from 0.
    pub point: usize,
    /// Description of the inconsistency.
    pub reason: String,
}

impl fmt::Display for CrashFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}\n  setup: {:?}\n  crashed at point {}\n  {}",
            self.scenario.name, self.scenario.setup, self.point, self.reason
        )
    }
}

impl std::error::Error for CrashFailure {}

impl CrashSearch {
    /// Creates a search of a backend whose handles are opened by `open`, always on the same data.
    /// By default a call crashes when its gate returns an error, and a handle opened by `open`
    /// reads what is left.
    pub fn new(open: impl Fn(StepGate) -> Arc<dyn Storage> + Send + Sync + 'static) -> Self {
        Self {
            open: Box::new(open),
            recover: None,
            crash: Arc::new(|| Box::pin(async { Err(crash_error()) })),
            executor: Box::new(block_on),
            live_handle: OnceLock::new(),
            runs: AtomicU64::new(0),
        }
    }

    /// Sets a more realistic crash, such as ending the connection: `crash` runs at the crash point.
    /// If it returns `Ok`, the call continues and notices the crash by itself.
    #[must_use]
    pub fn with_crash<F: Future<Output = Result<(), StorageError>> + Send + 'static>(
        self,
        crash: impl Fn() -> F + Send + Sync + 'static,
    ) -> Self {
        Self {
            crash: Arc::new(move || Box::pin(crash())),
            ..self
        }
    }

    /// Sets how the data is reopened after a crash, for example from a copy that was made at the
    /// crash point.
    #[must_use]
    pub fn with_recovery(
        self,
        recover: impl Fn() -> Arc<dyn Storage> + Send + Sync + 'static,
    ) -> Self {
        Self {
            recover: Some(Box::new(recover)),
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

    /// Crashes the first call of the scenario at each of its points, each time from fresh records,
    /// and returns the number of points.
    ///
    /// # Errors
    /// Returns the first crash after which the operation is half done.
    pub fn explore(&self, scenario: &Scenario) -> Result<usize, Box<CrashFailure>> {
        let Some(operation) = scenario.calls.first() else {
            return Ok(0);
        };
        for point in 0.. {
            let mut outcome_at_point = Ok(true);
            (self.executor)(Box::pin(async {
                outcome_at_point = self.crash_at(point, scenario, *operation).await
            }));
            if !outcome_at_point.map_err(|reason| {
                Box::new(CrashFailure {
                    scenario: scenario.clone(),
                    point,
                    reason,
                })
            })? {
                return Ok(point);
            }
        }
        Ok(0)
    }

    /// Crashes the call at a point; `false` if it has fewer points.
    async fn crash_at(
        &self,
        point: usize,
        scenario: &Scenario,
        operation: Operation,
    ) -> Result<bool, String> {
        let ids = RunIds(self.runs.fetch_add(1, Ordering::Relaxed));
        let mut before = Model::default();
        let live_handle = self
            .live_handle
            .get_or_init(|| StoreHandle::new((self.open)(StepGate::default())));
        create_other_administrator(live_handle.store())
            .await
            .map_err(|error| {
                format!("before the call, an account could not be created: {error}")
            })?;
        for (operation, outcome) in answers(live_handle, &scenario.setup, ids).await {
            let right = before.apply(operation);
            if outcome != right {
                return Err(format!(
                    "before the call, {operation:?} came to {outcome:?}, not {right:?}"
                ));
            }
        }
        let mut after = before.clone();
        let right = after.apply(operation);
        let gate = StepGate::default();
        let crashing = live_handle
            .open_peer((self.open)(gate.clone()), scenario)
            .await;
        let crashing =
            crashing.map_err(|error| format!("before the call, the directory failed: {error}"))?;
        gate.crash_after(point, Arc::clone(&self.crash));
        let outcome = answer(&crashing, operation, ids).await;
        let has_crashed = gate.has_crashed();
        // Drop the crashed handle first: a handle that is merely abandoned proves no more than a
        // closed one.
        drop(crashing);
        gate.open();
        let states = match &outcome {
            OperationOutcome::Failed(_) if has_crashed => vec![before, after],
            _ if outcome == right => vec![after],
            _ => return Err(format!("the call came to {outcome:?}, not {right:?}")),
        };
        let recovered = match &self.recover {
            Some(recover) if has_crashed => recover(),
            _ => (self.open)(StepGate::default()),
        };
        let reads: Vec<Operation> = scenario
            .checks
            .iter()
            .copied()
            .filter(|operation| operation.is_read())
            .collect();
        let mut found = Vec::new();
        if scenario.uses_directory() {
            // A directory that follows the changes must have the same content as one that is
            // loaded.
            let follower = live_handle
                .open_peer(Arc::clone(&recovered), scenario)
                .await;
            let follower = follower
                .map_err(|error| format!("after the call, the directory failed: {error}"))?;
            found = answers(&follower, &reads, ids).await;
        }
        // The recovered handle loads its directory, as after a restart.
        let recovered = StoreHandle::new(recovered);
        let again = reads
            .into_iter()
            .chain([operation])
            .chain(scenario.checks.iter().copied())
            .collect();
        let again = if operation.needs_fresh_id() {
            scenario.checks.clone()
        } else {
            again
        };
        found.extend(answers(&recovered, &again, ids).await);
        if consistent_states(states, &found).is_empty() {
            let found: Vec<_> = found
                .iter()
                .map(|(operation, outcome)| format!("\n    {operation:?} came to {outcome:?}"))
                .collect();
            return Err(format!(
                "the call came to {outcome:?}, and afterwards:{}",
                found.concat()
            ));
        }
        drop(recovered);
        live_handle
            .clean_up(scenario, ids)
            .await
            .map_err(|error| format!("after the call, the directory failed: {error}"))?;
        Ok(has_crashed)
    }
}

impl fmt::Debug for CrashSearch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CrashSearch").finish_non_exhaustive()
    }
}

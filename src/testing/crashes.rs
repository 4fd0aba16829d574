//! A store that dies at every point of every operation, and what it holds when it is opened again: for people who write a backend.
//!
//! An operation runs once for each of its boundaries (see [`Turn`]) and dies there. What a new handle then finds must be the state before the
//! operation or the state after it, wholly; after, if the call was acknowledged; and doing it again must come to what it comes to from
//! that state. The stories are those of [`single_calls`](super::interleavings::single_calls).
//!
//! ```
//! use std::sync::Arc;
//!
//! use lyceum::store::memory::MemoryStore;
//! use lyceum::testing::crashes::Crashes;
//! use lyceum::testing::interleavings::single_calls;
//!
//! // The memory store has no point to die at. A backend would give the turn to the handle that it opens.
//! let store = Arc::new(MemoryStore::new());
//! let crashes = Crashes::new(move |_turn| store.clone());
//! let points: usize = single_calls().iter().map(|story| crashes.explore(story)).sum::<Result<_, _>>()?;
//! assert_eq!(points, 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use super::conformance::{Task, block_on};
use super::interleavings::{
    Death, Handle, Model, Names, Operation, Outcome, Story, Turn, answer, answers, consistent, died, somebody_else_administers,
};
use crate::store::{Storage, StorageError};

/// A backend that can die and be opened again.
pub struct Crashes {
    open: Box<dyn Fn(Turn) -> Arc<dyn Storage> + Send + Sync>,
    recover: Option<Box<dyn Fn() -> Arc<dyn Storage> + Send + Sync>>,
    death: Death,
    driver: Box<dyn Fn(Task<'_>) + Send + Sync>,
    /// Makes what a story is about.
    living: OnceLock<Handle>,
    runs: AtomicU64,
}

/// An operation that was half done after it died. It prints as the story, the point and what was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HalfDone {
    /// The story.
    pub story: Story,
    /// At which boundary the call died, from 0.
    pub point: usize,
    /// What was found.
    pub fault: String,
}

impl fmt::Display for HalfDone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n  start: {:?}\n  died at point {}\n  {}", self.story.name, self.story.start, self.point, self.fault)
    }
}

impl std::error::Error for HalfDone {}

impl Crashes {
    /// A backend whose handles are opened by `open`, always on the same data. A call dies by an error out of its turn, and a handle is opened
    /// again to see what it left.
    pub fn new(open: impl Fn(Turn) -> Arc<dyn Storage> + Send + Sync + 'static) -> Self {
        Self {
            open: Box::new(open),
            recover: None,
            death: Arc::new(|| Box::pin(async { Err(died()) })),
            driver: Box::new(block_on),
            living: OnceLock::new(),
            runs: AtomicU64::new(0),
        }
    }

    /// Lets a call die in a truer way, such as by ending its connection: `death` does that at the point of death. When it answers `Ok` the
    /// call goes on, to find out by itself.
    #[must_use]
    pub fn dying_by<F: Future<Output = Result<(), StorageError>> + Send + 'static>(
        self,
        death: impl Fn() -> F + Send + Sync + 'static,
    ) -> Self {
        Self { death: Arc::new(move || Box::pin(death())), ..self }
    }

    /// Opens what is left after a death otherwise than `open` does, such as a copy that was made at the point of death.
    #[must_use]
    pub fn recovered_by(self, recover: impl Fn() -> Arc<dyn Storage> + Send + Sync + 'static) -> Self {
        Self { recover: Some(Box::new(recover)), ..self }
    }

    /// Runs every future with `driver`, for a store that needs its own runtime: `|task| runtime.block_on(task)`.
    #[must_use]
    pub fn driven_by(self, driver: impl Fn(Task<'_>) + Send + Sync + 'static) -> Self {
        Self { driver: Box::new(driver), ..self }
    }

    /// Lets the first call of the story die at each of its points, each time from fresh records, and says how many there were.
    ///
    /// # Errors
    /// With the first point after which something is half done.
    pub fn explore(&self, story: &Story) -> Result<usize, Box<HalfDone>> {
        let Some(operation) = story.calls.first() else { return Ok(0) };
        for point in 0.. {
            let mut verdict = Ok(true);
            (self.driver)(Box::pin(async { verdict = self.dies_at(point, story, *operation).await }));
            if !verdict.map_err(|fault| Box::new(HalfDone { story: story.clone(), point, fault }))? {
                return Ok(point);
            }
        }
        Ok(0)
    }

    /// Whether the call has such a point. The error says what was found.
    async fn dies_at(&self, point: usize, story: &Story, operation: Operation) -> Result<bool, String> {
        let names = Names(self.runs.fetch_add(1, Ordering::Relaxed));
        let mut before = Model::default();
        let living = self.living.get_or_init(|| Handle::new((self.open)(Turn::default())));
        somebody_else_administers(living.store())
            .await
            .map_err(|error| format!("before the call, an account could not be made: {error}"))?;
        for (operation, outcome) in answers(living, &story.start, names).await {
            let right = before.apply(operation);
            if outcome != right {
                return Err(format!("before the call, {operation:?} came to {outcome:?}, not {right:?}"));
            }
        }
        let mut after = before.clone();
        let right = after.apply(operation);
        let turn = Turn::default();
        let dying = living.beside((self.open)(turn.clone()), story).await;
        let dying = dying.map_err(|error| format!("before the call, the directory failed: {error}"))?;
        turn.doom(point, Arc::clone(&self.death));
        let outcome = answer(&dying, operation, names).await;
        let has_died = turn.is_dead();
        // A handle that was only let down says no more than one that is closed.
        drop(dying);
        turn.free();
        let states = match &outcome {
            Outcome::Failed(_) if has_died => vec![before, after],
            _ if outcome == right => vec![after],
            _ => return Err(format!("the call came to {outcome:?}, not {right:?}")),
        };
        let recovered = match &self.recover {
            Some(recover) if has_died => recover(),
            _ => (self.open)(Turn::default()),
        };
        let reads: Vec<Operation> = story.after.iter().copied().filter(|operation| operation.is_read()).collect();
        let mut found = Vec::new();
        if story.is_about_the_school() {
            // A directory that follows the changes must come to the same as one that is loaded.
            let follower = living.beside(Arc::clone(&recovered), story).await;
            let follower = follower.map_err(|error| format!("after the call, the directory failed: {error}"))?;
            found = answers(&follower, &reads, names).await;
        }
        // Its directory is loaded, as after a restart.
        let recovered = Handle::new(recovered);
        let again = reads.into_iter().chain([operation]).chain(story.after.iter().copied()).collect();
        let again = if operation.draws_a_name() { story.after.clone() } else { again };
        found.extend(answers(&recovered, &again, names).await);
        if consistent(states, &found).is_empty() {
            let found: Vec<_> = found.iter().map(|(operation, outcome)| format!("\n    {operation:?} came to {outcome:?}")).collect();
            return Err(format!("the call came to {outcome:?}, and afterwards:{}", found.concat()));
        }
        drop(recovered);
        living.tidy(story, names).await.map_err(|error| format!("after the call, the directory failed: {error}"))?;
        Ok(has_died)
    }
}

impl fmt::Debug for Crashes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Crashes").finish_non_exhaustive()
    }
}

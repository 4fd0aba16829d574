use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use crate::store::StorageError;

/// Gate that a backend awaits between its steps, so that a search can decide which call moves and
/// which crashes. Its clones share one gate.
///
/// A backend awaits `gate.before_step().await?` before every statement that it sends, including the
/// first, and before it commits. A search for interleavings needs no more. A search for crash
/// points also needs `gate.after_step().await?` after each of them, including the commit, and
/// before the call returns. An error means that the process crashed there: the backend must send
/// and commit nothing more.
///
/// A gate that no search holds is always open.
#[derive(Clone, Default)]
pub struct StepGate(Arc<Mutex<GateState>>);

#[derive(Default)]
struct GateState {
    mode: GateMode,
    call_waker: Option<Waker>,
    search_waker: Option<Waker>,
}

#[derive(Default)]
enum GateMode {
    /// No search holds the gate.
    #[default]
    Open,
    /// The call may pass one boundary.
    StepAllowed,
    /// The call has passed one boundary and will wait at the next.
    Running,
    /// The call waits at a boundary.
    AtBoundary,
    /// The call passes so many boundaries and crashes at the next.
    CrashAfter(usize, CrashAction),
    /// The call has crashed.
    Crashed,
}

/// Crash of a call. It leaves the data as a crash at that point would, and returns the result of
/// the boundary.
pub(in crate::testing) type CrashAction =
    Arc<dyn Fn() -> Pin<Box<dyn Future<Output = Result<(), StorageError>> + Send>> + Send + Sync>;

impl StepGate {
    /// Waits until the call may take its next step.
    ///
    /// # Errors
    /// When the search crashes the call before that step.
    pub async fn before_step(&self) -> Result<(), StorageError> {
        poll_fn(|context| self.lock().poll_step(context)).await;
        self.after_step().await
    }

    /// Reports that a step was taken.
    ///
    /// # Errors
    /// When the search crashes the call after that step.
    pub async fn after_step(&self) -> Result<(), StorageError> {
        let crash = {
            let mut state = self.lock();
            match &mut state.mode {
                GateMode::Crashed => return Err(crash_error()),
                GateMode::CrashAfter(left, _) if *left > 0 => {
                    *left -= 1;
                    return Ok(());
                }
                GateMode::CrashAfter(_, crash) => {
                    let crash = Arc::clone(crash);
                    state.mode = GateMode::Crashed;
                    crash
                }
                _ => return Ok(()),
            }
        };
        crash().await
    }

    /// Opens the gate for good, also for waiting calls.
    pub(in crate::testing) fn open(&self) {
        self.set_mode(GateMode::Open);
    }

    /// Lets the call pass one boundary.
    pub(super) fn allow_step(&self) {
        self.set_mode(GateMode::StepAllowed);
    }

    /// Lets the call pass so many boundaries and then crashes it.
    pub(in crate::testing) fn crash_after(&self, steps: usize, crash: CrashAction) {
        self.set_mode(GateMode::CrashAfter(steps, crash));
    }

    /// Whether the call has crashed.
    pub(in crate::testing) fn has_crashed(&self) -> bool {
        matches!(self.lock().mode, GateMode::Crashed)
    }

    /// Whether the call waits at a boundary. The context is woken when it reaches one.
    pub(super) fn is_at_boundary(&self, context: &Context<'_>) -> bool {
        let mut state = self.lock();
        state.search_waker = Some(context.waker().clone());
        matches!(state.mode, GateMode::AtBoundary)
    }

    fn set_mode(&self, mode: GateMode) {
        let mut state = self.lock();
        state.mode = mode;
        let call = state.call_waker.take();
        drop(state);
        call.into_iter().for_each(Waker::wake);
    }

    /// No code that can panic runs under the lock, so a poisoned lock holds a valid state.
    fn lock(&self) -> MutexGuard<'_, GateState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl GateState {
    fn poll_step(&mut self, context: &Context<'_>) -> Poll<()> {
        match self.mode {
            GateMode::Open | GateMode::CrashAfter(..) | GateMode::Crashed => return Poll::Ready(()),
            GateMode::StepAllowed => {
                self.mode = GateMode::Running;
                return Poll::Ready(());
            }
            GateMode::Running | GateMode::AtBoundary => {}
        }
        self.mode = GateMode::AtBoundary;
        self.call_waker = Some(context.waker().clone());
        self.search_waker.take().into_iter().for_each(Waker::wake);
        Poll::Pending
    }
}

/// Error of a crashed call, for a custom crash: see
/// [`CrashSearch::with_crash`](crate::testing::crash_points::CrashSearch::with_crash).
pub fn crash_error() -> StorageError {
    StorageError::unavailable(
        "the call crashed here",
        "injected by a search for crash points",
    )
}

impl fmt::Debug for StepGate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StepGate").finish_non_exhaustive()
    }
}

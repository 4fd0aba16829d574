use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use crate::store::StorageError;

/// What a backend awaits between its steps, so that a search can decide who moves and who dies. Its clones are handles of one turn.
///
/// `turn.pass().await?` belongs before every statement that a backend sends, the first one too, and before it commits. That is all a
/// search for interleavings needs. A search for crash points also wants `turn.passed().await?` after each of them, the commit included
/// and before the caller is answered. An error means that the program died there: nothing more may be sent, nor committed.
///
/// A turn that no search holds lets everything pass at once.
#[derive(Clone, Default)]
pub struct Turn(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    rule: Rule,
    call: Option<Waker>,
    search: Option<Waker>,
}

#[derive(Default)]
enum Rule {
    /// No search holds the turn.
    #[default]
    Free,
    /// The call may pass one boundary.
    MayPass,
    /// It has passed one, and will wait at the next.
    Moving,
    /// It waits at a boundary.
    Waiting,
    /// It passes so many boundaries and dies at the next.
    Doomed(usize, Death),
    /// It is dead.
    Dead,
}

/// How a call dies: what it is told, once the world is as a death at that point leaves it.
pub(in crate::testing) type Death = Arc<dyn Fn() -> Pin<Box<dyn Future<Output = Result<(), StorageError>> + Send>> + Send + Sync>;

impl Turn {
    /// Waits until the call may take its next step.
    ///
    /// # Errors
    /// When the program is to die before that step.
    pub async fn pass(&self) -> Result<(), StorageError> {
        poll_fn(|context| self.lock().poll_pass(context)).await;
        self.passed().await
    }

    /// Tells that a step was taken.
    ///
    /// # Errors
    /// When the program is to die after that step.
    pub async fn passed(&self) -> Result<(), StorageError> {
        let death = {
            let mut state = self.lock();
            match &mut state.rule {
                Rule::Dead => return Err(died()),
                Rule::Doomed(left, _) if *left > 0 => {
                    *left -= 1;
                    return Ok(());
                }
                Rule::Doomed(_, death) => {
                    let death = Arc::clone(death);
                    state.rule = Rule::Dead;
                    death
                }
                _ => return Ok(()),
            }
        };
        death().await
    }

    /// Lets everything pass from now on, also what waits.
    pub(in crate::testing) fn free(&self) {
        self.rule(Rule::Free);
    }

    /// Lets the call pass one boundary.
    pub(super) fn let_pass(&self) {
        self.rule(Rule::MayPass);
    }

    /// Lets the call pass so many boundaries and then die.
    pub(in crate::testing) fn doom(&self, steps: usize, death: Death) {
        self.rule(Rule::Doomed(steps, death));
    }

    /// Whether the call has died.
    pub(in crate::testing) fn is_dead(&self) -> bool {
        matches!(self.lock().rule, Rule::Dead)
    }

    /// Whether the call waits at a boundary. Whoever asks is woken when it comes to one.
    pub(super) fn is_waiting(&self, context: &Context<'_>) -> bool {
        let mut state = self.lock();
        state.search = Some(context.waker().clone());
        matches!(state.rule, Rule::Waiting)
    }

    fn rule(&self, rule: Rule) {
        let mut state = self.lock();
        state.rule = rule;
        let call = state.call.take();
        drop(state);
        call.into_iter().for_each(Waker::wake);
    }

    /// No code that can panic runs under the lock, so a poisoned one is as good as any.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn poll_pass(&mut self, context: &Context<'_>) -> Poll<()> {
        match self.rule {
            Rule::Free | Rule::Doomed(..) | Rule::Dead => return Poll::Ready(()),
            Rule::MayPass => {
                self.rule = Rule::Moving;
                return Poll::Ready(());
            }
            Rule::Moving | Rule::Waiting => {}
        }
        self.rule = Rule::Waiting;
        self.call = Some(context.waker().clone());
        self.search.take().into_iter().for_each(Waker::wake);
        Poll::Pending
    }
}

/// What a call is told that died, for a death of one's own making: see [`Crashes::dying_by`](crate::testing::crashes::Crashes::dying_by).
pub fn died() -> StorageError {
    StorageError::unavailable("the program died here", "a search for crash points wanted it")
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Turn").finish_non_exhaustive()
    }
}

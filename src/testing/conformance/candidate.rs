use std::fmt;
use std::ops::Deref;
use std::panic::resume_unwind;
use std::pin::Pin;
use std::sync::{Arc, Barrier};
use std::task::{Context, Wake, Waker};
use std::thread::{self, Thread};

use tokio::sync::OnceCell;

use super::school::School;
use crate::store::{Storage, StorageError};

/// How many threads call a store at once in the cases about concurrency.
pub const RACERS: usize = 64;

/// A store that takes the examination, fresh and empty.
pub struct Candidate {
    store: Arc<dyn Storage>,
    driver: Box<dyn Fn(Task<'_>) + Send + Sync>,
    open_again: Option<Box<dyn Fn() -> Arc<dyn Storage> + Send + Sync>>,
    school: OnceCell<School>,
}

/// What a driver runs to its end.
pub type Task<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;

impl Candidate {
    /// A store whose futures need no particular runtime.
    pub fn new(store: Arc<dyn Storage>) -> Self {
        Self { store, driver: Box::new(block_on), open_again: None, school: OnceCell::new() }
    }

    /// Runs every future with `driver`, for a store that needs its own runtime: `|task| runtime.block_on(task)`. It is called from many
    /// threads at once.
    #[must_use]
    pub fn driven_by(self, driver: impl Fn(Task<'_>) + Send + Sync + 'static) -> Self {
        Self { driver: Box::new(driver), ..self }
    }

    /// Gives the cases another handle on the same data, as after a restart or on a second node. What the data lies in, such as a
    /// temporary folder, can be moved into `open`.
    #[must_use]
    pub fn opened_again_by(self, open: impl Fn() -> Arc<dyn Storage> + Send + Sync + 'static) -> Self {
        Self { open_again: Some(Box::new(open)), ..self }
    }

    /// Another handle on the same data, or the same one if there is no other.
    pub(super) fn again(&self) -> Arc<dyn Storage> {
        self.open_again.as_ref().map_or_else(|| Arc::clone(&self.store), |open| open())
    }

    /// The directory over the store.
    pub(super) async fn school(&self) -> &School {
        let open = async || School::over(Arc::<dyn Storage>::clone(&self.store)).await.answered();
        self.school.get_or_init(open).await
    }

    /// A directory of its own over another handle on the same data.
    pub(super) async fn school_again(&self) -> School {
        School::over(self.again()).await.answered()
    }

    pub(super) fn drive(&self, task: Task<'_>) {
        (self.driver)(task);
    }

    /// Calls the store from [`RACERS`] threads at once, with the number of each, and gives their answers in order.
    pub(super) fn race<T: Send>(&self, call: impl AsyncFn(&dyn Storage, usize) -> T + Sync) -> Vec<T> {
        self.race_handles(async |store, number| call(&**store, number).await)
    }

    /// The same with a directory of its own for each thread.
    pub(super) fn race_schools<T: Send>(&self, call: impl AsyncFn(&School, usize) -> T + Sync) -> Vec<T> {
        self.race_handles(async |store, number| {
            let school = School::over(Arc::<dyn Storage>::clone(store)).await.answered();
            call(&school, number).await
        })
    }

    fn race_handles<T: Send>(&self, call: impl AsyncFn(&Arc<dyn Storage>, usize) -> T + Sync) -> Vec<T> {
        let (handles, start) = ([Arc::clone(&self.store), self.again()], Barrier::new(RACERS));
        let racer = |number: usize| {
            let mut answer = None;
            start.wait();
            self.drive(Box::pin(async { answer = Some(call(&handles[number % handles.len()], number).await) }));
            answer
        };
        let answers = thread::scope(|scope| {
            let racers: Vec<_> = (0..RACERS)
                .map(|number| {
                    scope.spawn({
                        let racer = &racer;
                        move || racer(number)
                    })
                })
                .collect();
            racers.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic))).collect::<Option<_>>()
        });
        answers.expect("the driver runs a future to its end")
    }
}

impl Deref for Candidate {
    type Target = dyn Storage;

    fn deref(&self) -> &Self::Target {
        &*self.store
    }
}

impl fmt::Debug for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Candidate").field(&self.store).finish()
    }
}

/// Reads what a backend must be able to say.
pub(super) trait Answered<T> {
    /// The answer; a broken backend ends the case.
    fn answered(self) -> T;
}

impl<T> Answered<T> for Result<T, StorageError> {
    #[track_caller]
    fn answered(self) -> T {
        self.unwrap_or_else(|error| panic!("the store could not answer: {error:?}"))
    }
}

/// Wakes the thread that waits for a future.
struct Waiting(Thread);

impl Wake for Waiting {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Runs a future to its end on this thread.
pub(in crate::testing) fn block_on(mut task: Task<'_>) {
    let waker = Waker::from(Arc::new(Waiting(thread::current())));
    let mut context = Context::from_waker(&waker);
    while task.as_mut().poll(&mut context).is_pending() {
        thread::park();
    }
}

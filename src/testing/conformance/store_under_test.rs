use std::fmt;
use std::ops::Deref;
use std::panic::resume_unwind;
use std::pin::Pin;
use std::sync::{Arc, Barrier};
use std::task::{Context, Wake, Waker};
use std::thread::{self, Thread};

use crate::store::{Storage, StorageError};

/// Number of threads that call a store at once in the concurrent cases.
pub const CONCURRENT_CALLERS: usize = 64;

/// Fresh and empty store under test, with an executor for its futures and a way to reopen it.
pub struct StoreUnderTest {
    store: Arc<dyn Storage>,
    executor: Box<dyn Fn(Task<'_>) + Send + Sync>,
    reopen: Option<Box<dyn Fn() -> Arc<dyn Storage> + Send + Sync>>,
}

/// Future that an executor runs to completion.
pub type Task<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;

impl StoreUnderTest {
    /// Creates it from a store whose futures need no particular runtime.
    pub fn new(store: Arc<dyn Storage>) -> Self {
        Self {
            store,
            executor: Box::new(block_on),
            reopen: None,
        }
    }

    /// Runs every future with `executor`, for a store that needs its own runtime: `|task|
    /// runtime.block_on(task)`. It is called from many threads concurrently.
    #[must_use]
    pub fn with_executor(self, executor: impl Fn(Task<'_>) + Send + Sync + 'static) -> Self {
        Self {
            executor: Box::new(executor),
            ..self
        }
    }

    /// Provides the cases with another handle on the same data, as after a restart or on a second
    /// node. `open` can own the location of the data, such as a temporary folder.
    #[must_use]
    pub fn with_reopen(self, open: impl Fn() -> Arc<dyn Storage> + Send + Sync + 'static) -> Self {
        Self {
            reopen: Some(Box::new(open)),
            ..self
        }
    }

    /// Opens another handle on the same data, or returns the same one if there is no other.
    pub(super) fn reopened(&self) -> Arc<dyn Storage> {
        self.reopen
            .as_ref()
            .map_or_else(|| Arc::clone(&self.store), |open| open())
    }

    pub(super) fn execute(&self, task: Task<'_>) {
        (self.executor)(task);
    }

    /// Calls the store from [`CONCURRENT_CALLERS`] threads at once, each with its number, and
    /// returns the results in order.
    pub(super) fn race<T: Send>(
        &self,
        call: impl AsyncFn(&dyn Storage, usize) -> T + Sync,
    ) -> Vec<T> {
        let (handles, start) = (
            [Arc::clone(&self.store), self.reopened()],
            Barrier::new(CONCURRENT_CALLERS),
        );
        let caller = |number: usize| {
            let mut answer = None;
            start.wait();
            self.execute(Box::pin(async {
                answer = Some(call(&*handles[number % handles.len()], number).await)
            }));
            answer
        };
        let answers = thread::scope(|scope| {
            let callers: Vec<_> = (0..CONCURRENT_CALLERS)
                .map(|number| {
                    scope.spawn({
                        let caller = &caller;
                        move || caller(number)
                    })
                })
                .collect();
            callers
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
                .collect::<Option<_>>()
        });
        answers.expect("the executor runs a future to completion")
    }
}

impl Deref for StoreUnderTest {
    type Target = dyn Storage;

    fn deref(&self) -> &Self::Target {
        &*self.store
    }
}

impl fmt::Debug for StoreUnderTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("StoreUnderTest").field(&self.store).finish()
    }
}

/// Unwraps the results of storage calls.
pub(super) trait ExpectOk<T> {
    /// Returns the value; an error fails the case.
    fn expect_ok(self) -> T;
}

impl<T> ExpectOk<T> for Result<T, StorageError> {
    #[track_caller]
    fn expect_ok(self) -> T {
        self.unwrap_or_else(|error| panic!("the storage call failed: {error:?}"))
    }
}

/// Wakes the thread that waits for a future.
struct ThreadWaker(Thread);

impl Wake for ThreadWaker {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Runs a future to completion on this thread.
pub(in crate::testing) fn block_on(mut task: Task<'_>) {
    let waker = Waker::from(Arc::new(ThreadWaker(thread::current())));
    let mut context = Context::from_waker(&waker);
    while task.as_mut().poll(&mut context).is_pending() {
        thread::park();
    }
}

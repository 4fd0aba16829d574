use std::fmt;
use std::ops::Deref;
use std::panic::resume_unwind;
use std::pin::Pin;
use std::sync::{Arc, Barrier};
use std::task::{Context, Wake, Waker};
use std::thread::{self, Thread};

use async_trait::async_trait;

use crate::domain::{Application, Client, ScopeDefinition};
use crate::store::{
    CalendarFeedStore, ClientCreation, ClientRegistry, Creation, ProtocolStorage, ScopeCreation,
    Storage, StorageError, SyncStore,
};

/// Number of threads that call a store at once in the concurrent cases.
pub const CONCURRENT_CALLERS: usize = 64;

/// Fresh and empty store under test, with an executor for its futures and a way to reopen it.
///
/// `S` is the storage that the cases need: all traits, [`ProtocolStorage`] alone, or [`SyncStore`]
/// alone.
pub struct StoreUnderTest<S: ?Sized = dyn Storage> {
    store: Arc<S>,
    fixtures: Box<dyn ProtocolFixtures>,
    executor: Box<dyn Fn(Task<'_>) + Send + Sync>,
    reopen: Option<Box<dyn Fn() -> Arc<S> + Send + Sync>>,
}

/// [`StoreUnderTest`] that has the protocol's methods alone.
pub type ProtocolUnderTest = StoreUnderTest<dyn ProtocolStorage>;

/// [`StoreUnderTest`] that has the methods of syncs alone.
pub type SyncUnderTest = StoreUnderTest<dyn SyncStore>;

/// [`StoreUnderTest`] that also has calendar feeds.
pub type CalendarFeedsUnderTest = StoreUnderTest<dyn CalendarFeedStorage>;

/// All storage that the cases of calendar feeds need. Implemented for every type that implements the
/// traits.
pub trait CalendarFeedStorage: Storage + CalendarFeedStore {}

impl<S: Storage + CalendarFeedStore + ?Sized> CalendarFeedStorage for S {}

/// Future that an executor runs to completion.
pub type Task<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;

/// Creates the records that a [`ProtocolStorage`] only looks up. A host implements it for its own
/// applications, scopes and clients; a store with a [`ClientRegistry`] has it already.
#[async_trait]
pub trait ProtocolFixtures: Send + Sync {
    /// Creates an application.
    async fn create_application(&self, application: Application);

    /// Creates a scope of an application that exists.
    async fn create_scope(&self, scope: ScopeDefinition);

    /// Creates a client, whose scopes exist.
    async fn create_client(&self, client: Client);
}

#[async_trait]
impl<S: ClientRegistry + ?Sized> ProtocolFixtures for Arc<S> {
    async fn create_application(&self, application: Application) {
        let created = (**self).create_application(application).await.expect_ok();
        assert_eq!(
            created,
            Creation::Created,
            "a fresh store has no such application"
        );
    }

    async fn create_scope(&self, scope: ScopeDefinition) {
        let created = (**self).create_scope(scope).await.expect_ok();
        assert_eq!(
            created,
            ScopeCreation::Created,
            "a fresh store has no such scope"
        );
    }

    async fn create_client(&self, client: Client) {
        let created = (**self).create_client(client).await.expect_ok();
        assert_eq!(
            created,
            ClientCreation::Created,
            "a fresh store registers a client"
        );
    }
}

impl StoreUnderTest {
    /// Creates it from a store whose futures need no particular runtime.
    pub fn new(store: Arc<dyn Storage>) -> Self {
        Self::with_fixtures(Arc::clone(&store), store)
    }

    /// Returns the same store, without the methods of the other layers.
    pub(super) fn into_protocol(self) -> ProtocolUnderTest {
        let reopen = self
            .reopen
            .map(|open| -> Box<dyn Fn() -> Arc<_> + Send + Sync> {
                Box::new(move || open() as Arc<dyn ProtocolStorage>)
            });
        StoreUnderTest {
            store: self.store,
            fixtures: self.fixtures,
            executor: self.executor,
            reopen,
        }
    }
}

impl CalendarFeedsUnderTest {
    /// Creates it from a store that also has calendar feeds, whose futures need no particular
    /// runtime.
    pub fn calendar_feeds(store: Arc<dyn CalendarFeedStorage>) -> Self {
        Self::with_fixtures(Arc::clone(&store), store)
    }
}

impl ProtocolUnderTest {
    /// Creates it from a store of the protocol, and the way to create the records that it looks up.
    pub fn protocol(
        store: Arc<dyn ProtocolStorage>,
        fixtures: impl ProtocolFixtures + 'static,
    ) -> Self {
        Self::with_fixtures(store, fixtures)
    }
}

impl SyncUnderTest {
    /// Creates it from a store of syncs.
    pub fn sync(store: Arc<dyn SyncStore>) -> Self {
        Self::with_fixtures(store, NoFixtures)
    }
}

/// The fixtures of cases that need no records of the protocol.
struct NoFixtures;

#[async_trait]
impl ProtocolFixtures for NoFixtures {
    async fn create_application(&self, _: Application) {
        panic!("the store has no applications")
    }

    async fn create_scope(&self, _: ScopeDefinition) {
        panic!("the store has no scopes")
    }

    async fn create_client(&self, _: Client) {
        panic!("the store has no clients")
    }
}

impl<S: Send + Sync + ?Sized> StoreUnderTest<S> {
    fn with_fixtures(store: Arc<S>, fixtures: impl ProtocolFixtures + 'static) -> Self {
        Self {
            store,
            fixtures: Box::new(fixtures),
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
    pub fn with_reopen(self, open: impl Fn() -> Arc<S> + Send + Sync + 'static) -> Self {
        Self {
            reopen: Some(Box::new(open)),
            ..self
        }
    }

    /// Creates records that the store looks up.
    pub(super) fn fixtures(&self) -> &dyn ProtocolFixtures {
        &*self.fixtures
    }

    /// Opens another handle on the same data, or returns the same one if there is no other.
    pub(super) fn reopened(&self) -> Arc<S> {
        self.reopen
            .as_ref()
            .map_or_else(|| Arc::clone(&self.store), |open| open())
    }

    pub(super) fn execute(&self, task: Task<'_>) {
        (self.executor)(task);
    }

    /// Calls the store from [`CONCURRENT_CALLERS`] threads at once, each with its number, and
    /// returns the results in order.
    pub(super) fn race<T: Send>(&self, call: impl AsyncFn(&S, usize) -> T + Sync) -> Vec<T> {
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

impl<S: ?Sized> Deref for StoreUnderTest<S> {
    type Target = S;

    fn deref(&self) -> &Self::Target {
        &self.store
    }
}

impl<S: fmt::Debug + ?Sized> fmt::Debug for StoreUnderTest<S> {
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

/// Unwraps the results of calls that create a record.
pub(super) trait ExpectCreated {
    /// Fails the case unless the record was created.
    fn expect_created(self);
}

impl ExpectCreated for Result<Creation, StorageError> {
    #[track_caller]
    fn expect_created(self) {
        assert_eq!(self.expect_ok(), Creation::Created);
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

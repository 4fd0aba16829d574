use std::time::Duration;

use async_trait::async_trait;
use deadpool_postgres::ClientWrapper;
use tokio::time::timeout;
use tokio_postgres::Error;
use tokio_postgres::types::ToSql;

use super::cell::Bound;
use super::connection::Borrowed;
use super::error::{is_conflict, storage_error};
use crate::store::StorageError;
use crate::store::sql::executor::{Dialect, Executor, Snapshot, Statement, Transition};
use crate::store::sql::row::{Cell, Row};
use crate::store::sql::watch::{Step, Watched};

/// How many statements a connection keeps prepared. Filters combine in more ways than this, and each costs memory here and there.
const PREPARED: usize = 256;

/// How often a transition is tried that others make the server undo.
const ATTEMPTS: usize = 4;

/// A transaction on a connection of its own. It begins with its first statement, on the same way to the server, and is rolled back when
/// it is dropped before its commit, for whatever reason.
pub(super) struct Transaction<'w> {
    connection: Option<Borrowed>,
    /// Nothing where each statement stands alone.
    begin: Option<&'static str>,
    watched: &'w Watched,
    patience: Duration,
    state: State,
    undone: bool,
    /// Whether it has nothing to commit.
    only_reads: bool,
    /// Whether a statement was sent and its answer has not come.
    is_asking: bool,
    compares_clock: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing was sent yet.
    Fresh,
    /// It may have begun.
    Open,
    /// The server undid all of it because of what others did at the same time.
    Conflicted,
    /// A statement failed, so that the server keeps nothing of it.
    Broken,
    /// The server did not answer in time, so the connection is of no more use.
    Lost,
    /// It is committed.
    Over,
}

impl<'w> Transaction<'w> {
    /// One that writes. Each statement sees what others have committed before it, whatever is the custom of the server: what is decided
    /// by conditions on a row must not fail for being decided at once.
    pub(super) const fn to_write(connection: Borrowed, watched: &'w Watched, patience: Duration) -> Self {
        Self::new(connection, Some("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"), watched, patience, false)
    }

    /// One that only reads. All its statements see the same state. A single statement does by itself, so nothing is begun for it, unless somebody
    /// watches and wants to see that.
    pub(super) const fn to_read(connection: Borrowed, watched: &'w Watched, patience: Duration, snapshot: Snapshot) -> Self {
        let begin = match snapshot {
            Snapshot::Statement if !watched.is_watched() => None,
            Snapshot::Statement | Snapshot::Transaction => Some("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
        };
        Self::new(connection, begin, watched, patience, true)
    }

    const fn new(connection: Borrowed, begin: Option<&'static str>, watched: &'w Watched, patience: Duration, only_reads: bool) -> Self {
        let connection = Some(connection);
        Self {
            connection,
            begin,
            watched,
            patience,
            state: State::Fresh,
            undone: false,
            only_reads,
            is_asking: false,
            compares_clock: false,
        }
    }

    /// The same, which compares the clocks of nodes with the server's, or not.
    pub(super) const fn comparing_clock(mut self, compares_clock: bool) -> Self {
        self.compares_clock = compares_clock;
        self
    }

    /// Runs a transition, and does it again from its beginning where the server undid all of it because of what others did at the same
    /// time. Where it is not known whether a commit happened nothing is done again.
    pub(super) async fn run<T>(
        mut self,
        run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Clone,
    ) -> Result<T, StorageError> {
        for _ in 1..ATTEMPTS {
            match self.attempt(run.clone()).await {
                Err(error) if self.state == State::Conflicted => {
                    tracing::debug!(%error, "a transaction was undone by the server and is tried again");
                    self.begin_anew().await?;
                }
                outcome => return outcome,
            }
        }
        self.attempt(run).await
    }

    async fn attempt<T>(&mut self, run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T>) -> Result<T, StorageError> {
        let outcome = run(self).await?;
        if !self.only_reads {
            self.finish().await?;
        }
        Ok(outcome)
    }

    /// Leaves the transaction that the server has undone, so that the next statement begins another.
    async fn begin_anew(&mut self) -> Result<(), StorageError> {
        let rolled_back = timeout(self.patience, client(&self.connection)?.batch_execute("ROLLBACK")).await;
        self.heard(rolled_back)?;
        (self.state, self.undone) = (State::Fresh, false);
        Ok(())
    }

    /// Begins at once and gives the connection, for what is no statement of a transition.
    pub(super) async fn begin(&mut self) -> Result<&ClientWrapper, StorageError> {
        self.begin_alone().await?;
        client(&self.connection)
    }

    /// Keeps what was done, unless the transition asked for the opposite.
    pub(super) async fn finish(&mut self) -> Result<(), StorageError> {
        if self.undone || self.state == State::Fresh {
            return Ok(());
        }
        if self.state != State::Open {
            return Err(StorageError::failed("a transaction cannot be committed", "one of its statements failed"));
        }
        self.watched.before(Step::Commit).await?;
        let client = client(&self.connection)?;
        let committed = timeout(self.patience, client.batch_execute("COMMIT")).await;
        self.heard(committed)?;
        self.state = State::Over;
        self.watched.after(Step::Commit).await
    }

    /// Sends a statement and waits for its answer.
    async fn ask(&mut self, statement: &Statement, wanted: Wanted) -> Result<Answer, StorageError> {
        if matches!(self.state, State::Conflicted | State::Broken | State::Lost) {
            return Err(StorageError::failed("a transaction cannot go on", "one of its statements failed"));
        }
        if self.watched.is_watched() && self.state == State::Fresh {
            self.begin_alone().await?;
        }
        self.watched.before(Step::Statement).await?;
        let begin = self.begin.filter(|_| self.state == State::Fresh);
        self.state = State::Open;
        self.is_asking = true;
        let answer = timeout(self.patience, send(client(&self.connection)?, begin, statement, wanted)).await;
        self.is_asking = false;
        let answer = self.heard(answer)?;
        if self.begin.is_none() {
            // It was a transaction of its own, which has ended with it.
            self.state = State::Fresh;
        }
        self.watched.after(Step::Statement).await?;
        Ok(answer)
    }

    async fn begin_alone(&mut self) -> Result<(), StorageError> {
        let Some(begin) = self.begin else { return Ok(()) };
        self.watched.before(Step::Begin).await?;
        self.state = State::Open;
        let begun = timeout(self.patience, client(&self.connection)?.batch_execute(begin)).await;
        self.heard(begun)?;
        self.watched.after(Step::Begin).await
    }

    /// Notes what an answer, or that there was none, means for the rest of the transaction.
    fn heard<T>(&mut self, answer: Result<Result<T, Error>, tokio::time::error::Elapsed>) -> Result<T, StorageError> {
        match answer {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(error)) => {
                self.state = match error.is_closed() {
                    true => State::Lost,
                    false if is_conflict(&error) => State::Conflicted,
                    false => State::Broken,
                };
                Err(storage_error(error))
            }
            Err(late) => {
                self.state = State::Lost;
                Err(StorageError::unavailable("PostgreSQL did not answer in time", late))
            }
        }
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        let Some(connection) = self.connection.take() else { return };
        match self.state {
            State::Fresh | State::Over => connection.give_back(),
            State::Open | State::Conflicted | State::Broken => connection.roll_back_later(self.patience, self.is_asking),
            State::Lost => drop(connection),
        }
    }
}

#[async_trait]
impl Executor for Transaction<'_> {
    fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }

    async fn query(&mut self, statement: Statement) -> Result<Vec<Row>, StorageError> {
        Ok(self.ask(&statement, Wanted::Rows).await?.rows)
    }

    async fn execute(&mut self, statement: Statement) -> Result<u64, StorageError> {
        Ok(self.ask(&statement, Wanted::Count).await?.changed)
    }

    fn compares_clock(&self) -> bool {
        self.compares_clock
    }

    fn undo(&mut self) {
        self.undone = true;
    }
}

/// What a caller wants to know of a statement.
#[derive(Clone, Copy)]
enum Wanted {
    Rows,
    Count,
}

struct Answer {
    rows: Vec<Row>,
    changed: u64,
}

/// Sends a statement, and before it the beginning of its transaction if it is the first.
async fn send(client: &ClientWrapper, begin: Option<&str>, statement: &Statement, wanted: Wanted) -> Result<Answer, Error> {
    if client.statement_cache.size() >= PREPARED {
        client.statement_cache.clear();
    }
    let prepared = client.prepare_cached(&statement.text).await?;
    let values: Vec<_> = statement.values.iter().map(Bound).collect();
    let values: Vec<_> = values.iter().map(|value| value as &(dyn ToSql + Sync)).collect();
    let answer = async {
        Ok(match wanted {
            Wanted::Rows => {
                let rows = client.query(&prepared, &values).await?;
                Answer { rows: rows.iter().map(row).collect::<Result<_, _>>()?, changed: 0 }
            }
            Wanted::Count => Answer { rows: Vec::new(), changed: client.execute(&prepared, &values).await? },
        })
    };
    let Some(begin) = begin else { return answer.await };
    // `BEGIN` and the statement are pipelined, so both take one round trip. If `BEGIN` fails,
    // the statement runs outside a transaction and can write nothing, because connections are read-only by default.
    let (begun, answer) = tokio::join!(biased; client.batch_execute(begin), answer);
    begun.and(answer)
}

fn row(row: &tokio_postgres::Row) -> Result<Row, Error> {
    (0..row.len()).map(|column| row.try_get::<_, Cell>(column)).collect::<Result<_, _>>().map(Row::new)
}

fn client(connection: &Option<Borrowed>) -> Result<&ClientWrapper, StorageError> {
    let client = connection.as_ref().and_then(Borrowed::client);
    client.ok_or(StorageError::corrupt("a transaction has lost its connection"))
}

use std::time::Duration;

use async_trait::async_trait;
use deadpool_postgres::ClientWrapper;
use tokio::time::timeout;
use tokio_postgres::Error;
use tokio_postgres::types::ToSql;

use super::connection::PooledConnection;
use super::error::{is_conflict, storage_error};
use super::value::Parameter;
use crate::store::StorageError;
use crate::store::sql::executor::{Dialect, Executor, SnapshotScope, Statement, Transition};
use crate::store::sql::row::{Row, SqlValue};
use crate::store::sql::transaction_hook::{OptionalHook, Phase};

/// Maximum number of prepared statements that a connection caches. Filters combine in more ways
/// than this, and each statement costs memory on both sides.
const MAX_PREPARED: usize = 256;

/// Maximum number of times that a transition is run if the server rolls it back because of
/// concurrent ones.
const MAX_ATTEMPTS: usize = 4;

/// A transaction on its own connection. `BEGIN` is sent together with its first statement. It is
/// rolled back if it is dropped before its commit.
pub(super) struct Transaction<'w> {
    connection: Option<PooledConnection>,
    /// `None` if each statement runs without a transaction.
    begin: Option<&'static str>,
    hook: &'w OptionalHook,
    timeout: Duration,
    state: State,
    rollback_only: bool,
    /// Whether there is nothing to commit.
    is_read_only: bool,
    /// Whether a statement was sent and its result is outstanding.
    is_in_flight: bool,
    compares_clock: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing was sent.
    NotStarted,
    /// The transaction may have begun.
    Open,
    /// The server rolled it back because of concurrent transactions.
    Conflicted,
    /// A statement failed, so the server will keep nothing.
    Broken,
    /// The server did not respond in time, so the connection is unusable.
    Lost,
    /// It is committed.
    Committed,
}

impl<'w> Transaction<'w> {
    /// A transaction that writes, as `READ COMMITTED` under any default isolation level of the
    /// server. Each statement sees all earlier commits, so concurrent conditional statements on the
    /// same row do not fail.
    pub(super) const fn read_write(
        connection: PooledConnection,
        hook: &'w OptionalHook,
        timeout: Duration,
    ) -> Self {
        Self::new(
            connection,
            Some("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"),
            hook,
            timeout,
            false,
        )
    }

    /// A transaction that only reads. All its statements see the same state. A single statement
    /// needs no `BEGIN` for that, but gets one if a hook is set.
    pub(super) const fn read_only(
        connection: PooledConnection,
        hook: &'w OptionalHook,
        timeout: Duration,
        snapshot: SnapshotScope,
    ) -> Self {
        let begin = match snapshot {
            SnapshotScope::Statement if !hook.is_set() => None,
            SnapshotScope::Statement | SnapshotScope::Transaction => {
                Some("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            }
        };
        Self::new(connection, begin, hook, timeout, true)
    }

    const fn new(
        connection: PooledConnection,
        begin: Option<&'static str>,
        hook: &'w OptionalHook,
        timeout: Duration,
        is_read_only: bool,
    ) -> Self {
        let connection = Some(connection);
        Self {
            connection,
            begin,
            hook,
            timeout,
            state: State::NotStarted,
            rollback_only: false,
            is_read_only,
            is_in_flight: false,
            compares_clock: false,
        }
    }

    /// Sets whether nodes' clocks are compared with the server's.
    pub(super) const fn with_clock_comparison(mut self, compares_clock: bool) -> Self {
        self.compares_clock = compares_clock;
        self
    }

    /// Runs a transition, and runs it again from its beginning if the server rolled it back because
    /// of concurrent ones. If it is unknown whether a commit took effect, nothing is repeated.
    pub(super) async fn run<T>(
        mut self,
        run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Clone,
    ) -> Result<T, StorageError> {
        for _ in 1..MAX_ATTEMPTS {
            match self.attempt(run.clone()).await {
                Err(error) if self.state == State::Conflicted => {
                    tracing::debug!(%error, "a transaction was undone by the server and is tried again");
                    self.restart().await?;
                }
                outcome => return outcome,
            }
        }
        self.attempt(run).await
    }

    async fn attempt<T>(
        &mut self,
        run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T>,
    ) -> Result<T, StorageError> {
        let outcome = run(self).await?;
        if !self.is_read_only {
            self.finish().await?;
        }
        Ok(outcome)
    }

    /// Leaves the rolled-back transaction, so that the next statement begins a new one.
    async fn restart(&mut self) -> Result<(), StorageError> {
        let rolled_back = timeout(
            self.timeout,
            client(&self.connection)?.batch_execute("ROLLBACK"),
        )
        .await;
        self.record_result(rolled_back)?;
        (self.state, self.rollback_only) = (State::NotStarted, false);
        Ok(())
    }

    /// Begins at once and returns the connection, for statements outside a transition.
    pub(super) async fn begin(&mut self) -> Result<&ClientWrapper, StorageError> {
        self.send_begin().await?;
        client(&self.connection)
    }

    /// Commits, unless the transition requested a rollback.
    pub(super) async fn finish(&mut self) -> Result<(), StorageError> {
        if self.rollback_only || self.state == State::NotStarted {
            return Ok(());
        }
        if self.state != State::Open {
            return Err(StorageError::failed(
                "a transaction cannot be committed",
                "one of its statements failed",
            ));
        }
        self.hook.before(Phase::Commit).await?;
        let client = client(&self.connection)?;
        let committed = timeout(self.timeout, client.batch_execute("COMMIT")).await;
        self.record_result(committed)?;
        self.state = State::Committed;
        self.hook.after(Phase::Commit).await
    }

    /// Sends a statement and waits for its result.
    async fn run_statement(
        &mut self,
        statement: &Statement,
        kind: ResultKind,
    ) -> Result<StatementResult, StorageError> {
        if matches!(self.state, State::Conflicted | State::Broken | State::Lost) {
            return Err(StorageError::failed(
                "a transaction cannot continue",
                "one of its statements failed",
            ));
        }
        if self.hook.is_set() && self.state == State::NotStarted {
            self.send_begin().await?;
        }
        self.hook.before(Phase::Statement).await?;
        let begin = self.begin.filter(|_| self.state == State::NotStarted);
        self.state = State::Open;
        self.is_in_flight = true;
        let result = timeout(
            self.timeout,
            send(client(&self.connection)?, begin, statement, kind),
        )
        .await;
        self.is_in_flight = false;
        let result = self.record_result(result)?;
        if self.begin.is_none() {
            // The statement was its own transaction, which has ended.
            self.state = State::NotStarted;
        }
        self.hook.after(Phase::Statement).await?;
        Ok(result)
    }

    async fn send_begin(&mut self) -> Result<(), StorageError> {
        let Some(begin) = self.begin else {
            return Ok(());
        };
        self.hook.before(Phase::Begin).await?;
        self.state = State::Open;
        let begun = timeout(self.timeout, client(&self.connection)?.batch_execute(begin)).await;
        self.record_result(begun)?;
        self.hook.after(Phase::Begin).await
    }

    /// Updates the state from a result or a timeout.
    fn record_result<T>(
        &mut self,
        result: Result<Result<T, Error>, tokio::time::error::Elapsed>,
    ) -> Result<T, StorageError> {
        match result {
            Ok(Ok(result)) => Ok(result),
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
                Err(StorageError::unavailable(
                    "PostgreSQL did not respond in time",
                    late,
                ))
            }
        }
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        let Some(connection) = self.connection.take() else {
            return;
        };
        match self.state {
            State::NotStarted | State::Committed => connection.release(),
            State::Open | State::Conflicted | State::Broken => {
                connection.spawn_rollback(self.timeout, self.is_in_flight)
            }
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
        Ok(self.run_statement(&statement, ResultKind::Rows).await?.rows)
    }

    async fn execute(&mut self, statement: Statement) -> Result<u64, StorageError> {
        Ok(self
            .run_statement(&statement, ResultKind::Count)
            .await?
            .changed)
    }

    fn compares_clock(&self) -> bool {
        self.compares_clock
    }

    fn set_rollback_only(&mut self) {
        self.rollback_only = true;
    }
}

/// The part of a statement's result that the caller needs.
#[derive(Clone, Copy)]
enum ResultKind {
    Rows,
    Count,
}

/// Result of a statement; only the part that was requested is set.
struct StatementResult {
    rows: Vec<Row>,
    changed: u64,
}

/// Sends a statement, with `BEGIN` before it if it is the first of its transaction.
async fn send(
    client: &ClientWrapper,
    begin: Option<&str>,
    statement: &Statement,
    kind: ResultKind,
) -> Result<StatementResult, Error> {
    if client.statement_cache.size() >= MAX_PREPARED {
        client.statement_cache.clear();
    }
    let prepared = client.prepare_cached(&statement.text).await?;
    let values: Vec<_> = statement.values.iter().map(Parameter).collect();
    let values: Vec<_> = values
        .iter()
        .map(|value| value as &(dyn ToSql + Sync))
        .collect();
    let result = async {
        Ok(match kind {
            ResultKind::Rows => {
                let rows = client.query(&prepared, &values).await?;
                StatementResult {
                    rows: rows.iter().map(row).collect::<Result<_, _>>()?,
                    changed: 0,
                }
            }
            ResultKind::Count => StatementResult {
                rows: Vec::new(),
                changed: client.execute(&prepared, &values).await?,
            },
        })
    };
    let Some(begin) = begin else {
        return result.await;
    };
    // `BEGIN` and the statement are pipelined, so both take one round trip. If `BEGIN` fails,
    // the statement runs outside a transaction and can write nothing, because connections are
    // read-only by default.
    let (begun, result) = tokio::join!(biased; client.batch_execute(begin), result);
    begun.and(result)
}

fn row(row: &tokio_postgres::Row) -> Result<Row, Error> {
    (0..row.len())
        .map(|column| row.try_get::<_, SqlValue>(column))
        .collect::<Result<_, _>>()
        .map(Row::new)
}

fn client(connection: &Option<PooledConnection>) -> Result<&ClientWrapper, StorageError> {
    let client = connection.as_ref().and_then(PooledConnection::client);
    client.ok_or(StorageError::corrupt(
        "a transaction has lost its connection",
    ))
}

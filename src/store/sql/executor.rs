//! Interface between the transitions and a database driver: statements in, rows out.

use std::borrow::Cow;
use std::pin::Pin;

use async_trait::async_trait;
use sea_query::{QueryStatementWriter, Value, Values};

use super::row::{Row, SqlValue};
use crate::store::StorageError;

/// An open transaction. Transitions use only this trait, so they are the same for every database.
#[async_trait]
pub(crate) trait Executor: Send {
    /// The SQL dialect of the database.
    fn dialect(&self) -> Dialect;

    /// Runs a statement that returns rows.
    async fn query(&mut self, statement: Statement) -> Result<Vec<Row>, StorageError>;

    /// Runs a statement and returns the number of rows it changed.
    async fn execute(&mut self, statement: Statement) -> Result<u64, StorageError>;

    /// Whether the database has a clock that the nodes' clocks are compared with.
    fn compares_clock(&self) -> bool {
        false
    }

    /// Requests that the transaction is rolled back after the transition has returned its outcome.
    fn set_rollback_only(&mut self);
}

/// Classes of reads with separate connections. A search over a whole table takes long, and requests
/// must be authorized without waiting for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReadKind {
    /// Rows found by their key: clients, grants, sessions, accounts, API keys, the version of the
    /// school.
    Lookup,
    /// Lists, searches and counts, of school records and of managed records.
    List,
    /// The whole directory, or its changes. It queues with the lists and has no deadline, because
    /// it grows with the school.
    Directory,
}

impl ReadKind {
    /// Value of the metric label `access`.
    pub(super) const fn metric_label(self) -> &'static str {
        match self {
            Self::Lookup => "read",
            Self::List | Self::Directory => "list",
        }
    }
}

/// The part of a read-only transition that must see one state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SnapshotScope {
    /// Its only statement, which needs no explicit transaction.
    Statement,
    /// All its statements, in one transaction.
    Transaction,
}

/// The future of a transition that runs in an open transaction.
pub(crate) type Transition<'t, T> =
    Pin<Box<dyn Future<Output = Result<T, StorageError>> + Send + 't>>;

/// A statement in the form that drivers accept.
#[derive(Debug)]
pub(crate) struct Statement {
    /// The text, with a placeholder for each value.
    pub(crate) text: Cow<'static, str>,
    /// The values in order.
    pub(crate) values: Vec<SqlValue>,
}

/// SQL dialects.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Dialect {
    /// SQLite.
    #[cfg(feature = "sqlite")]
    Sqlite,
    /// PostgreSQL.
    #[cfg(feature = "postgres")]
    Postgres,
}

impl Dialect {
    /// Whether the database is a server, which has a clock of its own and several writers at once.
    pub(super) const fn is_server(self) -> bool {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite => false,
            #[cfg(feature = "postgres")]
            Self::Postgres => true,
        }
    }

    /// The function that returns the position of its second argument in the first, by byte, counted
    /// from 1; 0 if it is not found.
    pub(crate) const fn position_function(self) -> &'static str {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite => "instr",
            #[cfg(feature = "postgres")]
            Self::Postgres => "strpos",
        }
    }

    /// Renders a statement in this dialect and returns its text and values.
    pub(super) fn build(self, statement: &impl QueryStatementWriter) -> (String, Values) {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite => statement.build(sea_query::SqliteQueryBuilder),
            #[cfg(feature = "postgres")]
            Self::Postgres => statement.build(sea_query::PostgresQueryBuilder),
        }
    }

    fn render(self, statement: &impl QueryStatementWriter) -> Result<Statement, StorageError> {
        let (text, values) = self.build(statement);
        let values = values.into_iter().map(sql_value).collect::<Option<_>>();
        Ok(Statement {
            text: text.into(),
            values: values.ok_or(StorageError::corrupt(
                "a statement has a value of an unsupported type",
            ))?,
        })
    }
}

/// Number of times that a conditional statement is tried. If it changed nothing, a second statement
/// reads why. In between, another transaction may have made the condition true. The second
/// statement locks the row, so the second try decides.
pub(crate) const MAX_TRIES: usize = 2;

/// The error for an impossible state: a locked row differs from what was just read.
pub(crate) fn inconsistent_read() -> StorageError {
    StorageError::failed(
        "a locked row is inconsistent",
        "it changed while it was locked",
    )
}

/// Returns all rows of a statement.
pub(crate) async fn fetch_all(
    tx: &mut dyn Executor,
    statement: &(impl QueryStatementWriter + Sync),
) -> Result<Vec<Row>, StorageError> {
    let statement = tx.dialect().render(statement)?;
    tx.query(statement).await
}

/// Returns the first row of a statement, if any.
pub(crate) async fn fetch_optional(
    tx: &mut dyn Executor,
    statement: &(impl QueryStatementWriter + Sync),
) -> Result<Option<Row>, StorageError> {
    Ok(fetch_all(tx, statement).await?.into_iter().next())
}

/// Runs a statement and returns the number of rows it changed.
pub(crate) async fn execute(
    tx: &mut dyn Executor,
    statement: &(impl QueryStatementWriter + Sync),
) -> Result<u64, StorageError> {
    let statement = tx.dialect().render(statement)?;
    tx.execute(statement).await
}

/// Converts a value to one of the three types that all databases store alike.
pub(super) fn sql_value(value: Value) -> Option<SqlValue> {
    Some(match value {
        Value::Bool(value) => value.map_or(SqlValue::Null, |value| SqlValue::Integer(value.into())),
        Value::Int(value) => value.map_or(SqlValue::Null, |value| SqlValue::Integer(value.into())),
        Value::BigInt(value) => value.map_or(SqlValue::Null, SqlValue::Integer),
        Value::Unsigned(value) => {
            value.map_or(SqlValue::Null, |value| SqlValue::Integer(value.into()))
        }
        Value::BigUnsigned(Some(value)) => SqlValue::Integer(i64::try_from(value).ok()?),
        Value::String(value) => value.map_or(SqlValue::Null, SqlValue::Text),
        Value::Bytes(value) => value.map_or(SqlValue::Null, SqlValue::Blob),
        _ => return None,
    })
}

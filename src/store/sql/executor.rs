//! The seam between the transitions and a database: a statement goes in, rows come out.

use std::borrow::Cow;
use std::pin::Pin;

use async_trait::async_trait;
use sea_query::{QueryStatementWriter, Value, Values};

use super::row::{Cell, Row};
use crate::store::StorageError;

/// An open transaction. Every transition is written against this alone, so it is the same in every database.
#[async_trait]
pub(crate) trait Executor: Send {
    /// How the database is spoken to.
    fn dialect(&self) -> Dialect;

    /// Runs a statement that answers with rows.
    async fn query(&mut self, statement: Statement) -> Result<Vec<Row>, StorageError>;

    /// Runs a statement and says how many rows it changed.
    async fn execute(&mut self, statement: Statement) -> Result<u64, StorageError>;

    /// Whether the database has a clock that the nodes' clocks are compared with.
    fn compares_clock(&self) -> bool {
        false
    }

    /// Asks for the transaction to be rolled back once the transition has answered, as a refusal wants it.
    fn undo(&mut self);
}

/// Which reads wait for each other where connections are few. A search over a whole table takes long, and a request that only has to be
/// authorized must not wait behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lane {
    /// Rows found by their key: clients, grants, sessions, accounts, API keys, the version of the school.
    Lookups,
    /// Lists, searches and counts, of the school and of what is managed.
    Lists,
    /// The whole directory, or what changed in it. It waits among the lists and has no deadline, for it grows with the school.
    Directory,
}

impl Lane {
    /// The value of the label `access` in the metrics.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Lookups => "read",
            Self::Lists | Self::Directory => "list",
        }
    }
}

/// How much of a transition that only reads must see one state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Snapshot {
    /// Its only statement, which needs no transaction for that: nothing is begun or ended around it.
    Statement,
    /// All its statements, in one transaction.
    Transaction,
}

/// What a transition does once it has a transaction.
pub(crate) type Transition<'t, T> = Pin<Box<dyn Future<Output = Result<T, StorageError>> + Send + 't>>;

/// A statement as a driver takes it.
#[derive(Debug)]
pub(crate) struct Statement {
    /// The text, with a placeholder for each value.
    pub(crate) text: Cow<'static, str>,
    /// The values in order.
    pub(crate) values: Vec<Cell>,
}

/// In what the databases differ.
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

    /// The function that tells where its second argument is in the first, counted from 1 and 0 for nowhere, byte by byte.
    pub(crate) const fn position_function(self) -> &'static str {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite => "instr",
            #[cfg(feature = "postgres")]
            Self::Postgres => "strpos",
        }
    }

    /// The text in this dialect and the values.
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
        let values = values.into_iter().map(cell).collect::<Option<_>>();
        Ok(Statement {
            text: text.into(),
            values: values.ok_or(StorageError::corrupt("a statement has a value that is not kept in this form"))?,
        })
    }
}

/// How often a conditional statement is tried. Between one that did nothing and the look at why, somebody else may make its condition
/// true. The look locks the row, so that the second time decides.
pub(crate) const TRIES: usize = 2;

/// What is never to happen: a row that is locked does not have the state in which it was just read.
pub(crate) fn contradiction() -> StorageError {
    StorageError::failed("a row does not stand still", "it changed while it was locked")
}

/// Every row that the statement answers with.
pub(crate) async fn all(tx: &mut dyn Executor, statement: &(impl QueryStatementWriter + Sync)) -> Result<Vec<Row>, StorageError> {
    let statement = tx.dialect().render(statement)?;
    tx.query(statement).await
}

/// The row that the statement answers with, if it answers with one.
pub(crate) async fn first(tx: &mut dyn Executor, statement: &(impl QueryStatementWriter + Sync)) -> Result<Option<Row>, StorageError> {
    Ok(all(tx, statement).await?.into_iter().next())
}

/// How many rows the statement changes.
pub(crate) async fn change(tx: &mut dyn Executor, statement: &(impl QueryStatementWriter + Sync)) -> Result<u64, StorageError> {
    let statement = tx.dialect().render(statement)?;
    tx.execute(statement).await
}

/// The value in one of the three forms that every database keeps alike.
fn cell(value: Value) -> Option<Cell> {
    Some(match value {
        Value::Bool(value) => value.map_or(Cell::Null, |value| Cell::Integer(value.into())),
        Value::Int(value) => value.map_or(Cell::Null, |value| Cell::Integer(value.into())),
        Value::BigInt(value) => value.map_or(Cell::Null, Cell::Integer),
        Value::Unsigned(value) => value.map_or(Cell::Null, |value| Cell::Integer(value.into())),
        Value::BigUnsigned(Some(value)) => Cell::Integer(i64::try_from(value).ok()?),
        Value::String(value) => value.map_or(Cell::Null, Cell::Text),
        Value::Bytes(value) => value.map_or(Cell::Null, Cell::Blob),
        _ => return None,
    })
}

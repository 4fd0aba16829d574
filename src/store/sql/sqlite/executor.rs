use async_trait::async_trait;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{CachedStatement, Connection, ToSql, params_from_iter};

use super::error::storage_error;
use crate::store::StorageError;
use crate::store::sql::executor::{Dialect, Executor, Statement};
use crate::store::sql::row::{Cell, Row};
use crate::store::sql::watch::{Step, Watched};

/// A transaction that is open on a connection. Its futures never wait, but for who watches: SQLite answers on the thread that asks.
#[derive(Debug)]
pub(super) struct SqliteExecutor<'c> {
    connection: &'c mut Connection,
    watched: &'c Watched,
    undone: bool,
}

impl<'c> SqliteExecutor<'c> {
    pub(super) const fn new(connection: &'c mut Connection, watched: &'c Watched) -> Self {
        Self { connection, watched, undone: false }
    }

    /// Whether the transition asked for its changes to be rolled back.
    pub(super) const fn is_undone(&self) -> bool {
        self.undone
    }
}

#[async_trait]
impl Executor for SqliteExecutor<'_> {
    fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }

    async fn query(&mut self, statement: Statement) -> Result<Vec<Row>, StorageError> {
        self.watched.before(Step::Statement).await?;
        let answer = {
            let mut prepared = self.connection.prepare_cached(&statement.text).map_err(storage_error)?;
            rows(&mut prepared, &statement.values).map_err(storage_error)?
        };
        self.watched.after(Step::Statement).await?;
        Ok(answer)
    }

    async fn execute(&mut self, statement: Statement) -> Result<u64, StorageError> {
        self.watched.before(Step::Statement).await?;
        let changed = {
            let mut prepared = self.connection.prepare_cached(&statement.text).map_err(storage_error)?;
            prepared.execute(params_from_iter(&statement.values)).map_err(storage_error)?
        };
        self.watched.after(Step::Statement).await?;
        Ok(changed as u64)
    }

    fn undo(&mut self) {
        self.undone = true;
    }
}

fn rows(prepared: &mut CachedStatement<'_>, values: &[Cell]) -> rusqlite::Result<Vec<Row>> {
    let width = prepared.column_count();
    let mut answer = prepared.query(params_from_iter(values))?;
    let mut rows = Vec::new();
    while let Some(row) = answer.next()? {
        let cells = (0..width).map(|column| row.get_ref(column).and_then(|value| cell(column, value))).collect::<Result<_, _>>()?;
        rows.push(Row::new(cells));
    }
    Ok(rows)
}

fn cell(column: usize, value: ValueRef<'_>) -> rusqlite::Result<Cell> {
    Ok(match value {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(number) => Cell::Integer(number),
        ValueRef::Text(bytes) => {
            Cell::Text(std::str::from_utf8(bytes).map_err(|error| rusqlite::Error::Utf8Error(column, error))?.to_owned())
        }
        ValueRef::Blob(bytes) => Cell::Blob(bytes.to_vec()),
        ValueRef::Real(_) => return Err(rusqlite::Error::InvalidColumnType(column, String::new(), rusqlite::types::Type::Real)),
    })
}

impl ToSql for Cell {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Integer(number) => ValueRef::Integer(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Blob(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

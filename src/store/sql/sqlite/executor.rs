use async_trait::async_trait;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{CachedStatement, Connection, ToSql, params_from_iter};

use super::error::storage_error;
use crate::store::StorageError;
use crate::store::sql::executor::{Dialect, Executor, Statement};
use crate::store::sql::row::{Row, SqlValue};
use crate::store::sql::transaction_hook::{OptionalHook, Phase};

/// An open transaction on a connection. Its futures wait only for a test's hook: SQLite returns
/// results on the calling thread.
#[derive(Debug)]
pub(super) struct SqliteExecutor<'c> {
    connection: &'c mut Connection,
    hook: &'c OptionalHook,
    rollback_only: bool,
}

impl<'c> SqliteExecutor<'c> {
    pub(super) const fn new(connection: &'c mut Connection, hook: &'c OptionalHook) -> Self {
        Self {
            connection,
            hook,
            rollback_only: false,
        }
    }

    /// Whether the transition requested a rollback.
    pub(super) const fn is_rollback_only(&self) -> bool {
        self.rollback_only
    }
}

#[async_trait]
impl Executor for SqliteExecutor<'_> {
    fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }

    async fn query(&mut self, statement: Statement) -> Result<Vec<Row>, StorageError> {
        self.hook.before(Phase::Statement).await?;
        let rows = {
            let mut prepared = self
                .connection
                .prepare_cached(&statement.text)
                .map_err(storage_error)?;
            rows(&mut prepared, &statement.values).map_err(storage_error)?
        };
        self.hook.after(Phase::Statement).await?;
        Ok(rows)
    }

    async fn execute(&mut self, statement: Statement) -> Result<u64, StorageError> {
        self.hook.before(Phase::Statement).await?;
        let changed = {
            let mut prepared = self
                .connection
                .prepare_cached(&statement.text)
                .map_err(storage_error)?;
            prepared
                .execute(params_from_iter(&statement.values))
                .map_err(storage_error)?
        };
        self.hook.after(Phase::Statement).await?;
        Ok(changed as u64)
    }

    fn set_rollback_only(&mut self) {
        self.rollback_only = true;
    }
}

fn rows(prepared: &mut CachedStatement<'_>, values: &[SqlValue]) -> rusqlite::Result<Vec<Row>> {
    let width = prepared.column_count();
    let mut cursor = prepared.query(params_from_iter(values))?;
    let mut rows = Vec::new();
    while let Some(row) = cursor.next()? {
        let values = (0..width)
            .map(|column| {
                row.get_ref(column)
                    .and_then(|value| sql_value(column, value))
            })
            .collect::<Result<_, _>>()?;
        rows.push(Row::new(values));
    }
    Ok(rows)
}

fn sql_value(column: usize, value: ValueRef<'_>) -> rusqlite::Result<SqlValue> {
    Ok(match value {
        ValueRef::Null => SqlValue::Null,
        ValueRef::Integer(number) => SqlValue::Integer(number),
        ValueRef::Text(bytes) => SqlValue::Text(
            std::str::from_utf8(bytes)
                .map_err(|error| rusqlite::Error::Utf8Error(column, error))?
                .to_owned(),
        ),
        ValueRef::Blob(bytes) => SqlValue::Blob(bytes.to_vec()),
        ValueRef::Real(_) => {
            return Err(rusqlite::Error::InvalidColumnType(
                column,
                String::new(),
                rusqlite::types::Type::Real,
            ));
        }
    })
}

impl ToSql for SqlValue {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Integer(number) => ValueRef::Integer(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Blob(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

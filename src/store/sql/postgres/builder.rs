use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::connection::PooledConnection;
use super::connection_url::ConnectionUrl;
use super::error::storage_error;
use super::executor::Transaction;
use super::migrate::{Inspected, SchemaState, inspect_schema, migrate};
use super::pool::{Pool, PoolSettings};
use super::tls::Tls;
use crate::store::StorageError;
use crate::store::sql::SqlStore;
use crate::store::sql::built_in_records::insert_built_in_records;
use crate::store::sql::database::Database;
use crate::store::sql::migrations::VERSION;
use crate::store::sql::open_error::OpenError;
use crate::store::sql::transaction_hook::OptionalHook;

/// Builder for a store in a PostgreSQL database.
#[must_use = "nothing is opened before `open` is called"]
pub struct PostgresBuilder {
    url: String,
    database: Option<String>,
    connections: usize,
    timeout: Duration,
    read_deadline: Option<Duration>,
    migrate: bool,
    allow_restored: bool,
    compare_clock: bool,
}

impl PostgresBuilder {
    pub(in crate::store::sql) fn new(url: &str) -> Self {
        let timeout = Duration::from_secs(5);
        Self {
            url: url.to_owned(),
            database: None,
            connections: 10,
            timeout,
            read_deadline: None,
            migrate: false,
            allow_restored: false,
            compare_clock: true,
        }
    }

    /// Sets another database of the server than the URL names.
    pub fn database(self, name: &str) -> Self {
        Self {
            database: Some(name.to_owned()),
            ..self
        }
    }

    /// Sets the maximum number of connections, at least 1; 10 by default. Each runs one call at a
    /// time and is opened when it is needed.
    pub fn connections(self, connections: usize) -> Self {
        Self {
            connections,
            ..self
        }
    }

    /// Sets how long a call waits for a connection, pooled or new, and for the result of each
    /// statement before it is [unavailable](StorageError::is_unavailable); 5 seconds by default.
    pub fn timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// Sets how long a read-only call may take in all before its statement is cancelled and the
    /// call is [unavailable](StorageError::is_unavailable); twice the [timeout](Self::timeout) by
    /// default. Reads of the whole directory have no deadline.
    pub fn read_deadline(self, read_deadline: Duration) -> Self {
        Self {
            read_deadline: Some(read_deadline),
            ..self
        }
    }

    /// Sets whether the schema is created or migrated if it is missing or older; not by default,
    /// because a newer node would change the schema under older ones, which may not know it.
    pub fn migrate(self, migrate: bool) -> Self {
        Self { migrate, ..self }
    }

    /// Sets whether a database that was restored from a dump is opened before
    /// [`after_restore`](SqlStore::after_restore) has made it safe to serve; not by default. Open it
    /// so only for that call, or for [`accept_unchanged_copy`](SqlStore::accept_unchanged_copy).
    ///
    /// An older schema that is migrated counts as restored too, because its dumps cannot be told from
    /// the original. A restored database is recognized because the server gives it another number than the one
    /// that its dump has, if the dump is of schema 17 or newer. A restoration of the whole server, to
    /// a point in time for example, is not recognized.
    pub fn allow_restored(self, allow_restored: bool) -> Self {
        Self {
            allow_restored,
            ..self
        }
    }

    /// Sets whether this node's clock is compared with the server's; it is by default. A node whose
    /// clock is ahead then sweeps only rows that have also ended by the server's clock, and an
    /// `AuthServer` or `StoredAuditLog` deletes nothing while the clocks differ by more than a
    /// minute. Turn it off in tests with an artificial clock.
    pub fn compare_clock(self, compare_clock: bool) -> Self {
        Self {
            compare_clock,
            ..self
        }
    }

    /// Opens the store. Call it inside the tokio runtime that the store will use.
    ///
    /// # Errors
    /// When the URL is invalid, the server cannot be reached or rejects the connection, or the
    /// database belongs to another application, to a newer version of this library beside which this
    /// one may not run, or to an older one and migrations are not allowed, or was
    /// [restored](Self::allow_restored).
    pub async fn open(self) -> Result<SqlStore, OpenError> {
        let mut address =
            ConnectionUrl::parse(&self.url).map_err(|reason| OpenError::Unusable {
                database: "PostgreSQL".to_owned(),
                reason,
            })?;
        if let Some(database) = &self.database {
            address.config.dbname(database);
        }
        let name = address.name();
        let tls = Tls::new(&address.trusted).map_err(|error| OpenError::Unusable {
            database: name.clone(),
            reason: format!("its certificate authorities cannot be read: {error}"),
        })?;
        let unusable = |error: StorageError| OpenError::Unusable {
            database: name.clone(),
            reason: cause(&error),
        };
        let read_deadline = self.read_deadline.unwrap_or(self.timeout * 2);
        let (connections, timeout, compares_clock) =
            (self.connections, self.timeout, self.compare_clock);
        let settings = PoolSettings {
            connections,
            timeout,
            read_deadline,
            compares_clock,
        };
        let pool = Pool::new(address, tls, settings).map_err(unusable)?;
        let unreachable = |error: StorageError| OpenError::Unreachable {
            database: name.clone(),
            reason: cause(&error),
        };
        let connection = pool.borrow().await.map_err(unreachable)?;
        let found = match self.migrate {
            true => bring_up_to_date(connection, self.timeout, self.allow_restored).await,
            false => inspect(connection).await,
        };
        let found = found.map_err(unusable)?;
        check(
            &name,
            &found.schema,
            found.is_restored && !self.allow_restored,
        )?;
        pool.pin_identity().await.map_err(unusable)?;
        Ok(SqlStore::new(Database::Postgres(Arc::new(pool))))
    }
}

/// Omits the URL, which may contain a password.
impl fmt::Debug for PostgresBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresBuilder")
            .field("connections", &self.connections)
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}

/// Returns the state of the database.
async fn inspect(connection: PooledConnection) -> Result<Inspected, StorageError> {
    let client = connection
        .client()
        .ok_or(StorageError::corrupt("a connection was lost"))?;
    let found = inspect_schema(client).await.map_err(storage_error)?;
    connection.release();
    Ok(found)
}

/// Creates or migrates the schema and inserts the built-in application and scopes, wholly or not at
/// all.
async fn bring_up_to_date(
    connection: PooledConnection,
    timeout: Duration,
    allow_restored: bool,
) -> Result<Inspected, StorageError> {
    let no_hook = OptionalHook::default();
    let mut transaction = Transaction::read_write(connection, &no_hook, timeout);
    let found = migrate(transaction.begin().await?, allow_restored)
        .await
        .map_err(storage_error)?;
    let is_refused = found.is_restored && !allow_restored;
    if found.schema == SchemaState::Schema(VERSION) && !is_refused {
        insert_built_in_records(&mut transaction).await?;
        transaction.finish().await?;
    }
    Ok(found)
}

fn check(database: &str, found: &SchemaState, is_refused_copy: bool) -> Result<(), OpenError> {
    let database = database.to_owned();
    match found {
        SchemaState::Schema(schema) if *schema > VERSION => Err(OpenError::Newer {
            database,
            schema: *schema,
            supported: VERSION,
        }),
        SchemaState::Schema(_) | SchemaState::NewerCompatible(_) if is_refused_copy => {
            Err(OpenError::Restored { database })
        }
        SchemaState::Schema(VERSION) | SchemaState::NewerCompatible(_) => Ok(()),
        SchemaState::Schema(schema) => Err(OpenError::NotMigrated {
            database,
            schema: *schema,
            supported: VERSION,
        }),
        SchemaState::Foreign => Err(OpenError::Foreign { database }),
        SchemaState::Unsupported(reason) => Err(OpenError::Unusable {
            database,
            reason: reason.clone(),
        }),
    }
}

/// The cause of a failure, in one line.
fn cause(error: &StorageError) -> String {
    let cause = error
        .source()
        .map_or_else(|| error.to_string(), ToString::to_string);
    cause.lines().collect::<Vec<_>>().join(" ")
}

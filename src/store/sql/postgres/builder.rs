use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::address::Address;
use super::connection::Borrowed;
use super::error::storage_error;
use super::executor::Transaction;
use super::migrate::{Found, VERSION, examine, migrate};
use super::pool::{Pool, PoolSettings};
use super::tls::Tls;
use crate::store::StorageError;
use crate::store::sql::database::Database;
use crate::store::sql::open_error::OpenError;
use crate::store::sql::watch::Watched;
use crate::store::sql::{SqlStore, registry};

/// How a PostgreSQL database is opened.
#[must_use = "nothing is opened before `open` is called"]
pub struct PostgresBuilder {
    url: String,
    connections: usize,
    patience: Duration,
    read_deadline: Option<Duration>,
    migrate: bool,
    compare_clock: bool,
}

impl PostgresBuilder {
    pub(in crate::store::sql) fn new(url: &str) -> Self {
        let patience = Duration::from_secs(5);
        Self { url: url.to_owned(), connections: 10, patience, read_deadline: None, migrate: false, compare_clock: true }
    }

    /// How many connections there are at most, at least 1; 10 by default. Each runs one call at a time, and is made when it is needed.
    pub fn connections(self, connections: usize) -> Self {
        Self { connections, ..self }
    }

    /// How long a call waits for a connection, be it free or new, and for the answer to each of its statements, before it is
    /// [unavailable](StorageError::is_unavailable); 5 seconds by default.
    pub fn patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// How long a call that only reads may take in all, before its statement is cancelled and the call is
    /// [unavailable](StorageError::is_unavailable); twice the [patience](Self::patience) by default.
    pub fn read_deadline(self, read_deadline: Duration) -> Self {
        Self { read_deadline: Some(read_deadline), ..self }
    }

    /// Whether the schema is made, or brought up to date, if it is missing or older; not by default, for a newer node
    /// could then change the schema under the others.
    pub fn migrate(self, migrate: bool) -> Self {
        Self { migrate, ..self }
    }

    /// Whether the clock of this node is compared with the server's; by default it is. A node whose clock is ahead then sweeps nothing that has
    /// not ended by the server's clock, and an `AuthServer` or `TrailLog` removes nothing while the two are more than a minute apart. Turn it
    /// off for tests whose time is invented.
    pub fn compare_clock(self, compare_clock: bool) -> Self {
        Self { compare_clock, ..self }
    }

    /// Opens the store, inside the tokio runtime that it will live on.
    ///
    /// # Errors
    /// When the URL is no good, the server cannot be reached or does not let us in, or the database belongs to something else, to a newer
    /// version of this library, or to an older one and may not be migrated.
    pub async fn open(self) -> Result<SqlStore, OpenError> {
        let address = Address::parse(&self.url).map_err(|reason| OpenError::Unusable { database: "PostgreSQL".to_owned(), reason })?;
        let name = address.name();
        let tls = Tls::new(&address.trusted).map_err(|error| OpenError::Unusable {
            database: name.clone(),
            reason: format!("its certificate authorities cannot be read: {error}"),
        })?;
        let unusable = |error: StorageError| OpenError::Unusable { database: name.clone(), reason: cause(&error) };
        let read_deadline = self.read_deadline.unwrap_or(self.patience * 2);
        let settings =
            PoolSettings { connections: self.connections, patience: self.patience, read_deadline, compares_clock: self.compare_clock };
        let pool = Pool::new(address, tls, settings).map_err(unusable)?;
        let unreachable = |error: StorageError| OpenError::Unreachable { database: name.clone(), reason: cause(&error) };
        let connection = pool.borrow().await.map_err(unreachable)?;
        let found = match self.migrate {
            true => bring_up_to_date(connection, self.patience).await,
            false => look_at(connection).await,
        };
        check(&name, found.map_err(unusable)?)?;
        Ok(SqlStore::on(Database::Postgres(Arc::new(pool))))
    }
}

/// Hides the URL, which has a password.
impl fmt::Debug for PostgresBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresBuilder").field("connections", &self.connections).field("patience", &self.patience).finish_non_exhaustive()
    }
}

/// Says what is in the database.
async fn look_at(connection: Borrowed) -> Result<Found, StorageError> {
    let client = connection.client().ok_or(StorageError::corrupt("a connection was lost"))?;
    let found = examine(client).await.map_err(storage_error)?;
    connection.give_back();
    Ok(found)
}

/// Makes or changes the schema and inserts what every store holds from the start, all or nothing.
async fn bring_up_to_date(connection: Borrowed, patience: Duration) -> Result<Found, StorageError> {
    let nobody = Watched::default();
    let mut transaction = Transaction::to_write(connection, &nobody, patience);
    let found = migrate(transaction.begin().await?).await.map_err(storage_error)?;
    if found == Found::Schema(VERSION) {
        registry::create_defaults(&mut transaction).await?;
        transaction.finish().await?;
    }
    Ok(found)
}

fn check(database: &str, found: Found) -> Result<(), OpenError> {
    let database = database.to_owned();
    match found {
        Found::Schema(VERSION) => Ok(()),
        Found::Schema(schema) if schema > VERSION => Err(OpenError::Newer { database, schema, known: VERSION }),
        Found::Schema(schema) => Err(OpenError::NotMigrated { database, schema, known: VERSION }),
        Found::Foreign => Err(OpenError::Foreign { database }),
        Found::Unfit(reason) => Err(OpenError::Unusable { database, reason }),
    }
}

/// What caused a failure, in one line.
fn cause(error: &StorageError) -> String {
    let cause = error.source().map_or_else(|| error.to_string(), ToString::to_string);
    cause.lines().collect::<Vec<_>>().join(" ")
}

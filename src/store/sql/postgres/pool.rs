use std::fmt;
use std::time::Duration;

use deadpool_postgres::{Hook, HookError, Manager, ManagerConfig, Object, RecyclingMethod, Runtime};
use tokio::runtime::Handle;
use tokio::time::timeout;

use super::address::Address;
use super::connection::Borrowed;
use super::error::no_connection;
use super::executor::Transaction;
use super::tls::Tls;
use crate::store::StorageError;
use crate::store::sql::executor::{Executor, Transition};
use crate::store::sql::watch::Watched;

/// How long a connection may lie idle before it is asked whether it still lives. Firewalls forget connections without telling anybody.
const IDLE: Duration = Duration::from_secs(15);
/// How long that question may take.
const PING: Duration = Duration::from_secs(1);

/// The connections.
pub(in crate::store::sql) struct Pool {
    connections: deadpool_postgres::Pool,
    patience: Duration,
}

impl Pool {
    /// A pool of at most so many connections, none of which is made yet.
    pub(super) fn new(address: Address, tls: Tls, connections: usize, patience: Duration) -> Result<Self, StorageError> {
        let mut config = address.config;
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(patience);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(patience);
        }
        if config.get_application_name().is_none() {
            config.application_name("lyceum");
        }
        let manager = Manager::from_config(config, tls, ManagerConfig { recycling_method: RecyclingMethod::Fast });
        let connections = deadpool_postgres::Pool::builder(manager)
            .max_size(connections.max(1))
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(patience))
            .create_timeout(Some(patience))
            .recycle_timeout(Some(patience))
            .post_create(limit(patience))
            .pre_recycle(check())
            .build()
            .map_err(|error| StorageError::failed("the pool of connections cannot be made", error))?;
        Ok(Self { connections, patience })
    }

    /// A connection on which no transaction is open.
    pub(super) async fn connection(&self) -> Result<Object, StorageError> {
        if Handle::try_current().is_err() {
            return Err(StorageError::failed("PostgreSQL needs a tokio runtime", "there is none here"));
        }
        self.connections.get().await.map_err(no_connection)
    }

    /// Runs a transition that changes something. When this returns its changes are on the disk.
    pub(in crate::store::sql) async fn write<T: Send + 'static>(
        &self,
        watched: &Watched,
        run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Send + 'static,
    ) -> Result<T, StorageError> {
        let connection = Borrowed::new(self.connection().await?);
        let mut transaction = Transaction::to_write(connection, watched, self.patience);
        let outcome = run(&mut transaction).await?;
        transaction.finish().await?;
        Ok(outcome)
    }

    /// Runs a transition that only reads. All its statements see the same state. Its end is not waited for.
    pub(in crate::store::sql) async fn read<T: Send + 'static>(
        &self,
        watched: &Watched,
        run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Send + 'static,
    ) -> Result<T, StorageError> {
        let connection = Borrowed::new(self.connection().await?);
        run(&mut Transaction::to_read(connection, watched, self.patience)).await
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let status = self.connections.status();
        f.debug_struct("Pool").field("connections", &status.size).field("most", &status.max_size).finish_non_exhaustive()
    }
}

/// Lets the server give up what its client gave up, so that neither a statement nor a transaction that nobody waits for keeps its locks.
fn limit(patience: Duration) -> Hook {
    let milliseconds = i32::try_from(patience.as_millis()).unwrap_or(i32::MAX).max(1);
    Hook::async_fn(move |client, _| {
        Box::pin(async move {
            let limits = format!("SET statement_timeout = {milliseconds}; SET idle_in_transaction_session_timeout = {milliseconds}");
            client.batch_execute(&limits).await.map_err(HookError::Backend)
        })
    })
}

/// Asks a connection that has not been used for a while.
fn check() -> Hook {
    Hook::async_fn(|client, metrics| {
        let is_idle = metrics.last_used() > IDLE;
        Box::pin(async move {
            if !is_idle || matches!(timeout(PING, client.batch_execute("")).await, Ok(Ok(()))) {
                return Ok(());
            }
            Err(HookError::message("an idle connection has died"))
        })
    })
}

use std::fmt;
use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;

use deadpool_postgres::{
    ClientWrapper, Hook, HookError, Manager, ManagerConfig, Object, RecyclingMethod,
};
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::connection::PooledConnection;
use super::connection_url::ConnectionUrl;
use super::error::{pool_error, storage_error};
use super::executor::Transaction;
use super::host_connector::HostConnector;
use super::migrate::IDENTITY;
use super::tls::Tls;
use crate::store::StorageError;
use crate::store::sql::executor::{Executor, ReadKind, SnapshotScope, Transition};
use crate::store::sql::transaction_hook::OptionalHook;

/// Idle time after which a connection is pinged before it is used. Firewalls drop idle connections
/// without closing them.
const IDLE_BEFORE_PING: Duration = Duration::from_secs(15);
/// Maximum time for a ping, if the timeout allows it.
const PING_TIMEOUT: Duration = Duration::from_secs(1);

/// The connection pool.
pub(in crate::store::sql) struct Pool {
    connections: Arc<deadpool_postgres::Pool>,
    /// Permits for lists, fewer than the connections.
    lists: Arc<Semaphore>,
    tls: Tls,
    timeout: Duration,
    read_deadline: Duration,
    compares_clock: bool,
    /// The database that was opened, once that is known.
    identity: Identity,
}

/// The [identity](IDENTITY) that every connection of a pool must have.
type Identity = Arc<OnceLock<String>>;

/// Settings of the pool.
#[derive(Debug, Clone, Copy)]
pub(super) struct PoolSettings {
    pub(super) connections: usize,
    pub(super) timeout: Duration,
    pub(super) read_deadline: Duration,
    pub(super) compares_clock: bool,
}

impl Pool {
    /// A pool that opens connections when they are needed.
    pub(super) fn new(
        address: ConnectionUrl,
        tls: Tls,
        settings: PoolSettings,
    ) -> Result<Self, StorageError> {
        Self::with_idle_check(IDLE_BEFORE_PING, address, tls, settings)
    }

    /// A pool that pings connections that were idle for this long.
    fn with_idle_check(
        idle: Duration,
        address: ConnectionUrl,
        tls: Tls,
        settings: PoolSettings,
    ) -> Result<Self, StorageError> {
        let PoolSettings {
            timeout,
            read_deadline,
            compares_clock,
            ..
        } = settings;
        let max_size = settings.connections.max(1);
        let mut config = address.config;
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(timeout);
        }
        if config.get_application_name().is_none() {
            config.application_name("lyceum");
        }
        let hosts = HostConnector::new(config.clone(), tls.clone(), timeout);
        let manager = Manager::from_connect(
            config,
            hosts,
            ManagerConfig {
                recycling_method: RecyclingMethod::Fast,
            },
        );
        let pool_cell = Arc::new(OnceLock::new());
        let identity = Identity::default();
        let connections = deadpool_postgres::Pool::builder(manager)
            .max_size(max_size)
            .post_create(session_settings(timeout))
            .post_create(identity_check(Arc::clone(&identity)))
            .pre_recycle(idle_check(
                Arc::clone(&pool_cell),
                Arc::clone(&identity),
                idle,
                PING_TIMEOUT.min(timeout / 4),
            ))
            .build()
            .map_err(|error| {
                StorageError::failed("the pool of connections cannot be made", error)
            })?;
        let connections = Arc::new(connections);
        let _ = pool_cell.set(Arc::downgrade(&connections));
        // A quarter of the connections is reserved for other calls, unless there is only one.
        let lists = Arc::new(Semaphore::new((max_size - max_size.div_ceil(4)).max(1)));
        Ok(Self {
            connections,
            lists,
            tls,
            timeout,
            read_deadline,
            compares_clock,
            identity,
        })
    }

    /// Remembers the database that was opened. Connections to another one in its place are refused:
    /// it may have been restored from a backup meanwhile.
    pub(super) async fn pin_identity(&self) -> Result<(), StorageError> {
        let connection = self.connection().await?;
        let row = connection.query_one(IDENTITY, &[]).await;
        let identity = row.and_then(|row| row.try_get(0)).map_err(storage_error)?;
        let _ = self.identity.set(identity);
        Ok(())
    }

    /// Returns a connection without an open transaction.
    pub(super) async fn connection(&self) -> Result<Object, StorageError> {
        check_runtime()?;
        // One timeout for the wait, the ping and opening a new connection.
        match timeout(self.timeout, self.connections.get()).await {
            Ok(connection) => connection.map_err(pool_error),
            Err(late) => Err(StorageError::unavailable(
                "no connection to PostgreSQL in time: all are in use, or the server hangs",
                late,
            )),
        }
    }

    /// Runs a transition that writes. Its changes are on disk when this returns.
    pub(in crate::store::sql) async fn write<T: Send + 'static>(
        &self,
        hook: &OptionalHook,
        run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Clone + Send + 'static,
    ) -> Result<T, StorageError> {
        let connection = self.borrow().await?;
        Transaction::read_write(connection, hook, self.timeout)
            .with_clock_comparison(self.compares_clock)
            .run(run)
            .await
    }

    /// Runs a transition that only reads. All its statements see the same state. It does not wait
    /// for the end of the transaction. Lists leave some connections to other calls.
    pub(in crate::store::sql) async fn read<T: Send + 'static>(
        &self,
        hook: &OptionalHook,
        (kind, snapshot): (ReadKind, SnapshotScope),
        run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Clone + Send + 'static,
    ) -> Result<T, StorageError> {
        check_runtime()?;
        let transition = async {
            let list_permit = match kind {
                ReadKind::Lookup => None,
                ReadKind::List | ReadKind::Directory => {
                    Arc::clone(&self.lists).acquire_owned().await.ok()
                }
            };
            let connection = self.borrow().await?.with_list_permit(list_permit);
            Transaction::read_only(connection, hook, self.timeout, snapshot)
                .with_clock_comparison(self.compares_clock)
                .run(run)
                .await
        };
        // A test's hook may hold a call for as long as it needs.
        if hook.is_set() || kind == ReadKind::Directory {
            return transition.await;
        }
        // Dropping the future at its deadline cancels the statement, as when the caller is gone.
        let late = |late| StorageError::unavailable("a read did not end in time", late);
        timeout(self.read_deadline, transition)
            .await
            .unwrap_or_else(|elapsed| Err(late(elapsed)))
    }

    /// Borrows a connection for one transaction.
    pub(super) async fn borrow(&self) -> Result<PooledConnection, StorageError> {
        Ok(PooledConnection::new(
            self.connection().await?,
            self.tls.clone(),
        ))
    }
}

fn check_runtime() -> Result<(), StorageError> {
    match Handle::try_current() {
        Ok(_) => Ok(()),
        Err(_) => Err(StorageError::failed(
            "PostgreSQL needs a tokio runtime",
            "there is none here",
        )),
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let status = self.connections.status();
        f.debug_struct("Pool")
            .field("connections", &status.size)
            .field("most", &status.max_size)
            .finish_non_exhaustive()
    }
}

/// Makes a new connection independent of the defaults of the server, the role and the URL.
///
/// * The server times out like its client, so that an abandoned statement or transaction does not
///   keep its locks.
/// * An acknowledged commit is on disk. Replication stays the operator's decision: only `off` is
///   changed.
/// * Only a transaction that begins with `READ WRITE` may write. If `BEGIN` fails, for example
///   because an administrator cancels it, the server would run the pipelined statement in a
///   transaction of its own and commit it.
fn session_settings(timeout: Duration) -> Hook {
    let milliseconds = i32::try_from(timeout.as_millis())
        .unwrap_or(i32::MAX)
        .max(1);
    Hook::async_fn(move |client, _| {
        Box::pin(async move {
            let settings = format!(
                "SET statement_timeout = {milliseconds}; SET idle_in_transaction_session_timeout = {milliseconds};
                SET default_transaction_read_only = on;
                SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
            );
            client
                .batch_execute(&settings)
                .await
                .map_err(HookError::Backend)
        })
    })
}

/// Fails on a connection to another database than the pool's.
fn identity_check(identity: Identity) -> Hook {
    Hook::async_fn(move |client, _| {
        let identity = Arc::clone(&identity);
        Box::pin(async move {
            // Before the database is opened there is nothing to compare.
            if identity.get().is_none() {
                return Ok(());
            }
            match is_same_database(client, &identity).await {
                Ok(true) => Ok(()),
                Ok(false) => Err(HookError::message(
                    "the database was replaced by another one since it was opened: restart this program",
                )),
                Err(error) => Err(HookError::Backend(error)),
            }
        })
    })
}

async fn is_same_database(
    client: &ClientWrapper,
    identity: &OnceLock<String>,
) -> Result<bool, tokio_postgres::Error> {
    let Some(identity) = identity.get() else {
        return client.batch_execute("").await.map(|()| true);
    };
    let row = client.query_one(IDENTITY, &[]).await?;
    Ok(row.try_get::<_, &str>(0)? == identity)
}

/// Pings a connection that has been idle, and looks whether it still leads to the pool's database.
/// If it is dead, all idle connections of the pool are
/// closed with it; otherwise the caller would wait for a ping of each.
fn idle_check(
    pool: Arc<OnceLock<Weak<deadpool_postgres::Pool>>>,
    identity: Identity,
    idle: Duration,
    ping: Duration,
) -> Hook {
    Hook::async_fn(move |client, metrics| {
        let (is_idle, pool) = (metrics.last_used() >= idle, Arc::clone(&pool));
        let identity = Arc::clone(&identity);
        Box::pin(async move {
            let look = is_same_database(client, &identity);
            if !is_idle || matches!(timeout(ping, look).await, Ok(Ok(true))) {
                return Ok(());
            }
            if let Some(pool) = pool.get().and_then(Weak::upgrade) {
                pool.retain(|_, _| false);
            }
            Err(HookError::message("an idle connection has died"))
        })
    })
}

#[cfg(test)]
mod tests;

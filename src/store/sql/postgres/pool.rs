use std::fmt;
use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;

use deadpool_postgres::{Hook, HookError, Manager, ManagerConfig, Object, RecyclingMethod};
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::address::Address;
use super::connection::Borrowed;
use super::error::no_connection;
use super::executor::Transaction;
use super::hosts::Hosts;
use super::tls::Tls;
use crate::store::StorageError;
use crate::store::sql::executor::{Executor, Lane, Snapshot, Transition};
use crate::store::sql::watch::Watched;

/// How long a connection may lie idle before it is asked whether it still lives. Firewalls forget connections without telling anybody.
const IDLE: Duration = Duration::from_secs(15);
/// How long that question may take, if so much of the patience can be spared.
const PING: Duration = Duration::from_secs(1);

/// The connections.
pub(in crate::store::sql) struct Pool {
    connections: Arc<deadpool_postgres::Pool>,
    /// The turns of lists, which are fewer than the connections.
    lists: Arc<Semaphore>,
    tls: Tls,
    patience: Duration,
    read_deadline: Duration,
    compares_clock: bool,
}

/// How the pool is used.
#[derive(Debug, Clone, Copy)]
pub(super) struct PoolSettings {
    pub(super) connections: usize,
    pub(super) patience: Duration,
    pub(super) read_deadline: Duration,
    pub(super) compares_clock: bool,
}

impl Pool {
    /// A pool of at most so many connections, none of which is made yet.
    pub(super) fn new(address: Address, tls: Tls, settings: PoolSettings) -> Result<Self, StorageError> {
        Self::asking(IDLE, address, tls, settings)
    }

    /// One that asks connections whether they live when they have lain idle for so long.
    fn asking(idle: Duration, address: Address, tls: Tls, settings: PoolSettings) -> Result<Self, StorageError> {
        let PoolSettings { patience, read_deadline, compares_clock, .. } = settings;
        let most = settings.connections.max(1);
        let mut config = address.config;
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(patience);
        }
        if config.get_application_name().is_none() {
            config.application_name("lyceum");
        }
        let hosts = Hosts::new(config.clone(), tls.clone(), patience);
        let manager = Manager::from_connect(config, hosts, ManagerConfig { recycling_method: RecyclingMethod::Fast });
        let itself = Arc::new(OnceLock::new());
        let connections = deadpool_postgres::Pool::builder(manager)
            .max_size(most)
            .post_create(prepare(patience))
            .pre_recycle(check(Arc::clone(&itself), idle, PING.min(patience / 4)))
            .build()
            .map_err(|error| StorageError::failed("the pool of connections cannot be made", error))?;
        let connections = Arc::new(connections);
        let _ = itself.set(Arc::downgrade(&connections));
        // Every fourth connection is not for lists, unless there is only one.
        let lists = Arc::new(Semaphore::new((most - most.div_ceil(4)).max(1)));
        Ok(Self { connections, lists, tls, patience, read_deadline, compares_clock })
    }

    /// A connection on which no transaction is open.
    pub(super) async fn connection(&self) -> Result<Object, StorageError> {
        check_runtime()?;
        // One patience for all of it: for a free connection, for the question whether it lives, and for a new one.
        match timeout(self.patience, self.connections.get()).await {
            Ok(connection) => connection.map_err(no_connection),
            Err(late) => Err(StorageError::unavailable("no connection to PostgreSQL in time: all are in use, or the server hangs", late)),
        }
    }

    /// Runs a transition that changes something. When this returns its changes are on the disk.
    pub(in crate::store::sql) async fn write<T: Send + 'static>(
        &self,
        watched: &Watched,
        run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Clone + Send + 'static,
    ) -> Result<T, StorageError> {
        let connection = self.borrow().await?;
        Transaction::to_write(connection, watched, self.patience).comparing_clock(self.compares_clock).run(run).await
    }

    /// Runs a transition that only reads. All its statements see the same state. Its end is not waited for. Lists leave some connections to
    /// everything else.
    pub(in crate::store::sql) async fn read<T: Send + 'static>(
        &self,
        watched: &Watched,
        (lane, snapshot): (Lane, Snapshot),
        run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Clone + Send + 'static,
    ) -> Result<T, StorageError> {
        check_runtime()?;
        let answered = async {
            let turn = match lane {
                Lane::Lookups => None,
                Lane::Lists | Lane::Directory => Arc::clone(&self.lists).acquire_owned().await.ok(),
            };
            let connection = self.borrow().await?.in_turn(turn);
            Transaction::to_read(connection, watched, self.patience, snapshot).comparing_clock(self.compares_clock).run(run).await
        };
        // Who watches a call may hold it for as long as a test takes.
        if watched.is_watched() || lane == Lane::Directory {
            return answered.await;
        }
        // Dropped at its deadline it is cancelled, as it is when its caller has gone.
        let late = |late| StorageError::unavailable("a read did not end in time", late);
        timeout(self.read_deadline, answered).await.unwrap_or_else(|elapsed| Err(late(elapsed)))
    }

    /// A connection for one transaction.
    pub(super) async fn borrow(&self) -> Result<Borrowed, StorageError> {
        Ok(Borrowed::new(self.connection().await?, self.tls.clone()))
    }
}

fn check_runtime() -> Result<(), StorageError> {
    match Handle::try_current() {
        Ok(_) => Ok(()),
        Err(_) => Err(StorageError::failed("PostgreSQL needs a tokio runtime", "there is none here")),
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let status = self.connections.status();
        f.debug_struct("Pool").field("connections", &status.size).field("most", &status.max_size).finish_non_exhaustive()
    }
}

/// Makes a new connection independent of what the server, the role and the URL have for custom.
///
/// * The server gives up what its client gave up, so that neither a statement nor a transaction that nobody waits for keeps its locks.
/// * What was acknowledged is on the disk. How many copies have it too is not ours to say: only `off` is changed.
/// * Only a transaction that begins with `READ WRITE` may write. If `BEGIN` fails, for example because an administrator cancels it, the server
///   runs the pipelined statement in a transaction of its own, and would commit it.
fn prepare(patience: Duration) -> Hook {
    let milliseconds = i32::try_from(patience.as_millis()).unwrap_or(i32::MAX).max(1);
    Hook::async_fn(move |client, _| {
        Box::pin(async move {
            let settings = format!(
                "SET statement_timeout = {milliseconds}; SET idle_in_transaction_session_timeout = {milliseconds};
                SET default_transaction_read_only = on;
                SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
            );
            client.batch_execute(&settings).await.map_err(HookError::Backend)
        })
    })
}

/// Asks a connection that has not been used for a while. When it is dead all others that lie ready are given up with it: to ask each
/// would cost whoever waits a ping for each.
fn check(pool: Arc<OnceLock<Weak<deadpool_postgres::Pool>>>, idle: Duration, ping: Duration) -> Hook {
    Hook::async_fn(move |client, metrics| {
        let (is_idle, pool) = (metrics.last_used() >= idle, Arc::clone(&pool));
        Box::pin(async move {
            if !is_idle || matches!(timeout(ping, client.batch_execute("")).await, Ok(Ok(()))) {
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

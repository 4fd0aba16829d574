use std::fmt;
use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;

use deadpool_postgres::{Hook, HookError, Manager, ManagerConfig, Object, RecyclingMethod};
use tokio::runtime::Handle;
use tokio::time::timeout;

use super::address::Address;
use super::connection::Borrowed;
use super::error::no_connection;
use super::executor::Transaction;
use super::hosts::Hosts;
use super::tls::Tls;
use crate::store::StorageError;
use crate::store::sql::executor::{Executor, Transition};
use crate::store::sql::watch::Watched;

/// How long a connection may lie idle before it is asked whether it still lives. Firewalls forget connections without telling anybody.
const IDLE: Duration = Duration::from_secs(15);
/// How long that question may take, if so much of the patience can be spared.
const PING: Duration = Duration::from_secs(1);

/// The connections.
pub(in crate::store::sql) struct Pool {
    connections: Arc<deadpool_postgres::Pool>,
    patience: Duration,
    compares_clock: bool,
}

impl Pool {
    /// A pool of at most so many connections, none of which is made yet.
    pub(super) fn new(address: Address, tls: Tls, connections: usize, patience: Duration) -> Result<Self, StorageError> {
        Self::asking(IDLE, address, tls, connections, patience)
    }

    /// One that asks connections whether they live when they have lain idle for so long.
    fn asking(idle: Duration, address: Address, tls: Tls, connections: usize, patience: Duration) -> Result<Self, StorageError> {
        let mut config = address.config;
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(patience);
        }
        if config.get_application_name().is_none() {
            config.application_name("lyceum");
        }
        let hosts = Hosts::new(config.clone(), tls, patience);
        let manager = Manager::from_connect(config, hosts, ManagerConfig { recycling_method: RecyclingMethod::Fast });
        let itself = Arc::new(OnceLock::new());
        let connections = deadpool_postgres::Pool::builder(manager)
            .max_size(connections.max(1))
            .post_create(prepare(patience))
            .pre_recycle(check(Arc::clone(&itself), idle, PING.min(patience / 4)))
            .build()
            .map_err(|error| StorageError::failed("the pool of connections cannot be made", error))?;
        let connections = Arc::new(connections);
        let _ = itself.set(Arc::downgrade(&connections));
        Ok(Self { connections, patience, compares_clock: true })
    }

    /// The same, which compares the clocks of nodes with the server's, or not.
    pub(super) fn comparing_clock(self, compares_clock: bool) -> Self {
        Self { compares_clock, ..self }
    }

    /// A connection on which no transaction is open.
    pub(super) async fn connection(&self) -> Result<Object, StorageError> {
        if Handle::try_current().is_err() {
            return Err(StorageError::failed("PostgreSQL needs a tokio runtime", "there is none here"));
        }
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
        run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Send + 'static,
    ) -> Result<T, StorageError> {
        let connection = Borrowed::new(self.connection().await?);
        let mut transaction = Transaction::to_write(connection, watched, self.patience).comparing_clock(self.compares_clock);
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
        run(&mut Transaction::to_read(connection, watched, self.patience).comparing_clock(self.compares_clock)).await
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
/// * What writes may write. A server that is only a copy refuses all the same. This is no part of `BEGIN`, which such a server would
///   refuse, and then take the statement behind it for one of its own.
fn prepare(patience: Duration) -> Hook {
    let milliseconds = i32::try_from(patience.as_millis()).unwrap_or(i32::MAX).max(1);
    Hook::async_fn(move |client, _| {
        Box::pin(async move {
            let settings = format!(
                "SET statement_timeout = {milliseconds}; SET idle_in_transaction_session_timeout = {milliseconds};
                SET default_transaction_read_only = off;
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

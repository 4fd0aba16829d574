use std::time::Duration;

use deadpool_postgres::{ClientWrapper, Object};
use tokio::runtime::Handle;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;

use super::tls::Tls;

/// A connection from the pool. Dropping it closes the connection unless it was released: an
/// unfinished transaction must never reach the next caller.
pub(super) struct PooledConnection {
    connection: Option<Object>,
    /// The TLS settings for cancel requests.
    tls: Tls,
    /// The permit of a list, held as long as its connection is busy.
    list_permit: Option<OwnedSemaphorePermit>,
}

impl PooledConnection {
    pub(super) const fn new(connection: Object, tls: Tls) -> Self {
        Self {
            connection: Some(connection),
            tls,
            list_permit: None,
        }
    }

    /// Sets the permit of a list.
    pub(super) fn with_list_permit(self, list_permit: Option<OwnedSemaphorePermit>) -> Self {
        let mut borrowed = self;
        borrowed.list_permit = list_permit;
        borrowed
    }

    pub(super) fn client(&self) -> Option<&ClientWrapper> {
        self.connection.as_deref()
    }

    /// Returns the connection to the pool. No transaction may be open on it.
    pub(super) fn release(mut self) {
        drop(self.connection.take());
        drop(self.list_permit.take());
    }

    /// Rolls back the open transaction in the background and returns the connection. The connection
    /// is closed instead if the server does not respond in time or the program ends before.
    ///
    /// If a statement `is_running`, it is cancelled and the connection closed: the cancel request
    /// may arrive late and must not cancel the next caller's statement. If the request fails, the
    /// statement ends by itself or at the server's timeout.
    pub(super) fn spawn_rollback(self, limit: Duration, is_running: bool) {
        let Ok(runtime) = Handle::try_current() else {
            return;
        };
        runtime.spawn(async move {
            let Some(client) = self.client() else { return };
            if is_running {
                let _ = timeout(limit, client.cancel_token().cancel_query(self.tls.clone())).await;
                return;
            }
            if let Ok(Ok(())) = timeout(limit, client.batch_execute("ROLLBACK")).await {
                self.release();
            }
        });
    }
}

impl Drop for PooledConnection {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            drop(Object::take(connection));
        }
    }
}

use std::time::Duration;

use deadpool_postgres::{ClientWrapper, Object};
use tokio::runtime::Handle;
use tokio::time::timeout;

use super::tls::Tls;

/// A connection out of the pool. It is closed when it is dropped, unless it was given back: what is left of a transaction must never
/// meet the next one.
pub(super) struct Borrowed {
    connection: Option<Object>,
    /// How the server is spoken to where it has to be told to cancel something.
    tls: Tls,
}

impl Borrowed {
    pub(super) const fn new(connection: Object, tls: Tls) -> Self {
        Self { connection: Some(connection), tls }
    }

    pub(super) fn client(&self) -> Option<&ClientWrapper> {
        self.connection.as_deref()
    }

    /// Returns the connection to the pool, as one on which no transaction is open.
    pub(super) fn give_back(mut self) {
        drop(self.connection.take());
    }

    /// Rolls back what is open and then returns the connection. Nobody waits for it; when the server does not answer in time, or the
    /// program ends before, the connection is closed.
    ///
    /// A statement that `is_running` is cancelled before: nobody waits for its answer any more, and the rollback would stand behind it. Where
    /// that fails it ends by itself or at the server's limit.
    pub(super) fn roll_back_later(self, patience: Duration, is_running: bool) {
        let Ok(runtime) = Handle::try_current() else { return };
        runtime.spawn(async move {
            let Some(client) = self.client() else { return };
            let rolled_back = async {
                if is_running {
                    let _ = client.cancel_token().cancel_query(self.tls.clone()).await;
                }
                client.batch_execute("ROLLBACK").await
            };
            if let Ok(Ok(())) = timeout(patience, rolled_back).await {
                self.give_back();
            }
        });
    }
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            drop(Object::take(connection));
        }
    }
}

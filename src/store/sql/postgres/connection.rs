use std::time::Duration;

use deadpool_postgres::{ClientWrapper, Object};
use tokio::runtime::Handle;
use tokio::time::timeout;

/// A connection out of the pool. It is closed when it is dropped, unless it was given back: what is left of a transaction must never
/// meet the next one.
pub(super) struct Borrowed(Option<Object>);

impl Borrowed {
    pub(super) const fn new(connection: Object) -> Self {
        Self(Some(connection))
    }

    pub(super) fn client(&self) -> Option<&ClientWrapper> {
        self.0.as_deref()
    }

    /// Returns the connection to the pool, as one on which no transaction is open.
    pub(super) fn give_back(mut self) {
        drop(self.0.take());
    }

    /// Rolls back what is open and then returns the connection. Nobody waits for it; when the server does not answer in time, or the
    /// program ends before, the connection is closed.
    pub(super) fn roll_back_later(self, patience: Duration) {
        let Ok(runtime) = Handle::try_current() else { return };
        runtime.spawn(async move {
            let Some(client) = self.client() else { return };
            if let Ok(Ok(())) = timeout(patience, client.batch_execute("ROLLBACK")).await {
                self.give_back();
            }
        });
    }
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        if let Some(connection) = self.0.take() {
            drop(Object::take(connection));
        }
    }
}

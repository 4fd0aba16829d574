use std::time::Duration;

use deadpool_postgres::{ClientWrapper, Object};
use tokio::runtime::Handle;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;

use super::tls::Tls;

/// A connection out of the pool. It is closed when it is dropped, unless it was given back: what is left of a transaction must never
/// meet the next one.
pub(super) struct Borrowed {
    connection: Option<Object>,
    /// How the server is spoken to where it has to be told to cancel something.
    tls: Tls,
    /// The turn of a list, which lasts as long as its connection is busy.
    turn: Option<OwnedSemaphorePermit>,
}

impl Borrowed {
    pub(super) const fn new(connection: Object, tls: Tls) -> Self {
        Self { connection: Some(connection), tls, turn: None }
    }

    /// The same, which holds the turn of a list until the connection is free again.
    pub(super) fn in_turn(self, turn: Option<OwnedSemaphorePermit>) -> Self {
        let mut borrowed = self;
        borrowed.turn = turn;
        borrowed
    }

    pub(super) fn client(&self) -> Option<&ClientWrapper> {
        self.connection.as_deref()
    }

    /// Returns the connection to the pool, as one on which no transaction is open.
    pub(super) fn give_back(mut self) {
        drop(self.connection.take());
        drop(self.turn.take());
    }

    /// Rolls back what is open and then returns the connection. Nobody waits for it; when the server does not answer in time, or the
    /// program ends before, the connection is closed.
    ///
    /// A statement that `is_running` is cancelled, and its connection closed: the request to cancel may arrive late, and must not meet the
    /// statement of the next caller. Where that fails the statement ends by itself or at the server's limit.
    pub(super) fn roll_back_later(self, patience: Duration, is_running: bool) {
        let Ok(runtime) = Handle::try_current() else { return };
        runtime.spawn(async move {
            let Some(client) = self.client() else { return };
            if is_running {
                let _ = timeout(patience, client.cancel_token().cancel_query(self.tls.clone())).await;
                return;
            }
            if let Ok(Ok(())) = timeout(patience, client.batch_execute("ROLLBACK")).await {
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

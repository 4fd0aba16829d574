//! Audit log: typed events, and the rules by which requests are refused.
//!
//! Events identify users and objects by id. They contain no password, code, verifier, token,
//! cookie, secret, digest or key, and no client input that did not match a stored record.

#[cfg(feature = "auth-server")]
mod counting_log;
mod event;
mod event_name;
mod managed_object;
mod refusal_rule;
mod stored_log;
mod tracing_log;
mod wire;

use std::fmt::Debug;
use std::sync::Arc;

#[cfg(feature = "auth-server")]
pub(crate) use counting_log::CountingAuditLog;
pub(crate) use event::RequestOrigin;
pub use event::{Change, EmailOwner, Event, EventKind, IssuedToken, RefusedRequest, ReusedSecret};
pub use event_name::{EventName, ManagedObjectType};
pub use managed_object::ManagedObject;
pub use refusal_rule::RefusalRule;
pub use stored_log::{StoredAuditLog, StoredAuditLogBuilder, StoredAuditLogWriter};
pub use tracing_log::TracingLog;
#[cfg(feature = "console")]
pub(crate) use wire::StoredEvent;

pub use super::RequestId;
use crate::store::AuditStore;

/// Receiver of audit events.
///
/// ```
/// use std::sync::mpsc::SyncSender;
///
/// use lyceum::http::audit::{AuditLog, Event};
///
/// /// Hands lines to a thread that writes them down.
/// #[derive(Debug)]
/// struct Lines(SyncSender<String>);
///
/// impl AuditLog for Lines {
///     fn record(&self, event: &Event) {
///         if self.0.try_send(event.to_json()).is_err() {
///             eprintln!("an audit event was lost: {event:?}");
///         }
///     }
/// }
/// ```
pub trait AuditLog: Debug + Send + Sync + 'static {
    /// Records an event, right after it has happened. Called while a request is handled, so it must
    /// neither block nor panic: slow work belongs on a separate thread or task.
    fn record(&self, event: &Event);

    /// The store in which the events can be looked up, if any. A log that forwards events returns
    /// the store of the other log.
    fn store(&self) -> Option<&Arc<dyn AuditStore>> {
        None
    }
}

//! What happened, for the host to keep: typed events, and by which rule a request was refused.
//!
//! Events say who and what by ids. They hold no password, code, verifier, token, cookie, secret, digest or key, nor anything that somebody
//! typed or sent without its having been found here before.

mod counted;
mod event;
mod request_id;
mod rule;
mod tracing_log;
mod trail;
mod wire;
mod words;

use std::fmt::Debug;
use std::sync::Arc;

pub(crate) use counted::Counted;
pub(crate) use event::Origin;
pub use event::{Change, Event, EventKind, Issued, Object, Refused, ReusedSecret};
pub use request_id::RequestId;
pub use rule::Rule;
pub use tracing_log::TracingLog;
pub use trail::{TrailLog, TrailLogBuilder, TrailWriter};
#[cfg(feature = "ui")]
pub(crate) use wire::Told;
pub use words::{EventWord, ObjectWord};

use crate::store::AuditTrail;

/// Where events go.
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
    /// Takes an event, right after what it tells of has happened. It is called in the middle of a request, so it must neither wait nor
    /// panic: what takes time belongs on a thread or a task of the log's own.
    fn record(&self, event: &Event);

    /// Where its events can be looked up, if they can. A log that hands events on to another one says what that one says.
    fn trail(&self) -> Option<&Arc<dyn AuditTrail>> {
        None
    }
}

use super::wire::word;
use super::{AuditLog, Event, EventKind};

/// The log that is there by default: each event is a `tracing` event with the target `lyceum::audit`, the fields `event` and `request_id`,
/// and its JSON as the message. What should worry somebody is a warning.
///
/// A refusal is left out, because its line with the target `lyceum::auth` is there whichever log is used.
#[derive(Debug, Clone, Copy, Default)]
pub struct TracingLog;

impl AuditLog for TracingLog {
    fn record(&self, event: &Event) {
        let (name, request_id) = (word(&event.kind), event.request_id);
        match event.kind {
            EventKind::Refused(_) => {}
            EventKind::ReuseDetected { .. } | EventKind::SignInLimited { .. } | EventKind::SigningKeyRevoked { .. } => {
                tracing::warn!(target: "lyceum::audit", event = name, %request_id, "{}", event.to_json());
            }
            _ => tracing::info!(target: "lyceum::audit", event = name, %request_id, "{}", event.to_json()),
        }
    }
}

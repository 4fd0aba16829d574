use super::wire::event_name;
use super::{AuditLog, Event, EventKind};

/// The default log. Emits each event as a `tracing` event with the target `lyceum::audit`, the
/// fields `event` and `request_id`, and its JSON as the message. Events that need attention are
/// warnings.
///
/// Refusals are not emitted: with any audit log, they are logged with the target `lyceum::auth` or
/// `lyceum::console`.
#[derive(Debug, Clone, Copy, Default)]
pub struct TracingLog;

impl AuditLog for TracingLog {
    fn record(&self, event: &Event) {
        let (name, request_id) = (event_name(&event.kind), event.request_id);
        match event.kind {
            EventKind::Refused(_) => {}
            EventKind::ReuseDetected { .. }
            | EventKind::SignInLimited { .. }
            | EventKind::SigningKeyRevoked { .. }
            | EventKind::BackupRestored { .. } => {
                tracing::warn!(target: "lyceum::audit", event = name, %request_id, "{}", event.to_json());
            }
            _ => {
                tracing::info!(target: "lyceum::audit", event = name, %request_id, "{}", event.to_json())
            }
        }
    }
}

use crate::http::audit::{Change, EventKind, Object};
use crate::http::auth_server::bearer::Caller;
use crate::http::auth_server::server::Server;

/// Records that the caller has changed something.
pub(super) fn managed(server: &Server, caller: &Caller, object: Object, change: Change) {
    server.record(EventKind::Managed { by: caller.subject.id.clone(), object, change });
}

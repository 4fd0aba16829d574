use crate::http::audit::{Change, EventKind, Object};
use crate::http::auth_server::bearer::Caller;
use crate::http::auth_server::server::Server;

/// Records that the caller has made something or taken it away.
pub(super) fn managed(server: &Server, caller: &Caller, object: Object, change: Change) {
    server.record(EventKind::Managed { by: caller.subject.id.clone(), object, change, fields: Vec::new() });
}

/// Records that the caller has changed the fields of which it says so.
pub(super) fn changed(server: &Server, caller: &Caller, object: Object, fields: &[(&'static str, bool)]) {
    let fields = fields.iter().filter(|(_, differs)| *differs).map(|(name, _)| *name).collect();
    server.record(EventKind::Managed { by: caller.subject.id.clone(), object, change: Change::Changed, fields });
}

use super::{Access, Office};
use crate::domain::{Role, Subject, SubjectId, Timestamp};
use crate::http::audit::{Change, EventKind, Object, Origin};

/// The office as one person comes to it, with one request: what they may see and change, and the changes.
pub(crate) struct Desk<'a> {
    pub(crate) office: &'a Office,
    /// Who has come, as they are now.
    pub(crate) person: Subject,
    /// What authenticated the request.
    pub(super) access: Access,
    /// Where from, for the events.
    pub(crate) origin: Origin,
}

impl Desk<'_> {
    pub(crate) fn now(&self) -> Timestamp {
        self.office.clock.now()
    }

    /// Whose records the person's lists have: everybody's for an administrator.
    pub(super) fn listed(&self) -> Option<&SubjectId> {
        (!self.is_administrator()).then_some(&self.person.id)
    }

    /// Whether the person is an administrator.
    pub(crate) fn is_administrator(&self) -> bool {
        self.person.role == Role::Admin
    }

    /// How many of something the person may have: no end for an administrator.
    pub(super) fn at_most(&self, cap: u32) -> u32 {
        if self.is_administrator() { u32::MAX } else { cap }
    }

    /// Records that the person has made something or taken it away.
    pub(super) fn managed(&self, object: Object, change: Change) {
        self.record_managed(object, change, Vec::new());
    }

    /// Records that the person has changed the fields of which it says so.
    pub(super) fn changed(&self, object: Object, fields: &[(&'static str, bool)]) {
        let fields = fields.iter().filter(|(_, differs)| *differs).map(|(name, _)| *name).collect();
        self.record_managed(object, Change::Changed, fields);
    }

    pub(super) fn record_managed(&self, object: Object, change: Change, fields: Vec<&'static str>) {
        self.office.record(self.origin, EventKind::Managed { by: self.person.id.clone(), object, change, fields });
    }
}

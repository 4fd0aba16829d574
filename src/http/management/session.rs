use super::{AuthenticatedBy, Management, Rejection};
use crate::domain::{Role, Subject, SubjectId, Timestamp};
use crate::http::audit::{Change, EventKind, ManagedObject, RequestOrigin};
#[cfg(feature = "console")]
use crate::store::UserSessionStore;
use crate::store::{ClientRegistry, ConsentStore};

/// Management operations on behalf of one signed-in user, for one request.
pub(crate) struct ManagementSession<'a> {
    pub(crate) management: &'a Management,
    /// The signed-in user with the current role.
    pub(crate) user: Subject,
    /// The credential that authenticated the request.
    pub(super) authenticated_by: AuthenticatedBy,
    /// Request id and client address, for the events.
    pub(crate) origin: RequestOrigin,
}

/// Optional layers of the storage. A request that needs a missing layer is answered with 404.
impl ManagementSession<'_> {
    pub(super) fn registry(&self) -> Result<&dyn ClientRegistry, Rejection> {
        self.management
            .registry
            .as_deref()
            .ok_or_else(Rejection::not_found)
    }

    pub(super) fn consents(&self) -> Result<&dyn ConsentStore, Rejection> {
        self.management
            .consents
            .as_deref()
            .ok_or_else(Rejection::not_found)
    }

    #[cfg(feature = "console")]
    pub(super) fn user_sessions(&self) -> Result<&dyn UserSessionStore, Rejection> {
        self.management
            .user_sessions
            .as_deref()
            .ok_or_else(Rejection::not_found)
    }
}

impl ManagementSession<'_> {
    pub(crate) fn now(&self) -> Timestamp {
        self.management.clock.now()
    }

    /// `None` for administrators, who see all records; otherwise the user's own id.
    pub(super) fn owner_filter(&self) -> Option<&SubjectId> {
        (!self.is_administrator()).then_some(&self.user.id)
    }

    /// Whether the user is an administrator.
    pub(crate) fn is_administrator(&self) -> bool {
        self.user.role == Role::Admin
    }

    /// The limit for this user: unlimited for administrators.
    pub(super) fn effective_limit(&self, limit: u32) -> u32 {
        if self.is_administrator() {
            u32::MAX
        } else {
            limit
        }
    }

    /// Records that the user has created or deleted an object.
    pub(super) fn record_change(&self, object: ManagedObject, change: Change) {
        self.record_change_of_fields(object, change, Vec::new());
    }

    /// Records that the user has changed the fields whose flag is set.
    pub(super) fn record_changed_fields(
        &self,
        object: ManagedObject,
        fields: &[(&'static str, bool)],
    ) {
        self.record_change_of_fields(object, Change::Changed, differing(fields));
    }

    pub(super) fn record_change_of_fields(
        &self,
        object: ManagedObject,
        change: Change,
        fields: Vec<&'static str>,
    ) {
        self.management.record(
            self.origin,
            EventKind::Managed {
                by: self.user.id.clone(),
                object,
                change,
                fields,
            },
        );
    }
}

/// The names of the fields whose flag is set.
pub(super) fn differing(fields: &[(&'static str, bool)]) -> Vec<&'static str> {
    let fields = fields.iter().filter(|(_, differs)| *differs);
    fields.map(|(name, _)| *name).collect()
}

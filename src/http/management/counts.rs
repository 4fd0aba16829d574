//! Small numbers for the pages where a user begins.

use std::time::Duration;

use super::{ManagementError, ManagementSession, Rejection};
use crate::domain::{AuditEntry, AuditFilter, InvalidValue, PageRequest};
use crate::http::audit::EventName;
use crate::store::ScopeRequestFilter;

/// Refused sign-ins of a period.
#[derive(Debug, Clone)]
pub(crate) struct FailedSignIns {
    pub(crate) count: u64,
    /// The newest ones, newest first.
    pub(crate) newest: Vec<AuditEntry>,
}

impl ManagementSession<'_> {
    /// The number of requests for scopes that wait for the user, the owner of the applications. One
    /// statement of the store.
    pub(crate) async fn count_waiting_requests(&self) -> Result<u64, ManagementError> {
        let filter = ScopeRequestFilter::WaitingFor(&self.user.id);
        let found = self
            .registry()?
            .scope_requests(filter, smallest_page()?)
            .await?;
        Ok(found.total)
    }

    /// The events `sign_in_refused` of the last `period`, as the list of events shows them to
    /// administrators, with the newest `size` of them. `None` if events are not stored. Refusals
    /// beyond the
    /// [hourly limit](crate::http::audit::StoredAuditLogBuilder::refusals_per_hour) are not counted.
    pub(crate) async fn failed_sign_ins(
        &self,
        period: Duration,
        size: u32,
    ) -> Result<Option<FailedSignIns>, ManagementError> {
        if !self.is_administrator() {
            return Err(Rejection::administrators_only("sees failed sign-ins").into());
        }
        let Some(store) = self.management.audit.store() else {
            return Ok(None);
        };
        let filter = AuditFilter {
            kind: EventName::SignInRefused.as_str().parse().ok(),
            from: Some(self.now().minus(period)),
            ..AuditFilter::default()
        };
        let counts = store.audit_counts(&filter, 0).await?;
        let count = counts.iter().map(|count| count.count).sum();
        let newest = match count {
            0 => Vec::new(),
            _ => store.audit_records(&filter, None, size).await?,
        };
        Ok(Some(FailedSignIns { count, newest }))
    }

    /// The newest event `imported`, for administrators. `None` if events are not stored, or there is
    /// none any more.
    pub(crate) async fn last_import(&self) -> Result<Option<AuditEntry>, ManagementError> {
        if !self.is_administrator() {
            return Err(Rejection::administrators_only("sees imports").into());
        }
        let Some(store) = self.management.audit.store() else {
            return Ok(None);
        };
        let filter = AuditFilter {
            kind: EventName::Imported.as_str().parse().ok(),
            ..AuditFilter::default()
        };
        Ok(store.audit_records(&filter, None, 1).await?.pop())
    }
}

/// A page of which only the total is used.
fn smallest_page() -> Result<PageRequest, ManagementError> {
    PageRequest::new(0, 1)
        .map_err(|_: InvalidValue| ManagementError::Failed("a page of one record is valid"))
}

//! Small numbers for the pages where a user begins.

use std::time::Duration;

use super::{ManagementError, ManagementSession, Rejection};
use crate::domain::{AuditFilter, InvalidValue, PageRequest};
use crate::http::audit::EventName;
use crate::store::{ClientFilter, ScopeRequestFilter};

/// What waits for administrators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WaitingCounts {
    /// Clients that no administrator has verified.
    pub(crate) unverified_clients: u64,
    /// Requests for scopes of everybody's applications.
    pub(crate) scope_requests: u64,
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

    /// What waits for administrators, who alone may ask.
    pub(crate) async fn count_waiting(&self) -> Result<WaitingCounts, ManagementError> {
        if !self.is_administrator() {
            return Err(Rejection::administrators_only("sees what waits").into());
        }
        let (registry, page) = (self.registry()?, smallest_page()?);
        let clients = registry.clients(ClientFilter::AwaitingReview, page).await?;
        let requests = registry
            .scope_requests(ScopeRequestFilter::Waiting, page)
            .await?;
        Ok(WaitingCounts {
            unverified_clients: clients.total,
            scope_requests: requests.total,
        })
    }

    /// The number of events `sign_in_refused` of the last `period`, as the list of events shows them
    /// to administrators. `None` if events are not stored. Refusals beyond the
    /// [hourly limit](crate::http::audit::StoredAuditLogBuilder::refusals_per_hour) are not counted.
    pub(crate) async fn count_failed_sign_ins(
        &self,
        period: Duration,
    ) -> Result<Option<u64>, ManagementError> {
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
        Ok(Some(counts.iter().map(|count| count.count).sum()))
    }
}

/// A page of which only the total is used.
fn smallest_page() -> Result<PageRequest, ManagementError> {
    PageRequest::new(0, 1)
        .map_err(|_: InvalidValue| ManagementError::Failed("a page of one record is valid"))
}

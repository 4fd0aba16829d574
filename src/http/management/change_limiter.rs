use super::{ManagementSession, Rejection};
use crate::domain::{Quota, RateLimitKey, SubjectId, Timestamp};
use crate::http::gcra_limiter::QuotaLimiter;

/// Rate limit on the changes of each user.
#[derive(Debug)]
pub(crate) struct ChangeLimiter(QuotaLimiter<RateLimitKey>);

impl ChangeLimiter {
    pub(crate) fn new(per_user: Quota) -> Self {
        Self(QuotaLimiter::new(per_user))
    }

    fn acquire(&self, user: &SubjectId, at: Timestamp) -> Result<(), Rejection> {
        self.0
            .acquire(
                RateLimitKey::new("management", user.as_str().as_bytes()),
                at,
            )
            .map_err(|retry_after| Rejection::management_limited().with_retry_after(retry_after))
    }
}

impl ManagementSession<'_> {
    /// Consumes one management change, or returns the time to wait. Revocations are not counted, so
    /// a user can always revoke access.
    pub(crate) fn acquire_change(&self) -> Result<(), Rejection> {
        self.management
            .change_limiter
            .acquire(&self.user.id, self.now())
    }
}

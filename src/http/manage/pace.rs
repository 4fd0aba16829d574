use http::StatusCode;

use super::{Denial, Desk};
use crate::domain::{Quota, RateKey, SubjectId, Timestamp};
use crate::http::arrivals::Failures;
use crate::http::audit::Rule;

/// The changes that each user has made lately.
#[derive(Debug)]
pub(crate) struct Pace(Failures<RateKey>);

impl Pace {
    pub(crate) fn new(per_user: Quota) -> Self {
        Self(Failures::new(per_user))
    }

    fn pay(&self, user: &SubjectId, at: Timestamp) -> Result<(), Denial> {
        self.0.pay(RateKey::new("management", user.as_str().as_bytes()), at).map_err(|retry_after| {
            let description = "You have made many changes in a short time. Try again later.";
            Denial::new(Rule::ManagementLimited, StatusCode::TOO_MANY_REQUESTS, description).after(retry_after)
        })
    }
}

impl Desk<'_> {
    /// Consumes one management change, or returns the time to wait. Revocations are not counted, so a user can always revoke access.
    pub(crate) fn pay_for_change(&self) -> Result<(), Denial> {
        self.office.pace.pay(&self.person.id, self.now())
    }
}

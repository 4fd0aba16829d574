//! The lease by which one of many processes syncs.

use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use super::Schedule;
use crate::domain::{ShortText, Timestamp};
use crate::store::retention::CLOCK_SKEW;
use crate::store::{Lease, LeaseAcquisition, StorageError};

/// Lifetime of the lease. A process that crashes blocks the others for this long.
const LIFETIME: Duration = Duration::from_secs(3 * 60);

/// Time between two renewals.
const RENEWAL_INTERVAL: Duration = Duration::from_secs(60);

/// The name of the lease.
pub(super) fn name() -> ShortText {
    ShortText::from_static("neis-sync")
}

impl Schedule {
    /// Acquires or renews the lease. Returns whether this process has it.
    pub(super) async fn acquire_lease(&self) -> Result<bool, StorageError> {
        let now = self.now();
        let lease = Lease {
            holder: self.holder.clone(),
            expires_at: now.plus(LIFETIME),
        };
        let acquisition = self.store.acquire_lease(&name(), lease, now).await?;
        Ok(acquisition == LeaseAcquisition::Acquired)
    }

    /// Whether a process has the lease, unless it is of a clock that was ahead, which the next
    /// acquisition replaces.
    pub(super) async fn is_leased(&self, now: Timestamp) -> Result<bool, StorageError> {
        let latest = now.plus(LIFETIME).plus(CLOCK_SKEW);
        let lease = self.store.lease(&name(), now).await?;
        Ok(lease.is_some_and(|lease| lease.expires_at <= latest))
    }

    /// Ends the lease. Without the store it ends by itself.
    pub(super) async fn release_lease(&self) {
        let released = self.store.release_lease(&name(), &self.holder).await;
        if let Err(error) = released {
            tracing::warn!(target: "lyceum::neis", %error, "the lease of the sync was not released");
        }
    }

    /// Does work that needs the lease, and renews the lease meanwhile. A lease that is lost, because
    /// the store did not respond for longer than it lasts, ends no work: two runs at once cost
    /// requests to the portal, and write each change once.
    pub(super) async fn while_leased<T>(&self, work: impl Future<Output = T>) -> T {
        let renewing = async {
            loop {
                (self.pause)(RENEWAL_INTERVAL).await;
                match self.acquire_lease().await {
                    Ok(true) => {}
                    Ok(false) => {
                        tracing::warn!(target: "lyceum::neis", "another process syncs too");
                        return;
                    }
                    Err(error) => {
                        tracing::warn!(target: "lyceum::neis", %error, "the lease of the sync was not renewed");
                    }
                }
            }
        };
        let (mut work, mut renewing) = (pin!(work), pin!(renewing));
        let mut is_renewed = true;
        std::future::poll_fn(|context| {
            if let Poll::Ready(outcome) = work.as_mut().poll(context) {
                return Poll::Ready(outcome);
            }
            if is_renewed && renewing.as_mut().poll(context).is_ready() {
                is_renewed = false;
            }
            Poll::Pending
        })
        .await
    }
}

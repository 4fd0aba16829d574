use std::net::IpAddr;
use std::time::Duration;

use crate::domain::{Quota, Timestamp};
use crate::http::network_limit::{NetworkLimit, Reach};

/// The sessions that were opened, per client address: whoever opens one makes the store keep it for its lifetime.
#[derive(Debug)]
pub(super) struct Openings(NetworkLimit);

impl Openings {
    pub(super) fn new(per_address: Quota) -> Self {
        Self(NetworkLimit::new(per_address))
    }

    /// Pays for one session, or says how long to wait. Without an address nothing is counted.
    pub(super) fn pay(&self, address: Option<IpAddr>, at: Timestamp) -> Result<(), Duration> {
        address.map_or(Ok(()), |address| self.0.pay((), address, Reach::Every, at))
    }
}

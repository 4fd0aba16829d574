use std::net::IpAddr;
use std::time::Duration;

use crate::domain::{Quota, Timestamp};
use crate::http::network_limiter::{NetworkLimiter, PrefixScope};

/// Limits opened sessions per client address, because each is stored for its lifetime.
#[derive(Debug)]
pub(in crate::http::auth_server) struct SessionLimiter(NetworkLimiter);

impl SessionLimiter {
    pub(in crate::http::auth_server) fn new(per_address: Quota) -> Self {
        Self(NetworkLimiter::new(per_address))
    }

    /// Counts one session, or returns the time to wait. Without an address nothing is counted.
    pub(super) fn acquire(&self, address: Option<IpAddr>, at: Timestamp) -> Result<(), Duration> {
        address.map_or(Ok(()), |address| {
            self.0.acquire((), address, PrefixScope::All, at)
        })
    }
}

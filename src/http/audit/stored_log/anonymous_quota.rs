use std::collections::HashMap;
use std::net::IpAddr;

use crate::domain::Timestamp;
use crate::http::network_limiter::network;

const HOUR: i64 = 60 * 60;

/// Hourly quota of events that unauthenticated callers cause.
#[derive(Debug)]
pub(super) struct AnonymousQuota {
    per_hour: u32,
    hour: i64,
    kept: u32,
    /// Events by network, or by `None` if the address is unknown. There are at most as many entries
    /// as events in the quota.
    by_network: HashMap<Option<IpAddr>, u32>,
}

impl AnonymousQuota {
    pub(super) fn new(per_hour: u32) -> Self {
        Self {
            per_hour,
            hour: i64::MIN,
            kept: 0,
            by_network: HashMap::new(),
        }
    }

    /// Counts an event from this address, and returns whether it is within the quota.
    pub(super) fn admit(&mut self, address: Option<IpAddr>, at: Timestamp) -> bool {
        let hour = at.seconds().div_euclid(HOUR);
        // A clock that is set back does not start a new hour.
        if hour > self.hour {
            (self.hour, self.kept) = (hour, 0);
            self.by_network.clear();
        }
        if self.kept >= self.per_hour {
            return false;
        }
        // Without addresses, all callers share the quota.
        let most = if address.is_some() {
            self.per_hour.div_ceil(2)
        } else {
            self.per_hour
        };
        let of_network = self.by_network.entry(address.map(network)).or_default();
        if *of_network >= most {
            return false;
        }
        *of_network += 1;
        self.kept += 1;
        true
    }
}

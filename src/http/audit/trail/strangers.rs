use std::collections::HashMap;
use std::net::IpAddr;

use crate::domain::Timestamp;
use crate::http::network_limit::network;

const HOUR: i64 = 60 * 60;

/// How much of what strangers cause is kept in an hour.
#[derive(Debug)]
pub(super) struct Strangers {
    per_hour: u32,
    hour: i64,
    kept: u32,
    /// By network, or `None` where the host does not know it. It has no more entries than are kept.
    by_network: HashMap<Option<IpAddr>, u32>,
}

impl Strangers {
    pub(super) fn new(per_hour: u32) -> Self {
        Self { per_hour, hour: i64::MIN, kept: 0, by_network: HashMap::new() }
    }

    /// Whether one more from this address at this moment is kept, and counts it if so.
    pub(super) fn admit(&mut self, address: Option<IpAddr>, at: Timestamp) -> bool {
        let hour = at.seconds().div_euclid(HOUR);
        // A clock that goes back begins no new hour.
        if hour > self.hour {
            (self.hour, self.kept) = (hour, 0);
            self.by_network.clear();
        }
        if self.kept >= self.per_hour {
            return false;
        }
        // Where addresses are not known, all strangers are one.
        let most = if address.is_some() { self.per_hour.div_ceil(2) } else { self.per_hour };
        let from_there = self.by_network.entry(address.map(network)).or_default();
        if *from_there >= most {
            return false;
        }
        *from_there += 1;
        self.kept += 1;
        true
    }
}

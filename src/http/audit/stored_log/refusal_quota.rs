use std::collections::HashMap;
use std::net::IpAddr;

use crate::domain::{ApiKeyId, SubjectId, Timestamp};
use crate::http::audit::{Event, EventKind};
use crate::http::network_limiter::network;

const HOUR: i64 = 60 * 60;

/// Who caused a refusal.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum RefusalSource {
    /// A client that is not authenticated, by its network; `None` if the address is unknown.
    Network(Option<IpAddr>),
    /// A user who is signed in.
    User(SubjectId),
    /// A key that works.
    ApiKey(ApiKeyId),
}

impl RefusalSource {
    /// The source of an event that callers can cause in any number; `None` for other events.
    pub(super) fn of(event: &Event) -> Option<Self> {
        let network = || Self::Network(event.address.map(network));
        match &event.kind {
            EventKind::Refused(refused) => Some(match (refused.api_key, &refused.subject) {
                (Some(key), _) => Self::ApiKey(key),
                (None, Some(user)) => Self::User(user.clone()),
                (None, None) => network(),
            }),
            EventKind::SignInRefused { .. } | EventKind::SignInLimited { .. } => Some(network()),
            _ => None,
        }
    }
}

/// Hourly quota of refusals: one for everybody unknown, and another of the same size for users and
/// keys, who so leave room for the refused sign-ins of their network.
#[derive(Debug)]
pub(super) struct RefusalQuota {
    per_hour: u32,
    hour: i64,
    unknown: u32,
    known: u32,
    /// There are at most as many entries as events in both quotas.
    by_source: HashMap<RefusalSource, u32>,
}

impl RefusalQuota {
    pub(super) fn new(per_hour: u32) -> Self {
        Self {
            per_hour,
            hour: i64::MIN,
            unknown: 0,
            known: 0,
            by_source: HashMap::new(),
        }
    }

    /// Counts an event of this source, and returns whether it is within the quota.
    pub(super) fn admit(&mut self, source: RefusalSource, at: Timestamp) -> bool {
        let hour = at.seconds().div_euclid(HOUR);
        // A clock that is set back does not start a new hour.
        if hour > self.hour {
            (self.hour, self.unknown, self.known) = (hour, 0, 0);
            self.by_source.clear();
        }
        let (kept, most) = match source {
            // Without addresses, all callers share the quota.
            RefusalSource::Network(None) => (&mut self.unknown, self.per_hour),
            RefusalSource::Network(Some(_)) => (&mut self.unknown, self.per_hour.div_ceil(2)),
            RefusalSource::User(_) | RefusalSource::ApiKey(_) => {
                (&mut self.known, self.per_hour.div_ceil(20))
            }
        };
        if *kept >= self.per_hour {
            return false;
        }
        let of_source = self.by_source.entry(source).or_default();
        if *of_source >= most {
            return false;
        }
        *of_source += 1;
        *kept += 1;
        true
    }
}

//! Usage of applications, scopes and clients. Owners see it before they delete one.

use std::collections::BTreeMap;

use super::Paged;
use crate::domain::{ClientId, ShortText, SubjectId, Timestamp};

/// Maximum number of clients that a usage lists.
pub const MAX_USAGE_CLIENTS: usize = 50;

/// Clients and live grants of a scope, or of all scopes of an application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScopeUsage {
    /// The clients that list it, ordered by time of registration and then by id. `total` counts all
    /// of them; at most [`MAX_USAGE_CLIENTS`] are listed.
    pub clients: Paged<ClientSummary>,
    /// The live grants that have it.
    pub grants: GrantUsage,
    /// The live grants of each client that has any, also of clients that no longer list it.
    pub by_client: BTreeMap<ClientId, GrantUsage>,
}

impl ScopeUsage {
    /// A usage by these clients. The total of the grants is computed from `by_client`.
    pub fn new(clients: Paged<ClientSummary>, by_client: BTreeMap<ClientId, GrantUsage>) -> Self {
        let grants = by_client
            .values()
            .copied()
            .fold(GrantUsage::default(), GrantUsage::merge);
        Self {
            clients,
            grants,
            by_client,
        }
    }

    /// The usage by one client's grants.
    pub fn for_client(&self, client: &ClientId) -> GrantUsage {
        self.by_client.get(client).copied().unwrap_or_default()
    }
}

/// A client that lists a scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientSummary {
    /// Its id.
    pub id: ClientId,
    /// Its display name.
    pub name: ShortText,
    /// Its owner.
    pub owner: SubjectId,
}

/// Number and age of live grants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GrantUsage {
    /// The number of live grants.
    pub live: u64,
    /// The redemption time of the newest live grant. Other grants are not considered, because they
    /// are soon swept.
    pub last_granted_at: Option<Timestamp>,
}

impl GrantUsage {
    /// The combined usage of two sets of grants.
    #[must_use]
    pub fn merge(self, other: Self) -> Self {
        Self {
            live: self.live + other.live,
            last_granted_at: self.last_granted_at.max(other.last_granted_at),
        }
    }
}

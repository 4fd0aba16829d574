//! Who uses what is registered: what its owner is shown before it goes.

use std::collections::BTreeMap;

use super::Registered;
use crate::domain::{ClientId, Line, SubjectId, Timestamp};

/// How many clients a usage names at most.
pub const USAGE_CLIENTS_NAMED: usize = 50;

/// Who uses a scope, or any scope of an application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScopeUsage {
    /// The clients that list it, in the order in which they were registered and then of their ids. The total counts them all, and the first
    /// [`USAGE_CLIENTS_NAMED`] are named.
    pub clients: Registered<ListingClient>,
    /// The grants that have it.
    pub grants: GrantUsage,
    /// The same for each client that has such grants, also if it does not list the scope any more.
    pub by_client: BTreeMap<ClientId, GrantUsage>,
}

impl ScopeUsage {
    /// The usage by these clients, of which each has such grants.
    pub fn new(clients: Registered<ListingClient>, by_client: BTreeMap<ClientId, GrantUsage>) -> Self {
        let grants = by_client.values().copied().fold(GrantUsage::default(), GrantUsage::and);
        Self { clients, grants, by_client }
    }

    /// The grants of a client that have it.
    pub fn of(&self, client: &ClientId) -> GrantUsage {
        self.by_client.get(client).copied().unwrap_or_default()
    }
}

/// A client that lists a scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListingClient {
    /// Its id.
    pub id: ClientId,
    /// The name that users are shown.
    pub name: Line,
    /// Who may change it.
    pub owner: SubjectId,
}

/// Which grants are in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GrantUsage {
    /// How many are live.
    pub live: u64,
    /// Of these, since when the newest is there. What does not live any more is soon swept, so it says nothing.
    pub last_granted_at: Option<Timestamp>,
}

impl GrantUsage {
    /// These grants and those.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { live: self.live + other.live, last_granted_at: self.last_granted_at.max(other.last_granted_at) }
    }
}

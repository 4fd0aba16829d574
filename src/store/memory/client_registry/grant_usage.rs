use std::collections::BTreeMap;

use super::Registry;
use crate::domain::{ApplicationId, ClientId, LiveGrant, Scope, ScopeId, Timestamp};
use crate::store::memory::grants::Grants;
use crate::store::{ClientSummary, GrantUsage, MAX_USAGE_CLIENTS, Paged, ScopeUsage};

impl Registry {
    pub(super) fn application_usage(
        &self,
        id: ApplicationId,
        grants: &Grants,
        at: Timestamp,
    ) -> Option<ScopeUsage> {
        self.applications
            .get(&id)
            .map(|_| self.usage(|scope| scope.application == id, grants, at))
    }

    pub(super) fn scope_usage(
        &self,
        id: ScopeId,
        grants: &Grants,
        at: Timestamp,
    ) -> Option<ScopeUsage> {
        self.scopes_by_id
            .get(&id)
            .map(|meant| self.usage(|scope| scope == meant, grants, at))
    }

    fn usage(
        &self,
        matches: impl Fn(&Scope) -> bool,
        grants: &Grants,
        at: Timestamp,
    ) -> ScopeUsage {
        let listing = self
            .clients
            .values()
            .filter(|client| client.allowed_scopes.iter().any(&matches));
        let mut listing: Vec<_> = listing.collect();
        listing.sort_by_key(|client| (client.created_at, client.id));
        let named = listing.iter().take(MAX_USAGE_CLIENTS);
        let named = named.map(|client| ClientSummary {
            id: client.id,
            name: client.name.clone(),
            owner: client.owner.clone(),
        });
        let clients = Paged {
            total: listing.len() as u64,
            items: named.collect(),
        };
        ScopeUsage::new(clients, by_client(grants.live_with_scope(matches, at)))
    }
}

/// The usage of grants by client.
pub(super) fn by_client(grants: impl Iterator<Item = LiveGrant>) -> BTreeMap<ClientId, GrantUsage> {
    let mut usages: BTreeMap<ClientId, GrantUsage> = BTreeMap::new();
    for grant in grants {
        let usage = usages.entry(grant.client).or_default();
        *usage = usage.merge(GrantUsage {
            live: 1,
            last_granted_at: Some(grant.since),
        });
    }
    usages
}

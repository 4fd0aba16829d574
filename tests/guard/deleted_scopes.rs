//! The storage's revocation check over a host that deletes scopes by itself, without management.

use std::sync::Arc;

use lyceum::domain::*;
use lyceum::http::guard::StoreRevocationCheck;
use lyceum::store::*;

use crate::fixtures::{invalid_token, present};
use crate::flow::guard;
use crate::harness::Harness;

/// Tables of which the host has deleted a scope; grants still have it.
#[derive(Debug)]
struct HostStore {
    tables: Arc<dyn AuthStorage>,
    deleted: Scope,
}

impl HostStore {
    async fn delegate(&self, _: &str) -> Result<&dyn AuthStorage, StorageError> {
        Ok(&*self.tables)
    }

    async fn scope_definitions(
        &self,
        scopes: &ScopeSet,
    ) -> Result<Vec<ScopeDefinition>, StorageError> {
        let mut found = self.tables.scope_definitions(scopes).await?;
        found.retain(|definition| definition.scope != self.deleted);
        Ok(found)
    }
}

impl StoreClock for HostStore {}

delegate!(ClientLookup for HostStore, except scope_definitions);
delegate!(GrantStore for HostStore);
delegate!(SigningKeyStore for HostStore);

// Proves: spec 3.17
/// Fails if the guard admits a token by a scope that only the host's look-up has lost.
#[tokio::test]
async fn a_scope_that_a_host_without_management_deletes_does_not_count() {
    let harness = Harness::new().await;
    let application = harness.application("owner").await;
    let read = ScopeSet::parse(&format!("{application}:read")).unwrap();
    let allowed = read.clone();
    let change = |client: &mut Client| client.allowed_scopes = allowed;
    let client = harness.client_with(ClientPolicy::Secret, change).await;
    let token = harness.tokens_for(&client, &read.to_string()).await.access;
    for (deleted, is_admitted) in [
        (Scope::self_read(), true),
        (read.iter().next().unwrap().clone(), false),
    ] {
        let store = HostStore {
            tables: Arc::clone(&harness.store),
            deleted,
        };
        let check = StoreRevocationCheck::new(Arc::new(store));
        let guard = guard(&harness, application).revocation_check(Arc::new(check));
        let response = present(&guard.build().unwrap(), &token).await;
        if is_admitted {
            assert_eq!(response.status, 200);
        } else {
            assert_eq!(response.verdict(), invalid_token());
        }
    }
}

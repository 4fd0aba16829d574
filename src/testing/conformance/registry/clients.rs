//! Registration of clients.

use super::super::fixtures::{application, client, scope};
use super::super::store_under_test::{CONCURRENT_CALLERS, ExpectOk, StoreUnderTest};
use crate::domain::{
    Client, ClientId, ClientPolicy, InvalidClientMetadata, Scope, ScopeSet, ShortText,
};
use crate::store::ClientCreation;

cases! { Storage, registry as __conformance_registry_clients:
    a_client_needs_a_free_id_and_scopes_that_exist
    a_client_that_breaks_a_rule_is_refused
    of_many_clients_with_one_id_one_is_kept
}

async fn a_client_needs_a_free_id_and_scopes_that_exist(store: &StoreUnderTest) {
    let first = client(1);
    store.fixtures().create_client(first.clone()).await;
    assert_eq!(
        store
            .create_client(Client {
                name: ShortText::from_static("Other"),
                ..client(1)
            })
            .await
            .expect_ok(),
        ClientCreation::AlreadyExists
    );
    assert_eq!(
        found(store, first.id).await,
        Some(first),
        "a refused client changes nothing"
    );
    let missing = scope(application(1).id, "read");
    let eager = Client {
        allowed_scopes: [Scope::self_read(), missing.clone()].into_iter().collect(),
        ..client(2)
    };
    assert_eq!(
        store.create_client(eager.clone()).await.expect_ok(),
        ClientCreation::UnknownScope(missing)
    );
    assert_eq!(
        found(store, eager.id).await,
        None,
        "a refused client is not stored"
    );
    let modest = Client {
        allowed_scopes: ScopeSet::default(),
        ..client(2)
    };
    assert_eq!(
        store.create_client(modest.clone()).await.expect_ok(),
        ClientCreation::Created,
        "a client may have no scope, and its id is still free"
    );
    assert_eq!(found(store, modest.id).await, Some(modest));
}

async fn a_client_that_breaks_a_rule_is_refused(store: &StoreUnderTest) {
    let stranger = Client {
        first_party: false,
        ..client(1)
    };
    assert_eq!(
        store.create_client(stranger.clone()).await.expect_ok(),
        ClientCreation::Invalid(InvalidClientMetadata::ManageIsForFirstParties),
        "service:manage is for the service's own clients"
    );
    assert_eq!(
        found(store, stranger.id).await,
        None,
        "a refused client is not stored"
    );
    let anyone = Client {
        policy: ClientPolicy::Public,
        secrets: Vec::new(),
        client_credentials_allowed: true,
        ..client(1)
    };
    assert_eq!(
        store.create_client(anyone).await.expect_ok(),
        ClientCreation::Invalid(InvalidClientMetadata::PublicWithCredentials),
        "a public client has no credentials"
    );
    assert_eq!(
        store.create_client(client(1)).await.expect_ok(),
        ClientCreation::Created,
        "the id is still free"
    );
}

async fn of_many_clients_with_one_id_one_is_kept(store: &StoreUnderTest) {
    let answers = store.race(async |store, caller| {
        let contender = Client {
            name: format!("Racer {caller}").parse().expect("a line"),
            ..client(1)
        };
        (
            contender.clone(),
            store.create_client(contender).await.expect_ok(),
        )
    });
    let winners: Vec<_> = answers
        .into_iter()
        .filter(|(_, answer)| *answer == ClientCreation::Created)
        .map(|(contender, _)| contender)
        .collect();
    assert_eq!(
        winners.len(),
        1,
        "of {CONCURRENT_CALLERS} clients with one id exactly one is created"
    );
    assert_eq!(found(store, client(1).id).await, winners.into_iter().next());
}

pub(super) async fn found(store: &StoreUnderTest, id: ClientId) -> Option<Client> {
    store
        .client(id)
        .await
        .expect_ok()
        .map(|client| (*client).clone())
}

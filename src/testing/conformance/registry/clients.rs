//! Registration of clients.

use super::super::fixtures::{application, at, client, definition, scope};
use super::super::store_under_test::{CONCURRENT_CALLERS, ExpectOk, StoreUnderTest};
use crate::domain::{
    Client, ClientId, ClientPolicy, ClientSecretDigest, InvalidClientMetadata, RegisteredSecret,
    Scope, ScopeSet, ShortText,
};
use crate::store::{ClientCreation, Creation, ScopeCreation};

pub(in super::super) async fn many_clients_come_whole_in_the_order_in_which_they_were_asked_for(
    store: &StoreUnderTest,
) {
    for number in 1..=5 {
        assert_eq!(
            store.create_client(client(number)).await.expect_ok(),
            ClientCreation::Created
        );
    }
    let ids = [3, 1, 9, 3, 5].map(|number| client(number).id);
    let found: Vec<_> = store
        .clients_by_id(&ids)
        .await
        .expect_ok()
        .iter()
        .map(|client| Client::clone(client))
        .collect();
    assert_eq!(
        found,
        [3, 1, 5].map(client),
        "each once, in their order, with scopes and secrets, without unknown ones"
    );
    assert_eq!(store.clients_by_id(&[]).await.expect_ok(), []);
}

pub(in super::super) async fn a_client_is_found_as_it_was_kept(store: &StoreUnderTest) {
    let application = application(1);
    assert_eq!(
        store
            .create_application(application.clone())
            .await
            .expect_ok(),
        Creation::Created
    );
    assert_eq!(
        store
            .create_scope(definition(1, &application, "read"))
            .await
            .expect_ok(),
        ScopeCreation::Created
    );
    let secret = |number| RegisteredSecret {
        digest: ClientSecretDigest::from_bytes([number; 32]),
        created_at: at(i64::from(number)),
    };
    for (number, policy) in (1..).zip(ClientPolicy::ALL) {
        let public = *policy == ClientPolicy::Public;
        let kept = Client {
            policy: *policy,
            secrets: if public {
                Vec::new()
            } else {
                vec![secret(9), secret(3)]
            },
            redirect_uris: [
                "https://z.example/",
                "http://127.0.0.1/cb",
                "com.example.app:/cb",
            ]
            .map(|uri| uri.parse().expect("a redirect URI"))
            .into(),
            allowed_scopes: [
                Scope::self_read(),
                scope(application.id, "read"),
                Scope::manage(),
            ]
            .into_iter()
            .collect(),
            plain_pkce_allowed: !public,
            pkce_required: number == 2,
            client_credentials_allowed: !public,
            ..client(number)
        };
        assert_eq!(
            store.create_client(kept.clone()).await.expect_ok(),
            ClientCreation::Created
        );
        assert_eq!(
            found(store, kept.id).await,
            Some(kept),
            "secrets, redirect URIs and scopes keep their order"
        );
    }
    assert_eq!(found(store, client(99).id).await, None);
}

pub(in super::super) async fn a_client_needs_a_free_id_and_scopes_that_exist(
    store: &StoreUnderTest,
) {
    let first = client(1);
    assert_eq!(
        store.create_client(first.clone()).await.expect_ok(),
        ClientCreation::Created
    );
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

pub(in super::super) async fn a_client_that_breaks_a_rule_is_refused(store: &StoreUnderTest) {
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

pub(in super::super) async fn of_many_clients_with_one_id_one_is_kept(store: &StoreUnderTest) {
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

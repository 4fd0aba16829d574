//! Look-up of clients, scopes and applications.

use super::fixtures::{application, at, client, definition, scope, scopes};
use super::store_under_test::{ExpectOk, ProtocolUnderTest};
use crate::domain::{
    Application, ApplicationId, Client, ClientPolicy, ClientSecretDigest, RegisteredSecret, Scope,
    ScopeDefinition, ScopeSet,
};

cases! { ProtocolStorage, client_lookup as __conformance_client_lookup:
    the_service_and_its_scopes_are_there_from_the_start
    definitions_come_in_the_order_in_which_they_were_asked_for
    many_applications_come_in_the_order_in_which_they_were_asked_for
    many_clients_come_whole_in_the_order_in_which_they_were_asked_for
    a_client_is_found_as_it_was_kept
}

async fn the_service_and_its_scopes_are_there_from_the_start(store: &ProtocolUnderTest) {
    assert_eq!(
        store
            .applications_by_id(&[ApplicationId::Service])
            .await
            .expect_ok(),
        [Application::built_in()]
    );
    let definitions = store.scope_definitions(&scopes()).await.expect_ok();
    assert_eq!(
        definitions,
        ScopeDefinition::built_in(),
        "every store holds the default scopes"
    );
}

async fn definitions_come_in_the_order_in_which_they_were_asked_for(store: &ProtocolUnderTest) {
    let application = application(1);
    store
        .fixtures()
        .create_application(application.clone())
        .await;
    for (number, name) in [(1, "b"), (2, "a"), (3, "c")] {
        store
            .fixtures()
            .create_scope(definition(number, &application, name))
            .await;
    }
    let of = |name| scope(application.id, name);
    let asked: ScopeSet = [
        of("c"),
        of("missing"),
        Scope::manage(),
        of("a"),
        of("b"),
        Scope::self_read(),
    ]
    .into_iter()
    .collect();
    let answer: Vec<_> = store
        .scope_definitions(&asked)
        .await
        .expect_ok()
        .into_iter()
        .map(|definition| definition.scope)
        .collect();
    assert_eq!(
        answer,
        [
            of("c"),
            Scope::manage(),
            of("a"),
            of("b"),
            Scope::self_read()
        ],
        "in their order, without unknown ones"
    );
    assert_eq!(
        store
            .scope_definitions(&ScopeSet::default())
            .await
            .expect_ok(),
        []
    );
}

async fn many_applications_come_in_the_order_in_which_they_were_asked_for(
    store: &ProtocolUnderTest,
) {
    for number in 1..=5 {
        store
            .fixtures()
            .create_application(application(number))
            .await;
    }
    let ids = [3, 1, 9, 3, 5].map(|number| application(number).id);
    let found = store.applications_by_id(&ids).await.expect_ok();
    assert_eq!(
        found,
        [3, 1, 5].map(application),
        "each once, in their order, without unknown ones"
    );
    assert_eq!(store.applications_by_id(&[]).await.expect_ok(), []);
}

async fn many_clients_come_whole_in_the_order_in_which_they_were_asked_for(
    store: &ProtocolUnderTest,
) {
    for number in 1..=5 {
        store.fixtures().create_client(client(number)).await;
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

async fn a_client_is_found_as_it_was_kept(store: &ProtocolUnderTest) {
    let application = application(1);
    store
        .fixtures()
        .create_application(application.clone())
        .await;
    store
        .fixtures()
        .create_scope(definition(1, &application, "read"))
        .await;
    let secret = |number| RegisteredSecret {
        digest: ClientSecretDigest::from_bytes([number; 32]),
        created_at: at(i64::from(number)),
        last_four: None,
        last_used_at: None,
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
        store.fixtures().create_client(kept.clone()).await;
        assert_eq!(
            store.client(kept.id).await.expect_ok().as_deref(),
            Some(&kept),
            "secrets, redirect URIs and scopes keep their order"
        );
    }
    assert_eq!(store.client(client(99).id).await.expect_ok(), None);
}

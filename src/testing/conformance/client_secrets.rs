//! Client secrets, of which there are two while a new one is rolled out.

use super::fixtures::{NOW, client, count};
use super::store_under_test::{CONCURRENT_CALLERS, ExpectOk, StoreUnderTest};
use crate::domain::{Client, ClientId, ClientPolicy, ClientSecretDigest, RegisteredSecret};
use crate::store::{SecretAddition, SecretRemoval};

cases! { Storage, client_secrets as __conformance_client_secrets:
    a_third_secret_takes_the_place_of_the_oldest
    the_older_secret_can_go_at_once
    of_many_new_secrets_the_newest_two_stay
    of_many_removals_of_an_older_secret_one_removes_it
}

// Proves: spec 3.11
async fn a_third_secret_takes_the_place_of_the_oldest(store: &StoreUnderTest) {
    registered(store, client(1)).await;
    for (number, expected) in [(2, vec![1, 2]), (3, vec![2, 3]), (4, vec![3, 4])] {
        assert_eq!(
            add_secret(store, client(1).id, number).await,
            SecretAddition::Added
        );
        assert_eq!(secrets(store).await, expected, "the newest last");
    }
    let public = Client {
        policy: ClientPolicy::Public,
        secrets: Vec::new(),
        ..client(2)
    };
    registered(store, public.clone()).await;
    assert_eq!(
        add_secret(store, public.id, 1).await,
        SecretAddition::Public
    );
    assert_eq!(
        add_secret(store, client(9).id, 1).await,
        SecretAddition::NotFound
    );
    let bare = Client {
        secrets: Vec::new(),
        ..client(3)
    };
    registered(store, bare.clone()).await;
    assert_eq!(
        add_secret(store, bare.id, 1).await,
        SecretAddition::Added,
        "a client may get its first secret by this"
    );
}

async fn the_older_secret_can_go_at_once(store: &StoreUnderTest) {
    registered(store, client(1)).await;
    assert_eq!(
        store.remove_older_secret(client(1).id).await.expect_ok(),
        SecretRemoval::NoOlder,
        "the only secret stays"
    );
    assert_eq!(
        add_secret(store, client(1).id, 2).await,
        SecretAddition::Added
    );
    assert_eq!(
        store.remove_older_secret(client(1).id).await.expect_ok(),
        SecretRemoval::Removed
    );
    assert_eq!(secrets(store).await, [2], "the newest secret stays");
    assert_eq!(
        store.remove_older_secret(client(1).id).await.expect_ok(),
        SecretRemoval::NoOlder
    );
    assert_eq!(
        store.remove_older_secret(client(9).id).await.expect_ok(),
        SecretRemoval::NotFound
    );
}

async fn of_many_new_secrets_the_newest_two_stay(store: &StoreUnderTest) {
    registered(store, client(1)).await;
    let answers = store.race(async |store, caller| {
        let digest =
            ClientSecretDigest::from_bytes([100 + u8::try_from(caller).expect("few callers"); 32]);
        store
            .add_client_secret(
                client(1).id,
                RegisteredSecret {
                    digest,
                    created_at: NOW,
                    last_four: Some("x3e4".to_owned()),
                },
            )
            .await
            .expect_ok()
    });
    assert_eq!(
        count(&answers, |answer| *answer == SecretAddition::Added),
        CONCURRENT_CALLERS
    );
    let left = secrets(store).await;
    assert!(
        left.len() == 2 && left.iter().all(|secret| *secret >= 100),
        "of {CONCURRENT_CALLERS} new secrets two stay and the first goes, not {left:?}"
    );
}

async fn of_many_removals_of_an_older_secret_one_removes_it(store: &StoreUnderTest) {
    registered(store, client(1)).await;
    assert_eq!(
        add_secret(store, client(1).id, 2).await,
        SecretAddition::Added
    );
    let answers =
        store.race(async |store, _| store.remove_older_secret(client(1).id).await.expect_ok());
    assert_eq!(
        count(&answers, |answer| *answer == SecretRemoval::Removed),
        1,
        "of {CONCURRENT_CALLERS} removals exactly one removes it"
    );
    assert_eq!(
        count(&answers, |answer| *answer == SecretRemoval::NoOlder),
        CONCURRENT_CALLERS - 1
    );
    assert_eq!(secrets(store).await, [2], "the newest secret stays");
}

async fn add_secret(store: &StoreUnderTest, client: ClientId, number: u8) -> SecretAddition {
    let secret = RegisteredSecret {
        digest: ClientSecretDigest::from_bytes([number; 32]),
        created_at: NOW,
        last_four: Some("x3e4".to_owned()),
    };
    store.add_client_secret(client, secret).await.expect_ok()
}

/// Returns the numbers of client 1's secrets.
async fn secrets(store: &StoreUnderTest) -> Vec<u8> {
    let client = store
        .client(client(1).id)
        .await
        .expect_ok()
        .expect("the client exists");
    client
        .secrets
        .iter()
        .map(|secret| secret.digest.as_bytes()[0])
        .collect()
}

async fn registered(store: &StoreUnderTest, client: Client) {
    store.fixtures().create_client(client).await;
}

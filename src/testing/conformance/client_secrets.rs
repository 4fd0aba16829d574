//! Client secrets, of which there are two while a new one is rolled out.

use super::fixtures::{NOW, at, client, count};
use super::store_under_test::{CONCURRENT_CALLERS, ExpectOk, StoreUnderTest};
use crate::domain::{
    Client, ClientId, ClientPolicy, ClientSecretDigest, ClientSecretUse, ClientSettings,
    RegisteredSecret, ShortText, Timestamp,
};
use crate::store::{ClientUpdate, SecretAddition, SecretRemoval};

cases! { Storage, client_secrets as __conformance_client_secrets:
    a_third_secret_takes_the_place_of_the_oldest
    the_older_secret_can_go_at_once
    of_many_new_secrets_the_newest_two_stay
    of_many_removals_of_an_older_secret_one_removes_it
    the_last_use_of_a_secret_never_moves_backwards
    a_recorded_use_is_no_change_of_the_client
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
                    last_used_at: None,
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

// Proves: spec 3.11
async fn the_last_use_of_a_secret_never_moves_backwards(store: &StoreUnderTest) {
    for number in [1, 2] {
        let unused = Client {
            secrets: vec![secret(number), secret(number + 10)],
            ..client(number)
        };
        registered(store, unused).await;
    }
    for uses in [
        vec![used(1, 1, 5), used(2, 12, 9), used(2, 1, 20), used(9, 9, 9)],
        vec![used(2, 12, 3), used(1, 1, 8), used(1, 1, 7)],
        vec![],
    ] {
        store.record_client_secret_usage(uses).await.expect_ok();
    }
    assert_eq!(last_uses(store, 1).await, [(1, Some(at(8))), (11, None)]);
    assert_eq!(
        last_uses(store, 2).await,
        [(2, None), (12, Some(at(9)))],
        "a secret is one of its client"
    );
    store.race(async |store, caller| {
        let mut uses = vec![
            used(1, 11, caller as i64),
            used(1, 1, 0),
            used(2, 2, caller as i64),
        ];
        uses.rotate_left(caller % 3);
        store.record_client_secret_usage(uses).await.expect_ok();
    });
    let latest = Some(at(CONCURRENT_CALLERS as i64 - 1));
    assert_eq!(
        last_uses(store, 1).await,
        [(1, Some(at(8))), (11, latest)],
        "of many batches the latest use stays"
    );
}

/// Fails if a use is lost with a change of the client, or refuses it.
async fn a_recorded_use_is_no_change_of_the_client(store: &StoreUnderTest) {
    let seen = Client {
        secrets: vec![secret(1)],
        ..client(1)
    };
    registered(store, seen.clone()).await;
    let record = vec![used(1, 1, 5)];
    store.record_client_secret_usage(record).await.expect_ok();
    let renamed = ClientSettings {
        name: ShortText::from_static("Timetable"),
        ..seen.settings()
    };
    let expected = seen.settings();
    let update = store.update_client(seen.id, &expected, renamed.clone());
    assert_eq!(update.await.expect_ok(), ClientUpdate::Updated);
    assert_eq!(
        add_secret(store, seen.id, 2).await,
        SecretAddition::Added,
        "nor does it keep a secret from being added"
    );
    assert_eq!(
        last_uses(store, 1).await,
        [(1, Some(at(5))), (2, None)],
        "the use stays"
    );
    let found = store.client(seen.id).await.expect_ok();
    assert_eq!(found.expect("the client exists").settings(), renamed);
}

fn used(number: u8, secret: u8, seconds: i64) -> ClientSecretUse {
    ClientSecretUse {
        client: client(number).id,
        secret: ClientSecretDigest::from_bytes([secret; 32]),
        last_used_at: at(seconds),
    }
}

/// Returns the numbers of a client's secrets with their last uses.
async fn last_uses(store: &StoreUnderTest, number: u8) -> Vec<(u8, Option<Timestamp>)> {
    let found = store.client(client(number).id).await.expect_ok();
    let secrets = &found.expect("the client exists").secrets;
    secrets
        .iter()
        .map(|secret| (secret.digest.as_bytes()[0], secret.last_used_at))
        .collect()
}

fn secret(number: u8) -> RegisteredSecret {
    RegisteredSecret {
        digest: ClientSecretDigest::from_bytes([number; 32]),
        created_at: NOW,
        last_four: Some("x3e4".to_owned()),
        last_used_at: None,
    }
}

async fn add_secret(store: &StoreUnderTest, client: ClientId, number: u8) -> SecretAddition {
    store
        .add_client_secret(client, secret(number))
        .await
        .expect_ok()
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

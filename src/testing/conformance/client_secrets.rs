//! The secrets of clients, of which there are two while the newer one is brought out.

use super::candidate::{Answered, Candidate, RACERS};
use super::given::{NOW, client, count};
use crate::domain::{Client, ClientId, ClientPolicy, ClientSecretDigest, RegisteredSecret};
use crate::store::{ClientCreation, SecretAddition, SecretRemoval};

pub(super) async fn decision_3_11_a_third_secret_takes_the_place_of_the_oldest(store: &Candidate) {
    registered(store, client(1)).await;
    for (number, expected) in [(2, vec![1, 2]), (3, vec![2, 3]), (4, vec![3, 4])] {
        assert_eq!(add_secret(store, client(1).id, number).await, SecretAddition::Added);
        assert_eq!(secrets(store).await, expected, "the newest last");
    }
    let public = Client { policy: ClientPolicy::Public, secrets: Vec::new(), ..client(2) };
    registered(store, public.clone()).await;
    assert_eq!(add_secret(store, public.id, 1).await, SecretAddition::Public);
    assert_eq!(add_secret(store, client(9).id, 1).await, SecretAddition::Unknown);
    let bare = Client { secrets: Vec::new(), ..client(3) };
    registered(store, bare.clone()).await;
    assert_eq!(add_secret(store, bare.id, 1).await, SecretAddition::Added, "a client may get its first secret so");
}

pub(super) async fn the_older_secret_can_go_at_once(store: &Candidate) {
    registered(store, client(1)).await;
    assert_eq!(store.remove_older_secret(client(1).id).await.answered(), SecretRemoval::NoOlder, "the only one stays");
    assert_eq!(add_secret(store, client(1).id, 2).await, SecretAddition::Added);
    assert_eq!(store.remove_older_secret(client(1).id).await.answered(), SecretRemoval::Removed);
    assert_eq!(secrets(store).await, [2], "the newest stays");
    assert_eq!(store.remove_older_secret(client(1).id).await.answered(), SecretRemoval::NoOlder);
    assert_eq!(store.remove_older_secret(client(9).id).await.answered(), SecretRemoval::Unknown);
}

pub(super) async fn of_many_new_secrets_the_newest_two_stay(store: &Candidate) {
    registered(store, client(1)).await;
    let answers = store.race(async |store, racer| {
        let digest = ClientSecretDigest::from_bytes([100 + u8::try_from(racer).expect("few racers"); 32]);
        store.add_client_secret(client(1).id, RegisteredSecret { digest, created_at: NOW }).await.answered()
    });
    assert_eq!(count(&answers, |answer| *answer == SecretAddition::Added), RACERS);
    let left = secrets(store).await;
    assert!(
        left.len() == 2 && left.iter().all(|secret| *secret >= 100),
        "of {RACERS} new secrets two stay and the first goes, not {left:?}"
    );
}

pub(super) async fn of_many_removals_of_an_older_secret_one_removes_it(store: &Candidate) {
    registered(store, client(1)).await;
    assert_eq!(add_secret(store, client(1).id, 2).await, SecretAddition::Added);
    let answers = store.race(async |store, _| store.remove_older_secret(client(1).id).await.answered());
    assert_eq!(count(&answers, |answer| *answer == SecretRemoval::Removed), 1, "of {RACERS} removals exactly one removes it");
    assert_eq!(count(&answers, |answer| *answer == SecretRemoval::NoOlder), RACERS - 1);
    assert_eq!(secrets(store).await, [2], "the newest stays");
}

async fn add_secret(store: &Candidate, client: ClientId, number: u8) -> SecretAddition {
    let secret = RegisteredSecret { digest: ClientSecretDigest::from_bytes([number; 32]), created_at: NOW };
    store.add_client_secret(client, secret).await.answered()
}

/// The numbers of client 1's secrets.
async fn secrets(store: &Candidate) -> Vec<u8> {
    let client = store.client(client(1).id).await.answered().expect("the client is there");
    client.secrets.iter().map(|secret| secret.digest.as_bytes()[0]).collect()
}

async fn registered(store: &Candidate, client: Client) {
    assert_eq!(store.create_client(client).await.answered(), ClientCreation::Created);
}

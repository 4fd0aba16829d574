use lyceum::domain::{ClientProof, Generation};
use lyceum::store::{GrantStore, Redemption, Rotation};

use crate::postgres_server::cluster;
use crate::{CODE, LIFETIMES, NOW, approved_grant, needs_postgres, store};

const CALLERS: usize = 64;
const ROUNDS: usize = 10;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn s01_of_many_redemptions_through_two_pools_one_wins() {
    needs_postgres!();
    for _ in 0..ROUNDS {
        let url = cluster().schema();
        let stores = [store(&url).await, store(&url).await];
        approved_grant(&stores[0]).await;
        let attempts: Vec<_> = (0..CALLERS)
            .map(|number| {
                let store = stores[number % 2].clone();
                tokio::spawn(async move { store.redeem_authorization_code(&CODE, ClientProof::Pkce, LIFETIMES, NOW).await.unwrap() })
            })
            .collect();
        let mut winners = 0;
        for attempt in attempts {
            match attempt.await.unwrap() {
                Redemption::Redeemed(_) => winners += 1,
                Redemption::AlreadyRedeemed { at, .. } => assert_eq!(at, NOW),
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(winners, 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn s04_of_many_rotations_through_two_pools_one_wins_and_the_others_repeat_it() {
    needs_postgres!();
    for _ in 0..ROUNDS {
        let url = cluster().schema();
        let stores = [store(&url).await, store(&url).await];
        let grant = approved_grant(&stores[0]).await;
        let _ = stores[0].redeem_authorization_code(&CODE, ClientProof::Pkce, LIFETIMES, NOW).await.unwrap();
        let attempts: Vec<_> = (0..CALLERS)
            .map(|number| {
                let store = stores[number % 2].clone();
                tokio::spawn(async move { store.rotate(&grant, Generation::FIRST, LIFETIMES, NOW).await.unwrap() })
            })
            .collect();
        let mut winners = 0;
        for attempt in attempts {
            match attempt.await.unwrap() {
                Rotation::Rotated(_) => winners += 1,
                Rotation::Repeated(grant) => assert_eq!(grant.generation, Generation::new(1)),
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(winners, 1);
    }
}

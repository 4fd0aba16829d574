use std::time::Duration;

use lyceum::domain::ClientPolicy;

use super::world::*;

const INSIDE: u64 = 30;
const OUTSIDE: u64 = 31;
const IDLE: u64 = 30 * 24 * 3600;

/// What has happened to the grant before the token is presented.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Before {
    Nothing,
    Revoked,
    UserLeft,
    Seconds(u64),
}

/// Which token is presented: how many have come after it.
type Age = usize;

/// What becomes of it.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Outcome {
    /// A new token, and the grant lives.
    Successor,
    /// The token that came after it already, and the grant lives.
    SameSuccessor,
    /// `invalid_scope`; nothing changes, and the current token still works.
    WrongScope,
    /// `invalid_grant`, and no token of the grant works any more.
    Dead,
    /// `invalid_scope`, and no token of the grant works any more, as before.
    WrongScopeAndDead,
}

const TABLE: &[(Before, Age, Option<&str>, Outcome)] = &[
    (Before::Nothing, 0, None, Outcome::Successor),
    (Before::Nothing, 0, Some("service:self_read"), Outcome::Successor),
    (Before::Nothing, 0, Some("service:other"), Outcome::WrongScope),
    (Before::Nothing, 0, Some("nonsense"), Outcome::WrongScope),
    (Before::Seconds(IDLE - 1), 0, None, Outcome::Successor),
    (Before::Seconds(IDLE), 0, None, Outcome::Dead),
    (Before::Seconds(INSIDE), 1, None, Outcome::SameSuccessor),
    (Before::Seconds(INSIDE), 1, Some("service:self_read"), Outcome::SameSuccessor),
    (Before::Seconds(INSIDE), 1, Some("service:other"), Outcome::WrongScope),
    (Before::Seconds(OUTSIDE), 1, None, Outcome::Dead),
    (Before::Seconds(OUTSIDE), 1, Some("service:self_read"), Outcome::Dead),
    (Before::Seconds(OUTSIDE), 1, Some("service:other"), Outcome::Dead),
    (Before::Nothing, 2, None, Outcome::Dead),
    (Before::Nothing, 2, Some("service:other"), Outcome::Dead),
    // What is no list of scopes at all is refused before anybody looks at the token.
    (Before::Nothing, 2, Some("nonsense"), Outcome::WrongScope),
    (Before::Nothing, 3, None, Outcome::Dead),
    (Before::Revoked, 0, None, Outcome::Dead),
    (Before::Revoked, 0, Some("service:other"), Outcome::WrongScopeAndDead),
    (Before::Revoked, 1, None, Outcome::Dead),
    (Before::Revoked, 1, Some("service:other"), Outcome::Dead),
    (Before::UserLeft, 0, None, Outcome::Dead),
    (Before::UserLeft, 1, None, Outcome::Dead),
];

#[tokio::test]
async fn decision_3_15_what_becomes_of_a_refresh_token() {
    for row in TABLE {
        assert_eq!(outcome(*row).await, row.3, "{row:?}");
    }
}

async fn outcome((before, age, scope, _): (Before, Age, Option<&str>, Outcome)) -> Outcome {
    let world = World::new().await;
    let client = world.client(ClientPolicy::Public).await;
    let mut tokens = vec![world.tokens(&client).await];
    for _ in 0..3 {
        tokens.push(world.refresh(&client, &tokens.last().unwrap().refresh).await.tokens());
    }
    match before {
        Before::Nothing => {}
        Before::Revoked => {
            let grant = world.claims(&tokens[0].access).await["jti"].as_str().unwrap().split('.').next().unwrap().parse().unwrap();
            assert!(lyceum::store::GrantStore::revoke_grant(&*world.store, &grant, START).await.unwrap());
        }
        Before::UserLeft => world.users.leave(),
        Before::Seconds(seconds) => world.clock.advance(Duration::from_secs(seconds)),
    }
    let presented = tokens.len() - 1 - age;
    let fields = refresh_fields(&client, &tokens[presented].refresh).with("scope", scope.unwrap_or_default());
    let answer = world.post(&fields).await;
    let current = tokens.last().unwrap().refresh.clone();
    if answer.status == 200 {
        let next = answer.tokens().refresh;
        let known = tokens.iter().position(|token| token.refresh == next);
        assert!(known.is_none() || known == Some(presented + 1), "no other token is ever given out again");
        assert_eq!(world.refresh(&client, &next).await.status, 200, "the grant lives");
        return if known.is_some() { Outcome::SameSuccessor } else { Outcome::Successor };
    }
    let lives = works(&world, &client, &current).await;
    let (status, word) = answer.error();
    match (status, &*word, lives) {
        (400, "invalid_scope", true) => Outcome::WrongScope,
        (400, "invalid_scope", false) => Outcome::WrongScopeAndDead,
        (400, "invalid_grant", false) => Outcome::Dead,
        other => panic!("{other:?}"),
    }
}

async fn works(world: &World, client: &TestClient, token: &str) -> bool {
    world.refresh(client, token).await.status == 200
}

#[tokio::test]
async fn decision_3_15_a_token_of_another_client_or_one_that_was_never_issued_changes_nothing() {
    let world = World::new().await;
    let (client, other) = (world.client(ClientPolicy::Public).await, world.client(ClientPolicy::Public).await);
    let first = world.tokens(&client).await;
    let second = world.refresh(&client, &first.refresh).await.tokens();
    world.clock.advance(Duration::from_secs(OUTSIDE));
    for scope in ["", "service:other"] {
        let by_another = refresh_fields(&other, &first.refresh).with("scope", scope);
        assert_eq!(world.post(&by_another).await.error(), error(400, "invalid_grant"));
    }
    assert!(works(&world, &client, &second.refresh).await, "a stranger who shows an old token does not end the grant");
}

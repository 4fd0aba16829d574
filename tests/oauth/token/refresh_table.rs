use std::time::Duration;

use lyceum::domain::ClientPolicy;

use super::harness::*;

const INSIDE: u64 = 30;
const OUTSIDE: u64 = 31;
const IDLE: u64 = 30 * 24 * 3600;

/// State of the grant before the token is presented.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Before {
    Nothing,
    Revoked,
    UserLeft,
    Seconds(u64),
}

/// Age of the presented token: the number of its successors.
type Age = usize;

/// Expected outcome.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Outcome {
    /// A new token; the grant stays live.
    Successor,
    /// The existing successor; the grant stays live.
    SameSuccessor,
    /// `invalid_scope`; nothing changes, and the current token stays valid.
    WrongScope,
    /// `invalid_grant`; all tokens of the grant are invalid.
    Dead,
    /// `invalid_scope`; all tokens of the grant were and stay invalid.
    WrongScopeAndDead,
}

const TABLE: &[(Before, Age, Option<&str>, Outcome)] = &[
    (Before::Nothing, 0, None, Outcome::Successor),
    (
        Before::Nothing,
        0,
        Some("service:self_read"),
        Outcome::Successor,
    ),
    (
        Before::Nothing,
        0,
        Some("service:other"),
        Outcome::WrongScope,
    ),
    (Before::Nothing, 0, Some("nonsense"), Outcome::WrongScope),
    (Before::Seconds(IDLE - 1), 0, None, Outcome::Successor),
    (Before::Seconds(IDLE), 0, None, Outcome::Dead),
    (Before::Seconds(INSIDE), 1, None, Outcome::SameSuccessor),
    (
        Before::Seconds(INSIDE),
        1,
        Some("service:self_read"),
        Outcome::SameSuccessor,
    ),
    (
        Before::Seconds(INSIDE),
        1,
        Some("service:other"),
        Outcome::WrongScope,
    ),
    (Before::Seconds(OUTSIDE), 1, None, Outcome::Dead),
    (
        Before::Seconds(OUTSIDE),
        1,
        Some("service:self_read"),
        Outcome::Dead,
    ),
    (
        Before::Seconds(OUTSIDE),
        1,
        Some("service:other"),
        Outcome::Dead,
    ),
    (Before::Nothing, 2, None, Outcome::Dead),
    (Before::Nothing, 2, Some("service:other"), Outcome::Dead),
    // A malformed scope parameter is refused before the token is checked.
    (Before::Nothing, 2, Some("nonsense"), Outcome::WrongScope),
    (Before::Nothing, 3, None, Outcome::Dead),
    (Before::Revoked, 0, None, Outcome::Dead),
    (
        Before::Revoked,
        0,
        Some("service:other"),
        Outcome::WrongScopeAndDead,
    ),
    (Before::Revoked, 1, None, Outcome::Dead),
    (Before::Revoked, 1, Some("service:other"), Outcome::Dead),
    (Before::UserLeft, 0, None, Outcome::Dead),
    (Before::UserLeft, 1, None, Outcome::Dead),
];

// Proves: spec 3.15
#[tokio::test]
async fn a_refresh_token_in_every_state_and_at_every_age() {
    for row in TABLE {
        assert_eq!(outcome(*row).await, row.3, "{row:?}");
    }
}

async fn outcome((before, age, scope, _): (Before, Age, Option<&str>, Outcome)) -> Outcome {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Public).await;
    let mut tokens = vec![harness.tokens(&client).await];
    for _ in 0..3 {
        tokens.push(
            harness
                .refresh(&client, &tokens.last().unwrap().refresh)
                .await
                .tokens(),
        );
    }
    match before {
        Before::Nothing => {}
        Before::Revoked => {
            let grant = harness.claims(&tokens[0].access).await["jti"]
                .as_str()
                .unwrap()
                .split('.')
                .next()
                .unwrap()
                .parse()
                .unwrap();
            assert!(
                lyceum::store::GrantStore::revoke_grant(&*harness.store, &grant, START)
                    .await
                    .unwrap()
            );
        }
        Before::UserLeft => harness.users.remove_all(),
        Before::Seconds(seconds) => harness.clock.advance(Duration::from_secs(seconds)),
    }
    let presented = tokens.len() - 1 - age;
    let fields = refresh_fields(&client, &tokens[presented].refresh)
        .with("scope", scope.unwrap_or_default());
    let answer = harness.post(&fields).await;
    let current = tokens.last().unwrap().refresh.clone();
    if answer.status == 200 {
        let next = answer.tokens().refresh;
        let known = tokens.iter().position(|token| token.refresh == next);
        assert!(
            known.is_none() || known == Some(presented + 1),
            "no other token is ever issued again"
        );
        assert_eq!(
            harness.refresh(&client, &next).await.status,
            200,
            "the grant is live"
        );
        return if known.is_some() {
            Outcome::SameSuccessor
        } else {
            Outcome::Successor
        };
    }
    let lives = works(&harness, &client, &current).await;
    let (status, word) = answer.error();
    match (status, &*word, lives) {
        (400, "invalid_scope", true) => Outcome::WrongScope,
        (400, "invalid_scope", false) => Outcome::WrongScopeAndDead,
        (400, "invalid_grant", false) => Outcome::Dead,
        other => panic!("{other:?}"),
    }
}

async fn works(harness: &Harness, client: &TestClient, token: &str) -> bool {
    harness.refresh(client, token).await.status == 200
}

// Proves: spec 3.15
#[tokio::test]
async fn a_token_of_another_client_or_one_that_was_never_issued_changes_nothing() {
    let harness = Harness::new().await;
    let (client, other) = (
        harness.client(ClientPolicy::Public).await,
        harness.client(ClientPolicy::Public).await,
    );
    let first = harness.tokens(&client).await;
    let second = harness.refresh(&client, &first.refresh).await.tokens();
    harness.clock.advance(Duration::from_secs(OUTSIDE));
    for scope in ["", "service:other"] {
        let by_another = refresh_fields(&other, &first.refresh).with("scope", scope);
        assert_eq!(
            harness.post(&by_another).await.error(),
            error(400, "invalid_grant")
        );
    }
    assert!(
        works(&harness, &client, &second.refresh).await,
        "another client that presents an old token does not revoke the grant"
    );
}

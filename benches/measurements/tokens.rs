//! Code exchanges, refreshes and verification of tokens, against plain RSA operations.

use bytes::Bytes;

use crate::support::client::{CONNECTIONS, Connection, send_all, token_request};
use crate::support::logins::{exchange, refresh};
use crate::support::process::{Process, SERVER};
use crate::support::report::{ROUNDS, Sample, compare, measured};

/// Number of exchanges or refreshes per round.
const REQUESTS: usize = 2_000;
/// Number of plain signatures per round.
const SIGNATURES: u64 = 1_000;
/// Number of verifications per round.
const VERIFICATIONS: u64 = 20_000;

/// A code exchange against one plain signature.
pub async fn exchanges(name: &str, store: &str, algorithm: &str) {
    let mut ours = Process::of_this(SERVER, &["serve", store, "300", algorithm]);
    let mut bare = Process::of_this(SERVER, &["bare"]);
    let mut rounds = Vec::new();
    for round in 0..ROUNDS {
        let codes = codes(&mut ours, round * REQUESTS, REQUESTS);
        let requests: Vec<Bytes> = codes
            .iter()
            .map(|code| token_request(&exchange(code)))
            .collect();
        let next = move |number: u64| requests.get(usize::try_from(number).unwrap()).cloned();
        let side = measured(&mut ours, async |process| {
            send_all(process.address(), 200, 0, next).await
        })
        .await;
        rounds.push([side, repeated(&mut bare, "sign", SIGNATURES).await]);
    }
    compare(name, rounds);
}

/// Sequential refreshes on each connection against one plain signature.
pub async fn refreshes(name: &str, store: &str) {
    let mut ours = Process::of_this(SERVER, &["serve", store, "300"]);
    let mut bare = Process::of_this(SERVER, &["bare"]);
    let mut logins = Vec::new();
    for code in codes(&mut ours, 0, CONNECTIONS) {
        let mut connection = Connection::open(ours.address()).await;
        let next = refresh(connection.ask(&token_request(&exchange(&code))).await.body);
        logins.push((connection, next));
    }
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS {
        let side = measured(&mut ours, async |_| {
            let mut refreshing = tokio::task::JoinSet::new();
            for (mut connection, mut next) in logins.drain(..) {
                refreshing.spawn(async move {
                    for _ in 0..REQUESTS / CONNECTIONS {
                        let answer = connection.ask(&token_request(&next)).await;
                        assert_eq!(answer.status, 200, "{}", answer.head);
                        next = refresh(answer.body);
                    }
                    (connection, next)
                });
            }
            logins = refreshing.join_all().await;
            REQUESTS as u64
        });
        rounds.push([side.await, repeated(&mut bare, "sign", SIGNATURES).await]);
    }
    compare(name, rounds);
}

/// `guard_verify`: a request through a `Guard` against one plain signature verification.
pub async fn guard() {
    let mut process = Process::of_this(SERVER, &["bare"]);
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS {
        rounds.push([
            repeated(&mut process, "guard", VERIFICATIONS).await,
            repeated(&mut process, "verify", VERIFICATIONS).await,
        ]);
    }
    compare("guard_verify", rounds);
}

pub fn codes(process: &mut Process, first: usize, count: usize) -> Vec<String> {
    process
        .ask(&format!("codes {first} {count}"))
        .split(' ')
        .map(str::to_owned)
        .collect()
}

async fn repeated(process: &mut Process, work: &str, times: u64) -> Sample {
    measured(process, async |process| {
        process.ask(&format!("{work} {times}"));
        times
    })
    .await
}

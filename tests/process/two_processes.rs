//! Two servers on one database.

use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use crate::grants::{Outcome, WebClient, issue_codes};
use crate::report::report;
use crate::support::Client;
use crate::test_database::{TestDatabase, on_each_database};

const ROUNDS: u64 = 200;
const CALLS: usize = 64;
/// Retry window of a refresh. Servers count in whole seconds.
const WINDOW: Duration = Duration::from_secs(30 - 1);
/// Number of rounds that may take longer than the window on a busy machine.
const SLOW_ROUNDS: u64 = 10;

on_each_database!(
    of_64_exchanges_of_one_code_at_two_processes_exactly_one_wins,
    of_64_refreshes_of_one_token_at_two_processes_all_have_one_successor,
    two_processes_that_start_at_once_on_a_fresh_database_agree_on_everything,
);

// Proves: threats 1
async fn of_64_exchanges_of_one_code_at_two_processes_exactly_one_wins(database: TestDatabase) {
    let [(first, ready), (second, also_ready)] = database.two_ready();
    let clients = [
        WebClient::from_ready_line(&ready),
        WebClient::from_ready_line(&also_ready),
    ];
    let (mut won, mut refused) = (0, 0);
    for code in issue_codes(&database, &ready, ROUNDS).await {
        let outcomes = at_once(&clients, |client| {
            let code = code.clone();
            async move { client.exchange(&code).await }
        })
        .await;
        let winners: Vec<&String> = outcomes.iter().filter_map(Outcome::tokens).collect();
        assert_eq!(winners.len(), 1, "{outcomes:?}");
        assert_eq!(
            outcomes
                .iter()
                .filter(|outcome| **outcome == Outcome::InvalidGrant)
                .count(),
            CALLS - 1,
            "{outcomes:?}"
        );
        won += 1;
        refused += CALLS - 1;
        // The other calls were replays, which revoke the tokens of the first one (threats 2).
        assert_eq!(
            clients[won % 2].refresh(winners[0]).await,
            Some(Outcome::InvalidGrant)
        );
    }
    assert_eq!(won, ROUNDS as usize);
    let found =
        format!("{ROUNDS} rounds of {CALLS} exchanges of one code: {won} won, {refused} refused");
    report("two processes", format!("{}: {found}", database.name()));
    first.stop();
    second.stop();
    database.check();
}

// Proves: threats 4
async fn of_64_refreshes_of_one_token_at_two_processes_all_have_one_successor(
    database: TestDatabase,
) {
    let [(first, ready), (second, also_ready)] = database.two_ready();
    let clients = [
        WebClient::from_ready_line(&ready),
        WebClient::from_ready_line(&also_ready),
    ];
    let (mut answered, mut slow) = (0, 0);
    for (round, code) in issue_codes(&database, &ready, ROUNDS)
        .await
        .into_iter()
        .enumerate()
    {
        let token = clients[round % 2].exchange(&code).await.unwrap().token();
        let start = now();
        let outcomes = at_once(&clients, |client| {
            let token = token.clone();
            async move { client.refresh(&token).await }
        })
        .await;
        let took = start.elapsed();
        let successors: Vec<&String> = outcomes.iter().filter_map(Outcome::tokens).collect();
        assert!(
            !successors.is_empty()
                && successors
                    .iter()
                    .all(|successor| *successor == successors[0]),
            "{outcomes:?}"
        );
        answered += successors.len();
        if took > WINDOW {
            // A refresh after the retry window is treated as a replay, which ends the grant.
            let late = outcomes
                .iter()
                .filter(|outcome| **outcome == Outcome::InvalidGrant)
                .count();
            assert_eq!(successors.len() + late, CALLS, "{outcomes:?}");
            report(
                "two processes",
                format!(
                    "{}: round {round} took {took:.0?}, and {late} of its calls came too late",
                    database.name()
                ),
            );
            slow += 1;
            continue;
        }
        assert_eq!(
            successors.len(),
            CALLS,
            "inside the window every call gets the successor, in round {round}: {outcomes:?}"
        );
        // Only the successor is current. The first token is invalid once the successor is used.
        let third = clients[0].refresh(successors[0]).await.unwrap().token();
        assert!(![&token, successors[0]].contains(&&third));
        assert_eq!(
            clients[1].refresh(&token).await,
            Some(Outcome::InvalidGrant)
        );
        assert_eq!(
            clients[0].refresh(&third).await,
            Some(Outcome::InvalidGrant),
            "a used token did not end its grant"
        );
    }
    let found = format!(
        "{ROUNDS} rounds of {CALLS} refreshes of one token: {answered} got the one successor"
    );
    report(
        "two processes",
        format!(
            "{}: {found}, {slow} rounds took longer than the retry window",
            database.name()
        ),
    );
    assert!(
        slow <= SLOW_ROUNDS,
        "{slow} rounds took longer than the retry window"
    );
    first.stop();
    second.stop();
    database.check();
}

#[allow(
    clippy::disallowed_methods,
    reason = "the servers' window is open in the time of the machine"
)]
fn now() -> Instant {
    Instant::now()
}

/// Concurrent calls, half of them at each server.
async fn at_once<F>(clients: &[WebClient; 2], call: impl Fn(WebClient) -> F) -> Vec<Outcome>
where
    F: Future<Output = Option<Outcome>> + Send + 'static,
{
    let calls: JoinSet<_> = (0..CALLS)
        .map(|number| call(clients[number % 2].clone()))
        .collect();
    calls
        .join_all()
        .await
        .into_iter()
        .map(|outcome| outcome.expect("no answer came"))
        .collect()
}

async fn two_processes_that_start_at_once_on_a_fresh_database_agree_on_everything(
    database: TestDatabase,
) {
    let [(first, ready), (second, also_ready)] = database.two_ready();
    let client = Client::new();
    let of_both = [
        "/client/id",
        "/client/secret",
        "/public_client/id",
        "/application_id",
        "/scopes",
        "/user",
        "/admin",
        "/api_key",
    ];
    for path in of_both {
        assert_eq!(ready.pointer(path), also_ready.pointer(path), "{path}");
    }
    let mut answers = Vec::new();
    for server in [&ready, &also_ready] {
        let base = server["base_url"].as_str().unwrap();
        let keys = client
            .get(&format!("{base}/v1/oauth/jwk-set"), &[])
            .await
            .json();
        assert_eq!(keys["keys"].as_array().unwrap().len(), 1, "{keys}");
        let students =
            format!("{base}/v1/students?includeGraduates=true&includeWithdrawn=true&size=1000");
        let students = client
            .get(
                &students,
                &[("x-api-key", ready["api_key"].as_str().unwrap())],
            )
            .await
            .json();
        answers.push((keys, students["data"].clone()));
    }
    assert_eq!(answers[0], answers[1]);
    assert!(
        answers[0].1["totalElements"].as_u64() > Some(1000),
        "{}",
        answers[0].1["totalElements"]
    );
    // Each server accepts the other's tokens.
    let codes = issue_codes(&database, &ready, 1).await;
    let token = WebClient::from_ready_line(&ready)
        .exchange(&codes[0])
        .await
        .unwrap()
        .token();
    WebClient::from_ready_line(&also_ready)
        .refresh(&token)
        .await
        .unwrap()
        .token();
    first.stop();
    second.stop();
}

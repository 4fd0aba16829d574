use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use tokio::sync::mpsc;

use crate::grants::{Outcome, WebClient, issue_codes};
use crate::report::report;
use crate::test_database::{TestDatabase, on_each_database};

const CODES: usize = 1000;
/// Number of concurrent exchanges.
const CALLERS: usize = 16;
/// Three server processes, each killed when this many codes are redeemed.
const KILLED_AT: [usize; 3] = [150, 400, 700];

on_each_database!(
    a_kill_9_during_1000_exchanges_leaves_no_code_spendable_twice_and_the_database_intact
);

async fn a_kill_9_during_1000_exchanges_leaves_no_code_spendable_twice_and_the_database_intact(
    database: TestDatabase,
) {
    let (server, ready) = database.ready();
    server.stop();
    let codes = issue_codes(&database, &ready, CODES as u64).await;

    let mut spent = HashSet::new();
    let mut kills = 0;
    // The last process handles the remaining codes.
    for killed_at in KILLED_AT.map(Some).into_iter().chain([None]) {
        let mut to_be_killed = killed_at;
        let (server, ready) = database.ready();
        let (answers, mut answered) = mpsc::unbounded_channel();
        let client = WebClient::from_ready_line(&ready);
        let left: Vec<String> = codes
            .iter()
            .filter(|code| !spent.contains(*code))
            .cloned()
            .collect();
        let queue = Arc::new(Mutex::new(left.into_iter()));
        for _ in 0..CALLERS {
            let (queue, answers, client) = (queue.clone(), answers.clone(), client.clone());
            tokio::spawn(async move {
                while let Some(code) = { queue.lock().unwrap().next() } {
                    let Some(outcome) = client.exchange(&code).await else {
                        break;
                    };
                    let _ = answers.send((code, outcome));
                }
            });
        }
        drop(answers);
        while let Some((code, outcome)) = answered.recv().await {
            match outcome {
                Outcome::Tokens(_) => assert!(spent.insert(code), "a code was redeemed twice"),
                // The response was lost, but the code was redeemed, so it is refused now.
                Outcome::InvalidGrant => {}
                Outcome::Other(..) => panic!("{outcome:?}"),
            }
            // Removed, because responses that were in flight arrive after the kill.
            if to_be_killed.take_if(|at| *at == spent.len()).is_some() {
                server.signal("KILL");
                kills += 1;
            }
        }
        server.kill();
    }

    let (server, ready) = database.ready();
    let client = WebClient::from_ready_line(&ready);
    for code in &codes {
        assert_eq!(
            client.exchange(code).await,
            Some(Outcome::InvalidGrant),
            "a code can be redeemed after the crash"
        );
    }
    server.stop();
    database.check();
    let lost = CODES - spent.len();
    let found = format!(
        "{kills} kills, {} of {CODES} codes spent exactly once, {lost} lost their answer",
        spent.len()
    );
    report("kill -9", format!("{}: {found}", database.name()));
    assert_eq!(kills, KILLED_AT.len());
    assert!(
        lost <= kills * CALLERS,
        "more responses were lost than were in flight"
    );
}

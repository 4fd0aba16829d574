use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use tokio::sync::mpsc;

use crate::grants::{Outcome, WebClient, issue_codes};
use crate::place::{Place, on_each_database};
use crate::report::report;

const CODES: usize = 1000;

on_each_database!(a_kill_9_during_1000_exchanges_leaves_no_code_spendable_twice_and_the_database_intact);

async fn a_kill_9_during_1000_exchanges_leaves_no_code_spendable_twice_and_the_database_intact(place: Place) {
    let (server, ready) = place.ready();
    server.stop();
    let codes = issue_codes(&place, &ready, CODES as u64).await;

    let mut spent = HashSet::new();
    let mut kills = 0;
    // Three lives, each killed in the middle of its exchanges, then one that answers everything that is left.
    for until in [150, 400, 700, CODES] {
        let (server, ready) = place.ready();
        let (answers, mut answered) = mpsc::unbounded_channel();
        let client = WebClient::of(&ready);
        let left: Vec<String> = codes.iter().filter(|code| !spent.contains(*code)).cloned().collect();
        let queue = Arc::new(Mutex::new(left.into_iter()));
        for _ in 0..16 {
            let (queue, answers, client) = (queue.clone(), answers.clone(), client.clone());
            tokio::spawn(async move {
                while let Some(code) = { queue.lock().unwrap().next() } {
                    let Some(outcome) = client.exchange(&code).await else { break };
                    let _ = answers.send((code, outcome));
                }
            });
        }
        drop(answers);
        while let Some((code, outcome)) = answered.recv().await {
            match outcome {
                Outcome::Tokens(_) => assert!(spent.insert(code), "a code was spent twice"),
                // The kill swallowed the answer, not the transition: the code was spent, and is refused now.
                Outcome::InvalidGrant => {}
                Outcome::Other(..) => panic!("{outcome:?}"),
            }
            if spent.len() == until && until < CODES {
                server.signal("KILL");
                kills += 1;
            }
        }
        server.kill();
    }

    let (server, ready) = place.ready();
    let client = WebClient::of(&ready);
    for code in &codes {
        assert_eq!(client.exchange(code).await, Some(Outcome::InvalidGrant), "a code can be spent after the crash");
    }
    server.stop();
    place.check();
    let lost = CODES - spent.len();
    let found = format!("{kills} kills, {} of {CODES} codes spent exactly once, {lost} lost their answer", spent.len());
    report("kill -9", format!("{}: {found}", place.name()));
    assert!(spent.len() > 900, "only {} codes were spent", spent.len());
}

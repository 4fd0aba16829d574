//! Time of a code exchange while other clients search a large school.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use bytes::Bytes;
use tempfile::TempDir;

use super::pages::keyed_request;
use super::tokens::codes;
use crate::support::client::{Connection, load, token_request};
use crate::support::logins::exchange;
use crate::support::process::{ALL, Process};
use crate::support::report::{ROUNDS, print};

/// Number of codes exchanged in each half of a round.
const CODES: usize = 300;
/// Longer than the exchanges take; the searches end with them.
const LONG: Duration = Duration::from_secs(60);

/// `login_while_searching`: the 99th percentile of code exchanges while 16 clients search 100,000
/// students by name, against the same without searches.
pub async fn logins(folder: &TempDir) {
    let store = format!(
        "sqlite:{}",
        folder.path().join("searches.db").to_str().unwrap()
    );
    let mut process = Process::of_this(ALL, &["serve", &store, "100000"]);
    let address = process.address();
    let (mut rounds, mut searched) = (Vec::new(), 0);
    for round in 0..ROUNDS {
        let mut codes = codes(&mut process, round * 2 * CODES, 2 * CODES);
        let under_load = codes.split_off(CODES);
        let rest = p99(address, &codes).await;
        let first = searched;
        let searching = tokio::spawn(load(address, LONG, 200, first, |number| {
            keyed_request(&search(number), "")
        }));
        let loaded = p99(address, &under_load).await;
        searching.abort();
        searched += 100_000;
        rounds.push((
            loaded.as_secs_f64() / rest.as_secs_f64(),
            format!("{loaded:.1?} against {rest:.1?} at rest"),
        ));
    }
    print("login_while_searching", rounds);
}

/// The 99th percentile of sequential exchanges.
async fn p99(address: SocketAddr, codes: &[String]) -> Duration {
    let requests: Vec<Bytes> = codes
        .iter()
        .map(|code| token_request(&exchange(code)))
        .collect();
    let mut connection = Connection::open(address).await;
    let mut times = Vec::new();
    for request in requests {
        let started = Instant::now();
        assert_eq!(connection.ask(&request).await.status, 200);
        times.push(started.elapsed());
    }
    times.sort();
    times[times.len() * 99 / 100]
}

/// A search not made before: a name with these digits, in varying order and page.
fn search(number: u64) -> String {
    const ORDERS: [&str; 4] = ["ID", "NAME", "EMAIL", "STUDENT_NUMBER"];
    let order = ORDERS[(number % 4) as usize];
    format!(
        "/v1/students?name={}&sortBy={order}&size={}",
        number / 4 % 1000,
        20 + number / 4000 % 200
    )
}

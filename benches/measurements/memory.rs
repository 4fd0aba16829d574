//! Memory of a server after 100,000 requests, on a SQLite file that another process filled.

use bytes::Bytes;
use tempfile::TempDir;

use super::pages::{keyed_request, query_variant};
use crate::support::client::send_all;
use crate::support::process::{Process, SERVER};
use crate::support::report::print;

const REQUESTS: u64 = 100_000;

/// `rss_1200` and `rss_100k`: MiB after every record was rendered and 100,000 requests were served.
pub async fn resident(name: &str, count: u32, folder: &TempDir) {
    let store = format!(
        "sqlite:{}",
        folder.path().join(format!("{name}.db")).to_str().unwrap()
    );
    let students = count.to_string();
    drop(Process::of_this(SERVER, &["serve", &store, &students]));
    let process = Process::of_this(SERVER, &["serve", &store, &students]);
    let start = process.resident_mib();
    let everything: Vec<Bytes> = all_pages(count)
        .iter()
        .map(|target| keyed_request(target, ""))
        .collect();
    let records = send_all(process.address(), 200, 0, move |number| {
        everything.get(usize::try_from(number).unwrap()).cloned()
    })
    .await;
    let rendered = process.resident_mib();
    let pages = u64::from(count / 300);
    let coding = |number: u64| if number.is_multiple_of(4) { GZIP } else { "" };
    let next = move |number| {
        (number < REQUESTS).then(|| keyed_request(&query_variant(number, pages), coding(number)))
    };
    assert_eq!(send_all(process.address(), 200, 0, next).await, REQUESTS);
    let end = process.resident_mib();
    let note = format!(
        "MiB; {start:.1} at the start, {rendered:.1} after {records} answers with every record in them"
    );
    print(name, vec![(end, note)]);
}

const GZIP: &str = "accept-encoding: gzip\r\n";

/// Lists that together contain every record.
fn all_pages(students: u32) -> Vec<String> {
    let mut targets: Vec<String> = (0..students.div_ceil(1000))
        .map(|page| {
            format!(
                "/v1/students?includeGraduates=true&includeWithdrawn=true&size=1000&page={page}"
            )
        })
        .collect();
    targets.extend(["clubs", "projects"].map(|list| format!("/v1/{list}?size=1000")));
    let months = (9..=12)
        .map(|month| (2026, month))
        .chain((1..=9).map(|month| (2027, month)));
    for (year, month) in months {
        for list in ["meals", "schedules", "timetables"] {
            targets.push(format!(
                "/v1/neis/{list}?fromDate={year}-{month:02}-01&toDate={year}-{month:02}-28"
            ));
        }
    }
    targets
}

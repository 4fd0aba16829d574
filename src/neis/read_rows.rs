use std::time::Duration;

use super::wire::{Answer, Meaning, Query, Row};
use super::{Client, SyncOutcome, SyncRun, UpstreamFault};

/// Pauses before the second, third and fourth attempt at a page.
const PAUSES: [Duration; 3] = [
    Duration::from_secs(2),
    Duration::from_secs(4),
    Duration::from_secs(8),
];

/// Reads every page of a list, and counts the calls in the record of the run.
///
/// # Errors
/// The outcome of the run, when not every row could be read.
pub(super) async fn read_rows(
    client: &Client,
    query: &Query,
    run: &mut SyncRun,
) -> Result<Vec<Row>, SyncOutcome> {
    let mut rows = Vec::new();
    let mut expected = None;
    for index in 1.. {
        let Some((total, page)) = read_page(client, query, index, run).await? else {
            // The portal has nothing, or less than its first page said.
            return Err(match expected {
                None => SyncOutcome::Empty,
                Some(total) => incomplete(total, &rows),
            });
        };
        if *expected.get_or_insert(total) != total {
            return Err(SyncOutcome::ChangedMeanwhile);
        }
        let is_last = page.is_empty();
        rows.extend(page);
        if total == 0 {
            return Err(SyncOutcome::Empty);
        }
        if rows.len() == total {
            return Ok(rows);
        }
        if is_last || rows.len() > total {
            return Err(incomplete(total, &rows));
        }
    }
    Err(SyncOutcome::TooManyCalls)
}

fn incomplete(total: usize, rows: &[Row]) -> SyncOutcome {
    let rows = rows.len();
    SyncOutcome::Incomplete { total, rows }
}

/// Reads a page, in up to four attempts. Returns the number of all rows and those of the page;
/// `None` if the portal has no such page.
async fn read_page(
    client: &Client,
    query: &Query,
    index: usize,
    run: &mut SyncRun,
) -> Result<Option<(usize, Vec<Row>)>, SyncOutcome> {
    let mut pauses = PAUSES.into_iter();
    loop {
        if run.calls >= client.max_calls {
            return Err(SyncOutcome::TooManyCalls);
        }
        run.calls += 1;
        let fault = match client.page(query, index).await {
            Ok(Answer::Page { total, rows }) => {
                run.code = Some(super::ResultCode::OK);
                return Ok(Some((total, rows)));
            }
            Ok(Answer::Result(code)) => {
                run.code = Some(code);
                match code.meaning() {
                    Meaning::Empty => return Ok(None),
                    Meaning::KeyRefused => return Err(SyncOutcome::KeyRefused),
                    Meaning::RequestRefused => return Err(SyncOutcome::RequestRefused),
                    Meaning::QuotaSpent => return Err(SyncOutcome::QuotaSpent),
                    // An answer that says it is fine has rows.
                    Meaning::Ok => UpstreamFault::Unexpected,
                    Meaning::Trouble => UpstreamFault::Code(code),
                }
            }
            Err(fault) => fault,
        };
        match pauses.next() {
            Some(time) => client.pause(time).await,
            None => return Err(SyncOutcome::Unavailable(fault)),
        }
    }
}

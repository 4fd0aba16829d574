use std::time::Duration;

use super::wire::{Answer, Meaning, Query, Row};
use super::{Client, SyncOutcome, SyncRun, UpstreamFault};

/// Pauses before the second, third and fourth attempt at a page.
const PAUSES: [Duration; 3] = [
    Duration::from_secs(2),
    Duration::from_secs(4),
    Duration::from_secs(8),
];

/// Maximum number of rows of a page, which is asked for.
const MAX_ROWS: usize = 1000;

/// Reads every page of a list, and counts the calls in the record of the run. A list of several pages
/// is read again without its last one: a row that goes while others come would move rows between
/// pages, and the numbers would not tell.
///
/// # Errors
/// The outcome of the run, when not every row could be read.
pub(super) async fn read_rows(
    client: &Client,
    query: &Query,
    run: &mut SyncRun,
) -> Result<Vec<Row>, SyncOutcome> {
    let mut rows: Vec<Row> = Vec::new();
    let mut expected = None;
    // The number of rows before each page.
    let mut starts = Vec::new();
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
        if total > MAX_ROWS.saturating_mul(client.max_calls as usize) {
            return Err(SyncOutcome::TooManyCalls);
        }
        if page.len() > MAX_ROWS {
            return Err(incomplete(total, &page));
        }
        let is_last = page.is_empty();
        starts.push(rows.len());
        rows.extend(page);
        if total == 0 {
            return Err(SyncOutcome::Empty);
        }
        if rows.len() == total {
            return unchanged(client, query, rows, &starts, run).await;
        }
        if is_last || rows.len() > total {
            return Err(incomplete(total, &rows));
        }
    }
    Err(SyncOutcome::TooManyCalls)
}

/// Reads all pages but the last again, and returns the rows if they are the same.
async fn unchanged(
    client: &Client,
    query: &Query,
    rows: Vec<Row>,
    starts: &[usize],
    run: &mut SyncRun,
) -> Result<Vec<Row>, SyncOutcome> {
    for (index, page) in (1..).zip(starts.windows(2)) {
        let again = read_page(client, query, index, run).await?;
        if again.is_none_or(|(_, again)| again != rows[page[0]..page[1]]) {
            return Err(SyncOutcome::ChangedMeanwhile);
        }
    }
    Ok(rows)
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

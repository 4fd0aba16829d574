use std::fmt;

use super::SyncKind;
use super::wire::ResultCode;
use crate::directory::RejectionReason;
use crate::domain::{DateRange, InvalidValue, SyncResult, Timestamp};

/// Maximum number of skipped rows that a record of a run names.
const MAX_NAMED: usize = 20;

/// Record of one run: what was read, and what it changed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SyncRun {
    /// The kind of the records.
    pub kind: SyncKind,
    /// The days that were read.
    pub window: DateRange,
    /// How the run ended.
    pub outcome: SyncOutcome,
    /// Number of requests to the portal, with those that were repeated.
    pub calls: u32,
    /// Number of records that are new in the directory.
    pub inserted: usize,
    /// Number of records with other content than before.
    pub updated: usize,
    /// Number of records that the portal no longer has.
    pub deleted: usize,
    /// Number of rows that were used, also those that changed nothing.
    pub used: usize,
    /// Number of rows that were not used.
    pub skipped: usize,
    /// The first of these rows.
    pub skipped_rows: Vec<SkippedRow>,
    /// The last result code of the portal.
    pub code: Option<ResultCode>,
    /// The numbers of the directory's versions before and after the run.
    pub versions: [u64; 2],
    /// The start of the run.
    pub started_at: Timestamp,
    /// The end of the run.
    pub ended_at: Timestamp,
}

/// A row that was not used.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkippedRow {
    /// Number of the row, from 1, in the order of the portal.
    pub row: usize,
    /// The field at fault, by its name on the portal.
    pub field: &'static str,
    /// The rule that its value breaks.
    pub rule: InvalidValue,
}

/// Outcome of a run. The directory is as before unless it is [`Synced`](Self::Synced).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SyncOutcome {
    /// The directory has what the portal has.
    Synced,
    /// The portal has no records of these days, which is normal before a timetable is published.
    /// Nothing is deleted.
    Empty,
    /// The portal refuses the key.
    KeyRefused,
    /// The portal refuses the request as malformed.
    RequestRefused,
    /// The quota of the day is spent. Later runs of the same Korean day send no requests.
    QuotaSpent,
    /// The portal did not give a usable answer, also when it was asked three more times.
    Unavailable(UpstreamFault),
    /// The rows do not add up to the number that the portal states, as without a key.
    Incomplete {
        /// Number of rows that the portal states.
        total: usize,
        /// Number of rows that it gave.
        rows: usize,
    },
    /// The portal's data changed between two pages.
    ChangedMeanwhile,
    /// The run needs more requests than it [may send](super::ClientBuilder::max_calls).
    TooManyCalls,
    /// The run would delete more than the [share](super::Sync::max_deleted_percent) that it may.
    TooManyDeletions {
        /// Number of records that it would delete.
        deleted: usize,
        /// Number of records that the directory has of these days.
        records: usize,
    },
    /// The days of timetables are of two academic years, which the portal has in two places.
    TwoAcademicYears,
    /// The directory rejects the changes.
    Rejected(RejectionReason),
    /// Other processes wrote to the directory at every attempt.
    Contended,
}

/// The reason why an answer of the portal is of no use.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum UpstreamFault {
    /// There was no connection, or it failed before the end of the answer, for this reason.
    Connection(String),
    /// There was no answer in time.
    Timeout,
    /// The answer is too long.
    TooLong,
    /// The answer has this HTTP status.
    Status(u16),
    /// The answer is XML.
    Xml,
    /// The answer is an HTML page.
    Html,
    /// The answer is not JSON.
    NotJson,
    /// The answer is JSON of another structure.
    Unexpected,
    /// The portal reports trouble of its own.
    Code(ResultCode),
}

impl SyncRun {
    /// Starts the record of a run.
    pub(super) const fn new(kind: SyncKind, window: DateRange, now: Timestamp) -> Self {
        Self {
            kind,
            window,
            outcome: SyncOutcome::Synced,
            calls: 0,
            inserted: 0,
            updated: 0,
            deleted: 0,
            used: 0,
            skipped: 0,
            skipped_rows: Vec::new(),
            code: None,
            versions: [0, 0],
            started_at: now,
            ended_at: now,
        }
    }

    /// Counts a row that is not used.
    pub(super) fn skip(&mut self, row: usize, field: &'static str, rule: InvalidValue) {
        self.skipped += 1;
        if self.skipped_rows.len() < MAX_NAMED {
            self.skipped_rows.push(SkippedRow { row, field, rule });
        }
    }

    /// Adds the run of the days that follow, to report the runs of a year as one. The window then
    /// has the days of both. The outcome is the first failure, or else
    /// [`Synced`](SyncOutcome::Synced) unless both runs were [empty](SyncOutcome::Empty).
    pub fn append(&mut self, later: Self) {
        let window = DateRange::new(self.window.from(), later.window.to());
        self.window = window.unwrap_or(later.window);
        if self.outcome.is_success() && later.outcome != SyncOutcome::Empty {
            self.outcome = later.outcome;
        }
        self.calls += later.calls;
        self.inserted += later.inserted;
        self.updated += later.updated;
        self.deleted += later.deleted;
        self.used += later.used;
        self.skipped += later.skipped;
        let free = MAX_NAMED.saturating_sub(self.skipped_rows.len());
        self.skipped_rows
            .extend(later.skipped_rows.into_iter().take(free));
        self.code = later.code.or(self.code);
        self.versions[1] = later.versions[1];
        self.ended_at = later.ended_at;
    }
}

impl SyncOutcome {
    /// The result without its numbers and reasons.
    pub const fn result(&self) -> SyncResult {
        match self {
            Self::Synced => SyncResult::Synced,
            Self::Empty => SyncResult::Empty,
            Self::KeyRefused => SyncResult::KeyRefused,
            Self::RequestRefused => SyncResult::RequestRefused,
            Self::QuotaSpent => SyncResult::QuotaSpent,
            Self::Unavailable(_) => SyncResult::Unavailable,
            Self::Incomplete { .. } => SyncResult::Incomplete,
            Self::ChangedMeanwhile => SyncResult::ChangedMeanwhile,
            Self::TooManyCalls => SyncResult::TooManyCalls,
            Self::TooManyDeletions { .. } => SyncResult::TooManyDeletions,
            Self::TwoAcademicYears => SyncResult::TwoAcademicYears,
            Self::Rejected(_) => SyncResult::Rejected,
            Self::Contended => SyncResult::Contended,
        }
    }

    /// Whether nothing is wrong.
    pub const fn is_success(&self) -> bool {
        matches!(self, Self::Synced | Self::Empty)
    }

    /// Whether runs of other days and kinds would end in the same way today.
    pub const fn affects_all_kinds(&self) -> bool {
        matches!(
            self,
            Self::KeyRefused | Self::RequestRefused | Self::QuotaSpent
        )
    }
}

/// One line: `meals 2026-03-01..2027-02-28: 5 new, 0 changed, 0 deleted, 0 skipped, 1 call
/// (INFO-000)`, with the outcome at its end unless that is [`SyncOutcome::Synced`].
impl fmt::Display for SyncRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, to) = (self.window.from(), self.window.to());
        let calls = if self.calls == 1 { "call" } else { "calls" };
        write!(
            f,
            "{} {from}..{to}: {} new, {} changed, {} deleted, {} skipped, {} {calls}",
            self.kind, self.inserted, self.updated, self.deleted, self.skipped, self.calls
        )?;
        if let Some(code) = self.code {
            write!(f, " ({code})")?;
        }
        match &self.outcome {
            SyncOutcome::Synced => Ok(()),
            outcome => write!(f, ": {outcome}"),
        }
    }
}

impl fmt::Display for SkippedRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {}: {} {}", self.row, self.field, self.rule)
    }
}

impl fmt::Display for SyncOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Synced => f.write_str("the directory is up to date"),
            Self::Empty => f.write_str("the portal has nothing of these days"),
            Self::KeyRefused => f.write_str("the portal refuses the key"),
            Self::RequestRefused => f.write_str("the portal refuses the request"),
            Self::QuotaSpent => f.write_str("the quota of this Korean day is spent"),
            Self::Unavailable(fault) => write!(f, "the portal is unavailable: {fault}"),
            Self::Incomplete { total, rows } => {
                write!(f, "the portal gave {rows} of {total} rows")
            }
            Self::ChangedMeanwhile => f.write_str("the portal's data changed meanwhile: run again"),
            Self::TooManyCalls => f.write_str("the run needs too many calls"),
            Self::TooManyDeletions { deleted, records } => {
                write!(f, "it would delete {deleted} of {records} records")
            }
            Self::TwoAcademicYears => f.write_str("the days are of two academic years"),
            Self::Rejected(reason) => write!(f, "the directory rejects the changes: {reason}"),
            Self::Contended => f.write_str("other processes kept writing: run again"),
        }
    }
}

impl fmt::Display for UpstreamFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connection(reason) => write!(f, "no complete answer: {reason}"),
            Self::Timeout => f.write_str("no answer in time"),
            Self::TooLong => f.write_str("the answer is too long"),
            Self::Status(status) => write!(f, "status {status}"),
            Self::Xml => f.write_str("XML in place of JSON"),
            Self::Html => f.write_str("an HTML page in place of JSON"),
            Self::NotJson => f.write_str("the answer is not JSON"),
            Self::Unexpected => f.write_str("JSON of another structure"),
            Self::Code(code) => write!(f, "{code}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(from: &str, to: &str, outcome: SyncOutcome) -> SyncRun {
        let window = DateRange::new(from.parse().unwrap(), to.parse().unwrap()).unwrap();
        let now = Timestamp::from_seconds(0);
        let mut run = SyncRun::new(SyncKind::Timetables, window, now);
        run.outcome = outcome;
        (run.calls, run.inserted) = (1, 2);
        run.versions = [4, 5];
        run.skip(7, "CLASS_NM", InvalidValue::new("is missing"));
        run
    }

    /// Fails if the report of a year hides a failure, or calls a year empty because its end is.
    #[test]
    fn runs_add_up_to_the_first_failure() {
        use SyncOutcome::{ChangedMeanwhile, Contended, Empty, Synced};
        for (outcomes, whole) in [
            ([Empty, Empty, Empty], Empty),
            ([Empty, Synced, Empty], Synced),
            ([Synced, Empty, Empty], Synced),
            ([Synced, Contended, ChangedMeanwhile], Contended),
            ([Contended, Empty, Synced], Contended),
        ] {
            let [first, second, third] = outcomes;
            let mut added = run("2026-03-01", "2026-03-14", first);
            added.append(run("2026-03-15", "2026-03-28", second));
            added.append(run("2026-03-29", "2026-04-11", third));
            assert_eq!(added.outcome, whole);
            assert_eq!((added.calls, added.inserted, added.skipped), (3, 6, 3));
            assert_eq!(added.skipped_rows.len(), 3);
            assert_eq!(added.versions, [4, 5]);
            let line = added.to_string();
            let start = "timetables 2026-03-01..2026-04-11: 6 new, 0 changed, 0 deleted, 3 skipped, 3 calls";
            assert!(line.starts_with(start), "{line}");
        }
    }
}

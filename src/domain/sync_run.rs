use super::{DataKind, DateRange, ShortText, SubjectId, Timestamp, string_enum};

/// Record of a run that brought a kind of records up to date with their source, or failed to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyncRunRecord {
    /// The kind of the records.
    pub kind: DataKind,
    /// The days that were read, up to the last one that was tried if the run failed. Of a run that
    /// has not ended or was interrupted, all days that it was to read.
    pub window: DateRange,
    /// How the run ended.
    pub result: SyncResult,
    /// The same in English, with its numbers. It has no secret.
    pub detail: ShortText,
    /// The last result code of the source.
    pub code: Option<ShortText>,
    /// Number of requests to the source.
    pub calls: u32,
    /// Number of new records. This and the next three lack the last window of a run that was
    /// interrupted.
    pub inserted: u32,
    /// Number of changed records.
    pub updated: u32,
    /// Number of deleted records.
    pub deleted: u32,
    /// Number of rows of the source that were not used.
    pub skipped: u32,
    /// The numbers of the directory's versions before and after the run.
    pub versions: [u64; 2],
    /// Who started the run.
    pub by: SubjectId,
    /// The start of the run.
    pub started_at: Timestamp,
    /// The end of the run. While it is under way its start, and of one that was interrupted the time
    /// at which that was found out.
    pub ended_at: Timestamp,
}

/// State of a sync, for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyncStatus {
    /// Whether a process syncs, or is about to.
    pub is_running: bool,
    /// The last runs, the newest first.
    pub runs: Vec<SyncRunRecord>,
    /// When each kind of records was last confirmed to be current, and now at the latest.
    pub data_as_of: Vec<(DataKind, Timestamp)>,
}

string_enum! {
    /// How a run ended, by a name that stays the same.
    SyncResult {
        /// The run has not ended.
        Running = "running",
        /// The process ended before the run did. The versions say whether records have changed.
        Interrupted = "interrupted",
        /// The records are those of the source.
        Synced = "synced",
        /// The source has no records of these days. Nothing was deleted.
        Empty = "empty",
        /// The source has no records of these days, and the directory has some: a code of the school
        /// may be wrong. Nothing was deleted.
        Missing = "missing",
        /// The source refused the key.
        KeyRefused = "key_refused",
        /// The source refused the request as malformed.
        RequestRefused = "request_refused",
        /// The quota of the day was spent.
        QuotaSpent = "quota_spent",
        /// The source gave no usable answer.
        Unavailable = "unavailable",
        /// The rows did not add up to the number that the source stated.
        Incomplete = "incomplete",
        /// The data of the source changed during the run.
        ChangedMeanwhile = "changed_meanwhile",
        /// The run needed more requests than it was allowed.
        TooManyCalls = "too_many_calls",
        /// The run would have deleted more records than it was allowed.
        TooManyDeletions = "too_many_deletions",
        /// The days belonged to two academic years.
        TwoAcademicYears = "two_academic_years",
        /// The directory rejected the changes.
        Rejected = "rejected",
        /// Other processes wrote to the directory at every attempt.
        Contended = "contended",
        /// The store did not respond. It is unknown whether the last changes are stored.
        StoreFailed = "store_failed",
    }
}

impl SyncResult {
    /// Whether nothing was wrong: the records are as current as their source.
    pub const fn is_success(self) -> bool {
        matches!(self, Self::Synced | Self::Empty)
    }

    /// Whether a later run may succeed without anybody doing anything about it.
    pub const fn is_transient(self) -> bool {
        matches!(
            self,
            Self::Unavailable
                | Self::Incomplete
                | Self::ChangedMeanwhile
                | Self::Contended
                | Self::StoreFailed
                | Self::Interrupted
        )
    }
}

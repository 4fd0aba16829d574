use async_trait::async_trait;

use super::StorageError;
use crate::domain::{DataKind, ShortText, SyncRunRecord, Timestamp};

/// Stores the runs of a sync, when each kind of records was last confirmed to be current, and the
/// leases by which one of many processes does a piece of work.
#[async_trait]
pub trait SyncStore: Send + Sync {
    /// Appends the record of a run, in place of the one of the same kind that is
    /// [running](crate::domain::SyncResult::Running), if there is one. A [success](crate::domain::SyncResult::is_success) also
    /// confirms that the kind was current at the start of the run, like
    /// [`confirm_data`](Self::confirm_data) at its end.
    async fn append_sync_run(&self, run: SyncRunRecord) -> Result<(), StorageError>;

    /// Returns the runs, the last appended first; at most `size` and at most
    /// [`MAX_LISTED_SYNC_RUNS`].
    async fn sync_runs(&self, size: u32) -> Result<Vec<SyncRunRecord>, StorageError>;

    /// Returns when the first stored run of each kind started, in the order of [`DataKind::ALL`].
    /// Kinds without a run are absent.
    async fn first_sync_runs(&self) -> Result<Vec<(DataKind, Timestamp)>, StorageError>;

    /// Records at `at` that a kind was current at a time. An earlier time than the stored one changes
    /// nothing, unless the stored one is later than `at` by more than
    /// [`CLOCK_SKEW`](super::retention::CLOCK_SKEW): it is of a node whose clock was ahead.
    async fn confirm_data(
        &self,
        kind: DataKind,
        as_of: Timestamp,
        at: Timestamp,
    ) -> Result<(), StorageError>;

    /// Returns when each kind was last confirmed to be current, in the order of [`DataKind::ALL`],
    /// as it is stored: of a node whose clock was ahead, it may be in the future. Kinds that never were are absent.
    async fn data_as_of(&self) -> Result<Vec<(DataKind, Timestamp)>, StorageError>;

    /// Acquires the lease of a name until a time, if nobody else has it: it is free, expired at
    /// `at`, or already this holder's, who thereby renews it. Of concurrent callers with different
    /// holders exactly one acquires a free lease.
    ///
    /// All leases of a name have one length. One that ends more than
    /// [`CLOCK_SKEW`](super::retention::CLOCK_SKEW) after the lease of the caller would is free too:
    /// it is of a node whose clock was ahead, and would keep all others waiting for as long.
    async fn acquire_lease(
        &self,
        name: &ShortText,
        lease: Lease,
        at: Timestamp,
    ) -> Result<LeaseAcquisition, StorageError>;

    /// Returns the lease of a name, if it has not expired at `at`.
    async fn lease(&self, name: &ShortText, at: Timestamp) -> Result<Option<Lease>, StorageError>;

    /// Ends the lease of a name, if this holder has it. Returns whether it had.
    async fn release_lease(
        &self,
        name: &ShortText,
        holder: &ShortText,
    ) -> Result<bool, StorageError>;
}

/// Right of one holder to do a piece of work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// The holder, by an id that no other process has.
    pub holder: ShortText,
    /// The time at which the lease ends if it is not renewed.
    pub expires_at: Timestamp,
}

/// Result of acquiring a lease; [exhaustive](crate::store#outcomes).
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum LeaseAcquisition {
    /// The caller has the lease.
    Acquired,
    /// Another holder has this lease. Nothing changed.
    Held(Lease),
}

/// Maximum number of runs that a call returns.
pub const MAX_LISTED_SYNC_RUNS: u32 = 200;

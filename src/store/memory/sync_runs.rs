use std::collections::{BTreeMap, HashMap};

use async_trait::async_trait;

use super::MemoryStore;
use super::lock::{read_lock, write_lock};
use super::time_index::TimeIndex;
use crate::domain::{DataKind, ShortText, SyncResult, SyncRunRecord, Timestamp};
use crate::store::retention::{CLOCK_SKEW, SYNC_RUN_RETENTION};
use crate::store::{Lease, LeaseAcquisition, MAX_LISTED_SYNC_RUNS, StorageError, SyncStore};

/// Runs by their number, with an index by their end; the times of the kinds; leases by name.
#[derive(Default)]
pub(super) struct SyncRecords {
    runs: BTreeMap<u64, SyncRunRecord>,
    by_end: TimeIndex<Timestamp, u64>,
    last: u64,
    data_as_of: BTreeMap<DataKind, Timestamp>,
    leases: HashMap<ShortText, Lease>,
}

impl SyncRecords {
    fn confirm(&mut self, kind: DataKind, as_of: Timestamp, at: Timestamp) {
        let stored = self.data_as_of.entry(kind).or_insert(as_of);
        if as_of > *stored || *stored > at.plus(CLOCK_SKEW) {
            *stored = as_of;
        }
    }
}

#[async_trait]
impl SyncStore for MemoryStore {
    async fn append_sync_run(&self, run: SyncRunRecord) -> Result<(), StorageError> {
        let mut syncs = write_lock(&self.syncs);
        let until = run.ended_at.minus(SYNC_RUN_RETENTION).minus(CLOCK_SKEW);
        for number in syncs.by_end.pop_until(until) {
            syncs.runs.remove(&number);
        }
        if run.result.is_success() {
            syncs.confirm(run.kind, run.started_at, run.ended_at);
        }
        let is_replaced = |(_, stored): &(&u64, &SyncRunRecord)| {
            stored.kind == run.kind && stored.result == SyncResult::Running
        };
        let running = syncs.runs.iter().find(is_replaced);
        if let Some((number, ended_at)) = running.map(|(number, run)| (*number, run.ended_at)) {
            syncs.runs.remove(&number);
            syncs.by_end.remove(ended_at, number);
        }
        syncs.last += 1;
        let number = syncs.last;
        syncs.by_end.insert(run.ended_at, number);
        syncs.runs.insert(number, run);
        Ok(())
    }

    async fn sync_runs(&self, size: u32) -> Result<Vec<SyncRunRecord>, StorageError> {
        let size = size.min(MAX_LISTED_SYNC_RUNS) as usize;
        let syncs = read_lock(&self.syncs);
        Ok(syncs.runs.values().rev().take(size).cloned().collect())
    }

    async fn first_sync_runs(&self) -> Result<Vec<(DataKind, Timestamp)>, StorageError> {
        let syncs = read_lock(&self.syncs);
        let mut first = BTreeMap::new();
        for run in syncs.runs.values() {
            let started_at = first.entry(run.kind).or_insert(run.started_at);
            *started_at = run.started_at.min(*started_at);
        }
        Ok(first.into_iter().collect())
    }

    async fn confirm_data(
        &self,
        kind: DataKind,
        as_of: Timestamp,
        at: Timestamp,
    ) -> Result<(), StorageError> {
        write_lock(&self.syncs).confirm(kind, as_of, at);
        Ok(())
    }

    async fn data_as_of(&self) -> Result<Vec<(DataKind, Timestamp)>, StorageError> {
        let syncs = read_lock(&self.syncs);
        Ok(syncs.data_as_of.clone().into_iter().collect())
    }

    async fn acquire_lease(
        &self,
        name: &ShortText,
        lease: Lease,
        at: Timestamp,
    ) -> Result<LeaseAcquisition, StorageError> {
        let mut syncs = write_lock(&self.syncs);
        if let Some(held) = syncs.leases.get(name)
            && held.expires_at > at
            && held.expires_at <= lease.expires_at.plus(CLOCK_SKEW)
            && held.holder != lease.holder
        {
            return Ok(LeaseAcquisition::Held(held.clone()));
        }
        syncs.leases.insert(name.clone(), lease);
        Ok(LeaseAcquisition::Acquired)
    }

    async fn lease(&self, name: &ShortText, at: Timestamp) -> Result<Option<Lease>, StorageError> {
        let syncs = read_lock(&self.syncs);
        let lease = syncs.leases.get(name);
        Ok(lease.filter(|lease| lease.expires_at > at).cloned())
    }

    async fn release_lease(
        &self,
        name: &ShortText,
        holder: &ShortText,
    ) -> Result<bool, StorageError> {
        let mut syncs = write_lock(&self.syncs);
        let is_held = syncs
            .leases
            .get(name)
            .is_some_and(|lease| lease.holder == *holder);
        if is_held {
            syncs.leases.remove(name);
        }
        Ok(is_held)
    }
}

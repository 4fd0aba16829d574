//! How often keys are used and when they last were: collected in memory, and written in batches by the request that finds one due.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::domain::{ApiKeyId, Date, KeyUse, Timestamp};
use crate::store::ApiKeyStore;

/// How old a batch becomes, and how many keys are in it at most.
const OLD: Duration = Duration::from_secs(60);
const LARGE: usize = 1_000;

/// What is not written yet.
#[derive(Default)]
pub(super) struct LastUses(Mutex<Batch>);

#[derive(Default)]
struct Batch {
    uses: HashMap<(ApiKeyId, Date), KeyUse>,
    /// When the first of these was, or the last write failed.
    since: Option<Timestamp>,
}

impl LastUses {
    /// Takes down that a key is used, and writes the batch if it is due. A write that fails fails no request: it is tried again with the next
    /// batch.
    pub(super) async fn note(&self, store: &dyn ApiKeyStore, key: ApiKeyId, today: Date, now: Timestamp) {
        let Some(due) = self.taken_down(KeyUse { key, day: today, calls: 1, last_used_at: now }, now) else { return };
        let mut writing = Writing { uses: due, back_to: self, now };
        match store.touch_api_keys(writing.uses.values().copied().collect()).await {
            Ok(()) => writing.uses.clear(),
            Err(error) => tracing::warn!(target: "lyceum::data", %error, "the last use of API keys could not be written"),
        }
    }

    fn taken_down(&self, used: KeyUse, now: Timestamp) -> Option<HashMap<(ApiKeyId, Date), KeyUse>> {
        let mut batch = self.batch();
        batch.add(used);
        let since = *batch.since.get_or_insert(now);
        if now < since.plus(OLD) && batch.uses.len() < LARGE {
            return None;
        }
        Some(std::mem::take(&mut *batch).uses)
    }

    fn batch(&self) -> MutexGuard<'_, Batch> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Batch {
    fn add(&mut self, used: KeyUse) {
        let sum = self.uses.entry((used.key, used.day)).or_insert(KeyUse { calls: 0, ..used });
        sum.calls = sum.calls.saturating_add(used.calls);
        sum.last_used_at = sum.last_used_at.max(used.last_used_at);
    }
}

/// A batch on its way. What is not written in the end, as when the client hangs up, goes back: a use may so be counted twice, when the
/// store had written it and could not say so, but the last use is never lost.
struct Writing<'a> {
    uses: HashMap<(ApiKeyId, Date), KeyUse>,
    back_to: &'a LastUses,
    now: Timestamp,
}

impl Drop for Writing<'_> {
    fn drop(&mut self) {
        if self.uses.is_empty() {
            return;
        }
        let mut batch = self.back_to.batch();
        batch.since = Some(self.now);
        // Half of the room stays free, so that a store that fails is not asked at every request.
        let room = (LARGE / 2).saturating_sub(batch.uses.len());
        for (_, used) in self.uses.drain().take(room) {
            batch.add(used);
        }
    }
}

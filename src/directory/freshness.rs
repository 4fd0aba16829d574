use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use arc_swap::ArcSwap;

use super::snapshot_refresh::NEVER;
use crate::clock::AtomicTimestamp;
use crate::domain::{DataKind, Timestamp};
use crate::metrics::Gauges;
use crate::metrics::definitions::DATA_AS_OF;
use crate::store::{StorageError, SyncStore};

/// Time between two looks at the store.
const LOOK_INTERVAL: Duration = Duration::from_secs(5);

/// When each kind of records was last confirmed to be current, as the store had it a few seconds
/// ago.
pub(super) struct Freshness {
    store: Option<Arc<dyn SyncStore>>,
    known: ArcSwap<Vec<(DataKind, Timestamp)>>,
    looked_at: AtomicTimestamp,
    gauges: Gauges<1>,
}

impl Freshness {
    /// Without a store nothing is known.
    pub(super) fn new(store: Option<Arc<dyn SyncStore>>) -> Self {
        Self {
            store,
            known: ArcSwap::default(),
            looked_at: AtomicTimestamp::new(NEVER),
            gauges: Gauges::new(DATA_AS_OF),
        }
    }

    /// Looks at the store, if nobody has in the last seconds. While the store does not respond, the
    /// known times hold.
    pub(super) async fn refresh(&self, now: Timestamp) {
        let Some(store) = &self.store else { return };
        let looked_at = self.looked_at.load(Ordering::Relaxed);
        if now.is_within(LOOK_INTERVAL, looked_at)
            || !self.looked_at.replace(looked_at, now, Ordering::Relaxed)
        {
            return;
        }
        match store.data_as_of().await {
            Ok(known) => {
                for (kind, as_of) in &known {
                    self.gauges.set([kind.as_str()], as_of.seconds() as f64);
                }
                self.known.store(Arc::new(known));
            }
            Err(error) => {
                tracing::warn!(target: "lyceum::data", %error, "the age of the data was not read");
            }
        }
    }

    /// Stores that a kind is current at this time. Others see it with their next look.
    pub(super) async fn confirm(&self, kind: DataKind, at: Timestamp) -> Result<(), StorageError> {
        let Some(store) = &self.store else {
            return Ok(());
        };
        store.confirm_data(kind, at.floor_to_seconds()).await
    }

    /// The known times.
    pub(super) fn known(&self) -> Arc<Vec<(DataKind, Timestamp)>> {
        self.known.load_full()
    }
}

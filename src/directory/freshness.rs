use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use arc_swap::ArcSwap;

use super::snapshot_refresh::NEVER;
use crate::clock::AtomicTimestamp;
use crate::domain::{DataKind, Timestamp};
use crate::metrics::Gauges;
use crate::metrics::definitions::DATA_AS_OF;
use crate::single_flight::SingleFlight;
use crate::store::{StorageError, SyncStore};

/// Time between two looks at the store. The library has no timer, so the next look ends one to which
/// the store has not responded.
const LOOK_INTERVAL: Duration = Duration::from_secs(5);

/// When each kind of records was last confirmed to be current, as the store had it a few seconds
/// ago.
pub(super) struct Freshness {
    store: Option<Arc<dyn SyncStore>>,
    known: ArcSwap<Vec<(DataKind, Timestamp)>>,
    looked_at: AtomicTimestamp,
    look: Mutex<Option<Arc<Look>>>,
    gauges: Gauges<1>,
}

/// A look at the store, in flight or done.
type Look = SingleFlight<Result<Vec<(DataKind, Timestamp)>, Arc<StorageError>>>;

impl Freshness {
    /// Without a store nothing is known.
    pub(super) fn new(store: Option<Arc<dyn SyncStore>>) -> Self {
        Self {
            store,
            known: ArcSwap::default(),
            looked_at: AtomicTimestamp::new(NEVER),
            look: Mutex::default(),
            gauges: Gauges::new(DATA_AS_OF),
        }
    }

    /// Whether there is a store.
    #[cfg(all(feature = "console", feature = "import"))]
    pub(super) const fn is_stored(&self) -> bool {
        self.store.is_some()
    }

    /// Looks at the store, if nobody has in the last seconds. While the store does not respond, the
    /// known times hold, and one caller waits until the next one looks.
    pub(super) async fn refresh(&self, now: Timestamp) {
        let Some(store) = &self.store else { return };
        let looked_at = self.looked_at.load(Ordering::Relaxed);
        if now.is_within(LOOK_INTERVAL, looked_at)
            || !self.looked_at.replace(looked_at, now, Ordering::Relaxed)
        {
            return;
        }
        let store = Arc::clone(store);
        let look = Look::new(async move { store.data_as_of().await.map_err(Arc::new) });
        let before = {
            let mut latest = self.look.lock().unwrap_or_else(PoisonError::into_inner);
            latest.replace(Arc::clone(&look))
        };
        if let Some(before) = before {
            before.cancel();
        }
        match look.wait().await {
            Some(Ok(known)) => {
                for (kind, as_of) in &known {
                    self.gauges.set([kind.as_str()], as_of.seconds() as f64);
                }
                self.known.store(Arc::new(known));
            }
            Some(Err(error)) => {
                tracing::warn!(target: "lyceum::data", %error, "the age of the data was not read");
            }
            None => {
                tracing::warn!(target: "lyceum::data", "the age of the data was not read in time");
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

#[cfg(test)]
mod tests {
    use async_trait::async_trait;

    use super::*;
    use crate::domain::{ShortText, SyncRunRecord};
    use crate::store::{Lease, LeaseAcquisition};

    /// A store that never responds.
    struct Hanging;

    #[async_trait]
    impl SyncStore for Hanging {
        async fn append_sync_run(&self, _: SyncRunRecord) -> Result<(), StorageError> {
            std::future::pending().await
        }

        async fn sync_runs(&self, _: u32) -> Result<Vec<SyncRunRecord>, StorageError> {
            std::future::pending().await
        }

        async fn first_sync_runs(&self) -> Result<Vec<(DataKind, Timestamp)>, StorageError> {
            std::future::pending().await
        }

        async fn confirm_data(&self, _: DataKind, _: Timestamp) -> Result<(), StorageError> {
            std::future::pending().await
        }

        async fn data_as_of(&self) -> Result<Vec<(DataKind, Timestamp)>, StorageError> {
            std::future::pending().await
        }

        async fn acquire_lease(
            &self,
            _: &ShortText,
            _: Lease,
            _: Timestamp,
        ) -> Result<LeaseAcquisition, StorageError> {
            std::future::pending().await
        }

        async fn lease(&self, _: &ShortText, _: Timestamp) -> Result<Option<Lease>, StorageError> {
            std::future::pending().await
        }

        async fn release_lease(&self, _: &ShortText, _: &ShortText) -> Result<bool, StorageError> {
            std::future::pending().await
        }
    }

    /// Fails if a store that hangs holds a request for longer than until the next look, or another
    /// one at all.
    #[tokio::test]
    async fn a_look_that_hangs_ends_with_the_next_one() {
        let freshness = Arc::new(Freshness::new(Some(Arc::new(Hanging))));
        let now = Timestamp::from_seconds(1_790_000_000);
        let refresh = |at: Timestamp| {
            let freshness = Arc::clone(&freshness);
            tokio::spawn(async move { freshness.refresh(at).await })
        };
        let first = refresh(now);
        tokio::task::yield_now().await;
        freshness.refresh(now).await;
        assert!(!first.is_finished());
        let second = refresh(now.plus(LOOK_INTERVAL));
        first.await.unwrap();
        assert!(!second.is_finished());
        second.abort();
    }
}

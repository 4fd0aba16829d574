//! Random directory records and requests. [`compare_responses`] compares the responses over a
//! directory that followed every change with those over one that was just loaded, byte by byte.
//! [`follow_changes`] maintains copies of the lists.

mod following;
mod random_records;
mod random_text;
mod requests;
mod responses;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use lyceum::directory::{Directory, DirectoryChange};
use lyceum::domain::Timestamp;
use lyceum::http::Clock;
use lyceum::store::{DirectoryStore, StorageError};

use crate::rng::SeededRng;

pub use following::{FollowReport, follow_changes};
pub use responses::{ComparisonReport, compare_responses};

/// Returns an endless sequence of random change batches for a directory that is empty at first: a
/// complete school, then a few changes at a time. Some batches are invalid, and every store must
/// reject the same ones.
fn change_batches(seed: u64) -> impl Iterator<Item = Vec<DirectoryChange>> {
    let mut rng = SeededRng::new(seed);
    let school = random_records::initial_records(&mut rng);
    std::iter::once(school).chain(std::iter::repeat_with(move || {
        random_records::batch(&mut rng)
    }))
}

/// Opens a directory with wide bounds that checks the version in the store at every read.
async fn open_directory(store: Arc<dyn DirectoryStore>) -> Result<Directory, StorageError> {
    let builder = Directory::builder(store).clock(Arc::new(AdvancingClock::default()));
    builder
        .grades(1..=12)
        .classes(1..=99)
        .seat_numbers(1..=99)
        .open()
        .await
}

/// Clock that advances by a minute at each read.
#[derive(Debug, Default)]
struct AdvancingClock(AtomicI64);

impl Clock for AdvancingClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_seconds(self.0.fetch_add(60, Ordering::SeqCst))
    }
}

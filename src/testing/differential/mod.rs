//! Random directory records and requests. [`compare_responses`] compares the responses over a
//! directory that followed every change with those over one that was just loaded, byte by byte.
//! [`follow_changes`] maintains copies of the lists.

mod random_records;
mod random_text;
mod replica;
mod requests;
mod responses;

use crate::directory::DirectoryChange;
use crate::testing::sample_data::rng::SeededRng;

pub use replica::{FollowReport, follow_changes};
pub use responses::{ComparisonReport, compare_responses};

/// Returns an endless sequence of random change batches for a directory that is empty at first: a
/// complete school, then a few changes at a time. Some batches are invalid, and every store must
/// reject the same ones.
///
/// ```
/// # use lyceum::testing::differential::change_batches;
/// assert!(change_batches(1).take(3).eq(change_batches(1).take(3)));
/// ```
pub fn change_batches(seed: u64) -> impl Iterator<Item = Vec<DirectoryChange>> {
    let mut rng = SeededRng::new(seed);
    let school = random_records::initial_records(&mut rng);
    std::iter::once(school).chain(std::iter::repeat_with(move || {
        random_records::batch(&mut rng)
    }))
}

//! Random schools and random questions: [`compare_answers`] asks a directory that followed every change and one that was just loaded, down to the
//! bytes of the answers. [`follow_changes`] keeps copies of the lists.

mod addresses;
mod answers;
mod invent;
mod mirror;
mod words;

use crate::directory::DirectoryChange;
use crate::testing::school::dice::Dice;

pub use answers::{Books, compare_answers};
pub use mirror::{Followed, follow_changes};

/// Random batches of changes without an end, for a directory that is empty at first: a school, then a few changes at a time. Some batches
/// cannot be written, and every store must refuse the same ones.
///
/// ```
/// # use lyceum::testing::differential::batches;
/// assert!(batches(1).take(3).eq(batches(1).take(3)));
/// ```
pub fn batches(seed: u64) -> impl Iterator<Item = Vec<DirectoryChange>> {
    let mut dice = Dice::new(seed);
    let school = invent::opening(&mut dice);
    std::iter::once(school).chain(std::iter::repeat_with(move || invent::batch(&mut dice)))
}

//! The same random school in several stores, and random questions that all must answer alike: [`compare`] asks two directories, and
//! [`compare_answers`] a data API over each store, down to the bytes of the answers. [`follow_changes`] keeps copies of one.

mod addresses;
mod answers;
mod ask;
mod invent;
mod mirror;
mod words;

use std::fmt::Debug;
use std::sync::Arc;

use crate::domain::{Page, Record};
use crate::store::{DirectoryChange, SchoolDirectory, StorageError, Writing};
use crate::testing::school::dice::Dice;

pub use answers::{Books, compare_answers};
pub use mirror::{Followed, follow_changes};

/// Writes `batches` random batches to both directories, which are empty at first, and asks both some random questions after each. The
/// seed decides everything, so a difference can be looked at again.
///
/// ```
/// use lyceum::store::memory::MemoryStore;
/// use lyceum::testing::differential;
///
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// differential::compare(&MemoryStore::new(), &MemoryStore::new(), 1, 3).await?;
/// # Ok::<_, lyceum::store::StorageError>(()) }).unwrap();
/// ```
///
/// # Errors
/// When one of the directories cannot answer.
///
/// # Panics
/// When the directories differ.
pub async fn compare(one: &dyn SchoolDirectory, other: &dyn SchoolDirectory, seed: u64, batches: usize) -> Result<(), StorageError> {
    let mut dice = Dice::new(!seed);
    for batch in self::batches(seed).take(batches) {
        let (written, otherwise) = (one.write(batch.clone()).await?, other.write(batch.clone()).await?);
        assert_eq!(refused_at(&written), refused_at(&otherwise), "both write or refuse this: {batch:#?}");
        for _ in 0..8 {
            ask_both(one, other, &mut dice).await?;
        }
    }
    Ok(())
}

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

/// Which change was refused. Where one is wrong in two ways, a store may name either.
const fn refused_at(writing: &Writing) -> Option<usize> {
    match writing {
        Writing::Written(_) => None,
        Writing::Refused { index, .. } => Some(*index),
    }
}

async fn ask_both(one: &dyn SchoolDirectory, other: &dyn SchoolDirectory, dice: &mut Dice) -> Result<(), StorageError> {
    let query = ask::students(dice);
    assert_same(&query, &one.students(&query).await?, &other.students(&query).await?);
    let query = ask::clubs(dice);
    assert_same(&query, &one.clubs(&query).await?, &other.clubs(&query).await?);
    let query = ask::projects(dice);
    assert_same(&query, &one.projects(&query).await?, &other.projects(&query).await?);
    let (days, filter) = (ask::days(dice), ask::lessons(dice));
    assert_eq!(values(&one.meals(days).await?), values(&other.meals(days).await?), "meals of {days:?}");
    assert_eq!(values(&one.events(days).await?), values(&other.events(days).await?), "events of {days:?}");
    let lessons = (one.lessons(days, &filter).await?, other.lessons(days, &filter).await?);
    assert_eq!(values(&lessons.0), values(&lessons.1), "lessons of {days:?}, {filter:?}");
    Ok(())
}

fn assert_same<T: Debug + PartialEq>(query: &impl Debug, one: &Page<T>, other: &Page<T>) {
    assert_eq!(one.total, other.total, "the totals of {query:#?}");
    assert_eq!(values(&one.items), values(&other.items), "the records of {query:#?}");
}

fn values<T>(records: &[Arc<Record<T>>]) -> Vec<&T> {
    records.iter().map(|record| record.value()).collect()
}

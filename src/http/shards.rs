use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many locks there are, so that requests of different keys seldom wait for the same one.
const SHARDS: usize = 16;

/// State that is kept apart by key, behind a lock for each part.
#[derive(Default)]
pub(crate) struct Shards<T> {
    hasher: RandomState,
    parts: [Mutex<T>; SHARDS],
}

impl<T> Shards<T> {
    pub(crate) const COUNT: usize = SHARDS;

    /// The part that a key belongs to.
    pub(crate) fn of(&self, key: &impl Hash) -> MutexGuard<'_, T> {
        lock(&self.parts[self.hasher.hash_one(key) as usize % SHARDS])
    }

    /// Every part, one after the other.
    pub(crate) fn all(&self) -> impl Iterator<Item = MutexGuard<'_, T>> {
        self.parts.iter().map(lock)
    }
}

/// What a panic left behind is whole: nothing that is kept here changes in several steps.
fn lock<T>(part: &Mutex<T>) -> MutexGuard<'_, T> {
    part.lock().unwrap_or_else(PoisonError::into_inner)
}

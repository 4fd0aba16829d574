use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Number of locks, so that requests with different keys seldom contend.
const SHARDS: usize = 16;

/// State that is sharded by key, with a lock per shard.
#[derive(Default)]
pub(crate) struct ShardedMutex<T> {
    hasher: RandomState,
    shards: [Mutex<T>; SHARDS],
}

impl<T> ShardedMutex<T> {
    pub(crate) const COUNT: usize = SHARDS;

    /// Locks the shard of a key.
    pub(crate) fn lock(&self, key: &impl Hash) -> MutexGuard<'_, T> {
        lock_shard(&self.shards[self.hasher.hash_one(key) as usize % SHARDS])
    }

    /// Locks every shard, one after the other.
    pub(crate) fn lock_each(&self) -> impl Iterator<Item = MutexGuard<'_, T>> {
        self.shards.iter().map(lock_shard)
    }
}

/// Ignores poisoning: no state here is changed in several steps, so it is consistent after a panic.
fn lock_shard<T>(shard: &Mutex<T>) -> MutexGuard<'_, T> {
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}

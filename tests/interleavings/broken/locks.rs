use std::collections::HashMap;
use std::sync::Mutex;

use lyceum::testing::interleavings::ActiveCall;

use super::{BrokenStore, StorageResult};

impl BrokenStore {
    pub async fn lock_both(&self, in_order: bool) -> StorageResult<Vec<Held<'_>>> {
        let mut held = Vec::new();
        for lock in if in_order { [0, 1] } else { [1, 0] } {
            held.push(self.shared.locks.hold(self.node, lock).await);
            self.gate.before_step().await?;
        }
        Ok(held)
    }
}

/// Two locks that record their holders and waiters.
#[derive(Debug, Default)]
pub struct Locks {
    locks: [tokio::sync::Mutex<()>; 2],
    waiting: Mutex<HashMap<usize, usize>>,
    holding: Mutex<HashMap<usize, usize>>,
}

impl Locks {
    async fn hold(&self, node: usize, lock: usize) -> Held<'_> {
        self.waiting.lock().unwrap().insert(node, lock);
        let guard = self.locks[lock].lock().await;
        self.waiting.lock().unwrap().remove(&node);
        self.holding.lock().unwrap().insert(lock, node);
        Held {
            locks: self,
            lock,
            _guard: guard,
        }
    }

    pub fn is_blocked(&self, call: ActiveCall, others: &[ActiveCall]) -> bool {
        let holding = self.holding.lock().unwrap();
        let holder = self
            .waiting
            .lock()
            .unwrap()
            .get(&call.node)
            .and_then(|lock| holding.get(lock).copied());
        others.iter().any(|other| Some(other.node) == holder)
    }
}

pub struct Held<'l> {
    locks: &'l Locks,
    lock: usize,
    _guard: tokio::sync::MutexGuard<'l, ()>,
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.locks.holding.lock().unwrap().remove(&self.lock);
    }
}

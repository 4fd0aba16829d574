use std::collections::BTreeSet;

use crate::store::Cursor;

/// In which state each record last changed, in ascending order. Those that are gone stay here.
#[derive(Default)]
pub(super) struct Log(Vec<(u64, i64)>);

impl Log {
    /// What this log becomes when these records have changed and the school has reached a later state.
    pub(super) fn after(&self, number: u64, changed: &BTreeSet<i64>) -> Self {
        let kept = self.0.iter().filter(|(_, id)| !changed.contains(id)).copied();
        Self(kept.chain(changed.iter().map(|id| (number, *id))).collect())
    }

    /// The changes that a reader has not been told.
    pub(super) fn since(&self, start: Cursor) -> &[(u64, i64)] {
        let told = self.0.partition_point(|change| *change <= (start.version().number, start.id()));
        &self.0[told..]
    }
}

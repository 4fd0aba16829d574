/// In which version each record last changed, in ascending order of version and id. Removed records stay in it.
#[derive(Default, Debug, PartialEq, Eq)]
pub(super) struct Log(Vec<(u64, i64)>);

impl Log {
    /// The log after these records, in ascending order of id, changed in these versions.
    pub(super) fn after(&self, changed: &[(i64, u64)]) -> Self {
        let is_changed = |id: i64| changed.binary_search_by_key(&id, |(id, _)| *id).is_ok();
        let mut log = Vec::with_capacity(self.0.len() + changed.len());
        log.extend(self.0.iter().filter(|(_, id)| !is_changed(*id)));
        log.extend(changed.iter().map(|(id, number)| (*number, *id)));
        // Mostly sorted already: every new number is above the old ones.
        log.sort();
        Self(log)
    }

    /// Keeps the changes that `is_kept` is true of, by version and id.
    pub(super) fn retain(&mut self, is_kept: impl Fn(u64, i64) -> bool) {
        self.0.retain(|(number, id)| is_kept(*number, *id));
    }

    /// The changes after `start`, which is a version and the last id of those that changed in it.
    pub(super) fn since(&self, start: (u64, i64)) -> &[(u64, i64)] {
        &self.0[self.0.partition_point(|change| *change <= start)..]
    }
}

/// The version in which each record last changed, in ascending order of version and id. It includes
/// removed records.
#[derive(Default, Debug, PartialEq, Eq)]
pub(super) struct ChangeLog(Vec<(u64, i64)>);

impl ChangeLog {
    /// Returns this log with changed records added, which are pairs of id and version in ascending
    /// order of id.
    pub(super) fn with_changes(&self, changed: &[(i64, u64)]) -> Self {
        let is_changed = |id: i64| changed.binary_search_by_key(&id, |(id, _)| *id).is_ok();
        let mut log = Vec::with_capacity(self.0.len() + changed.len());
        log.extend(self.0.iter().filter(|(_, id)| !is_changed(*id)));
        log.extend(changed.iter().map(|(id, number)| (*number, *id)));
        // Mostly sorted already: new version numbers are above the old ones.
        log.sort();
        Self(log)
    }

    /// Keeps the changes for which `is_kept` returns true, given version and id.
    pub(super) fn retain(&mut self, is_kept: impl Fn(u64, i64) -> bool) {
        self.0.retain(|(number, id)| is_kept(*number, *id));
    }

    /// Returns the highest id of a record that is or was in the list.
    #[cfg(feature = "import")]
    pub(super) fn highest_id(&self) -> Option<i64> {
        self.0.iter().map(|(_, id)| *id).max()
    }

    /// Returns the changes after `start`, a version and the last id among those that changed in it.
    pub(super) fn since(&self, start: (u64, i64)) -> &[(u64, i64)] {
        &self.0[self.0.partition_point(|change| *change <= start)..]
    }
}

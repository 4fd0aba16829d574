use std::collections::HashSet;
use std::sync::Arc;

use lyceum::domain::*;
use lyceum::store::*;

use super::{BrokenStore, Fault, StorageResult};

delegate!(
    DirectoryStore for BrokenStore, except
    load_directory, directory_changes, write_directory
);

impl BrokenStore {
    async fn load_directory(&self) -> StorageResult<DirectoryRows> {
        let mut rows = self.store.load_directory().await?;
        for student in rows.students.iter_mut().flat_map(|row| &mut row.value) {
            if let (true, EnrollmentStatus::Enrolled(enrollment)) = (
                self.has(Fault::MixesColumns),
                &mut student.enrollment_status,
            ) {
                let (grade, class) = (enrollment.grade.get(), enrollment.class_num.get());
                enrollment.grade = Grade::new(class.into()).unwrap();
                enrollment.class_num = ClassNum::new(grade.into()).unwrap();
            }
        }
        for project in rows.projects.iter_mut().flat_map(|row| &mut row.value) {
            if self.has(Fault::DropsRepeatedTexts) {
                let mut seen = HashSet::new();
                let texts = project.tech_stacks.as_slice().iter().cloned();
                let texts = texts.filter(|text| seen.insert(text.to_string()));
                project.tech_stacks = TechStacks::new(texts.collect()).unwrap();
            }
        }
        Ok(rows)
    }

    async fn directory_changes(
        &self,
        since: DatasetVersion,
    ) -> StorageResult<Option<DirectoryRows>> {
        let present = self.store.directory_version().await?;
        let is_later = since.number > present.number;
        let mut since = since;
        if self.has(Fault::TakesAnyMark) && since.lineage == present.lineage && !is_later {
            let marks = self.store.load_directory().await?.marks;
            since.mark = marks
                .into_iter()
                .find(|(number, _)| *number == since.number)
                .map_or(since.mark, |(_, mark)| mark);
        }
        let mut changes = self.store.directory_changes(since).await?;
        if let (true, Some(changes)) = (self.has(Fault::ForgetsTombstones), &mut changes) {
            changes.students.retain(|row| row.value.is_some());
            changes.meals.retain(|row| row.value.is_some());
        }
        if let (true, Some(changes)) = (self.has(Fault::TellsOnlyTenChanges), &mut changes) {
            changes.students.truncate(10);
        }
        Ok(changes)
    }

    async fn write_directory(
        &self,
        expected: DatasetVersion,
        change: Arc<DirectoryRows>,
    ) -> StorageResult<DirectoryWrite> {
        let mut expected = expected;
        if self.has(Fault::IgnoresTheExpectedMark) {
            expected.mark = self.store.directory_version().await?.mark;
        }
        if self.has(Fault::AdvancesByCheckThenAct) {
            let present = self.store.directory_version().await?;
            let is_expected = present == expected;
            self.everybody.wait();
            expected = self.store.directory_version().await?;
            let advance = self.store.write_directory(expected, change).await?;
            return Ok(if is_expected {
                DirectoryWrite::Written
            } else {
                advance
            });
        }
        if self.has(Fault::WritesRowsBeforeTheVersion) {
            // Writes the rows in a separate version, and then the version that the caller named.
            let present = self.store.directory_version().await?;
            let rows = DirectoryRows {
                version: present,
                ..DirectoryRows::clone(&change)
            };
            assert_eq!(
                self.store.write_directory(present, Arc::new(rows)).await?,
                DirectoryWrite::Written
            );
        }
        self.store.write_directory(expected, change).await
    }
}

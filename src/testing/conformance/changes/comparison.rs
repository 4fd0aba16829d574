//! Compares the reported changes with the records before and after a batch.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use super::super::directory_fixtures::EVERYONE;
use super::super::store_under_test::{ExpectOk, StoreUnderTest};
use super::super::test_directory::HasId;
use super::known_changes;
use crate::directory::{Cursor, Delta, DirectoryChange};
use crate::domain::{ClubProfile, ProjectProfile, StudentProfile};

/// All records, by id.
pub(super) struct SchoolRecords {
    pub(super) students: BTreeMap<i64, StudentProfile>,
    pub(super) clubs: BTreeMap<i64, ClubProfile>,
    pub(super) projects: BTreeMap<i64, ProjectProfile>,
}

impl SchoolRecords {
    pub(super) async fn load(store: &StoreUnderTest) -> Self {
        Self {
            students: by_id(store.students(EVERYONE).await.items),
            clubs: by_id(store.clubs(&[]).await.items),
            projects: by_id(store.every_project(&[]).await.items),
        }
    }
}

fn by_id<T: HasId>(records: impl IntoIterator<Item = T>) -> BTreeMap<i64, T> {
    records
        .into_iter()
        .map(|record| (record.id(), record))
        .collect()
}

/// Changes that were reported after some cursors.
pub(super) struct ToldChanges {
    pub(super) students: KindChanges<StudentProfile>,
    pub(super) clubs: KindChanges<ClubProfile>,
    pub(super) projects: KindChanges<ProjectProfile>,
}

impl ToldChanges {
    pub(super) async fn since(
        store: &StoreUnderTest,
        [students, clubs, projects]: [Option<Cursor>; 3],
    ) -> Self {
        let school = store.directory().await;
        let of_status = |status: &'static str| {
            KindChanges::since(projects, async move |since| {
                school
                    .project_changes(since, 7, &[("status", status)])
                    .await
                    .expect_ok()
            })
        };
        Self {
            students: KindChanges::since(students, async |since| {
                school.student_changes(since, 7, EVERYONE).await.expect_ok()
            })
            .await,
            clubs: KindChanges::since(clubs, async |since| {
                school.club_changes(since, 7, &[]).await.expect_ok()
            })
            .await,
            projects: of_status("ACTIVE").await.or(of_status("ENDED").await),
        }
    }

    pub(super) const fn cursors(&self) -> [Option<Cursor>; 3] {
        [
            Some(self.students.next),
            Some(self.clubs.next),
            Some(self.projects.next),
        ]
    }
}

/// Reported changes of one kind of records, by id.
pub(super) struct KindChanges<T> {
    pub(super) records: BTreeMap<i64, T>,
    pub(super) gone: BTreeSet<i64>,
    pub(super) next: Cursor,
}

impl<T: Clone + Debug + HasId> KindChanges<T> {
    /// Requests all changes, a few at a time.
    pub(super) async fn since(
        mut since: Option<Cursor>,
        ask: impl AsyncFn(Option<Cursor>) -> Delta<T>,
    ) -> Self {
        let (mut records, mut gone) = (BTreeMap::new(), BTreeSet::new());
        loop {
            let part = known_changes(ask(since).await);
            records.extend(by_id(
                part.records.iter().map(|record| record.value().clone()),
            ));
            gone.extend(&part.deleted);
            if !part.has_more() {
                return Self {
                    records,
                    gone,
                    next: part.next,
                };
            }
            assert_ne!(
                since,
                Some(part.next),
                "the cursor advances while there is more"
            );
            since = Some(part.next);
        }
    }

    /// Combines the changes of two filters: a record is gone if it matches neither.
    pub(super) fn or(mut self, other: Self) -> Self {
        assert_eq!(
            self.next, other.next,
            "the filter does not affect the cursor"
        );
        self.records.extend(other.records);
        self.gone.retain(|id| other.gone.contains(id));
        self
    }

    /// Asserts that every difference is reported and every reported change is correct.
    #[track_caller]
    pub(super) fn covers(
        &self,
        before: &BTreeMap<i64, T>,
        after: &BTreeMap<i64, T>,
        batch: &[DirectoryChange],
    ) {
        for id in before.keys().chain(after.keys()) {
            let (then, now) = (before.get(id), after.get(id));
            let is_told = if now.is_some() {
                self.records.get(id) == now
            } else {
                self.gone.contains(id)
            };
            assert!(
                then == now || is_told,
                "{then:?} has become {now:?}, which was not reported after {batch:#?}"
            );
        }
        for (id, record) in &self.records {
            assert_eq!(
                Some(record),
                after.get(id),
                "a reported record is the present one after {batch:#?}"
            );
        }
        assert!(
            self.gone.iter().all(|id| !after.contains_key(id)),
            "no present record is reported as deleted after {batch:#?}"
        );
    }

    /// Asserts that at least these ids are reported.
    #[track_caller]
    pub(super) fn names(&self, ids: &[i64], change: &DirectoryChange) {
        let missing: Vec<_> = ids
            .iter()
            .filter(|id| !self.records.contains_key(id) && !self.gone.contains(id))
            .collect();
        assert!(
            missing.is_empty(),
            "{missing:?} are not reported after {change:#?}"
        );
    }
}

use std::fmt;
use std::sync::Arc;

use super::engine::{DatedList, IndexedList, ListView, QueryableList, RecordChange};
use super::profiles::{ProfileRows, Profiles, build_profiles};
use super::school::SchoolResources;
use super::version_history::{History, KnownVersions};
use crate::domain::{
    Club, ClubId, ClubProfile, DateRange, Email, Lesson, Meal, Participant, Project, ProjectId,
    ProjectProfile, Record, SchoolEvent, Student, StudentId, StudentProfile,
};
use crate::store::{DatasetVersion, DirectoryRow, DirectoryRows};

/// All records of the directory in one version. It is immutable and shares unchanged data with the
/// previous snapshot.
///
/// [`SearchTerm`](crate::domain::SearchTerm) and [`SortDirection`](crate::domain::SortDirection)
/// specify text search and sorting.
#[derive(Clone)]
pub struct Snapshot {
    version: DatasetVersion,
    known_versions: KnownVersions,
    students: Arc<IndexedList<StudentProfile>>,
    clubs: Arc<IndexedList<ClubProfile>>,
    projects: Arc<IndexedList<ProjectProfile>>,
    meals: Arc<DatedList<Meal>>,
    events: Arc<DatedList<SchoolEvent>>,
    lessons: Arc<DatedList<Lesson>>,
}

/// The changed meals, events and lessons, in ascending order of id.
struct DatedRows {
    meals: Vec<DirectoryRow<String, Meal>>,
    events: Vec<DirectoryRow<String, SchoolEvent>>,
    lessons: Vec<DirectoryRow<String, Lesson>>,
}

impl Snapshot {
    /// Builds a snapshot from all rows of a store.
    pub(super) fn from_rows(mut rows: DirectoryRows, resources: &SchoolResources) -> Self {
        let version = rows.version;
        if rows.marks.first().is_none_or(|(number, _)| *number > 0) {
            rows.marks.insert(0, (0, 0));
        }
        let known_versions = KnownVersions::default().with_later(std::mem::take(&mut rows.marks));
        // No valid cursor names a version without a mark, so the rows of such versions count as
        // changed in version 0.
        reset_unknown_versions(&mut rows.students, &known_versions);
        reset_unknown_versions(&mut rows.clubs, &known_versions);
        reset_unknown_versions(&mut rows.projects, &known_versions);
        let empty = Self {
            version,
            known_versions,
            students: Arc::new(IndexedList::new(Arc::clone(&resources.students))),
            clubs: Arc::new(IndexedList::new(Arc::clone(&resources.clubs))),
            projects: Arc::new(IndexedList::new(Arc::clone(&resources.projects))),
            meals: Arc::new(DatedList::new(Arc::clone(&resources.meals))),
            events: Arc::new(DatedList::new(Arc::clone(&resources.schedules))),
            lessons: Arc::new(DatedList::new(Arc::clone(&resources.timetables))),
        };
        empty.with_changes(rows)
    }

    /// Returns this snapshot with the changed rows applied.
    pub(super) fn with_changes(&self, rows: DirectoryRows) -> Self {
        let DirectoryRows {
            version,
            marks,
            students,
            clubs,
            projects,
            meals,
            events,
            lessons,
        } = rows;
        let profiles = build_profiles(
            self,
            ProfileRows {
                students,
                clubs,
                projects,
            },
        );
        self.with_profiles(
            version,
            marks,
            profiles,
            DatedRows {
                meals,
                events,
                lessons,
            },
        )
    }

    /// Returns those of `rows` whose record or profile differs from this snapshot, and the next
    /// snapshot; `None` if nothing differs.
    pub(super) fn with_effective_changes(
        &self,
        mut rows: DirectoryRows,
    ) -> Option<(DirectoryRows, Self)> {
        let profile_rows = ProfileRows {
            students: rows.students.clone(),
            clubs: rows.clubs.clone(),
            projects: rows.projects.clone(),
        };
        let Profiles {
            students,
            mut clubs,
            mut projects,
        } = build_profiles(self, profile_rows);
        let mut students: Vec<_> = students.collect();
        retain_changed(
            &mut rows.students,
            StudentId::get,
            &mut students,
            &self.students,
        );
        retain_changed(&mut rows.clubs, ClubId::get, &mut clubs, &self.clubs);
        retain_changed(
            &mut rows.projects,
            ProjectId::get,
            &mut projects,
            &self.projects,
        );
        rows.meals
            .retain(|row| self.meals.get(&row.id) != row.value.as_ref());
        rows.events
            .retain(|row| self.events.get(&row.id) != row.value.as_ref());
        rows.lessons
            .retain(|row| self.lessons.get(&row.id) != row.value.as_ref());
        if rows.is_empty() {
            return None;
        }
        let dated = DatedRows {
            meals: rows.meals.clone(),
            events: rows.events.clone(),
            lessons: rows.lessons.clone(),
        };
        let profiles = Profiles {
            students: students.into_iter(),
            clubs,
            projects,
        };
        let next = self.with_profiles(rows.version, rows.marks.clone(), profiles, dated);
        Some((rows, next))
    }

    fn with_profiles(
        &self,
        version: DatasetVersion,
        marks: Vec<(u64, u64)>,
        profiles: Profiles<impl Iterator<Item = RecordChange<StudentProfile>>>,
        dated: DatedRows,
    ) -> Self {
        let Profiles {
            students,
            clubs,
            projects,
        } = profiles;
        let mut students = students.peekable();
        let DatedRows {
            meals,
            events,
            lessons,
        } = dated;
        Self {
            version,
            known_versions: self.known_versions.with_later(marks),
            students: match students.peek() {
                Some(_) => Arc::new(self.students.with_changes(students)),
                None => Arc::clone(&self.students),
            },
            clubs: share_or_rebuild(&self.clubs, clubs, |list, entries| {
                list.with_changes(entries.into_iter())
            }),
            projects: share_or_rebuild(&self.projects, projects, |list, entries| {
                list.with_changes(entries.into_iter())
            }),
            meals: share_or_rebuild(&self.meals, meals, DatedList::with_changes),
            events: share_or_rebuild(&self.events, events, DatedList::with_changes),
            lessons: share_or_rebuild(&self.lessons, lessons, DatedList::with_changes),
        }
    }

    /// Returns the version of the snapshot.
    pub const fn version(&self) -> DatasetVersion {
        self.version
    }

    /// Whether the directory has or had this version, as far as the snapshot knows.
    pub fn knows(&self, version: DatasetVersion) -> bool {
        self.history().knows(version)
    }

    /// Returns the number of records of all six kinds.
    pub fn record_count(&self) -> usize {
        let people = self.students.len() + self.clubs.len() + self.projects.len();
        people + self.meals.len() + self.events.len() + self.lessons.len()
    }

    /// Returns the list of students.
    pub fn students(&self) -> ListView<'_, StudentProfile> {
        ListView {
            list: &self.students,
            history: self.history(),
        }
    }

    /// Returns the list of clubs.
    pub fn clubs(&self) -> ListView<'_, ClubProfile> {
        ListView {
            list: &self.clubs,
            history: self.history(),
        }
    }

    /// Returns the list of projects.
    pub fn projects(&self) -> ListView<'_, ProjectProfile> {
        ListView {
            list: &self.projects,
            history: self.history(),
        }
    }

    /// Returns the students with this e-mail address, compared without case, of every enrollment
    /// status and in no particular order.
    pub fn students_with_email(
        &self,
        email: &Email,
    ) -> impl Iterator<Item = &Arc<Record<StudentProfile>>> {
        self.students.find_exact(email.folded())
    }

    /// Returns the meals of these days, sorted by day, meal type and [`Meal::id`].
    pub fn meals(&self, days: DateRange) -> &[Arc<Meal>] {
        self.meals.days(days)
    }

    /// Returns the events of these days, sorted by day, name and id.
    pub fn events(&self, days: DateRange) -> &[Arc<SchoolEvent>] {
        self.events.days(days)
    }

    /// Returns the lessons of these days, sorted by day, grade, class, period and id.
    pub fn lessons(&self, days: DateRange) -> &[Arc<Lesson>] {
        self.lessons.days(days)
    }

    /// Returns every list, in the order of [`SchoolResources::definitions`].
    pub(crate) fn lists(&self) -> [&dyn QueryableList; 6] {
        [
            &*self.students,
            &*self.clubs,
            &*self.projects,
            &*self.meals,
            &*self.events,
            &*self.lessons,
        ]
    }

    pub(super) fn student(&self, id: StudentId) -> Option<&Student> {
        self.students
            .get(id.get())
            .map(|record| &record.value().student)
    }

    pub(super) fn club(&self, id: ClubId) -> Option<&Club> {
        self.clubs.get(id.get()).map(|record| &record.value().club)
    }

    pub(super) fn project(&self, id: ProjectId) -> Option<&Project> {
        self.projects
            .get(id.get())
            .map(|record| &record.value().project)
    }

    pub(super) fn lesson(&self, id: &str) -> Option<&Lesson> {
        self.lessons.get(id)
    }

    /// Returns the members of a club in id order.
    pub(super) fn members(&self, club: ClubId) -> &[Participant] {
        self.clubs
            .get(club.get())
            .map_or(&[], |record| &record.value().members)
    }

    pub(super) fn members_of(&self, club: ClubId) -> impl Iterator<Item = StudentId> {
        self.members(club).iter().map(|member| member.id)
    }

    pub(super) fn projects_of_club(&self, club: ClubId) -> impl Iterator<Item = ProjectId> {
        self.projects
            .find_by_number("clubId", club.get())
            .map(|profile| profile.project.id)
    }

    /// Returns every project.
    pub(super) fn all_projects(&self) -> impl Iterator<Item = &Project> {
        self.projects.values().map(|profile| &profile.project)
    }

    pub(crate) const fn history(&self) -> History<'_> {
        History {
            current: self.version,
            versions: &self.known_versions,
        }
    }
}

/// Omits the records, which are personal data.
impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Snapshot")
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}

/// Shares the list if there are no changes, and rebuilds it otherwise.
fn share_or_rebuild<L, E>(
    list: &Arc<L>,
    entries: Vec<E>,
    with_changes: impl FnOnce(&L, Vec<E>) -> L,
) -> Arc<L> {
    if entries.is_empty() {
        Arc::clone(list)
    } else {
        Arc::new(with_changes(list, entries))
    }
}

/// Drops changes whose profile is the same as in the list `before`.
fn retain_changed<I: Copy, T: PartialEq + Send + Sync + 'static, R>(
    rows: &mut Vec<DirectoryRow<I, R>>,
    number: fn(I) -> i64,
    entries: &mut Vec<RecordChange<T>>,
    before: &IndexedList<T>,
) {
    entries
        .retain(|entry| before.get(entry.id).map(|record| record.value()) != entry.value.as_ref());
    rows.retain(|row| {
        entries
            .binary_search_by_key(&number(row.id), |entry| entry.id)
            .is_ok()
    });
}

fn reset_unknown_versions<I, T>(rows: &mut [DirectoryRow<I, T>], known_versions: &KnownVersions) {
    for row in rows
        .iter_mut()
        .filter(|row| known_versions.mark(row.changed).is_none())
    {
        row.changed = 0;
    }
}

use std::fmt;
use std::sync::Arc;

use super::engine::{Calendar, Entry, List, ListView, Listed};
use super::history::{History, Marks};
use super::profiles::{People, Profiles, profiles};
use super::school::SchoolResources;
use crate::domain::{
    Club, ClubId, ClubProfile, DateRange, Email, Lesson, Meal, Participant, Project, ProjectId, ProjectProfile, Record, SchoolEvent,
    Student, StudentId, StudentProfile,
};
use crate::store::{DatasetVersion, DirectoryRow, DirectoryRows};

/// The whole directory in one version, laid out for reading. It never changes; what has not changed is shared with the snapshot before.
///
/// Filters, sorting and paging are specified to the byte: see [`Needle`](crate::domain::Needle) and [`Direction`](crate::domain::Direction).
#[derive(Clone)]
pub struct Snapshot {
    version: DatasetVersion,
    marks: Marks,
    students: Arc<List<StudentProfile>>,
    clubs: Arc<List<ClubProfile>>,
    projects: Arc<List<ProjectProfile>>,
    meals: Arc<Calendar<Meal>>,
    events: Arc<Calendar<SchoolEvent>>,
    lessons: Arc<Calendar<Lesson>>,
}

/// The changed records that belong to days, in ascending order of id.
struct Days {
    meals: Vec<DirectoryRow<String, Meal>>,
    events: Vec<DirectoryRow<String, SchoolEvent>>,
    lessons: Vec<DirectoryRow<String, Lesson>>,
}

impl Snapshot {
    /// A directory that was just loaded.
    pub(super) fn loaded(mut rows: DirectoryRows, resources: &SchoolResources) -> Self {
        let version = rows.version;
        if rows.marks.first().is_none_or(|(number, _)| *number > 0) {
            rows.marks.insert(0, (0, 0));
        }
        let marks = Marks::default().and(std::mem::take(&mut rows.marks));
        // No valid cursor names a version whose mark is gone, so its rows count as changed in version 0.
        restamp(&mut rows.students, &marks);
        restamp(&mut rows.clubs, &marks);
        restamp(&mut rows.projects, &marks);
        let nothing = Self {
            version,
            marks,
            students: Arc::new(List::new(Arc::clone(&resources.students))),
            clubs: Arc::new(List::new(Arc::clone(&resources.clubs))),
            projects: Arc::new(List::new(Arc::clone(&resources.projects))),
            meals: Arc::new(Calendar::new(Arc::clone(&resources.meals))),
            events: Arc::new(Calendar::new(Arc::clone(&resources.schedules))),
            lessons: Arc::new(Calendar::new(Arc::clone(&resources.timetables))),
        };
        nothing.after(rows)
    }

    /// This snapshot after these rows changed.
    pub(super) fn after(&self, rows: DirectoryRows) -> Self {
        let DirectoryRows { version, marks, students, clubs, projects, meals, events, lessons } = rows;
        let profiles = profiles(self, People { students, clubs, projects });
        self.with(version, marks, profiles, Days { meals, events, lessons })
    }

    /// What of `rows` is different from this snapshot or shows something else, and the snapshot after it; `None` if nothing is.
    pub(super) fn changed_by(&self, mut rows: DirectoryRows) -> Option<(DirectoryRows, Self)> {
        let people = People { students: rows.students.clone(), clubs: rows.clubs.clone(), projects: rows.projects.clone() };
        let Profiles { students, mut clubs, mut projects } = profiles(self, people);
        let mut students: Vec<_> = students.collect();
        keep_different(&mut rows.students, StudentId::get, &mut students, &self.students);
        keep_different(&mut rows.clubs, ClubId::get, &mut clubs, &self.clubs);
        keep_different(&mut rows.projects, ProjectId::get, &mut projects, &self.projects);
        rows.meals.retain(|row| self.meals.get(&row.id) != row.value.as_ref());
        rows.events.retain(|row| self.events.get(&row.id) != row.value.as_ref());
        rows.lessons.retain(|row| self.lessons.get(&row.id) != row.value.as_ref());
        if rows.is_empty() {
            return None;
        }
        let days = Days { meals: rows.meals.clone(), events: rows.events.clone(), lessons: rows.lessons.clone() };
        let profiles = Profiles { students: students.into_iter(), clubs, projects };
        let next = self.with(rows.version, rows.marks.clone(), profiles, days);
        Some((rows, next))
    }

    fn with(
        &self,
        version: DatasetVersion,
        marks: Vec<(u64, u64)>,
        profiles: Profiles<impl Iterator<Item = Entry<StudentProfile>>>,
        days: Days,
    ) -> Self {
        let Profiles { students, clubs, projects } = profiles;
        let mut students = students.peekable();
        let Days { meals, events, lessons } = days;
        Self {
            version,
            marks: self.marks.and(marks),
            students: match students.peek() {
                Some(_) => Arc::new(self.students.after(students)),
                None => Arc::clone(&self.students),
            },
            clubs: renewed(&self.clubs, clubs, |list, entries| list.after(entries.into_iter())),
            projects: renewed(&self.projects, projects, |list, entries| list.after(entries.into_iter())),
            meals: renewed(&self.meals, meals, Calendar::after),
            events: renewed(&self.events, events, Calendar::after),
            lessons: renewed(&self.lessons, lessons, Calendar::after),
        }
    }

    /// Which version this is.
    pub const fn version(&self) -> DatasetVersion {
        self.version
    }

    /// Whether the directory is or was at this version, as far as the snapshot knows.
    pub fn knows(&self, version: DatasetVersion) -> bool {
        self.history().knows(version)
    }

    /// How many records there are, of all six kinds.
    pub fn records(&self) -> usize {
        let people = self.students.len() + self.clubs.len() + self.projects.len();
        people + self.meals.len() + self.events.len() + self.lessons.len()
    }

    /// The students.
    pub fn students(&self) -> ListView<'_, StudentProfile> {
        ListView { list: &self.students, history: self.history() }
    }

    /// The clubs.
    pub fn clubs(&self) -> ListView<'_, ClubProfile> {
        ListView { list: &self.clubs, history: self.history() }
    }

    /// The projects.
    pub fn projects(&self) -> ListView<'_, ProjectProfile> {
        ListView { list: &self.projects, history: self.history() }
    }

    /// The students with this address, in any case, of every standing and in no order.
    pub fn students_with_email(&self, email: &Email) -> impl Iterator<Item = &Arc<Record<StudentProfile>>> {
        self.students.with_text(email.folded())
    }

    /// The meals of these days, by day, meal of the day and [`Meal::id`].
    pub fn meals(&self, days: DateRange) -> &[Arc<Meal>] {
        self.meals.days(days)
    }

    /// The events of these days, by day, name and id.
    pub fn events(&self, days: DateRange) -> &[Arc<SchoolEvent>] {
        self.events.days(days)
    }

    /// The lessons of these days, by day, grade, class, period and id.
    pub fn lessons(&self, days: DateRange) -> &[Arc<Lesson>] {
        self.lessons.days(days)
    }

    /// Every list, in the order of [`SchoolResources::definitions`].
    pub(crate) fn lists(&self) -> [&dyn Listed; 6] {
        [&*self.students, &*self.clubs, &*self.projects, &*self.meals, &*self.events, &*self.lessons]
    }

    pub(super) fn student(&self, id: StudentId) -> Option<&Student> {
        self.students.get(id.get()).map(|record| &record.value().student)
    }

    pub(super) fn club(&self, id: ClubId) -> Option<&Club> {
        self.clubs.get(id.get()).map(|record| &record.value().club)
    }

    pub(super) fn project(&self, id: ProjectId) -> Option<&Project> {
        self.projects.get(id.get()).map(|record| &record.value().project)
    }

    pub(super) fn lesson(&self, id: &str) -> Option<&Lesson> {
        self.lessons.get(id)
    }

    /// The members of a club in id order.
    pub(super) fn members(&self, club: ClubId) -> &[Participant] {
        self.clubs.get(club.get()).map_or(&[], |record| &record.value().members)
    }

    pub(super) fn members_of(&self, club: ClubId) -> impl Iterator<Item = StudentId> {
        self.members(club).iter().map(|member| member.id)
    }

    pub(super) fn projects_of_club(&self, club: ClubId) -> impl Iterator<Item = ProjectId> {
        self.projects.with_number("clubId", club.get()).map(|profile| profile.project.id)
    }

    /// Every project.
    pub(super) fn all_projects(&self) -> impl Iterator<Item = &Project> {
        self.projects.values().map(|profile| &profile.project)
    }

    pub(crate) const fn history(&self) -> History<'_> {
        History { present: self.version, marks: &self.marks }
    }
}

/// Nothing of what is kept, for it is about people.
impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Snapshot").field("version", &self.version).finish_non_exhaustive()
    }
}

/// The same list if nothing in it changed.
fn renewed<L, E>(list: &Arc<L>, entries: Vec<E>, after: impl FnOnce(&L, Vec<E>) -> L) -> Arc<L> {
    if entries.is_empty() { Arc::clone(list) } else { Arc::new(after(list, entries)) }
}

/// Drops what shows the same as before.
fn keep_different<I: Copy, T: PartialEq + Send + Sync + 'static, R>(
    rows: &mut Vec<DirectoryRow<I, R>>,
    number: fn(I) -> i64,
    entries: &mut Vec<Entry<T>>,
    before: &List<T>,
) {
    entries.retain(|entry| before.get(entry.id).map(|record| record.value()) != entry.value.as_ref());
    rows.retain(|row| entries.binary_search_by_key(&number(row.id), |entry| entry.id).is_ok());
}

fn restamp<I, T>(rows: &mut [DirectoryRow<I, T>], marks: &Marks) {
    for row in rows.iter_mut().filter(|row| marks.of(row.changed).is_none()) {
        row.changed = 0;
    }
}

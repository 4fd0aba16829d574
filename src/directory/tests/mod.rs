mod batches;
mod constraints;
mod dated_lists;
mod filters;
mod keep_fresh;

use std::sync::Arc;

use crate::directory::DirectoryChange::{PutClub, PutProject, PutStudent};
use crate::directory::fixtures::{club, member, project};
use crate::directory::{
    Directory, DirectoryChange, ListView, RejectionReason, Snapshot, WriteOutcome,
};
use crate::domain::{
    ClassNum, ClubProfile, ClubType, Date, DateRange, Grade, Lesson, Meal, MealType, Page, Period,
    ProjectProfile, SchoolEvent, SchoolIdentity,
};
use crate::store::memory::MemoryStore;

/// Returns a directory with a major club led by its only member, student 1, an autonomous club led
/// by the same student and with student 2 as the other member, and a project of both.
fn sample_directory() -> Directory {
    let directory = empty_directory();
    write(
        &directory,
        vec![
            PutClub(club(1, ClubType::Major, None)),
            PutClub(club(2, ClubType::Autonomous, None)),
            PutStudent(member(2, None, Some(2))),
            PutStudent(member(1, Some(1), Some(2))),
            PutClub(club(1, ClubType::Major, Some(1))),
            PutClub(club(2, ClubType::Autonomous, Some(1))),
            PutProject(project(1, Some(1), &[2, 1])),
        ],
    );
    directory
}

fn empty_directory() -> Directory {
    block_on(Directory::open(Arc::new(MemoryStore::new()))).unwrap()
}

/// Runs a future to completion on a runtime of its own.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap()
        .block_on(future)
}

fn snapshot(directory: &Directory) -> Arc<Snapshot> {
    block_on(directory.snapshot()).unwrap()
}

fn version_number(directory: &Directory) -> u64 {
    snapshot(directory).version().number
}

/// Writes a batch that has an effect.
fn write(directory: &Directory, changes: Vec<DirectoryChange>) {
    let before = version_number(directory);
    match block_on(directory.write(changes)).unwrap() {
        WriteOutcome::Written(version) => assert_eq!(version.number, before + 1),
        other => panic!("{other:?}"),
    }
}

fn rejection(directory: &Directory, changes: Vec<DirectoryChange>) -> (usize, RejectionReason) {
    match block_on(directory.write(changes)).unwrap() {
        WriteOutcome::Rejected { index, reason } => (index, reason),
        other => panic!("{other:?}"),
    }
}

fn page<'a, T: PartialEq + Send + Sync + 'static>(
    list: ListView<'a, T>,
    parameters: &[(&str, &str)],
) -> Page<'a, T> {
    list.page(&list.query(parameters).unwrap())
}

fn clubs(school: &Snapshot) -> Page<'_, ClubProfile> {
    page(school.clubs(), &[])
}

fn projects(school: &Snapshot) -> Page<'_, ProjectProfile> {
    page(school.projects(), &[("sortBy", "NAME")])
}

/// Returns each club's leader and members.
fn membership(directory: &Directory) -> Vec<(Option<i64>, Vec<i64>)> {
    let members = |profile: &ClubProfile| {
        profile
            .members
            .iter()
            .map(|member| member.id.get())
            .collect()
    };
    clubs(&snapshot(directory))
        .values()
        .map(|profile| {
            (
                profile.leader().map(|leader| leader.id.get()),
                members(profile),
            )
        })
        .collect()
}

/// Formats the clubs, projects and meals that a client sees, and the version.
fn observed_state(directory: &Directory) -> String {
    let school = snapshot(directory);
    let meals = meals(&school, "2026-03-01", "2026-03-31");
    let (clubs, projects) = (clubs(&school), projects(&school));
    format!(
        "{:?} {:?} {meals:?} {}",
        clubs.values().collect::<Vec<_>>(),
        projects.values().collect::<Vec<_>>(),
        version_number(directory)
    )
}

fn meals(school: &Snapshot, from: &str, to: &str) -> Vec<MealType> {
    let days = DateRange::new(day(from), day(to)).unwrap();
    school.meals(days).iter().map(|meal| meal.kind).collect()
}

fn day(text: &str) -> Date {
    text.parse().unwrap()
}

fn identity() -> SchoolIdentity {
    let line = |text: &str| text.parse().unwrap();
    SchoolIdentity {
        school_code: line("1"),
        school_name: line("School"),
        office_code: line("2"),
        office_name: line("Office"),
    }
}

fn meal(date: &str, kind: MealType) -> Meal {
    let (calories, origin, nutrition) = (None, None, None);
    Meal {
        school: identity(),
        date: day(date),
        kind,
        dishes: vec![],
        calories,
        origin,
        nutrition,
        serve_count: None,
    }
}

fn event(id: &str, date: &str, name: &str) -> SchoolEvent {
    SchoolEvent {
        id: id.parse().unwrap(),
        school: identity(),
        date: day(date),
        academic_year: "2026".parse().unwrap(),
        name: name.parse().unwrap(),
        content: None,
        day_category: None,
        course_type: None,
        day_night: None,
        target_grades: vec![],
    }
}

fn lesson(id: &str, date: &str, grade: i64, class_num: i64, period: i64) -> Lesson {
    Lesson {
        id: id.parse().unwrap(),
        school: identity(),
        date: day(date),
        academic_year: "2026".parse().unwrap(),
        semester: None,
        grade: Grade::new(grade).unwrap(),
        class_num: ClassNum::new(class_num).unwrap(),
        period: Period::new(period).unwrap(),
        subject: None,
        department: None,
        classroom: None,
    }
}

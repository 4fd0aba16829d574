mod bitmap_index;
mod linear_search;
mod lists;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::directory::engine::{IndexedList, ListView, RecordChange};
use crate::directory::school::{SchoolResources, SchoolSettings};
use crate::directory::version_history::{History, KnownVersions};
use crate::directory::{Query, fixtures};
use crate::domain::{EnrollmentStatus, Page, Student, StudentProfile};
use crate::store::DatasetVersion;

type Students = IndexedList<StudentProfile>;

/// Parameters of a request.
type Parameters<'a> = &'a [(&'a str, &'a str)];

fn profile(student: Student) -> StudentProfile {
    StudentProfile {
        student,
        major_club: None,
        autonomous_club: None,
    }
}

fn no_students() -> Students {
    IndexedList::new(SchoolResources::new(&SchoolSettings::default()).students)
}

fn students_named(names: &[&str]) -> Students {
    let enrolled = |(id, name): (i64, &&str)| {
        profile(fixtures::student(
            id,
            name,
            EnrollmentStatus::Enrolled(fixtures::enrollment()),
        ))
    };
    list_with((1..).zip(names).map(enrolled), 1, &no_students())
}

/// Returns the list `before` with its students replaced by these, which are in id order.
fn list_with(
    profiles: impl Iterator<Item = StudentProfile>,
    changed: u64,
    before: &Students,
) -> Students {
    let mut entries: BTreeMap<i64, Option<StudentProfile>> = before
        .values()
        .map(|profile| (profile.student.id.get(), None))
        .collect();
    entries.extend(profiles.map(|profile| (profile.student.id.get(), Some(profile))));
    before.with_changes(
        entries
            .into_iter()
            .map(|(id, value)| RecordChange { id, changed, value }),
    )
}

fn view<T>(list: &IndexedList<T>) -> ListView<'_, T> {
    static VERSIONS: LazyLock<KnownVersions> = LazyLock::new(KnownVersions::default);
    ListView {
        list,
        history: History {
            current: DatasetVersion {
                lineage: 1,
                number: 1,
                mark: 1,
            },
            versions: &VERSIONS,
        },
    }
}

fn query<T: PartialEq + Send + Sync + 'static>(
    list: &IndexedList<T>,
    parameters: Parameters<'_>,
) -> Query {
    view(list).query(parameters).unwrap()
}

fn page<'a, T: PartialEq + Send + Sync + 'static>(
    list: &'a IndexedList<T>,
    parameters: Parameters<'_>,
) -> Page<'a, T> {
    view(list).page(&query(list, parameters))
}

fn ids(students: &Students, parameters: Parameters<'_>) -> Vec<i64> {
    page(students, parameters)
        .values()
        .map(|profile| profile.student.id.get())
        .collect()
}

/// Adds graduates and withdrawn students to these parameters.
fn including_departed<'a>(parameters: Parameters<'a>) -> Vec<(&'a str, &'a str)> {
    [
        &[("includeGraduates", "true"), ("includeWithdrawn", "true")],
        parameters,
    ]
    .concat()
}

//! Schools of any size, derived from the sample school.

use lyceum::directory::{Directory, DirectoryChange, WriteOutcome};
use lyceum::domain::{Club, Date, Student, StudentId};
use lyceum::sample_data::SampleSchool;

/// Maximum number of changes of a write.
const BATCH: usize = 10_000;

/// The date of the sample school.
pub fn today() -> Date {
    Date::new(2026, 9, 21).unwrap()
}

/// Enrolled students and their clubs.
pub fn students(count: usize) -> (Vec<Club>, Vec<Student>) {
    let school = SampleSchool::new(20, today());
    let enrolled: Vec<_> = school
        .students
        .iter()
        .filter(|student| student.enrollment().is_some())
        .collect();
    let student = |number: usize| {
        let (like, named) = (
            enrolled[number % enrolled.len()],
            &school.students[number * 31 % school.students.len()],
        );
        Student {
            id: StudentId::new(i64::try_from(number).unwrap() + 1).unwrap(),
            // Names are distinct, so that sharing equal names saves nothing.
            name: format!("{}{number}", &*named.name).parse().unwrap(),
            email: format!("student.{number}@school.example").parse().unwrap(),
            github_id: like
                .github_id
                .as_ref()
                .map(|_| format!("student-{number}").parse().unwrap()),
            ..like.clone()
        }
    };
    let clubs = school
        .clubs
        .iter()
        .map(|club| Club {
            leader: None,
            ..club.clone()
        })
        .collect();
    (clubs, (0..count).map(student).collect())
}

/// Fills an empty directory with `count` students. 1,200 are the sample school itself, with a year
/// of meals, events and lessons.
pub async fn fill(directory: &Directory, count: usize) {
    let changes = if count == 1_200 {
        a_school_year()
    } else {
        let (clubs, students) = students(count);
        clubs
            .into_iter()
            .map(DirectoryChange::PutClub)
            .chain(students.into_iter().map(DirectoryChange::PutStudent))
            .collect()
    };
    for batch in changes.chunks(BATCH) {
        assert!(matches!(
            directory.write(batch.to_vec()).await.unwrap(),
            WriteOutcome::Written(_)
        ));
    }
}

fn a_school_year() -> Vec<DirectoryChange> {
    let mut changes = SampleSchool::new(20, today()).changes();
    // A sample school covers the month around its date: 31 days.
    for month in 1..12 {
        let school = SampleSchool::new(
            20 + month,
            today()
                .plus_days(31 * i32::try_from(month).unwrap())
                .unwrap(),
        );
        changes.extend(school.meals.into_iter().map(DirectoryChange::PutMeal));
        changes.extend(school.events.into_iter().map(DirectoryChange::PutEvent));
        changes.extend(school.lessons.into_iter().map(DirectoryChange::PutLesson));
    }
    changes
}

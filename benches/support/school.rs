//! Schools of any size, made of the invented one.

use lyceum::directory::{Directory, DirectoryChange, Writing};
use lyceum::domain::{Club, Date, Student, StudentId};
use lyceum::testing::school::DemoSchool;

/// How many changes a write takes.
const BATCH: usize = 10_000;

/// The day that the school is invented for.
pub fn today() -> Date {
    Date::new(2026, 9, 21).unwrap()
}

/// Students who are all enrolled, and their clubs.
pub fn students(count: usize) -> (Vec<Club>, Vec<Student>) {
    let school = DemoSchool::new(20, today());
    let enrolled: Vec<_> = school.students.iter().filter(|student| student.enrolment().is_some()).collect();
    let student = |number: usize| {
        let (like, named) = (enrolled[number % enrolled.len()], &school.students[number * 31 % school.students.len()]);
        Student {
            id: StudentId::new(i64::try_from(number).unwrap() + 1).unwrap(),
            // No two have one name, so that nothing is gained by keeping equal names once.
            name: format!("{}{number}", &*named.name).parse().unwrap(),
            email: format!("student.{number}@school.example").parse().unwrap(),
            github_id: like.github_id.as_ref().map(|_| format!("student-{number}").parse().unwrap()),
            ..like.clone()
        }
    };
    let clubs = school.clubs.iter().map(|club| Club { leader: None, ..club.clone() }).collect();
    (clubs, (0..count).map(student).collect())
}

/// Fills an empty directory with so many students. 1,200 are the invented school as it is, with a year of meals, events and lessons.
pub async fn fill(directory: &Directory, count: usize) {
    let changes = if count == 1_200 {
        a_school_year()
    } else {
        let (clubs, students) = students(count);
        clubs.into_iter().map(DirectoryChange::PutClub).chain(students.into_iter().map(DirectoryChange::PutStudent)).collect()
    };
    for batch in changes.chunks(BATCH) {
        assert!(matches!(directory.write(batch.to_vec()).await.unwrap(), Writing::Written(_)));
    }
}

fn a_school_year() -> Vec<DirectoryChange> {
    let mut changes = DemoSchool::new(20, today()).changes();
    // An invented school has a month around its day: 31 days.
    for month in 1..12 {
        let school = DemoSchool::new(20 + month, today().plus_days(31 * i32::try_from(month).unwrap()).unwrap());
        changes.extend(school.meals.into_iter().map(DirectoryChange::PutMeal));
        changes.extend(school.events.into_iter().map(DirectoryChange::PutEvent));
        changes.extend(school.lessons.into_iter().map(DirectoryChange::PutLesson));
    }
    changes
}

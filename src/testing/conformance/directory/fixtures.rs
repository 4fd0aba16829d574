//! Rows that the directory cases write, and the rows that a store must then have.

use crate::testing::conformance::directory_fixtures::autonomous_club;
use crate::testing::conformance::directory_fixtures::club;
use std::sync::Arc;

use super::super::directory_fixtures::{
    club_id, club_with_leader, enrolled, event, lesson, meal, project, short_text, student,
    student_id, student_with_status, value, years,
};
use super::super::store_under_test::ExpectOk;
use super::{a_meal, after, put, removed};
use crate::domain::{
    ClassNum, Club, DormitoryRoom, EnrolledRole, EnrollmentStatus, Grade, Lesson, Meal, MealType,
    Project, Repositories, SchoolEvent, SeatNumber, Sex, Student, TechStacks,
};
use crate::store::{DatasetVersion, DirectoryRow, DirectoryRows, DirectoryWrite, Storage};

/// Rows that a store must have after these writes.
pub(super) struct Expected {
    pub(super) rows: DirectoryRows,
}

impl Expected {
    /// Starts from the present rows of the store.
    pub(super) async fn new(store: &dyn Storage) -> Self {
        Self {
            rows: store.load_directory().await.expect_ok(),
        }
    }

    /// Writes rows as the next version, which must succeed. `fill` receives the number of that
    /// version.
    pub(super) async fn write(
        &mut self,
        store: &dyn Storage,
        fill: impl FnOnce(&mut DirectoryRows, u64),
    ) -> DatasetVersion {
        let version = after(self.rows.version);
        let mut change = DirectoryRows::empty(version);
        fill(&mut change, version.number);
        let change = Arc::new(change);
        let outcome = store
            .write_directory(self.rows.version, Arc::clone(&change))
            .await
            .expect_ok();
        assert_eq!(
            outcome,
            DirectoryWrite::Written,
            "the directory is at the expected version"
        );
        self.rows.version = version;
        self.rows.marks.push((version.number, version.mark));
        replace(&mut self.rows.students, &change.students);
        replace(&mut self.rows.clubs, &change.clubs);
        replace(&mut self.rows.projects, &change.projects);
        replace(&mut self.rows.meals, &change.meals);
        replace(&mut self.rows.events, &change.events);
        replace(&mut self.rows.lessons, &change.lessons);
        version
    }

    /// Returns the rows that changed after the version `number`.
    pub(super) fn since(&self, number: u64) -> DirectoryRows {
        let mut rows = self.rows.clone();
        rows.marks.retain(|(of, _)| *of > number);
        rows.students.retain(|row| row.changed > number);
        rows.clubs.retain(|row| row.changed > number);
        rows.projects.retain(|row| row.changed > number);
        rows.meals.retain(|row| row.changed > number);
        rows.events.retain(|row| row.changed > number);
        rows.lessons.retain(|row| row.changed > number);
        rows
    }

    pub(super) async fn is_loaded(&self, store: &dyn Storage) {
        let loaded = store.load_directory().await.expect_ok();
        assert_eq!(loaded, self.rows, "the loaded rows are the written ones");
    }
}

fn replace<I: Ord + Clone, T: Clone>(
    rows: &mut Vec<DirectoryRow<I, T>>,
    change: &[DirectoryRow<I, T>],
) {
    rows.retain(|row| change.iter().all(|changed| changed.id != row.id));
    rows.extend_from_slice(change);
    rows.sort_by(|one, other| one.id.cmp(&other.id));
}

/// Text that databases and drivers often alter.
const ODD: &str = "  100%_'\"\\ ﬁ A\u{30a} 👩‍💻 \u{200b}\u{ffff} $1 ?1 ";

fn students() -> [Student; 4] {
    let whole = enrolled(1, |enrollment| {
        enrollment.grade = value(3, Grade::new);
        enrollment.class_num = value(4, ClassNum::new);
        enrollment.number = value(18, SeatNumber::new);
        enrollment.major = "LAW".parse().expect("a major");
        enrollment.role = EnrolledRole::DormitoryManager;
        enrollment.dormitory_room = Some(value(415, DormitoryRoom::new));
        (enrollment.major_club, enrollment.autonomous_club) = (Some(club_id(1)), Some(club_id(2)));
    });
    let named = Student {
        name: short_text(ODD),
        sex: Sex::Man,
        email: "O'Hara+%_@School.Example".parse().expect("an address"),
        specialty: Some(short_text(ODD)),
        github_id: Some("Some-Body".parse().expect("a user name")),
        ..whole
    };
    [
        named,
        student_with_status(2, EnrollmentStatus::Graduate),
        enrolled(3, |enrollment| {
            enrollment.role = EnrolledRole::StudentCouncil;
            enrollment.grade = value(12, Grade::new);
        }),
        student_with_status(4, EnrollmentStatus::Withdrawn),
    ]
}

/// Returns lists that are not sorted; the second contains a text twice.
fn lists(texts: [&str; 2]) -> (Repositories, TechStacks) {
    let addresses = texts
        .into_iter()
        .map(str::to_owned)
        .chain((0..18).rev().map(|number| number.to_string()))
        .map(|text| short_text(&format!("https://git.example/{text}")))
        .collect();
    let names = [texts[0], texts[1], texts[0]].map(short_text).to_vec();
    (
        Repositories::new(addresses).expect("twenty addresses"),
        TechStacks::new(names).expect("three names"),
    )
}

/// Adds records of every kind, some with every optional value and some with none.
pub(super) fn every_kind(rows: &mut DirectoryRows, at: u64) {
    rows.students
        .extend(students().map(|student| put(at, student.id, student)));
    let ended = Club {
        years: years(Some(2024)),
        name: short_text(ODD),
        ..autonomous_club(2)
    };
    rows.clubs
        .extend([club_with_leader(1, 1), ended].map(|club| put(at, club.id, club)));
    let (repositories, tech_stacks) = lists([ODD, "b\",\"c"]);
    let description = format!("{ODD}\r\n\t{ODD}\n").parse().expect("a text");
    let whole = Project {
        club: Some(club_id(1)),
        years: years(Some(2025)),
        description,
        repositories,
        tech_stacks,
        ..project(1, &[3, 1, 2])
    };
    rows.projects
        .extend([whole, project(2, &[])].map(|project| put(at, project.id, project)));
    let sparse = Meal {
        dishes: vec![],
        calories: None,
        origin: None,
        nutrition: None,
        serve_count: None,
        ..meal("0001-01-01", MealType::Dinner)
    };
    let nutrition = Some(format!("{ODD}\n\n{ODD}").parse().expect("a text"));
    let whole = Meal {
        nutrition,
        calories: Some(short_text(ODD)),
        ..meal("2026-05-20", MealType::Lunch)
    };
    rows.meals
        .extend([whole, sparse].map(|meal| a_meal(at, meal)));
    let whole = SchoolEvent {
        content: Some(ODD.parse().expect("a text")),
        course_type: Some(short_text(ODD)),
        ..event(ODD, "9999-12-31", ODD)
    };
    let sparse = SchoolEvent {
        day_category: None,
        day_night: None,
        target_grades: vec![],
        ..event("e2", "2026-05-20", "체육")
    };
    rows.events
        .extend([whole, sparse].map(|event| put(at, event.id.to_string(), event)));
    let whole = Lesson {
        department: Some(short_text(ODD)),
        ..lesson(ODD, "2026-05-20", [12, 99, 20])
    };
    let sparse = Lesson {
        semester: None,
        subject: None,
        classroom: None,
        ..lesson("l2", "2026-05-20", [1, 1, 1])
    };
    rows.lessons
        .extend([whole, sparse].map(|lesson| put(at, lesson.id.to_string(), lesson)));
}

/// Adds records with the same ids, and the optional values present where [`every_kind`] omits them
/// and the reverse.
pub(super) fn every_kind_otherwise(rows: &mut DirectoryRows, at: u64) {
    let [whole, ..] = students();
    let moved = [
        student(1),
        Student {
            id: student_id(2),
            ..whole
        },
        student_with_status(3, EnrollmentStatus::Graduate),
        student(4),
    ];
    rows.students
        .extend(moved.map(|student| put(at, student.id, student)));
    let running = Club {
        leader: Some(student_id(2)),
        ..autonomous_club(2)
    };
    rows.clubs.extend(
        [
            Club {
                years: years(Some(2030)),
                ..club(1)
            },
            running,
        ]
        .map(|club| put(at, club.id, club)),
    );
    let (repositories, tech_stacks) = lists(["x", "y"]);
    let owned = Project {
        club: Some(club_id(2)),
        repositories,
        tech_stacks,
        ..project(2, &[3])
    };
    rows.projects
        .extend([project(1, &[2]), owned].map(|project| put(at, project.id, project)));
    let sparse = Meal {
        dishes: vec![],
        calories: None,
        origin: None,
        serve_count: None,
        ..meal("2026-05-20", MealType::Lunch)
    };
    rows.meals
        .extend([sparse, meal("0001-01-01", MealType::Dinner)].map(|meal| a_meal(at, meal)));
    rows.events.extend(
        [
            event(ODD, "2026-05-20", "체육"),
            event("e2", "2026-05-21", ODD),
        ]
        .map(|event| put(at, event.id.to_string(), event)),
    );
    let lessons = [
        lesson(ODD, "2026-05-21", [1, 1, 1]),
        lesson("l2", "2026-05-20", [2, 2, 2]),
    ];
    rows.lessons
        .extend(lessons.map(|lesson| put(at, lesson.id.to_string(), lesson)));
}

/// Removes the records of [`every_kind`].
pub(super) fn remove_every_kind(rows: &mut DirectoryRows, at: u64) {
    let mut all = DirectoryRows::empty(rows.version);
    every_kind(&mut all, at);
    rows.students
        .extend(all.students.into_iter().map(|row| removed(at, row.id)));
    rows.clubs
        .extend(all.clubs.into_iter().map(|row| removed(at, row.id)));
    rows.projects
        .extend(all.projects.into_iter().map(|row| removed(at, row.id)));
    rows.meals
        .extend(all.meals.into_iter().map(|row| removed(at, row.id)));
    rows.events
        .extend(all.events.into_iter().map(|row| removed(at, row.id)));
    rows.lessons
        .extend(all.lessons.into_iter().map(|row| removed(at, row.id)));
}

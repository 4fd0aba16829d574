//! A deterministic sample school for demos, benches and tests (feature `sample-data`).

mod clubs;
mod neis;
mod person_names;
mod projects;
pub(crate) mod rng;
mod students;
mod word_lists;

use crate::directory::DirectoryChange;
use crate::domain::{
    Club, Date, InvalidValue, Lesson, Meal, Project, SchoolEvent, ShortText, Student, Year,
};
use rng::SeededRng;

/// A school of 1,200 students, 40 clubs and 80 projects, with a month of meals, events and lessons
/// around a day. All people are fictional.
///
/// 216 students are enrolled (grades 1–3, classes 1–4, numbers 1–18), 960 have graduated and 24
/// have withdrawn; the order of their ids is unrelated to this.
///
/// ```
/// use lyceum::sample_data::SampleSchool;
///
/// let school = SampleSchool::new(1, "2026-05-20".parse()?);
/// assert_eq!(school.students.iter().filter(|student| student.enrollment().is_some()).count(), 216);
/// # Ok::<(), lyceum::domain::InvalidValue>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SampleSchool {
    /// The clubs, with their leaders, in id order. A quarter is abolished and has no members.
    pub clubs: Vec<Club>,
    /// The current and former students, in id order.
    pub students: Vec<Student>,
    /// The projects in id order; two of five have ended.
    pub projects: Vec<Project>,
    /// Breakfast, lunch and dinner of the weekdays up to 15 days from today.
    pub meals: Vec<Meal>,
    /// The events up to 15 days from today. Some days have several.
    pub events: Vec<SchoolEvent>,
    /// The timetables of all classes, for the weekdays up to 15 days from today.
    pub lessons: Vec<Lesson>,
}

impl SampleSchool {
    /// Generates the school of a seed as it is on the day `today`.
    pub fn new(seed: u64, today: Date) -> Self {
        let mut rng = SeededRng::new(seed);
        let mut clubs = clubs::clubs(&mut rng, today);
        let students = students::students(&mut rng, &clubs);
        clubs::assign_leaders(&mut clubs, &students, &mut rng);
        let projects = projects::projects(&mut rng, &clubs, &students, today);
        let meals = neis::meals(&mut rng, today);
        Self {
            clubs,
            students,
            projects,
            meals,
            events: neis::events(today),
            lessons: neis::lessons(today),
        }
    }

    /// Returns all records, in an order that one [`write`](crate::directory::Directory::write)
    /// accepts: clubs come first without their leaders, who must be members, and again with them
    /// after the students.
    pub fn changes(&self) -> Vec<DirectoryChange> {
        let without_leaders = self.clubs.iter().map(|club| Club {
            leader: None,
            ..club.clone()
        });
        let led = self
            .clubs
            .iter()
            .filter(|club| club.leader.is_some())
            .cloned();
        without_leaders
            .map(DirectoryChange::PutClub)
            .chain(
                self.students
                    .iter()
                    .cloned()
                    .map(DirectoryChange::PutStudent),
            )
            .chain(led.map(DirectoryChange::PutClub))
            .chain(
                self.projects
                    .iter()
                    .cloned()
                    .map(DirectoryChange::PutProject),
            )
            .chain(self.meals.iter().cloned().map(DirectoryChange::PutMeal))
            .chain(self.events.iter().cloned().map(DirectoryChange::PutEvent))
            .chain(self.lessons.iter().cloned().map(DirectoryChange::PutLesson))
            .collect()
    }
}

/// Parses a constant of the sample school.
fn short_text(text: &str) -> ShortText {
    text.parse().expect("the school's words are short texts")
}

/// Converts a number that the generator counted to a bounded number.
fn id<T>(number: i64, new: impl Fn(i64) -> Result<T, InvalidValue>) -> T {
    new(number).expect("the numbers are inside the limits")
}

/// Returns the year so many years ago, but no earlier than the first.
fn year(today: Date, ago: usize) -> Year {
    let ago = i64::try_from(ago).unwrap_or_default();
    id((i64::from(today.year()) - ago).max(1), Year::new)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashSet};

    use super::*;
    use crate::domain::{ClubStatus, ProjectStatus, StudentRole};

    fn school() -> SampleSchool {
        SampleSchool::new(7, "2026-05-20".parse().unwrap())
    }

    #[test]
    fn a_seed_and_a_day_decide_everything() {
        assert_eq!(school(), school());
        assert_ne!(
            school().students,
            SampleSchool::new(8, "2026-05-20".parse().unwrap()).students
        );
    }

    #[test]
    fn every_seat_is_taken_once_and_the_ids_are_mixed() {
        let school = school();
        let count = |wanted: &dyn Fn(StudentRole) -> bool| {
            school
                .students
                .iter()
                .filter(|student| wanted(student.role()))
                .count()
        };
        assert_eq!(count(&|role| role == StudentRole::Graduate), 960);
        assert_eq!(count(&|role| role == StudentRole::Withdrawn), 24);
        let enrolled: Vec<_> = school
            .students
            .iter()
            .filter(|student| student.enrollment().is_some())
            .collect();
        let numbers: BTreeSet<_> = enrolled
            .iter()
            .filter_map(|student| Some(student.enrollment()?.student_number()))
            .collect();
        assert_eq!((enrolled.len(), numbers.len()), (216, 216));
        assert!(
            enrolled.iter().any(|student| student.id.get() > 1_000)
                && enrolled.iter().any(|student| student.id.get() < 200)
        );
        let residents = enrolled.iter().filter(|student| {
            student
                .enrollment()
                .is_some_and(|enrollment| enrollment.dormitory_room.is_some())
        });
        assert!((80..=140).contains(&residents.count()));
    }

    #[test]
    fn addresses_are_unique_and_at_the_school() {
        let school = school();
        let emails: HashSet<_> = school
            .students
            .iter()
            .map(|student| student.email.folded())
            .collect();
        assert_eq!(emails.len(), 1_200);
        assert!(
            emails
                .iter()
                .all(|email| email.ends_with("@school.example"))
        );
    }

    #[test]
    fn abolished_clubs_have_no_members_and_leaders_are_members() {
        let school = school();
        assert_eq!(school.clubs.len(), 40);
        for club in &school.clubs {
            let members: Vec<_> = school
                .students
                .iter()
                .filter(|student| student.is_member_of(club.id))
                .collect();
            assert!(
                club.status() == ClubStatus::Active || members.is_empty(),
                "{club:?}"
            );
            assert!(
                club.leader
                    .is_none_or(|leader| members.iter().any(|member| member.id == leader)),
                "{club:?}"
            );
        }
        assert!(
            school
                .clubs
                .iter()
                .any(|club| club.status() == ClubStatus::Abolished)
        );
        assert!(
            school
                .clubs
                .iter()
                .filter(|club| club.leader.is_some())
                .count()
                > 20
        );
    }

    #[test]
    fn projects_run_and_end_and_graduates_took_part() {
        let school = school();
        assert_eq!(school.projects.len(), 80);
        assert_eq!(
            school
                .projects
                .iter()
                .filter(|project| project.status() == ProjectStatus::Ended)
                .count(),
            32
        );
        let graduates: HashSet<_> = school
            .students
            .iter()
            .filter(|student| student.role() == StudentRole::Graduate)
            .map(|student| student.id)
            .collect();
        assert!(
            school
                .projects
                .iter()
                .any(|project| project.participants.iter().any(|id| graduates.contains(id)))
        );
    }

    #[test]
    fn a_month_of_meals_events_and_lessons_lies_around_today() {
        let school = school();
        let ids: HashSet<_> = school.meals.iter().map(Meal::id).collect();
        assert_eq!((school.meals.len(), ids.len()), (23 * 3, 23 * 3)); // 23 weekdays from 5 May to 4 June 2026
        assert_eq!(
            school
                .lessons
                .iter()
                .map(|lesson| &lesson.id)
                .collect::<HashSet<_>>()
                .len(),
            school.lessons.len()
        );
        assert_eq!(school.lessons.len(), 12 * (19 * 7 + 4 * 6)); // 23 weekdays, four of them Fridays
        assert_eq!(
            school
                .events
                .iter()
                .map(|event| &event.id)
                .collect::<HashSet<_>>()
                .len(),
            school.events.len()
        );
        assert_eq!(
            school
                .events
                .iter()
                .filter(|event| event.date.to_string() == "2026-05-20")
                .count(),
            3
        );
    }

    #[test]
    fn the_ends_of_the_calendar_are_no_trouble() {
        for day in ["0001-01-01", "9999-12-31"] {
            assert_eq!(
                SampleSchool::new(1, day.parse().unwrap()).students.len(),
                1_200
            );
        }
    }
}

use super::random_text::{long_text, name};
use crate::rng::SeededRng;
use crate::school_records::{
    club, club_id, event, lesson, meal_of, project, short_text, student_id, student_with_status,
    value,
};
use lyceum::directory::DirectoryChange;
use lyceum::domain::{
    ClassNum, Club, ClubId, ClubType, Dish, DormitoryRoom, Email, EnrolledRole, Enrollment,
    EnrollmentStatus, Grade, Lesson, Major, Meal, MealType, Project, ProjectId, Repositories,
    SchoolEvent, SeatNumber, Sex, Student, TechStacks, Year, YearRange,
};

/// Small numbers, so that changes often concern the same records.
pub(super) const STUDENTS: usize = 40;
pub(super) const CLUBS: usize = 8;
pub(super) const PROJECTS: usize = 15;

/// Students who exist from the beginning; the others are added later.
const INITIAL_STUDENTS: usize = 32;

/// Ids whose order and comparison are easily implemented wrong.
const IDENTIFIERS: &[&str] = &[
    "1", "2", "10", "01", "1 ", "a", "A", "b", "B", "é", "e\u{301}", "ß", "ss", "%", "a_", "'",
    "가", "😀", "\u{ffff}", "\u{e000}",
];

/// Codes of schools with meals on the same days.
const SCHOOLS: &[&str] = &["9990001", "99900010", "999000", "별빛", "a_1", "A_1"];

pub(super) const DATES: &[&str] = &[
    "2025-12-31",
    "2026-01-01",
    "2026-02-28",
    "2026-03-01",
    "2026-05-20",
    "2026-05-21",
];

/// Returns a number from 1 to `last`.
pub(super) fn number(rng: &mut SeededRng, last: usize) -> i64 {
    i64::try_from(rng.below(last)).unwrap_or_default() + 1
}

/// Returns all clubs, most students, and some of the other records.
pub(super) fn initial_records(rng: &mut SeededRng) -> Vec<DirectoryChange> {
    let clubs = (1..)
        .take(CLUBS)
        .map(|number| DirectoryChange::PutClub(some_club(number, rng)))
        .collect::<Vec<_>>();
    let students = (1..)
        .take(INITIAL_STUDENTS)
        .map(|number| DirectoryChange::PutStudent(student(number, rng)))
        .collect();
    let projects = (0..PROJECTS)
        .map(|_| some_project(INITIAL_STUDENTS, rng).into())
        .collect();
    let meals = (0..12).map(|_| some_meal(rng).into()).collect();
    let events = (0..20).map(|_| some_event(rng).into()).collect();
    let lessons = (0..30).map(|_| some_lesson(rng).into()).collect();
    [clubs, students, projects, meals, events, lessons].concat()
}

/// Returns a few changes. Some batches are invalid.
pub(super) fn batch(rng: &mut SeededRng) -> Vec<DirectoryChange> {
    if rng.percent(20) {
        return leader_appointment(rng).into();
    }
    (0..number(rng, 4)).map(|_| change(rng)).collect()
}

/// Makes a student a member of a major club and its leader.
fn leader_appointment(rng: &mut SeededRng) -> [DirectoryChange; 2] {
    let mut club = Club {
        kind: ClubType::Major,
        ..some_club(number(rng, CLUBS / 2) * 2 - 1, rng)
    };
    let leader = Student {
        enrollment_status: EnrollmentStatus::Enrolled(Enrollment {
            major_club: Some(club.id),
            ..enrollment(rng)
        }),
        ..student(number(rng, STUDENTS), rng)
    };
    club.leader = Some(leader.id);
    [leader.into(), club.into()]
}

fn change(rng: &mut SeededRng) -> DirectoryChange {
    match rng.below(20) {
        0..=7 => student(number(rng, STUDENTS), rng).into(),
        8..=10 => rewritten_club(rng).into(),
        11..=13 => some_project(STUDENTS, rng).into(),
        14 => some_meal(rng).into(),
        15 => some_event(rng).into(),
        16 => some_lesson(rng).into(),
        17 => DirectoryChange::RemoveStudent(student_id(number(rng, STUDENTS))),
        18 => DirectoryChange::RemoveProject(value(number(rng, PROJECTS), ProjectId::new)),
        _ => removal(rng),
    }
}

fn removal(rng: &mut SeededRng) -> DirectoryChange {
    match rng.below(8) {
        0 => DirectoryChange::RemoveClub(club_id(number(rng, CLUBS))),
        1 | 2 => DirectoryChange::RemoveMeal(some_meal(rng).id()),
        3 | 4 => DirectoryChange::RemoveEvent(some_event(rng).id.to_string()),
        _ => DirectoryChange::RemoveLesson(some_lesson(rng).id.to_string()),
    }
}

fn student(number: i64, rng: &mut SeededRng) -> Student {
    let enrollment_status = match rng.below(6) {
        0 => EnrollmentStatus::Graduate,
        1 => EnrollmentStatus::Withdrawn,
        _ => EnrollmentStatus::Enrolled(enrollment(rng)),
    };
    Student {
        name: name(rng),
        sex: rng.pick(Sex::ALL),
        email: email(number, rng),
        specialty: rng.percent(60).then(|| name(rng)),
        github_id: rng.percent(50).then(|| {
            rng.pick(&["kim-1", "KIM-2", "lee"])
                .parse()
                .expect("a user name")
        }),
        ..student_with_status(number, enrollment_status)
    }
}

fn enrollment(rng: &mut SeededRng) -> Enrollment {
    Enrollment {
        grade: value(number(rng, 3), Grade::new),
        class_num: value(number(rng, 4), ClassNum::new),
        number: value(number(rng, 18), SeatNumber::new),
        major: rng.pick(&Major::STANDARD),
        role: rng.pick(EnrolledRole::ALL),
        dormitory_room: rng
            .percent(50)
            .then(|| value(number(rng, 4) + 400, DormitoryRoom::new)),
        major_club: rng
            .percent(50)
            .then(|| club_id(number(rng, CLUBS / 2) * 2 - 1)),
        autonomous_club: rng.percent(30).then(|| club_id(number(rng, CLUBS / 2) * 2)),
    }
}

/// Returns an address, some of which have an unusual local part.
fn email(number: i64, rng: &mut SeededRng) -> Email {
    let plain = format!("s{number}@school.example");
    let strange: String = name(rng)
        .chars()
        .filter(|c| !c.is_whitespace() && *c != '@')
        .take(40)
        .collect();
    let chosen = if rng.percent(50) {
        plain.clone()
    } else {
        format!("{strange}{number}@School.example")
    };
    chosen
        .parse()
        .or_else(|_| plain.parse())
        .expect("an address")
}

/// Returns a club of the kind that fits its number, without a leader.
fn some_club(number: i64, rng: &mut SeededRng) -> Club {
    let kind = if number % 2 == 0 {
        ClubType::Autonomous
    } else {
        ClubType::Major
    };
    Club {
        name: name(rng),
        kind,
        years: years(rng),
        ..club(number)
    }
}

/// Returns a changed club, sometimes of the other kind or with a leader who may not be a member.
fn rewritten_club(rng: &mut SeededRng) -> Club {
    let mut club = some_club(number(rng, CLUBS), rng);
    if rng.percent(10) {
        club.kind = rng.pick(ClubType::ALL);
    }
    club.leader = rng.percent(20).then(|| student_id(number(rng, STUDENTS)));
    club
}

fn years(rng: &mut SeededRng) -> YearRange {
    let first = 2015 + number(rng, 3);
    let last = rng
        .percent(40)
        .then(|| value(first + number(rng, 2) - 1, Year::new));
    YearRange::new(value(first, Year::new), last).expect("it ends after it starts")
}

/// Returns a project of some of the first `students`.
fn some_project(students: usize, rng: &mut SeededRng) -> Project {
    let participants: Vec<_> = (0..rng.below(3)).map(|_| number(rng, students)).collect();
    let repositories = (0..rng.below(3))
        .map(|at| short_text(&format!("https://git.school.example/{at}")))
        .collect();
    Project {
        name: name(rng),
        description: long_text(rng),
        years: years(rng),
        club: rng.percent(40).then(|| owner(rng)),
        repositories: Repositories::new(repositories).expect("web addresses"),
        tech_stacks: TechStacks::new((0..rng.below(3)).map(|_| name(rng)).collect())
            .expect("a few names"),
        ..project(number(rng, PROJECTS), &participants)
    }
}

fn owner(rng: &mut SeededRng) -> ClubId {
    club_id(number(rng, CLUBS))
}

fn some_meal(rng: &mut SeededRng) -> Meal {
    let dish = |rng: &mut SeededRng| {
        Dish::new(name(rng), vec![1 + rng.below(19) as u8]).expect("an official number")
    };
    let dishes = (0..rng.below(4)).map(|_| dish(rng)).collect();
    Meal {
        dishes,
        ..meal_of(rng.pick(SCHOOLS), rng.pick(DATES), rng.pick(MealType::ALL))
    }
}

fn some_event(rng: &mut SeededRng) -> SchoolEvent {
    event(rng.pick(IDENTIFIERS), rng.pick(DATES), &name(rng))
}

fn some_lesson(rng: &mut SeededRng) -> Lesson {
    let place = [3, 4, 12].map(|last| 1 + i32::try_from(rng.below(last)).unwrap_or_default());
    lesson(rng.pick(IDENTIFIERS), rng.pick(DATES), place)
}

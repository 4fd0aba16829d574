use super::words::{name, prose};
use crate::directory::DirectoryChange;
use crate::domain::{
    ClassNum, Club, ClubId, ClubType, Dish, DormitoryRoom, Email, EnrolledRole, Enrolment, Grade, Lesson, Lifespan, Major, Meal, MealType,
    Project, ProjectId, Repositories, SchoolEvent, SeatNumber, Sex, Standing, Student, TechStacks, Year,
};
use crate::testing::conformance::given_school::{club, club_id, event, left, lesson, line, meal_of, project, student_id, value};
use crate::testing::school::dice::Dice;

/// Small numbers, so that changes meet each other.
pub(super) const STUDENTS: usize = 40;
pub(super) const CLUBS: usize = 8;
pub(super) const PROJECTS: usize = 15;

/// The students who are there from the beginning; the others come.
const AT_FIRST: usize = 32;

/// Ids that sort and compare in a way that is easily got wrong.
const IDENTIFIERS: &[&str] =
    &["1", "2", "10", "01", "1 ", "a", "A", "b", "B", "é", "e\u{301}", "ß", "ss", "%", "a_", "'", "가", "😀", "\u{ffff}", "\u{e000}"];

/// The codes of schools whose meals are mixed up.
const SCHOOLS: &[&str] = &["9990001", "99900010", "999000", "별빛", "a_1", "A_1"];

pub(super) const DATES: &[&str] = &["2025-12-31", "2026-01-01", "2026-02-28", "2026-03-01", "2026-05-20", "2026-05-21"];

/// A number from 1 to `last`.
pub(super) fn number(dice: &mut Dice, last: usize) -> i64 {
    i64::try_from(dice.below(last)).unwrap_or_default() + 1
}

/// Every club, most students, and some of everything else, so that there is something to find and to change.
pub(super) fn opening(dice: &mut Dice) -> Vec<DirectoryChange> {
    let clubs = (1..).take(CLUBS).map(|number| DirectoryChange::PutClub(some_club(number, dice))).collect::<Vec<_>>();
    let students = (1..).take(AT_FIRST).map(|number| DirectoryChange::PutStudent(student(number, dice))).collect();
    let projects = (0..PROJECTS).map(|_| some_project(AT_FIRST, dice).into()).collect();
    let meals = (0..12).map(|_| some_meal(dice).into()).collect();
    let events = (0..20).map(|_| some_event(dice).into()).collect();
    let lessons = (0..30).map(|_| some_lesson(dice).into()).collect();
    [clubs, students, projects, meals, events, lessons].concat()
}

/// A few changes. Some batches cannot be written, which is to be noticed alike.
pub(super) fn batch(dice: &mut Dice) -> Vec<DirectoryChange> {
    if dice.percent(20) {
        return appointment(dice).into();
    }
    (0..number(dice, 4)).map(|_| change(dice)).collect()
}

/// Somebody joins a major club and leads it.
fn appointment(dice: &mut Dice) -> [DirectoryChange; 2] {
    let mut club = Club { kind: ClubType::Major, ..some_club(number(dice, CLUBS / 2) * 2 - 1, dice) };
    let leader = Student {
        standing: Standing::Enrolled(Enrolment { major_club: Some(club.id), ..enrolment(dice) }),
        ..student(number(dice, STUDENTS), dice)
    };
    club.leader = Some(leader.id);
    [leader.into(), club.into()]
}

fn change(dice: &mut Dice) -> DirectoryChange {
    match dice.below(20) {
        0..=7 => student(number(dice, STUDENTS), dice).into(),
        8..=10 => rewritten_club(dice).into(),
        11..=13 => some_project(STUDENTS, dice).into(),
        14 => some_meal(dice).into(),
        15 => some_event(dice).into(),
        16 => some_lesson(dice).into(),
        17 => DirectoryChange::RemoveStudent(student_id(number(dice, STUDENTS))),
        18 => DirectoryChange::RemoveProject(value(number(dice, PROJECTS), ProjectId::new)),
        _ => removal(dice),
    }
}

fn removal(dice: &mut Dice) -> DirectoryChange {
    match dice.below(8) {
        0 => DirectoryChange::RemoveClub(club_id(number(dice, CLUBS))),
        1 | 2 => DirectoryChange::RemoveMeal(some_meal(dice).id()),
        3 | 4 => DirectoryChange::RemoveEvent(some_event(dice).id.to_string()),
        _ => DirectoryChange::RemoveLesson(some_lesson(dice).id.to_string()),
    }
}

fn student(number: i64, dice: &mut Dice) -> Student {
    let standing = match dice.below(6) {
        0 => Standing::Graduate,
        1 => Standing::Withdrawn,
        _ => Standing::Enrolled(enrolment(dice)),
    };
    Student {
        name: name(dice),
        sex: dice.pick(Sex::ALL),
        email: email(number, dice),
        specialty: dice.percent(60).then(|| name(dice)),
        github_id: dice.percent(50).then(|| dice.pick(&["kim-1", "KIM-2", "lee"]).parse().expect("a user name")),
        ..left(number, standing)
    }
}

fn enrolment(dice: &mut Dice) -> Enrolment {
    Enrolment {
        grade: value(number(dice, 3), Grade::new),
        class_num: value(number(dice, 4), ClassNum::new),
        number: value(number(dice, 18), SeatNumber::new),
        major: dice.pick(&Major::STANDARD),
        role: dice.pick(EnrolledRole::ALL),
        dormitory_room: dice.percent(50).then(|| value(number(dice, 4) + 400, DormitoryRoom::new)),
        major_club: dice.percent(50).then(|| club_id(number(dice, CLUBS / 2) * 2 - 1)),
        autonomous_club: dice.percent(30).then(|| club_id(number(dice, CLUBS / 2) * 2)),
    }
}

/// An address whose first part may be a strange name.
fn email(number: i64, dice: &mut Dice) -> Email {
    let plain = format!("s{number}@school.example");
    let strange: String = name(dice).chars().filter(|c| !c.is_whitespace() && *c != '@').take(40).collect();
    let chosen = if dice.percent(50) { plain.clone() } else { format!("{strange}{number}@School.example") };
    chosen.parse().or_else(|_| plain.parse()).expect("an address")
}

/// A club of the kind that fits its number, without a leader.
fn some_club(number: i64, dice: &mut Dice) -> Club {
    let kind = if number % 2 == 0 { ClubType::Autonomous } else { ClubType::Major };
    Club { name: name(dice), kind, years: years(dice), ..club(number) }
}

/// A club, sometimes of the other kind or with somebody as its leader who may not be a member.
fn rewritten_club(dice: &mut Dice) -> Club {
    let mut club = some_club(number(dice, CLUBS), dice);
    if dice.percent(10) {
        club.kind = dice.pick(ClubType::ALL);
    }
    club.leader = dice.percent(20).then(|| student_id(number(dice, STUDENTS)));
    club
}

fn years(dice: &mut Dice) -> Lifespan {
    let first = 2015 + number(dice, 3);
    let last = dice.percent(40).then(|| value(first + number(dice, 2) - 1, Year::new));
    Lifespan::new(value(first, Year::new), last).expect("it ends after it starts")
}

/// A project of some of the first `students`.
fn some_project(students: usize, dice: &mut Dice) -> Project {
    let participants: Vec<_> = (0..dice.below(3)).map(|_| number(dice, students)).collect();
    let repositories = (0..dice.below(3)).map(|at| line(&format!("https://git.school.example/{at}"))).collect();
    Project {
        name: name(dice),
        description: prose(dice),
        years: years(dice),
        club: dice.percent(40).then(|| owner(dice)),
        repositories: Repositories::new(repositories).expect("web addresses"),
        tech_stacks: TechStacks::new((0..dice.below(3)).map(|_| name(dice)).collect()).expect("a few names"),
        ..project(number(dice, PROJECTS), &participants)
    }
}

fn owner(dice: &mut Dice) -> ClubId {
    club_id(number(dice, CLUBS))
}

fn some_meal(dice: &mut Dice) -> Meal {
    let dish = |dice: &mut Dice| Dish::new(name(dice), vec![1 + dice.below(19) as u8]).expect("an official number");
    let dishes = (0..dice.below(4)).map(|_| dish(dice)).collect();
    Meal { dishes, ..meal_of(dice.pick(SCHOOLS), dice.pick(DATES), dice.pick(MealType::ALL)) }
}

fn some_event(dice: &mut Dice) -> SchoolEvent {
    event(dice.pick(IDENTIFIERS), dice.pick(DATES), &name(dice))
}

fn some_lesson(dice: &mut Dice) -> Lesson {
    let place = [3, 4, 12].map(|last| 1 + i32::try_from(dice.below(last)).unwrap_or_default());
    lesson(dice.pick(IDENTIFIERS), dice.pick(DATES), place)
}

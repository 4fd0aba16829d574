use crate::domain::{
    ClassNum, Club, ClubId, ClubType, Dish, DormitoryRoom, EnrolledRole, Enrolment, Grade, Lesson, Lifespan, Major, Meal, MealType,
    Project, ProjectId, Repositories, SchoolEvent, SeatNumber, Sex, Standing, Student, TechStacks, Year,
};
use crate::store::DirectoryChange;
use crate::testing::conformance::given_school::{club, club_id, event, left, lesson, line, meal_of, project, student_id, value};
use crate::testing::school::dice::Dice;

/// Small numbers, so that changes meet each other.
pub(super) const STUDENTS: usize = 40;
pub(super) const CLUBS: usize = 8;
pub(super) const PROJECTS: usize = 15;

/// Names that are easily confused.
pub(super) const NAMES: &[&str] = &[
    "김하늘",
    "김하늘 2",
    "Ångström",
    "A\u{30a}NGSTRO\u{308}M",
    "STRASSE",
    "straße",
    "100%",
    "a_c",
    "abc",
    "ABC",
    "😀 b",
    "\u{fffd}",
    "힣",
    "한글",
    "\u{1112}\u{1161}\u{11ab}글",
    "Σίσυφος",
    "back\\slash",
    "it's",
];

pub(super) const DATES: &[&str] = &["2025-12-31", "2026-01-01", "2026-02-28", "2026-03-01", "2026-05-20", "2026-05-21"];

/// A number from 1 to `last`.
pub(super) fn number(dice: &mut Dice, last: usize) -> i64 {
    i64::try_from(dice.below(last)).unwrap_or_default() + 1
}

/// Every club and some students, so that there is something to change.
pub(super) fn opening(dice: &mut Dice) -> Vec<DirectoryChange> {
    let clubs: Vec<_> = (1..).take(CLUBS).map(|number| some_club(number, dice).into()).collect();
    let students: Vec<_> = (0..STUDENTS).map(|_| student(dice).into()).collect();
    clubs.into_iter().chain(students).collect()
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
    let leader = Student { standing: Standing::Enrolled(Enrolment { major_club: Some(club.id), ..enrolment(dice) }), ..student(dice) };
    club.leader = Some(leader.id);
    [leader.into(), club.into()]
}

fn change(dice: &mut Dice) -> DirectoryChange {
    match dice.below(20) {
        0..=7 => student(dice).into(),
        8..=10 => rewritten_club(dice).into(),
        11..=13 => some_project(dice).into(),
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

fn student(dice: &mut Dice) -> Student {
    let standing = match dice.below(6) {
        0 => Standing::Graduate,
        1 => Standing::Withdrawn,
        _ => Standing::Enrolled(enrolment(dice)),
    };
    Student {
        name: line(dice.pick(NAMES)),
        sex: dice.pick(Sex::ALL),
        specialty: dice.percent(60).then(|| line(dice.pick(NAMES))),
        github_id: dice.percent(50).then(|| dice.pick(&["kim-1", "KIM-2", "lee"]).parse().expect("a user name")),
        ..left(number(dice, STUDENTS), standing)
    }
}

fn enrolment(dice: &mut Dice) -> Enrolment {
    Enrolment {
        grade: value(number(dice, 3), Grade::new),
        class_num: value(number(dice, 4), ClassNum::new),
        number: value(number(dice, 18), SeatNumber::new),
        major: dice.pick(Major::ALL),
        role: dice.pick(EnrolledRole::ALL),
        dormitory_room: dice.percent(50).then(|| value(number(dice, 4) + 400, DormitoryRoom::new)),
        major_club: dice.percent(50).then(|| club_id(number(dice, CLUBS / 2) * 2 - 1)),
        autonomous_club: dice.percent(30).then(|| club_id(number(dice, CLUBS / 2) * 2)),
    }
}

/// A club of the kind that fits its number, without a leader.
fn some_club(number: i64, dice: &mut Dice) -> Club {
    let kind = if number % 2 == 0 { ClubType::Autonomous } else { ClubType::Major };
    Club { name: line(dice.pick(NAMES)), kind, years: years(dice), ..club(number) }
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

fn some_project(dice: &mut Dice) -> Project {
    let participants: Vec<_> = (0..dice.below(3)).map(|_| number(dice, STUDENTS)).collect();
    let repositories = (0..dice.below(3)).map(|at| line(&format!("https://git.school.example/{at}"))).collect();
    Project {
        name: line(dice.pick(NAMES)),
        description: dice.pick(NAMES).parse().expect("a text"),
        years: years(dice),
        club: dice.percent(40).then(|| owner(dice)),
        repositories: Repositories::new(repositories).expect("web addresses"),
        tech_stacks: TechStacks::new((0..dice.below(3)).map(|_| line(dice.pick(NAMES))).collect()).expect("a few names"),
        ..project(number(dice, PROJECTS), &participants)
    }
}

fn owner(dice: &mut Dice) -> ClubId {
    club_id(number(dice, CLUBS))
}

fn some_meal(dice: &mut Dice) -> Meal {
    let dish = |dice: &mut Dice| Dish::new(line(dice.pick(NAMES)), vec![1 + dice.below(19) as u8]).expect("an official number");
    let dishes = (0..dice.below(4)).map(|_| dish(dice)).collect();
    Meal { dishes, ..meal_of(dice.pick(&["9990001", "99900010"]), dice.pick(DATES), dice.pick(MealType::ALL)) }
}

fn some_event(dice: &mut Dice) -> SchoolEvent {
    event(&number(dice, 12).to_string(), dice.pick(DATES), dice.pick(NAMES))
}

fn some_lesson(dice: &mut Dice) -> Lesson {
    let place = [3, 4, 12].map(|last| 1 + i32::try_from(dice.below(last)).unwrap_or_default());
    lesson(&number(dice, 20).to_string(), dice.pick(DATES), place)
}

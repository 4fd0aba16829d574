use super::invent::{CLUBS, DATES, PROJECTS, STUDENTS, number};
use super::words;
use crate::domain::{
    ClassNum, ClubFilter, ClubQuery, ClubSort, ClubStatus, ClubType, DateRange, Direction, DormitoryRoom, EnrolmentFilter, Grade,
    LessonFilter, Major, Needle, PageRequest, ProjectFilter, ProjectId, ProjectQuery, ProjectSort, ProjectStatus, SeatNumber, Sex,
    StudentFilter, StudentQuery, StudentRole, StudentSort, Year,
};
use crate::testing::conformance::given_school::{club_id, day, student_id, value};
use crate::testing::school::dice::Dice;

pub(super) fn students(dice: &mut Dice) -> StudentQuery {
    let mut filter =
        StudentFilter { enrolment: EnrolmentFilter::new(dice.percent(20), dice.percent(70), dice.percent(70)), ..StudentFilter::default() };
    for _ in 0..dice.below(3) {
        match dice.below(12) {
            0 => filter.id = Some(student_id(number(dice, STUDENTS))),
            1 => filter.name = needle(dice),
            2 => filter.email = Needle::new(dice.pick(&["S1", "@school", "%", "2@"])).ok(),
            3 => filter.grade = Some(value(number(dice, 3), Grade::new)),
            4 => filter.class_num = Some(value(number(dice, 4), ClassNum::new)),
            5 => filter.number = Some(value(number(dice, 18), SeatNumber::new)),
            6 => filter.sex = Some(dice.pick(Sex::ALL)),
            7 => filter.role = Some(dice.pick(StudentRole::ALL)),
            8 => filter.specialty = needle(dice),
            9 => filter.major = Some(dice.pick(Major::ALL)),
            10 => filter.github_id = Needle::new(dice.pick(&["kim", "-2", "LEE"])).ok(),
            _ => filter.dormitory_room = Some(value(number(dice, 4) + 400, DormitoryRoom::new)),
        }
    }
    StudentQuery { filter, sort: dice.pick(StudentSort::ALL), direction: dice.pick(Direction::ALL), page: page(dice) }
}

pub(super) fn clubs(dice: &mut Dice) -> ClubQuery {
    let mut filter = ClubFilter::default();
    for _ in 0..dice.below(3) {
        match dice.below(5) {
            0 => filter.id = Some(club_id(number(dice, CLUBS))),
            1 => filter.name = needle(dice),
            2 => filter.kind = Some(dice.pick(ClubType::ALL)),
            3 => filter.status = Some(dice.pick(ClubStatus::ALL)),
            _ => filter.founded_year = Some(value(2015 + number(dice, 3), Year::new)),
        }
    }
    ClubQuery { filter, sort: dice.pick(ClubSort::ALL), direction: dice.pick(Direction::ALL), page: page(dice) }
}

pub(super) fn projects(dice: &mut Dice) -> ProjectQuery {
    let mut filter = ProjectFilter::default();
    for _ in 0..dice.below(3) {
        match dice.below(4) {
            0 => filter.id = Some(value(number(dice, PROJECTS), ProjectId::new)),
            1 => filter.name = needle(dice),
            2 => filter.club = Some(club_id(number(dice, CLUBS))),
            _ => filter.status = Some(dice.pick(ProjectStatus::ALL)),
        }
    }
    ProjectQuery { filter, sort: dice.pick(ProjectSort::ALL), direction: dice.pick(Direction::ALL), page: page(dice) }
}

pub(super) fn lessons(dice: &mut Dice) -> LessonFilter {
    LessonFilter {
        grade: dice.percent(30).then(|| value(number(dice, 3), Grade::new)),
        class_num: dice.percent(30).then(|| value(number(dice, 4), ClassNum::new)),
    }
}

pub(super) fn days(dice: &mut Dice) -> DateRange {
    let (one, other) = (day(dice.pick(DATES)), day(dice.pick(DATES)));
    DateRange::new(one.min(other), one.max(other)).expect("the dates lie within a year")
}

/// A needle, unless what the dice gave is none.
fn needle(dice: &mut Dice) -> Option<Needle> {
    Needle::new(&words::needle(dice)).ok()
}

fn page(dice: &mut Dice) -> PageRequest {
    let size = dice.pick(&[1, 2, 5, 10, 1000]);
    PageRequest::new(u32::try_from(dice.below(4)).unwrap_or_default(), size).expect("a page")
}

use std::collections::HashMap;

use super::dice::Dice;
use super::life::SPECIALTIES;
use super::names::{GIVEN_NAMES, OTHER_NAMES, SURNAMES};
use super::{id, line};
use crate::domain::{
    ClassNum, Club, ClubId, ClubStatus, ClubType, DormitoryRoom, EnrolledRole, Enrolment, Grade, Line, Major, SeatNumber, Sex, Standing,
    Student, StudentId,
};

const ENROLLED: usize = 3 * 4 * 18;
const GRADUATES: usize = 960;
const WITHDRAWN: usize = 24;

/// Everyone who is or was at the school, in the order of their ids.
pub(super) fn students(dice: &mut Dice, clubs: &[Club]) -> Vec<Student> {
    let mut rooms = Rooms::default();
    let mut places: Vec<_> = seats().map(Some).collect();
    places.resize(ENROLLED + GRADUATES + WITHDRAWN, None);
    let mut ids: Vec<_> = (1..).take(places.len()).collect();
    dice.shuffle(&mut ids);

    let mut taken = HashMap::new();
    let mut students = Vec::with_capacity(places.len());
    for (at, (number, place)) in ids.into_iter().zip(places).enumerate() {
        let sex = dice.pick(Sex::ALL);
        let standing = match place {
            Some(seat) => Standing::Enrolled(enrolment(seat, sex, &mut rooms, clubs, dice)),
            None if at < ENROLLED + GRADUATES => Standing::Graduate,
            None => Standing::Withdrawn,
        };
        students.push(student(number, sex, standing, &mut taken, dice));
    }
    students.sort_by_key(|student| student.id);
    students
}

type Seat = (i64, i64, i64);

/// Grades 1–3, classes 1–4, numbers 1–18.
fn seats() -> impl Iterator<Item = Seat> {
    (1..=3).flat_map(|grade| (1..=4).flat_map(move |class| (1..=18).map(move |number| (grade, class, number))))
}

/// The major that a class belongs to.
pub(super) const fn major(class: i64) -> Major {
    match class {
        1 | 2 => Major::SW_DEVELOPMENT,
        3 => Major::SMART_IOT,
        _ => Major::AI,
    }
}

fn enrolment((grade, class, number): Seat, sex: Sex, rooms: &mut Rooms, clubs: &[Club], dice: &mut Dice) -> Enrolment {
    let role = match number {
        1 => EnrolledRole::StudentCouncil,
        2 if class == grade => EnrolledRole::DormitoryManager,
        _ => EnrolledRole::GeneralStudent,
    };
    let resident = role == EnrolledRole::DormitoryManager || dice.percent(50);
    Enrolment {
        grade: id(grade, Grade::new),
        class_num: id(class, ClassNum::new),
        number: id(number, SeatNumber::new),
        major: major(class),
        role,
        dormitory_room: resident.then(|| rooms.next(sex)),
        major_club: dice.percent(85).then(|| running_club(clubs, ClubType::Major, dice)),
        autonomous_club: dice.percent(75).then(|| running_club(clubs, ClubType::Autonomous, dice)),
    }
}

fn running_club(clubs: &[Club], kind: ClubType, dice: &mut Dice) -> ClubId {
    let running: Vec<_> = clubs.iter().filter(|club| club.kind == kind && club.status() == ClubStatus::Active).collect();
    dice.pick(&running).id
}

fn student(number: i64, sex: Sex, standing: Standing, taken: &mut HashMap<String, u32>, dice: &mut Dice) -> Student {
    let (name, address) = name(dice);
    let count = taken.entry(address.clone()).and_modify(|count| *count += 1).or_insert(1);
    let address = if *count == 1 { address } else { format!("{address}{count}") };
    Student {
        id: id(number, StudentId::new),
        name,
        sex,
        email: format!("{address}@school.example").parse().expect("the address is plain"),
        specialty: dice.percent(70).then(|| Line::literal(dice.pick(SPECIALTIES))),
        github_id: dice.percent(60).then(|| address.replace('.', "-").parse().expect("the address is short and plain")),
        standing,
    }
}

/// A name, and what stands before the `@` of its address.
fn name(dice: &mut Dice) -> (Line, String) {
    if dice.percent(5) {
        let (name, address) = dice.pick(OTHER_NAMES);
        return (Line::literal(name), address.to_owned());
    }
    let (surname, latin_surname) = dice.pick(SURNAMES);
    let (given, latin_given) = dice.pick(GIVEN_NAMES);
    (line(&format!("{surname}{given}")), format!("{latin_given}.{latin_surname}"))
}

/// Four to a room, ten rooms to a floor; men from the second floor up, women from the fifth.
#[derive(Default)]
struct Rooms {
    men: i64,
    women: i64,
}

impl Rooms {
    fn next(&mut self, sex: Sex) -> DormitoryRoom {
        let (first_floor, residents) = match sex {
            Sex::Man => (2, &mut self.men),
            Sex::Woman => (5, &mut self.women),
        };
        let room = *residents / 4;
        *residents += 1;
        id((first_floor + room / 10) * 100 + room % 10 + 1, DormitoryRoom::new)
    }
}

use std::collections::HashMap;

use super::person_names::{GIVEN_NAMES, OTHER_NAMES, SURNAMES};
use super::rng::SeededRng;
use super::word_lists::SPECIALTIES;
use super::{id, short_text};
use crate::domain::{
    ClassNum, Club, ClubId, ClubStatus, ClubType, DormitoryRoom, EnrolledRole, Enrollment,
    EnrollmentStatus, Grade, Major, SeatNumber, Sex, ShortText, Student, StudentId,
};

const ENROLLED: usize = 3 * 4 * 18;
const GRADUATES: usize = 960;
const WITHDRAWN: usize = 24;

/// Generates the current and former students, in the order of their ids.
pub(super) fn students(rng: &mut SeededRng, clubs: &[Club]) -> Vec<Student> {
    let mut rooms = DormitoryRooms::default();
    let mut seats_by_student: Vec<_> = seats().map(Some).collect();
    seats_by_student.resize(ENROLLED + GRADUATES + WITHDRAWN, None);
    let mut ids: Vec<_> = (1..).take(seats_by_student.len()).collect();
    rng.shuffle(&mut ids);

    let mut taken = HashMap::new();
    let mut students = Vec::with_capacity(seats_by_student.len());
    for (at, (number, seat)) in ids.into_iter().zip(seats_by_student).enumerate() {
        let sex = rng.pick(Sex::ALL);
        let enrollment_status = match seat {
            Some(seat) => EnrollmentStatus::Enrolled(enrollment(seat, sex, &mut rooms, clubs, rng)),
            None if at < ENROLLED + GRADUATES => EnrollmentStatus::Graduate,
            None => EnrollmentStatus::Withdrawn,
        };
        students.push(student(number, sex, enrollment_status, &mut taken, rng));
    }
    students.sort_by_key(|student| student.id);
    students
}

type Seat = (i64, i64, i64);

/// Returns grades 1–3, classes 1–4, numbers 1–18.
fn seats() -> impl Iterator<Item = Seat> {
    (1..=3).flat_map(|grade| {
        (1..=4).flat_map(move |class| (1..=18).map(move |number| (grade, class, number)))
    })
}

/// Returns the major of a class.
pub(super) const fn major(class: i64) -> Major {
    match class {
        1 | 2 => Major::SW_DEVELOPMENT,
        3 => Major::SMART_IOT,
        _ => Major::AI,
    }
}

fn enrollment(
    (grade, class, number): Seat,
    sex: Sex,
    rooms: &mut DormitoryRooms,
    clubs: &[Club],
    rng: &mut SeededRng,
) -> Enrollment {
    let role = match number {
        1 => EnrolledRole::StudentCouncil,
        2 if class == grade => EnrolledRole::DormitoryManager,
        _ => EnrolledRole::GeneralStudent,
    };
    let resident = role == EnrolledRole::DormitoryManager || rng.percent(50);
    Enrollment {
        grade: id(grade, Grade::new),
        class_num: id(class, ClassNum::new),
        number: id(number, SeatNumber::new),
        major: major(class),
        role,
        dormitory_room: resident.then(|| rooms.next(sex)),
        major_club: rng
            .percent(85)
            .then(|| active_club(clubs, ClubType::Major, rng)),
        autonomous_club: rng
            .percent(75)
            .then(|| active_club(clubs, ClubType::Autonomous, rng)),
    }
}

fn active_club(clubs: &[Club], kind: ClubType, rng: &mut SeededRng) -> ClubId {
    let running: Vec<_> = clubs
        .iter()
        .filter(|club| club.kind == kind && club.status() == ClubStatus::Active)
        .collect();
    rng.pick(&running).id
}

fn student(
    number: i64,
    sex: Sex,
    enrollment_status: EnrollmentStatus,
    taken: &mut HashMap<String, u32>,
    rng: &mut SeededRng,
) -> Student {
    let (name, address) = name(rng);
    let count = taken
        .entry(address.clone())
        .and_modify(|count| *count += 1)
        .or_insert(1);
    let address = if *count == 1 {
        address
    } else {
        format!("{address}{count}")
    };
    Student {
        id: id(number, StudentId::new),
        name,
        sex,
        email: format!("{address}@school.example")
            .parse()
            .expect("the address is plain"),
        specialty: rng
            .percent(70)
            .then(|| ShortText::from_static(rng.pick(SPECIALTIES))),
        github_id: rng.percent(60).then(|| {
            address
                .replace('.', "-")
                .parse()
                .expect("the address is short and plain")
        }),
        enrollment_status,
    }
}

/// Returns a name, and the local part of its address.
fn name(rng: &mut SeededRng) -> (ShortText, String) {
    if rng.percent(5) {
        let (name, address) = rng.pick(OTHER_NAMES);
        return (ShortText::from_static(name), address.to_owned());
    }
    let (surname, latin_surname) = rng.pick(SURNAMES);
    let (given, latin_given) = rng.pick(GIVEN_NAMES);
    (
        short_text(&format!("{surname}{given}")),
        format!("{latin_given}.{latin_surname}"),
    )
}

/// Dormitory rooms for four, ten to a floor; men from the second floor up, women from the fifth.
#[derive(Default)]
struct DormitoryRooms {
    men: i64,
    women: i64,
}

impl DormitoryRooms {
    fn next(&mut self, sex: Sex) -> DormitoryRoom {
        let (first_floor, residents) = match sex {
            Sex::Man => (2, &mut self.men),
            Sex::Woman => (5, &mut self.women),
        };
        let room = *residents / 4;
        *residents += 1;
        id(
            (first_floor + room / 10) * 100 + room % 10 + 1,
            DormitoryRoom::new,
        )
    }
}

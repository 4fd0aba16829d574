//! Records of a school for tests. Numbers identify records of one kind.

use std::collections::BTreeSet;

use lyceum::domain::{
    ClassNum, Club, ClubId, ClubType, Date, DateRange, Dish, EnrolledRole, Enrollment,
    EnrollmentStatus, Grade, InvalidValue, Lesson, LongText, Major, Meal, MealType, Period,
    Project, ProjectId, Repositories, SchoolEvent, SchoolIdentity, SeatNumber, ServeCount, Sex,
    ShortText, Student, StudentId, TechStacks, Year, YearRange,
};

/// Returns a bounded value from a number inside the bounds.
pub fn value<T>(number: i64, new: impl Fn(i64) -> Result<T, InvalidValue>) -> T {
    new(number).expect("a number inside the bounds")
}

pub fn student_id(number: i64) -> StudentId {
    value(number, StudentId::new)
}

pub fn club_id(number: i64) -> ClubId {
    value(number, ClubId::new)
}

pub fn short_text(text: &str) -> ShortText {
    text.parse().expect("a line")
}

pub fn day(text: &str) -> Date {
    text.parse().expect("a date")
}

pub fn days(from: &str, to: &str) -> DateRange {
    DateRange::new(day(from), day(to)).expect("a range of days")
}

/// Returns the years from 2019 to `last`.
pub fn years(last: Option<i64>) -> YearRange {
    YearRange::new(
        value(2019, Year::new),
        last.map(|year| value(year, Year::new)),
    )
    .expect("a range of years")
}

/// Returns an enrolled student of grade 1 in no club.
pub fn student(number: i64) -> Student {
    enrolled(number, |_| {})
}

/// Returns an enrolled student with changed enrollment.
pub fn enrolled(number: i64, change: impl FnOnce(&mut Enrollment)) -> Student {
    let mut enrollment = Enrollment {
        grade: value(1, Grade::new),
        class_num: value(1, ClassNum::new),
        number: value(number % 99 + 1, SeatNumber::new),
        major: Major::SW_DEVELOPMENT,
        role: EnrolledRole::GeneralStudent,
        dormitory_room: None,
        major_club: None,
        autonomous_club: None,
    };
    change(&mut enrollment);
    student_with_status(number, EnrollmentStatus::Enrolled(enrollment))
}

/// Returns a student of this enrollment status.
pub fn student_with_status(number: i64, enrollment_status: EnrollmentStatus) -> Student {
    Student {
        id: student_id(number),
        name: short_text(&format!("학생 {number}")),
        sex: Sex::Woman,
        email: format!("s{number}@school.example")
            .parse()
            .expect("an address"),
        specialty: None,
        github_id: None,
        enrollment_status,
    }
}

/// Returns a student in this major club.
pub fn member(number: i64, club: i64) -> Student {
    enrolled(number, |enrollment| {
        enrollment.major_club = Some(club_id(club))
    })
}

/// Returns an active major club without a leader.
pub fn club(number: i64) -> Club {
    Club {
        id: club_id(number),
        name: short_text(&format!("동아리 {number}")),
        kind: ClubType::Major,
        years: years(None),
        leader: None,
    }
}

/// Returns an active autonomous club without a leader.
pub fn autonomous_club(number: i64) -> Club {
    Club {
        kind: ClubType::Autonomous,
        ..club(number)
    }
}

/// Returns a major club with this leader.
pub fn club_with_leader(number: i64, leader: i64) -> Club {
    Club {
        leader: Some(student_id(leader)),
        ..club(number)
    }
}

/// Returns a running project with these participants.
pub fn project(number: i64, participants: &[i64]) -> Project {
    Project {
        id: value(number, ProjectId::new),
        name: short_text(&format!("과제 {number}")),
        description: LongText::default(),
        years: years(None),
        club: None,
        participants: participants
            .iter()
            .map(|number| student_id(*number))
            .collect::<BTreeSet<_>>(),
        repositories: Repositories::default(),
        tech_stacks: TechStacks::default(),
    }
}

fn school() -> SchoolIdentity {
    SchoolIdentity {
        school_code: short_text("9990001"),
        school_name: short_text("별빛고"),
        office_code: short_text("Z10"),
        office_name: short_text("별빛시교육청"),
    }
}

pub fn meal(date: &str, kind: MealType) -> Meal {
    let dish = |name, allergens| Dish::new(short_text(name), allergens).expect("official numbers");
    Meal {
        school: school(),
        date: day(date),
        kind,
        dishes: vec![
            dish("비빔밥(계란)", vec![1, 5, 6]),
            dish("배추김치", vec![9]),
            dish("물", vec![]),
        ],
        calories: Some(short_text("812.4 Kcal")),
        origin: Some("쌀 : 국내산\n김치류 : 국내산".parse().expect("a text")),
        nutrition: None,
        serve_count: Some(value(216, ServeCount::new)),
    }
}

/// Returns a meal of the school with this code.
pub fn meal_of(code: &str, date: &str, kind: MealType) -> Meal {
    Meal {
        school: SchoolIdentity {
            school_code: short_text(code),
            ..school()
        },
        ..meal(date, kind)
    }
}

pub fn event(id: &str, date: &str, name: &str) -> SchoolEvent {
    SchoolEvent {
        id: short_text(id),
        school: school(),
        date: day(date),
        academic_year: short_text("2026"),
        name: short_text(name),
        content: None,
        day_category: Some(short_text("휴업일")),
        course_type: None,
        day_night: Some(short_text("주간")),
        target_grades: vec![value(3, Grade::new), value(1, Grade::new)],
    }
}

pub fn lesson(id: &str, date: &str, [grade, class, period]: [i32; 3]) -> Lesson {
    Lesson {
        id: short_text(id),
        school: school(),
        date: day(date),
        academic_year: short_text("2026"),
        semester: Some(short_text("1")),
        grade: value(grade.into(), Grade::new),
        class_num: value(class.into(), ClassNum::new),
        period: value(period.into(), Period::new),
        subject: Some(short_text("자료구조")),
        department: None,
        classroom: Some(short_text("SW 실습실")),
    }
}

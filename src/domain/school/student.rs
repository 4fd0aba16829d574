use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use smol_str::SmolStr;

use super::{ClassNum, ClubSummary, DormitoryRoom, Grade, Participant, SeatNumber};
use crate::domain::{
    ClubId, Email, InvalidValue, ShortText, StudentId, check_upper_snake_case, string_enum,
};

string_enum! {
    /// A student's sex.
    Sex {
        /// Male.
        Man = "MAN",
        /// Female.
        Woman = "WOMAN",
    }
}

string_enum! {
    /// A student's role, as spec 2.18 names it.
    StudentRole {
        /// Member of the student council.
        StudentCouncil = "STUDENT_COUNCIL",
        /// Dormitory manager.
        DormitoryManager = "DORMITORY_MANAGER",
        /// Enrolled, without an office.
        GeneralStudent = "GENERAL_STUDENT",
        /// Has graduated.
        Graduate = "GRADUATE",
        /// Has left without graduating.
        Withdrawn = "WITHDRAWN",
    }
}

string_enum! {
    /// The roles of an enrolled student.
    EnrolledRole {
        /// Member of the student council.
        StudentCouncil = "STUDENT_COUNCIL",
        /// Dormitory manager.
        DormitoryManager = "DORMITORY_MANAGER",
        /// Without an office.
        GeneralStudent = "GENERAL_STUDENT",
    }
}

/// A student's major, under its name on the wire: 1 to 64 capital ASCII letters, digits and
/// underscores, starting with a letter. The school configures its majors with
/// [`DirectoryBuilder::majors`](crate::directory::DirectoryBuilder::majors).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Major(SmolStr);

impl Major {
    /// Software development.
    pub const SW_DEVELOPMENT: Self = Self(SmolStr::new_static("SW_DEVELOPMENT"));
    /// Smart devices and the internet of things.
    pub const SMART_IOT: Self = Self(SmolStr::new_static("SMART_IOT"));
    /// Artificial intelligence.
    pub const AI: Self = Self(SmolStr::new_static("AI"));

    /// The majors of spec 2.18.
    pub const STANDARD: [Self; 3] = [Self::SW_DEVELOPMENT, Self::SMART_IOT, Self::AI];

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Major {
    type Err = InvalidValue;

    fn from_str(name: &str) -> Result<Self, InvalidValue> {
        check_upper_snake_case(name).map(|()| Self(name.into()))
    }
}

impl fmt::Display for Major {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A GitHub user name: 1 to 39 ASCII letters, digits and hyphens.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GithubId(SmolStr);

impl GithubId {
    /// The user name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The URL of the profile.
    pub fn profile_url(&self) -> String {
        format!("https://github.com/{}", self.0)
    }
}

impl FromStr for GithubId {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let shape = (1..=39).contains(&text.len())
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if shape {
            Ok(Self(text.into()))
        } else {
            Err(InvalidValue::new(
                "must be 1 to 39 ASCII letters, digits and hyphens",
            ))
        }
    }
}

impl fmt::Display for GithubId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A student.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Student {
    /// The id.
    pub id: StudentId,
    /// The full name.
    pub name: ShortText,
    /// The sex.
    pub sex: Sex,
    /// The e-mail address at the school.
    pub email: Email,
    /// The specialty.
    pub specialty: Option<ShortText>,
    /// The GitHub user name.
    pub github_id: Option<GithubId>,
    /// The enrollment status.
    pub enrollment_status: EnrollmentStatus,
}

/// Whether a student is enrolled. Only an enrolled student can have a grade, a class, a number, a
/// major, a room or clubs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EnrollmentStatus {
    /// Enrolled.
    Enrolled(Enrollment),
    /// Has graduated.
    Graduate,
    /// Has left without graduating.
    Withdrawn,
}

/// Data that only an enrolled student has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enrollment {
    /// The grade.
    pub grade: Grade,
    /// The class within the grade.
    pub class_num: ClassNum,
    /// The number within the class.
    pub number: SeatNumber,
    /// The major.
    pub major: Major,
    /// The role.
    pub role: EnrolledRole,
    /// The dormitory room, for residents.
    pub dormitory_room: Option<DormitoryRoom>,
    /// The major club, which is of type `MAJOR_CLUB`.
    pub major_club: Option<ClubId>,
    /// The autonomous club, which is of type `AUTONOMOUS_CLUB`.
    pub autonomous_club: Option<ClubId>,
}

impl Enrollment {
    /// `grade · 1000 + classNum · 100 + number`.
    pub const fn student_number(&self) -> i32 {
        self.grade.get() * 1000 + self.class_num.get() * 100 + self.number.get()
    }
}

impl Student {
    /// The enrollment, or `None` for a former student.
    pub const fn enrollment(&self) -> Option<&Enrollment> {
        match &self.enrollment_status {
            EnrollmentStatus::Enrolled(enrollment) => Some(enrollment),
            EnrollmentStatus::Graduate | EnrollmentStatus::Withdrawn => None,
        }
    }

    /// The role, derived from the enrollment status.
    pub const fn role(&self) -> StudentRole {
        match &self.enrollment_status {
            EnrollmentStatus::Enrolled(enrollment) => match enrollment.role {
                EnrolledRole::StudentCouncil => StudentRole::StudentCouncil,
                EnrolledRole::DormitoryManager => StudentRole::DormitoryManager,
                EnrolledRole::GeneralStudent => StudentRole::GeneralStudent,
            },
            EnrollmentStatus::Graduate => StudentRole::Graduate,
            EnrollmentStatus::Withdrawn => StudentRole::Withdrawn,
        }
    }

    /// Whether the student is a member of the club.
    pub fn is_member_of(&self, club: ClubId) -> bool {
        self.enrollment().is_some_and(|enrollment| {
            [enrollment.major_club, enrollment.autonomous_club].contains(&Some(club))
        })
    }

    /// The summary for clubs and projects.
    pub fn as_participant(&self) -> Participant {
        Participant {
            id: self.id,
            name: self.name.clone(),
            email: self.email.clone(),
            student_number: self.enrollment().map(Enrollment::student_number),
            major: self.enrollment().map(|enrollment| enrollment.major.clone()),
            sex: self.sex,
        }
    }
}

/// A student as the data API shows them, with their clubs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StudentProfile {
    /// The student.
    pub student: Student,
    /// The student's major club.
    pub major_club: Option<Arc<ClubSummary>>,
    /// The student's autonomous club.
    pub autonomous_club: Option<Arc<ClubSummary>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn enrollment() -> Enrollment {
        Enrollment {
            grade: Grade::new(2).unwrap(),
            class_num: ClassNum::new(3).unwrap(),
            number: SeatNumber::new(7).unwrap(),
            major: Major::AI,
            role: EnrolledRole::GeneralStudent,
            dormitory_room: Some(DormitoryRoom::new(415).unwrap()),
            major_club: Some(ClubId::new(1).unwrap()),
            autonomous_club: None,
        }
    }

    fn student(enrollment_status: EnrollmentStatus) -> Student {
        Student {
            id: StudentId::new(1).unwrap(),
            name: "김하늘".parse().unwrap(),
            sex: Sex::Woman,
            email: "haneul@school.example".parse().unwrap(),
            specialty: None,
            github_id: Some("haneul-kim".parse().unwrap()),
            enrollment_status,
        }
    }

    // Proves: spec 2.8
    #[test]
    fn number_floor_and_profile_are_derived() {
        assert_eq!(enrollment().student_number(), 2307);
        assert_eq!(enrollment().dormitory_room.unwrap().floor(), 4);
        assert_eq!(
            student(EnrollmentStatus::Graduate)
                .github_id
                .unwrap()
                .profile_url(),
            "https://github.com/haneul-kim"
        );
    }

    // Proves: spec 2.9
    #[test]
    fn a_withdrawn_student_has_no_number_major_or_club() {
        let enrolled = student(EnrollmentStatus::Enrolled(enrollment()));
        assert!(enrolled.is_member_of(ClubId::new(1).unwrap()));
        assert_eq!(enrolled.as_participant().student_number, Some(2307));
        for (enrollment_status, role) in [
            (EnrollmentStatus::Graduate, StudentRole::Graduate),
            (EnrollmentStatus::Withdrawn, StudentRole::Withdrawn),
        ] {
            let left = student(enrollment_status);
            assert_eq!(left.role(), role);
            assert!(left.enrollment().is_none() && !left.is_member_of(ClubId::new(1).unwrap()));
            assert_eq!(
                (
                    left.as_participant().student_number,
                    left.as_participant().major
                ),
                (None, None)
            );
        }
    }

    #[test]
    fn a_github_name_cannot_leave_its_place_in_an_address() {
        for text in ["", "a/b", "a?b", "..", "a b", "ä", &"a".repeat(40)] {
            assert!(text.parse::<GithubId>().is_err(), "{text:?} was accepted");
        }
    }
}

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use smol_str::SmolStr;

use super::{ClassNum, ClubSummary, DormitoryRoom, Grade, Participant, SeatNumber};
use crate::domain::{ClubId, Email, Invalid, Line, StudentId, upper_name, vocabulary};

vocabulary! {
    /// A student's sex.
    Sex {
        /// Male.
        Man = "MAN",
        /// Female.
        Woman = "WOMAN",
    }
}

vocabulary! {
    /// What a student is at the school, as service.md names it.
    StudentRole {
        /// In the student council.
        StudentCouncil = "STUDENT_COUNCIL",
        /// Looks after a dormitory.
        DormitoryManager = "DORMITORY_MANAGER",
        /// Enrolled, without an office.
        GeneralStudent = "GENERAL_STUDENT",
        /// Has graduated.
        Graduate = "GRADUATE",
        /// Has left without graduating.
        Withdrawn = "WITHDRAWN",
    }
}

vocabulary! {
    /// The roles that an enrolled student can have.
    EnrolledRole {
        /// In the student council.
        StudentCouncil = "STUDENT_COUNCIL",
        /// Looks after a dormitory.
        DormitoryManager = "DORMITORY_MANAGER",
        /// Without an office.
        GeneralStudent = "GENERAL_STUDENT",
    }
}

/// A student's major, under its name on the wire: 1 to 64 capital ASCII letters, digits and underscores, a letter first. Which majors there are is
/// the school's to say: [`DirectoryBuilder::majors`](crate::directory::DirectoryBuilder::majors).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Major(SmolStr);

impl Major {
    /// Software development.
    pub const SW_DEVELOPMENT: Self = Self(SmolStr::new_static("SW_DEVELOPMENT"));
    /// Smart devices and the internet of things.
    pub const SMART_IOT: Self = Self(SmolStr::new_static("SMART_IOT"));
    /// Artificial intelligence.
    pub const AI: Self = Self(SmolStr::new_static("AI"));

    /// The majors of service.md.
    pub const STANDARD: [Self; 3] = [Self::SW_DEVELOPMENT, Self::SMART_IOT, Self::AI];

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Major {
    type Err = Invalid;

    fn from_str(name: &str) -> Result<Self, Invalid> {
        upper_name(name).map(|()| Self(name.into()))
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

    /// The address of the profile.
    pub fn profile_url(&self) -> String {
        format!("https://github.com/{}", self.0)
    }
}

impl FromStr for GithubId {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        let shape = (1..=39).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if shape { Ok(Self(text.into())) } else { Err(Invalid::new("must be 1 to 39 ASCII letters, digits and hyphens")) }
    }
}

impl fmt::Display for GithubId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A student, as the school writes them down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Student {
    /// The id.
    pub id: StudentId,
    /// The full name.
    pub name: Line,
    /// The sex.
    pub sex: Sex,
    /// The school's e-mail address of the student.
    pub email: Email,
    /// What the student is good at.
    pub specialty: Option<Line>,
    /// The user name on GitHub.
    pub github_id: Option<GithubId>,
    /// Whether the student is enrolled, and with what.
    pub standing: Standing,
}

/// Whether a student is enrolled. A graduate or withdrawn student *cannot* hold a grade, a class, a number, a major, a room or a club.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// At the school now.
    Enrolled(Enrolment),
    /// Has graduated.
    Graduate,
    /// Has left without graduating.
    Withdrawn,
}

/// What only an enrolled student has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enrolment {
    /// The grade.
    pub grade: Grade,
    /// The class inside the grade.
    pub class_num: ClassNum,
    /// The number inside the class.
    pub number: SeatNumber,
    /// The major.
    pub major: Major,
    /// The role.
    pub role: EnrolledRole,
    /// The room, for residents.
    pub dormitory_room: Option<DormitoryRoom>,
    /// The major club, which is of type `MAJOR_CLUB`.
    pub major_club: Option<ClubId>,
    /// The autonomous club, which is of type `AUTONOMOUS_CLUB`.
    pub autonomous_club: Option<ClubId>,
}

impl Enrolment {
    /// `grade · 1000 + classNum · 100 + number`.
    pub const fn student_number(&self) -> i32 {
        self.grade.get() * 1000 + self.class_num.get() * 100 + self.number.get()
    }
}

impl Student {
    /// What only an enrolled student has.
    pub const fn enrolment(&self) -> Option<&Enrolment> {
        match &self.standing {
            Standing::Enrolled(enrolment) => Some(enrolment),
            Standing::Graduate | Standing::Withdrawn => None,
        }
    }

    /// The role, which follows from the standing.
    pub const fn role(&self) -> StudentRole {
        match &self.standing {
            Standing::Enrolled(enrolment) => match enrolment.role {
                EnrolledRole::StudentCouncil => StudentRole::StudentCouncil,
                EnrolledRole::DormitoryManager => StudentRole::DormitoryManager,
                EnrolledRole::GeneralStudent => StudentRole::GeneralStudent,
            },
            Standing::Graduate => StudentRole::Graduate,
            Standing::Withdrawn => StudentRole::Withdrawn,
        }
    }

    /// Whether the student belongs to the club.
    pub fn is_member_of(&self, club: ClubId) -> bool {
        self.enrolment().is_some_and(|enrolment| [enrolment.major_club, enrolment.autonomous_club].contains(&Some(club)))
    }

    /// What clubs and projects tell of the student.
    pub fn as_participant(&self) -> Participant {
        Participant {
            id: self.id,
            name: self.name.clone(),
            email: self.email.clone(),
            student_number: self.enrolment().map(Enrolment::student_number),
            major: self.enrolment().map(|enrolment| enrolment.major.clone()),
            sex: self.sex,
        }
    }
}

/// A student as the data API shows them: with the clubs' names.
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

    fn enrolment() -> Enrolment {
        Enrolment {
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

    fn student(standing: Standing) -> Student {
        Student {
            id: StudentId::new(1).unwrap(),
            name: "김하늘".parse().unwrap(),
            sex: Sex::Woman,
            email: "haneul@school.example".parse().unwrap(),
            specialty: None,
            github_id: Some("haneul-kim".parse().unwrap()),
            standing,
        }
    }

    #[test]
    fn decision_2_8_number_floor_and_profile_are_derived() {
        assert_eq!(enrolment().student_number(), 2307);
        assert_eq!(enrolment().dormitory_room.unwrap().floor(), 4);
        assert_eq!(student(Standing::Graduate).github_id.unwrap().profile_url(), "https://github.com/haneul-kim");
    }

    #[test]
    fn decision_2_9_a_student_who_left_has_no_number_major_or_club() {
        let enrolled = student(Standing::Enrolled(enrolment()));
        assert!(enrolled.is_member_of(ClubId::new(1).unwrap()));
        assert_eq!(enrolled.as_participant().student_number, Some(2307));
        for (standing, role) in [(Standing::Graduate, StudentRole::Graduate), (Standing::Withdrawn, StudentRole::Withdrawn)] {
            let left = student(standing);
            assert_eq!(left.role(), role);
            assert!(left.enrolment().is_none() && !left.is_member_of(ClubId::new(1).unwrap()));
            assert_eq!((left.as_participant().student_number, left.as_participant().major), (None, None));
        }
    }

    #[test]
    fn a_github_name_cannot_leave_its_place_in_an_address() {
        for text in ["", "a/b", "a?b", "..", "a b", "ä", &"a".repeat(40)] {
            assert!(text.parse::<GithubId>().is_err(), "{text:?} was accepted");
        }
    }
}

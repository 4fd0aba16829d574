//! Fixtures for the tests of this module: students, clubs and projects.

use std::collections::BTreeSet;

use crate::domain::{
    ClassNum, Club, ClubId, ClubType, EnrolledRole, Enrollment, EnrollmentStatus, Grade, Major,
    Project, ProjectId, Repositories, SeatNumber, Sex, Student, StudentId, TechStacks, Year,
    YearRange,
};

pub(crate) fn student_id(id: i64) -> StudentId {
    StudentId::new(id).unwrap()
}

pub(crate) fn club_id(id: i64) -> ClubId {
    ClubId::new(id).unwrap()
}

pub(crate) fn enrollment() -> Enrollment {
    Enrollment {
        grade: Grade::new(1).unwrap(),
        class_num: ClassNum::new(1).unwrap(),
        number: SeatNumber::new(1).unwrap(),
        major: Major::AI,
        role: EnrolledRole::GeneralStudent,
        dormitory_room: None,
        major_club: None,
        autonomous_club: None,
    }
}

pub(crate) fn student(id: i64, name: &str, enrollment_status: EnrollmentStatus) -> Student {
    Student {
        id: student_id(id),
        name: name.parse().unwrap(),
        sex: Sex::Woman,
        email: format!("s{id}@school.example").parse().unwrap(),
        specialty: None,
        github_id: None,
        enrollment_status,
    }
}

/// Returns an enrolled student in these clubs.
pub(crate) fn member(id: i64, major_club: Option<i64>, autonomous_club: Option<i64>) -> Student {
    let clubs = Enrollment {
        major_club: major_club.map(club_id),
        autonomous_club: autonomous_club.map(club_id),
        ..enrollment()
    };
    student(id, "Member", EnrollmentStatus::Enrolled(clubs))
}

pub(crate) fn club(id: i64, kind: ClubType, leader: Option<i64>) -> Club {
    let years = YearRange::new(Year::new(2020).unwrap(), None).unwrap();
    Club {
        id: club_id(id),
        name: format!("Club {id}").parse().unwrap(),
        kind,
        years,
        leader: leader.map(student_id),
    }
}

pub(crate) fn project(id: i64, club: Option<i64>, participants: &[i64]) -> Project {
    Project {
        id: ProjectId::new(id).unwrap(),
        name: format!("Project {id}").parse().unwrap(),
        description: "".parse().unwrap(),
        years: YearRange::new(Year::new(2024).unwrap(), None).unwrap(),
        club: club.map(club_id),
        participants: participants
            .iter()
            .copied()
            .map(student_id)
            .collect::<BTreeSet<_>>(),
        repositories: Repositories::default(),
        tech_stacks: TechStacks::default(),
    }
}

use super::{Lifespan, Major, Sex};
use crate::domain::{ClubId, Email, Line, StudentId, vocabulary};

vocabulary! {
    /// The kind of a club.
    ClubType {
        /// A club of a major.
        Major = "MAJOR_CLUB",
        /// A club that students run themselves.
        Autonomous = "AUTONOMOUS_CLUB",
    }
}

vocabulary! {
    /// Whether a club is running. It follows from the club's [`Lifespan`].
    ClubStatus {
        /// Running.
        Active = "ACTIVE",
        /// Abolished.
        Abolished = "ABOLISHED",
    }
}

/// A club, as the school writes it down. Who belongs to it is written down with the students.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Club {
    /// The id.
    pub id: ClubId,
    /// The name.
    pub name: Line,
    /// The kind, which does not change while the club has members.
    pub kind: ClubType,
    /// The years of founding and, once abolished, of abolition.
    pub years: Lifespan,
    /// The leader, who is a member. Someone who leaves the club stops being its leader.
    pub leader: Option<StudentId>,
}

impl Club {
    /// Whether the club is running.
    pub const fn status(&self) -> ClubStatus {
        if self.years.last().is_some() { ClubStatus::Abolished } else { ClubStatus::Active }
    }

    /// What students and projects tell of the club.
    pub fn summary(&self) -> ClubSummary {
        ClubSummary { id: self.id, name: self.name.clone(), kind: self.kind }
    }
}

/// What students and projects tell of a club.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClubSummary {
    /// The id.
    pub id: ClubId,
    /// The name.
    pub name: Line,
    /// The kind.
    pub kind: ClubType,
}

/// What clubs and projects tell of a student.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Participant {
    /// The student's id.
    pub id: StudentId,
    /// The full name.
    pub name: Line,
    /// The e-mail address.
    pub email: Email,
    /// The student number; none for those who left.
    pub student_number: Option<i32>,
    /// The major; none for those who left.
    pub major: Option<Major>,
    /// The sex.
    pub sex: Sex,
}

/// A club as the data API shows it: with its members.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClubProfile {
    /// The club.
    pub club: Club,
    /// Every member in id order, the leader among them.
    pub members: Vec<Participant>,
}

impl ClubProfile {
    /// The leader, if there is one.
    pub fn leader(&self) -> Option<&Participant> {
        self.members.iter().find(|member| Some(member.id) == self.club.leader)
    }
}

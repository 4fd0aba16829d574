use super::{Major, Sex, YearRange};
use crate::domain::{ClubId, Email, ShortText, StudentId, string_enum};

string_enum! {
    /// The kind of a club.
    ClubType {
        /// A club of a major.
        Major = "MAJOR_CLUB",
        /// A club that students run themselves.
        Autonomous = "AUTONOMOUS_CLUB",
    }
}

string_enum! {
    /// Whether a club is active. Derived from the club's [`YearRange`].
    ClubStatus {
        /// Active.
        Active = "ACTIVE",
        /// Abolished.
        Abolished = "ABOLISHED",
    }
}

/// A club. Its members are stored with the students.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Club {
    /// The id.
    pub id: ClubId,
    /// The name.
    pub name: ShortText,
    /// The kind. It cannot change while the club has members.
    pub kind: ClubType,
    /// The year of founding and, if abolished, of abolition.
    pub years: YearRange,
    /// The leader, who is a member. A student who leaves the club stops being its leader.
    pub leader: Option<StudentId>,
}

impl Club {
    /// Whether the club is active or abolished.
    pub const fn status(&self) -> ClubStatus {
        if self.years.last().is_some() {
            ClubStatus::Abolished
        } else {
            ClubStatus::Active
        }
    }

    /// The summary for students and projects.
    pub fn summary(&self) -> ClubSummary {
        ClubSummary {
            id: self.id,
            name: self.name.clone(),
            kind: self.kind,
        }
    }
}

/// A club as shown within students and projects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClubSummary {
    /// The id.
    pub id: ClubId,
    /// The name.
    pub name: ShortText,
    /// The kind.
    pub kind: ClubType,
}

/// A student as shown within clubs and projects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Participant {
    /// The student's id.
    pub id: StudentId,
    /// The full name.
    pub name: ShortText,
    /// The e-mail address.
    pub email: Email,
    /// The student number; `None` for former students.
    pub student_number: Option<i32>,
    /// The major; `None` for former students.
    pub major: Option<Major>,
    /// The sex.
    pub sex: Sex,
}

/// A club as the data API shows it, with its members.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClubProfile {
    /// The club.
    pub club: Club,
    /// Every member in id order, including the leader.
    pub members: Vec<Participant>,
}

impl ClubProfile {
    /// The leader, if there is one.
    pub fn leader(&self) -> Option<&Participant> {
        self.members
            .iter()
            .find(|member| Some(member.id) == self.club.leader)
    }
}

use std::collections::BTreeSet;

use super::{ClubSummary, Participant, YearRange};
use crate::domain::{ClubId, InvalidValue, LongText, ProjectId, ShortText, StudentId, string_enum};

string_enum! {
    /// Whether a project is active. Derived from the project's [`YearRange`].
    ProjectStatus {
        /// Active.
        Active = "ACTIVE",
        /// Finished.
        Ended = "ENDED",
    }
}

/// A project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// The id.
    pub id: ProjectId,
    /// The name.
    pub name: ShortText,
    /// The description.
    pub description: LongText,
    /// The year of the start and, if ended, of the end.
    pub years: YearRange,
    /// The owning club, if any.
    pub club: Option<ClubId>,
    /// The current and former participants.
    pub participants: BTreeSet<StudentId>,
    /// The source repositories.
    pub repositories: Repositories,
    /// The technologies used.
    pub tech_stacks: TechStacks,
}

impl Project {
    /// Whether the project is active or ended.
    pub const fn status(&self) -> ProjectStatus {
        if self.years.last().is_some() {
            ProjectStatus::Ended
        } else {
            ProjectStatus::Active
        }
    }
}

/// URLs of a project's repositories: at most 20, each `http://` or `https://` (spec 2.11).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Repositories(Vec<ShortText>);

impl Repositories {
    /// Checks the URLs.
    ///
    /// # Errors
    /// If there are more than 20, or one is not an `http` or `https` URL.
    pub fn new(addresses: Vec<ShortText>) -> Result<Self, InvalidValue> {
        if addresses
            .iter()
            .any(|address| !(address.starts_with("https://") || address.starts_with("http://")))
        {
            return Err(InvalidValue::new("must be http or https addresses"));
        }
        at_most_20(addresses).map(Self)
    }

    /// The URLs in order.
    pub fn as_slice(&self) -> &[ShortText] {
        &self.0
    }
}

/// Technologies used by a project: at most 20 names (spec 2.11).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TechStacks(Vec<ShortText>);

impl TechStacks {
    /// Checks the names.
    ///
    /// # Errors
    /// If there are more than 20.
    pub fn new(names: Vec<ShortText>) -> Result<Self, InvalidValue> {
        at_most_20(names).map(Self)
    }

    /// The names in order.
    pub fn as_slice(&self) -> &[ShortText] {
        &self.0
    }
}

fn at_most_20(entries: Vec<ShortText>) -> Result<Vec<ShortText>, InvalidValue> {
    if entries.len() > 20 {
        Err(InvalidValue::new("must have at most 20 entries"))
    } else {
        Ok(entries)
    }
}

/// A project as the data API shows it, with the names of its club and participants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectProfile {
    /// The project.
    pub project: Project,
    /// The owning club.
    pub club: Option<ClubSummary>,
    /// The participants in id order.
    pub participants: Vec<Participant>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(count: usize, text: &str) -> Vec<ShortText> {
        vec![text.parse().unwrap(); count]
    }

    // Proves: spec 2.11
    #[test]
    fn a_project_has_at_most_20_repositories_and_tech_stacks() {
        assert!(Repositories::new(lines(20, "https://git.example/a")).is_ok());
        assert!(Repositories::new(lines(21, "https://git.example/a")).is_err());
        assert!(TechStacks::new(lines(20, "Rust")).is_ok());
        assert!(TechStacks::new(lines(21, "Rust")).is_err());
    }

    #[test]
    fn a_repository_is_a_web_address() {
        assert!(Repositories::new(lines(1, "javascript:alert(1)")).is_err());
    }
}

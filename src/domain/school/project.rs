use std::collections::BTreeSet;

use super::{ClubSummary, Lifespan, Participant};
use crate::domain::{ClubId, Invalid, Line, ProjectId, Prose, StudentId, vocabulary};

vocabulary! {
    /// Whether a project is running. It follows from the project's [`Lifespan`].
    ProjectStatus {
        /// Running.
        Active = "ACTIVE",
        /// Finished.
        Ended = "ENDED",
    }
}

/// A project, as the school writes it down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// The id.
    pub id: ProjectId,
    /// The name.
    pub name: Line,
    /// What the project is about.
    pub description: Prose,
    /// The years of start and, once finished, of the end.
    pub years: Lifespan,
    /// The owning club, if a club owns it.
    pub club: Option<ClubId>,
    /// The students who take or took part.
    pub participants: BTreeSet<StudentId>,
    /// Where the source is.
    pub repositories: Repositories,
    /// What the project is built with.
    pub tech_stacks: TechStacks,
}

impl Project {
    /// Whether the project is running.
    pub const fn status(&self) -> ProjectStatus {
        if self.years.last().is_some() { ProjectStatus::Ended } else { ProjectStatus::Active }
    }
}

/// The addresses of a project's repositories: at most 20, each `http://` or `https://` (service.md, "Limits").
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Repositories(Vec<Line>);

impl Repositories {
    /// The addresses in their order.
    ///
    /// # Errors
    /// When there are more than 20, or one is not an `http` or `https` address.
    pub fn new(addresses: Vec<Line>) -> Result<Self, Invalid> {
        if addresses.iter().any(|address| !(address.starts_with("https://") || address.starts_with("http://"))) {
            return Err(Invalid::new("must be http or https addresses"));
        }
        at_most_20(addresses).map(Self)
    }

    /// The addresses in order.
    pub fn as_slice(&self) -> &[Line] {
        &self.0
    }
}

/// What a project is built with: at most 20 names (service.md, "Limits").
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TechStacks(Vec<Line>);

impl TechStacks {
    /// The names in their order.
    ///
    /// # Errors
    /// When there are more than 20.
    pub fn new(names: Vec<Line>) -> Result<Self, Invalid> {
        at_most_20(names).map(Self)
    }

    /// The names in order.
    pub fn as_slice(&self) -> &[Line] {
        &self.0
    }
}

fn at_most_20(entries: Vec<Line>) -> Result<Vec<Line>, Invalid> {
    if entries.len() > 20 { Err(Invalid::new("must have at most 20 entries")) } else { Ok(entries) }
}

/// A project as the data API shows it: with the names of its club and participants.
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

    fn lines(count: usize, text: &str) -> Vec<Line> {
        vec![text.parse().unwrap(); count]
    }

    #[test]
    fn decision_2_11_a_project_has_at_most_20_repositories_and_tech_stacks() {
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

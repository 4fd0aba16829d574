use std::collections::BTreeSet;

use super::cells::{Cells, number, text, texts};
use super::file::RowId;
use super::kind::{FileColumn, Kind, RowChange, RowErrors, changes_of};
use super::lookup::Lookup;
use super::refusal::RowError;
use crate::directory::{DirectoryChange, ListView, Resource, SchoolResources, Snapshot};
use crate::domain::{
    Project, ProjectId, ProjectProfile, RecordKind, Repositories, TechStacks, Year, YearRange,
};

pub(super) struct Projects;

impl Kind for Projects {
    const KIND: RecordKind = RecordKind::Projects;
    const COLUMNS: &'static [FileColumn] = &[
        FileColumn::optional("id"),
        FileColumn::required("name"),
        FileColumn::optional("description"),
        FileColumn::required("startYear"),
        FileColumn::optional("endYear"),
        FileColumn::optional("club.id"),
        FileColumn::optional("club.name"),
        FileColumn::optional("participants"),
        FileColumn::optional("repositories"),
        FileColumn::optional("techStacks"),
    ];
    type Profile = ProjectProfile;
    type Row = Project;

    fn list(snapshot: &Snapshot) -> ListView<'_, ProjectProfile> {
        snapshot.projects()
    }

    fn resource(resources: &SchoolResources) -> &Resource<ProjectProfile> {
        &resources.projects
    }

    fn id(profile: &ProjectProfile) -> i64 {
        profile.project.id.get()
    }

    fn name(profile: &ProjectProfile) -> &str {
        &profile.project.name
    }

    fn is_same_record(one: &ProjectProfile, other: &ProjectProfile) -> bool {
        one.project == other.project
    }

    fn read(
        cells: Cells<'_>,
        id: i64,
        before: Option<&ProjectProfile>,
        lookup: &Lookup<'_>,
    ) -> Result<Project, RowError> {
        let before = before.map(|profile| &profile.project);
        let participants = match cells.text("participants") {
            Some(cell) => lookup.students("participants", cell)?,
            None => before.map_or_else(BTreeSet::new, |it| it.participants.clone()),
        };
        let repositories = cells.optional(
            "repositories",
            before.map(|it| it.repositories.clone()),
            |cell| Repositories::new(texts(cell)?),
        )?;
        let tech_stacks = cells.optional(
            "techStacks",
            before.map(|it| it.tech_stacks.clone()),
            |cell| TechStacks::new(texts(cell)?),
        )?;
        Ok(Project {
            id: ProjectId::new(id).map_err(|rule| RowError::value("id", &rule))?,
            name: cells.required("name", before.map(|it| it.name.clone()), text)?,
            // A description may be empty or blank.
            description: match cells.text("description") {
                Some(cell) => text(cell).map_err(|rule| RowError::value("description", &rule))?,
                None => before.map(|it| it.description.clone()).unwrap_or_default(),
            },
            years: years(cells, ["startYear", "endYear"], before.map(|it| it.years))?,
            club: lookup.club(cells, "club", None, before.and_then(|it| it.club))?,
            participants,
            repositories: repositories.unwrap_or_default(),
            tech_stacks: tech_stacks.unwrap_or_default(),
        })
    }

    fn changes(
        rows: &[(RowId, Project)],
        gone: &[i64],
        base: &Snapshot,
    ) -> Result<Vec<RowChange>, RowErrors> {
        let gone = gone.iter().filter_map(|id| ProjectId::new(*id).ok());
        Ok(changes_of(
            rows,
            |project| Some(&base.projects().get(project.id.get())?.project),
            gone.map(DirectoryChange::RemoveProject),
        ))
    }
}

/// Reads the first and the last year from two columns.
pub(super) fn years(
    cells: Cells<'_>,
    [first, last]: [&str; 2],
    before: Option<YearRange>,
) -> Result<YearRange, RowError> {
    let first = cells.required(first, before.map(YearRange::first), number(Year::new))?;
    let end = cells.optional(last, before.and_then(YearRange::last), number(Year::new))?;
    YearRange::new(first, end).map_err(|rule| RowError::value(last, &rule))
}

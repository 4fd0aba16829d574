use super::answer::Answer;
use super::delta;
use super::failure::Failure;
use super::paging::{self, List};
use super::parameters::{Parameters, integer};
use super::question::{Manner, Question};
use super::reply;
use super::wire::{self, columns};
use crate::directory::{ChangesQuery, Snapshot};
use crate::domain::{
    ClubId, HiddenFields, Needle, ProjectFilter, ProjectId, ProjectProfile, ProjectQuery, ProjectSort, ProjectStatus, Record,
};

/// How many are on a page if nobody says otherwise.
const SIZE: u32 = 100;

const LIST: List = List { path: "/v1/projects", field: "projects", columns: columns::PROJECTS };

/// `GET /v1/projects`
pub(super) fn answer(school: &Snapshot, query: &ProjectQuery, manner: Manner) -> Answer {
    paging::answer(&LIST, &school.projects(query), query.page, manner.format, |record, out| write(record, manner.hidden, out))
}

/// `GET /v1/projects?updatedSince=…`
pub(super) fn changes(school: &Snapshot, query: &ChangesQuery<ProjectFilter>, manner: Manner) -> Result<Answer, Failure> {
    delta::answer(&LIST, &school.project_changes(query), query, |record, out| write(record, manner.hidden, out))
}

fn write(record: &Record<ProjectProfile>, hidden: HiddenFields, out: &mut Vec<u8>) {
    reply::write_shared(out, record, hidden.is_empty(), |out, project| wire::write_project(out, project, hidden));
}

pub(super) fn read(parameters: &mut Parameters<'_>) -> Result<Question, Failure> {
    let filter = ProjectFilter {
        id: parameters.take("projectId", integer(ProjectId::new))?,
        name: parameters.take("projectName", Needle::new)?,
        club: parameters.take("clubId", integer(ClubId::new))?,
        status: Some(parameters.take("status", str::parse)?.unwrap_or(ProjectStatus::Active)),
    };
    if let Some(asked) = delta::take(parameters, SIZE)? {
        return Ok(Question::ProjectChanges(asked.of(filter)));
    }
    Ok(Question::Projects(ProjectQuery {
        filter,
        sort: parameters.take("sortBy", str::parse)?.unwrap_or(ProjectSort::Id),
        direction: paging::take_direction(parameters)?,
        page: paging::take_page(parameters, SIZE)?,
    }))
}

use http::Response;

use super::failure::Failure;
use super::paging::{self, List};
use super::parameters::{Parameters, integer};
use super::question::Manner;
use super::wire::{self, columns};
use crate::domain::{ClubId, Needle, ProjectFilter, ProjectId, ProjectQuery, ProjectSort, ProjectStatus};
use crate::http::Body;
use crate::store::SchoolDirectory;

const LIST: List = List { path: "/v1/projects", field: "projects", columns: columns::PROJECTS };

/// `GET /v1/projects`
pub(super) async fn answer(store: &dyn SchoolDirectory, query: &ProjectQuery, manner: &Manner<'_>) -> Result<Response<Body>, Failure> {
    let page = store.projects(query).await?;
    Ok(paging::answer(&LIST, page, query.page, manner, false, wire::project))
}

pub(super) fn read(parameters: &mut Parameters<'_>) -> Result<ProjectQuery, Failure> {
    Ok(ProjectQuery {
        filter: ProjectFilter {
            id: parameters.take("projectId", integer(ProjectId::new))?,
            name: parameters.take("projectName", Needle::new)?,
            club: parameters.take("clubId", integer(ClubId::new))?,
            status: Some(parameters.take("status", str::parse)?.unwrap_or(ProjectStatus::Active)),
        },
        sort: parameters.take("sortBy", str::parse)?.unwrap_or(ProjectSort::Id),
        direction: paging::take_direction(parameters)?,
        page: paging::take_page(parameters, 100)?,
    })
}

use http::Response;

use super::builder::Settings;
use super::failure::Failure;
use super::paging;
use super::parameters::{Parameters, Taken, integer};
use super::wire;
use crate::domain::{ClubId, Needle, ProjectFilter, ProjectId, ProjectQuery, ProjectSort, ProjectStatus};
use crate::http::Body;
use crate::store::SchoolDirectory;

/// `GET /v1/projects`
pub(super) async fn answer(
    store: &dyn SchoolDirectory,
    settings: &Settings,
    query: &ProjectQuery,
    taken: &Taken<'_>,
) -> Result<Response<Body>, Failure> {
    let page = store.projects(query).await?;
    let link_base = settings.link_base("/v1/projects");
    Ok(paging::answer("projects", &page, query.page, &link_base, taken, |project| project.rendered(false, wire::project)))
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

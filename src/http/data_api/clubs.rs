use http::Response;

use super::builder::Settings;
use super::failure::Failure;
use super::paging;
use super::parameters::{Parameters, boolean, integer};
use super::wire;
use crate::domain::{ClubFilter, ClubId, ClubQuery, ClubSort, Needle, Year};
use crate::http::Body;
use crate::store::SchoolDirectory;

/// `GET /v1/clubs`
pub(super) async fn answer(store: &dyn SchoolDirectory, settings: &Settings, query: &str) -> Result<Response<Body>, Failure> {
    let mut parameters = Parameters::read(query)?;
    let query = take_query(&mut parameters)?;
    let with_leader = parameters.take("includeLeaderInParticipants", boolean)?.unwrap_or(false);
    let taken = parameters.finish(settings.ignores_unknown_parameters)?;
    let page = store.clubs(&query).await?;
    let link_base = settings.link_base("/v1/clubs");
    Ok(paging::answer("clubs", &page, query.page, &link_base, &taken, |club| {
        club.rendered(with_leader, |club| wire::club(club, with_leader))
    }))
}

fn take_query(parameters: &mut Parameters<'_>) -> Result<ClubQuery, Failure> {
    Ok(ClubQuery {
        filter: ClubFilter {
            id: parameters.take("clubId", integer(ClubId::new))?,
            name: parameters.take("clubName", Needle::new)?,
            kind: parameters.take("clubType", str::parse)?,
            status: parameters.take_either(["status", "clubStatus"], str::parse)?,
            founded_year: parameters.take("foundedYear", integer(Year::new))?,
        },
        sort: parameters.take("sortBy", str::parse)?.unwrap_or(ClubSort::Id),
        direction: paging::take_direction(parameters)?,
        page: paging::take_page(parameters, 100)?,
    })
}

use http::Response;

use super::builder::Settings;
use super::failure::Failure;
use super::paging;
use super::parameters::{Parameters, Taken, boolean, integer};
use super::wire;
use crate::domain::{ClubFilter, ClubId, ClubQuery, ClubSort, Needle, Year};
use crate::http::Body;
use crate::store::SchoolDirectory;

/// `GET /v1/clubs`
pub(super) async fn answer(
    store: &dyn SchoolDirectory,
    settings: &Settings,
    (query, with_leader): (&ClubQuery, bool),
    taken: &Taken<'_>,
) -> Result<Response<Body>, Failure> {
    let page = store.clubs(query).await?;
    let link_base = settings.link_base("/v1/clubs");
    Ok(paging::answer("clubs", &page, query.page, &link_base, taken, |club| {
        club.rendered(with_leader, |club| wire::club(club, with_leader))
    }))
}

/// Which clubs are wanted, and whether with their leaders among the participants.
pub(super) fn read(parameters: &mut Parameters<'_>) -> Result<(ClubQuery, bool), Failure> {
    let query = ClubQuery {
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
    };
    let with_leader = parameters.take("includeLeaderInParticipants", boolean)?.unwrap_or(false);
    Ok((query, with_leader))
}

use http::Response;

use super::failure::Failure;
use super::paging::{self, List};
use super::parameters::{Parameters, boolean, integer};
use super::question::Manner;
use super::wire::{self, columns};
use crate::domain::{ClubFilter, ClubId, ClubQuery, ClubSort, Needle, Year};
use crate::http::Body;
use crate::store::SchoolDirectory;

const LIST: List = List { path: "/v1/clubs", field: "clubs", columns: columns::CLUBS };

/// `GET /v1/clubs`
pub(super) async fn answer(
    store: &dyn SchoolDirectory,
    (query, with_leader): (&ClubQuery, bool),
    manner: &Manner<'_>,
) -> Result<Response<Body>, Failure> {
    let page = store.clubs(query).await?;
    Ok(paging::answer(&LIST, page, query.page, manner, with_leader, move |club, hidden| wire::club(club, with_leader, hidden)))
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

use super::answer::Answer;
use super::delta;
use super::failure::Failure;
use super::paging::{self, List};
use super::parameters::{Parameters, boolean, integer};
use super::question::{Manner, Question};
use super::wire::{self, columns};
use crate::directory::{ChangesQuery, Snapshot};
use crate::domain::{ClubFilter, ClubId, ClubProfile, ClubQuery, ClubSort, HiddenFields, Needle, Record, Year};

/// How many are on a page if nobody says otherwise.
const SIZE: u32 = 100;

const LIST: List = List { path: "/v1/clubs", field: "clubs", columns: columns::CLUBS };

/// `GET /v1/clubs`
pub(super) fn answer(school: &Snapshot, (query, with_leader): (&ClubQuery, bool), manner: Manner) -> Answer {
    paging::answer(&LIST, &school.clubs(query), query.page, manner.format, |record, out| write(record, with_leader, manner.hidden, out))
}

/// `GET /v1/clubs?updatedSince=…`
pub(super) fn changes(
    school: &Snapshot,
    (query, with_leader): (&ChangesQuery<ClubFilter>, bool),
    manner: Manner,
) -> Result<Answer, Failure> {
    delta::answer(&LIST, &school.club_changes(query), query, |record, out| write(record, with_leader, manner.hidden, out))
}

/// It is not kept, for it is made of the members, and those would be in memory once more with every club.
fn write(record: &Record<ClubProfile>, with_leader: bool, hidden: HiddenFields, out: &mut Vec<u8>) {
    wire::write_club(out, record.value(), with_leader, hidden);
}

/// Which clubs are wanted, and whether with their leaders among the participants.
pub(super) fn read(parameters: &mut Parameters<'_>) -> Result<Question, Failure> {
    let filter = ClubFilter {
        id: parameters.take("clubId", integer(ClubId::new))?,
        name: parameters.take("clubName", Needle::new)?,
        kind: parameters.take("clubType", str::parse)?,
        status: parameters.take_either(["status", "clubStatus"], str::parse)?,
        founded_year: parameters.take("foundedYear", integer(Year::new))?,
    };
    let with_leader = parameters.take("includeLeaderInParticipants", boolean)?.unwrap_or(false);
    if let Some(asked) = delta::take(parameters, SIZE)? {
        return Ok(Question::ClubChanges(asked.of(filter), with_leader));
    }
    let query = ClubQuery {
        filter,
        sort: parameters.take("sortBy", str::parse)?.unwrap_or(ClubSort::Id),
        direction: paging::take_direction(parameters)?,
        page: paging::take_page(parameters, SIZE)?,
    };
    Ok(Question::Clubs(query, with_leader))
}

use http::StatusCode;

use crate::domain::{Date, SubjectId, Year, YearTurnRecord};
use crate::http::console::error::Error;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{LastTurn, YearPage};
use crate::http::pages::DisplayTime;
use crate::school_year::UNDO_PERIOD;

/// Number of turns among which one of the year that ends next is looked for.
const TURNS: u32 = 100;

/// `GET /admin/year`: the school year that ends next, and the last turn.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let (management, text) = (request.management(), request.texts());
    let turns = management.year_turns(TURNS).await?;
    let next = Year::ending(Date::korean(management.now()));
    let mut standing = turns.iter().filter(|turn| turn.undone.is_none());
    let is_turned = standing.any(|turn| turn.year >= next);
    let last = match turns.first() {
        Some(turn) => Some(last_turn(request, turn).await?),
        None => None,
    };
    let page = YearPage {
        text,
        layout: request.layout("year"),
        next: text.year.next(next),
        is_turned,
        last,
    };
    request.render(StatusCode::OK, &page)
}

async fn last_turn(request: &UserRequest<'_>, turn: &YearTurnRecord) -> Result<LastTurn, Error> {
    let (server, text) = (request.server, request.texts());
    let time = |at| DisplayTime::from_timestamp(at, server.zone());
    let by = if turn.by == SubjectId::service() {
        text.year.by_command.to_owned()
    } else {
        server.shared.management.user_label(&turn.by).await?
    };
    let until = turn.at.plus(UNDO_PERIOD);
    let can_be_undone = turn.undone.is_none() && server.now() < until;
    Ok(LastTurn {
        year: turn.year.to_string(),
        at: time(turn.at),
        by,
        graduated: turn.graduated,
        moved: turn.moved,
        added: turn.added,
        undone: turn.undone.as_ref().map(|undo| time(undo.at)),
        undo_until: can_be_undone.then(|| time(until)),
    })
}

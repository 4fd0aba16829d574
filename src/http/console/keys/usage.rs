use crate::domain::{ApiKey, Date, DateRange};
use crate::http::console::gate::SignedIn;
use crate::http::console::refusal::Refusal;
use crate::http::console::server::Server;
use crate::http::console::views::Usage;

/// How many days a chart has, today among them.
pub(super) const DAYS: i32 = 30;

/// The last days where the school is, today among them.
pub(super) fn last_days(server: &Server, days: i32) -> Result<DateRange, Refusal> {
    let today = Date::at(server.clock.now(), &server.zone);
    DateRange::new(today.plus_days(1 - days).unwrap_or(today), today).map_err(Refusal::failure)
}

/// How many calls they are together.
pub(super) fn total(calls: &[(Date, u64)]) -> u64 {
    calls.iter().map(|(_, calls)| calls).sum()
}

/// The calls of a key on the last days.
pub(super) async fn of(server: &Server, who: &SignedIn, key: &ApiKey) -> Result<Usage, Refusal> {
    let days = last_days(server, DAYS)?;
    let calls = who.desk(server).calls_of(key, days).await?;
    Ok(Usage::of(&calls, days, server.texts()))
}

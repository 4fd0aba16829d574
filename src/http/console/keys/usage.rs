use crate::domain::{ApiKey, DailyCalls, Date, DateRange};
use crate::http::console::error::Error;
use crate::http::console::server::Server;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::Plot;

/// Number of days in a chart, including today.
pub(in crate::http::console) const DAYS: i32 = 30;

/// The last days in the school's time zone, including today.
pub(in crate::http::console) fn last_days(server: &Server, days: i32) -> Result<DateRange, Error> {
    let today = Date::from_timestamp(server.now(), server.zone());
    DateRange::new(today.plus_days(1 - days).unwrap_or(today), today).map_err(Error::internal)
}

/// Sum of the calls.
pub(super) fn total(calls: &[DailyCalls]) -> u64 {
    calls.iter().map(|of| of.calls).sum()
}

/// Chart of a key's calls on the last days.
pub(super) async fn chart(request: &UserRequest<'_>, key: &ApiKey) -> Result<Plot, Error> {
    let days = last_days(request.server, DAYS)?;
    let calls = request.management().daily_api_key_usage(key, days).await?;
    Ok(Plot::new(&calls, days, request.texts()))
}

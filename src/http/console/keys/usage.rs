use std::collections::BTreeMap;

use crate::domain::{ApiKeyId, DailyCalls, Date, DateRange};
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

/// Calls of keys on these days, added up by day.
pub(in crate::http::console) async fn of_keys(
    request: &UserRequest<'_>,
    keys: &[ApiKeyId],
    days: DateRange,
) -> Result<Vec<DailyCalls>, Error> {
    let usage = request.management().daily_api_key_usage(keys, days).await?;
    let mut sums: BTreeMap<Date, DailyCalls> = BTreeMap::new();
    for calls in usage.into_values().flatten() {
        let sum = sums.entry(calls.day).or_insert(DailyCalls {
            day: calls.day,
            calls: 0,
            errors: 0,
        });
        sum.calls += calls.calls;
        sum.errors += calls.errors;
    }
    Ok(sums.into_values().collect())
}

/// Chart of the calls of keys on the last days.
pub(in crate::http::console) async fn chart(
    request: &UserRequest<'_>,
    keys: &[ApiKeyId],
) -> Result<Plot, Error> {
    let days = last_days(request.server, DAYS)?;
    let calls = of_keys(request, keys, days).await?;
    Ok(plot(request, &calls, days))
}

/// Draws the calls of keys, and says if those at other nodes may be missing.
pub(in crate::http::console) fn plot(
    request: &UserRequest<'_>,
    calls: &[DailyCalls],
    days: DateRange,
) -> Plot {
    let shared = &request.server.shared;
    Plot {
        // Without a data browser, the calls are counted in a service that is not known here.
        may_be_behind: shared.has_several_nodes || shared.data.is_none(),
        ..Plot::new(calls, days, request.texts())
    }
}

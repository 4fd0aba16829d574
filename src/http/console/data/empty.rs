//! What a page says in place of a table without rows.

use super::list_title;
use super::query::DataQuery;
use crate::directory::Pagination;
use crate::domain::{Date, RecordKind};
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{DayLinks, EmptyTable};

/// Says what would be here, with the one action that finds or makes something.
/// `total` is the number of records on all pages.
pub(super) fn empty_table(
    request: &UserRequest<'_>,
    data_query: &DataQuery<'_>,
    total: u64,
) -> EmptyTable {
    let (server, text, list) = (request.server, request.texts(), data_query.list);
    if total > 0 {
        return EmptyTable {
            message: text.no_more_rows.to_owned(),
            action: Some((text.first_page, data_query.with_page(0).href(server))),
        };
    }
    let names = data_query.filter_names();
    let has_filters = names.iter().any(|name| !is_day(name));
    if has_filters {
        return EmptyTable {
            message: text.no_match.to_owned(),
            action: Some((
                text.clear_all_filters,
                data_query.without_filters().href(server),
            )),
        };
    }
    if list.pagination == Pagination::Days {
        let week = day_of(request, data_query).and_then(|day| week_of(data_query, day));
        return EmptyTable {
            message: text.nothing_on_days.to_owned(),
            action: week.map(|week| (text.whole_week, week.href(server))),
        };
    }
    let kind = list.name.parse::<RecordKind>().ok();
    let is_editor = request.is_administrator() && server.edits_school();
    let kind = kind.filter(|_| is_editor);
    let import = |kind| server.href(&format!("/admin/school/{kind}/import"));
    EmptyTable {
        message: text.nothing_in_list(list_title(list, text)),
        action: kind.map(|kind| (text.editor.import, import(kind))),
    }
}

/// Links to the days before and after, if the page shows one day.
pub(super) fn day_links(request: &UserRequest<'_>, data_query: &DataQuery<'_>) -> Option<DayLinks> {
    let day = day_of(request, data_query)?;
    let link = |days| {
        let day = day.plus_days(days)?;
        let query = data_query.with_page(0).with("date", day.to_string());
        Some(query.href(request.server))
    };
    Some(DayLinks {
        day: day.to_string(),
        previous: link(-1),
        next: link(1),
        week: week_of(data_query, day).map(|week| week.href(request.server)),
    })
}

/// The only day of the query: the requested one, or today.
fn day_of(request: &UserRequest<'_>, data_query: &DataQuery<'_>) -> Option<Date> {
    let server = request.server;
    let is_range = ["fromDate", "toDate"].map(|name| !data_query.value(name).is_empty());
    if data_query.list.pagination != Pagination::Days || is_range.contains(&true) {
        return None;
    }
    match data_query.value("date") {
        "" => Some(Date::from_timestamp(server.now(), server.zone())),
        date => date.parse().ok(),
    }
}

/// The same query for the week of a day, from Monday.
fn week_of<'a>(data_query: &DataQuery<'a>, day: Date) -> Option<DataQuery<'a>> {
    let monday = day.plus_days(1 - i32::from(day.weekday()))?;
    let sunday = monday.plus_days(6)?;
    let query = data_query.with_page(0).with("date", None);
    let query = query.with("fromDate", monday.to_string());
    Some(query.with("toDate", sunday.to_string()))
}

fn is_day(name: &str) -> bool {
    matches!(name, "date" | "fromDate" | "toDate")
}

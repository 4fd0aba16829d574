//! Records as the rows of a page.

use serde_json::Value;

use super::ask::Found;
use super::asked::Asked;
use super::columns::Column;
use crate::domain::{ApiKey, Direction};
use crate::http::console::server::Server;
use crate::http::console::views::{Cell, Column as ColumnView, Row};

/// By what the data API sorts if nobody says otherwise.
const BY_ID: &str = "ID";

/// The columns, with the ways to sort by them.
pub(super) fn columns(server: &Server, asked: &Asked, key: &ApiKey) -> Vec<ColumnView> {
    let descends = asked.value("sortDirection") == Direction::Descending.as_str();
    let by = Some(asked.value("sortBy")).filter(|by| !by.is_empty()).unwrap_or(BY_ID);
    let view = |column: &Column| {
        let sort = column.sort.filter(|_| !is_hidden(column, key));
        let is_by = sort == Some(by);
        ColumnView {
            label: (column.label)(server.texts()),
            sort_href: sort.map(|sort| sorted(asked, sort, is_by && !descends).href(server)),
            order: is_by.then_some(if descends { "descending" } else { "ascending" }),
        }
    };
    asked.kind.columns().iter().map(view).collect()
}

/// The records of the page that is asked for.
pub(super) fn rows(server: &Server, asked: &Asked, key: &ApiKey, found: &Found) -> Vec<Row> {
    let text = server.texts();
    let cell = |column: &Column, record: &Value| Cell {
        label: (column.label)(text),
        value: (column.value)(record, &text.words),
        is_hidden: is_hidden(column, key),
    };
    let row = |record: &Value| Row { cells: asked.kind.columns().iter().map(|column| cell(column, record)).collect() };
    found.records.iter().map(row).collect()
}

/// The same in another order, from its first page on.
fn sorted(asked: &Asked, by: &'static str, descends: bool) -> Asked {
    let direction = descends.then(|| Direction::Descending.as_str().to_owned());
    asked.with("page", None).with("sortBy", by.to_owned()).with("sortDirection", direction)
}

fn is_hidden(column: &Column, key: &ApiKey) -> bool {
    column.tells.is_some_and(|field| key.hidden.contains(field))
}

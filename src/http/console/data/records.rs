//! Records as table rows.

use serde_json::Value;

use super::fetch::RecordPage;
use super::query::DataQuery;
use super::{choices, field_label};
use crate::directory::{FieldInfo, FieldType};
use crate::domain::{ApiKey, SortDirection};
use crate::http::console::server::Server;
use crate::http::console::views::{TableCell, TableColumn, TableRow};
use crate::http::pages::texts::Texts;

/// Columns of the table, with their sort links.
pub(super) fn columns(
    server: &Server,
    data_query: &DataQuery<'_>,
    key: &ApiKey,
) -> Vec<TableColumn> {
    let descends = data_query.value("sortDirection") == SortDirection::Descending.as_str();
    let by = Some(data_query.value("sortBy"))
        .filter(|by| !by.is_empty())
        .or_else(|| {
            data_query
                .list
                .sorts
                .iter()
                .find(|sort| sort.is_id)
                .map(|sort| sort.name)
        });
    let view = |field: &FieldInfo| {
        let sort = field.sort.filter(|_| !is_hidden(field, key));
        let is_by = sort.is_some() && sort == by;
        TableColumn {
            label: field_label(data_query.list, field.name, server.texts()),
            sort_href: sort
                .map(|sort| sorted_query(data_query, sort, is_by && !descends).href(server)),
            order: is_by.then_some(if descends { "descending" } else { "ascending" }),
        }
    };
    table_fields(data_query).map(view).collect()
}

/// Rows of the page.
pub(super) fn rows(
    server: &Server,
    data_query: &DataQuery<'_>,
    key: &ApiKey,
    found: &RecordPage,
) -> Vec<TableRow> {
    let text = server.texts();
    let cell = |field: &FieldInfo, record: &Value| TableCell {
        label: field_label(data_query.list, field.name, text),
        value: display_value(field, &record[field.name], text),
        is_hidden: is_hidden(field, key),
    };
    let row = |record: &Value| TableRow {
        cells: table_fields(data_query)
            .map(|field| cell(field, record))
            .collect(),
    };
    found.records.iter().map(row).collect()
}

/// Fields of the table. A leading id is moved behind the field that users know a record by.
fn table_fields<'a>(data_query: &DataQuery<'a>) -> impl Iterator<Item = &'a FieldInfo> {
    let mut fields: Vec<&FieldInfo> = data_query
        .list
        .record
        .fields
        .iter()
        .filter(|field| !field.is_omitted_from_table)
        .collect();
    if let [first, second, ..] = &mut fields[..]
        && first.name == "id"
    {
        std::mem::swap(first, second);
    }
    fields.into_iter()
}

/// Display text of a field's value.
pub(in crate::http::console) fn display_value(
    field: &FieldInfo,
    value: &Value,
    text: &Texts,
) -> String {
    field
        .console_format
        .map_or_else(|| plain(&field.kind, value, text), |format| format(value))
}

/// Default display text. A list is shown by its items, an object by its name.
fn plain(kind: &FieldType, value: &Value, text: &Texts) -> String {
    match (kind, value) {
        (_, Value::Null) => String::new(),
        (FieldType::Enum(words), Value::String(word)) => {
            choices::label(words, word, text).into_owned()
        }
        (FieldType::Boolean, Value::Bool(flag)) => {
            if *flag { text.yes } else { text.no }.to_owned()
        }
        (FieldType::List { of, .. }, Value::Array(items)) => items
            .iter()
            .map(|item| plain(of, item, text))
            .collect::<Vec<_>>()
            .join(", "),
        (_, Value::Object(members)) => members
            .get("name")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned(),
        (_, Value::String(text)) => text.clone(),
        (_, other) => other.to_string(),
    }
}

/// The query sorted by another field, from the first page.
fn sorted_query<'a>(data_query: &DataQuery<'a>, by: &'static str, descends: bool) -> DataQuery<'a> {
    let direction = descends.then(|| SortDirection::Descending.as_str().to_owned());
    data_query
        .with("page", None)
        .with("sortBy", by.to_owned())
        .with("sortDirection", direction)
}

fn is_hidden(field: &FieldInfo, key: &ApiKey) -> bool {
    field
        .personal
        .is_some_and(|personal| key.hidden.contains(personal))
}

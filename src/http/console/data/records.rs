//! Records as the rows of a page.

use serde_json::Value;

use super::ask::Found;
use super::asked::Asked;
use super::{choices, label_of};
use crate::directory::{FieldInfo, FieldType};
use crate::domain::{ApiKey, Direction};
use crate::http::console::server::Server;
use crate::http::console::views::{Cell, Column, Row};
use crate::http::pages::texts::Texts;

/// The columns, with the ways to sort by them.
pub(super) fn columns(server: &Server, asked: &Asked<'_>, key: &ApiKey) -> Vec<Column> {
    let descends = asked.value("sortDirection") == Direction::Descending.as_str();
    let by = Some(asked.value("sortBy"))
        .filter(|by| !by.is_empty())
        .or_else(|| asked.list.sorts.iter().find(|sort| sort.is_id).map(|sort| sort.word));
    let view = |field: &FieldInfo| {
        let sort = field.sort.filter(|_| !is_hidden(field, key));
        let is_by = sort.is_some() && sort == by;
        Column {
            label: label_of(asked.list, field.name, server.texts()),
            sort_href: sort.map(|sort| sorted(asked, sort, is_by && !descends).href(server)),
            order: is_by.then_some(if descends { "descending" } else { "ascending" }),
        }
    };
    shown_fields(asked).map(view).collect()
}

/// The records of the page that is asked for.
pub(super) fn rows(server: &Server, asked: &Asked<'_>, key: &ApiKey, found: &Found) -> Vec<Row> {
    let text = server.texts();
    let cell = |field: &FieldInfo, record: &Value| Cell {
        label: label_of(asked.list, field.name, text),
        value: shown(field, &record[field.name], text),
        is_hidden: is_hidden(field, key),
    };
    let row = |record: &Value| Row { cells: shown_fields(asked).map(|field| cell(field, record)).collect() };
    found.records.iter().map(row).collect()
}

/// The fields of the table, the id after what people know a record by.
fn shown_fields<'a>(asked: &Asked<'a>) -> impl Iterator<Item = &'a FieldInfo> {
    let mut fields: Vec<&FieldInfo> = asked.list.record.fields.iter().filter(|field| !field.is_detail).collect();
    if let [first, second, ..] = &mut fields[..]
        && first.name == "id"
    {
        std::mem::swap(first, second);
    }
    fields.into_iter()
}

/// The value of a field, as people read it.
pub(in crate::http::console) fn shown(field: &FieldInfo, value: &Value, text: &Texts) -> String {
    field.shown.map_or_else(|| plain(&field.kind, value, text), |show| show(value))
}

/// A list is what is in it, an object its name.
fn plain(kind: &FieldType, value: &Value, text: &Texts) -> String {
    match (kind, value) {
        (_, Value::Null) => String::new(),
        (FieldType::Words(words), Value::String(word)) => choices::label(words, word, text).into_owned(),
        (FieldType::Boolean, Value::Bool(flag)) => if *flag { text.yes } else { text.no }.to_owned(),
        (FieldType::List { of, .. }, Value::Array(items)) => items.iter().map(|item| plain(of, item, text)).collect::<Vec<_>>().join(", "),
        (_, Value::Object(members)) => members.get("name").and_then(Value::as_str).unwrap_or_default().to_owned(),
        (_, Value::String(text)) => text.clone(),
        (_, other) => other.to_string(),
    }
}

/// The same in another order, from its first page on.
fn sorted<'a>(asked: &Asked<'a>, by: &'static str, descends: bool) -> Asked<'a> {
    let direction = descends.then(|| Direction::Descending.as_str().to_owned());
    asked.with("page", None).with("sortBy", by.to_owned()).with("sortDirection", direction)
}

fn is_hidden(field: &FieldInfo, key: &ApiKey) -> bool {
    field.personal.is_some_and(|personal| key.hidden.contains(personal))
}

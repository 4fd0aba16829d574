//! Records as rows of a table, and the links between them.

use serde_json::Value;

use super::query::{DataQuery, target};
use super::reader::Reader;
use super::{choices, field_label, week};
use crate::directory::{ConsoleFormat, FieldInfo, FieldType, ResourceDefinition};
use crate::domain::SortDirection;
use crate::http::console::query::encode;
use crate::http::console::server::Server;
use crate::http::console::views::{CellPart, DataCell, TableColumn, TableRow};
use crate::http::pages::texts::Texts;

/// Number of links in a cell of a long list, such as the members of a club.
const MAX_LINKS: usize = 2;

/// Columns of the table, with their sort links.
pub(super) fn columns(server: &Server, data_query: &DataQuery<'_>) -> Vec<TableColumn> {
    let list = data_query.list;
    let descends = data_query.value("sortDirection") == SortDirection::Descending.as_str();
    let by = Some(data_query.value_or_default("sortBy"))
        .filter(|by| !by.is_empty())
        .or_else(|| list.sorts.iter().find(|sort| sort.is_id).map(|it| it.name));
    let view = |field: &FieldInfo| {
        let sort = field.sort.filter(|_| !data_query.reader.hides(field));
        let is_by = sort.is_some() && sort == by;
        TableColumn {
            label: field_label(list, field.name, server.texts()),
            sort_href: sort
                .map(|sort| sorted_query(data_query, sort, is_by && !descends).href(server)),
            order: is_by.then_some(if descends { "descending" } else { "ascending" }),
            is_number: is_number(field),
        }
    };
    shown_fields(data_query).into_iter().map(view).collect()
}

/// Rows of the page. The first cell of a row is its heading, and links to the record's own page.
pub(super) fn rows(
    server: &Server,
    data_query: &DataQuery<'_>,
    records: &[Value],
) -> Vec<TableRow> {
    let fields = shown_fields(data_query);
    let links = RecordLinks::new(server, data_query.reader);
    let row = |record: &Value| {
        let href = links.to_record(data_query.list, &record["id"]);
        let cells = fields.iter().map(|field| {
            let cell = links.cell(data_query.list, field, &record[field.name]);
            shortened(cell, href.as_deref())
        });
        TableRow {
            cells: cells.collect(),
            href: href.clone(),
        }
    };
    records.iter().map(row).collect()
}

/// A cell with at most [`MAX_LINKS`] links to other records, and the number of the others, which are
/// on the page of the record at `href`.
fn shortened(mut cell: DataCell, href: Option<&str>) -> DataCell {
    let is_long = cell.parts.len() > MAX_LINKS + 1 && cell.parts.iter().all(is_link);
    if let Some(href) = href.filter(|_| is_long) {
        let others = cell.parts.len() - MAX_LINKS;
        cell.parts.truncate(MAX_LINKS);
        cell.parts.push(CellPart {
            text: format!("+{others}"),
            href: Some(href.to_owned()),
            is_external: false,
        });
    }
    cell
}

const fn is_link(part: &CellPart) -> bool {
    part.href.is_some()
}

/// The field that users know a record by: the first of the table, but not its id.
pub(super) fn heading(list: &ResourceDefinition) -> Option<&FieldInfo> {
    let fields = &list.record.fields;
    let mut shown = fields.iter().filter(|field| !field.is_omitted_from_table);
    let first = shown.next()?;
    Some(match shown.next() {
        Some(second) if first.name == "id" => second,
        _ => first,
    })
}

/// All fields, the heading first.
pub(super) fn all_fields(list: &ResourceDefinition) -> Vec<&FieldInfo> {
    let heading = heading(list);
    let is_other = |field: &&FieldInfo| heading.is_none_or(|heading| heading.name != field.name);
    let others = list.record.fields.iter().filter(is_other);
    heading.into_iter().chain(others).collect()
}

/// Fields of the table: the heading, and the chosen ones or else those that the list shows.
pub(super) fn shown_fields<'a>(data_query: &DataQuery<'a>) -> Vec<&'a FieldInfo> {
    let columns = data_query.columns();
    let mut fields = all_fields(data_query.list);
    let heading = fields.first().map(|field| field.name);
    fields.retain(|field| {
        let is_shown = match columns {
            [] => !field.is_omitted_from_table,
            chosen => chosen.contains(&field.name),
        };
        is_shown || Some(field.name) == heading
    });
    fields
}

pub(super) const fn is_number(field: &FieldInfo) -> bool {
    matches!(
        field.kind,
        FieldType::Long | FieldType::Int | FieldType::Byte
    )
}

/// Makes cells with links to other records.
pub(super) struct RecordLinks<'a> {
    server: &'a Server,
    reader: &'a Reader,
    /// The lists that the reader may read.
    lists: Vec<&'a ResourceDefinition>,
}

impl<'a> RecordLinks<'a> {
    pub(super) fn new(server: &'a Server, reader: &'a Reader) -> Self {
        let mut lists = server.lists();
        lists.retain(|list| reader.may_read(list));
        Self {
            server,
            reader,
            lists,
        }
    }

    /// The lists that the reader may read.
    pub(super) fn lists(&self) -> &[&'a ResourceDefinition] {
        &self.lists
    }

    /// URI of a page of data, which is read with the same authority.
    pub(super) fn href(&self, path: &str, filter: Option<(&str, &str)>) -> String {
        let key = self.reader.parameter();
        let key = key.as_deref().map(|key| ("key", key));
        let query = encode(key.into_iter().chain(filter));
        self.server.href(&target(path, &query))
    }

    /// URI of a record's page, if its list has such pages and the reader may read it.
    pub(super) fn to_record(&self, list: &ResourceDefinition, id: &Value) -> Option<String> {
        let is_linked = |known: &&ResourceDefinition| known.name == list.name;
        list.id_parameter()
            .filter(|_| self.lists.iter().any(is_linked))?;
        Some(self.href(&format!("/data/{}/{}", list.name, id.as_i64()?), None))
    }

    /// The cell of a field.
    pub(super) fn cell(
        &self,
        list: &ResourceDefinition,
        field: &FieldInfo,
        value: &Value,
    ) -> DataCell {
        let text = self.server.texts();
        let parts = match (field.console_format, value) {
            (Some(format), _) => vec![plain_part(formatted(format, value, text))],
            (None, Value::Array(items)) => {
                let of = match &field.kind {
                    FieldType::List { of, .. } => of,
                    other => other,
                };
                let part = |item| self.part(field, of, item, text);
                items.iter().map(part).collect()
            }
            (None, value) => vec![self.part(field, &field.kind, value, text)],
        };
        DataCell {
            label: field_label(list, field.name, text),
            parts: parts
                .into_iter()
                .filter(|part| !part.text.is_empty())
                .collect(),
            is_hidden: self.reader.hides(field),
            is_number: is_number(field),
        }
    }

    fn part(&self, field: &FieldInfo, kind: &FieldType, value: &Value, text: &Texts) -> CellPart {
        let part = plain_part(plain(kind, value, text));
        let is_web_address = field.is_web_address
            && ["https://", "http://"]
                .iter()
                .any(|scheme| part.text.starts_with(scheme));
        let href = match kind {
            FieldType::Object(object) => object.list.and_then(|name| {
                let list = self.lists.iter().find(|list| list.name == name)?;
                self.to_record(list, &value["id"])
            }),
            _ => is_web_address.then(|| part.text.clone()),
        };
        CellPart {
            href,
            is_external: is_web_address,
            ..part
        }
    }
}

fn plain_part(text: String) -> CellPart {
    CellPart {
        text,
        href: None,
        is_external: false,
    }
}

/// Display text of a field's value.
pub(in crate::http::console) fn display_value(
    field: &FieldInfo,
    value: &Value,
    text: &Texts,
) -> String {
    match field.console_format {
        Some(format) => formatted(format, value, text),
        None => plain(&field.kind, value, text),
    }
}

fn formatted(format: ConsoleFormat, value: &Value, text: &Texts) -> String {
    match format {
        ConsoleFormat::Custom(format) => format(value),
        ConsoleFormat::Dishes => week::dish_list(value, text),
        ConsoleFormat::Calories => week::calories(value.as_str().unwrap_or_default()),
    }
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
        .with_page(0)
        .with("sortBy", by.to_owned())
        .with("sortDirection", direction)
}

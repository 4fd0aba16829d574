//! A table as a file for spreadsheet programs.

use std::collections::BTreeMap;

use csv::{Terminator, WriterBuilder};
use serde_json::Value;
use serde_json::value::RawValue;

use super::query::DataQuery;
use super::reader::Reader;
use super::{field_label, records};
use crate::directory::{FieldInfo, FieldType, escape_formula};
use crate::http::console::error::Error;
use crate::http::pages::texts::Texts;

/// A table with headings. Its rows have as many cells.
pub(super) struct TableFile {
    pub(super) headings: Vec<String>,
    pub(super) rows: Vec<Vec<FileCell>>,
}

/// A cell of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FileCell {
    Empty,
    /// A whole number, as JSON has it.
    Number(String),
    /// A date, such as `2026-11-23`.
    Date(String),
    Text(String),
}

/// A column with the names and values of the data API. An inner member has a column of its own, as
/// in the data API's CSV.
struct ApiColumn<'a> {
    outer: &'a str,
    inner: Option<&'a str>,
    is_date: bool,
}

impl TableFile {
    /// The columns and values of the data API: the chosen fields, or else all of them.
    pub(super) fn as_api(data_query: &DataQuery<'_>, found: &[&RawValue]) -> Result<Self, Error> {
        let chosen = match data_query.columns() {
            [] => data_query.list.record.fields.iter().collect(),
            _ => records::shown_fields(data_query),
        };
        let columns: Vec<ApiColumn<'_>> = chosen.into_iter().flat_map(api_columns).collect();
        let headings = columns.iter().map(|column| match column.inner {
            Some(inner) => format!("{}.{inner}", column.outer),
            None => column.outer.to_owned(),
        });
        let row = |record: &&RawValue| {
            let members = members(record)?;
            columns.iter().map(|column| column.cell(&members)).collect()
        };
        Ok(Self {
            headings: headings.collect(),
            rows: found.iter().map(row).collect::<Result<_, Error>>()?,
        })
    }

    /// The columns and values of the page, in the words of a language.
    pub(super) fn in_words(
        data_query: &DataQuery<'_>,
        found: &[&RawValue],
        text: &Texts,
    ) -> Result<Self, Error> {
        let fields = records::shown_fields(data_query);
        let heading = |field: &&FieldInfo| field_label(data_query.list, field.name, text);
        let row = |record: &&RawValue| {
            let record: Value = serde_json::from_str(record.get()).map_err(Error::internal)?;
            let cells = fields.iter();
            Ok(cells
                .map(|field| word_cell(field, &record[field.name], data_query.reader, text))
                .collect())
        };
        Ok(Self {
            headings: fields.iter().map(heading).map(str::to_owned).collect(),
            rows: found.iter().map(row).collect::<Result<_, Error>>()?,
        })
    }

    /// CSV (RFC 4180) in UTF-8, in which no text is a formula. Excel takes a file for UTF-8 only
    /// with a byte-order mark.
    pub(super) fn into_csv(self, has_byte_order_mark: bool) -> Result<Vec<u8>, Error> {
        let start = if has_byte_order_mark { "\u{feff}" } else { "" };
        let mut writer = WriterBuilder::new()
            .terminator(Terminator::CRLF)
            .from_writer(start.as_bytes().to_vec());
        writer
            .write_record(&self.headings)
            .map_err(Error::internal)?;
        for row in self.rows {
            let cells = row.into_iter().map(|cell| match cell {
                FileCell::Empty => String::new(),
                FileCell::Number(number) => number,
                FileCell::Date(text) | FileCell::Text(text) => escape_formula(text),
            });
            writer.write_record(cells).map_err(Error::internal)?;
        }
        writer
            .into_inner()
            .map_err(|error| Error::internal(error.into_error()))
    }
}

fn api_columns(field: &FieldInfo) -> Vec<ApiColumn<'_>> {
    let column = |inner, kind: &FieldType| ApiColumn {
        outer: field.name,
        inner,
        is_date: matches!(kind, FieldType::Date),
    };
    match &field.kind {
        FieldType::Object(object) => {
            let inner = object.fields.iter();
            inner
                .map(|inner| column(Some(inner.name), &inner.kind))
                .collect()
        }
        kind => vec![column(None, kind)],
    }
}

impl ApiColumn<'_> {
    fn cell(&self, record: &BTreeMap<&str, &RawValue>) -> Result<FileCell, Error> {
        let mut value = record.get(self.outer).copied();
        if let Some(inner) = self.inner {
            value = match value.filter(|value| value.get() != "null") {
                Some(object) => members(object)?.get(inner).copied(),
                None => None,
            };
        }
        Ok(match value.map_or(Ok(FileCell::Empty), api_cell)? {
            FileCell::Text(text) if self.is_date => FileCell::Date(text),
            cell => cell,
        })
    }
}

fn members(object: &RawValue) -> Result<BTreeMap<&str, &RawValue>, Error> {
    serde_json::from_str(object.get()).map_err(Error::internal)
}

/// A string without its quotes, a number, and JSON for everything else, lists among it.
fn api_cell(value: &RawValue) -> Result<FileCell, Error> {
    let json = value.get();
    Ok(match json.as_bytes().first() {
        _ if json == "null" => FileCell::Empty,
        Some(b'"') => FileCell::Text(serde_json::from_str(json).map_err(Error::internal)?),
        Some(b'-' | b'0'..=b'9') => FileCell::Number(json.to_owned()),
        _ => FileCell::Text(json.to_owned()),
    })
}

fn word_cell(field: &FieldInfo, value: &Value, reader: &Reader, text: &Texts) -> FileCell {
    if reader.hides(field) {
        return FileCell::Empty;
    }
    match records::display_value(field, value, text) {
        words if words.is_empty() => FileCell::Empty,
        number if records::is_number(field) => FileCell::Number(number),
        date if matches!(field.kind, FieldType::Date) => FileCell::Date(date),
        words => FileCell::Text(words),
    }
}

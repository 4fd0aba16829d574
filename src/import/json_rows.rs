//! Rows of JSON: an array of objects.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::columns::Columns;
use super::file::{Headings, MAX_ROWS, Row, RowId, check_length, too_many_rows};
use super::refusal::{Place, Refusal, RefusalKind, RowError};

/// Reads the rows, and the names of their members with the positions of their columns.
pub(super) fn read(text: &str, columns: &Columns) -> Result<(Headings, Vec<Row>), Refusal> {
    let Elements(records) = serde_json::from_str(text).map_err(|error| Refusal {
        place: u64::try_from(error.line())
            .ok()
            .filter(|line| *line > 0)
            .map(Place::Line),
        column: None,
        kind: RefusalKind::File,
        reason: "the file must be a JSON array of objects".to_owned(),
    })?;
    if records.len() > MAX_ROWS {
        return Err(too_many_rows());
    }
    let (mut headings, mut rows) = (Vec::new(), Vec::new());
    for (index, record) in records.into_iter().enumerate() {
        let place = Place::Record(index as u64 + 1);
        let cells = cells(record, place, columns, &mut headings)?;
        let id = RowId { index, place };
        rows.push(Row { id, cells });
    }
    Ok((headings, rows))
}

/// Reads the cells of an object, and adds the names that were not seen before to `headings`.
fn cells(
    record: &RawValue,
    place: Place,
    columns: &Columns,
    headings: &mut Headings,
) -> Result<Result<Vec<Option<String>>, RowError>, Refusal> {
    let Ok(Members(members)) = serde_json::from_str(record.get()) else {
        return Ok(Err(RowError::row("must be an object")));
    };
    let mut flat = Vec::new();
    for (name, value) in members {
        let inner = columns.inner_of(&name);
        let value = value.get();
        if inner.is_empty() {
            flat.push((name, value));
        } else if value == "null" {
            flat.extend(inner.into_iter().map(|column| (column.to_owned(), value)));
        } else if let Ok(Members(members)) = serde_json::from_str(value) {
            flat.extend(
                members
                    .into_iter()
                    .map(|(inner, value)| (format!("{name}.{inner}"), value.get())),
            );
        } else {
            return Ok(Err(RowError::cell(&name, "must be an object or null")));
        }
    }
    let found = columns.find_all(flat.iter().map(|(name, _)| name.as_str()), place)?;
    let (mut cells, mut refused) = (vec![None; columns.len()], None);
    for ((heading, position), (_, value)) in found.into_iter().zip(flat) {
        check_length(place, &heading, value)?;
        match cell(value, columns.is_list(position)) {
            Ok(cell) => cells[position] = Some(cell),
            Err(reason) => refused = refused.or(Some(RowError::cell(&heading, reason))),
        }
        if !headings.iter().any(|(_, known)| *known == position) {
            headings.push((heading, position));
        }
    }
    Ok(refused.map_or(Ok(cells), Err))
}

/// The text that the cell of a table has: empty for `null`, a string without quotes, and the JSON of
/// a list.
fn cell(json: &str, is_list: bool) -> Result<String, &'static str> {
    match json.as_bytes().first() {
        _ if json == "null" => Ok(String::new()),
        Some(b'"') => serde_json::from_str(json).map_err(|_| "must be a text"),
        Some(b'[') if is_list => Ok(json.to_owned()),
        Some(b'-' | b'0'..=b'9') => Ok(json.to_owned()),
        _ if is_list => Err("must be a list"),
        _ => Err("must be a text, a number or null"),
    }
}

/// The elements of an array.
struct Elements<'a>(Vec<&'a RawValue>);

impl<'de: 'a, 'a> Deserialize<'de> for Elements<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Array;
        impl<'de> Visitor<'de> for Array {
            type Value = Vec<&'de RawValue>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array")
            }

            /// Stops at the first element that is too many.
            fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Self::Value, A::Error> {
                let mut elements = Vec::new();
                while let Some(element) = array.next_element()? {
                    elements.push(element);
                    if elements.len() > MAX_ROWS {
                        while array.next_element::<serde::de::IgnoredAny>()?.is_some() {}
                    }
                }
                Ok(elements)
            }
        }
        deserializer.deserialize_seq(Array).map(Self)
    }
}

/// The members of an object in their order, also those with the same name.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Map;
        impl<'de> Visitor<'de> for Map {
            type Value = Vec<(String, &'de RawValue)>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                /// More members than any record has columns.
                const MAX_MEMBERS: usize = 100;
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                    if members.len() > MAX_MEMBERS {
                        return Err(Error::custom("too many members"));
                    }
                }
                Ok(members)
            }
        }
        deserializer.deserialize_map(Map).map(Self)
    }
}

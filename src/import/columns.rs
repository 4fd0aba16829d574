//! The columns of a kind of records: those of its CSV in the data API.

use serde_json::{Map, Value};

use super::file::{Headings, check_length};
use super::headings;
use super::kind::Kind;
use super::refusal::{Place, Refusal, RefusalKind};
use crate::directory::{FieldType, SchoolResources};
use crate::domain::RecordKind;

#[derive(Debug)]
pub(super) struct Columns {
    kind: RecordKind,
    columns: Vec<Column>,
}

#[derive(Debug)]
struct Column {
    name: String,
    is_list: bool,
}

impl Columns {
    pub(super) fn of<K: Kind>(resources: &SchoolResources) -> Self {
        let record = &K::resource(resources).definition().record;
        let is_list = |name: &str| {
            let mut fields = record.fields.iter();
            fields.any(|field| field.name == name && matches!(field.kind, FieldType::List { .. }))
        };
        let columns = record.columns().into_iter().map(|name| Column {
            is_list: is_list(&name),
            name,
        });
        Self {
            kind: K::KIND,
            columns: columns.collect(),
        }
    }

    pub(super) const fn len(&self) -> usize {
        self.columns.len()
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| column.name.as_str())
    }

    pub(super) fn name(&self, position: usize) -> &str {
        &self.columns[position].name
    }

    pub(super) fn is_list(&self, position: usize) -> bool {
        self.columns[position].is_list
    }

    pub(super) fn position(&self, name: &str) -> Option<usize> {
        self.names().position(|known| known == name)
    }

    /// A row with these cells, each with the name of its column. Unknown columns are left out.
    #[cfg(feature = "console")]
    pub(super) fn row(&self, cells: Vec<(String, String)>) -> Vec<Option<String>> {
        let mut row = vec![None; self.len()];
        for (column, cell) in cells {
            if let Some(position) = self.position(&column) {
                row[position] = Some(cell);
            }
        }
        row
    }

    /// The column that a heading names.
    pub(super) fn find(&self, heading: &str) -> Option<usize> {
        // Most headings are names.
        self.position(heading).or_else(|| {
            self.names()
                .position(|column| headings::names(self.kind, heading, column))
        })
    }

    /// The columns that these headings name. Refuses unknown and doubled ones by their positions:
    /// their texts may be personal data, such as a record in a file without headings.
    pub(super) fn find_all<'a>(
        &self,
        headings: impl Iterator<Item = &'a str>,
        place: Place,
    ) -> Result<Headings, Refusal> {
        let word = match place {
            Place::Line(_) => "column",
            Place::Record(_) => "member",
        };
        let mut found = Headings::new();
        for (index, heading) in headings.enumerate() {
            let column = format!("{word} {}", index + 1);
            check_length(place, &column, heading)?;
            let heading = heading.trim();
            let refused = |reason: String| Refusal {
                place: Some(place),
                column: Some(column.clone()),
                kind: RefusalKind::Column,
                reason,
            };
            let position = self.find(heading).ok_or_else(|| {
                let known: Vec<&str> = self.names().collect();
                refused(format!(
                    "is an unknown heading; the known ones are {}",
                    known.join(", ")
                ))
            })?;
            if let Some(other) = found.iter().position(|(_, at)| *at == position) {
                let (name, other) = (self.name(position), other + 1);
                return Err(refused(format!(
                    "repeats {word} {other} ({name}): remove one"
                )));
            }
            found.push((heading.to_owned(), position));
        }
        Ok(found)
    }

    /// The columns of a nested object, such as `majorClub.id` of `majorClub`.
    pub(super) fn inner_of(&self, object: &str) -> Vec<&str> {
        self.names()
            .filter(|name| {
                name.split_once('.')
                    .is_some_and(|(outer, _)| outer == object)
            })
            .collect()
    }

    /// The cells of a record, given as JSON. `mention` makes the text by which a list mentions an
    /// object.
    pub(super) fn cells(&self, record: &[u8], mention: impl Fn(&Value) -> String) -> Vec<String> {
        let record: Map<String, Value> = serde_json::from_slice(record).unwrap_or_default();
        let cell = |column: &Column| {
            let value = match column.name.split_once('.') {
                None => record.get(&column.name),
                Some((outer, inner)) => record.get(outer).and_then(|value| value.get(inner)),
            };
            match value {
                None | Some(Value::Null) => String::new(),
                Some(Value::String(text)) => text.clone(),
                Some(Value::Array(values)) if values.iter().all(Value::is_object) => {
                    let mentions: Vec<String> = values.iter().map(&mention).collect();
                    mentions.join(" ")
                }
                Some(other) => other.to_string(),
            }
        };
        self.columns.iter().map(cell).collect()
    }
}

//! The cells of a row, read as values of a record.

use std::str::FromStr;

use super::columns::Columns;
use super::headings;
use super::refusal::{RefusalKind, RowError};
use crate::domain::InvalidValue;

/// The cells of a row by the names of their columns.
#[derive(Clone, Copy)]
pub(super) struct Cells<'a> {
    pub(super) columns: &'a Columns,
    pub(super) row: &'a [Option<String>],
}

impl<'a> Cells<'a> {
    /// The text of a cell, or `None` if the file does not have the column.
    pub(super) fn text(self, column: &str) -> Option<&'a str> {
        self.row[self.columns.position(column)?].as_deref()
    }

    /// The text of a cell that is not blank.
    pub(super) fn filled(self, column: &str) -> Option<&'a str> {
        self.text(column).filter(|text| !text.trim().is_empty())
    }

    /// A value that every record has. Without a cell it is as before.
    pub(super) fn required<T>(
        self,
        column: &str,
        before: Option<T>,
        read: impl FnOnce(&str) -> Result<T, InvalidValue>,
    ) -> Result<T, RowError> {
        match (self.filled(column), self.text(column), before) {
            (Some(text), _, _) => read(text).map_err(|rule| RowError::value(column, &rule)),
            (None, Some(_), _) => {
                Err(RowError::cell(column, "must not be empty").with_kind(RefusalKind::Missing))
            }
            (None, None, Some(before)) => Ok(before),
            (None, None, None) => Err(RowError::cell(
                column,
                "a new record needs this column, which the file lacks",
            )
            .with_kind(RefusalKind::Missing)),
        }
    }

    /// A value that a record may lack. Without a cell it is as before.
    pub(super) fn optional<T>(
        self,
        column: &str,
        before: Option<T>,
        read: impl FnOnce(&str) -> Result<T, InvalidValue>,
    ) -> Result<Option<T>, RowError> {
        match (self.filled(column), self.text(column)) {
            (Some(text), _) => read(text)
                .map(Some)
                .map_err(|rule| RowError::value(column, &rule)),
            (None, Some(_)) => Ok(None),
            (None, None) => Ok(before),
        }
    }
}

/// Reads a value of text exactly as it is.
pub(super) fn text<T: FromStr<Err = InvalidValue>>(text: &str) -> Result<T, InvalidValue> {
    text.parse()
}

/// Reads a word, also a Korean one for it.
pub(super) fn word<T: FromStr<Err = InvalidValue>>(
    column: &str,
) -> impl FnOnce(&str) -> Result<T, InvalidValue> + use<'_, T> {
    move |text| headings::value(column, text).parse()
}

/// Reads a whole number.
pub(super) fn number<T>(
    new: fn(i64) -> Result<T, InvalidValue>,
) -> impl FnOnce(&str) -> Result<T, InvalidValue> {
    move |text| {
        let text = text.trim();
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        match text.parse() {
            Ok(number) if is_number => new(number),
            _ => Err(InvalidValue::new("must be a whole number")),
        }
    }
}

/// Reads a list of texts: a JSON array, or texts between commas, semicolons or line ends.
pub(super) fn texts<T: FromStr<Err = InvalidValue>>(cell: &str) -> Result<Vec<T>, InvalidValue> {
    if cell.trim_start().starts_with('[') {
        let texts: Vec<String> = serde_json::from_str(cell)
            .map_err(|_| InvalidValue::new("must be texts between commas, or a JSON array"))?;
        return texts.iter().map(|text| text.parse()).collect();
    }
    cell.split([',', ';', '\n', '\r'])
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .map(str::parse)
        .collect()
}

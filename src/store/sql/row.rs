//! Values and rows of a database, with readers that reject damaged values.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use crate::domain::{InvalidValue, Timestamp, Translations};
use crate::store::StorageError;

/// A value of a row, in a type that every database has. Its `Debug` output is empty: the value may
/// be an address, a digest or a sealed key.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum SqlValue {
    /// No value.
    Null,
    /// A whole number; also a boolean as 0 or 1, and a time in epoch seconds.
    Integer(i64),
    /// Text.
    Text(String),
    /// Bytes.
    Blob(Vec<u8>),
}

impl fmt::Debug for SqlValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(..)")
    }
}

impl From<i64> for SqlValue {
    fn from(number: i64) -> Self {
        Self::Integer(number)
    }
}

impl From<String> for SqlValue {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for SqlValue {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<Vec<u8>> for SqlValue {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Blob(bytes)
    }
}

impl<T: Into<Self>> From<Option<T>> for SqlValue {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// A row, read from left to right. Readers take the column's name for the log.
#[derive(Debug)]
pub(crate) struct Row {
    values: std::vec::IntoIter<SqlValue>,
}

impl Row {
    /// A row of these values.
    pub(crate) fn new(values: Vec<SqlValue>) -> Self {
        Self {
            values: values.into_iter(),
        }
    }

    /// The next value, a whole number.
    pub(crate) fn integer(&mut self, column: &'static str) -> Result<i64, StorageError> {
        match self.values.next() {
            Some(SqlValue::Integer(number)) => Ok(number),
            _ => Err(StorageError::corrupt(column)),
        }
    }

    /// The next value, a whole number that is not below 0.
    pub(crate) fn unsigned(&mut self, column: &'static str) -> Result<u64, StorageError> {
        u64::try_from(self.integer(column)?).map_err(|_| StorageError::corrupt(column))
    }

    /// The next value, text.
    pub(crate) fn text(&mut self, column: &'static str) -> Result<String, StorageError> {
        match self.values.next() {
            Some(SqlValue::Text(text)) => Ok(text),
            _ => Err(StorageError::corrupt(column)),
        }
    }

    /// The next value, bytes.
    pub(crate) fn bytes(&mut self, column: &'static str) -> Result<Vec<u8>, StorageError> {
        match self.values.next() {
            Some(SqlValue::Blob(bytes)) => Ok(bytes),
            _ => Err(StorageError::corrupt(column)),
        }
    }

    /// The next value, a digest.
    pub(crate) fn digest(&mut self, column: &'static str) -> Result<[u8; 32], StorageError> {
        self.bytes(column)?
            .try_into()
            .map_err(|_| StorageError::corrupt(column))
    }

    /// The next value, a boolean.
    pub(crate) fn boolean(&mut self, column: &'static str) -> Result<bool, StorageError> {
        match self.integer(column)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(StorageError::corrupt(column)),
        }
    }

    /// The next value, a time in epoch seconds.
    pub(crate) fn timestamp(&mut self, column: &'static str) -> Result<Timestamp, StorageError> {
        self.integer(column).map(Timestamp::from_seconds)
    }

    /// The next value, a number that `make` takes.
    pub(crate) fn number<T>(
        &mut self,
        column: &'static str,
        make: impl FnOnce(i64) -> Result<T, InvalidValue>,
    ) -> Result<T, StorageError> {
        make(self.integer(column)?).map_err(|_| StorageError::corrupt(column))
    }

    /// The next value, text that parses.
    pub(crate) fn parsed<T: FromStr>(&mut self, column: &'static str) -> Result<T, StorageError> {
        self.text(column)?
            .parse()
            .map_err(|_| StorageError::corrupt(column))
    }

    /// The next value, JSON.
    pub(crate) fn json<T: serde::de::DeserializeOwned>(
        &mut self,
        column: &'static str,
    ) -> Result<T, StorageError> {
        serde_json::from_str(&self.text(column)?).map_err(|_| StorageError::corrupt(column))
    }

    /// The next value, a JSON array of texts that parse.
    pub(crate) fn list<T: FromStr>(
        &mut self,
        column: &'static str,
    ) -> Result<Vec<T>, StorageError> {
        let texts: Vec<String> = self.json(column)?;
        texts
            .iter()
            .map(|text| text.parse().map_err(|_| StorageError::corrupt(column)))
            .collect()
    }

    /// The next value, a JSON object of texts by language tag.
    pub(crate) fn translations(
        &mut self,
        column: &'static str,
    ) -> Result<Translations, StorageError> {
        let texts: BTreeMap<String, String> = self.json(column)?;
        Translations::from_pairs(texts.iter().map(|(tag, text)| (&**tag, &**text)))
            .map_err(|_| StorageError::corrupt(column))
    }

    /// Skips columns.
    pub(crate) fn skip(&mut self, count: usize) {
        self.values.by_ref().take(count).for_each(drop);
    }

    /// The columns of a joined row, read by `read`. If the first of them is null there is no joined
    /// row, and all `count` columns are skipped.
    pub(crate) fn joined<T>(
        &mut self,
        count: usize,
        read: impl FnOnce(&mut Self) -> Result<T, StorageError>,
    ) -> Result<Option<T>, StorageError> {
        if self.values.as_slice().first() == Some(&SqlValue::Null) {
            self.skip(count);
            return Ok(None);
        }
        read(self).map(Some)
    }

    /// The next value, read by `read` if there is one.
    pub(crate) fn optional<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, StorageError>,
    ) -> Result<Option<T>, StorageError> {
        if self.values.as_slice().first() == Some(&SqlValue::Null) {
            self.values.next();
            return Ok(None);
        }
        read(self).map(Some)
    }
}

/// Encodes a list of texts for a column.
pub(crate) fn json_list<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    texts.into_iter().collect::<serde_json::Value>().to_string()
}

/// Encodes texts by language tag for a column.
pub(crate) fn json_translations(texts: &Translations) -> String {
    texts
        .iter()
        .map(|(tag, text)| (tag.to_owned(), text.as_str()))
        .collect::<serde_json::Value>()
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Grade;
    use crate::store::sql::executor::Statement;

    #[test]
    fn a_value_in_another_form_than_it_was_written_in_is_an_error() {
        let row = |value: SqlValue| Row::new(vec![value]);
        assert!(
            row(SqlValue::Text("1".to_owned()))
                .integer("column")
                .is_err()
        );
        assert!(row(SqlValue::Integer(1)).text("column").is_err());
        assert!(row(SqlValue::Null).text("column").is_err());
        assert!(row(SqlValue::Integer(2)).boolean("column").is_err());
        assert!(row(SqlValue::Blob(vec![0; 31])).digest("column").is_err());
        assert!(
            row(SqlValue::Integer(13))
                .number("column", Grade::new)
                .is_err()
        );
        assert!(
            row(SqlValue::Text("{}".to_owned()))
                .list::<String>("column")
                .is_err()
        );
        assert!(Row::new(Vec::new()).integer("column").is_err());
        assert!(
            !row(SqlValue::Null)
                .integer("column")
                .unwrap_err()
                .is_unavailable()
        );
    }

    // Proves: threats 26
    #[test]
    fn debug_shows_no_value() {
        let values = vec![
            SqlValue::Integer(4711),
            SqlValue::from("kim@school.example"),
            SqlValue::Blob(vec![77; 3]),
            SqlValue::Null,
        ];
        let statement = Statement {
            text: "SELECT ?".into(),
            values: values.clone(),
        };
        assert_eq!(
            format!("{statement:?}"),
            r#"Statement { text: "SELECT ?", values: [(..), (..), (..), (..)] }"#
        );
        let row = format!("{:?}", Row::new(values));
        for secret in ["4711", "kim", "77", "Null"] {
            assert!(!row.contains(secret), "{row}");
        }
    }

    #[test]
    fn a_list_is_read_as_it_was_written() {
        let mut row = Row::new(vec![
            SqlValue::Text(json_list(["a", "\"b\", ", ""])),
            SqlValue::Null,
            SqlValue::Integer(7),
        ]);
        assert_eq!(row.list::<String>("column").unwrap(), ["a", "\"b\", ", ""]);
        assert_eq!(row.optional(|row| row.integer("column")).unwrap(), None);
        assert_eq!(row.optional(|row| row.integer("column")).unwrap(), Some(7));
    }
}

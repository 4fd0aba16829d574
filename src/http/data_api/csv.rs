//! CSV rows (RFC 4180), converted from the records' JSON so that both formats agree.

use std::borrow::Cow;
use std::collections::BTreeMap;

use ::csv::{Terminator, Writer, WriterBuilder};
use serde_json::value::RawValue;

use crate::directory::escape_formula;

const INFALLIBLE: &str = "rows of equal length are written to a vector";

/// The members of a JSON object as raw JSON.
type Members<'a> = BTreeMap<&'a str, &'a RawValue>;

/// A table with a row for each record.
pub(super) struct CsvTable<'a> {
    columns: &'a [String],
    writer: Writer<Vec<u8>>,
}

impl<'a> CsvTable<'a> {
    /// A table with the names of the columns as its first row.
    pub(super) fn new(columns: &'a [String]) -> Self {
        let mut writer = WriterBuilder::new()
            .terminator(Terminator::CRLF)
            .from_writer(Vec::new());
        writer.write_record(columns).expect(INFALLIBLE);
        Self { columns, writer }
    }

    /// Appends a record, given as JSON. A column `majorClub.id` is the member `id` of the member
    /// `majorClub`.
    pub(super) fn push(&mut self, record: &[u8]) {
        let members = parse_members(record);
        let mut inner: BTreeMap<&str, Members<'_>> = BTreeMap::new();
        for column in self.columns {
            let value = match column.split_once('.') {
                None => members.get(column.as_str()),
                Some((outer, name)) => {
                    let read = || {
                        members
                            .get(outer)
                            .map(|value| parse_members(value.get().as_bytes()))
                            .unwrap_or_default()
                    };
                    inner.entry(outer).or_insert_with(read).get(name)
                }
            };
            let cell = value.map_or("".into(), |value| cell(value.get()));
            self.writer.write_field(cell.as_bytes()).expect(INFALLIBLE);
        }
        self.writer.write_record(None::<&[u8]>).expect(INFALLIBLE);
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.writer.into_inner().expect(INFALLIBLE)
    }
}

/// Returns no members if the value is not an object.
fn parse_members(json: &[u8]) -> Members<'_> {
    serde_json::from_slice(json).unwrap_or_default()
}

/// The text of a cell: empty for `null`, a string without its JSON quotes, and JSON for everything
/// else, including arrays.
fn cell(json: &str) -> Cow<'_, str> {
    if json == "null" {
        return "".into();
    }
    if !json.starts_with('"') {
        return json.into();
    }
    escape_formula(serde_json::from_str(json).unwrap_or_default()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The only cell of a record, beside an empty one.
    fn cell(value: &serde_json::Value) -> String {
        let columns = ["a", "b"].map(str::to_owned);
        let mut table = CsvTable::new(&columns);
        table.push(serde_json::json!({ "a": value }).to_string().as_bytes());
        let table = String::from_utf8(table.into_bytes()).unwrap();
        table
            .strip_prefix("a,b\r\n")
            .and_then(|row| row.strip_suffix(",\r\n"))
            .unwrap()
            .to_owned()
    }

    #[test]
    fn a_cell_is_quoted_where_it_has_to_be() {
        for (value, expected) in [
            ("", ""),
            ("김하늘", "김하늘"),
            ("a b;c'd", "a b;c'd"),
            ("a,b", "\"a,b\""),
            ("say \"a\"", "\"say \"\"a\"\"\""),
            ("a\r\nb", "\"a\r\nb\""),
            ("\\n\u{1}", "\\n\u{1}"),
        ] {
            assert_eq!(cell(&value.into()), expected, "{value:?}");
        }
        assert_eq!(cell(&serde_json::Value::Null), "");
        assert_eq!(
            cell(&serde_json::json!(["Rust", "a;b"])),
            "\"[\"\"Rust\"\",\"\"a;b\"\"]\""
        );
        assert_eq!(cell(&serde_json::json!([])), "[]");
        assert_eq!(cell(&true.into()), "true");
    }

    #[test]
    fn a_text_that_looks_like_a_formula_is_made_harmless_and_a_number_stays() {
        for text in [
            "=1+1",
            "+82 10",
            "-1",
            "@SUM(A1)",
            "＝1",
            "＋1",
            "－1",
            "＠a",
            " =1",
            "\u{3000}＝1",
            "\ta",
            "=",
            "-",
        ] {
            assert_eq!(cell(&text.into()), format!("'{text}"), "{text:?}");
        }
        assert_eq!(
            cell(&"=HYPERLINK(\"a\",\"b\")".into()),
            "\"'=HYPERLINK(\"\"a\"\",\"\"b\"\")\""
        );
        assert_eq!(cell(&"\r=1".into()), "\"'\r=1\"");
        assert_eq!(cell(&"\na".into()), "\"'\na\"");
        for text in ["a=b", "a-b", "'a", "1+1", " a"] {
            assert_eq!(cell(&text.into()), text);
        }
        assert_eq!(cell(&"'=1".into()), "''=1", "it is not that of =1");
        assert_eq!(
            (cell(&(-1).into()), cell(&1.into())),
            ("-1".to_owned(), "1".to_owned())
        );
        assert_eq!(cell(&serde_json::json!(["=1+1"])), "\"[\"\"=1+1\"\"]\"");
    }

    #[test]
    fn columns_are_found_by_name_and_inner_members_by_both() {
        let columns = ["b", "club.id", "club.name", "leader.id", "a", "none"].map(str::to_owned);
        let mut table = CsvTable::new(&columns);
        table.push(br#"{"a":1,"b":"x","club":{"id":7,"name":"y"},"leader":null}"#);
        assert_eq!(
            String::from_utf8(table.into_bytes()).unwrap(),
            "b,club.id,club.name,leader.id,a,none\r\nx,7,y,,1,\r\n"
        );
    }
}

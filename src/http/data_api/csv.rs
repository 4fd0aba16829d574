//! Records as rows of a table (RFC 4180), made of their JSON, so that both say the same.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

/// The members of a JSON object, unread.
type Members<'a> = BTreeMap<&'a str, &'a RawValue>;

/// The first row: the names of the columns.
pub(super) fn write_names(out: &mut Vec<u8>, columns: &[String]) {
    out.extend_from_slice(columns.join(",").as_bytes());
    out.extend_from_slice(b"\r\n");
}

/// A record as a row. A column `majorClub.id` is the member `id` of the member `majorClub`.
pub(super) fn write_row(out: &mut Vec<u8>, columns: &[String], record: &[u8]) {
    let members = members_of(record);
    let mut inner: BTreeMap<&str, Members<'_>> = BTreeMap::new();
    for (at, column) in columns.iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        let value = match column.split_once('.') {
            None => members.get(column.as_str()),
            Some((outer, name)) => {
                let read = || members.get(outer).map(|value| members_of(value.get().as_bytes())).unwrap_or_default();
                inner.entry(outer).or_insert_with(read).get(name)
            }
        };
        write_cell(out, value.map_or("null", |value| value.get()));
    }
    out.extend_from_slice(b"\r\n");
}

/// What is no object has no members.
fn members_of(json: &[u8]) -> Members<'_> {
    serde_json::from_slice(json).unwrap_or_default()
}

/// A value: nothing for `null`, the text of a text, and the JSON of all else, also of a list.
fn write_cell(out: &mut Vec<u8>, json: &str) {
    if json == "null" {
        return;
    }
    if !json.starts_with('"') {
        return write_quoted(out, json);
    }
    let text: String = serde_json::from_str(json).unwrap_or_default();
    write_quoted(out, &harmless(text));
}

fn write_quoted(out: &mut Vec<u8>, text: &str) {
    if !text.contains([',', '"', '\r', '\n']) {
        return out.extend_from_slice(text.as_bytes());
    }
    out.push(b'"');
    out.extend_from_slice(text.replace('"', "\"\"").as_bytes());
    out.push(b'"');
}

/// A spreadsheet runs a cell that begins like a formula, also in full width, and passes over blanks before it. After an apostrophe it is a text.
fn harmless(text: String) -> String {
    let begins = text.trim_start().starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
    if begins || text.starts_with(['\t', '\r', '\n']) { format!("'{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(value: &serde_json::Value) -> String {
        let mut out = Vec::new();
        write_cell(&mut out, &value.to_string());
        String::from_utf8(out).unwrap()
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
        assert_eq!(cell(&serde_json::json!(["Rust", "a;b"])), "\"[\"\"Rust\"\",\"\"a;b\"\"]\"");
        assert_eq!(cell(&serde_json::json!([])), "[]");
        assert_eq!(cell(&true.into()), "true");
    }

    #[test]
    fn a_text_that_looks_like_a_formula_is_made_harmless_and_a_number_stays() {
        for text in ["=1+1", "+82 10", "-1", "@SUM(A1)", "＝1", "＋1", "－1", "＠a", " =1", "\u{3000}＝1", "\ta", "=", "-"] {
            assert_eq!(cell(&text.into()), format!("'{text}"), "{text:?}");
        }
        assert_eq!(cell(&"=HYPERLINK(\"a\",\"b\")".into()), "\"'=HYPERLINK(\"\"a\"\",\"\"b\"\")\"");
        assert_eq!(cell(&"\r=1".into()), "\"'\r=1\"");
        assert_eq!(cell(&"\na".into()), "\"'\na\"");
        for text in ["a=b", "a-b", "'=1", "1+1", " a"] {
            assert_eq!(cell(&text.into()), text);
        }
        assert_eq!((cell(&(-1).into()), cell(&1.into())), ("-1".to_owned(), "1".to_owned()));
        assert_eq!(cell(&serde_json::json!(["=1+1"])), "\"[\"\"=1+1\"\"]\"");
    }

    #[test]
    fn columns_are_found_by_name_and_inner_members_by_both() {
        let mut out = Vec::new();
        let columns = ["b", "club.id", "club.name", "leader.id", "a", "none"].map(str::to_owned);
        write_names(&mut out, &columns);
        write_row(&mut out, &columns, br#"{"a":1,"b":"x","club":{"id":7,"name":"y"},"leader":null}"#);
        assert_eq!(String::from_utf8(out).unwrap(), "b,club.id,club.name,leader.id,a,none\r\nx,7,y,,1,\r\n");
    }
}

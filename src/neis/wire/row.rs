use std::borrow::Cow;
use std::str::FromStr;

use serde_json::Value;

use crate::domain::{Date, InvalidValue, LongText, SchoolIdentity, ShortText};
use crate::neis::NeisSchool;

/// A row of an answer, which may be anything that is JSON.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::neis) struct Row(Value);

/// A field and the rule that its value breaks.
pub(in crate::neis) type FieldError = (&'static str, InvalidValue);

/// The reason why a row is not used.
#[derive(Debug, PartialEq)]
pub(in crate::neis) struct BadRow {
    pub(in crate::neis) field: &'static str,
    pub(in crate::neis) rule: InvalidValue,
    /// The id of the record that the row is about, if its key can be read. The directory keeps that
    /// record.
    pub(in crate::neis) id: Option<String>,
}

const MISSING: InvalidValue = InvalidValue::new("is missing");
const NOT_A_DATE: InvalidValue = InvalidValue::new("must be a date as yyyyMMdd");

impl From<FieldError> for BadRow {
    fn from((field, rule): FieldError) -> Self {
        let id = None;
        Self { field, rule, id }
    }
}

impl BadRow {
    /// Names the record that the row is about.
    pub(in crate::neis) fn about(id: &str, (field, rule): FieldError) -> Self {
        let id = Some(id.to_owned());
        Self { field, rule, id }
    }
}

impl Row {
    pub(in crate::neis) const fn new(row: Value) -> Self {
        Self(row)
    }

    /// The value of a field without blanks around it; `None` if it is missing, null or empty.
    pub(super) fn text(&self, field: &'static str) -> Option<Cow<'_, str>> {
        let text = match self.0.get(field)? {
            Value::String(text) => Cow::Borrowed(text.trim()),
            Value::Number(number) => Cow::Owned(number.to_string()),
            _ => return None,
        };
        (!text.is_empty()).then_some(text)
    }

    /// The value of a field that every row of its kind has.
    pub(super) fn required(&self, field: &'static str) -> Result<Cow<'_, str>, FieldError> {
        self.text(field).ok_or((field, MISSING))
    }

    /// The value of a field as one line.
    pub(super) fn short(&self, field: &'static str) -> Result<Option<ShortText>, FieldError> {
        let line = self.text(field).map(|text| one_line(&text));
        parse_optional(field, line)
    }

    /// The value of a required field as one line.
    pub(super) fn required_short(&self, field: &'static str) -> Result<ShortText, FieldError> {
        self.short(field)?.ok_or((field, MISSING))
    }

    /// The value of a field as one line without decorations at its ends.
    pub(super) fn undecorated(&self, field: &'static str) -> Result<Option<ShortText>, FieldError> {
        let line = self.text(field).map(|text| one_line(&text));
        parse_optional(field, line.map(|line| undecorated(&line).to_owned()))
    }

    /// The value of a field as text of several lines.
    pub(super) fn long(&self, field: &'static str) -> Result<Option<LongText>, FieldError> {
        let text = self.text(field).map(|text| {
            let text = with_line_breaks(&text);
            let lines = text.lines().map(str::trim);
            let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
            lines.join("\n")
        });
        parse_optional(field, text)
    }

    /// The whole number in a field, which may be a string such as `228` or a number such as
    /// `1411.00`.
    pub(super) fn number<T>(
        &self,
        field: &'static str,
        new: impl FnOnce(i64) -> Result<T, InvalidValue>,
    ) -> Result<Option<T>, FieldError> {
        let Some(text) = self.text(field) else {
            return Ok(None);
        };
        let whole = match text.split_once('.') {
            Some((whole, fraction)) if fraction.bytes().all(|digit| digit == b'0') => whole,
            _ => &*text,
        };
        // Text that is no number breaks the same rule as a number outside the range.
        let number = whole.parse().unwrap_or(i64::MIN);
        new(number).map(Some).map_err(|rule| (field, rule))
    }

    /// The whole number in a required field.
    pub(super) fn required_number<T>(
        &self,
        field: &'static str,
        new: impl FnOnce(i64) -> Result<T, InvalidValue>,
    ) -> Result<T, FieldError> {
        self.number(field, new)?.ok_or((field, MISSING))
    }

    /// The Korean date in a field, written `yyyyMMdd`.
    pub(in crate::neis) fn date(&self, field: &'static str) -> Result<Date, FieldError> {
        let text = self.required(field)?;
        let is_date = text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit());
        let date = is_date.then(|| format!("{}-{}-{}", &text[..4], &text[4..6], &text[6..]));
        let date = date.and_then(|date| date.parse().ok());
        date.ok_or((field, NOT_A_DATE))
    }

    /// The school of the row, which must be the one that was asked for.
    pub(super) fn school(&self, school: &NeisSchool) -> Result<SchoolIdentity, FieldError> {
        const CODE: &str = "SD_SCHUL_CODE";
        let found = SchoolIdentity {
            school_code: self.required_short(CODE)?,
            school_name: self.required_short("SCHUL_NM")?,
            office_code: self.required_short("ATPT_OFCDC_SC_CODE")?,
            office_name: self.required_short("ATPT_OFCDC_SC_NM")?,
        };
        if found.school_code == school.school_code {
            Ok(found)
        } else {
            Err((
                CODE,
                InvalidValue::new("must be the school that was asked for"),
            ))
        }
    }
}

/// Writes the day as the portal does.
pub(super) fn compact(date: Date) -> String {
    format!("{:04}{:02}{:02}", date.year(), date.month(), date.day())
}

/// The text without decorations and blanks at its ends.
pub(super) fn undecorated(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '♥' | '♡' | '★' | '☆' | '*'))
}

/// Replaces the tag that separates lines.
pub(super) fn with_line_breaks(text: &str) -> String {
    ["<br/>", "<br />", "<br>", "<BR/>", "<BR>"]
        .iter()
        .fold(text.to_owned(), |text, tag| text.replace(tag, "\n"))
}

/// The words of the text on one line.
pub(super) fn one_line(text: &str) -> String {
    let text = with_line_breaks(text);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn parse_optional<T: FromStr<Err = InvalidValue>>(
    field: &'static str,
    text: Option<String>,
) -> Result<Option<T>, FieldError> {
    text.filter(|text| !text.is_empty())
        .map(|text| text.parse())
        .transpose()
        .map_err(|rule| (field, rule))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::domain::ServeCount;
    use crate::neis::SchoolKind;

    /// Fails if a number of portions in one of the portal's forms is lost, or another text counts
    /// as none.
    #[test]
    fn a_number_is_a_string_a_number_or_null() {
        let read =
            |value| Row::new(json!({ "MLSV_FGR": value })).number("MLSV_FGR", ServeCount::new);
        for (value, count) in [
            (json!("228"), Some(228)),
            (json!(" 228.00 "), Some(228)),
            (json!(1411.00), Some(1411)),
            (json!(228), Some(228)),
            (json!(null), None),
            (json!(""), None),
        ] {
            let found = read(value.clone()).unwrap().map(ServeCount::get);
            assert_eq!(found, count, "{value}");
        }
        for value in [json!("약 200"), json!(1.5), json!(-1), json!("1e9")] {
            assert!(read(value.clone()).is_err(), "{value}");
        }
        let none = Row::new(json!([])).number("MLSV_FGR", ServeCount::new);
        assert_eq!(none, Ok(None));
    }

    /// Fails if a date in another form is guessed.
    #[test]
    fn a_date_has_eight_digits() {
        let read = |value| Row::new(json!({ "AA_YMD": value })).date("AA_YMD");
        assert_eq!(read(json!("20260603")).unwrap().to_string(), "2026-06-03");
        for value in [
            json!("2026-06-03"),
            json!("20260631"),
            json!("2026063"),
            json!("２０２６"),
            json!(null),
        ] {
            assert!(read(value.clone()).is_err(), "{value}");
        }
    }

    /// Fails if a tag reaches a client, or blanks at the end of a line change a record.
    #[test]
    fn lines_are_separated_by_a_tag() {
        let row =
            Row::new(json!({ "A": "쌀 : 국내산 <br/> <br>김치 : 국내산<br/>", "B": "<br/>" }));
        let text = row.long("A").unwrap().unwrap();
        assert_eq!(text.as_str(), "쌀 : 국내산\n김치 : 국내산");
        let line = row.short("A").unwrap().unwrap();
        assert_eq!(line.as_str(), "쌀 : 국내산 김치 : 국내산");
        assert_eq!(
            (row.long("B").unwrap(), row.short("B").unwrap()),
            (None, None)
        );
    }

    /// Fails if a record of a school that nobody asked for is written.
    #[test]
    fn a_row_of_another_school_is_refused() {
        let row = Row::new(json!({
            "ATPT_OFCDC_SC_CODE": "Z10", "ATPT_OFCDC_SC_NM": "가상특별시교육청",
            "SD_SCHUL_CODE": "9999999", "SCHUL_NM": "가상고등학교",
        }));
        let of = |code| row.school(&NeisSchool::new("Z10", code, SchoolKind::High).unwrap());
        assert_eq!(&*of("9999999").unwrap().school_name, "가상고등학교");
        assert_eq!(of("9999998").unwrap_err().0, "SD_SCHUL_CODE");
    }

    /// Fails if a decoration becomes a part of a name.
    #[test]
    fn decorations_at_the_ends_are_left_out() {
        for (text, name) in [
            ("♥수박", Some("수박")),
            ("★☆ 특식 ★", Some("특식")),
            ("* 프로그래밍", Some("프로그래밍")),
            ("A*B", Some("A*B")),
            ("★", None),
            ("", None),
        ] {
            let row = Row::new(json!({ "A": text }));
            let found = row.undecorated("A").unwrap();
            assert_eq!(found.as_deref(), name, "{text}");
        }
    }
}

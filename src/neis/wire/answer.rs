use serde_json::Value;

use super::result_code::{Meaning, ResultCode};
use super::row::Row;
use crate::neis::UpstreamFault;

/// A readable answer of the portal.
#[derive(Debug, PartialEq)]
pub(in crate::neis) enum Answer {
    /// A page of rows.
    Page {
        /// The number of rows on all pages.
        total: usize,
        rows: Vec<Row>,
    },
    /// A result without rows.
    Result(ResultCode),
}

/// Parses the body of an answer with status 200.
///
/// # Errors
/// If it is not JSON, whatever the request asked for, or JSON of another structure.
pub(in crate::neis) fn parse_answer(endpoint: &str, body: &[u8]) -> Result<Answer, UpstreamFault> {
    let body = body.strip_prefix("\u{feff}".as_bytes()).unwrap_or(body);
    let Ok(answer) = serde_json::from_slice::<Value>(body) else {
        return Err(format_of(body));
    };
    page(endpoint, &answer).ok_or(UpstreamFault::Unexpected)
}

/// Parses `{"RESULT": …}` or `{endpoint: [{"head": …}, {"row": …}]}`. The parts of the latter are
/// found by their names, in any order.
fn page(endpoint: &str, answer: &Value) -> Option<Answer> {
    if let Some(result) = answer.get("RESULT") {
        return code(result).map(Answer::Result);
    }
    let parts = answer.get(endpoint)?.as_array()?;
    let part = |name| {
        let mut found = parts.iter().filter_map(|part| part.get(name)?.as_array());
        found.next()
    };
    let head = part("head")?;
    let result = head.iter().find_map(|entry| entry.get("RESULT"))?;
    let code = code(result)?;
    if code.meaning() != Meaning::Ok {
        return Some(Answer::Result(code));
    }
    let total = head
        .iter()
        .find_map(|entry| entry.get("list_total_count")?.as_u64())?;
    let rows = part("row").map_or(&[][..], Vec::as_slice);
    Some(Answer::Page {
        total: total.try_into().ok()?,
        rows: rows.iter().cloned().map(Row::new).collect(),
    })
}

fn code(result: &Value) -> Option<ResultCode> {
    ResultCode::parse(result.get("CODE")?.as_str()?)
}

/// The format of a body that is not JSON.
fn format_of(body: &[u8]) -> UpstreamFault {
    let start = body.trim_ascii_start();
    let begins = |text: &str| {
        start
            .get(..text.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(text.as_bytes()))
    };
    if begins("<!doctype html") || begins("<html") {
        UpstreamFault::Html
    } else if begins("<") {
        UpstreamFault::Xml
    } else {
        UpstreamFault::NotJson
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(body: &str) -> Result<Answer, UpstreamFault> {
        parse_answer("SchoolSchedule", body.as_bytes())
    }

    fn result(code: &str) -> Result<Answer, UpstreamFault> {
        Ok(Answer::Result(ResultCode::parse(code).unwrap()))
    }

    /// Fails if the parts of an answer are found by their position.
    #[test]
    fn head_and_row_are_found_by_name() {
        let result = r#"{"RESULT":{"CODE":"INFO-000","MESSAGE":""}}"#;
        let (head, row) = (
            format!(r#"{{"head":[{result},{{"list_total_count":7}}]}}"#),
            r#"{"row":[{"AY":"2026"}]}"#,
        );
        for parts in [format!("{head},{row}"), format!("{row},{head}")] {
            let Ok(Answer::Page { total, rows }) =
                parsed(&format!(r#"{{"SchoolSchedule":[{parts}]}}"#))
            else {
                panic!("{parts}")
            };
            assert_eq!((total, rows.len()), (7, 1));
        }
    }

    /// Fails if a result without rows, at the top or in the head, is taken for a page.
    #[test]
    fn a_result_is_no_page_wherever_it_stands() {
        let files = [
            (
                "INFO-200",
                include_str!("../../../tests/support/neis/result_info-200.json"),
            ),
            (
                "ERROR-337",
                include_str!("../../../tests/support/neis/result_error-337.json"),
            ),
        ];
        for (code, body) in files {
            assert_eq!(parsed(body), result(code));
        }
        let in_head = r#"{"SchoolSchedule":[{"head":[{"list_total_count":0},{"RESULT":{"CODE":"ERROR-500"}}]}]}"#;
        assert_eq!(parsed(in_head), result("ERROR-500"));
    }

    /// Fails if XML, a maintenance page or half an answer is taken for an answer.
    #[test]
    fn answers_in_other_formats_are_told_apart() {
        for (body, fault) in [
            (
                include_str!("../../../tests/support/neis/result_info-200.xml"),
                UpstreamFault::Xml,
            ),
            (
                include_str!("../../../tests/support/neis/maintenance_503.html"),
                UpstreamFault::Html,
            ),
            ("\u{feff} <RESULT/>", UpstreamFault::Xml),
            ("<HTML>", UpstreamFault::Html),
            ("", UpstreamFault::NotJson),
            (r#"{"SchoolSchedule":[{"head":"#, UpstreamFault::NotJson),
            ("[]", UpstreamFault::Unexpected),
            (r#"{"RESULT":{"CODE":"OK"}}"#, UpstreamFault::Unexpected),
            (r#"{"mealServiceDietInfo":[]}"#, UpstreamFault::Unexpected),
        ] {
            assert_eq!(parsed(body), Err(fault), "{body}");
        }
    }

    /// Fails if a run goes on with a refused key, or gives up because of trouble that passes.
    #[test]
    fn each_code_has_its_meaning() {
        for (codes, meaning) in [
            (&["INFO-000"][..], Meaning::Ok),
            (&["INFO-200"], Meaning::Empty),
            (&["INFO-300", "ERROR-290"], Meaning::KeyRefused),
            (
                &["ERROR-300", "ERROR-310", "ERROR-333", "ERROR-336"],
                Meaning::RequestRefused,
            ),
            (&["ERROR-337"], Meaning::QuotaSpent),
            (
                &[
                    "ERROR-500",
                    "ERROR-600",
                    "ERROR-601",
                    "ERROR-999",
                    "INFO-100",
                ],
                Meaning::Trouble,
            ),
        ] {
            for code in codes {
                let parsed = ResultCode::parse(code).unwrap();
                assert_eq!((parsed.meaning(), &*parsed.to_string()), (meaning, *code));
            }
        }
        for text in ["", "INFO", "INFO-1", "ERROR-0337", "WARN-100", "ERROR-+37"] {
            assert_eq!(ResultCode::parse(text), None, "{text}");
        }
    }
}

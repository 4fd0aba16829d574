//! Translations of what the services say about themselves, which is in English.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::Value;

/// Korean by English: names of tags, and the lines of summaries and descriptions without the
/// error codes before them. [`NEEDS_SCOPE`] has `{}` for the scope.
const KOREAN: &str = include_str!("../../texts/reference.ko.json");

/// What the data API says of each list, before and after the scope. A host's own list has a scope of
/// its own.
const NEEDS_SCOPE: (&str, &str) = ("Needs a key with the scope `", "`.");

type Translations<'a> = HashMap<&'a str, &'a str>;

/// Returns the document with its tags, summaries and descriptions in Korean. A text without a
/// translation stays as it is, for example one of a host's own resources.
pub(super) fn into_korean(document: &Value) -> Value {
    let translations: Translations<'_> = serde_json::from_str(KOREAN).unwrap_or_default();
    let mut korean = document.clone();
    translate(&mut korean, &|line| translations.get(line).copied());
    korean
}

/// Replaces the lines for which `translated` returns another one.
fn translate<'a>(value: &mut Value, translated: &impl Fn(&str) -> Option<&'a str>) {
    match value {
        Value::Array(items) => {
            for item in items {
                translate(item, translated);
            }
        }
        Value::Object(members) => {
            for (name, member) in members.iter_mut() {
                match (&**name, member) {
                    ("example" | "examples" | "default" | "enum" | "const", _) => {}
                    ("summary" | "description", Value::String(text)) => {
                        *text = translated_text(text, translated);
                    }
                    ("tags", Value::Array(tags)) => {
                        for tag in tags {
                            translate_tag(tag, translated);
                        }
                    }
                    (_, member) => translate(member, translated),
                }
            }
        }
        _ => {}
    }
}

/// Translates a tag, or the name of one that an operation has.
fn translate_tag<'a>(tag: &mut Value, translated: &impl Fn(&str) -> Option<&'a str>) {
    translate(tag, translated);
    let name = match tag {
        Value::Object(_) => &mut tag["name"],
        name => name,
    };
    if let Some(korean) = name.as_str().and_then(translated) {
        *name = korean.into();
    }
}

fn translated_text<'a>(text: &str, translated: &impl Fn(&str) -> Option<&'a str>) -> String {
    let lines = text.lines().map(|line| {
        let (code, rest) = split_code(line);
        let (before, after) = NEEDS_SCOPE;
        let scope = rest
            .strip_prefix(before)
            .and_then(|rest| rest.strip_suffix(after));
        let korean = match scope {
            Some(scope) => translated(&format!("{before}{{}}{after}"))
                .map(|korean| korean.replace("{}", scope).into()),
            None => translated(rest).map(Cow::Borrowed),
        };
        format!("{code}{}", korean.unwrap_or(Cow::Borrowed(rest)))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Splits the line of a reason into its error code with all that surrounds it, and the sentence.
fn split_code(line: &str) -> (&str, &str) {
    let end = line
        .strip_prefix("* `")
        .and_then(|rest| rest.find("`: "))
        .map_or(0, |code| "* `".len() + code + "`: ".len());
    line.split_at(end)
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::collections::BTreeSet;

    use super::*;

    /// The published document describes all services.
    #[test]
    fn each_text_of_the_published_document_has_a_korean_one_and_none_is_superfluous() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/openapi.json");
        let mut document = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let translations: Translations<'_> = serde_json::from_str(KOREAN).unwrap();
        let looked_up = RefCell::new(BTreeSet::new());
        translate(&mut document, &|line| {
            looked_up.borrow_mut().insert(line.to_owned());
            None
        });
        let mut looked_up = looked_up.into_inner();
        looked_up.remove("");
        let known: BTreeSet<String> = translations.keys().map(|line| (*line).to_owned()).collect();
        let differences: Vec<_> = looked_up.symmetric_difference(&known).collect();
        assert!(differences.is_empty(), "{differences:#?}");
    }

    /// Fails if the lists of a host need a key in English.
    #[test]
    fn the_required_scope_of_a_host_list_is_translated() {
        let text = "Needs a key with the scope `BUS_READ`.\nOur own";
        let korean = into_korean(&serde_json::json!({ "description": text }));
        assert_eq!(
            korean["description"],
            "`BUS_READ` 권한이 있는 키가 필요해요.\nOur own"
        );
    }

    #[test]
    fn lines_are_translated_and_error_codes_and_examples_stay() {
        let text = "Refused, for one of these reasons:\n\n* `not_found`: there is no such file";
        let korean = into_korean(&serde_json::json!({
            "tags": [{ "name": "Clubs", "description": "A club." }],
            "get": { "tags": ["Clubs"], "summary": "Our own", "description": text },
            "properties": { "description": { "example": { "description": "A club." } } },
        }));
        assert_eq!(korean["tags"][0]["name"], "동아리");
        assert_eq!(korean["tags"][0]["description"], "동아리.");
        assert_eq!(korean["get"]["tags"][0], "동아리");
        assert_eq!(korean["get"]["summary"], "Our own");
        let lines = "다음 중 한 가지 이유로 거절됐어요.\n\n* `not_found`: 없는 파일이에요";
        assert_eq!(korean["get"]["description"], lines);
        let example = &korean["properties"]["description"]["example"];
        assert_eq!(example["description"], "A club.");
    }
}

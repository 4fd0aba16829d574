//! Schemas as text.

use serde_json::{Map, Value};

use super::labels::{Around, Labels};
use super::text::{self, TextRun};

/// Part of a schema's text; a name links to a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TypePart {
    pub(super) text: String,
    pub(super) is_name: bool,
}

/// A member of an object.
pub(super) struct Member {
    pub(super) name: String,
    pub(super) is_required: bool,
    pub(super) kind: Vec<TypePart>,
    pub(super) about: Vec<TextRun>,
}

/// Describes the values of this schema.
pub(super) fn kind(schema: &Value, labels: &Labels) -> Vec<TypePart> {
    let mut pieces = Vec::new();
    describe(schema, labels, &mut pieces);
    pieces
}

/// Members of an object: the required ones in their order, followed by the others.
pub(super) fn members(schema: &Value, labels: &Labels) -> Vec<Member> {
    let Some(properties) = schema["properties"].as_object() else {
        return Vec::new();
    };
    let required: Vec<&str> = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let optional = properties
        .keys()
        .map(String::as_str)
        .filter(|name| !required.contains(name));
    let names = required
        .iter()
        .copied()
        .filter(|name| properties.contains_key(*name))
        .chain(optional);
    names
        .map(|name| member(name, &properties[name], required.contains(&name), labels))
        .collect()
}

fn member(name: &str, schema: &Value, is_required: bool, labels: &Labels) -> Member {
    let about = text::runs(schema["description"].as_str().unwrap_or_default());
    Member {
        name: name.to_owned(),
        is_required,
        kind: kind(schema, labels),
        about,
    }
}

fn describe(schema: &Value, labels: &Labels, pieces: &mut Vec<TypePart>) {
    if let Some(name) = schema["$ref"]
        .as_str()
        .and_then(|reference| reference.strip_prefix("#/components/schemas/"))
    {
        return pieces.push(TypePart {
            text: name.to_owned(),
            is_name: true,
        });
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        return describe_each(choices, labels, pieces);
    }
    if !schema["const"].is_null() {
        return push_text(pieces, json_text(&schema["const"]));
    }
    if let Some(words) = schema["enum"].as_array() {
        return push_text(
            pieces,
            words.iter().map(json_text).collect::<Vec<_>>().join(" | "),
        );
    }
    match &schema["type"] {
        Value::Array(types) => push_text(
            pieces,
            types
                .iter()
                .map(json_text)
                .collect::<Vec<_>>()
                .join(&format!(" {} ", labels.or)),
        ),
        Value::String(kind) if kind == "array" => {
            push_text(pieces, labels.list.0);
            describe(&schema["items"], labels, pieces);
            return push_text(pieces, labels.list.1);
        }
        Value::String(kind) if kind == "object" => match schema["properties"].as_object() {
            Some(properties) => return describe_object(properties, schema, labels, pieces),
            None => push_text(pieces, "object"),
        },
        Value::String(kind) => push_text(pieces, kind.clone()),
        _ => push_text(pieces, labels.anything),
    }
    for note in constraints(schema, labels) {
        push_text(pieces, note);
    }
}

fn describe_each(schemas: &[Value], labels: &Labels, pieces: &mut Vec<TypePart>) {
    for (at, schema) in schemas.iter().enumerate() {
        if at > 0 {
            push_text(pieces, format!(" {} ", labels.or));
        }
        describe(schema, labels, pieces);
    }
}

fn describe_object(
    properties: &Map<String, Value>,
    schema: &Value,
    labels: &Labels,
    pieces: &mut Vec<TypePart>,
) {
    let lead = |at| if at == 0 { "{ " } else { ", " };
    for (at, member) in members(schema, labels).iter().enumerate() {
        push_text(pieces, format!("{}{}: ", lead(at), member.name));
        pieces.extend(member.kind.iter().cloned());
    }
    push_text(pieces, if properties.is_empty() { "{ }" } else { " }" });
}

/// Constraints of a value beside its type.
fn constraints(schema: &Value, labels: &Labels) -> Vec<String> {
    let bound = |name: &str| {
        Some(&schema[name])
            .filter(|value| !value.is_null())
            .map(json_text)
    };
    let mut notes = Vec::new();
    if let Some(format) = schema["format"]
        .as_str()
        .filter(|format| !format.starts_with("int") && !format.starts_with("uint"))
    {
        notes.push(format!(" ({format})"));
    }
    match (bound("minimum"), bound("maximum")) {
        (Some(least), Some(most)) if most.len() < 15 => notes.push(format!(" {least}–{most}")),
        (Some(least), _) => notes.push(format!(" {}", around(labels.at_least, &least))),
        (None, Some(most)) => notes.push(format!(" {}", around(labels.at_most, &most))),
        (None, None) => {}
    }
    if let Some(longest) = bound("maxLength") {
        notes.push(format!(" {}", around(labels.at_most_characters, &longest)));
    }
    notes.extend(bound("default").map(|default| format!(", {}", around(labels.default, &default))));
    notes
}

fn around((before, after): Around, value: &str) -> String {
    format!("{before}{value}{after}")
}

fn push_text(pieces: &mut Vec<TypePart>, text: impl Into<String>) {
    pieces.push(TypePart {
        text: text.into(),
        is_name: false,
    });
}

/// Formats a value, strings without quotation marks.
fn json_text(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::labels::{ENGLISH, KOREAN};
    use super::*;

    fn described(schema: &Value, labels: &Labels) -> String {
        kind(schema, labels)
            .into_iter()
            .map(|piece| {
                if piece.is_name {
                    format!("<{}>", piece.text)
                } else {
                    piece.text
                }
            })
            .collect()
    }

    #[test]
    fn a_schema_is_described_in_words() {
        for (schema, words) in [
            (json!({ "type": "string" }), "string"),
            (
                json!({ "type": ["integer", "null"], "format": "int32" }),
                "integer or null",
            ),
            (
                json!({ "type": "string", "format": "date" }),
                "string (date)",
            ),
            (
                json!({ "type": "integer", "minimum": 1, "maximum": 1000, "default": 300 }),
                "integer 1–1000, 300 by default",
            ),
            (
                json!({ "type": "string", "maxLength": 255 }),
                "string of at most 255 characters",
            ),
            (
                json!({ "type": "string", "enum": ["ASC", "DESC"] }),
                "ASC | DESC",
            ),
            (json!({ "const": 200 }), "200"),
            (
                json!({ "type": "array", "items": { "$ref": "#/components/schemas/Club" } }),
                "list of <Club>",
            ),
            (
                json!({ "anyOf": [{ "$ref": "#/components/schemas/Club" }, { "type": "null" }] }),
                "<Club> or null",
            ),
            (
                json!({ "type": "object", "properties": { "b": { "type": "string" }, "a": { "const": 1 } }, "required": ["b"] }),
                "{ b: string, a: 1 }",
            ),
            (json!({ "type": "object" }), "object"),
        ] {
            assert_eq!(described(&schema, &ENGLISH), words, "{schema}");
        }
    }

    #[test]
    fn a_schema_is_described_in_korean() {
        for (schema, words) in [
            (
                json!({ "type": "array", "items": { "$ref": "#/components/schemas/Club" } }),
                "<Club> 목록",
            ),
            (json!({ "type": ["string", "null"] }), "string 또는 null"),
            (
                json!({ "type": "integer", "minimum": 1, "default": 3 }),
                "integer 1 이상, 기본값 3",
            ),
            (json!({ "type": "integer", "maximum": 5 }), "integer 최대 5"),
            (
                json!({ "type": "string", "maxLength": 9 }),
                "string 최대 9자",
            ),
        ] {
            assert_eq!(described(&schema, &KOREAN), words, "{schema}");
        }
    }
}

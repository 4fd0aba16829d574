//! Schemas in words.

use serde_json::{Map, Value};

use super::text::{self, Run};

/// A piece of what is told of a schema, perhaps with the schema that it names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) is_name: bool,
}

/// A member of an object.
pub(super) struct Member {
    pub(super) name: String,
    pub(super) is_required: bool,
    pub(super) kind: Vec<Piece>,
    pub(super) about: Vec<Run>,
}

/// What a value of this schema is.
pub(super) fn kind(schema: &Value) -> Vec<Piece> {
    let mut pieces = Vec::new();
    tell(schema, &mut pieces);
    pieces
}

/// The members of an object: those that are always there, in their order, before the others.
pub(super) fn members(schema: &Value) -> Vec<Member> {
    let Some(properties) = schema["properties"].as_object() else { return Vec::new() };
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let optional = properties.keys().map(String::as_str).filter(|name| !required.contains(name));
    let names = required.iter().copied().filter(|name| properties.contains_key(*name)).chain(optional);
    names.map(|name| member(name, &properties[name], required.contains(&name))).collect()
}

fn member(name: &str, schema: &Value, is_required: bool) -> Member {
    let about = text::runs(schema["description"].as_str().unwrap_or_default());
    Member { name: name.to_owned(), is_required, kind: kind(schema), about }
}

fn tell(schema: &Value, pieces: &mut Vec<Piece>) {
    if let Some(name) = schema["$ref"].as_str().and_then(|reference| reference.strip_prefix("#/components/schemas/")) {
        return pieces.push(Piece { text: name.to_owned(), is_name: true });
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        return tell_each(choices, " or ", pieces);
    }
    if !schema["const"].is_null() {
        return say(pieces, plain(&schema["const"]));
    }
    if let Some(words) = schema["enum"].as_array() {
        return say(pieces, words.iter().map(plain).collect::<Vec<_>>().join(" | "));
    }
    match &schema["type"] {
        Value::Array(types) => say(pieces, types.iter().map(plain).collect::<Vec<_>>().join(" or ")),
        Value::String(kind) if kind == "array" => {
            say(pieces, "list of ");
            return tell(&schema["items"], pieces);
        }
        Value::String(kind) if kind == "object" => match schema["properties"].as_object() {
            Some(properties) => return tell_object(properties, schema, pieces),
            None => say(pieces, "object"),
        },
        Value::String(kind) => say(pieces, kind.clone()),
        _ => say(pieces, "anything"),
    }
    for note in notes(schema) {
        say(pieces, note);
    }
}

fn tell_each(schemas: &[Value], between: &str, pieces: &mut Vec<Piece>) {
    for (at, schema) in schemas.iter().enumerate() {
        if at > 0 {
            say(pieces, between);
        }
        tell(schema, pieces);
    }
}

fn tell_object(properties: &Map<String, Value>, schema: &Value, pieces: &mut Vec<Piece>) {
    let lead = |at| if at == 0 { "{ " } else { ", " };
    for (at, member) in members(schema).iter().enumerate() {
        say(pieces, format!("{}{}: ", lead(at), member.name));
        pieces.extend(member.kind.iter().cloned());
    }
    say(pieces, if properties.is_empty() { "{ }" } else { " }" });
}

/// What bounds a value beside its type.
fn notes(schema: &Value) -> Vec<String> {
    let bound = |name: &str| Some(&schema[name]).filter(|value| !value.is_null()).map(plain);
    let mut notes = Vec::new();
    if let Some(format) = schema["format"].as_str().filter(|format| !format.starts_with("int") && !format.starts_with("uint")) {
        notes.push(format!(" ({format})"));
    }
    match (bound("minimum"), bound("maximum")) {
        (Some(least), Some(most)) if most.len() < 15 => notes.push(format!(" {least}–{most}")),
        (Some(least), _) => notes.push(format!(" from {least}")),
        (None, Some(most)) => notes.push(format!(" up to {most}")),
        (None, None) => {}
    }
    if let Some(longest) = bound("maxLength") {
        notes.push(format!(" of at most {longest} characters"));
    }
    notes.extend(bound("default").map(|default| format!(", {default} by default")));
    notes
}

fn say(pieces: &mut Vec<Piece>, text: impl Into<String>) {
    pieces.push(Piece { text: text.into(), is_name: false });
}

/// A value as people write it: text without quotation marks.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn told(schema: &Value) -> String {
        kind(schema).into_iter().map(|piece| if piece.is_name { format!("<{}>", piece.text) } else { piece.text }).collect()
    }

    #[test]
    fn a_schema_is_told_in_words() {
        for (schema, words) in [
            (json!({ "type": "string" }), "string"),
            (json!({ "type": ["integer", "null"], "format": "int32" }), "integer or null"),
            (json!({ "type": "string", "format": "date" }), "string (date)"),
            (json!({ "type": "integer", "minimum": 1, "maximum": 1000, "default": 300 }), "integer 1–1000, 300 by default"),
            (json!({ "type": "string", "maxLength": 255 }), "string of at most 255 characters"),
            (json!({ "type": "string", "enum": ["ASC", "DESC"] }), "ASC | DESC"),
            (json!({ "const": 200 }), "200"),
            (json!({ "type": "array", "items": { "$ref": "#/components/schemas/Club" } }), "list of <Club>"),
            (json!({ "anyOf": [{ "$ref": "#/components/schemas/Club" }, { "type": "null" }] }), "<Club> or null"),
            (
                json!({ "type": "object", "properties": { "b": { "type": "string" }, "a": { "const": 1 } }, "required": ["b"] }),
                "{ b: string, a: 1 }",
            ),
            (json!({ "type": "object" }), "object"),
        ] {
            assert_eq!(told(&schema), words, "{schema}");
        }
    }
}

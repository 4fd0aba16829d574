//! Strict validation against the schemas of the OpenAPI document: a value must have every required
//! member, and no member that the schema does not describe.

use serde_json::Value;

/// Returns the schema of an operation's JSON response with status 200.
pub fn response_schema<'a>(document: &'a Value, path: &str, method: &str) -> &'a Value {
    let schema = &document["paths"][path][method]["responses"]["200"]["content"]["application/json"]
        ["schema"];
    assert!(schema.is_object(), "{method} {path} is not described");
    schema
}

/// Returns the first mismatch between a value and its schema, with its location.
pub fn schema_mismatch(document: &Value, schema: &Value, value: &Value) -> Option<String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let schema = document
            .pointer(reference.strip_prefix('#').unwrap())
            .unwrap_or_else(|| panic!("{reference} does not exist"));
        return schema_mismatch(document, schema, value);
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        let faults: Option<Vec<String>> = choices
            .iter()
            .map(|choice| schema_mismatch(document, choice, value))
            .collect();
        return faults.map(|faults| faults.join("; "));
    }
    let words = schema["enum"]
        .as_array()
        .is_none_or(|words| words.contains(value));
    let constant = schema["const"].is_null() || schema["const"] == *value;
    if !words || !constant || !is_of_type(&schema["type"], value) {
        return Some(format!("{value} is not {schema}"));
    }
    match value {
        Value::Array(items) => items
            .iter()
            .find_map(|item| schema_mismatch(document, &schema["items"], item)),
        Value::Object(members) => {
            let missing = schema["required"]
                .as_array()
                .into_iter()
                .flatten()
                .find(|name| !members.contains_key(name.as_str().unwrap()));
            let of_member =
                |(name, value): (&String, &Value)| match schema["properties"].get(name) {
                    Some(schema) => schema_mismatch(document, schema, value)
                        .map(|fault| format!("{name}: {fault}")),
                    None => Some(format!("{name} is not described")),
                };
            missing
                .map(|name| format!("{name} is missing"))
                .or_else(|| members.iter().find_map(of_member))
        }
        _ => None,
    }
}

fn is_of_type(kind: &Value, value: &Value) -> bool {
    match kind {
        Value::Null => true,
        Value::Array(kinds) => kinds.iter().any(|kind| is_of_type(kind, value)),
        kind => match kind.as_str().unwrap() {
            "null" => value.is_null(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_i64() || value.is_u64(),
            "string" => value.is_string(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            other => panic!("a type {other} is new here"),
        },
    }
}

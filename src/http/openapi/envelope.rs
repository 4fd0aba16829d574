use serde_json::{Value, json};

/// Schema of the success envelope, with or without `data` (spec 2.1).
pub(in crate::http) fn envelope(data: Option<Value>) -> Value {
    let mut schema = json!({
        "type": "object",
        "properties": { "status": { "const": "OK" }, "code": { "const": 200 }, "message": { "const": "OK" } },
        "required": ["status", "code", "message"],
    });
    if let Some(data) = data {
        schema["properties"]["data"] = data;
        schema["required"] = json!(["status", "code", "message", "data"]);
    }
    schema
}

/// Schema of one page: the totals, and the records in `field` (spec 2.4).
pub(in crate::http) fn page_envelope(field: &str, record: Value) -> Value {
    json!({
        "type": "object",
        "properties": {
            "totalPages": { "type": "integer", "minimum": 0 },
            "totalElements": { "type": "integer", "minimum": 0 },
            field: { "type": "array", "items": record },
        },
        "required": ["totalPages", "totalElements", field],
    })
}

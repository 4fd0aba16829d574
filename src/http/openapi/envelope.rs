use serde_json::{Value, json};

/// The success envelope around some data, or around none (service.md, "Success envelope").
pub(in crate::http) fn enveloped(data: Option<Value>) -> Value {
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

/// The data of one page: the totals of all, and the records under their name (service.md, "Paged payload").
pub(in crate::http) fn page_of(field: &str, record: Value) -> Value {
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

//! Examples of response bodies, with fictitious people.

use http::StatusCode;
use serde_json::{Value, json};

use crate::directory::ResourceDefinition;

/// Example of a success.
pub(super) fn found(definition: &ResourceDefinition) -> Value {
    let records: Vec<&Value> = definition.example.iter().collect();
    let mut data = json!({ definition.name: records });
    if definition.is_paged() {
        data["totalPages"] = json!(records.len());
        data["totalElements"] = json!(records.len());
    }
    json!({ "status": "OK", "code": 200, "message": "OK", "data": data })
}

/// Example of an error with this reason.
pub(super) fn error(status: StatusCode, reason: &str) -> Value {
    let name = status
        .canonical_reason()
        .unwrap_or_default()
        .to_ascii_uppercase()
        .replace(' ', "_");
    let (message, parameter) = match reason {
        "parameter_invalid" => (
            "The parameter grade must be a whole number from 1 to 3.",
            Some("grade"),
        ),
        _ => ("One sentence that says what is wrong.", None),
    };
    let mut error = json!({ "status": name, "code": status.as_u16(), "message": message, "reason": reason, "requestId": "7k2m9x4p1q" });
    if let Some(parameter) = parameter {
        error["parameter"] = json!(parameter);
    }
    error
}

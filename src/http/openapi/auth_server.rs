//! Building blocks of the authorization service's description alone.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::parameter::PLAIN;
use super::{Operation, Parameter, Response, Schemas};

/// Placeholder for the schema of a student in wire types; [`Schemas::object`] defines it.
pub(in crate::http) struct StudentRecord;

impl JsonSchema for StudentRecord {
    fn schema_name() -> Cow<'static, str> {
        "StudentResDto".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        Schema::default()
    }
}

/// Schema of the wire type that contains a student.
const USER_INFO: &str = "UserInfo";

impl Schemas {
    /// Makes the student of a user always `null`, for services without a directory.
    pub(in crate::http) fn without_student(&mut self) {
        let definitions = self.0.definitions_mut();
        definitions.remove(&*StudentRecord::schema_name());
        if let Some(user) = definitions.get_mut(USER_INFO) {
            user["properties"]["student"] = json!({ "type": "null" });
        }
    }
}

impl Parameter {
    /// Optional query parameter for which an empty value is a value.
    pub(in crate::http) fn plain_query(name: &str, schema: Value, description: &str) -> Self {
        Self(json!({ "name": name, "in": "query", "schema": schema, "description": description }))
    }

    /// Marks the parameter as required.
    pub(in crate::http) fn required(self) -> Self {
        self.with("required", json!(true))
    }
}

impl Operation {
    /// Allows this security scheme, and requests that authenticate by other means.
    pub(in crate::http) fn optional_security(self, scheme: &str) -> Self {
        self.with("security", json!([{ scheme: [] }, {}]))
    }

    /// Sets the request body, with one schema per media type.
    pub(in crate::http) fn request_body(self, required: bool, content: &[(&str, Value)]) -> Self {
        let content: Map<String, Value> = content
            .iter()
            .map(|(media_type, schema)| ((*media_type).to_owned(), json!({ "schema": schema })))
            .collect();
        self.with(
            "requestBody",
            json!({ "required": required, "content": content }),
        )
    }
}

impl Response {
    /// Adds a link to another operation, with its parameters as expressions over the response or
    /// the request.
    pub(in crate::http) fn link(mut self, operation: &str, parameters: &[(&str, &str)]) -> Self {
        let parameters: Map<String, Value> = parameters
            .iter()
            .map(|(name, place)| ((*name).to_owned(), json!(place)))
            .collect();
        self.links.insert(
            operation.to_owned(),
            json!({ "operationId": operation, "parameters": parameters }),
        );
        self
    }
}

/// Schema of a UUID, the id of applications, clients and other records.
pub(in crate::http) fn uuid() -> Value {
    json!({ "type": "string", "format": "uuid" })
}

/// Schema of one line of text that is not blank.
pub(in crate::http) fn short_text() -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": 255, "pattern": format!("^{PLAIN}*{VISIBLE}{PLAIN}*$") })
}

/// Schema of a non-empty string.
pub(in crate::http) fn non_empty_text() -> Value {
    json!({ "type": "string", "minLength": 1 })
}

/// A character that is neither a control character nor white space.
const VISIBLE: &str = "[^\\s\\u0000-\\u001f\\u007f-\\u009f]";

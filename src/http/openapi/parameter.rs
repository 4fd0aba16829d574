use serde_json::{Value, json};

/// Something that a request says outside of its body.
pub(in crate::http) struct Parameter(Value);

impl Parameter {
    /// In the query, and optional. An empty value counts as absent.
    pub(in crate::http) fn query(name: &str, schema: Value, description: &str) -> Self {
        Self(json!({ "name": name, "in": "query", "allowEmptyValue": true, "schema": schema, "description": description }))
    }

    /// In the query, and optional, where an empty value is a value.
    pub(in crate::http) fn of_query(name: &str, schema: Value, description: &str) -> Self {
        Self(json!({ "name": name, "in": "query", "schema": schema, "description": description }))
    }

    /// Among the headers, and optional.
    pub(in crate::http) fn header(name: &str, schema: Value, description: &str) -> Self {
        Self(json!({ "name": name, "in": "header", "schema": schema, "description": description }))
    }

    /// In the path.
    pub(in crate::http) fn path(name: &str, schema: Value, description: &str) -> Self {
        Self(json!({ "name": name, "in": "path", "required": true, "schema": schema, "description": description }))
    }

    /// Has to be there.
    pub(in crate::http) fn required(self) -> Self {
        self.with("required", json!(true))
    }

    pub(in crate::http) fn such_as(self, example: impl Into<Value>) -> Self {
        self.with("example", example.into())
    }

    /// Has another name too. It stands beside the parameter and not among the others, since both at once are refused.
    pub(in crate::http) fn alias(self, name: &str) -> Self {
        self.with("x-alias", json!(name))
    }

    fn with(mut self, name: &str, value: Value) -> Self {
        self.0[name] = value;
        self
    }
}

impl From<Parameter> for Value {
    fn from(parameter: Parameter) -> Self {
        parameter.0
    }
}

/// A whole number within bounds.
pub(in crate::http) fn whole_number(least: i64, most: i64) -> Value {
    json!({ "type": "integer", "minimum": least, "maximum": most })
}

/// `true` or `false`, with what it is when nothing is said.
pub(in crate::http) fn boolean(default: bool) -> Value {
    json!({ "type": "boolean", "default": default })
}

/// A day.
pub(in crate::http) fn date() -> Value {
    json!({ "type": "string", "format": "date" })
}

/// The id of something that is no person.
pub(in crate::http) fn uuid() -> Value {
    json!({ "type": "string", "format": "uuid" })
}

/// One line of text that is not blank.
pub(in crate::http) fn line() -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": 255, "pattern": format!("^{PLAIN}*{VISIBLE}{PLAIN}*$") })
}

/// Text that is not empty.
pub(in crate::http) fn filled() -> Value {
    json!({ "type": "string", "minLength": 1 })
}

/// Text of some length without control characters.
pub(in crate::http) fn text(longest: usize) -> Value {
    json!({ "type": "string", "maxLength": longest, "pattern": format!("^{PLAIN}*$") })
}

/// A character that is no control character, and one that can be seen.
const PLAIN: &str = "[^\\u0000-\\u001f\\u007f-\\u009f]";
const VISIBLE: &str = "[^\\s\\u0000-\\u001f\\u007f-\\u009f]";

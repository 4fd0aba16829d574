use serde_json::{Value, json};

/// A parameter in the query, a header or the path.
pub(in crate::http) struct Parameter(pub(super) Value);

impl Parameter {
    /// Optional query parameter. An empty value counts as absent.
    pub(in crate::http) fn query(name: &str, schema: Value, description: &str) -> Self {
        Self(
            json!({ "name": name, "in": "query", "allowEmptyValue": true, "schema": schema, "description": description }),
        )
    }

    /// Optional header parameter.
    pub(in crate::http) fn header(name: &str, schema: Value, description: &str) -> Self {
        Self(json!({ "name": name, "in": "header", "schema": schema, "description": description }))
    }

    /// Required part of the path.
    pub(in crate::http) fn path(name: &str, schema: Value, description: &str) -> Self {
        Self(
            json!({ "name": name, "in": "path", "required": true, "schema": schema, "description": description }),
        )
    }

    pub(in crate::http) fn example(self, example: impl Into<Value>) -> Self {
        self.with("example", example.into())
    }

    /// Adds another name. It is an extension and not a parameter of its own, since both names
    /// together are refused.
    pub(in crate::http) fn alias(self, name: &str) -> Self {
        self.with("x-alias", json!(name))
    }

    pub(super) fn with(mut self, name: &str, value: Value) -> Self {
        self.0[name] = value;
        self
    }
}

impl From<Parameter> for Value {
    fn from(parameter: Parameter) -> Self {
        parameter.0
    }
}

/// Schema of an integer within bounds.
pub(in crate::http) fn integer(minimum: i64, maximum: i64) -> Value {
    json!({ "type": "integer", "minimum": minimum, "maximum": maximum })
}

/// Schema of a boolean with a default.
pub(in crate::http) fn boolean(default: bool) -> Value {
    json!({ "type": "boolean", "default": default })
}

/// Schema of a date.
pub(in crate::http) fn date() -> Value {
    json!({ "type": "string", "format": "date" })
}

/// Schema of text up to this length without control characters.
pub(in crate::http) fn text(max_length: usize) -> Value {
    json!({ "type": "string", "maxLength": max_length, "pattern": format!("^{PLAIN}*$") })
}

/// A character that is not a control character.
pub(super) const PLAIN: &str = "[^\\u0000-\\u001f\\u007f-\\u009f]";

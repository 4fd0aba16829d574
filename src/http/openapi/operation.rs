use http::StatusCode;
use serde_json::{Map, Value, json};

use super::{Parameter, Response};

/// An operation: one method of one path.
pub(in crate::http) struct Operation {
    object: Map<String, Value>,
    responses: Map<String, Value>,
}

impl Operation {
    /// Creates an operation with an id, a tag and a summary.
    pub(in crate::http) fn new(id: &str, tag: &str, summary: &str) -> Self {
        let object = [
            ("operationId", json!(id)),
            ("tags", json!([tag])),
            ("summary", json!(summary)),
        ];
        Self {
            object: object
                .map(|(name, value)| (name.to_owned(), value))
                .into_iter()
                .collect(),
            responses: Map::new(),
        }
    }

    /// Sets the description.
    pub(in crate::http) fn about(self, description: impl Into<String>) -> Self {
        self.with("description", json!(description.into()))
    }

    /// Requires one of these security schemes with its scopes.
    pub(in crate::http) fn security(self, schemes: &[(&str, &[&str])]) -> Self {
        let schemes: Vec<Value> = schemes
            .iter()
            .map(|(scheme, scopes)| json!({ *scheme: scopes }))
            .collect();
        self.with("security", json!(schemes))
    }

    pub(in crate::http) fn parameters(self, parameters: Vec<Parameter>) -> Self {
        let parameters: Vec<Value> = parameters.into_iter().map(Value::from).collect();
        self.with("parameters", json!(parameters))
    }

    pub(in crate::http) fn response(mut self, status: StatusCode, response: Response) -> Self {
        self.responses
            .insert(status.as_str().to_owned(), response.into());
        self
    }

    /// Adds a response by reference to a component.
    pub(in crate::http) fn response_ref(mut self, status: StatusCode, component: &str) -> Self {
        self.responses.insert(
            status.as_str().to_owned(),
            json!({ "$ref": format!("#/components/responses/{component}") }),
        );
        self
    }

    pub(super) fn with(mut self, name: &str, value: Value) -> Self {
        self.object.insert(name.to_owned(), value);
        self
    }
}

impl From<Operation> for Value {
    fn from(operation: Operation) -> Self {
        let responses = operation.responses.into();
        operation
            .object
            .into_iter()
            .chain([("responses".to_owned(), responses)])
            .collect()
    }
}

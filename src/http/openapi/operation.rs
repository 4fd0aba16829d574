use http::StatusCode;
use serde_json::{Map, Value, json};

use super::{Answer, Parameter};

/// What one method of one address does.
pub(in crate::http) struct Operation {
    object: Map<String, Value>,
    responses: Map<String, Value>,
}

impl Operation {
    /// An operation under a name for programs, among others of its kind, in a few words.
    pub(in crate::http) fn new(id: &str, tag: &str, summary: &str) -> Self {
        let object = [("operationId", json!(id)), ("tags", json!([tag])), ("summary", json!(summary))];
        Self { object: object.map(|(name, value)| (name.to_owned(), value)).into_iter().collect(), responses: Map::new() }
    }

    /// In more words.
    pub(in crate::http) fn about(self, description: impl Into<String>) -> Self {
        self.with("description", json!(description.into()))
    }

    /// For whoever has one of these: a scheme of the components, and the scopes that it takes.
    pub(in crate::http) fn secured(self, schemes: &[(&str, &[&str])]) -> Self {
        let schemes: Vec<Value> = schemes.iter().map(|(scheme, scopes)| json!({ *scheme: scopes })).collect();
        self.with("security", json!(schemes))
    }

    /// For whoever has one of these, and for those who prove themselves elsewhere in the request.
    pub(in crate::http) fn perhaps_secured(self, scheme: &str) -> Self {
        self.with("security", json!([{ scheme: [] }, {}]))
    }

    pub(in crate::http) fn parameters(self, parameters: Vec<Parameter>) -> Self {
        let parameters: Vec<Value> = parameters.into_iter().map(Value::from).collect();
        self.with("parameters", json!(parameters))
    }

    /// With a body that has one of these media types.
    pub(in crate::http) fn takes(self, required: bool, content: &[(&str, Value)]) -> Self {
        let content: Map<String, Value> =
            content.iter().map(|(media_type, schema)| ((*media_type).to_owned(), json!({ "schema": schema }))).collect();
        self.with("requestBody", json!({ "required": required, "content": content }))
    }

    pub(in crate::http) fn answers(mut self, status: StatusCode, answer: Answer) -> Self {
        self.responses.insert(status.as_str().to_owned(), answer.into());
        self
    }

    /// With an answer that is described among the components.
    pub(in crate::http) fn answers_as(mut self, status: StatusCode, component: &str) -> Self {
        self.responses.insert(status.as_str().to_owned(), json!({ "$ref": format!("#/components/responses/{component}") }));
        self
    }

    fn with(mut self, name: &str, value: Value) -> Self {
        self.object.insert(name.to_owned(), value);
        self
    }
}

impl From<Operation> for Value {
    fn from(operation: Operation) -> Self {
        let responses = operation.responses.into();
        operation.object.into_iter().chain([("responses".to_owned(), responses)]).collect()
    }
}

use serde_json::{Map, Value, json};

/// What an operation may answer, under one status.
#[derive(Clone)]
pub(in crate::http) struct Answer {
    description: String,
    headers: Map<String, Value>,
    content: Map<String, Value>,
    links: Map<String, Value>,
}

impl Answer {
    pub(in crate::http) fn new(description: impl Into<String>) -> Self {
        Self { description: description.into(), headers: Map::new(), content: Map::new(), links: Map::new() }
    }

    /// A refusal for one of several reasons, each a stable word with when it is given.
    pub(in crate::http) fn refusal(reasons: &[(&str, &str)]) -> Self {
        let lines: Vec<String> = reasons.iter().map(|(reason, when)| format!("* `{reason}`: {when}")).collect();
        Self::new(format!("Refused, for one of these reasons:\n\n{}", lines.join("\n")))
    }

    /// With a body of this media type.
    pub(in crate::http) fn body(mut self, media_type: &str, schema: Value) -> Self {
        self.content.insert(media_type.to_owned(), json!({ "schema": schema }));
        self
    }

    /// With a body of which there is an example.
    pub(in crate::http) fn body_such_as(mut self, media_type: &str, schema: Value, example: Value) -> Self {
        self.content.insert(media_type.to_owned(), json!({ "schema": schema, "example": example }));
        self
    }

    /// Leads on to an operation, whose parameters are found in the answer or in the request.
    pub(in crate::http) fn leads_to(mut self, operation: &str, parameters: &[(&str, &str)]) -> Self {
        let parameters: Map<String, Value> = parameters.iter().map(|(name, place)| ((*name).to_owned(), json!(place))).collect();
        self.links.insert(operation.to_owned(), json!({ "operationId": operation, "parameters": parameters }));
        self
    }

    /// With these headers, which are described among the components.
    pub(in crate::http) fn headers<'a>(mut self, names: impl IntoIterator<Item = &'a str>) -> Self {
        let named = |name: &str| (name.to_owned(), json!({ "$ref": format!("#/components/headers/{name}") }));
        self.headers.extend(names.into_iter().map(named));
        self
    }
}

impl From<Answer> for Value {
    fn from(answer: Answer) -> Self {
        let mut object = Map::from_iter([("description".to_owned(), answer.description.into())]);
        for (name, parts) in [("headers", answer.headers), ("content", answer.content), ("links", answer.links)] {
            if !parts.is_empty() {
                object.insert(name.to_owned(), parts.into());
            }
        }
        object.into()
    }
}

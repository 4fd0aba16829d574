use serde_json::{Map, Value, json};

/// Response of an operation, for one status.
#[derive(Clone)]
pub(in crate::http) struct Response {
    description: String,
    headers: Map<String, Value>,
    content: Map<String, Value>,
    pub(super) links: Map<String, Value>,
}

impl Response {
    pub(in crate::http) fn new(description: impl Into<String>) -> Self {
        Self {
            description: description.into(),
            headers: Map::new(),
            content: Map::new(),
            links: Map::new(),
        }
    }

    /// Creates an error response that lists its reasons, each a stable word with its condition.
    pub(in crate::http) fn error(reasons: &[(&str, &str)]) -> Self {
        let lines: Vec<String> = reasons
            .iter()
            .map(|(reason, when)| format!("* `{reason}`: {when}"))
            .collect();
        Self::new(format!(
            "Refused, for one of these reasons:\n\n{}",
            lines.join("\n")
        ))
    }

    /// Adds a body with this media type.
    pub(in crate::http) fn body(mut self, media_type: &str, schema: Value) -> Self {
        self.content
            .insert(media_type.to_owned(), json!({ "schema": schema }));
        self
    }

    /// Adds a body with an example.
    pub(in crate::http) fn body_with_example(
        mut self,
        media_type: &str,
        schema: Value,
        example: Value,
    ) -> Self {
        self.content.insert(
            media_type.to_owned(),
            json!({ "schema": schema, "example": example }),
        );
        self
    }

    /// Adds headers by reference to components.
    pub(in crate::http) fn headers<'a>(mut self, names: impl IntoIterator<Item = &'a str>) -> Self {
        let named = |name: &str| {
            (
                name.to_owned(),
                json!({ "$ref": format!("#/components/headers/{name}") }),
            )
        };
        self.headers.extend(names.into_iter().map(named));
        self
    }
}

impl From<Response> for Value {
    fn from(response: Response) -> Self {
        let mut object = Map::from_iter([("description".to_owned(), response.description.into())]);
        for (name, parts) in [
            ("headers", response.headers),
            ("content", response.content),
            ("links", response.links),
        ] {
            if !parts.is_empty() {
                object.insert(name.to_owned(), parts.into());
            }
        }
        object.into()
    }
}

use std::fmt;

use serde_json::{Map, Value, json};

use super::{Operation, Schemas};

/// OpenAPI 3.1 description of a service. An [`ApiReference`](crate::http::ApiReference) renders one
/// or several together.
#[derive(Clone)]
pub struct ApiDescription {
    /// URL of the server that the paths are relative to.
    pub(in crate::http) server: String,
    pub(in crate::http) about: String,
    /// Groups of operations, in display order.
    pub(in crate::http) tags: Vec<Value>,
    pub(in crate::http) paths: Map<String, Value>,
    pub(in crate::http) components: Map<String, Value>,
}

impl ApiDescription {
    /// Creates a description of the server at this URL, with an introduction.
    pub(in crate::http) fn new(server: &str, about: impl Into<String>) -> Self {
        Self {
            server: server.to_owned(),
            about: about.into(),
            tags: Vec::new(),
            paths: Map::new(),
            components: Map::new(),
        }
    }

    pub(in crate::http) fn tag(&mut self, name: &str, description: &str) {
        self.tags
            .push(json!({ "name": name, "description": description }));
    }

    /// Adds an operation.
    pub(in crate::http) fn operation(&mut self, path: &str, method: &str, operation: Operation) {
        let methods = self.paths.entry(path).or_insert_with(|| json!({}));
        methods[method] = operation.into();
    }

    /// Adds named components of a kind, such as `headers`.
    pub(in crate::http) fn components<'a>(
        &mut self,
        kind: &str,
        named: impl IntoIterator<Item = (&'a str, Value)>,
    ) {
        let components = self.components.entry(kind).or_insert_with(|| json!({}));
        for (name, component) in named {
            components[name] = component;
        }
    }

    /// Adds the schemas that the operations refer to.
    pub(in crate::http) fn schemas(&mut self, schemas: Schemas) {
        let components = self
            .components
            .entry("schemas")
            .or_insert_with(|| json!({}));
        for (name, schema) in schemas.into_components() {
            components[name] = schema;
        }
    }
}

impl fmt::Debug for ApiDescription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ApiDescription")
            .field("server", &self.server)
            .finish_non_exhaustive()
    }
}

use std::fmt;

use serde_json::{Map, Value, json};

use super::{Operation, Schemas};

/// What a service says of itself: its addresses, and what goes in and out there (OpenAPI 3.1). An
/// [`ApiReference`](crate::http::ApiReference) shows one, or several together.
#[derive(Clone)]
pub struct ApiDescription {
    /// The address below which the others are.
    pub(in crate::http) server: String,
    pub(in crate::http) about: &'static str,
    /// Kinds of operations, in the order in which they are shown.
    pub(in crate::http) tags: Vec<Value>,
    pub(in crate::http) paths: Map<String, Value>,
    pub(in crate::http) components: Map<String, Value>,
}

impl ApiDescription {
    /// A description of a service at an address, which begins with a few words on all of it.
    pub(in crate::http) fn new(server: &str, about: &'static str) -> Self {
        Self { server: server.to_owned(), about, tags: Vec::new(), paths: Map::new(), components: Map::new() }
    }

    pub(in crate::http) fn tag(&mut self, name: &str, description: &str) {
        self.tags.push(json!({ "name": name, "description": description }));
    }

    /// Adds what a method of an address does.
    pub(in crate::http) fn operation(&mut self, path: &str, method: &str, operation: Operation) {
        let methods = self.paths.entry(path).or_insert_with(|| json!({}));
        methods[method] = operation.into();
    }

    /// Adds components of a kind, such as `headers`, by their names.
    pub(in crate::http) fn components<'a>(&mut self, kind: &str, named: impl IntoIterator<Item = (&'a str, Value)>) {
        let components = self.components.entry(kind).or_insert_with(|| json!({}));
        for (name, component) in named {
            components[name] = component;
        }
    }

    /// Adds the schemas that the operations refer to.
    pub(in crate::http) fn schemas(&mut self, schemas: Schemas) {
        let components = self.components.entry("schemas").or_insert_with(|| json!({}));
        for (name, schema) in schemas.into_components() {
            components[name] = schema;
        }
    }
}

impl fmt::Debug for ApiDescription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ApiDescription").field("server", &self.server).finish_non_exhaustive()
    }
}

use schemars::JsonSchema;
use schemars::generate::{Contract, SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value, json};

/// Schemas of the wire types, by component name.
pub(in crate::http) struct Schemas(pub(super) SchemaGenerator);

impl Schemas {
    pub(in crate::http) fn new() -> Self {
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.definitions_path = "/components/schemas".into();
            settings.meta_schema = None;
            settings.contract = Contract::Serialize;
        });
        Self(settings.into_generator())
    }

    /// Returns a reference to the schema of a type, or the schema itself if it is unnamed.
    pub(in crate::http) fn for_type<T: JsonSchema>(&mut self) -> Value {
        self.0.subschema_for::<T>().into()
    }

    /// Adds a schema to the components and returns a reference to it.
    pub(super) fn component(&mut self, name: &str, schema: Value) -> Value {
        self.0.definitions_mut().insert(name.to_owned(), schema);
        json!({ "$ref": format!("#/components/schemas/{name}") })
    }

    /// Returns every schema that was referred to.
    pub(in crate::http) fn into_components(mut self) -> Map<String, Value> {
        self.0.take_definitions(true)
    }
}

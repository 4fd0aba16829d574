//! Schemas of records, derived from the definitions of their lists.

use serde_json::{Map, Value, json};

use super::Schemas;
use crate::directory::{EnumValues, FieldInfo, FieldType, ObjectType};

const HIDDEN: &str = "`null` if the field is hidden from the key.";

impl Schemas {
    /// Adds a string enumeration to the components and returns a reference to it.
    pub(in crate::http) fn string_enum(&mut self, name: &str, words: &[&str]) -> Value {
        self.component(name, json!({ "type": "string", "enum": words }))
    }

    /// Adds an object and everything that it refers to to the components, and returns a reference
    /// to it.
    pub(in crate::http) fn object(&mut self, object: &ObjectType) -> Value {
        let properties: Map<String, Value> = object
            .fields
            .iter()
            .map(|field| (field.name.to_owned(), self.field(field)))
            .collect();
        let required: Vec<&str> = object.fields.iter().map(|field| field.name).collect();
        let schema = json!({ "type": "object", "description": object.description, "properties": properties, "required": required });
        self.component(object.name, schema)
    }

    fn field(&mut self, field: &FieldInfo) -> Value {
        let mut schema = self.value(&field.kind);
        if field.is_nullable || field.personal.is_some() {
            if schema.get("$ref").is_some() {
                schema = json!({ "anyOf": [schema, { "type": "null" }] });
            } else {
                schema["type"] = json!([schema["type"], "null"]);
            }
        }
        let hidden = field
            .personal
            .filter(|_| !field.is_nullable)
            .map(|_| HIDDEN);
        if let Some(about) = field.description.or(hidden) {
            schema["description"] = json!(about);
        }
        schema
    }

    fn value(&mut self, kind: &FieldType) -> Value {
        match kind {
            FieldType::Long => json!({ "type": "integer", "format": "int64" }),
            FieldType::Int => json!({ "type": "integer", "format": "int32" }),
            FieldType::Byte => {
                json!({ "type": "integer", "format": "uint8", "minimum": 0, "maximum": 255 })
            }
            FieldType::Boolean => json!({ "type": "boolean" }),
            FieldType::Text => json!({ "type": "string" }),
            FieldType::Date => json!({ "type": "string", "format": "date" }),
            FieldType::Enum(words) => self.vocabulary_enum(words),
            FieldType::Object(object) => self.object(object),
            FieldType::List { of, max_items } => {
                let mut list = json!({ "type": "array", "items": self.value(of) });
                if let Some(max_items) = max_items {
                    list["maxItems"] = json!(max_items);
                }
                list
            }
        }
    }

    pub(in crate::http) fn vocabulary_enum(&mut self, words: &EnumValues) -> Value {
        self.string_enum(words.name(), &words.iter().collect::<Vec<_>>())
    }
}

//! Schemas of records, from the definitions of their lists.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::Schemas;
use crate::directory::{FieldInfo, FieldType, ObjectType, Words};

/// Stands for the schema of a student in types of the wire; [`Schemas::object`] defines it.
pub(in crate::http) struct StudentRecord;

impl JsonSchema for StudentRecord {
    fn schema_name() -> Cow<'static, str> {
        "StudentResDto".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        Schema::default()
    }
}

/// The types of the wire that show a student.
const USER_INFO: &str = "UserInfo";

const HIDDEN: &str = "`null` if the key does without it.";

impl Schemas {
    /// A reference to words, which are put among the components.
    pub(in crate::http) fn words(&mut self, name: &str, words: &[&str]) -> Value {
        self.component(name, json!({ "type": "string", "enum": words }))
    }

    /// A reference to an object, which is put among the components with all that it refers to.
    pub(in crate::http) fn object(&mut self, object: &ObjectType) -> Value {
        let properties: Map<String, Value> = object.fields.iter().map(|field| (field.name.to_owned(), self.field(field))).collect();
        let required: Vec<&str> = object.fields.iter().map(|field| field.name).collect();
        let schema = json!({ "type": "object", "description": object.about, "properties": properties, "required": required });
        self.component(object.name, schema)
    }

    /// Says that users are never students: where there is no directory.
    pub(in crate::http) fn without_student(&mut self) {
        let definitions = self.definitions();
        definitions.remove(&*StudentRecord::schema_name());
        if let Some(user) = definitions.get_mut(USER_INFO) {
            user["properties"]["student"] = json!({ "type": "null" });
        }
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
        let hidden = field.personal.filter(|_| !field.is_nullable).map(|_| HIDDEN);
        if let Some(about) = field.about.or(hidden) {
            schema["description"] = json!(about);
        }
        schema
    }

    fn value(&mut self, kind: &FieldType) -> Value {
        match kind {
            FieldType::Long => json!({ "type": "integer", "format": "int64" }),
            FieldType::Int => json!({ "type": "integer", "format": "int32" }),
            FieldType::Byte => json!({ "type": "integer", "format": "uint8", "minimum": 0, "maximum": 255 }),
            FieldType::Boolean => json!({ "type": "boolean" }),
            FieldType::Text => json!({ "type": "string" }),
            FieldType::Date => json!({ "type": "string", "format": "date" }),
            FieldType::Words(words) => self.vocabulary(words),
            FieldType::Object(object) => self.object(object),
            FieldType::List { of, most } => {
                let mut list = json!({ "type": "array", "items": self.value(of) });
                if let Some(most) = most {
                    list["maxItems"] = json!(most);
                }
                list
            }
        }
    }

    pub(in crate::http) fn vocabulary(&mut self, words: &Words) -> Value {
        self.words(words.name(), &words.iter().collect::<Vec<_>>())
    }
}

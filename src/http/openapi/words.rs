//! The enumerations, with the words that the domain has for them.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::domain::{Advice, ApiScope, ClientPolicy, Direction, PersonalField, Role, Severity};

macro_rules! words {
    ($($vocabulary:ident = $name:literal),+ $(,)?) => {$(
        impl JsonSchema for $vocabulary {
            fn schema_name() -> Cow<'static, str> {
                $name.into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                let words: Vec<&str> = Self::ALL.iter().map(|word| word.as_str()).collect();
                json_schema!({ "type": "string", "enum": words })
            }
        }
    )+};
}

words!(
    Advice = "Advice",
    ClientPolicy = "ClientPolicy",
    Direction = "SortDirection",
    PersonalField = "PersonalField",
    Role = "Role",
    Severity = "Severity",
);

/// A host has scopes of its own, so the service lists them instead of this.
impl JsonSchema for ApiScope {
    fn schema_name() -> Cow<'static, str> {
        "ApiScope".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}

//! Schemas of the domain's string enumerations.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::domain::{Advice, ApiScope, ClientPolicy, PersonalField, Role, Severity, SortDirection};

macro_rules! string_enums {
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

string_enums!(
    Advice = "Advice",
    ClientPolicy = "ClientPolicy",
    SortDirection = "SortDirection",
    PersonalField = "PersonalField",
    Role = "Role",
    Severity = "Severity",
);

/// Hosts define scopes of their own, so the services list the actual scopes instead of this schema.
impl JsonSchema for ApiScope {
    fn schema_name() -> Cow<'static, str> {
        "ApiScope".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}

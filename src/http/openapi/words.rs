//! The enumerations, with the words that the domain has for them.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::domain::{
    Advice, ApiScope, ClientPolicy, ClubSort, ClubStatus, ClubType, Direction, Major, MealType, PersonalField, ProjectSort, ProjectStatus,
    Role, Severity, Sex, StudentRole, StudentSort,
};

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
    ApiScope = "ApiScope",
    ClientPolicy = "ClientPolicy",
    ClubSort = "ClubSortBy",
    ClubStatus = "ClubStatus",
    ClubType = "ClubType",
    Direction = "SortDirection",
    Major = "Major",
    MealType = "MealType",
    PersonalField = "PersonalField",
    ProjectSort = "ProjectSortBy",
    ProjectStatus = "ProjectStatus",
    Role = "Role",
    Severity = "Severity",
    Sex = "Sex",
    StudentRole = "StudentRole",
    StudentSort = "StudentSortBy",
);

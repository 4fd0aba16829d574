//! Validation of the host's own lists against the school's lists, each other and the services'
//! paths.

use std::sync::Arc;

use super::route::FIXED_PATHS;
use crate::directory::{
    AnyRecordList, Directory, FieldType, ObjectType, ResourceDefinition, is_identifier,
};
use crate::domain::{ApiScope, InvalidValue};
use crate::http::ConfigError;

/// First path segments of the services.
const RESERVED_SEGMENTS: [&str; 8] = [
    "oauth",
    "applications",
    "clients",
    "api-keys",
    "grants",
    "health",
    "docs",
    "neis",
];

/// Members beside a list in response bodies, and labels of other endpoints in logs.
const RESERVED_NAMES: [&str; 9] = [
    "totalPages",
    "totalElements",
    "cursor",
    "more",
    "deleted",
    "readiness",
    "methods",
    "description",
    "none",
];

/// Schemas of the OpenAPI descriptions that are not records.
const RESERVED_SCHEMAS: [&str; 3] = ["ErrorBody", "Problem", "SortDirection"];

/// Rejects a list whose path, name, scope or schema is taken or malformed.
pub(super) fn validate(
    directory: &Directory,
    own: &[Arc<dyn AnyRecordList>],
) -> Result<(), ConfigError> {
    let mut known: Vec<&ResourceDefinition> = directory.resources().definitions().to_vec();
    for list in own {
        let list = list.definition();
        if let Some(rule) = find_violation(list, &known) {
            return Err(ConfigError::Resource {
                path: list.path,
                rule: InvalidValue::new(rule),
            });
        }
        known.push(list);
    }
    Ok(())
}

fn find_violation(
    list: &ResourceDefinition,
    known: &[&ResourceDefinition],
) -> Option<&'static str> {
    let segments = list.path.strip_prefix("/v1/").unwrap_or_default();
    let path_is_taken = known.iter().any(|known| known.path == list.path)
        || FIXED_PATHS.iter().any(|(path, _)| *path == list.path);
    let name_is_taken = known
        .iter()
        .any(|known| known.name.eq_ignore_ascii_case(list.name))
        || RESERVED_NAMES.contains(&list.name);
    let mut schemas = schemas(list);
    schemas.sort_unstable();
    schemas.dedup();
    let schema_is_taken = schemas.iter().any(|name| {
        RESERVED_SCHEMAS.contains(name)
            || known
                .iter()
                .any(|known| self::schemas(known).contains(name))
    });
    let violations = [
        (
            !segments.split('/').all(is_identifier),
            "must be at /v1/ and words of ASCII letters, digits, hyphens and underscores",
        ),
        (
            path_is_taken
                || segments
                    .split('/')
                    .next()
                    .is_some_and(|first| RESERVED_SEGMENTS.contains(&first)),
            "must have a path of its own",
        ),
        (
            !is_identifier(list.name),
            "must have a name of ASCII letters, digits, hyphens and underscores",
        ),
        (name_is_taken, "must have a name of its own"),
        (
            ApiScope::BUILT_IN.contains(&list.scope),
            "must have a scope of its own",
        ),
        (
            !schemas.iter().all(|name| is_identifier(name)),
            "must have objects and words named by ASCII letters, digits, hyphens and underscores",
        ),
        (
            schema_is_taken,
            "must have objects and words with names of their own",
        ),
    ];
    violations
        .into_iter()
        .find(|(is_violated, _)| *is_violated)
        .map(|(_, rule)| rule)
}

/// Names of the list's OpenAPI schemas, except for its sort field enumeration, whose name is
/// derived from the record's.
fn schemas(list: &ResourceDefinition) -> Vec<&'static str> {
    fn collect_from_field(kind: &FieldType, names: &mut Vec<&'static str>) {
        match kind {
            FieldType::Enum(words) => names.push(words.name()),
            FieldType::Object(object) => collect_from_object(object, names),
            FieldType::List { of, .. } => collect_from_field(of, names),
            FieldType::Long
            | FieldType::Int
            | FieldType::Byte
            | FieldType::Boolean
            | FieldType::Text
            | FieldType::Date => {}
        }
    }
    fn collect_from_object(object: &ObjectType, names: &mut Vec<&'static str>) {
        names.push(object.name);
        names.push(object.name.trim_end_matches("ResDto"));
        object
            .fields
            .iter()
            .for_each(|field| collect_from_field(&field.kind, names));
    }
    let mut names = Vec::new();
    collect_from_object(&list.record, &mut names);
    names
}

//! What lists of the host's own must not take from the school's, from each other and from the services.

use std::sync::Arc;

use super::ConfigError;
use super::route::ADDRESSES;
use crate::directory::{Definition, Directory, FieldType, ObjectType, OwnList, is_word};
use crate::domain::{ApiScope, Invalid};

/// What the paths of the services begin with.
const SERVICES: [&str; 8] = ["oauth", "applications", "clients", "api-keys", "grants", "health", "docs", "neis"];

/// Names that stand beside a list in answers, or for other addresses in logs.
const NAMES: [&str; 9] = ["totalPages", "totalElements", "cursor", "more", "deleted", "readiness", "methods", "description", "none"];

/// Schemas of the descriptions that are of no record.
const SCHEMAS: [&str; 3] = ["ErrorBody", "Problem", "SortDirection"];

/// Refuses a list with a path, name, scope or schema that is taken or malformed.
pub(super) fn check(directory: &Directory, own: &[Arc<dyn OwnList>]) -> Result<(), ConfigError> {
    let mut known: Vec<&Definition> = directory.resources().definitions().to_vec();
    for list in own {
        let list = list.definition();
        if let Some(rule) = problem(list, &known) {
            return Err(ConfigError::Resource { path: list.path, rule: Invalid::new(rule) });
        }
        known.push(list);
    }
    Ok(())
}

fn problem(list: &Definition, known: &[&Definition]) -> Option<&'static str> {
    let segments = list.path.strip_prefix("/v1/").unwrap_or_default();
    let is_taken = known.iter().any(|known| known.path == list.path) || ADDRESSES.iter().any(|(path, _)| *path == list.path);
    let is_named = known.iter().any(|known| known.name.eq_ignore_ascii_case(list.name)) || NAMES.contains(&list.name);
    let mut schemas = schemas(list);
    schemas.sort_unstable();
    schemas.dedup();
    let is_described = schemas.iter().any(|name| SCHEMAS.contains(name) || known.iter().any(|known| self::schemas(known).contains(name)));
    let problems = [
        (!segments.split('/').all(is_word), "must be at /v1/ and words of ASCII letters, digits, hyphens and underscores"),
        (is_taken || segments.split('/').next().is_some_and(|first| SERVICES.contains(&first)), "must have a path of its own"),
        (!is_word(list.name), "must have a name of ASCII letters, digits, hyphens and underscores"),
        (is_named, "must have a name of its own"),
        (ApiScope::BUILT_IN.contains(&list.scope), "must have a scope of its own"),
        (!schemas.iter().all(|name| is_word(name)), "must have objects and words named by ASCII letters, digits, hyphens and underscores"),
        (is_described, "must have objects and words with names of their own"),
    ];
    problems.into_iter().find(|(is_there, _)| *is_there).map(|(_, rule)| rule)
}

/// The names that a list has among the schemas of OpenAPI, but for that of its orders, which is made of the record's.
fn schemas(list: &Definition) -> Vec<&'static str> {
    fn of_field(kind: &FieldType, names: &mut Vec<&'static str>) {
        match kind {
            FieldType::Words(words) => names.push(words.name()),
            FieldType::Object(object) => of_object(object, names),
            FieldType::List { of, .. } => of_field(of, names),
            FieldType::Long | FieldType::Int | FieldType::Byte | FieldType::Boolean | FieldType::Text | FieldType::Date => {}
        }
    }
    fn of_object(object: &ObjectType, names: &mut Vec<&'static str>) {
        names.push(object.name);
        names.push(object.name.trim_end_matches("ResDto"));
        object.fields.iter().for_each(|field| of_field(&field.kind, names));
    }
    let mut names = Vec::new();
    of_object(&list.record, &mut names);
    names
}

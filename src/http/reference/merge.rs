use std::fmt;

use serde_json::map::Entry;
use serde_json::{Map, Value, json};

use crate::http::openapi::ApiDescription;

/// Two descriptions conflict: both services have the same path, or define the same component
/// differently, as two services of one kind with different settings do. They need separate
/// references.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DescriptionConflict {
    name: String,
}

impl fmt::Display for DescriptionConflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "two descriptions differ on {}", self.name)
    }
}

impl std::error::Error for DescriptionConflict {}

/// Merges all descriptions into one document. If their servers differ, each path states its own.
pub(super) fn merge(
    title: &str,
    descriptions: impl IntoIterator<Item = ApiDescription>,
) -> Result<Value, DescriptionConflict> {
    let descriptions: Vec<ApiDescription> = descriptions.into_iter().collect();
    let first = descriptions
        .first()
        .map(|description| description.server.clone());
    let is_at_one_address = descriptions
        .iter()
        .all(|description| Some(&description.server) == first.as_ref());
    let (mut about, mut tags) = (Vec::new(), Vec::new());
    let (mut paths, mut components) = (Map::new(), Map::new());
    for mut description in descriptions {
        about.push(description.about);
        tags.append(&mut description.tags);
        for (path, mut methods) in description.paths {
            if !is_at_one_address {
                methods["servers"] = json!([{ "url": description.server }]);
            }
            insert_unique(&mut paths, path, methods)?;
        }
        for (kind, named) in description.components {
            let Value::Object(named) = named else {
                continue;
            };
            let together = components.entry(kind).or_insert_with(|| json!({}));
            let Value::Object(together) = together else {
                continue;
            };
            for (name, component) in named {
                insert_unique(together, name, component)?;
            }
        }
    }
    let mut document = json!({
        "openapi": "3.1.0",
        "info": { "title": title, "version": env!("CARGO_PKG_VERSION"), "description": about.join("\n\n") },
        "tags": tags,
        "paths": paths,
        "components": components,
    });
    if let Some(url) = first.filter(|_| is_at_one_address) {
        document["servers"] = json!([{ "url": url }]);
    }
    Ok(document)
}

/// Inserts a value, unless a different one has the same name.
fn insert_unique(
    map: &mut Map<String, Value>,
    name: String,
    value: Value,
) -> Result<(), DescriptionConflict> {
    match map.entry(name) {
        Entry::Vacant(place) => {
            place.insert(value);
        }
        Entry::Occupied(there) if *there.get() == value => {}
        Entry::Occupied(there) => {
            return Err(DescriptionConflict {
                name: there.key().clone(),
            });
        }
    }
    Ok(())
}

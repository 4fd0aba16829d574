use serde_json::{Value, json};

use crate::directory::{Pagination, ParameterInfo, ParameterType, ResourceDefinition};
use crate::domain::{PageRequest, SortDirection};
use crate::http::openapi::{Parameter, Schemas, boolean, date, integer, text};

/// Maximum length of a search text.
const MAX_SEARCH_LENGTH: usize = 255;

const UPDATED_SINCE: &str = "What changed since the answer with this `cursor`, in the order of the changes; all of it since `0`. It goes with the \
filters and with `size`, not with `page`, `sortBy` and `sortDirection`, and only as JSON.";

/// Parameters of a list endpoint.
pub(super) fn for_list(definition: &ResourceDefinition, schemas: &mut Schemas) -> Vec<Parameter> {
    let mut parameters = if definition.pagination == Pagination::Days {
        days()
    } else {
        Vec::new()
    };
    let is_last = |filter: &&ParameterInfo| definition.documented_last.contains(&filter.name);
    let (last, first): (Vec<_>, Vec<_>) = definition.parameters.iter().partition(is_last);
    parameters.extend(first.into_iter().map(|info| filter(info, schemas)));
    parameters.extend(
        definition
            .flags()
            .map(|flag| Parameter::query(flag.name, boolean(false), flag.description)),
    );
    parameters.extend(last.into_iter().map(|info| filter(info, schemas)));
    if let Pagination::Pages { size } = definition.pagination {
        parameters.extend(paging(definition, size, schemas));
    }
    let about = "Entity tags of cached responses. The response is 304 if one still matches.";
    parameters.push(
        Parameter::header("If-None-Match", json!({ "type": "string" }), about)
            .example("W/\"4fVq0yXkWJ8sTt5nR2aB\""),
    );
    parameters
}

fn filter(info: &ParameterInfo, schemas: &mut Schemas) -> Parameter {
    let schema = match &info.kind {
        ParameterType::Number(bounds) => integer(*bounds.start(), *bounds.end()),
        ParameterType::Enum(words) => schemas.vocabulary_enum(words),
        ParameterType::Search => text(MAX_SEARCH_LENGTH),
        ParameterType::Boolean => json!({ "type": "boolean" }),
    };
    let mut parameter = Parameter::query(info.name, schema, info.description);
    if let Some(alias) = info.alias {
        parameter = parameter.alias(alias);
    }
    match info.example {
        Some(example) => parameter.example(example),
        None => parameter,
    }
}

fn days() -> Vec<Parameter> {
    let query = Parameter::query;
    vec![
        // No example: one would conflict with those of the bounds.
        query("date", date(), "One day. By default today. Not with `fromDate` or `toDate`."),
        query(
            "fromDate",
            date(),
            "The first day, at most 366 with the last one; alone, a year from it. `startDate` is another name for it.",
        )
        .alias("startDate")
        .example("2026-11-16"),
        query("toDate", date(), "The last day; alone, a year up to it. `endDate` is another name for it.")
            .alias("endDate")
            .example("2026-11-20"),
    ]
}

fn paging(definition: &ResourceDefinition, size: u32, schemas: &mut Schemas) -> Vec<Parameter> {
    let mut sizes = integer(1, i64::from(PageRequest::MAX_SIZE));
    sizes["default"] = json!(size);
    let mut pages = integer(0, i64::from(i32::MAX));
    pages["default"] = json!(0);
    let mut parameters = vec![
        Parameter::query("page", pages, "The page, counted from 0."),
        Parameter::query("size", sizes, "Records per page."),
    ];
    if !definition.sorts.is_empty() {
        let name = format!(
            "{}SortBy",
            definition.record.name.trim_end_matches("ResDto")
        );
        let sorts = schemas.string_enum(&name, &definition.sort_names().collect::<Vec<_>>());
        parameters.push(Parameter::query(
            "sortBy",
            sorts,
            "Field to sort by. By default the id. Missing values come last.",
        ));
    }
    parameters.push(Parameter::query(
        "sortDirection",
        schemas.for_type::<SortDirection>(),
        "Sort direction. By default `ASC`.",
    ));
    // No example: it would conflict with the page and the order, which have defaults.
    parameters.push(Parameter::query("updatedSince", cursor(), UPDATED_SINCE));
    parameters
}

/// Schema of `0`, or of a cursor from a response.
fn cursor() -> Value {
    json!({ "type": "string", "pattern": "^(0|[0-9a-f]{1,16}-[0-9a-f]{1,16}-[0-9a-f]{1,16})$" })
}

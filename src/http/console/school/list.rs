use http::StatusCode;

use super::filter::Filter;
use super::{kind_of, path_of, title_of};
use crate::directory::QueryError;
use crate::domain::{PageRequest, RecordKind};
use crate::http::console::data::{display_value, filter_fields};
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{ListLink, PageLinks, RecordRow, RecordsPage, TableCell};
use crate::import::{RecordPage, definition, record_page};

/// Number of records on a page.
const PAGE_SIZE: u32 = 50;

/// `GET /admin/school/{list}`.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let (kind, management, text) = (kind_of(request)?, request.management(), request.texts());
    let (snapshot, school) = (management.school_snapshot().await?, management.school()?);
    let (query, definition) = (request.query()?, definition(school, kind));
    let known = definition.parameter_names();
    let sent = query
        .pairs()
        .filter(|(name, value)| known.contains(name) && !value.is_empty() && *name != "size");
    let size = PAGE_SIZE.to_string();
    let parameters: Vec<(&str, &str)> = sent.chain([("size", &*size)]).collect();
    let value = |name: &str| query.value(name).unwrap_or_default();
    let found = record_page(school, &snapshot, kind, &parameters);
    let problem = found.is_err().then_some(text.filters_have_faults);
    let invalid = match &found {
        Err(QueryError::Invalid { name, .. }) => Some(*name),
        _ => None,
    };
    let found = found.unwrap_or(RecordPage {
        total: 0,
        records: Vec::new(),
    });
    let filter = Filter::new(school, kind, query.pairs());
    if problem.is_none() {
        let names = filter.names(school, kind);
        request.record_data_viewed(kind.as_str(), names, found.records.len());
    }
    let columns = definition.record.fields.iter();
    let columns: Vec<_> = columns
        .filter(|field| !field.is_omitted_from_table && !matches!(field.name, "id" | "name"))
        .filter(|field| field.name != "description")
        .collect();
    let label = |name: &'static str| text.school.field(name).unwrap_or(name);
    let rows = found.records.iter().map(|record| RecordRow {
        id: record.id,
        select: text.editor.select(&record.name),
        name: record.name.clone(),
        cells: columns
            .iter()
            .map(|field| TableCell {
                label: label(field.name),
                value: display_value(field, &record.json[field.name], text),
                is_hidden: false,
            })
            .collect(),
    });
    let number = query.value("page").and_then(|number| number.parse().ok());
    let page = PageRequest::new(number.unwrap_or(0), PAGE_SIZE).unwrap_or(PageRequest::LARGEST);
    let (filters, more_filters) = filter_fields(definition, value, invalid, text)
        .into_iter()
        .filter(|(field, _)| field.name != "size")
        .partition::<Vec<_>, _>(|(_, is_advanced)| !is_advanced);
    let more_is_open = more_filters
        .iter()
        .any(|(field, _)| !value(field.name).is_empty());
    let view = RecordsPage {
        text,
        layout: request.layout("school"),
        kinds: kinds(request, kind),
        title: title_of(kind, text),
        action: request.server.href(&path_of(kind)),
        filters: filters.into_iter().map(|(field, _)| field).collect(),
        more_filters: more_filters.into_iter().map(|(field, _)| field).collect(),
        more_is_open,
        problem,
        columns: columns.iter().map(|field| label(field.name)).collect(),
        rows: rows.collect(),
        page_links: PageLinks::new(found.total, page, text, |page| {
            query.href_with("page", &page.to_string())
        }),
        filter: filter.to_query(),
        count: found.total,
        version: snapshot.version().number,
        these_as_csv: text.editor.these_as_csv(found.total),
        these_as_json: text.editor.these_as_json(found.total),
        change_all: text.editor.change_all(found.total),
    };
    request.render(StatusCode::OK, &view)
}

/// Links to the lists.
fn kinds(request: &UserRequest<'_>, current: RecordKind) -> Vec<ListLink> {
    let link = |kind: &RecordKind| ListLink {
        href: request.server.href(&path_of(*kind)),
        label: title_of(*kind, request.texts()),
        is_current: *kind == current,
    };
    RecordKind::ALL.iter().map(link).collect()
}

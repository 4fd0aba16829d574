//! Rendering of query results as response bodies.

use super::csv::CsvTable;
use super::error::Error;
use super::format::Format;
use super::list_registry::ListState;
use super::representation::{PageLinks, Representation};
use crate::directory::{
    Cursor, DeltaInfo, Query, QueryKind, QueryableList, RenderOptions, ResultSet, UPDATED_SINCE,
};
use crate::domain::HiddenFields;

/// Formats of this query, the default first. Changes are JSON only, because CSV and NDJSON rows
/// cannot carry the ids of deleted records.
pub(super) const fn supported_formats(query: &Query) -> &'static [Format] {
    match query.kind {
        QueryKind::Page { .. } => &[Format::Json, Format::Csv, Format::Ndjson],
        QueryKind::Changes { .. } | QueryKind::Days(_) => &[Format::Json],
    }
}

/// Whether the response is rendered inline: with few records to examine, a switch to another thread
/// takes longer.
pub(super) fn is_cheap(state: &ListState, query: &Query, format: Format) -> bool {
    const MAX_INLINE_COST: usize = 5_000;
    format == Format::Json && state.list().estimated_cost(query) <= MAX_INLINE_COST
}

/// Renders the result of a query, without the hidden fields.
pub(super) fn render(
    state: &ListState,
    query: &Query,
    format: Format,
    hidden: HiddenFields,
) -> Result<Representation, Error> {
    let Some(found) = state.select(query) else {
        return Err(Error::updated_since_unknown(UPDATED_SINCE));
    };
    let (list, options) = (
        state.list(),
        RenderOptions {
            hidden,
            render_flag: query.render_flag,
        },
    );
    prefetch(list, &found.positions);
    let (total, path) = (found.total, list.definition().path);
    let (leading_fields, links) = match (query.kind, &found.changes) {
        (QueryKind::Page { page, .. }, _) => {
            let pages = page.pages(total);
            let links = PageLinks::Pages {
                path,
                page: page.page(),
                pages,
                total,
            };
            (
                format!(r#""totalPages":{pages},"totalElements":{total},"#),
                links,
            )
        }
        (QueryKind::Changes { size, .. }, Some(changes)) => {
            let links = if changes.has_more {
                PageLinks::Changes {
                    path,
                    next: changes.next,
                }
            } else {
                PageLinks::None
            };
            (change_fields(total, size, changes), links)
        }
        (QueryKind::Changes { .. } | QueryKind::Days(_), _) => (String::new(), PageLinks::None),
    };
    let body = match format {
        Format::Json => json_envelope(list, options, &leading_fields, &found),
        Format::Csv => csv_table(list, options, &found),
        Format::Ndjson => ndjson(list, options, &found),
        // Lists are not offered in it.
        Format::ICalendar => return Err(Error::no_format(supported_formats(query))),
    };
    Ok(Representation::new(format, body, links))
}

/// Renders the success envelope around the records. `leading_fields` precedes them in `data` and
/// ends in a comma unless it is empty.
fn json_envelope(
    list: &dyn QueryableList,
    options: RenderOptions,
    leading_fields: &str,
    found: &ResultSet,
) -> Vec<u8> {
    let name = list.definition().name;
    let mut body =
        format!(r#"{{"status":"OK","code":200,"message":"OK","data":{{{leading_fields}"{name}":["#)
            .into_bytes();
    let (start, count) = (body.len(), found.positions.len());
    for (at, position) in found.positions.iter().enumerate() {
        if at > 0 {
            body.push(b',');
        }
        list.write_json(*position, options, &mut body);
        if at == 0 {
            // Reserves room for records of this length and some more, so that a long list is not
            // copied repeatedly as it grows.
            body.reserve((body.len() - start) * count * 9 / 8);
        }
    }
    body.extend_from_slice(b"]}}");
    body
}

/// Renders CSV with one row per record (RFC 4180).
fn csv_table(list: &dyn QueryableList, options: RenderOptions, found: &ResultSet) -> Vec<u8> {
    let columns = list.definition().record.columns();
    let (mut table, mut record) = (CsvTable::new(&columns), Vec::new());
    for position in &found.positions {
        record.clear();
        list.write_json(*position, options, &mut record);
        table.push(&record);
    }
    table.into_bytes()
}

/// Renders one line of JSON per record.
fn ndjson(list: &dyn QueryableList, options: RenderOptions, found: &ResultSet) -> Vec<u8> {
    let mut lines = Vec::new();
    for position in &found.positions {
        list.write_json(*position, options, &mut lines);
        lines.push(b'\n');
    }
    lines
}

/// Members of `data` before the changed records.
fn change_fields(total: u64, size: u32, changes: &DeltaInfo) -> String {
    let (pages, next, more) = (total.div_ceil(size.into()), changes.next, changes.has_more);
    let deleted = changes
        .deleted
        .iter()
        .map(i64::to_string)
        .collect::<Vec<_>>()
        .join(",");
    format!(
        r#""totalPages":{pages},"totalElements":{total},"cursor":"{next}","more":{more},"deleted":[{deleted}],"#
    )
}

/// Reads one byte of every cache line of the cached records. The records of a page are scattered in
/// memory: the processor loads many lines in parallel when it only reads, and few when it copies.
fn prefetch(list: &dyn QueryableList, positions: &[u32]) {
    const LINE: usize = 64;
    let kept = positions
        .iter()
        .filter_map(|position| list.cached_json(*position));
    std::hint::black_box(
        kept.flat_map(|rendering| rendering.iter().step_by(LINE))
            .fold(0, |read, byte| read ^ byte),
    );
}

/// `Link` value for the next changes.
pub(super) fn link_to_changes(base: &str, query: &str, next: Cursor) -> String {
    format!("<{base}?{query}{UPDATED_SINCE}={next}>; rel=\"next\"")
}

/// `Link` value (RFC 8288) for the first, previous, next and last page, as far as they exist.
pub(super) fn links_to_pages(base: &str, query: &str, page: u64, pages: u64) -> String {
    let last = pages.saturating_sub(1);
    let previous = page.checked_sub(1).map(|previous| previous.min(last));
    let next = Some(page + 1).filter(|next| *next <= last);
    let relations = [
        ("first", Some(0)),
        ("prev", previous),
        ("next", next),
        ("last", Some(last)),
    ];
    let links = relations.iter().filter_map(|(name, page)| {
        page.map(|page| format!("<{base}?{query}page={page}>; rel=\"{name}\""))
    });
    links.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    // Proves: spec 2.4
    #[test]
    fn a_page_in_the_middle_has_four_links() {
        assert_eq!(
            links_to_pages("https://api.example/v1/clubs", "size=2&", 2, 5),
            "<https://api.example/v1/clubs?size=2&page=0>; rel=\"first\", <https://api.example/v1/clubs?size=2&page=1>; rel=\"prev\", \
             <https://api.example/v1/clubs?size=2&page=3>; rel=\"next\", <https://api.example/v1/clubs?size=2&page=4>; rel=\"last\""
        );
    }

    // Proves: spec 2.4
    #[test]
    fn the_first_page_has_no_prev_and_the_last_no_next() {
        let relations = |page, pages| {
            let links = links_to_pages("", "", page, pages);
            ["first", "prev", "next", "last"]
                .into_iter()
                .filter(|name| links.contains(&format!("\"{name}\"")))
                .collect::<Vec<_>>()
        };
        assert_eq!(relations(0, 2), ["first", "next", "last"]);
        assert_eq!(relations(1, 2), ["first", "prev", "last"]);
        assert_eq!(relations(0, 1), ["first", "last"]);
        assert_eq!(relations(0, 0), ["first", "last"]);
    }

    // Proves: spec 2.4
    #[test]
    fn past_the_end_the_previous_page_is_the_last() {
        assert_eq!(
            links_to_pages("", "", 2_147_483_647, 3),
            "<?page=0>; rel=\"first\", <?page=2>; rel=\"prev\", <?page=2>; rel=\"last\""
        );
        assert_eq!(
            links_to_pages("", "", 7, 0),
            "<?page=0>; rel=\"first\", <?page=0>; rel=\"prev\", <?page=0>; rel=\"last\""
        );
    }
}

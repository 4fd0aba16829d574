//! What a query found as the body of an answer.

use super::answer::{Answer, Rest};
use super::csv;
use super::failure::Failure;
use super::format::Format;
use super::lists::ListState;
use crate::directory::{CHANGES, ChangeInfo, Cursor, Listed, Query, RenderOptions, Request, Selected};
use crate::domain::HiddenFields;

/// The formats of this query, the default first. Rows cannot carry the ids of deleted records, so changes are JSON only.
pub(super) const fn formats(query: &Query) -> &'static [Format] {
    match query.request {
        Request::Page { .. } => &[Format::Json, Format::Csv, Format::Lines],
        Request::Changes { .. } | Request::Days(_) => &[Format::Json],
    }
}

/// Whether the answer is made at once and not on another thread: few records are looked at, so the way there and back takes longer.
pub(super) fn is_quick(state: &ListState, query: &Query, format: Format) -> bool {
    const FEW: usize = 5_000;
    format == Format::Json && state.list().looked_at(query) <= FEW
}

/// The answer to a key that does without some fields.
pub(super) fn answer(state: &ListState, query: &Query, format: Format, hidden: HiddenFields) -> Result<Answer, Failure> {
    let Some(found) = state.select(query) else { return Err(Failure::UpdatedSinceUnknown { name: CHANGES }) };
    let (list, options) = (state.list(), RenderOptions { hidden, switch: query.switch });
    prefetch(list, &found.positions);
    let (total, path) = (found.total, list.definition().path);
    let (before, rest) = match (query.request, &found.changes) {
        (Request::Page { page, .. }, _) => {
            let pages = page.pages(total);
            let rest = Rest::Pages { path, page: page.page(), pages, total };
            (format!(r#""totalPages":{pages},"totalElements":{total},"#), rest)
        }
        (Request::Changes { size, .. }, Some(changes)) => {
            let rest = if changes.more { Rest::Changes { path, next: changes.next } } else { Rest::None };
            (before_changes(total, size, changes), rest)
        }
        (Request::Changes { .. } | Request::Days(_), _) => (String::new(), Rest::None),
    };
    let body = match format {
        Format::Json => json(list, options, &before, &found),
        Format::Csv => table(list, options, &found),
        Format::Lines => lines(list, options, &found),
    };
    Ok(Answer::new(format, body, rest))
}

/// The success envelope around the records. `before` stands before them in `data` and ends in a comma, if there is anything.
fn json(list: &dyn Listed, options: RenderOptions, before: &str, found: &Selected) -> Vec<u8> {
    let name = list.definition().name;
    let mut body = format!(r#"{{"status":"OK","code":200,"message":"OK","data":{{{before}"{name}":["#).into_bytes();
    let (start, count) = (body.len(), found.positions.len());
    for (at, position) in found.positions.iter().enumerate() {
        if at > 0 {
            body.push(b',');
        }
        list.write(*position, options, &mut body);
        if at == 0 {
            // Room for as many of this length and some more, so that a long list is not copied again and again as it grows.
            body.reserve((body.len() - start) * count * 9 / 8);
        }
    }
    body.extend_from_slice(b"]}}");
    body
}

/// A table with a row for each record (RFC 4180).
fn table(list: &dyn Listed, options: RenderOptions, found: &Selected) -> Vec<u8> {
    let columns = list.definition().record.columns();
    let (mut table, mut record) = (Vec::new(), Vec::new());
    csv::write_names(&mut table, &columns);
    for position in &found.positions {
        record.clear();
        list.write(*position, options, &mut record);
        csv::write_row(&mut table, &columns, &record);
    }
    table
}

/// A line of JSON for each record.
fn lines(list: &dyn Listed, options: RenderOptions, found: &Selected) -> Vec<u8> {
    let mut lines = Vec::new();
    for position in &found.positions {
        list.write(*position, options, &mut lines);
        lines.push(b'\n');
    }
    lines
}

/// What stands before the changed records.
fn before_changes(total: u64, size: u32, changes: &ChangeInfo) -> String {
    let (pages, next, more) = (total.div_ceil(size.into()), changes.next, changes.more);
    let deleted = changes.gone.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
    format!(r#""totalPages":{pages},"totalElements":{total},"cursor":"{next}","more":{more},"deleted":[{deleted}],"#)
}

/// Reads a byte of every cache line of the renderings that are kept. Those of a page lie far from each other: the processor waits for many
/// lines at a time where it only reads, and for few where it copies.
fn prefetch(list: &dyn Listed, positions: &[u32]) {
    const LINE: usize = 64;
    let kept = positions.iter().filter_map(|position| list.kept(*position));
    std::hint::black_box(kept.flat_map(|rendering| rendering.iter().step_by(LINE)).fold(0, |read, byte| read ^ byte));
}

/// The value of a `Link` header to the changes that follow.
pub(super) fn link_to_changes(base: &str, query: &str, next: Cursor) -> String {
    format!("<{base}?{query}{CHANGES}={next}>; rel=\"next\"")
}

/// The value of a `Link` header (RFC 8288): first, prev, next and last page, as far as there are such.
pub(super) fn links_to_pages(base: &str, query: &str, page: u64, pages: u64) -> String {
    let last = pages.saturating_sub(1);
    let previous = page.checked_sub(1).map(|previous| previous.min(last));
    let next = Some(page + 1).filter(|next| *next <= last);
    let relations = [("first", Some(0)), ("prev", previous), ("next", next), ("last", Some(last))];
    let present = relations.iter().filter_map(|(name, page)| page.map(|page| format!("<{base}?{query}page={page}>; rel=\"{name}\"")));
    present.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decision_2_4_a_page_in_the_middle_has_four_links() {
        assert_eq!(
            links_to_pages("https://api.example/v1/clubs", "size=2&", 2, 5),
            "<https://api.example/v1/clubs?size=2&page=0>; rel=\"first\", <https://api.example/v1/clubs?size=2&page=1>; rel=\"prev\", \
             <https://api.example/v1/clubs?size=2&page=3>; rel=\"next\", <https://api.example/v1/clubs?size=2&page=4>; rel=\"last\""
        );
    }

    #[test]
    fn decision_2_4_nothing_comes_before_the_first_page_or_after_the_last() {
        let relations = |page, pages| {
            let links = links_to_pages("", "", page, pages);
            ["first", "prev", "next", "last"].into_iter().filter(|name| links.contains(&format!("\"{name}\""))).collect::<Vec<_>>()
        };
        assert_eq!(relations(0, 2), ["first", "next", "last"]);
        assert_eq!(relations(1, 2), ["first", "prev", "last"]);
        assert_eq!(relations(0, 1), ["first", "last"]);
        assert_eq!(relations(0, 0), ["first", "last"]);
    }

    #[test]
    fn decision_2_4_past_the_end_the_previous_page_is_the_last() {
        assert_eq!(links_to_pages("", "", 2_147_483_647, 3), "<?page=0>; rel=\"first\", <?page=2>; rel=\"prev\", <?page=2>; rel=\"last\"");
        assert_eq!(links_to_pages("", "", 7, 0), "<?page=0>; rel=\"first\", <?page=0>; rel=\"prev\", <?page=0>; rel=\"last\"");
    }
}

use super::answer::{Answer, Rest};
use super::failure::Failure;
use super::format::Format;
use super::parameters::{Parameters, integer};
use super::{reply, rows};
use crate::domain::{Direction, Page, PageRequest, Record};

/// Takes `page` and `size`.
pub(super) fn take_page(parameters: &mut Parameters<'_>, default_size: u32) -> Result<PageRequest, Failure> {
    let page = parameters.take("page", integer(|page| PageRequest::new(number(page), 1)))?;
    let page = page.map_or(0, PageRequest::page);
    let size = take_size(parameters)?.unwrap_or(default_size);
    PageRequest::new(page, size).map_err(|rule| Failure::ParameterInvalid { name: "size", rule })
}

/// Takes `size`.
pub(super) fn take_size(parameters: &mut Parameters<'_>) -> Result<Option<u32>, Failure> {
    let size = parameters.take("size", integer(|size| PageRequest::new(0, number(size))))?;
    Ok(size.map(PageRequest::size))
}

/// Takes `sortDirection`.
pub(super) fn take_direction(parameters: &mut Parameters<'_>) -> Result<Direction, Failure> {
    Ok(parameters.take("sortDirection", str::parse)?.unwrap_or(Direction::Ascending))
}

/// What does not fit is above either limit, or below it; both are refused alike.
fn number(number: i64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// A list that comes in pages.
pub(super) struct List {
    pub(super) path: &'static str,
    /// Its name in `data`.
    pub(super) field: &'static str,
    /// Its columns as a table.
    pub(super) columns: &'static [&'static str],
}

/// The answer with one page of a list. `write` appends the JSON of a record.
pub(super) fn answer<T>(
    list: &List,
    page: &Page<'_, T>,
    request: PageRequest,
    format: Format,
    write: impl Fn(&Record<T>, &mut Vec<u8>),
) -> Answer {
    let (total, pages) = (page.total, request.pages(page.total));
    reply::prefetch(&page.items);
    let records = page.items.iter().copied();
    let body = match format {
        Format::Json => reply::list(&format!(r#""totalPages":{pages},"totalElements":{total},"#), list.field, records, write),
        Format::Csv => rows::table(list.columns, records, write),
        Format::Lines => rows::lines(records, write),
    };
    Answer::new(format, body, Rest::Pages { path: list.path, page: request.page(), pages, total })
}

/// The value of a `Link` header (RFC 8288): first, prev, next and last page, as far as there are such.
pub(super) fn links(base: &str, query: &str, page: u64, pages: u64) -> String {
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
            links("https://api.example/v1/clubs", "size=2&", 2, 5),
            "<https://api.example/v1/clubs?size=2&page=0>; rel=\"first\", <https://api.example/v1/clubs?size=2&page=1>; rel=\"prev\", \
             <https://api.example/v1/clubs?size=2&page=3>; rel=\"next\", <https://api.example/v1/clubs?size=2&page=4>; rel=\"last\""
        );
    }

    #[test]
    fn decision_2_4_nothing_comes_before_the_first_page_or_after_the_last() {
        let relations = |page, pages| {
            let links = links("", "", page, pages);
            ["first", "prev", "next", "last"].into_iter().filter(|name| links.contains(&format!("\"{name}\""))).collect::<Vec<_>>()
        };
        assert_eq!(relations(0, 2), ["first", "next", "last"]);
        assert_eq!(relations(1, 2), ["first", "prev", "last"]);
        assert_eq!(relations(0, 1), ["first", "last"]);
        assert_eq!(relations(0, 0), ["first", "last"]);
    }

    #[test]
    fn decision_2_4_past_the_end_the_previous_page_is_the_last() {
        assert_eq!(links("", "", 2_147_483_647, 3), "<?page=0>; rel=\"first\", <?page=2>; rel=\"prev\", <?page=2>; rel=\"last\"");
        assert_eq!(links("", "", 7, 0), "<?page=0>; rel=\"first\", <?page=0>; rel=\"prev\", <?page=0>; rel=\"last\"");
    }
}

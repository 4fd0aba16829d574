//! Pages of the school's data.

use std::borrow::Cow;

use askama::Template;
use serde::Serialize;

use super::{CodeSample, Layout, SelectOption, grouped};
use crate::domain::PageRequest;
use crate::http::pages::texts::Texts;

/// Link to a list.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ListLink {
    pub(crate) href: String,
    pub(crate) label: &'static str,
    pub(crate) is_current: bool,
}

/// A selectable API key.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct KeyOption {
    /// Empty for the role of an administrator.
    pub(crate) value: String,
    pub(crate) label: String,
    pub(crate) is_on: bool,
}

/// Input of a filter.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct FilterField {
    pub(crate) name: &'static str,
    pub(crate) label: &'static str,
    pub(crate) kind: &'static str,
    /// What an empty input shows.
    pub(crate) placeholder: Option<String>,
    /// Allowed range of a number.
    pub(crate) bounds: Option<(i64, i64)>,
    pub(crate) value: String,
    pub(crate) choices: Vec<SelectOption>,
    pub(crate) error: Option<Cow<'static, str>>,
}

/// Hidden field of a form.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct DataInput {
    pub(crate) name: &'static str,
    pub(crate) value: String,
}

/// An active filter.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct FilterChip {
    pub(crate) label: &'static str,
    pub(crate) value: String,
    /// URI of the page without the filter.
    pub(crate) href: String,
}

/// Column of the table, with its sort link.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct TableColumn {
    pub(crate) label: &'static str,
    pub(crate) sort_href: Option<String>,
    pub(crate) order: Option<&'static str>,
    pub(crate) is_number: bool,
}

/// Cell of the editor's table.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct TableCell {
    pub(crate) label: &'static str,
    pub(crate) value: String,
    pub(crate) is_hidden: bool,
}

/// A value, with the page that it links to.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct CellPart {
    pub(crate) text: String,
    pub(crate) href: Option<String>,
    /// Whether the link leads to another site.
    pub(crate) is_external: bool,
}

/// Cell of the table, or field of a record: a value, or those of a list.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct DataCell {
    pub(crate) label: &'static str,
    pub(crate) parts: Vec<CellPart>,
    pub(crate) is_hidden: bool,
    pub(crate) is_number: bool,
}

impl DataCell {
    /// The values without links.
    pub(crate) fn joined(&self) -> String {
        let parts: Vec<&str> = self.parts.iter().map(|part| &*part.text).collect();
        parts.join(", ")
    }
}

/// Row of the table.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct TableRow {
    /// URI of the record's page, if it has one.
    pub(crate) href: Option<String>,
    pub(crate) cells: Vec<DataCell>,
}

/// A column that can be shown.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ColumnOption {
    pub(crate) name: &'static str,
    pub(crate) label: &'static str,
    pub(crate) is_on: bool,
}

/// Form that chooses the columns.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ColumnChooser {
    /// Name of the fields.
    pub(crate) name: &'static str,
    pub(crate) summary: String,
    pub(crate) options: Vec<ColumnOption>,
    pub(crate) inputs: Vec<DataInput>,
}

/// Form of the downloads.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct DownloadForm {
    pub(crate) csv: String,
    pub(crate) xlsx: String,
    /// Name of the field with the headings.
    pub(crate) headings: &'static str,
    pub(crate) options: Vec<SelectOption>,
    /// Name of the field for the byte-order mark.
    pub(crate) byte_order_mark: &'static str,
    pub(crate) has_byte_order_mark: bool,
    /// Rows of each file of a list that is too long for one; empty for others.
    pub(crate) parts: Vec<SelectOption>,
    pub(crate) inputs: Vec<DataInput>,
}

/// What sets the look of the table, and the downloads.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct TableControls {
    pub(crate) is_dense: bool,
    pub(crate) densities: [ListLink; 2],
    pub(crate) columns: ColumnChooser,
    pub(crate) download: DownloadForm,
}

/// Links to the days around the day of the page.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct DayLinks {
    pub(crate) day: String,
    pub(crate) previous: Option<String>,
    pub(crate) next: Option<String>,
    pub(crate) week: Option<String>,
}

/// What is in place of a table without rows.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct EmptyTable {
    pub(crate) message: String,
    /// Label and URI of what finds or makes something.
    pub(crate) action: Option<(&'static str, String)>,
}

/// What the rows of a table are, in its count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counted {
    Entries,
    People,
}

/// Position in a table, links to other pages, and a form for a jump.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct TablePager {
    pub(crate) summary: String,
    pub(crate) first: Option<String>,
    pub(crate) previous: Option<String>,
    pub(crate) next: Option<String>,
    pub(crate) last: Option<String>,
    /// The shown page, counted from 1.
    pub(crate) page: u64,
    pub(crate) pages: u64,
    /// Name of the field with the page number.
    pub(crate) jump: &'static str,
    pub(crate) inputs: Vec<DataInput>,
}

impl TablePager {
    /// Links for a table of `total` rows. `address` returns the URI of a page, counted from 0.
    pub(crate) fn new(
        total: u64,
        page: PageRequest,
        jump: &'static str,
        inputs: Vec<DataInput>,
        (counted, text): (Counted, &'static Texts),
        address: impl Fn(u32) -> String,
    ) -> Self {
        let (number, size) = (page.page(), u64::from(page.size()));
        let pages = total.div_ceil(size).max(1);
        let last = u32::try_from(pages - 1).unwrap_or(u32::MAX);
        let (from, to) = (page.offset() + 1, (page.offset() + size).min(total));
        let is_whole = from > to || pages == 1;
        let (from, to, total) = (grouped(from), grouped(to), grouped(total));
        let summary = match (is_whole, counted) {
            (true, Counted::Entries) => text.entries(total),
            (true, Counted::People) => text.people(total),
            (false, Counted::Entries) => text.rows_of(from, to, total),
            (false, Counted::People) => text.people_of(from, to, total),
        };
        Self {
            summary,
            first: (number > 0).then(|| address(0)),
            previous: number.checked_sub(1).map(|page| address(page.min(last))),
            next: (number < last).then(|| address(number + 1)),
            last: (number < last).then(|| address(last)),
            page: u64::from(number) + 1,
            pages,
            jump,
            inputs,
        }
    }
}

/// Records of a list, with sample requests for the same records.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/data.html")]
pub(crate) struct DataPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) kinds: Vec<ListLink>,
    pub(crate) title: &'static str,
    pub(crate) keys: Vec<KeyOption>,
    /// Whether there is something to choose from, or a role to know of.
    pub(crate) offers_keys: bool,
    pub(crate) action: String,
    /// The filter that is always in view: a part of the name.
    pub(crate) search: Option<FilterField>,
    /// The filters that most readers use.
    pub(crate) filters: Vec<FilterField>,
    /// The other filters.
    pub(crate) more_filters: Vec<FilterField>,
    /// Whether the other filters are in view.
    pub(crate) more_is_open: bool,
    /// Whether a filter has an error.
    pub(crate) filters_are_open: bool,
    /// Hidden fields of the filter form.
    pub(crate) filter_inputs: Vec<DataInput>,
    pub(crate) chips: Vec<FilterChip>,
    /// URI of the page without filters.
    pub(crate) clear: Option<String>,
    pub(crate) days: Option<DayLinks>,
    pub(crate) problem: Option<String>,
    pub(crate) controls: Option<TableControls>,
    pub(crate) columns: Vec<TableColumn>,
    pub(crate) rows: Vec<TableRow>,
    pub(crate) empty: Option<EmptyTable>,
    pub(crate) pager: TablePager,
    pub(crate) samples: Vec<CodeSample>,
}

/// One record of a list.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/data_record.html")]
pub(crate) struct DataRecordPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    /// Title of the list.
    pub(crate) list: &'static str,
    /// URI of the list.
    pub(crate) back: String,
    pub(crate) title: String,
    pub(crate) facts: Vec<DataCell>,
    /// Lists of records that belong to this one.
    pub(crate) related: Vec<ListLink>,
    /// URI of the record in the editor, for administrators.
    pub(crate) edit: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::pages::texts::EN;

    #[test]
    fn the_pager_says_which_rows_are_shown_and_links_only_to_other_pages() {
        let pager = |total, number| {
            let page = PageRequest::new(number, 25).unwrap();
            TablePager::new(
                total,
                page,
                "p",
                Vec::new(),
                (Counted::Entries, &EN),
                |page| page.to_string(),
            )
        };
        for (total, number, summary, links) in [
            (0, 0, "0 entries", [None, None, None, None]),
            (25, 0, "25 entries", [None, None, None, None]),
            (72, 0, "1–25 of 72", [None, None, Some("1"), Some("2")]),
            (
                72,
                1,
                "26–50 of 72",
                [Some("0"), Some("0"), Some("2"), Some("2")],
            ),
            (72, 2, "51–72 of 72", [Some("0"), Some("1"), None, None]),
            // Past the end, the previous page is the last.
            (72, 9, "72 entries", [Some("0"), Some("2"), None, None]),
            (
                1176,
                42,
                "1,051–1,075 of 1,176",
                [Some("0"), Some("41"), Some("43"), Some("47")],
            ),
        ] {
            let made = pager(total, number);
            let found = [made.first, made.previous, made.next, made.last];
            let found = found.each_ref().map(Option::as_deref);
            assert_eq!(
                (&*made.summary, found),
                (summary, links),
                "{total} {number}"
            );
        }
    }
}

use serde::Serialize;

use super::grouped;
use crate::domain::PageRequest;
use crate::http::pages::texts::Texts;

/// Position in a list, and links to the pages before and after.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct PageLinks {
    pub(crate) summary: String,
    pub(crate) previous: Option<String>,
    pub(crate) next: Option<String>,
}

impl PageLinks {
    /// Links for a list of `total` entries. `address` returns the URI of a page, counted from 0.
    pub(crate) fn new(
        total: u64,
        page: PageRequest,
        text: &'static Texts,
        address: impl Fn(u32) -> String,
    ) -> Self {
        Self::counted(text.entries(grouped(total)), total, page, text, address)
    }

    /// The same with other words for the number of entries.
    pub(crate) fn counted(
        entries: String,
        total: u64,
        page: PageRequest,
        text: &'static Texts,
        address: impl Fn(u32) -> String,
    ) -> Self {
        let (number, size) = (page.page(), u64::from(page.size()));
        let last = total.div_ceil(size).max(1);
        let shown = u64::from(number) + 1;
        let position = format!("{} / {}", grouped(shown), grouped(last));
        let summary = if last == 1 {
            entries
        } else {
            format!("{} · {entries}", text.page_of(position))
        };
        Self {
            summary,
            previous: number.checked_sub(1).map(&address),
            next: (shown < last).then(|| address(number.saturating_add(1))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::pages::texts::EN;

    /// Fails if the last page has a link to a next one.
    #[test]
    fn pages_lead_to_those_beside_them() {
        let links = |total, number| {
            let page = PageRequest::new(number, 20).unwrap();
            PageLinks::new(total, page, &EN, |page| format!("?page={page}"))
        };
        for (total, number, previous, next) in [
            (0, 0, None, None),
            (20, 0, None, None),
            (21, 0, None, Some("?page=1")),
            (41, 1, Some("?page=0"), Some("?page=2")),
            (41, 2, Some("?page=1"), None),
            (0, 7, Some("?page=6"), None),
        ] {
            let pages = links(total, number);
            assert_eq!(
                (pages.previous.as_deref(), pages.next.as_deref()),
                (previous, next),
                "{total} {number}"
            );
        }
        assert_eq!(
            [(1, 0), (41, 1), (1176, 1)].map(|(total, number)| links(total, number).summary),
            [
                "1 entry",
                "Page 2 / 3 · 41 entries",
                "Page 2 / 59 · 1,176 entries"
            ]
        );
    }
}

use crate::domain::PageRequest;
use serde::Serialize;

use crate::http::pages::texts::Texts;

/// Which page of a list this is, and the way to those beside it.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Pages {
    pub(crate) summary: String,
    pub(crate) previous: Option<String>,
    pub(crate) next: Option<String>,
}

impl Pages {
    /// The way around a list of `total` entries. `address` is that of a page, counted from 0.
    pub(crate) fn of(total: u64, page: PageRequest, text: &'static Texts, address: impl Fn(u32) -> String) -> Self {
        let (number, size) = (page.page(), u64::from(page.size()));
        let last = total.div_ceil(size).max(1);
        let entries = text.entries.of(total);
        let shown = u64::from(number) + 1;
        let summary = if last == 1 { entries } else { format!("{} · {entries}", text.page_of.with(format_args!("{shown} / {last}"))) };
        Self { summary, previous: number.checked_sub(1).map(&address), next: (shown < last).then(|| address(number.saturating_add(1))) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::pages::Language;

    /// Fails if the last page leads on.
    #[test]
    fn pages_lead_to_those_beside_them() {
        let of = |total, number| {
            let page = PageRequest::new(number, 20).unwrap();
            Pages::of(total, page, Language::English.texts(), |page| format!("?page={page}"))
        };
        for (total, number, previous, next) in [
            (0, 0, None, None),
            (20, 0, None, None),
            (21, 0, None, Some("?page=1")),
            (41, 1, Some("?page=0"), Some("?page=2")),
            (41, 2, Some("?page=1"), None),
            (0, 7, Some("?page=6"), None),
        ] {
            let pages = of(total, number);
            assert_eq!((pages.previous.as_deref(), pages.next.as_deref()), (previous, next), "{total} {number}");
        }
        assert_eq!((&*of(1, 0).summary, &*of(41, 1).summary), ("1 entry", "Page \u{2068}2 / 3\u{2069} · 41 entries"));
    }
}

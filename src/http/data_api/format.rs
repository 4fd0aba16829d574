use http::HeaderMap;
use http::header::ACCEPT;

use super::failure::Failure;
use super::weights;

/// What an answer is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Format {
    Json,
    /// A table for spreadsheets (RFC 4180).
    Csv,
    /// A JSON record on each line.
    Lines,
}

impl Format {
    pub(super) const fn media_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Csv => "text/csv",
            Self::Lines => "application/x-ndjson",
        }
    }

    /// The media type with what a reader has to know beside it.
    pub(super) const fn content_type(self) -> &'static str {
        match self {
            Self::Csv => "text/csv; charset=utf-8; header=present",
            Self::Json | Self::Lines => self.media_type(),
        }
    }

    /// The format that the client wants most of those offered, the first of which wins a tie (RFC 9110 §12.5.1).
    ///
    /// # Errors
    /// When it wants none of them.
    pub(super) fn chosen(headers: &HeaderMap, offered: &'static [Self]) -> Result<Self, Failure> {
        let wish = |format: &Self| wish(headers, format.media_type()).weight;
        // The last of equals is taken.
        let best = offered.iter().rev().max_by_key(|format| wish(format)).filter(|format| wish(format) > 0);
        best.copied().ok_or(Failure::NotAcceptable(offered))
    }
}

/// Whether a client wants its errors as RFC 9457 has them: it says so by name, and ranks JSON no higher.
pub(super) fn prefers_problems(headers: &HeaderMap) -> bool {
    let problem = wish(headers, "application/problem+json");
    problem.exactness == EXACT && problem.weight > 0 && problem.weight >= wish(headers, Format::Json.media_type()).weight
}

/// How much a media type is wanted, and how exactly it was named.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Wish {
    exactness: u8,
    weight: u16,
}

const EXACT: u8 = 3;

/// The most exact of the ranges that a media type is in decides. Who wants nothing in particular, or nothing that can be read, wants anything.
fn wish(headers: &HeaderMap, media_type: &str) -> Wish {
    let mut ranges = weights::members(headers, ACCEPT).filter(|(range, _)| *range == "*" || range.contains('/')).peekable();
    if ranges.peek().is_none() {
        return Wish { exactness: 0, weight: 1000 };
    }
    let matching = ranges.filter_map(|(range, weight)| exactness(range, media_type).map(|exactness| Wish { exactness, weight }));
    matching.max().unwrap_or(Wish { exactness: 0, weight: 0 })
}

/// How exactly a range names a media type, if it does.
fn exactness(range: &str, media_type: &str) -> Option<u8> {
    let whole = media_type.split_once('/').map_or(media_type, |(whole, _)| whole);
    match range.strip_suffix("/*").unwrap_or(range) {
        // Java's clients send the asterisk alone.
        "*" => Some(1),
        kind if range.ends_with("/*") => kind.eq_ignore_ascii_case(whole).then_some(2),
        _ => range.eq_ignore_ascii_case(media_type).then_some(EXACT),
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    const ALL: &[Format] = &[Format::Json, Format::Csv, Format::Lines];

    fn accepting(accept: &str) -> HeaderMap {
        HeaderMap::from_iter([(ACCEPT, HeaderValue::from_str(accept).unwrap())])
    }

    fn chosen(accept: &str) -> Option<Format> {
        Format::chosen(&accepting(accept), ALL).ok()
    }

    #[test]
    fn the_format_with_the_highest_weight_wins_and_json_wins_ties() {
        use Format::{Csv, Json, Lines};
        for (accept, format) in [
            ("", Some(Json)),
            (" , ", Some(Json)),
            ("nonsense", Some(Json)),
            ("text/csv;q=2", Some(Json)),
            ("*/*", Some(Json)),
            ("*", Some(Json)),
            ("application/*", Some(Json)),
            ("text/*", Some(Csv)),
            ("text/csv", Some(Csv)),
            ("Text/CSV; charset=utf-8", Some(Csv)),
            ("application/x-ndjson", Some(Lines)),
            ("text/csv, application/json", Some(Json)),
            ("text/csv, application/json;q=0.9", Some(Csv)),
            ("text/csv;q=0.2, application/x-ndjson;q=0.3, */*;q=0.1", Some(Lines)),
            ("text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8", Some(Json)),
            ("text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2", Some(Json)),
            // The most exact range decides, wherever it stands and whatever its weight.
            ("application/json;q=0, */*", Some(Csv)),
            ("*/*, application/json;q=0, text/*;q=0", Some(Lines)),
            ("application/*;q=0, */*;q=0.1", Some(Csv)),
            ("application/*;q=0.1, application/json;q=0.5, text/csv;q=0.4", Some(Json)),
            ("text/html", None),
            ("application/json;q=0", None),
            ("*/*;q=0", None),
            ("*/*;q=0, text/csv;q=0.001", Some(Csv)),
            ("application/problem+json", None),
            ("text/c*", None),
            ("*/csv", None),
        ] {
            assert_eq!(chosen(accept), format, "{accept}");
        }
        assert!(Format::chosen(&accepting("text/csv"), &[Json]).is_err());
        assert_eq!(Format::chosen(&HeaderMap::new(), ALL).ok(), Some(Json));
    }

    #[test]
    fn problems_are_for_those_who_name_them() {
        for (accept, wanted) in [
            ("application/problem+json", true),
            ("application/json, application/problem+json", true),
            ("text/csv, Application/Problem+JSON;q=0.1", true),
            ("application/problem+json;q=0.5, application/*;q=0.4", true),
            ("application/problem+json;q=0.5, application/json", false),
            ("application/problem+json;q=0", false),
            ("application/*", false),
            ("*/*", false),
            ("", false),
        ] {
            assert_eq!(prefers_problems(&accepting(accept)), wanted, "{accept}");
        }
        assert!(!prefers_problems(&HeaderMap::new()));
    }
}

use http::HeaderMap;
use http::header::ACCEPT;

use super::error::Error;
use crate::http::quality_values;

/// Formats of response bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Format {
    Json,
    /// CSV (RFC 4180).
    Csv,
    /// One JSON record per line.
    Ndjson,
    /// iCalendar (RFC 5545), of the calendars alone.
    ICalendar,
}

impl Format {
    pub(super) const fn media_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Csv => "text/csv",
            Self::Ndjson => "application/x-ndjson",
            Self::ICalendar => "text/calendar",
        }
    }

    /// The media type with its parameters.
    pub(super) const fn content_type(self) -> &'static str {
        match self {
            Self::Csv => "text/csv; charset=utf-8; header=present",
            Self::ICalendar => "text/calendar; charset=utf-8",
            Self::Json | Self::Ndjson => self.media_type(),
        }
    }

    /// Selects the format that the client prefers among those offered; the first wins a tie (RFC
    /// 9110 §12.5.1).
    ///
    /// # Errors
    /// When the client accepts none of them.
    pub(super) fn negotiate(headers: &HeaderMap, offered: &'static [Self]) -> Result<Self, Error> {
        let quality = |format: &Self| preference(headers, format.media_type()).weight;
        // Reversed, because `max_by_key` returns the last of equal elements.
        let best = offered
            .iter()
            .rev()
            .max_by_key(|format| quality(format))
            .filter(|format| quality(format) > 0);
        best.copied().ok_or_else(|| Error::no_format(offered))
    }
}

/// Whether the client wants errors as problem details (RFC 9457): it names the media type, and does
/// not rank JSON higher.
pub(super) fn prefers_problem_json(headers: &HeaderMap) -> bool {
    let problem = preference(headers, "application/problem+json");
    problem.specificity == EXACT_SPECIFICITY
        && problem.weight > 0
        && problem.weight >= preference(headers, Format::Json.media_type()).weight
}

/// Weight of a media type, and the specificity of the range that names it.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct MediaTypePreference {
    specificity: u8,
    weight: u16,
}

const EXACT_SPECIFICITY: u8 = 3;

/// Returns the preference of the most specific matching range. Without a valid range every media
/// type is accepted.
fn preference(headers: &HeaderMap, media_type: &str) -> MediaTypePreference {
    let mut ranges = quality_values::members(headers, ACCEPT)
        .filter(|(range, _)| *range == "*" || range.contains('/'))
        .peekable();
    if ranges.peek().is_none() {
        return MediaTypePreference {
            specificity: 0,
            weight: 1000,
        };
    }
    let matching = ranges.filter_map(|(range, weight)| {
        specificity(range, media_type).map(|specificity| MediaTypePreference {
            specificity,
            weight,
        })
    });
    matching.max().unwrap_or(MediaTypePreference {
        specificity: 0,
        weight: 0,
    })
}

/// Specificity with which a range matches a media type, if it does.
fn specificity(range: &str, media_type: &str) -> Option<u8> {
    let main_type = media_type
        .split_once('/')
        .map_or(media_type, |(main_type, _)| main_type);
    match range.strip_suffix("/*").unwrap_or(range) {
        // Java clients send `*` for `*/*`.
        "*" => Some(1),
        kind if range.ends_with("/*") => kind.eq_ignore_ascii_case(main_type).then_some(2),
        _ => range
            .eq_ignore_ascii_case(media_type)
            .then_some(EXACT_SPECIFICITY),
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    const ALL: &[Format] = &[Format::Json, Format::Csv, Format::Ndjson];

    fn accepting(accept: &str) -> HeaderMap {
        HeaderMap::from_iter([(ACCEPT, HeaderValue::from_str(accept).unwrap())])
    }

    fn chosen(accept: &str) -> Option<Format> {
        Format::negotiate(&accepting(accept), ALL).ok()
    }

    #[test]
    fn the_format_with_the_highest_weight_wins_and_json_wins_ties() {
        use Format::{Csv, Json, Ndjson};
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
            ("application/x-ndjson", Some(Ndjson)),
            ("text/csv, application/json", Some(Json)),
            ("text/csv, application/json;q=0.9", Some(Csv)),
            (
                "text/csv;q=0.2, application/x-ndjson;q=0.3, */*;q=0.1",
                Some(Ndjson),
            ),
            (
                "text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8",
                Some(Json),
            ),
            (
                "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2",
                Some(Json),
            ),
            // The most specific range decides, regardless of its position and weight.
            ("application/json;q=0, */*", Some(Csv)),
            ("*/*, application/json;q=0, text/*;q=0", Some(Ndjson)),
            ("application/*;q=0, */*;q=0.1", Some(Csv)),
            (
                "application/*;q=0.1, application/json;q=0.5, text/csv;q=0.4",
                Some(Json),
            ),
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
        assert!(Format::negotiate(&accepting("text/csv"), &[Json]).is_err());
        assert_eq!(Format::negotiate(&HeaderMap::new(), ALL).ok(), Some(Json));
    }

    #[test]
    fn problem_json_is_sent_only_if_accept_names_it() {
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
            assert_eq!(prefers_problem_json(&accepting(accept)), wanted, "{accept}");
        }
        assert!(!prefers_problem_json(&HeaderMap::new()));
    }
}

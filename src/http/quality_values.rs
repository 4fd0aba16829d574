//! Header lists with quality values (RFC 9110 §12.4).

use http::HeaderMap;
use http::header::HeaderName;

/// Returns the members of a header, each without its parameters and with its weight from 0 to 1000.
/// Members with an invalid weight are skipped.
///
/// Quoted parameter values are not parsed: no media type or coding of this service has parameters.
pub(super) fn members(
    headers: &HeaderMap,
    header: HeaderName,
) -> impl Iterator<Item = (&str, u16)> {
    let values = headers
        .get_all(header)
        .into_iter()
        .filter_map(|value| value.to_str().ok());
    values
        .flat_map(|value| value.split(','))
        .filter_map(|member| {
            let mut parts = member.split(';').map(|part| part.trim_matches([' ', '\t']));
            let name = parts.next().filter(|name| !name.is_empty())?;
            let weight = parts.find_map(|part| {
                part.split_once('=')
                    .filter(|(parameter, _)| parameter.eq_ignore_ascii_case("q"))
            });
            Some((
                name,
                weight.map_or(Some(1000), |(_, weight)| parse_qvalue(weight))?,
            ))
        })
}

/// Parses a weight. Also accepts forms such as `.2`, which the grammar lacks and Java clients send.
/// Rounds up, so that a positive weight stays positive.
fn parse_qvalue(weight: &str) -> Option<u16> {
    let weight: f32 = weight.parse().ok()?;
    (0.0..=1.0)
        .contains(&weight)
        .then(|| (weight * 1000.0).ceil() as u16)
}

#[cfg(test)]
mod tests {
    use http::header::ACCEPT;

    use super::*;

    fn read(lines: &[&'static str]) -> Vec<(String, u16)> {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(ACCEPT, http::HeaderValue::from_static(line));
        }
        members(&headers, ACCEPT)
            .map(|(name, weight)| (name.to_owned(), weight))
            .collect()
    }

    #[test]
    fn members_come_with_their_weights_from_all_lines() {
        let members = read(&["a;q=0.5, b ;x=y; Q=1.000\t,c", "d;q=0,, e;x=\"y\""]);
        let expected = [("a", 500), ("b", 1000), ("c", 1000), ("d", 0), ("e", 1000)];
        assert_eq!(
            members,
            expected.map(|(name, weight)| (name.to_owned(), weight))
        );
        assert!(read(&["", " , "]).is_empty() && read(&[]).is_empty());
    }

    #[test]
    fn a_weight_that_is_none_is_passed_over_with_its_member() {
        for line in [
            "a;q=1.1",
            "a;q=-1",
            "a;q=",
            "a;q=NaN",
            "a;q=much",
            "a;q=\"1\"",
        ] {
            assert!(read(&[line]).is_empty(), "{line}");
        }
        for (line, weight) in [
            ("a;q=.2", 200),
            ("a;q=0.000", 0),
            ("a;q=0.0001", 1),
            ("a;q=1.", 1000),
        ] {
            assert_eq!(read(&[line]), [("a".to_owned(), weight)], "{line}");
        }
    }
}

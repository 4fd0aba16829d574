use http::HeaderMap;
use http::header::USER_AGENT;

use crate::domain::ShortText;

/// Parts of `User-Agent` and the browsers that they identify, the more specific first, because most
/// browsers also send the parts of others.
const BROWSERS: &[(&str, &str)] = &[
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Whale/", "Whale"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("KAKAOTALK", "KakaoTalk"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

/// Parts of `User-Agent` and the operating systems that they identify, the more specific first.
const SYSTEMS: &[(&str, &str)] = &[
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
];

/// Describes the browser and the operating system by known names. No other part of `User-Agent` is
/// stored.
pub(super) fn describe(headers: &HeaderMap) -> Option<ShortText> {
    let user_agent = headers.get(USER_AGENT)?.to_str().ok()?;
    let known = |names: &[(&str, &'static str)]| {
        names
            .iter()
            .find(|(part, _)| user_agent.contains(part))
            .map(|(_, name)| *name)
    };
    match (known(BROWSERS), known(SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser}, {system}").parse().ok(),
        (Some(name), None) | (None, Some(name)) => name.parse().ok(),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn browsers_are_known_by_their_names_and_nothing_else_of_them_is_kept() {
        for (said, known) in [
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
                Some("Firefox, Linux"),
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/120 Safari/537.36 Edg/120",
                Some("Edge, Windows"),
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Version/17.0 Safari/604.1",
                Some("Safari, iPhone"),
            ),
            (
                "Mozilla/5.0 (Linux; Android 14) Chrome/120 Mobile Safari/537.36",
                Some("Chrome, Android"),
            ),
            ("<b>Firefox/1</b>", Some("Firefox")),
            ("curl/8", None),
            ("", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(USER_AGENT, HeaderValue::from_static(said));
            assert_eq!(
                describe(&headers).map(|line| line.to_string()).as_deref(),
                known,
                "{said}"
            );
        }
        assert_eq!(describe(&HeaderMap::new()), None);
    }
}

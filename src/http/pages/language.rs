use http::header::{ACCEPT_LANGUAGE, SET_COOKIE};
use http::{HeaderMap, HeaderValue, Response, StatusCode, Uri};

use super::texts::{EN, KO, Texts};
use crate::http::{Body, cookie, quality_values, response};

/// Cookie with the chosen language. Forging it gains nothing.
const COOKIE: &str = "lyceum-language";

const YEAR: i64 = 365 * 24 * 60 * 60;

/// Language of the pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    English,
    Korean,
}

impl Language {
    pub(super) const ALL: [Self; 2] = [Self::English, Self::Korean];

    /// The chosen language, else the one that the browser prefers, else English.
    pub(crate) fn from_headers(headers: &HeaderMap) -> Self {
        cookie::values(headers, COOKIE)
            .find_map(Self::from_code)
            .unwrap_or_else(|| negotiate(headers))
    }

    /// Texts in this language.
    pub(crate) const fn texts(self) -> &'static Texts {
        match self {
            Self::English => &EN,
            Self::Korean => &KO,
        }
    }

    /// Language tag as in BCP 47.
    pub(crate) const fn code(self) -> &'static str {
        self.texts().language_code
    }

    /// URI of a page in the other language, handled by [`switch_response`](Self::switch_response).
    pub(crate) fn switch_href(self, address: &str) -> String {
        let separator = if address.contains('?') { '&' } else { '?' };
        format!(
            "{address}{separator}language={}",
            self.texts().other_language_code
        )
    }

    /// If the query requests a language, stores it in a cookie and redirects to the same URI
    /// without that parameter. `root` is the path that the host stripped.
    pub(crate) fn switch_response(
        uri: &Uri,
        root: &str,
        is_secure: bool,
    ) -> Option<Response<Body>> {
        let (asked, others): (Vec<&str>, Vec<&str>) = uri
            .query()?
            .split('&')
            .partition(|pair| pair.starts_with("language="));
        let [asked] = asked[..] else { return None };
        let language = Self::from_code(asked.strip_prefix("language=")?)?;
        let separator = if others.is_empty() { "" } else { "?" };
        let address = format!("{root}{}{separator}{}", uri.path(), others.join("&"));
        let cookie = cookie::set_cookie_value(COOKIE, language.code(), YEAR, is_secure);
        let mut response = response::redirect(StatusCode::SEE_OTHER, &address).ok()?;
        response
            .headers_mut()
            .insert(SET_COOKIE, HeaderValue::try_from(cookie).ok()?);
        Some(response)
    }

    fn from_code(code: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|language| language.code() == code)
    }
}

/// The language with the highest quality in `Accept-Language` (RFC 9110 §12.5.4); of equal ones,
/// the first.
fn negotiate(headers: &HeaderMap) -> Language {
    let ranges: Vec<(&str, u16)> = quality_values::members(headers, ACCEPT_LANGUAGE)
        .filter_map(|(range, weight)| Some((range.split('-').next()?, weight)))
        .collect();
    let liked = |language: Language| {
        let named = ranges
            .iter()
            .enumerate()
            .filter(|(_, (name, _))| name.eq_ignore_ascii_case(language.code()));
        let any = ranges
            .iter()
            .enumerate()
            .filter(|(_, (name, _))| *name == "*");
        let best = |(at, (_, quality)): (usize, &(&str, u16))| (*quality, usize::MAX - at);
        named
            .map(best)
            .max()
            .or_else(|| any.map(best).max())
            .filter(|(quality, _)| *quality > 0)
    };
    if liked(Language::Korean) > liked(Language::English) {
        Language::Korean
    } else {
        Language::English
    }
}

#[cfg(test)]
mod tests {
    use http::header::COOKIE;
    use proptest::prelude::*;

    use super::*;

    fn liked(accept: &str) -> &'static str {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT_LANGUAGE, HeaderValue::try_from(accept).unwrap());
        Language::from_headers(&headers).code()
    }

    /// Fails if qualities are ignored, or if a quality of 0 counts as a preference.
    #[test]
    fn the_language_that_the_browser_likes_best_is_spoken() {
        for (accept, code) in [
            ("", "en"),
            ("ko", "ko"),
            ("KO-kr", "ko"),
            ("ko-KR,ko;q=0.9,en-US;q=0.8,en;q=0.7", "ko"),
            ("en-US,en;q=0.9,ko;q=0.8", "en"),
            ("en;q=0.2, ko;q=0.9", "ko"),
            ("ko;q=0.80, en;q=0.9", "en"),
            ("ko, en", "ko"),
            ("en, ko", "en"),
            ("fr, de;q=0.5", "en"),
            ("fr, ko;q=0.1", "ko"),
            ("*", "en"),
            ("en;q=0, *", "ko"),
            ("ko;q=0, *", "en"),
            ("ko;q=0", "en"),
            ("ko;q=x", "en"),
            ("ko;q=1.5", "en"),
            ("ko;q=0.1234", "ko"),
            ("ko;level=1", "ko"),
            ("korean", "en"),
            (",,;,ko", "ko"),
        ] {
            assert_eq!(liked(accept), code, "{accept:?}");
        }
    }

    #[test]
    fn what_the_reader_chose_goes_before_what_the_browser_likes() {
        for (cookie, code) in [
            ("lyceum-language=en", "en"),
            ("a=b; lyceum-language=fr", "ko"),
            ("xlyceum-language=en", "ko"),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_LANGUAGE, HeaderValue::from_static("ko"));
            headers.insert(COOKIE, HeaderValue::from_static(cookie));
            assert_eq!(Language::from_headers(&headers).code(), code, "{cookie}");
        }
    }

    #[test]
    fn the_switch_leads_back_to_the_page_it_was_on() {
        for (page, target) in [
            ("/keys", "/console/keys"),
            ("/keys?page=2&x=%26", "/console/keys?page=2&x=%26"),
        ] {
            let address: Uri = Language::English.switch_href(page).parse().unwrap();
            let answer = Language::switch_response(&address, "/console", true).unwrap();
            assert_eq!(
                (
                    answer.status(),
                    answer.headers()["location"].to_str().unwrap()
                ),
                (StatusCode::SEE_OTHER, target)
            );
            let cookie = answer.headers()[SET_COOKIE].to_str().unwrap();
            assert_eq!(
                cookie,
                "lyceum-language=ko; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure"
            );
        }
        for address in [
            "/keys",
            "/keys?language=",
            "/keys?language=fr",
            "/keys?language=ko&language=en",
            "/keys?xlanguage=ko",
        ] {
            assert!(
                Language::switch_response(&address.parse().unwrap(), "", true).is_none(),
                "{address}"
            );
        }
    }

    proptest! {
        #[test]
        fn any_header_has_a_language(accept in "[a-z*;=,.0-9 -]{0,60}") {
            liked(&accept);
        }
    }
}

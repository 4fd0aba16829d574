use std::cmp::Reverse;
use std::time::Duration;

use http::header::{ACCEPT_LANGUAGE, SET_COOKIE};
use http::{HeaderMap, HeaderValue, Response, StatusCode, Uri};

use serde::Serialize;

use super::texts::{EN, LANGUAGES, Texts};
use crate::http::{Body, cookie, quality_values, response};

/// Cookie with the chosen language. Forging it gains nothing.
const COOKIE: &str = "lyceum-language";

const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// Language of the pages.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Language(&'static Texts);

/// Link to the same page in another language.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct LanguageLink {
    pub(crate) code: &'static str,
    pub(crate) name: &'static str,
    /// Handled by [`switch_response`](Language::switch_response).
    pub(crate) href: String,
}

impl Language {
    /// The chosen language, else the one that the browser prefers, else the first, English.
    pub(crate) fn from_headers(headers: &HeaderMap) -> Self {
        Self(choose(headers, LANGUAGES))
    }

    /// Texts in this language.
    pub(crate) const fn texts(self) -> &'static Texts {
        self.0
    }

    /// Language tag as in BCP 47.
    pub(crate) const fn code(self) -> &'static str {
        self.0.language_code
    }

    /// Links to a page in the other languages; none if there is no URI of it.
    pub(crate) fn links(self, address: Option<&str>) -> Vec<LanguageLink> {
        address.map_or_else(Vec::new, |address| links(self.0, address, LANGUAGES))
    }

    /// If the query requests a language, stores it in a cookie and redirects to the same URI
    /// without that parameter. `root` is the path that the host stripped.
    pub(crate) fn switch_response(
        uri: &Uri,
        root: &str,
        is_secure: bool,
    ) -> Option<Response<Body>> {
        let (requested, others): (Vec<&str>, Vec<&str>) = uri
            .query()?
            .split('&')
            .partition(|pair| pair.starts_with("language="));
        let [requested] = requested[..] else {
            return None;
        };
        let language = with_code(requested.strip_prefix("language=")?, LANGUAGES)?;
        let separator = if others.is_empty() { "" } else { "?" };
        let address = format!("{root}{}{separator}{}", uri.path(), others.join("&"));
        let cookie =
            cookie::set_cookie_value(COOKIE, language.language_code, Some(YEAR), is_secure);
        let mut response = response::redirect(StatusCode::SEE_OTHER, &address).ok()?;
        response
            .headers_mut()
            .insert(SET_COOKIE, HeaderValue::try_from(cookie).ok()?);
        Some(response)
    }
}

fn with_code(code: &str, languages: &[&'static Texts]) -> Option<&'static Texts> {
    let mut languages = languages.iter().copied();
    languages.find(|language| language.language_code == code)
}

fn links(own: &Texts, address: &str, languages: &[&'static Texts]) -> Vec<LanguageLink> {
    let separator = if address.contains('?') { '&' } else { '?' };
    let others = languages
        .iter()
        .filter(|other| other.language_code != own.language_code);
    others
        .map(|other| LanguageLink {
            code: other.language_code,
            name: other.language_name,
            href: format!("{address}{separator}language={}", other.language_code),
        })
        .collect()
}

fn choose(headers: &HeaderMap, languages: &[&'static Texts]) -> &'static Texts {
    cookie::values(headers, COOKIE)
        .find_map(|code| with_code(code, languages))
        .unwrap_or_else(|| negotiate(headers, languages))
}

/// The language with the highest quality in `Accept-Language` (RFC 9110 §12.5.4). Of equal ones,
/// the one that is named first wins, then the one that is named more closely: `pt` prefers `pt` to
/// `pt-BR`.
fn negotiate(headers: &HeaderMap, languages: &[&'static Texts]) -> &'static Texts {
    let ranges: Vec<(&str, u16)> = quality_values::members(headers, ACCEPT_LANGUAGE).collect();
    let preference = |code: &str| {
        // The quality, position and closeness of the best range that matches.
        let best = |matches: &dyn Fn(&str) -> bool| {
            let matching = ranges
                .iter()
                .enumerate()
                .filter(|(_, (range, _))| matches(range));
            let ranks = matching.map(|(index, (range, quality))| {
                let distance = range.len().abs_diff(code.len());
                (*quality, Reverse(index), Reverse(distance))
            });
            ranks.max()
        };
        best(&|range| is_of(range, code))
            .or_else(|| best(&|range| is_of(code, range)))
            .or_else(|| best(&|range| range == "*"))
            .filter(|(quality, ..)| *quality > 0)
    };
    // Of equal ones, `max_by_key` returns the last.
    let languages = languages.iter().rev().copied();
    languages
        .max_by_key(|language| preference(language.language_code))
        .unwrap_or(&EN)
}

/// Whether a tag such as `ko-KR` names the language or a variety of it.
fn is_of(tag: &str, language: &str) -> bool {
    tag.split_at_checked(language.len())
        .is_some_and(|(start, rest)| {
            start.eq_ignore_ascii_case(language) && (rest.is_empty() || rest.starts_with('-'))
        })
}

#[cfg(test)]
mod tests {
    use http::header::COOKIE;
    use proptest::prelude::*;

    use super::super::texts::KO;
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
    fn the_chosen_language_has_priority_over_accept_language() {
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
            let link = &Language(&EN).links(Some(page))[0];
            assert_eq!((link.code, link.name), ("ko", "한국어"));
            let address: Uri = link.href.parse().unwrap();
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

    /// Fails if only two languages are compared, or linked.
    #[test]
    fn a_third_catalogue_is_negotiated_chosen_and_linked() {
        static PT_BR: Texts = Texts {
            language_code: "pt-BR",
            language_name: "Português",
            ..EN
        };
        let languages: [&'static Texts; 3] = [&EN, &KO, &PT_BR];
        for (accept, cookie, code) in [
            ("pt-BR", "", "pt-BR"),
            ("PT-br-x", "", "pt-BR"),
            ("pt-BR;q=0.5, ko;q=0.6", "", "ko"),
            ("fr, pt-BR;q=0.5, ko;q=0.4, en;q=0.3", "", "pt-BR"),
            ("en;q=0, ko;q=0, *;q=0.1", "", "pt-BR"),
            ("*", "", "en"),
            ("pt-PT", "", "en"),
            ("pt-BRX", "", "en"),
            ("ko", "lyceum-language=pt-BR", "pt-BR"),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_LANGUAGE, HeaderValue::from_static(accept));
            headers.insert(COOKIE, HeaderValue::from_static(cookie));
            let chosen = choose(&headers, &languages).language_code;
            assert_eq!(chosen, code, "{accept} {cookie}");
        }
        let hrefs = |own| {
            links(own, "/keys", &languages)
                .into_iter()
                .map(|link| link.href)
        };
        let expected = ["/keys?language=en", "/keys?language=pt-BR"];
        assert!(hrefs(&KO).eq(expected), "{:?}", hrefs(&KO));
    }

    /// Fails if a browser's bare tag does not find the catalogue of a region, or finds it although
    /// there is one for all regions, or although the browser refuses that region.
    #[test]
    fn a_language_without_a_region_finds_the_catalogue_of_a_region() {
        static PT_BR: Texts = with_tag("pt-BR");
        static PT: Texts = with_tag("pt");
        static ZH_HANT_HK: Texts = with_tag("zh-Hant-HK");
        static ZH_HANT: Texts = with_tag("zh-Hant");
        let regional: &[&'static Texts] = &[&EN, &KO, &PT_BR, &ZH_HANT];
        let both: &[&'static Texts] = &[&EN, &KO, &PT_BR, &PT, &ZH_HANT_HK, &ZH_HANT];
        for (accept, of_regional, of_both) in [
            ("pt", "pt-BR", "pt"),
            ("PT", "pt-BR", "pt"),
            ("zh", "zh-Hant", "zh-Hant"),
            ("zh-TW, zh;q=0.9, en;q=0.8", "zh-Hant", "zh-Hant"),
            ("zh-Hant-HK", "zh-Hant", "zh-Hant-HK"),
            ("zh-Hant-TW", "zh-Hant", "zh-Hant"),
            ("pt-BR", "pt-BR", "pt-BR"),
            ("pt-PT", "en", "pt"),
            ("pt-PT, pt;q=0.9, en;q=0.8", "pt-BR", "pt"),
            ("pt, en", "pt-BR", "pt"),
            ("en, pt", "en", "en"),
            ("pt;q=0.5, ko;q=0.6", "ko", "ko"),
            ("pt;q=0.9, pt-BR;q=0.5, ko;q=0.7", "ko", "pt"),
            ("pt, pt-BR;q=0", "en", "pt"),
            ("pt;q=0, pt-BR;q=0.1", "pt-BR", "pt-BR"),
            ("en;q=0, ko;q=0, zh;q=0, *", "pt-BR", "pt"),
            ("p", "en", "en"),
            ("pt-", "en", "pt"),
            ("ptx", "en", "en"),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_LANGUAGE, HeaderValue::from_static(accept));
            let chosen = [regional, both].map(|languages| negotiate(&headers, languages));
            assert_eq!(
                chosen.map(|text| text.language_code),
                [of_regional, of_both],
                "{accept}"
            );
        }
    }

    const fn with_tag(language_code: &'static str) -> Texts {
        Texts {
            language_code,
            ..EN
        }
    }

    proptest! {
        #[test]
        fn any_header_has_a_language(accept in "[a-z*;=,.0-9 -]{0,60}") {
            liked(&accept);
        }
    }
}

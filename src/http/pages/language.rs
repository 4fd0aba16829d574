use http::header::{ACCEPT_LANGUAGE, SET_COOKIE};
use http::{HeaderMap, HeaderValue, Response, StatusCode, Uri};

use super::texts::{EN, KO, Texts};
use crate::http::{Body, answer, cookie};

/// Remembers which language somebody chose. There is nothing to gain from planting another.
const COOKIE: &str = "lyceum-language";

const YEAR: i64 = 365 * 24 * 60 * 60;

/// What pages are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    English,
    Korean,
}

impl Language {
    pub(super) const ALL: [Self; 2] = [Self::English, Self::Korean];

    /// The one that the reader chose, else the one that their browser likes best, else English.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        cookie::values(headers, COOKIE).find_map(Self::of_code).unwrap_or_else(|| negotiated(headers))
    }

    /// What the pages say.
    pub(crate) const fn texts(self) -> &'static Texts {
        match self {
            Self::English => &EN,
            Self::Korean => &KO,
        }
    }

    /// As in BCP 47.
    pub(crate) const fn code(self) -> &'static str {
        self.texts().language_code
    }

    /// The address of a page in the other language. It leads to [`switched`](Self::switched).
    pub(crate) fn switch(self, address: &str) -> String {
        let separator = if address.contains('?') { '&' } else { '?' };
        format!("{address}{separator}language={}", self.texts().other_language_code)
    }

    /// When the address asks for a language: remembers it, and leads to the same address without that. `root` is what the host took off
    /// the path.
    pub(crate) fn switched(uri: &Uri, root: &str, is_secure: bool) -> Option<Response<Body>> {
        let (asked, others): (Vec<&str>, Vec<&str>) = uri.query()?.split('&').partition(|pair| pair.starts_with("language="));
        let [asked] = asked[..] else { return None };
        let language = Self::of_code(asked.strip_prefix("language=")?)?;
        let separator = if others.is_empty() { "" } else { "?" };
        let address = format!("{root}{}{separator}{}", uri.path(), others.join("&"));
        let cookie = cookie::set(COOKIE, language.code(), YEAR, is_secure);
        let mut response = answer::redirect(StatusCode::SEE_OTHER, &address).ok()?;
        response.headers_mut().insert(SET_COOKIE, HeaderValue::try_from(cookie).ok()?);
        Some(response)
    }

    fn of_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.code() == code)
    }
}

/// The language that `Accept-Language` likes best (RFC 9110 §12.5.4); of two that it likes equally the one that it names first.
fn negotiated(headers: &HeaderMap) -> Language {
    let values = headers.get_all(ACCEPT_LANGUAGE).into_iter().filter_map(|value| value.to_str().ok());
    let ranges: Vec<(&str, u16)> = values.flat_map(|value| value.split(',')).filter_map(range).collect();
    let liked = |language: Language| {
        let named = ranges.iter().enumerate().filter(|(_, (name, _))| name.eq_ignore_ascii_case(language.code()));
        let any = ranges.iter().enumerate().filter(|(_, (name, _))| *name == "*");
        let best = |(at, (_, quality)): (usize, &(&str, u16))| (*quality, usize::MAX - at);
        named.map(best).max().or_else(|| any.map(best).max()).filter(|(quality, _)| *quality > 0)
    };
    if liked(Language::Korean) > liked(Language::English) { Language::Korean } else { Language::English }
}

/// The language of a range such as `ko-KR;q=0.8`, and how much it is liked, in thousandths. What is malformed says nothing.
fn range(text: &str) -> Option<(&str, u16)> {
    let (tag, weight) = text.split_once(';').unwrap_or((text, "q=1"));
    let language = tag.trim().split('-').next()?;
    let (name, quality) = weight.trim().split_once('=')?;
    if !name.eq_ignore_ascii_case("q") {
        return None;
    }
    let (whole, fraction) = quality.split_once('.').unwrap_or((quality, ""));
    let thousandths = match whole {
        "1" if fraction.bytes().all(|digit| digit == b'0') => 1000,
        "0" if fraction.bytes().all(|digit| digit.is_ascii_digit()) => format!("{fraction:0<3}").get(..3)?.parse().ok()?,
        _ => return None,
    };
    (fraction.len() <= 3).then_some((language, thousandths))
}

#[cfg(test)]
mod tests {
    use http::header::COOKIE;
    use proptest::prelude::*;

    use super::*;

    fn liked(accept: &str) -> &'static str {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT_LANGUAGE, HeaderValue::try_from(accept).unwrap());
        Language::of(&headers).code()
    }

    /// Fails if weights are passed over, or a range with the weight 0 is a wish.
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
            ("ko;q=0.1234", "en"),
            ("ko;level=1", "en"),
            ("korean", "en"),
            (",,;,ko", "ko"),
        ] {
            assert_eq!(liked(accept), code, "{accept:?}");
        }
    }

    #[test]
    fn what_the_reader_chose_goes_before_what_the_browser_likes() {
        for (cookie, code) in [("lyceum-language=en", "en"), ("a=b; lyceum-language=fr", "ko"), ("xlyceum-language=en", "ko")] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_LANGUAGE, HeaderValue::from_static("ko"));
            headers.insert(COOKIE, HeaderValue::from_static(cookie));
            assert_eq!(Language::of(&headers).code(), code, "{cookie}");
        }
    }

    #[test]
    fn the_switch_leads_back_to_the_page_it_was_on() {
        for (page, target) in [("/keys", "/console/keys"), ("/keys?page=2&x=%26", "/console/keys?page=2&x=%26")] {
            let address: Uri = Language::English.switch(page).parse().unwrap();
            let answer = Language::switched(&address, "/console", true).unwrap();
            assert_eq!((answer.status(), answer.headers()["location"].to_str().unwrap()), (StatusCode::SEE_OTHER, target));
            let cookie = answer.headers()[SET_COOKIE].to_str().unwrap();
            assert_eq!(cookie, "lyceum-language=ko; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure");
        }
        for address in ["/keys", "/keys?language=", "/keys?language=fr", "/keys?language=ko&language=en", "/keys?xlanguage=ko"] {
            assert!(Language::switched(&address.parse().unwrap(), "", true).is_none(), "{address}");
        }
    }

    proptest! {
        #[test]
        fn any_header_has_a_language(accept in "[a-z*;=,.0-9 -]{0,60}") {
            liked(&accept);
        }
    }
}

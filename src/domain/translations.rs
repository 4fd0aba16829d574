use std::collections::BTreeMap;

use smol_str::SmolStr;

use crate::domain::{InvalidValue, ShortText};

/// A text in several languages, beside its default: by language tag (BCP 47), at most 16 lines of 1
/// to 255 characters.
///
/// Tags are kept in the letter case of BCP 47: `ko`, `pt-BR`, `zh-Hant`.
///
/// ```
/// use lyceum::domain::Translations;
///
/// let texts = Translations::from_pairs([("ko", "급식 알리미"), ("pt-br", "Almoço")])?;
/// assert_eq!(texts.best_for("ko").map(|text| text.as_str()), Some("급식 알리미"));
/// assert!(texts.get("pt-BR").is_some() && texts.best_for("en").is_none());
/// # Ok::<(), lyceum::domain::InvalidValue>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Translations(BTreeMap<SmolStr, ShortText>);

impl Translations {
    /// Maximum number of languages.
    pub const MAX_LANGUAGES: usize = 16;

    /// Maximum length of a language tag, in characters.
    pub const MAX_TAG_LENGTH: usize = 35;

    /// Parses language tags with their texts.
    ///
    /// # Errors
    /// If a tag or a text is invalid, a language occurs twice, or there are more than
    /// [`MAX_LANGUAGES`](Self::MAX_LANGUAGES).
    pub fn from_pairs<'a>(
        pairs: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, InvalidValue> {
        let mut texts = Self::default();
        for (tag, text) in pairs {
            let text = text.parse().map_err(|violation: InvalidValue| {
                InvalidValue::from_string(format!("has a text that {violation}"))
            })?;
            if texts.0.insert(language_tag(tag)?, text).is_some() {
                return Err(InvalidValue::new("must have each language once"));
            }
        }
        texts.check_number()?;
        Ok(texts)
    }

    /// Sets the text in a language, or removes it.
    ///
    /// # Errors
    /// If the tag is invalid, or there would be more than
    /// [`MAX_LANGUAGES`](Self::MAX_LANGUAGES).
    pub fn set(&mut self, tag: &str, text: Option<ShortText>) -> Result<(), InvalidValue> {
        let tag = language_tag(tag)?;
        match text {
            Some(text) => self.0.insert(tag, text),
            None => self.0.remove(&tag),
        };
        self.check_number()
    }

    /// The text of exactly this language tag.
    pub fn get(&self, tag: &str) -> Option<&ShortText> {
        self.0.get(tag)
    }

    /// The text for a reader of a language: that of the tag itself, of a less specific one (`pt` for
    /// `pt-BR`), or of a variety (`ko-KR` for `ko`), in this order.
    pub fn best_for(&self, language: &str) -> Option<&ShortText> {
        let mut range = language;
        loop {
            if let Some(text) = self.get(range) {
                return Some(text);
            }
            match range.rsplit_once('-') {
                Some((shorter, _)) => range = shorter,
                None => break,
            }
        }
        self.0
            .iter()
            .find(|(tag, _)| {
                tag.strip_prefix(language)
                    .is_some_and(|rest| rest.starts_with('-'))
            })
            .map(|(_, text)| text)
    }

    /// The language tags with their texts, ordered by tag.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &ShortText)> {
        self.0.iter().map(|(tag, text)| (&**tag, text))
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn check_number(&self) -> Result<(), InvalidValue> {
        if self.0.len() > Self::MAX_LANGUAGES {
            return Err(InvalidValue::new("must have at most 16 languages"));
        }
        Ok(())
    }
}

/// Parses a language tag: a language of two or three letters, and subtags of letters and digits.
fn language_tag(tag: &str) -> Result<SmolStr, InvalidValue> {
    const INVALID: InvalidValue = InvalidValue::new("must have language tags, such as ko or pt-BR");
    if tag.len() > Translations::MAX_TAG_LENGTH {
        return Err(INVALID);
    }
    let mut parsed = String::with_capacity(tag.len());
    for (position, subtag) in tag.split('-').enumerate() {
        let is_alphabetic = subtag.bytes().all(|byte| byte.is_ascii_alphabetic());
        let is_valid = match position {
            0 => is_alphabetic && matches!(subtag.len(), 2 | 3),
            _ => {
                matches!(subtag.len(), 1..=8)
                    && subtag.bytes().all(|byte| byte.is_ascii_alphanumeric())
            }
        };
        if !is_valid {
            return Err(INVALID);
        }
        if position > 0 {
            parsed.push('-');
        }
        let lower = subtag.to_ascii_lowercase();
        match (position, subtag.len()) {
            (0, _) => parsed.push_str(&lower),
            (_, 2) if is_alphabetic => parsed.push_str(&subtag.to_ascii_uppercase()),
            (_, 4) if is_alphabetic => {
                parsed.push_str(&lower[..1].to_ascii_uppercase());
                parsed.push_str(&lower[1..]);
            }
            _ => parsed.push_str(&lower),
        }
    }
    Ok(parsed.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(pairs: &[(&str, &str)]) -> Translations {
        Translations::from_pairs(pairs.iter().copied()).unwrap()
    }

    #[test]
    fn a_tag_has_one_spelling() {
        let texts = texts(&[
            ("KO", "a"),
            ("pt-br", "b"),
            ("ZH-hant-tw", "c"),
            ("es-419", "d"),
        ]);
        let tags: Vec<&str> = texts.iter().map(|(tag, _)| tag).collect();
        assert_eq!(tags, ["es-419", "ko", "pt-BR", "zh-Hant-TW"]);
        let twice = Translations::from_pairs([("ko", "a"), ("Ko", "b")]);
        assert_eq!(
            twice,
            Err(InvalidValue::new("must have each language once"))
        );
    }

    #[test]
    fn what_is_no_language_tag_is_refused() {
        for tag in [
            "",
            "k",
            "korean",
            "k1",
            "ko-",
            "-ko",
            "ko_KR",
            "ko KR",
            "ko-KR!",
            "한국어",
            "<b>",
            "ko-123456789",
            "ko-abcdefgh-abcdefgh-abcdefgh-abcdefgh",
        ] {
            assert!(
                Translations::from_pairs([(tag, "text")]).is_err()
                    && Translations::default()
                        .set(tag, Some(ShortText::from_static("text")))
                        .is_err(),
                "{tag:?} was accepted"
            );
        }
    }

    #[test]
    fn texts_are_lines_in_16_languages_at_most() {
        for text in ["", " ", "a\nb", &"가".repeat(256)] {
            assert!(
                Translations::from_pairs([("ko", text)]).is_err(),
                "{text:?}"
            );
        }
        let tags: Vec<String> = (b'a'..=b'q')
            .map(|letter| format!("a{}", char::from(letter)))
            .collect();
        let all = |number: usize| {
            Translations::from_pairs(tags[..number].iter().map(|tag| (&**tag, "text")))
        };
        assert_eq!(tags.len(), 17);
        let mut most = all(16).unwrap();
        assert!(all(17).is_err());
        assert!(
            most.set(&tags[16], Some(ShortText::from_static("text")))
                .is_err()
        );
    }

    #[test]
    fn a_reader_gets_the_closest_text() {
        let both = texts(&[("pt", "pt"), ("pt-BR", "pt-BR"), ("ko-KR", "ko-KR")]);
        for (language, text) in [
            ("pt", Some("pt")),
            ("pt-BR", Some("pt-BR")),
            ("pt-PT", Some("pt")),
            ("ko", Some("ko-KR")),
            ("ko-KR", Some("ko-KR")),
            ("k", None),
            ("en", None),
        ] {
            assert_eq!(
                both.best_for(language).map(ShortText::as_str),
                text,
                "{language}"
            );
        }
        let mut none = both;
        for tag in ["pt", "pt-BR", "ko-KR"] {
            none.set(tag, None).unwrap();
        }
        assert!(none.is_empty());
    }
}

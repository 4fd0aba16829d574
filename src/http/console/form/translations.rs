//! Fields of forms for a text in each language of the pages.

use crate::domain::{ShortText, Translations};
use crate::http::console::form::Form;
use crate::http::console::views::{FormErrors, TranslationField, TranslationRow};
use crate::http::pages::texts::{LANGUAGES, Texts};

/// The fields with the stored texts.
pub(crate) fn stored_fields(stored: &Translations) -> Vec<TranslationField> {
    fields(LANGUAGES.iter().map(|language| {
        stored
            .get(language.language_code)
            .map(ToString::to_string)
            .unwrap_or_default()
    }))
}

/// The fields with the submitted texts. The form repeats the field `name` for each language, in the
/// order of [`LANGUAGES`].
pub(crate) fn submitted_fields(form: &Form<'_>, name: &str) -> Vec<TranslationField> {
    fields(
        form.values(name)
            .map(str::to_owned)
            .chain(std::iter::repeat(String::new())),
    )
}

fn fields(values: impl Iterator<Item = String>) -> Vec<TranslationField> {
    let field = |(language, value): (&&'static Texts, String)| TranslationField {
        code: language.language_code,
        name: language.language_name,
        value,
    };
    LANGUAGES.iter().zip(values).map(field).collect()
}

/// Parses the submitted texts; an empty one removes the text of its language. Texts in languages
/// without a field stay. If one is invalid, adds a message to `errors`.
pub(crate) fn parse(
    form: &Form<'_>,
    name: &str,
    stored: &Translations,
    errors: &mut FormErrors,
    text: &Texts,
) -> Option<Translations> {
    let mut texts = stored.clone();
    for (language, value) in LANGUAGES.iter().zip(form.values(name)) {
        let parsed = match value.trim() {
            "" => Ok(None),
            value => value.parse::<ShortText>().map(Some),
        };
        let set = parsed.and_then(|parsed| texts.set(language.language_code, parsed));
        if set.is_err() {
            errors.add(name, text.errors.line);
            return None;
        }
    }
    Some(texts)
}

/// Rows of a page with the texts in other languages; the default comes last. None if there is only
/// the default.
pub(crate) fn rows(default: &str, stored: &Translations, text: &Texts) -> Vec<TranslationRow> {
    if stored.is_empty() {
        return Vec::new();
    }
    let name = |tag: &str| {
        let known = LANGUAGES
            .iter()
            .find(|language| language.language_code == tag);
        known.map_or_else(|| tag.to_owned(), |known| known.language_name.to_owned())
    };
    let row = |(tag, text): (&str, &ShortText)| TranslationRow {
        language: name(tag),
        text: text.to_string(),
    };
    let otherwise = TranslationRow {
        language: text.other_languages.to_owned(),
        text: default.to_owned(),
    };
    stored.iter().map(row).chain([otherwise]).collect()
}

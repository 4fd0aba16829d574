//! Texts of the pages in every language, from the catalogues in `texts/`. A text or an argument
//! that is missing in a language does not compile.

mod domain;
#[cfg(feature = "console")]
mod editor;
mod errors;
mod school;
#[cfg(feature = "console")]
mod week;
#[cfg(feature = "console")]
mod year;

use std::fmt::{Display, Write};

use intl_pluralrules::{PluralCategory, PluralRuleType, PluralRules};
use unic_langid::LanguageIdentifier;

// `Texts`, with a field or a method for each message, and `LANGUAGES`: see build/texts.rs.
include!(concat!(env!("OUT_DIR"), "/texts.rs"));

#[cfg(feature = "console")]
impl Texts {
    /// Label of a form's field, for the summary of errors.
    pub(crate) fn form_label(&self, name: &str) -> Option<&'static str> {
        self.form_field.get(name)
    }
}

/// Texts by words, such as those of an enumeration.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Words(&'static [(&'static str, &'static str)]);

impl Words {
    fn get(&self, word: &str) -> Option<&'static str> {
        self.0
            .iter()
            .find(|(known, _)| *known == word)
            .map(|(_, text)| *text)
    }

    /// Panics, while compiling, if the list lacks a word.
    const fn require(&self, word: &str) {
        let mut at = 0;
        while at < self.0.len() {
            if is_equal(self.0[at].0.as_bytes(), word.as_bytes()) {
                return;
            }
            at += 1;
        }
        panic!("{}", word);
    }
}

const fn is_equal(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

/// A text around its only argument.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sentence {
    pub(crate) before: &'static str,
    pub(crate) after: &'static str,
}

impl Sentence {
    fn fill(&self, value: impl Display) -> String {
        format!("{}{value}{}", self.before, self.after)
    }
}

/// A text with several arguments or with a plural.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Template {
    language: &'static str,
    parts: &'static [Part],
}

/// Part of a template. Arguments are numbered.
#[derive(Debug)]
enum Part {
    Text(&'static str),
    Argument(usize),
    /// Variants by key. The argument or its plural category selects one; the last is the default.
    Select(usize, &'static [(&'static str, &'static [Part])]),
}

impl Template {
    fn fill(&self, arguments: &[&dyn Display]) -> String {
        let mut text = String::new();
        self.write(self.parts, arguments, &mut text);
        text
    }

    fn write(&self, parts: &[Part], arguments: &[&dyn Display], text: &mut String) {
        for part in parts {
            match *part {
                Part::Text(words) => text.push_str(words),
                // Writing to a string does not fail.
                Part::Argument(number) => _ = write!(text, "{}", arguments[number]),
                Part::Select(number, variants) => {
                    let value = arguments[number].to_string();
                    let keys = [Some(&*value), plural_category(self.language, &value)];
                    let chosen = variants.iter().find(|(key, _)| keys.contains(&Some(key)));
                    let parts = chosen
                        .or(variants.last())
                        .map_or(&[][..], |(_, parts)| parts);
                    self.write(parts, arguments, text);
                }
            }
        }
    }
}

/// The plural category of a number in CLDR, which may have commas between groups of digits.
fn plural_category(language: &str, number: &str) -> Option<&'static str> {
    let number = number.replace(',', "");
    let tag: LanguageIdentifier = language.parse().ok()?;
    let alone = LanguageIdentifier::from_parts(tag.language, None, None, &[]);
    // Few regions have rules of their own, as `pt-PT` has.
    let rules = PluralRules::create(tag, PluralRuleType::CARDINAL)
        .or_else(|_| PluralRules::create(alone, PluralRuleType::CARDINAL))
        .ok()?;
    Some(match rules.select(&*number).ok()? {
        PluralCategory::ZERO => "zero",
        PluralCategory::ONE => "one",
        PluralCategory::TWO => "two",
        PluralCategory::FEW => "few",
        PluralCategory::MANY => "many",
        PluralCategory::OTHER => "other",
    })
}

#[cfg(test)]
mod tests;

//! What there is to choose from. The first is meant if nothing is said.

use std::borrow::Cow;

use crate::directory::{Definition, Words};
use crate::domain::Direction;
use crate::http::pages::texts::Texts;

/// A word of the data API, and what people call it.
pub(super) type Word = (String, Cow<'static, str>);

/// Off or on.
pub(super) fn switch(text: &Texts) -> Vec<Word> {
    vec![(String::new(), text.no.into()), ("true".to_owned(), text.yes.into())]
}

/// Either, on or off.
pub(super) fn flag(text: &Texts) -> Vec<Word> {
    vec![(String::new(), text.any.into()), ("true".to_owned(), text.yes.into()), ("false".to_owned(), text.no.into())]
}

/// Any of the words, unless one is meant by default.
pub(super) fn words(words: &Words, default: Option<&str>, text: &Texts) -> Vec<Word> {
    let any = default.is_none().then(|| (String::new(), text.any.into()));
    let (meant, others): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| Some(*word) == default);
    let named = |word: &str| (word.to_owned(), label(words, word, text));
    any.into_iter().chain(meant.into_iter().chain(others).map(named)).collect()
}

/// What people call a word.
pub(super) fn label(words: &Words, word: &str, text: &Texts) -> Cow<'static, str> {
    text.school.word(words.name(), word).map_or_else(|| Cow::Owned(word.to_owned()), Cow::Borrowed)
}

pub(super) fn directions(text: &Texts) -> Vec<Word> {
    let label = |direction| match direction {
        Direction::Ascending => text.ascending,
        Direction::Descending => text.descending,
    };
    Direction::ALL.iter().map(|direction| (direction.as_str().to_owned(), label(*direction).into())).collect()
}

pub(super) fn sorts(definition: &Definition, text: &Texts) -> Vec<Word> {
    // Records are in the order of the ids if nothing is said.
    let by_id =
        (!definition.sorts.first().is_some_and(|sort| sort.is_id)).then(|| (String::new(), text.school.field("id").unwrap_or("id").into()));
    let sorts = definition.sorts.iter().map(|sort| (sort.word.to_owned(), super::label_of(definition, sort.field, text).into()));
    by_id.into_iter().chain(sorts).collect()
}

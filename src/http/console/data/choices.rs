//! Options of filter fields. The first option is the default.

use std::borrow::Cow;

use crate::directory::{EnumValues, ResourceDefinition};
use crate::domain::SortDirection;
use crate::http::pages::texts::Texts;

/// A value of the data API and its label.
pub(super) type ChoiceOption = (String, Cow<'static, str>);

/// Options of a flag: no or yes.
pub(super) fn boolean(text: &Texts) -> Vec<ChoiceOption> {
    vec![
        (String::new(), text.no.into()),
        ("true".to_owned(), text.yes.into()),
    ]
}

/// Options of an optional boolean: any, yes or no.
pub(super) fn optional_boolean(text: &Texts) -> Vec<ChoiceOption> {
    vec![
        (String::new(), text.any.into()),
        ("true".to_owned(), text.yes.into()),
        ("false".to_owned(), text.no.into()),
    ]
}

/// Options of an enumeration: its default first, or any if it has no default.
pub(super) fn words(words: &EnumValues, default: Option<&str>, text: &Texts) -> Vec<ChoiceOption> {
    let any = default.is_none().then(|| (String::new(), text.any.into()));
    let (meant, others): (Vec<&str>, Vec<&str>) =
        words.iter().partition(|word| Some(*word) == default);
    let named = |word: &str| (word.to_owned(), label(words, word, text));
    any.into_iter()
        .chain(meant.into_iter().chain(others).map(named))
        .collect()
}

/// Label of an enumeration value.
pub(super) fn label(words: &EnumValues, word: &str, text: &Texts) -> Cow<'static, str> {
    text.school
        .word(words.name(), word)
        .map_or_else(|| Cow::Owned(word.to_owned()), Cow::Borrowed)
}

pub(super) fn directions(text: &Texts) -> Vec<ChoiceOption> {
    let label = |direction| match direction {
        SortDirection::Ascending => text.ascending,
        SortDirection::Descending => text.descending,
    };
    SortDirection::ALL
        .iter()
        .map(|direction| (direction.as_str().to_owned(), label(*direction).into()))
        .collect()
}

pub(super) fn sorts(definition: &ResourceDefinition, text: &Texts) -> Vec<ChoiceOption> {
    // Without `sortBy`, records are sorted by id.
    let by_id = (!definition.sorts.first().is_some_and(|sort| sort.is_id)).then(|| {
        (
            String::new(),
            text.school.field("id").unwrap_or("id").into(),
        )
    });
    let sorts = definition.sorts.iter().map(|sort| {
        (
            sort.name.to_owned(),
            super::field_label(definition, sort.field, text).into(),
        )
    });
    by_id.into_iter().chain(sorts).collect()
}

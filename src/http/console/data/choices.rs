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

/// Options of an enumeration: its default first, or the option "any" if it has no default.
pub(super) fn enumeration(
    values: &EnumValues,
    default: Option<&str>,
    text: &Texts,
) -> Vec<ChoiceOption> {
    let any = default.is_none().then(|| (String::new(), text.any.into()));
    let (first, others): (Vec<&str>, Vec<&str>) =
        values.iter().partition(|value| Some(*value) == default);
    let with_label = |value: &str| (value.to_owned(), label(values, value, text));
    any.into_iter()
        .chain(first.into_iter().chain(others).map(with_label))
        .collect()
}

/// Label of an enumeration value; the value itself if the texts have none.
pub(in crate::http::console) fn label(
    values: &EnumValues,
    value: &str,
    text: &Texts,
) -> Cow<'static, str> {
    text.school
        .word(values.name(), value)
        .map_or_else(|| Cow::Owned(value.to_owned()), Cow::Borrowed)
}

/// Sort directions.
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

/// Fields by which a list can be sorted.
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

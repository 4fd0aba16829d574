//! Filters of a list, named as in the data API.

use super::choices::{self, ChoiceOption};
use super::field_label;
use super::reader::Reader;
use crate::directory::{Pagination, ParameterInfo, ParameterType, ResourceDefinition};
use crate::domain::{PageRequest, PersonalField};
use crate::http::pages::texts::Texts;

/// A filter of a list.
#[derive(Debug)]
pub(super) struct Filter {
    pub(super) name: &'static str,
    pub(super) label: &'static str,
    pub(super) field: InputKind,
    /// Whether the filter is among the rarely used ones.
    pub(super) is_advanced: bool,
    /// The personal field that it compares.
    personal: Option<PersonalField>,
}

/// Input of a filter.
#[derive(Debug)]
pub(super) enum InputKind {
    Text,
    /// A whole number, with optional bounds.
    Number(Option<(i64, i64)>),
    Date,
    /// One of these options; the first is the default.
    Choice(Vec<ChoiceOption>),
}

/// All filters of a list.
pub(super) fn for_list(definition: &ResourceDefinition, text: &Texts) -> Vec<Filter> {
    let filter = |name, field, is_advanced| Filter {
        name,
        label: field_label(definition, name, text),
        field,
        is_advanced,
        personal: None,
    };
    let mut filters = Vec::new();
    if definition.pagination == Pagination::Days {
        filters.extend(
            ["date", "fromDate", "toDate"].map(|name| filter(name, InputKind::Date, false)),
        );
    }
    for parameter in &definition.parameters {
        let label = field_label(definition, parameter.field, text);
        filters.push(Filter {
            name: parameter.name,
            label,
            field: field(parameter, text),
            is_advanced: !parameter.is_pinned,
            personal: parameter.personal,
        });
    }
    filters.extend(
        definition
            .flags()
            .map(|flag| filter(flag.name, InputKind::Choice(choices::boolean(text)), true)),
    );
    if definition.is_paged() {
        let ordering = |name, label, field| Filter {
            name,
            label,
            field,
            is_advanced: true,
            personal: None,
        };
        if !definition.sorts.is_empty() {
            filters.push(ordering(
                "sortBy",
                text.sort_by,
                InputKind::Choice(choices::sorts(definition, text)),
            ));
        }
        filters.push(ordering(
            "sortDirection",
            text.sort_direction,
            InputKind::Choice(choices::directions(text)),
        ));
        filters.push(ordering(
            "size",
            text.page_size,
            InputKind::Number(Some((1, i64::from(FILE_SIZE)))),
        ));
    }
    filters
}

fn field(parameter: &ParameterInfo, text: &Texts) -> InputKind {
    match &parameter.kind {
        ParameterType::Number(bounds) if *bounds.end() == i64::MAX => InputKind::Number(None),
        ParameterType::Number(bounds) => InputKind::Number(Some((*bounds.start(), *bounds.end()))),
        ParameterType::Search => InputKind::Text,
        ParameterType::Boolean => InputKind::Choice(choices::optional_boolean(text)),
        ParameterType::Enum(words) => InputKind::Choice(choices::enumeration(
            words,
            parameter.default.as_deref(),
            text,
        )),
    }
}

/// Whether a parameter sets the order or the size of pages.
pub(super) fn is_ordering(name: &str) -> bool {
    matches!(name, "sortBy" | "sortDirection" | "size")
}

/// Whether the headings of the table have the parameter, and not the form.
fn is_in_headings(name: &str) -> bool {
    matches!(name, "sortBy" | "sortDirection")
}

impl Filter {
    /// Whether the form of a page has the filter. The data API refuses filters by a field that the
    /// key hides, and the headings of the table set the order.
    pub(super) fn is_offered(&self, reader: &Reader) -> bool {
        let hidden = reader.hidden();
        !is_in_headings(self.name) && self.personal.is_none_or(|field| !hidden.contains(field))
    }

    /// The words for a value.
    pub(super) fn words(&self, value: &str) -> String {
        let choices: &[ChoiceOption] = match &self.field {
            InputKind::Choice(choices) => choices,
            _ => &[],
        };
        let mut choices = choices.iter();
        let choice = choices.find(|(word, _)| word.eq_ignore_ascii_case(value));
        choice.map_or_else(|| value.to_owned(), |(_, label)| label.to_string())
    }
}

/// Default number of records on a page.
pub(super) const DEFAULT_PAGE_SIZE: u32 = 50;
/// Number of records in a file; longer lists are several files.
pub(super) const FILE_SIZE: u32 = PageRequest::MAX_SIZE;

//! What can be looked for, by the names of the data API.

use super::choices::{self, Word};
use super::label_of;
use crate::directory::{Definition, Pagination, ParameterInfo, ParameterType};
use crate::domain::PageRequest;
use crate::http::pages::texts::Texts;

/// Something to look for.
#[derive(Debug)]
pub(super) struct Filter {
    pub(super) name: &'static str,
    pub(super) label: &'static str,
    pub(super) field: Field,
    /// Whether it is asked for seldom.
    pub(super) is_seldom: bool,
}

/// How it is asked for.
#[derive(Debug)]
pub(super) enum Field {
    Text,
    /// A whole number, perhaps within bounds.
    Number(Option<(i64, i64)>),
    Date,
    /// One of these words, the first of which is meant if nothing is said.
    Choice(Vec<Word>),
}

/// Every filter of a list.
pub(super) fn of(definition: &Definition, text: &Texts) -> Vec<Filter> {
    let filter = |name, field, is_seldom| Filter { name, label: label_of(definition, name, text), field, is_seldom };
    let mut filters = Vec::new();
    if definition.pagination == Pagination::Days {
        filters.extend(["date", "fromDate", "toDate"].map(|name| filter(name, Field::Date, false)));
    }
    for parameter in &definition.parameters {
        let label = label_of(definition, parameter.field, text);
        filters.push(Filter { name: parameter.name, label, field: field(parameter, text), is_seldom: !parameter.is_common });
    }
    filters.extend(definition.flags().map(|flag| filter(flag.name, Field::Choice(choices::switch(text)), true)));
    if definition.is_paged() {
        let of_order = |name, label, field| Filter { name, label, field, is_seldom: true };
        if !definition.sorts.is_empty() {
            filters.push(of_order("sortBy", text.sort_by, Field::Choice(choices::sorts(definition, text))));
        }
        filters.push(of_order("sortDirection", text.sort_direction, Field::Choice(choices::directions(text))));
        filters.push(of_order("size", text.page_size, Field::Number(Some((1, i64::from(TABLE))))));
    }
    filters
}

fn field(parameter: &ParameterInfo, text: &Texts) -> Field {
    match &parameter.kind {
        ParameterType::Number(bounds) if *bounds.end() == i64::MAX => Field::Number(None),
        ParameterType::Number(bounds) => Field::Number(Some((*bounds.start(), *bounds.end()))),
        ParameterType::Search => Field::Text,
        ParameterType::Flag => Field::Choice(choices::flag(text)),
        ParameterType::Words(words) => Field::Choice(choices::words(words, parameter.default.as_deref(), text)),
    }
}

impl Filter {
    /// Whether it is about the order and the size of pages.
    pub(super) fn is_of_order(&self) -> bool {
        matches!(self.name, "sortBy" | "sortDirection" | "size")
    }
}

/// How many records are on a page, and in a table, if nobody says otherwise.
pub(super) const PAGE: u32 = 50;
pub(super) const TABLE: u32 = PageRequest::MAX_SIZE;

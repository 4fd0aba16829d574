use std::borrow::Cow;

use super::fetch::ApiError;
use super::filters::{self, Filter, InputKind};
use super::query::DataQuery;
use super::reader::Reader;
use crate::domain::Date;
use crate::http::pages::texts::Texts;

impl Filter {
    /// The rule that a value breaks.
    pub(super) fn rule(&self, value: &str, text: &'static Texts) -> Cow<'static, str> {
        let messages = &text.errors;
        match self.field {
            InputKind::Text => messages.line.into(),
            InputKind::Choice(_) => messages.choose_one.into(),
            InputKind::Number(Some((low, high))) => text.editor.bounds(low, high).into(),
            InputKind::Number(None) if value.parse::<i64>().is_err() => messages.number.into(),
            InputKind::Number(None) => messages.unreadable.into(),
            InputKind::Date if value.parse::<Date>().is_err() => messages.date.into(),
            InputKind::Date if self.name == "date" => messages.date_alone.into(),
            InputKind::Date => messages.date_range.into(),
        }
    }
}

impl ApiError {
    /// Message for a filter, if the error is about it.
    pub(super) fn filter_message(
        &self,
        filter: &Filter,
        data_query: &DataQuery<'_>,
        text: &'static Texts,
    ) -> Option<Cow<'static, str>> {
        if self.parameter.as_deref() != Some(filter.name) {
            return None;
        }
        Some(match &*self.reason {
            "field_hidden" => text.errors.hidden_field.into(),
            "parameter_invalid" => filter.rule(data_query.value(filter.name), text),
            _ => text.errors.unreadable.into(),
        })
    }

    /// Message for the whole page.
    pub(super) fn message(&self, data_query: &DataQuery<'_>, text: &'static Texts) -> String {
        let filters = filters::for_list(data_query.list, text);
        let faulty = filters
            .iter()
            .find_map(|filter| Some((filter, self.filter_message(filter, data_query, text)?)));
        match (&*self.reason, data_query.reader, faulty) {
            ("scope_missing", Reader::Key { key, .. }, _) => text.key_lacks_scope(&key.description),
            ("rate_limited", ..) => text.errors.rate_limited.to_owned(),
            // The form has no field beside which the message could be.
            (_, reader, Some((filter, message))) if !filter.is_offered(reader) => {
                format!("{}: {message}", filter.label)
            }
            (_, _, Some(_)) => text.filters_have_faults.to_owned(),
            _ => text.errors.unreadable.to_owned(),
        }
    }
}

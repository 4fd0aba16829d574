use super::ask::Fault;
use super::asked::Asked;
use super::filters::{self, Field, Filter};
use crate::domain::{ApiKey, Date};
use crate::http::pages::texts::Texts;

impl Fault {
    /// What is wrong with a filter, if it is about that one.
    pub(super) fn of_filter(&self, filter: &Filter, asked: &Asked<'_>, text: &'static Texts) -> Option<&'static str> {
        if self.parameter.as_deref() != Some(filter.name) {
            return None;
        }
        let (faults, value) = (&text.faults, asked.value(filter.name));
        Some(match &filter.field {
            _ if self.reason == "field_hidden" => faults.hidden_field,
            _ if self.reason != "parameter_invalid" => faults.unreadable,
            Field::Text => faults.line,
            Field::Choice(_) => faults.choose_one,
            Field::Number(_) if value.parse::<i64>().is_err() => faults.number,
            Field::Number(_) => faults.unreadable,
            Field::Date if value.parse::<Date>().is_err() => faults.date,
            Field::Date if filter.name == "date" => faults.date_alone,
            Field::Date => faults.date_range,
        })
    }

    /// What is wrong altogether.
    pub(super) fn general(&self, asked: &Asked<'_>, key: &ApiKey, text: &'static Texts) -> String {
        let is_marked = filters::of(asked.list, text).iter().any(|filter| self.of_filter(filter, asked, text).is_some());
        match &*self.reason {
            "scope_missing" => text.key_lacks_scope.with(&key.description),
            "rate_limited" => text.faults.rate_limited.to_owned(),
            _ if is_marked => text.filters_have_faults.to_owned(),
            _ => text.faults.unreadable.to_owned(),
        }
    }
}

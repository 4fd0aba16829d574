use std::borrow::Cow;

use crate::http::audit::{RefusalRule, StoredEvent};
use crate::http::pages::texts::Texts;

/// Why a request was refused, in a sentence, with the name of the parameter at fault if the event
/// has it; the word of a rule that is not known here.
pub(in crate::http::console) fn explanation<'a>(
    event: &'a StoredEvent,
    text: &'static Texts,
) -> Cow<'a, str> {
    let word = event.rule.as_deref().unwrap_or_default();
    let Ok(rule) = word.parse::<RefusalRule>() else {
        return word.into();
    };
    match (rule, event.parameter.as_deref()) {
        (RefusalRule::ParameterInvalid, Some(name)) => text.activity.parameter_invalid(name).into(),
        (RefusalRule::ParameterRepeated, Some(name)) => {
            text.activity.parameter_repeated(name).into()
        }
        (RefusalRule::FieldHidden, Some(name)) => text.activity.parameter_hidden(name).into(),
        _ => text.domain.rule(rule).into(),
    }
}

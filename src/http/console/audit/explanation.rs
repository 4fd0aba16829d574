use std::borrow::Cow;

use crate::http::audit::{EventName, RefusalRule, StoredEvent};
use crate::http::pages::texts::Texts;

/// Why a request was refused, in a sentence, with the name of the parameter at fault if the event
/// has it; the word of a rule that is not known here.
pub(in crate::http::console) fn explanation<'a>(
    kind: Option<EventName>,
    event: &'a StoredEvent,
    text: &'static Texts,
) -> Cow<'a, str> {
    let Some(rule) = refusal_rule(kind, event) else {
        return event.rule.as_deref().unwrap_or_default().into();
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

/// The rule by which the request of an event was refused, if it was refused by one that is known
/// here. Events of refused sign-ins store no rule; their kind implies it.
pub(super) fn refusal_rule(kind: Option<EventName>, event: &StoredEvent) -> Option<RefusalRule> {
    match kind {
        Some(EventName::SignInRefused) => Some(RefusalRule::Credentials),
        Some(EventName::SignInLimited) => Some(RefusalRule::SignInLimited),
        _ => event.rule.as_deref()?.parse().ok(),
    }
}

//! Messages about refused values.

use std::borrow::Cow;

use crate::directory::FieldType;
use crate::http::console::data::choices;
use crate::http::console::views::FormErrors;
use crate::http::pages::texts::Texts;
use crate::import::{FormColumn, Refusal, RefusalKind};

/// The messages of a form, each at its field.
pub(super) fn form_errors(
    refused: &[Refusal],
    columns: &[FormColumn<'_>],
    text: &'static Texts,
) -> FormErrors {
    let mut errors = FormErrors::default();
    for refusal in refused {
        let named = match (refusal.column.as_deref(), refusal.kind) {
            (None, RefusalKind::LeaderIsNotMember) => Some("leader.id"),
            (named, _) => named,
        };
        let is_it = |column: &&FormColumn<'_>| {
            let is_nested = || column.name.strip_suffix(".id") == named;
            Some(column.name) == named || is_nested()
        };
        match columns.iter().find(is_it) {
            Some(column) => errors.add(column.name, message(refusal.kind, Some(column), text)),
            None => errors.add_general(text.editor.refusal(refusal.kind)),
        }
    }
    errors
}

/// The message about a value of a column.
pub(super) fn message(
    kind: RefusalKind,
    column: Option<&FormColumn<'_>>,
    text: &'static Texts,
) -> Cow<'static, str> {
    let column = column.filter(|_| matches!(kind, RefusalKind::OutOfBounds | RefusalKind::Invalid));
    let Some(column) = column else {
        return text.editor.refusal(kind).into();
    };
    match (&column.field.kind, column.bounds) {
        (FieldType::Enum(values), _) => {
            let words = values.iter().map(|word| choices::label(values, word, text));
            text.editor
                .one_of(words.collect::<Vec<_>>().join(", "))
                .into()
        }
        (_, Some((low, high))) if high < i64::MAX => text.editor.bounds(low, high).into(),
        _ => {
            let rule = text.editor.rule_of(column.field.name);
            rule.unwrap_or_else(|| text.editor.refusal(kind)).into()
        }
    }
}

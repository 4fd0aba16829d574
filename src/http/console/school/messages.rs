//! Messages about refused values.

use std::borrow::Cow;

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
    let rule = column.and_then(|column| text.editor.rule_of(column.field.name));
    match (kind, column.and_then(|column| column.bounds), rule) {
        (RefusalKind::OutOfBounds, Some((low, high)), _) if high < i64::MAX => {
            text.editor.bounds(low, high).into()
        }
        (RefusalKind::Invalid, Some((low, high)), _) if high < i64::MAX => {
            text.editor.bounds(low, high).into()
        }
        (RefusalKind::Invalid, _, Some(rule)) => rule.into(),
        _ => text.editor.refusal(kind).into(),
    }
}

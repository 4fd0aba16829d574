//! The fields of a form, from the columns that an import reads.

use super::seen::Values;
use crate::directory::{FieldType, Snapshot};
use crate::domain::{ClubType, StudentRole};
use crate::http::console::data::choices;
use crate::http::console::form::Form;
use crate::http::console::views::{RecordField, SelectOption};
use crate::http::pages::texts::Texts;
use crate::import::FormColumn;

use super::seen::normalize;

/// The submitted values.
pub(super) fn typed(form: &Form<'_>, columns: &[FormColumn<'_>]) -> Values {
    let value = |name| normalize(form.field(name).unwrap_or_default());
    let values = columns
        .iter()
        .map(|column| (column.name, value(column.name)));
    values.collect()
}

/// The cells that a form changes. Graduates and withdrawn students have no values that only
/// enrolled ones have, so these are left out with the role.
pub(super) fn cells<'a>(
    values: &Values,
    columns: &[FormColumn<'_>],
    changed: impl IntoIterator<Item = &'a (&'static str, String)>,
) -> Vec<(String, String)> {
    let role = values.iter().find(|(name, _)| *name == "role");
    let role = role.and_then(|(_, role)| role.parse::<StudentRole>().ok());
    let has_left = matches!(role, Some(StudentRole::Graduate | StudentRole::Withdrawn));
    let is_left_out = |name: &str| {
        let mut columns = columns.iter();
        has_left && columns.any(|column| column.name == name && column.is_for_enrolled)
    };
    let changed = changed.into_iter().filter(|(name, _)| !is_left_out(name));
    changed
        .map(|(name, value)| ((*name).to_owned(), value.clone()))
        .collect()
}

/// Fields with these values. `meanwhile` has the current value of a field that somebody else has
/// changed.
pub(super) fn view(
    columns: &[FormColumn<'_>],
    values: &Values,
    meanwhile: impl Fn(usize) -> Option<String>,
    snapshot: &Snapshot,
    text: &'static Texts,
) -> Vec<RecordField> {
    let field = |(index, (column, (_, value))): (usize, (&FormColumn<'_>, &(&str, String)))| {
        let choices = choices_of(column, value, snapshot, text);
        let meanwhile = meanwhile(index).map(|now| {
            let label = choices.iter().find(|choice| choice.value == now);
            label.map_or(now, |choice| choice.label.to_string())
        });
        RecordField {
            name: column.name,
            label: label(column, text),
            hint: text.editor.hint_of(column.field.name).unwrap_or_default(),
            kind: kind(column, &choices),
            value: value.clone(),
            choices,
            bounds: bounds(column, value),
            is_required: column.is_required,
            meanwhile,
        }
    };
    columns.iter().zip(values).enumerate().map(field).collect()
}

/// The label of a column.
pub(super) fn label(column: &FormColumn<'_>, text: &'static Texts) -> &'static str {
    let field = column.field;
    let own = field.label.or_else(|| text.school.field(field.name));
    own.unwrap_or(field.name)
}

/// The text for a value of a column.
pub(super) fn display(column: &FormColumn<'_>, value: &str, text: &Texts) -> String {
    match &column.field.kind {
        FieldType::Enum(values) => choices::label(values, value, text).into_owned(),
        _ => value.to_owned(),
    }
}

fn kind(column: &FormColumn<'_>, choices: &[SelectOption]) -> &'static str {
    match &column.field.kind {
        _ if !choices.is_empty() => "choice",
        FieldType::List { .. } => "area",
        FieldType::Int | FieldType::Long | FieldType::Byte => "number",
        _ if column.name == "description" => "area",
        _ if column.name == "email" => "email",
        _ => "text",
    }
}

/// The numbers that a field takes: those of the school, and the one that the record has.
fn bounds(column: &FormColumn<'_>, value: &str) -> Option<(i64, i64)> {
    let (low, high) = column.bounds.filter(|(_, high)| *high < i64::MAX)?;
    let number = value.parse().unwrap_or(low);
    Some((low.min(number), high.max(number)))
}

/// The options of a select box; none if the field is typed.
fn choices_of(
    column: &FormColumn<'_>,
    value: &str,
    snapshot: &Snapshot,
    text: &'static Texts,
) -> Vec<SelectOption> {
    let option = |value_of: String, label| SelectOption {
        is_on: value_of == value,
        value: value_of,
        label,
    };
    let none = || option(String::new(), text.none.into());
    match (&column.field.kind, column.name) {
        (FieldType::Enum(values), name) => {
            // A new student is an ordinary one.
            let empty = (name != "role").then(|| option(String::new(), "".into()));
            let words = values.iter().map(|word| {
                let is_on = word == value || (value.is_empty() && word == "GENERAL_STUDENT");
                SelectOption {
                    value: word.to_owned(),
                    label: choices::label(values, word, text),
                    is_on,
                }
            });
            // A record keeps a value that the school no longer has, such as a former major.
            let is_former = !value.is_empty() && values.iter().all(|word| word != value);
            let former = is_former.then(|| option(value.to_owned(), value.to_owned().into()));
            empty.into_iter().chain(words).chain(former).collect()
        }
        (FieldType::Object(_), "majorClub.id" | "autonomousClub.id" | "club.id") => {
            let of_kind = |kind| match column.name {
                "majorClub.id" => kind == ClubType::Major,
                "autonomousClub.id" => kind == ClubType::Autonomous,
                _ => true,
            };
            let clubs = snapshot.clubs().iter().filter(|it| of_kind(it.club.kind));
            let options = clubs.map(|profile| {
                let id = profile.club.id.get().to_string();
                option(id, profile.club.name.to_string().into())
            });
            std::iter::once(none()).chain(options).collect()
        }
        _ => Vec::new(),
    }
}

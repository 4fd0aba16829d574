//! A plan, as pages show it.

use super::fields;
use crate::directory::Directory;
use crate::domain::RecordKind;
use crate::http::console::form::version::FormVersion;
use crate::http::console::views::{PlannedField, PlannedRow};
use crate::http::pages::texts::Texts;
use crate::import::{Difference, FieldChange, Plan, PlannedRecord, form_columns};

/// The version of all that a plan shows, and of the fields of the records that it removes. It is the same in another version of the school in which
/// the plan does the same.
pub(super) fn version(plan: &Plan) -> FormVersion {
    let shown = format!(
        "{:?} {:?} {:?}",
        plan.records(),
        plan.consequences(),
        plan.gone()
    );
    FormVersion::from_parts([shown])
}

/// Rows of these records.
pub(in crate::http::console) fn rows<'a>(
    records: impl IntoIterator<Item = &'a PlannedRecord>,
    school: &Directory,
    text: &'static Texts,
) -> Vec<PlannedRow> {
    let row = |record: &PlannedRecord| PlannedRow {
        name: record.name.clone(),
        list: text.school.list(record.kind.as_str()).unwrap_or_default(),
        difference: text.editor.difference(record.difference),
        badge: match record.difference {
            Difference::Added => "good",
            Difference::Changed => "",
            Difference::Removed => "warning",
        },
        fields: field_changes(record.kind, &record.fields, school, text),
    };
    records.into_iter().map(row).collect()
}

/// The fields of a record that change, in words of the page.
pub(in crate::http::console) fn field_changes(
    kind: RecordKind,
    changes: &[FieldChange],
    school: &Directory,
    text: &'static Texts,
) -> Vec<PlannedField> {
    let columns = form_columns(school, kind);
    let is_shown = |change: &&FieldChange| {
        // The name of a mentioned record says more than its id.
        let name = change
            .field
            .strip_suffix(".id")
            .map(|it| format!("{it}.name"));
        name.is_none_or(|name| changes.iter().all(|other| other.field != name))
    };
    let field = |change: &FieldChange| {
        let field = change.field.split('.').next().unwrap_or(change.field);
        let column = columns.iter().find(|column| column.field.name == field);
        let display = |value: &str| match column {
            Some(column) => fields::display(column, value, text),
            None => value.to_owned(),
        };
        PlannedField {
            label: column.map_or(field, |column| fields::label(column, text)),
            before: display(&change.before),
            after: display(&change.after),
        }
    };
    changes.iter().filter(is_shown).map(field).collect()
}

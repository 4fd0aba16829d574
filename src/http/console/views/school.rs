//! Pages of the school editor.

use askama::Template;
use serde::Serialize;

use super::{
    FilterField, FormErrors, HiddenInput, Layout, ListLink, PageLinks, RadioOption, SelectOption,
    TableCell,
};
use crate::http::pages::texts::Texts;

/// Row of a list of records.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct RecordRow {
    pub(crate) id: i64,
    pub(crate) href: String,
    /// Label of the checkbox.
    pub(crate) select: String,
    pub(crate) name: String,
    pub(crate) cells: Vec<TableCell>,
}

/// List of records with checkboxes.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/school_records.html")]
pub(crate) struct RecordsPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) kinds: Vec<ListLink>,
    pub(crate) title: &'static str,
    pub(crate) address: String,
    pub(crate) filters: Vec<FilterField>,
    pub(crate) more_filters: Vec<FilterField>,
    pub(crate) more_is_open: bool,
    pub(crate) problem: Option<&'static str>,
    pub(crate) columns: Vec<&'static str>,
    pub(crate) rows: Vec<RecordRow>,
    pub(crate) page_links: PageLinks,
}

/// Field of the form of a record.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct RecordField {
    pub(crate) name: &'static str,
    pub(crate) label: &'static str,
    pub(crate) hint: &'static str,
    /// `text`, `email`, `number`, `area` or `choice`.
    pub(crate) kind: &'static str,
    pub(crate) value: String,
    pub(crate) choices: Vec<SelectOption>,
    /// The least and the greatest number.
    pub(crate) bounds: Option<(i64, i64)>,
    pub(crate) is_required: bool,
    /// The current value, if somebody else has changed it.
    pub(crate) meanwhile: Option<String>,
}

/// Form of a record.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/school_form.html")]
pub(crate) struct RecordFormPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) errors: FormErrors,
    pub(crate) title: String,
    pub(crate) back: String,
    pub(crate) back_label: &'static str,
    pub(crate) action: String,
    pub(crate) button: &'static str,
    /// Page that removes the record.
    pub(crate) removal: Option<String>,
    pub(crate) hidden: Vec<HiddenInput>,
    pub(crate) fields: Vec<RecordField>,
}

/// Page that asks what to do with the selected records.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/school_selection.html")]
pub(crate) struct RecordSelectionPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) errors: FormErrors,
    pub(crate) back: String,
    pub(crate) back_label: &'static str,
    pub(crate) action: String,
    pub(crate) names: Vec<String>,
    pub(crate) ids: Vec<i64>,
    pub(crate) actions: Vec<RadioOption>,
    pub(crate) is_for_students: bool,
    pub(crate) grade: String,
    pub(crate) grades: Option<(i64, i64)>,
    pub(crate) class_num: String,
    pub(crate) classes: Option<(i64, i64)>,
    pub(crate) majors: Vec<SelectOption>,
}

/// A field that a plan changes.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct PlannedField {
    pub(crate) label: &'static str,
    pub(crate) before: String,
    pub(crate) after: String,
}

/// A record that a plan adds, changes or removes.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct PlannedRow {
    pub(crate) name: String,
    pub(crate) list: &'static str,
    pub(crate) difference: &'static str,
    pub(crate) badge: &'static str,
    pub(crate) fields: Vec<PlannedField>,
}

/// Page that shows what changes with the selected records.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/school_change.html")]
pub(crate) struct RecordChangePage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) errors: FormErrors,
    pub(crate) title: String,
    pub(crate) back: String,
    pub(crate) back_label: &'static str,
    pub(crate) action: String,
    pub(crate) hidden: Vec<HiddenInput>,
    pub(crate) records: Vec<PlannedRow>,
    pub(crate) consequences: Vec<PlannedRow>,
    pub(crate) is_removal: bool,
    pub(crate) button: &'static str,
}

/// A text with a label that is not one of the page's own.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct LabeledText {
    pub(crate) label: String,
    pub(crate) value: String,
}

/// How a file is compared with the school.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ImportOptions {
    pub(crate) partial: bool,
    pub(crate) allow_removals: bool,
    pub(crate) skip_refused: bool,
    /// The columns by which rows can find their records.
    pub(crate) match_by: Vec<SelectOption>,
}

/// Page that takes a file.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/school_import.html")]
pub(crate) struct ImportPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) errors: FormErrors,
    pub(crate) title: String,
    pub(crate) back: String,
    pub(crate) back_label: &'static str,
    pub(crate) action: String,
    pub(crate) options: ImportOptions,
}

/// A line that is refused.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct PlannedRefusal {
    pub(crate) place: String,
    pub(crate) column: String,
    pub(crate) reason: String,
}

/// Page that shows what a file would change.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/school_plan.html")]
pub(crate) struct ImportPlanPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) errors: FormErrors,
    pub(crate) title: String,
    pub(crate) back: String,
    pub(crate) back_label: &'static str,
    pub(crate) action: String,
    /// The sealed file.
    pub(crate) hidden: Vec<HiddenInput>,
    pub(crate) encoding: &'static str,
    /// The headings of the file with the columns that they name.
    pub(crate) headings: Vec<LabeledText>,
    pub(crate) counts: Vec<LabeledText>,
    /// Why the plan is not applied.
    pub(crate) obstacle: Option<&'static str>,
    /// What people know before they apply the plan.
    pub(crate) notes: Vec<String>,
    pub(crate) refused: Vec<PlannedRefusal>,
    pub(crate) records: Vec<PlannedRow>,
    pub(crate) consequences: Vec<PlannedRow>,
    pub(crate) position: String,
    pub(crate) previous: Option<usize>,
    pub(crate) next: Option<usize>,
    pub(crate) options: ImportOptions,
    /// The code of the plan, if it can be applied.
    pub(crate) code: Option<String>,
    pub(crate) button: &'static str,
}

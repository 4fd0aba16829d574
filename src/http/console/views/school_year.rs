//! Pages about the turn of the school year.

use askama::Template;
use serde::Serialize;

use super::{FilterField, FormErrors, LabeledText, Layout, PageLinks, PlannedField, PlannedRow};
use crate::http::pages::DisplayTime;
use crate::http::pages::texts::Texts;

/// The last turn of the school year.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct LastTurn {
    /// The school year that ended.
    pub(crate) year: String,
    pub(crate) at: DisplayTime,
    pub(crate) by: String,
    pub(crate) graduated: u64,
    pub(crate) moved: u64,
    pub(crate) added: u64,
    /// When it was undone.
    pub(crate) undone: Option<DisplayTime>,
    /// Until when it can be undone, if it still can.
    pub(crate) undo_until: Option<DisplayTime>,
}

/// The school year that ends next, and the last turn.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/school_year.html")]
pub(crate) struct YearPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    /// The school year that ends next.
    pub(crate) next: String,
    pub(crate) is_turned: bool,
    pub(crate) last: Option<LastTurn>,
}

/// A student whom a plan changes.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct YearStudentRow {
    pub(crate) name: String,
    pub(crate) step: &'static str,
    pub(crate) badge: &'static str,
    /// Student numbers, if enrolled.
    pub(crate) before: String,
    pub(crate) after: String,
    /// The other fields that change, of a student who stays.
    pub(crate) fields: Vec<PlannedField>,
}

/// What is in the way of a turn, or what an undo leaves alone.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct YearConflictRow {
    /// Name of the student, if it is about one.
    pub(crate) name: String,
    /// Path of the record, unless it is gone.
    pub(crate) href: Option<String>,
    pub(crate) reason: String,
}

/// What a turn of the school year, or its undo, would change.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/school_year_plan.html")]
pub(crate) struct YearPlanPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) errors: FormErrors,
    pub(crate) title: String,
    pub(crate) action: &'static str,
    pub(crate) counts: Vec<LabeledText>,
    /// Why the plan is not applied.
    pub(crate) obstacle: Option<&'static str>,
    pub(crate) conflicts_title: &'static str,
    pub(crate) conflicts_lead: &'static str,
    pub(crate) conflicts: Vec<YearConflictRow>,
    pub(crate) students: Vec<YearStudentRow>,
    pub(crate) clubs_title: &'static str,
    /// Explanation of the clubs; may be empty.
    pub(crate) clubs_lead: &'static str,
    pub(crate) clubs: Vec<String>,
    /// Clubs and projects that change.
    pub(crate) others: Vec<PlannedRow>,
    pub(crate) page_links: PageLinks,
    pub(crate) resets_offices: bool,
    /// The code of the plan, if it can be applied.
    pub(crate) code: Option<String>,
    pub(crate) button: &'static str,
}

/// An enrollment that has ended.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct HistoryRow {
    pub(crate) year: String,
    /// Grade and class.
    pub(crate) class: String,
    pub(crate) number: String,
    pub(crate) student: i64,
    pub(crate) name: String,
    pub(crate) major: String,
    pub(crate) clubs: String,
    pub(crate) end: &'static str,
    pub(crate) at: DisplayTime,
}

/// Who was in which class.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/school_history.html")]
pub(crate) struct SchoolHistoryPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) filters: Vec<FilterField>,
    pub(crate) problem: Option<&'static str>,
    pub(crate) number_label: &'static str,
    pub(crate) major_label: &'static str,
    pub(crate) rows: Vec<HistoryRow>,
    pub(crate) page_links: PageLinks,
}

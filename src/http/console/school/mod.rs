//! Editing of the school's students, clubs and projects, for administrators.
//!
//! Forms, selections and files all become a plan of an import: what they change, field by field,
//! and what is refused. It is written in one transition, for the version it was made for.

pub(super) mod change;
pub(super) mod edit;
pub(super) mod export;
mod fields;
mod filter;
pub(super) mod import;
pub(super) mod list;
mod messages;
mod multipart;
pub(super) mod new;
mod planned;
mod seen;
mod selection;

use std::ops::Range;

pub(super) use planned::{field_changes, rows as planned_rows};

use super::error::Error;
use super::user_request::UserRequest;
use crate::domain::RecordKind;
use crate::http::pages::texts::Texts;

/// How often an edit is planned again because of other changes of the school meanwhile.
const MAX_ATTEMPTS: usize = 5;

/// The kind of records in the path of a request.
fn kind_of(request: &UserRequest<'_>) -> Result<RecordKind, Error> {
    let [list] = request.params();
    list.parse().map_err(|_| Error::not_found())
}

/// The parameter of the data API that selects one record.
const fn id_parameter(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Students => "studentId",
        RecordKind::Clubs => "clubId",
        RecordKind::Projects => "projectId",
    }
}

/// The path of a list.
fn path_of(kind: RecordKind) -> String {
    format!("/admin/school/{kind}")
}

/// The title of a list.
fn title_of(kind: RecordKind, text: &Texts) -> &'static str {
    text.school.list(kind.as_str()).unwrap_or_default()
}

/// The part of a list that is on a page, if the list begins at this position of the whole.
pub(super) fn part<'a, T>(list: &'a [T], window: &Range<usize>, begin: usize) -> &'a [T] {
    let at = |position: usize| position.saturating_sub(begin).min(list.len());
    &list[at(window.start)..at(window.end)]
}

//! The page of a plan, of a turn or of an undo.

use http::StatusCode;

use crate::directory::Snapshot;
use crate::domain::{ClubId, PageRequest, StudentId};
use crate::http::audit::RefusalRule;
use crate::http::console::error::Error;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::school::part;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{
    FormErrors, LabeledText, PageLinks, YearConflictRow, YearPlanPage,
};
use crate::http::pages::texts::Texts;
use crate::school_year::{Conflict, ConflictKind, YearObstacle};

/// Number of rows of a plan on a page.
const PAGE_SIZE: u32 = 100;

/// Shows a page of a plan.
pub(super) fn render(request: &UserRequest<'_>, plan: YearPlanPage, number: u32) -> HandlerResult {
    request.render(StatusCode::OK, &cut(request, plan, number)?)
}

/// Shows the plan as it is now, in place of another one that was to be applied.
pub(super) fn render_outdated(request: &UserRequest<'_>, plan: YearPlanPage) -> HandlerResult {
    let message = request.texts().year.outdated;
    let rule = RefusalRule::ChangedMeanwhile;
    render_refused(request, plan, message, (StatusCode::CONFLICT, rule))
}

/// Shows the plan, and why it was not applied.
pub(super) fn render_obstructed(
    request: &UserRequest<'_>,
    plan: YearPlanPage,
    message: &'static str,
) -> HandlerResult {
    let rule = RefusalRule::FieldInvalid;
    render_refused(request, plan, message, (StatusCode::BAD_REQUEST, rule))
}

fn render_refused(
    request: &UserRequest<'_>,
    plan: YearPlanPage,
    message: &'static str,
    (status, rule): (StatusCode, RefusalRule),
) -> HandlerResult {
    let plan = YearPlanPage {
        errors: FormErrors::for_form(message),
        ..plan
    };
    request.render_refused(status, rule, &cut(request, plan, 0)?)
}

/// The number of the page that a request asks for; the first one otherwise.
pub(super) fn page_number(request: &UserRequest<'_>) -> Result<u32, Error> {
    let query = request.query()?;
    let number = query.value("page").and_then(|number| number.parse().ok());
    Ok(number.unwrap_or(0))
}

/// One page of a plan with all its rows. What is in the way comes first, then clubs, other
/// records and students.
fn cut(request: &UserRequest<'_>, plan: YearPlanPage, number: u32) -> Result<YearPlanPage, Error> {
    let size = PAGE_SIZE as usize;
    let (conflicts, clubs) = (plan.conflicts.len(), plan.clubs.len());
    let before_students = conflicts + clubs + plan.others.len();
    let total = before_students + plan.students.len();
    let number = number.min(u32::try_from(total.saturating_sub(1) / size).unwrap_or(0));
    let page = PageRequest::new(number, PAGE_SIZE).map_err(Error::internal)?;
    let begin = number as usize * size;
    let window = begin..begin + size;
    let option = if plan.resets_offices {
        "reset_offices=true&"
    } else {
        ""
    };
    let address = request.server.href(plan.action);
    Ok(YearPlanPage {
        conflicts: part(&plan.conflicts, &window, 0).to_vec(),
        clubs: part(&plan.clubs, &window, conflicts).to_vec(),
        others: part(&plan.others, &window, conflicts + clubs).to_vec(),
        students: part(&plan.students, &window, before_students).to_vec(),
        page_links: PageLinks::new(total as u64, page, plan.text, |page| {
            format!("{address}?{option}page={page}")
        }),
        ..plan
    })
}

/// Counts with their labels.
pub(super) fn counts<const N: usize>(counts: [(&'static str, usize); N]) -> Vec<LabeledText> {
    let count = |(label, count): (&'static str, usize)| LabeledText {
        label: label.to_owned(),
        value: count.to_string(),
    };
    counts.into_iter().map(count).collect()
}

/// Rows of what is in the way of a turn, or of what an undo leaves alone.
pub(super) fn conflicts(
    conflicts: &[Conflict],
    school: &Snapshot,
    text: &'static Texts,
) -> Vec<YearConflictRow> {
    let row = |conflict: &Conflict| {
        let student = conflict.student;
        let href = student
            .filter(|student| school.students().get(student.get()).is_some())
            .map(|student| format!("/admin/school/students/{student}"));
        YearConflictRow {
            name: student.map_or_else(String::new, |student| student_name(school, student)),
            href,
            reason: reason(conflict, school, text),
        }
    };
    conflicts.iter().map(row).collect()
}

fn reason(conflict: &Conflict, school: &Snapshot, text: &'static Texts) -> String {
    let year = &text.year;
    match conflict.kind {
        ConflictKind::OfFile => conflict.reason.clone(),
        ConflictKind::SameNumber { number, other } => {
            year.conflict_number(number, student_name(school, other))
        }
        ConflictKind::RuleOfSchool => year.conflict_rule.to_owned(),
        ConflictKind::RemovedSince => year.conflict_removed.to_owned(),
        ConflictKind::NewOneChanged => year.conflict_new_one.to_owned(),
        ConflictKind::EnrollmentChanged => year.conflict_enrollment.to_owned(),
        ConflictKind::ClubGone(club) => year.conflict_club(club_name(school, club)),
        ConflictKind::LeadsNoMore(club) => year.conflict_leader(club_name(school, club)),
    }
}

/// The name of a student, or the id if there is no record.
pub(super) fn student_name(school: &Snapshot, id: StudentId) -> String {
    let profile = school.students().get(id.get());
    profile.map_or_else(
        || id.to_string(),
        |profile| profile.student.name.to_string(),
    )
}

fn club_name(school: &Snapshot, id: ClubId) -> String {
    let profile = school.clubs().get(id.get());
    profile.map_or_else(|| id.to_string(), |profile| profile.club.name.to_string())
}

/// Why a plan is not applied.
pub(super) const fn obstacle(obstacle: YearObstacle, text: &'static Texts) -> &'static str {
    match obstacle {
        YearObstacle::Conflicts(_) => text.year.obstacle_conflicts,
        YearObstacle::AlreadyTurned(_) => text.year.obstacle_turned,
        YearObstacle::TooManyChanges(_) => text.year.obstacle_large,
        YearObstacle::NothingChanges => text.editor.nothing_changes,
        YearObstacle::TooLate => text.year.obstacle_late,
    }
}

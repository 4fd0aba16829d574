use std::collections::BTreeMap;

use super::{PATH, plan_page};
use crate::directory::{DirectoryChange, Snapshot};
use crate::domain::{Enrollment, RecordKind, Student};
use crate::http::console::error::Error;
use crate::http::console::form::flash::Flash;
use crate::http::console::form::{Form, FormFields};
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::school::{field_changes, planned_rows};
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{
    FormErrors, PageLinks, PlannedField, YearPlanPage, YearStudentRow,
};
use crate::http::pages::texts::Texts;
use crate::import::{FieldChange, PlannedRecord};
use crate::school_year::{YearOutcome, YearUndoPlan, besides_number};

pub(crate) const FIELDS: FormFields = FormFields::new(&["apply"]);

/// `GET /admin/year/undo`: what the undo of the last turn would change.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let Some(plan) = request.management().plan_year_undo().await? else {
        return request.redirect_with_flash(PATH, Flash::NothingToUndo);
    };
    let page = page(request, &plan).await?;
    plan_page::render(request, page, plan_page::page_number(request)?)
}

/// `POST /admin/year/undo`: undoes the last turn, if the plan is still the one that was shown.
pub(crate) async fn submit(request: &UserRequest<'_>, form: Form<'_>) -> HandlerResult {
    let (management, text) = (request.management(), request.texts());
    let Some(plan) = management.plan_year_undo().await? else {
        return request.redirect_with_flash(PATH, Flash::NothingToUndo);
    };
    if form.field("apply") != Some(&*plan.code()) {
        return plan_page::render_outdated(request, page(request, &plan).await?);
    }
    let message = match management.apply_year_undo(&plan).await? {
        YearOutcome::Applied(_) => {
            return request.redirect_with_flash(PATH, Flash::YearTurnUndone);
        }
        YearOutcome::Outdated => {
            let Some(plan) = management.plan_year_undo().await? else {
                return request.redirect_with_flash(PATH, Flash::NothingToUndo);
            };
            return plan_page::render_outdated(request, page(request, &plan).await?);
        }
        YearOutcome::Obstructed(obstacle) => plan_page::obstacle(obstacle, text),
        YearOutcome::Rejected(reason) => text.editor.refusal((&reason).into()),
    };
    plan_page::render_obstructed(request, page(request, &plan).await?, message)
}

/// The plan with all its rows.
async fn page(request: &UserRequest<'_>, plan: &YearUndoPlan) -> Result<YearPlanPage, Error> {
    let text = request.texts();
    let year = &text.year;
    let management = request.management();
    let (school, directory) = (management.school_snapshot().await?, management.school()?);
    let (of_students, others): (Vec<PlannedRecord>, Vec<PlannedRecord>) = plan
        .records()
        .iter()
        .cloned()
        .partition(|record| record.kind == RecordKind::Students);
    let of_students: BTreeMap<i64, Vec<FieldChange>> = of_students
        .into_iter()
        .map(|record| (record.id, besides_number(record.fields)))
        .collect();
    let fields = |id: i64| {
        let changes = of_students.get(&id).cloned().unwrap_or_default();
        field_changes(RecordKind::Students, &changes, directory, text)
    };
    let does_nothing = plan.changes().is_empty();
    Ok(YearPlanPage {
        text,
        layout: request.layout("year"),
        errors: FormErrors::default(),
        title: year.undo_title(plan.year()),
        action: "/admin/year/undo",
        counts: plan_page::counts([
            (year.step_restored, plan.restored()),
            (year.step_removed, plan.removed()),
            (year.left_alone, plan.conflicts().len()),
        ]),
        obstacle: does_nothing.then_some(text.editor.nothing_changes),
        conflicts_title: year.left_alone,
        conflicts_lead: year.left_alone_lead,
        conflicts: plan_page::conflicts(plan.conflicts(), &school, text),
        students: plan
            .changes()
            .iter()
            .filter_map(|change| student_row(change, &school, text, &fields))
            .collect(),
        clubs_title: "",
        clubs_lead: "",
        clubs: Vec::new(),
        others: planned_rows(&others, directory, text),
        page_links: PageLinks::default(),
        resets_roles: false,
        code: (!does_nothing).then(|| plan.code()),
        button: year.apply_undo,
    })
}

/// Row of a student who gets back an enrollment, or is removed.
fn student_row(
    change: &DirectoryChange,
    school: &Snapshot,
    text: &'static Texts,
    fields: &impl Fn(i64) -> Vec<PlannedField>,
) -> Option<YearStudentRow> {
    let (id, after) = match change {
        DirectoryChange::PutStudent(student) => (student.id, Some(student)),
        DirectoryChange::RemoveStudent(id) => (*id, None),
        _ => return None,
    };
    let now = school.students().get(id.get());
    let (step, badge) = match after {
        Some(_) => (text.year.step_restored, ""),
        None => (text.year.step_removed, "warning"),
    };
    Some(YearStudentRow {
        name: plan_page::student_name(school, id),
        step,
        badge,
        before: now.map_or_else(String::new, |profile| number(&profile.student)),
        after: after.map_or_else(String::new, number),
        fields: after.map_or_else(Vec::new, |student| fields(student.id.get())),
    })
}

/// The student number; empty if not enrolled.
fn number(student: &Student) -> String {
    let number = student.enrollment().map(Enrollment::student_number);
    number.map_or_else(String::new, |number| number.to_string())
}

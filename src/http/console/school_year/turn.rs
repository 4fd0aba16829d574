use super::{PATH, plan_page};
use crate::domain::RecordKind;
use crate::http::console::error::Error;
use crate::http::console::form::flash::Flash;
use crate::http::console::form::{Form, FormFields};
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::school::field_changes;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{FormErrors, PageLinks, YearPlanPage, YearStudentRow};
use crate::school_year::{PlannedStudent, Step, YearOutcome, YearPlan, YearTurn};

const RESET_ROLES: &str = "reset_roles";

pub(crate) const FIELDS: FormFields = FormFields::new(&[RESET_ROLES, "apply"]);

/// `GET /admin/year/turn`: what a turn of the school year would change.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let resets_roles = match request.typed_form(FIELDS) {
        Some(form) => form.is_checked(RESET_ROLES),
        None => request.query()?.value(RESET_ROLES).is_some(),
    };
    let plan = plan(request, resets_roles).await?;
    let page = page(request, &plan, resets_roles).await?;
    plan_page::render(request, page, plan_page::page_number(request)?)
}

/// `POST /admin/year/turn`: turns the school year, if the plan is still the one that was shown.
pub(crate) async fn submit(request: &UserRequest<'_>, form: Form<'_>) -> HandlerResult {
    let resets_roles = form.field(RESET_ROLES).is_some();
    let shown = plan(request, resets_roles).await?;
    if form.field("apply") != Some(&*shown.code()) {
        let page = page(request, &shown, resets_roles).await?;
        return plan_page::render_outdated(request, page);
    }
    let text = request.texts();
    let message = match request.management().apply_year_turn(&shown).await? {
        YearOutcome::Applied(_) => return request.redirect_with_flash(PATH, Flash::YearTurned),
        YearOutcome::Outdated => {
            let current = plan(request, resets_roles).await?;
            let page = page(request, &current, resets_roles).await?;
            return plan_page::render_outdated(request, page);
        }
        YearOutcome::Obstructed(obstacle) => plan_page::obstacle(obstacle, text),
        YearOutcome::Rejected(reason) => text.editor.refusal((&reason).into()),
    };
    let page = page(request, &shown, resets_roles).await?;
    plan_page::render_obstructed(request, page, message)
}

async fn plan(request: &UserRequest<'_>, resets_roles: bool) -> Result<YearPlan, Error> {
    let turn = YearTurn::new();
    let turn = if resets_roles {
        turn.reset_roles()
    } else {
        turn
    };
    Ok(request.management().plan_year_turn(&turn).await?)
}

/// The plan with all its rows.
async fn page(
    request: &UserRequest<'_>,
    plan: &YearPlan,
    resets_roles: bool,
) -> Result<YearPlanPage, Error> {
    let text = request.texts();
    let year = &text.year;
    let school = request.management().school_snapshot().await?;
    let management = request.management();
    let directory = management.school()?;
    let number = |number: Option<i32>| number.map_or_else(String::new, |it| it.to_string());
    let row = |student: &PlannedStudent| {
        let (step, badge) = match student.step {
            Step::Graduates => (year.step_graduates, "warning"),
            Step::MovesUp => (year.step_stays, ""),
            Step::Repeats => (year.step_repeats, "warning"),
            Step::IsNew => (year.step_new, "good"),
        };
        YearStudentRow {
            name: student.name.clone(),
            step,
            badge,
            before: number(student.numbers[0]),
            after: number(student.numbers[1]),
            fields: match student.step {
                Step::MovesUp | Step::Repeats => {
                    field_changes(RecordKind::Students, &student.fields, directory, text)
                }
                Step::Graduates | Step::IsNew => Vec::new(),
            },
        }
    };
    let obstacle = plan.obstacle();
    Ok(YearPlanPage {
        text,
        layout: request.layout("year"),
        errors: FormErrors::default(),
        title: year.turn_title(plan.year()),
        action: "/admin/year/turn",
        counts: plan_page::counts([
            (year.step_graduates, plan.graduated()),
            (year.step_stays, plan.promoted()),
            (year.step_repeats, plan.repeated()),
            (year.leaderless, plan.leaderless().len()),
            (year.conflicts, plan.conflicts().len()),
        ]),
        obstacle: obstacle.map(|obstacle| plan_page::obstacle(obstacle, text)),
        conflicts_title: year.conflicts,
        conflicts_lead: year.conflicts_lead,
        conflicts: plan_page::conflicts(plan.conflicts(), &school, text),
        students: plan.students().iter().map(row).collect(),
        clubs_title: year.leaderless,
        clubs_lead: year.leaderless_lead,
        clubs: plan.leaderless().to_vec(),
        others: Vec::new(),
        page_links: PageLinks::default(),
        resets_roles,
        code: obstacle.is_none().then(|| plan.code()),
        button: year.apply_turn,
    })
}

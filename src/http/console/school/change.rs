//! Changes of selected records: the page that asks what to change, and the one that shows what
//! changes before it is done.

use std::collections::BTreeSet;

use http::StatusCode;

use super::selection::{Action, Selection};
use super::{MAX_ATTEMPTS, messages, part, path_of, planned, title_of};
use crate::directory::FieldType;
use crate::domain::{PageRequest, RecordKind};
use crate::http::audit::RefusalRule;
use crate::http::console::data::choices;
use crate::http::console::error::Error;
use crate::http::console::form::flash::Flash;
use crate::http::console::form::version::VERSION_FIELD;
use crate::http::console::form::{Form, FormFields};
use crate::http::console::query::encode;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{
    ChangedMeanwhile, FormErrors, PageLinks, RadioOption, RecordChangePage, RecordSelectionPage,
    SelectOption,
};
use crate::http::pages::texts::Texts;
use crate::import::{ApplyOutcome, Plan, PlannedRecord, RefusalKind, form_columns};

pub(crate) const FIELDS: FormFields = FormFields::new(&[
    VERSION_FIELD,
    "action",
    "grade",
    "classNum",
    "major",
    "all",
    "filter",
    "count",
    "version",
])
.with_repeated(&["id"]);

/// Number of records of a plan on a page.
const PAGE_SIZE: u32 = 100;
/// Number of names in a list of selected records.
const MAX_NAMES: usize = 50;

/// `GET /admin/school/{list}/change`: asks what to do with the records, and then shows what
/// changes.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let (query, management) = (request.query()?, request.management());
    let snapshot = management.school_snapshot().await?;
    let selection = match request.typed_form(FIELDS) {
        Some(form) => Selection::new(request, &snapshot, form.values("id"), |name| {
            form.field(name)
        })?,
        None => {
            let ids = query.pairs().filter(|(name, _)| *name == "id");
            let ids = ids.map(|(_, id)| id);
            Selection::new(request, &snapshot, ids, |name| query.value(name))?
        }
    };
    let Some(action) = selection.action.filter(|_| !selection.records.is_empty()) else {
        return match too_many(&selection, request.texts()) {
            Some(errors) => ask(request, &selection, StatusCode::BAD_REQUEST, errors),
            None => ask(request, &selection, StatusCode::OK, FormErrors::default()),
        };
    };
    let plan = management
        .plan_edit(selection.edit(action), &snapshot)
        .await?;
    if !plan.refused().is_empty() {
        return refuse(request, &selection, &plan);
    }
    let errors = FormErrors::default();
    let page = preview(request, &selection, &plan, errors)?;
    request.render(StatusCode::OK, &page)
}

/// `POST /admin/school/{list}/change`: does what was shown, if it is still the same.
pub(crate) async fn submit(request: &UserRequest<'_>, form: Form<'_>) -> HandlerResult {
    let (management, text) = (request.management(), request.texts());
    for _ in 0..MAX_ATTEMPTS {
        let snapshot = management.school_snapshot().await?;
        let selection = Selection::new(request, &snapshot, form.values("id"), |name| {
            form.field(name)
        })?;
        let Some(action) = selection.action.filter(|_| !selection.records.is_empty()) else {
            let changed = || FormErrors::for_form(text.editor.plan_changed);
            let errors = too_many(&selection, text).unwrap_or_else(changed);
            return ask(request, &selection, StatusCode::CONFLICT, errors);
        };
        let plan = management
            .plan_edit(selection.edit(action), &snapshot)
            .await?;
        if !plan.refused().is_empty() {
            return refuse(request, &selection, &plan);
        }
        let (status, rule, errors) = if planned::version(&plan).matches(&form) {
            match management.apply_edit(&plan, action.change()).await? {
                ApplyOutcome::Applied(_) => {
                    let flash = match action {
                        Action::Remove => Flash::Deleted,
                        _ => Flash::Saved,
                    };
                    return request.redirect_with_flash(&path_of(selection.kind), flash);
                }
                ApplyOutcome::Outdated => continue,
                ApplyOutcome::Obstructed(_) | ApplyOutcome::Rejected(_) => (
                    StatusCode::BAD_REQUEST,
                    RefusalRule::FieldInvalid,
                    FormErrors::for_form(text.editor.refusal(RefusalKind::TooMany)),
                ),
            }
        } else {
            (
                StatusCode::CONFLICT,
                RefusalRule::ChangedMeanwhile,
                FormErrors::for_form(text.editor.plan_changed),
            )
        };
        let page = preview(request, &selection, &plan, errors)?;
        return request.render_refused(status, rule, &page);
    }
    Err(Error::unavailable())
}

/// The message about a selection that is too large.
fn too_many(selection: &Selection, text: &'static Texts) -> Option<FormErrors> {
    let message = text.editor.too_many_selected;
    selection.is_too_many.then(|| FormErrors::for_form(message))
}

/// Shows the page that asks again, with the first message of each refused field.
fn refuse(request: &UserRequest<'_>, selection: &Selection, plan: &Plan) -> HandlerResult {
    let management = request.management();
    let columns = form_columns(management.school()?, selection.kind);
    let errors = messages::form_errors(plan.refused(), &columns, request.texts());
    ask(request, selection, StatusCode::BAD_REQUEST, errors)
}

fn ask(
    request: &UserRequest<'_>,
    selection: &Selection,
    status: StatusCode,
    errors: FormErrors,
) -> HandlerResult {
    selection.record_look(request)?;
    let (text, kind, management) = (request.texts(), selection.kind, request.management());
    let columns = form_columns(management.school()?, kind);
    let chosen = selection.action.unwrap_or(Action::Remove);
    let actions = Action::ALL.iter().filter(|action| action.is_for(kind));
    let major = columns.iter().find(|column| column.name == "major");
    let majors = major.map_or_else(Vec::new, |column| match &column.field.kind {
        FieldType::Enum(values) => values
            .iter()
            .map(|word| SelectOption {
                value: word.to_owned(),
                label: choices::label(values, word, text),
                is_on: word == selection.major,
            })
            .collect(),
        _ => Vec::new(),
    });
    let bounds = |name| {
        let column = columns.iter().find(|column| column.name == name);
        column.and_then(|column| column.bounds)
    };
    let page = RecordSelectionPage {
        text,
        layout: request.layout("school"),
        errors,
        back: path_of(kind),
        back_label: title_of(kind, text),
        action: format!("{}/change", path_of(kind)),
        names: names(&selection.records),
        more: more(&selection.records, text),
        meanwhile: meanwhile(selection, text),
        hidden: selection.fields(),
        actions: actions
            .map(|action| RadioOption {
                value: action.as_str().to_owned(),
                label: text.editor.action_of(action.as_str()),
                hint: "",
                is_on: *action == chosen,
            })
            .collect(),
        is_for_students: kind == RecordKind::Students,
        grade: selection.grade.clone(),
        grades: bounds("grade"),
        class_num: selection.class_num.clone(),
        classes: bounds("classNum"),
        majors,
    };
    match status {
        StatusCode::OK => request.render(status, &page),
        StatusCode::CONFLICT => {
            request.render_refused(status, RefusalRule::ChangedMeanwhile, &page)
        }
        _ => request.render_refused(status, RefusalRule::FieldInvalid, &page),
    }
}

fn preview(
    request: &UserRequest<'_>,
    selection: &Selection,
    plan: &Plan,
    errors: FormErrors,
) -> Result<RecordChangePage, Error> {
    selection.record_look(request)?;
    let (text, kind, management) = (request.texts(), selection.kind, request.management());
    let school = management.school()?;
    let is_removal = selection.action == Some(Action::Remove);
    let version = planned::version(plan).hidden_input();
    // What somebody else has changed comes first.
    let changed: BTreeSet<i64> = selection.changed.iter().map(|(id, _)| *id).collect();
    let mut records: Vec<&PlannedRecord> = plan.records().iter().collect();
    records.sort_by_key(|record| !changed.contains(&record.id));
    let others: Vec<&PlannedRecord> = plan.consequences().iter().collect();
    let total = records.len() + others.len();
    let query = request.query()?;
    let number = query.value("page").and_then(|number| number.parse().ok());
    let last = (total.saturating_sub(1) / PAGE_SIZE as usize) as u32;
    let page = PageRequest::new(number.unwrap_or(0).min(last), PAGE_SIZE);
    let page = page.map_err(Error::internal)?;
    let begin = page.page() as usize * PAGE_SIZE as usize;
    let window = begin..begin + PAGE_SIZE as usize;
    let fields = selection.fields_of_pages();
    Ok(RecordChangePage {
        text,
        layout: request.layout("school"),
        errors,
        title: text.editor.change_title(records.len()),
        back: path_of(kind),
        back_label: title_of(kind, text),
        action: format!("{}/change", path_of(kind)),
        meanwhile: meanwhile(selection, text),
        hidden: selection
            .fields_with_action()
            .into_iter()
            .chain([version])
            .collect(),
        records: planned::rows(part(&records, &window, 0).iter().copied(), school, text),
        consequences: planned::rows(
            part(&others, &window, records.len()).iter().copied(),
            school,
            text,
        ),
        page_links: PageLinks::new(total as u64, page, text, |page| {
            let page = page.to_string();
            let fields = fields.iter().map(|it| (&*it.name, &*it.value));
            format!("?{}", encode(fields.chain([("page", &*page)])))
        }),
        is_removal,
        button: if is_removal {
            text.delete
        } else {
            text.editor.apply
        },
    })
}

/// What is different from what the page before showed.
fn meanwhile(selection: &Selection, text: &'static Texts) -> Option<ChangedMeanwhile> {
    let count = selection.other_count();
    (count.is_some() || !selection.changed.is_empty()).then(|| ChangedMeanwhile {
        count: count.map(|(before, now)| text.editor.other_count(before, now)),
        names: names(&selection.changed),
        more: more(&selection.changed, text),
    })
}

fn names(records: &[(i64, String)]) -> Vec<String> {
    let first = records.iter().take(MAX_NAMES);
    first.map(|(_, name)| name.clone()).collect()
}

/// How many records [`names`] leaves out.
fn more(records: &[(i64, String)], text: &'static Texts) -> Option<String> {
    let more = records
        .len()
        .checked_sub(MAX_NAMES)
        .filter(|more| *more > 0);
    more.map(|more| text.editor.and_more(more))
}

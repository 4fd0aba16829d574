//! Changes of selected records: the page that asks what to change, and the one that shows what
//! changes before it is done.

use http::StatusCode;

use super::{MAX_ATTEMPTS, kind_of, messages, path_of, planned, title_of};
use crate::directory::{FieldType, Snapshot};
use crate::domain::RecordKind;
use crate::http::audit::{Change, RefusalRule};
use crate::http::console::data::choices;
use crate::http::console::error::Error;
use crate::http::console::flash::Flash;
use crate::http::console::form::{Form, FormFields};
use crate::http::console::form_version::VERSION_FIELD;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{
    FormErrors, HiddenInput, RadioOption, RecordChangePage, RecordSelectionPage, SelectOption,
};
use crate::http::management::ManagementSession;
use crate::import::{ApplyOutcome, Edit, Plan, RefusalKind, form_cells, form_columns};

pub(crate) const FIELDS: FormFields =
    FormFields::new(&[VERSION_FIELD, "action", "grade", "classNum", "major"])
        .with_repeated(&["id"]);

/// Maximum number of records that are changed at once.
const MAX_RECORDS: usize = 500;

/// What becomes of the selected records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    /// Students move to another class.
    Class,
    /// Students change their major.
    Major,
    /// Students graduate.
    Graduate,
    /// Students leave.
    Withdraw,
    /// The records are removed.
    Remove,
}

impl Action {
    const ALL: [Self; 5] = [
        Self::Class,
        Self::Major,
        Self::Graduate,
        Self::Withdraw,
        Self::Remove,
    ];

    const fn as_str(self) -> &'static str {
        match self {
            Self::Class => "class",
            Self::Major => "major",
            Self::Graduate => "graduate",
            Self::Withdraw => "withdraw",
            Self::Remove => "remove",
        }
    }

    fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.as_str() == word)
    }

    fn is_for(self, kind: RecordKind) -> bool {
        self == Self::Remove || kind == RecordKind::Students
    }

    const fn change(self) -> Change {
        match self {
            Self::Remove => Change::Deleted,
            _ => Change::Changed,
        }
    }
}

/// The selected records and what to do with them.
struct Selection {
    kind: RecordKind,
    /// The ids with their names, without those that are gone.
    records: Vec<(i64, String)>,
    action: Option<Action>,
    grade: String,
    class_num: String,
    major: String,
}

impl Selection {
    fn new<'a>(
        request: &UserRequest<'_>,
        snapshot: &Snapshot,
        ids: impl Iterator<Item = &'a str>,
        value: impl Fn(&str) -> Option<&'a str>,
    ) -> Result<Self, Error> {
        let (kind, management) = (kind_of(request)?, request.management());
        let school = management.school()?;
        let mut ids: Vec<i64> = ids.filter_map(|id| id.parse().ok()).collect();
        ids.sort_unstable();
        ids.dedup();
        ids.truncate(MAX_RECORDS);
        let name = |id: i64| Some((id, form_cells(school, snapshot, kind, id)?.0));
        let text = |name| value(name).unwrap_or_default().trim().to_owned();
        let action = value("action").and_then(Action::parse);
        Ok(Self {
            kind,
            records: ids.into_iter().filter_map(name).collect(),
            action: action.filter(|action: &Action| action.is_for(kind)),
            grade: text("grade"),
            class_num: text("classNum"),
            major: text("major"),
        })
    }

    fn edit(&self, action: Action) -> Edit {
        let cell = |column: &str, value: &str| (column.to_owned(), value.to_owned());
        let cells = match action {
            Action::Class => {
                let grade = (!self.grade.is_empty()).then(|| cell("grade", &self.grade));
                grade
                    .into_iter()
                    .chain([cell("classNum", &self.class_num)])
                    .collect()
            }
            Action::Major => vec![cell("major", &self.major)],
            Action::Graduate => vec![cell("role", "GRADUATE")],
            Action::Withdraw => vec![cell("role", "WITHDRAWN")],
            Action::Remove => Vec::new(),
        };
        let edit = Edit::new(self.kind);
        self.records
            .iter()
            .fold(edit, |edit, (id, _)| match action {
                Action::Remove => edit.remove(*id),
                _ => edit.change(*id, cells.clone()),
            })
    }

    fn hidden_inputs(&self) -> Vec<HiddenInput> {
        let input = |name: &str, value: &str| HiddenInput {
            name: name.to_owned(),
            value: value.to_owned(),
        };
        let ids = self.records.iter();
        let ids = ids.map(|(id, _)| input("id", &id.to_string()));
        let settings = [
            ("action", self.action.map_or("", Action::as_str)),
            ("grade", &self.grade),
            ("classNum", &self.class_num),
            ("major", &self.major),
        ];
        let settings = settings.into_iter().filter(|(_, value)| !value.is_empty());
        ids.chain(settings.map(|(name, value)| input(name, value)))
            .collect()
    }
}

/// `GET /admin/school/{list}/change`: asks what to do with the records, and then shows what
/// changes.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let (query, management) = (request.query()?, request.management());
    let snapshot = management.school_snapshot().await?;
    let ids = query.pairs().filter(|(name, _)| *name == "id");
    let ids = ids.map(|(_, id)| id);
    let selection = Selection::new(request, &snapshot, ids, |name| query.value(name))?;
    let Some(action) = selection.action.filter(|_| !selection.records.is_empty()) else {
        return ask(
            request,
            &management,
            &selection,
            StatusCode::OK,
            FormErrors::default(),
        );
    };
    let plan = management
        .plan_edit(selection.edit(action), &snapshot)
        .await?;
    if !plan.refused().is_empty() {
        return refuse(request, &management, &selection, &plan);
    }
    let page = preview(
        request,
        &management,
        &selection,
        &plan,
        FormErrors::default(),
    )?;
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
            return Err(Error::not_found());
        };
        let plan = management
            .plan_edit(selection.edit(action), &snapshot)
            .await?;
        if !plan.refused().is_empty() {
            return refuse(request, &management, &selection, &plan);
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
        let page = preview(request, &management, &selection, &plan, errors)?;
        return request.render_refused(status, rule, &page);
    }
    Err(Error::unavailable())
}

/// Shows the page that asks again, with the first message of each refused field.
fn refuse(
    request: &UserRequest<'_>,
    management: &ManagementSession<'_>,
    selection: &Selection,
    plan: &Plan,
) -> HandlerResult {
    let columns = form_columns(management.school()?, selection.kind);
    let errors = messages::form_errors(plan.refused(), &columns, request.texts());
    ask(
        request,
        management,
        selection,
        StatusCode::BAD_REQUEST,
        errors,
    )
}

fn ask(
    request: &UserRequest<'_>,
    management: &ManagementSession<'_>,
    selection: &Selection,
    status: StatusCode,
    errors: FormErrors,
) -> HandlerResult {
    let (text, kind) = (request.texts(), selection.kind);
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
        names: selection
            .records
            .iter()
            .map(|(_, name)| name.clone())
            .collect(),
        ids: selection.records.iter().map(|(id, _)| *id).collect(),
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
    if status == StatusCode::OK {
        request.render(status, &page)
    } else {
        request.render_refused(status, RefusalRule::FieldInvalid, &page)
    }
}

fn preview(
    request: &UserRequest<'_>,
    management: &ManagementSession<'_>,
    selection: &Selection,
    plan: &Plan,
    errors: FormErrors,
) -> Result<RecordChangePage, Error> {
    let (text, kind, school) = (request.texts(), selection.kind, management.school()?);
    let is_removal = selection.action == Some(Action::Remove);
    let version = planned::version(plan).hidden_input();
    Ok(RecordChangePage {
        text,
        layout: request.layout("school"),
        errors,
        title: text.editor.change_title(plan.records().len()),
        back: path_of(kind),
        back_label: title_of(kind, text),
        action: format!("{}/change", path_of(kind)),
        hidden: selection
            .hidden_inputs()
            .into_iter()
            .chain([version])
            .collect(),
        records: planned::rows(plan.records(), school, text),
        consequences: planned::rows(plan.consequences(), school, text),
        is_removal,
        button: if is_removal {
            text.delete
        } else {
            text.editor.apply
        },
    })
}

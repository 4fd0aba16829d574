use http::StatusCode;

use super::new::FIELDS;
use super::seen::{Seen, Values};
use super::{MAX_ATTEMPTS, fields, id_parameter, kind_of, messages, path_of, title_of};
use crate::directory::{Directory, Snapshot};
use crate::domain::RecordKind;
use crate::http::audit::{Change, RefusalRule};
use crate::http::console::error::Error;
use crate::http::console::form::Form;
use crate::http::console::form::flash::Flash;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{FormErrors, RecordFormPage};
use crate::import::{ApplyOutcome, Edit, FormColumn, RefusalKind, form_cells, form_columns};

/// A record as it is now.
struct Current {
    kind: RecordKind,
    id: i64,
    name: String,
    values: Values,
}

impl Current {
    fn load(
        request: &UserRequest<'_>,
        school: &Directory,
        snapshot: &Snapshot,
    ) -> Result<Self, Error> {
        let kind = kind_of(request)?;
        let [_, id] = request.params();
        let id = id.parse().map_err(|_| Error::not_found())?;
        let (name, values) = form_cells(school, snapshot, kind, id).ok_or_else(Error::not_found)?;
        let in_lines = |(column, value): (&'static str, String)| match column {
            "participants" => (column, value.replace(' ', "\n")),
            _ => (column, value),
        };
        Ok(Self {
            kind,
            id,
            name,
            values: values.into_iter().map(in_lines).collect(),
        })
    }
}

/// `GET /admin/school/{list}/{id}`.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let management = request.management();
    let (snapshot, school) = (management.school_snapshot().await?, management.school()?);
    let current = Current::load(request, school, &snapshot)?;
    let columns = form_columns(school, current.kind);
    let typed = request.typed_form(FIELDS);
    let values = typed.as_ref().map(|form| fields::typed(form, &columns));
    let mut page = page(
        request,
        (&current, &columns),
        (values.as_ref().unwrap_or(&current.values), &|_| None),
        &snapshot,
        FormErrors::default(),
    );
    if let Some(typed) = &typed {
        // The form is still about the values that it showed.
        page.hidden = vec![Seen::from_form(typed).hidden_input()];
    }
    request.render(StatusCode::OK, &page)
}

/// `POST /admin/school/{list}/{id}`. If somebody else has changed the record since the form was
/// shown, nothing is written, and the form is shown again with what is different now.
pub(crate) async fn submit(request: &UserRequest<'_>, form: Form<'_>) -> HandlerResult {
    let (management, text) = (request.management(), request.texts());
    let school = management.school()?;
    let seen = Seen::from_form(&form);
    for _ in 0..MAX_ATTEMPTS {
        let snapshot = management.school_snapshot().await?;
        let current = Current::load(request, school, &snapshot)?;
        let columns = form_columns(school, current.kind);
        let typed = fields::typed(&form, &columns);
        if Seen::new(&current.values) != seen {
            return changed_meanwhile(request, (&current, &columns), &seen, typed, &snapshot);
        }
        let changed = typed.iter().enumerate();
        let changed = changed.filter(|(index, value)| seen.differs(*index, value));
        let cells = fields::cells(&typed, &columns, changed.map(|(_, value)| value));
        let edit = Edit::new(current.kind).change(current.id, cells);
        let plan = management.plan_edit(edit, &snapshot).await?;
        let mut errors = messages::form_errors(plan.refused(), &columns, text);
        if errors.is_empty() {
            match management.apply_edit(&plan, Change::Changed).await? {
                ApplyOutcome::Applied(_) => {
                    return request.redirect_with_flash(&address(&current), Flash::Saved);
                }
                ApplyOutcome::Outdated => continue,
                ApplyOutcome::Obstructed(_) | ApplyOutcome::Rejected(_) => {
                    errors.add_general(text.editor.refusal(RefusalKind::TooMany));
                }
            }
        }
        let page = page(
            request,
            (&current, &columns),
            (&typed, &|_| None),
            &snapshot,
            errors,
        );
        return request.render_refused(StatusCode::BAD_REQUEST, RefusalRule::FieldInvalid, &page);
    }
    Err(Error::unavailable())
}

/// Shows the form again. Fields that the user left alone have their current values.
fn changed_meanwhile(
    request: &UserRequest<'_>,
    (current, columns): (&Current, &[FormColumn<'_>]),
    seen: &Seen,
    typed: Values,
    snapshot: &Snapshot,
) -> HandlerResult {
    let meanwhile = |index: usize| {
        let now = current.values.get(index)?;
        seen.differs(index, now).then(|| now.1.clone())
    };
    let value = |(index, value): (usize, (&'static str, String))| {
        let is_untouched = !seen.differs(index, &value);
        match meanwhile(index).filter(|_| is_untouched) {
            Some(now) => (value.0, now),
            None => value,
        }
    };
    let values = typed.into_iter().enumerate().map(value).collect();
    let errors = FormErrors::for_form(request.texts().editor.changed_meanwhile);
    let page = page(
        request,
        (current, columns),
        (&values, &meanwhile),
        snapshot,
        errors,
    );
    request.render_refused(StatusCode::CONFLICT, RefusalRule::ChangedMeanwhile, &page)
}

fn address(current: &Current) -> String {
    format!("{}/{}", path_of(current.kind), current.id)
}

fn page(
    request: &UserRequest<'_>,
    (current, columns): (&Current, &[FormColumn<'_>]),
    (values, meanwhile): (&Values, &dyn Fn(usize) -> Option<String>),
    snapshot: &Snapshot,
    errors: FormErrors,
) -> RecordFormPage {
    let (text, kind) = (request.texts(), current.kind);
    request.record_one_viewed(kind.as_str(), id_parameter(kind), current.id);
    RecordFormPage {
        text,
        layout: request.layout("school"),
        errors,
        title: current.name.clone(),
        back: path_of(kind),
        back_label: title_of(kind, text),
        action: address(current),
        button: text.save,
        removal: Some(format!(
            "{}/change?action=remove&id={}",
            path_of(kind),
            current.id
        )),
        hidden: vec![Seen::new(&current.values).hidden_input()],
        fields: fields::view(columns, values, meanwhile, snapshot, text),
    }
}

use http::StatusCode;

use super::seen::Values;
use super::{MAX_ATTEMPTS, fields, kind_of, messages, path_of, title_of};
use crate::directory::Snapshot;
use crate::domain::RecordKind;
use crate::http::audit::{Change, RefusalRule};
use crate::http::console::error::Error;
use crate::http::console::form::flash::Flash;
use crate::http::console::form::version::VERSION_FIELD;
use crate::http::console::form::{Form, FormFields};
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{FormErrors, RecordFormPage};
use crate::import::{ApplyOutcome, Edit, FormColumn, RefusalKind, form_columns};

pub(crate) const FIELDS: FormFields = FormFields::new(&[VERSION_FIELD]).with_columns();

/// `GET /admin/school/{list}/new`.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let (kind, management) = (kind_of(request)?, request.management());
    let snapshot = management.school_snapshot().await?;
    let columns = form_columns(management.school()?, kind);
    let values = match request.typed_form(FIELDS) {
        Some(typed) => fields::typed(&typed, &columns),
        None => columns
            .iter()
            .map(|column| (column.name, String::new()))
            .collect(),
    };
    let page = page(
        request,
        (kind, &columns),
        &values,
        &snapshot,
        FormErrors::default(),
    );
    request.render(StatusCode::OK, &page)
}

/// `POST /admin/school/{list}/new`.
pub(crate) async fn submit(request: &UserRequest<'_>, form: Form<'_>) -> HandlerResult {
    let (kind, management, text) = (kind_of(request)?, request.management(), request.texts());
    let columns = form_columns(management.school()?, kind);
    let values = fields::typed(&form, &columns);
    let filled = values.iter().filter(|(_, value)| !value.trim().is_empty());
    let cells = fields::cells(&values, &columns, filled);
    for _ in 0..MAX_ATTEMPTS {
        let snapshot = management.school_snapshot().await?;
        let edit = Edit::new(kind).create(cells.clone());
        let plan = management.plan_edit(edit, &snapshot).await?;
        let mut errors = messages::form_errors(plan.refused(), &columns, text);
        if errors.is_empty() {
            match management.apply_edit(&plan, Change::Created).await? {
                ApplyOutcome::Applied(_) => {
                    return request.redirect_with_flash(&path_of(kind), Flash::Created);
                }
                ApplyOutcome::Outdated => continue,
                ApplyOutcome::Obstructed(_) | ApplyOutcome::Rejected(_) => {
                    errors.add_general(text.editor.refusal(RefusalKind::TooMany));
                }
            }
        }
        let page = page(request, (kind, &columns), &values, &snapshot, errors);
        return request.render_refused(StatusCode::BAD_REQUEST, RefusalRule::FieldInvalid, &page);
    }
    Err(Error::unavailable())
}

fn page(
    request: &UserRequest<'_>,
    (kind, columns): (RecordKind, &[FormColumn<'_>]),
    values: &Values,
    snapshot: &Snapshot,
    errors: FormErrors,
) -> RecordFormPage {
    let text = request.texts();
    RecordFormPage {
        text,
        layout: request.layout("school"),
        errors,
        title: text.editor.new_record(title_of(kind, text)),
        back: path_of(kind),
        back_label: title_of(kind, text),
        action: format!("{}/new", path_of(kind)),
        button: text.create,
        removal: None,
        hidden: Vec::new(),
        fields: fields::view(columns, values, |_| None, snapshot, text),
    }
}

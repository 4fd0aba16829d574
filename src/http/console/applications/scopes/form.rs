use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::{Ids, address};
use crate::domain::{Application, ScopeDefinition, ScopeDescription};
use crate::http::Body;
use crate::http::audit::Rule;
use crate::http::console::done::Done;
use crate::http::console::form::{Fields, Form};
use crate::http::console::gate::SignedIn;
use crate::http::console::refusal::{Refusal, faulty};
use crate::http::console::seen::{SEEN, Seen};
use crate::http::console::server::Server;
use crate::http::console::views::{Problems, ScopeFormPage};
use crate::http::manage::NotDone;
use crate::store::ScopeChange;

const NEW: Fields = Fields { once: &["scope_name", "description", "approval_required"], lists: &[] };
const CHANGED: Fields = Fields { once: &["description", "approval_required", SEEN], lists: &[] };

/// `GET /applications/{id}/scopes/new`.
pub(super) async fn new(server: &Server, who: &SignedIn, application: &str) -> Result<Response<Body>, Refusal> {
    let application = who.desk(server).changeable_application(application).await?;
    server.page(StatusCode::OK, &page_of_new(server, who, &application))
}

/// `POST /applications/{id}/scopes/new`.
pub(super) async fn create(
    server: &Server,
    who: &SignedIn,
    application: &str,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Refusal> {
    let form = Form::of_session(server, &who.token, request, NEW)?;
    let (desk, text) = (who.desk(server), server.texts());
    let application = desk.changeable_application(application).await?;
    let page = || as_typed(page_of_new(server, who, &application), &form);
    let mut problems = Problems::default();
    let name = form.read("scope_name", "scopeName", &mut problems, text);
    let description = form.read("description", "description", &mut problems, text);
    let (Some(name), Some(description)) = (name, description) else {
        let page = ScopeFormPage { problems, ..page() };
        return Ok(faulty(server.page(StatusCode::BAD_REQUEST, &page)?, Rule::FieldInvalid));
    };
    match desk.create_scope(&application, name, description, form.is_on("approval_required")).await {
        Ok(definition) => server.led_to(&address(&definition), Done::Created),
        Err(NotDone::Denied(denial)) if denial.field.is_some() => {
            let problems = Problems::of_denial(&denial, NEW.once, text);
            Ok(faulty(server.page(denial.status, &ScopeFormPage { problems, ..page() })?, denial.rule))
        }
        Err(not_done) => Err(not_done.into()),
    }
}

/// `GET /applications/{id}/scopes/{scopeId}/edit`.
pub(super) async fn edit(server: &Server, who: &SignedIn, (application, id): Ids<'_>) -> Result<Response<Body>, Refusal> {
    let definition = who.desk(server).changeable_scope(application, id).await?;
    server.page(StatusCode::OK, &page_of(server, who, &definition))
}

/// `POST /applications/{id}/scopes/{scopeId}/edit`.
pub(super) async fn change(
    server: &Server,
    who: &SignedIn,
    (application, id): Ids<'_>,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Refusal> {
    let form = Form::of_session(server, &who.token, request, CHANGED)?;
    let (desk, text) = (who.desk(server), server.texts());
    let definition = desk.changeable_scope(application, id).await?;
    let page = page_of(server, who, &definition);
    if !seen(&definition).is_in(&form) {
        let problems = Problems::of_all(text.faults.changed_meanwhile);
        return Ok(faulty(server.page(StatusCode::CONFLICT, &ScopeFormPage { problems, ..page })?, Rule::ChangedMeanwhile));
    }
    let mut problems = Problems::default();
    let Some(description) = form.read::<ScopeDescription>("description", "description", &mut problems, text) else {
        let page = ScopeFormPage { problems, ..as_typed(page, &form) };
        return Ok(faulty(server.page(StatusCode::BAD_REQUEST, &page)?, Rule::FieldInvalid));
    };
    let approval_required = form.is_on("approval_required");
    let change = ScopeChange {
        description: Some(description).filter(|description| *description != definition.description),
        approval_required: Some(approval_required).filter(|required| *required != definition.approval_required),
    };
    match desk.change_scope(&definition, change).await {
        Ok(definition) => server.led_to(&address(&definition), Done::Saved),
        Err(NotDone::Denied(denial)) if denial.field.is_some() => {
            let problems = Problems::of_denial(&denial, CHANGED.once, text);
            let page = ScopeFormPage { problems, ..as_typed(page, &form) };
            Ok(faulty(server.page(denial.status, &page)?, denial.rule))
        }
        Err(not_done) => Err(not_done.into()),
    }
}

/// What can be changed of a scope, as somebody saw it.
fn seen(definition: &ScopeDefinition) -> Seen {
    Seen::of([definition.description.to_string(), definition.approval_required.to_string()])
}

fn as_typed(page: ScopeFormPage, form: &Form<'_>) -> ScopeFormPage {
    let typed = |name| form.field(name).unwrap_or_default().to_owned();
    let scope_name = if page.is_new { typed("scope_name") } else { page.scope_name };
    ScopeFormPage { scope_name, description: typed("description"), approval_required: form.is_on("approval_required"), ..page }
}

fn page_of_new(server: &Server, who: &SignedIn, application: &Application) -> ScopeFormPage {
    let (text, back) = (server.texts(), super::super::address(application.id));
    ScopeFormPage {
        text,
        frame: server.frame(who, "applications"),
        problems: Problems::default(),
        title: text.new_scope.to_owned(),
        action: format!("{back}/scopes/new"),
        back,
        back_label: application.name.to_string(),
        is_new: true,
        scope_name: String::new(),
        description: String::new(),
        approval_required: false,
        fields: Vec::new(),
    }
}

fn page_of(server: &Server, who: &SignedIn, definition: &ScopeDefinition) -> ScopeFormPage {
    let (text, back) = (server.texts(), address(definition));
    ScopeFormPage {
        text,
        frame: server.frame(who, "applications"),
        problems: Problems::default(),
        title: text.edit_scope.to_owned(),
        action: format!("{back}/edit"),
        back,
        back_label: definition.scope.name.to_string(),
        is_new: false,
        scope_name: definition.scope.name.to_string(),
        description: definition.description.to_string(),
        approval_required: definition.approval_required,
        fields: vec![seen(definition).input()],
    }
}

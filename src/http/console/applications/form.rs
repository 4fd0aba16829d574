use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::address;
use crate::domain::{Application, Line};
use crate::http::Body;
use crate::http::audit::Rule;
use crate::http::console::done::Done;
use crate::http::console::form::{Fields, Form};
use crate::http::console::gate::SignedIn;
use crate::http::console::refusal::{Refusal, faulty};
use crate::http::console::server::Server;
use crate::http::console::views::{ApplicationFormPage, Problems};
use crate::http::manage::NotDone;

const FIELDS: Fields = Fields { once: &["name"], lists: &[] };

/// `GET /applications/new`.
pub(super) fn new(server: &Server, who: &SignedIn) -> Result<Response<Body>, Refusal> {
    server.page(StatusCode::OK, &page(server, who, None))
}

/// `POST /applications/new`.
pub(super) async fn create(server: &Server, who: &SignedIn, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let form = Form::of_session(server, &who.token, request, FIELDS)?;
    match name(server, &form) {
        Ok(name) => match who.desk(server).create_application(name).await {
            Ok(application) => server.led_to(&address(application.id), Done::Created),
            Err(not_done) => refused(server, &form, not_done, page(server, who, None)),
        },
        Err(problems) => again(server, &form, problems, Rule::FieldInvalid, page(server, who, None)),
    }
}

/// `GET /applications/{id}/edit`.
pub(super) async fn edit(server: &Server, who: &SignedIn, id: &str) -> Result<Response<Body>, Refusal> {
    let application = who.desk(server).changeable_application(id).await?;
    server.page(StatusCode::OK, &page(server, who, Some(&application)))
}

/// `POST /applications/{id}/edit`.
pub(super) async fn rename(server: &Server, who: &SignedIn, id: &str, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let form = Form::of_session(server, &who.token, request, FIELDS)?;
    let desk = who.desk(server);
    let application = desk.changeable_application(id).await?;
    match name(server, &form) {
        Ok(name) => match desk.rename_application(&application, name).await {
            Ok(()) => server.led_to(&address(application.id), Done::Saved),
            Err(not_done) => refused(server, &form, not_done, page(server, who, Some(&application))),
        },
        Err(problems) => again(server, &form, problems, Rule::FieldInvalid, page(server, who, Some(&application))),
    }
}

fn name(server: &Server, form: &Form<'_>) -> Result<Line, Problems> {
    let mut problems = Problems::default();
    form.read("name", "name", &mut problems, server.texts()).ok_or(problems)
}

/// The form with what was typed, where the name itself was refused.
fn refused(server: &Server, form: &Form<'_>, not_done: NotDone, page: ApplicationFormPage) -> Result<Response<Body>, Refusal> {
    match not_done {
        NotDone::Denied(denial) if denial.field.is_some() => {
            let problems = Problems::of_denial(&denial, FIELDS.once, server.texts());
            again(server, form, problems, denial.rule, page)
        }
        not_done => Err(not_done.into()),
    }
}

/// The form with what was typed, and what is wrong with it.
fn again(server: &Server, form: &Form<'_>, problems: Problems, rule: Rule, page: ApplicationFormPage) -> Result<Response<Body>, Refusal> {
    let name = form.field("name").unwrap_or_default().to_owned();
    let response = server.page(StatusCode::BAD_REQUEST, &ApplicationFormPage { problems, name, ..page })?;
    Ok(faulty(response, rule))
}

/// The form for a new application, or for one that is there.
fn page(server: &Server, who: &SignedIn, application: Option<&Application>) -> ApplicationFormPage {
    let text = server.texts();
    let (title, back, action) = match application {
        Some(application) => (text.rename_application, address(application.id), format!("{}/edit", address(application.id))),
        None => (text.new_application, "/applications".to_owned(), "/applications/new".to_owned()),
    };
    let name = application.map(|application| application.name.to_string());
    ApplicationFormPage {
        text,
        frame: server.frame(who, "applications"),
        problems: Problems::default(),
        title: title.to_owned(),
        back,
        back_label: name.clone().unwrap_or_else(|| text.nav_applications.to_owned()),
        action,
        name: name.unwrap_or_default(),
    }
}

use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::address;
use crate::domain::{Application, ShortText};
use crate::http::Body;
use crate::http::audit::RefusalRule;
use crate::http::console::error::{Error, with_rule};
use crate::http::console::flash::Flash;
use crate::http::console::form::{Form, FormFields};
use crate::http::console::server::Server;
use crate::http::console::session::SignedInUser;
use crate::http::console::views::{ApplicationFormPage, FormErrors};
use crate::http::management::ManagementError;

const FIELDS: FormFields = FormFields {
    single: &["name"],
    repeated: &[],
};

/// `GET /applications/new`.
pub(super) fn show_new(server: &Server, user: &SignedInUser) -> Result<Response<Body>, Error> {
    server.render(StatusCode::OK, &page(server, user, None))
}

/// `POST /applications/new`.
pub(super) async fn submit_new(
    server: &Server,
    user: &SignedInUser,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let form = Form::parse(server, &user.token, request, FIELDS)?;
    match name(server, &form) {
        Ok(name) => match user.management(server).create_application(name).await {
            Ok(application) => server.redirect_with_flash(&address(application.id), Flash::Created),
            Err(error) => show_refusal(server, &form, error, page(server, user, None)),
        },
        Err(errors) => show_errors(
            server,
            &form,
            errors,
            RefusalRule::FieldInvalid,
            page(server, user, None),
        ),
    }
}

/// `GET /applications/{id}/edit`.
pub(super) async fn show_edit(
    server: &Server,
    user: &SignedInUser,
    id: &str,
) -> Result<Response<Body>, Error> {
    let application = user.management(server).changeable_application(id).await?;
    server.render(StatusCode::OK, &page(server, user, Some(&application)))
}

/// `POST /applications/{id}/edit`.
pub(super) async fn submit_edit(
    server: &Server,
    user: &SignedInUser,
    id: &str,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let form = Form::parse(server, &user.token, request, FIELDS)?;
    let management = user.management(server);
    let application = management.changeable_application(id).await?;
    match name(server, &form) {
        Ok(name) => match management.rename_application(&application, name).await {
            Ok(()) => server.redirect_with_flash(&address(application.id), Flash::Saved),
            Err(error) => {
                show_refusal(server, &form, error, page(server, user, Some(&application)))
            }
        },
        Err(errors) => show_errors(
            server,
            &form,
            errors,
            RefusalRule::FieldInvalid,
            page(server, user, Some(&application)),
        ),
    }
}

fn name(server: &Server, form: &Form<'_>) -> Result<ShortText, FormErrors> {
    let mut errors = FormErrors::default();
    form.parse_field("name", "name", &mut errors, server.texts())
        .ok_or(errors)
}

/// Renders the form again if a field was rejected; returns every other error.
fn show_refusal(
    server: &Server,
    form: &Form<'_>,
    error: ManagementError,
    page: ApplicationFormPage,
) -> Result<Response<Body>, Error> {
    match error {
        ManagementError::Rejected(rejection) if rejection.field.is_some() => {
            let errors = FormErrors::from_rejection(&rejection, FIELDS.single, server.texts());
            show_errors(server, form, errors, rejection.rule, page)
        }
        error => Err(error.into()),
    }
}

/// Renders the form again with the submitted name and `errors`.
fn show_errors(
    server: &Server,
    form: &Form<'_>,
    errors: FormErrors,
    rule: RefusalRule,
    page: ApplicationFormPage,
) -> Result<Response<Body>, Error> {
    let name = form.field("name").unwrap_or_default().to_owned();
    let response = server.render(
        StatusCode::BAD_REQUEST,
        &ApplicationFormPage {
            errors,
            name,
            ..page
        },
    )?;
    Ok(with_rule(response, rule))
}

/// The form for a new or an existing application.
fn page(
    server: &Server,
    user: &SignedInUser,
    application: Option<&Application>,
) -> ApplicationFormPage {
    let text = server.texts();
    let (title, back, action) = match application {
        Some(application) => (
            text.rename_application,
            address(application.id),
            format!("{}/edit", address(application.id)),
        ),
        None => (
            text.new_application,
            "/applications".to_owned(),
            "/applications/new".to_owned(),
        ),
    };
    let name = application.map(|application| application.name.to_string());
    ApplicationFormPage {
        text,
        layout: server.layout(user, "applications"),
        errors: FormErrors::default(),
        title: title.to_owned(),
        back,
        back_label: name
            .clone()
            .unwrap_or_else(|| text.nav_applications.to_owned()),
        action,
        name: name.unwrap_or_default(),
    }
}

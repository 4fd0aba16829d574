use http::StatusCode;

use super::address;
use crate::domain::{Application, ShortText, Translations};
use crate::http::audit::RefusalRule;
use crate::http::console::form::flash::Flash;
use crate::http::console::form::translations;
use crate::http::console::form::{Form, FormFields};
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{ApplicationFormPage, FormErrors};
use crate::http::management::ManagementError;
use crate::store::ApplicationPatch;

pub(crate) const FIELDS: FormFields = FormFields::new(&["name"]).with_repeated(&[TRANSLATIONS]);

/// Field of the names in other languages.
const TRANSLATIONS: &str = "name_translations";

/// `GET /applications/new`.
pub(crate) async fn show_new(request: &UserRequest<'_>) -> HandlerResult {
    request.render(StatusCode::OK, &page_with_typed_names(request, None))
}

/// `POST /applications/new`.
pub(crate) async fn submit_new(request: &UserRequest<'_>, form: Form<'_>) -> HandlerResult {
    match names(request, &form, &Translations::default()) {
        Ok((name, translations)) => {
            match request
                .management()
                .create_application(name, translations)
                .await
            {
                Ok(application) => {
                    request.redirect_with_flash(&address(application.id), Flash::Created)
                }
                Err(error) => show_refusal(request, &form, error, page(request, None)),
            }
        }
        Err(errors) => show_errors(
            request,
            &form,
            errors,
            RefusalRule::FieldInvalid,
            page(request, None),
        ),
    }
}

/// `GET /applications/{id}/edit`.
pub(crate) async fn show_edit(request: &UserRequest<'_>) -> HandlerResult {
    let [id] = request.params();
    let application = request.management().changeable_application(id).await?;
    let page = page_with_typed_names(request, Some(&application));
    request.render(StatusCode::OK, &page)
}

/// `POST /applications/{id}/edit`.
pub(crate) async fn submit_edit(request: &UserRequest<'_>, form: Form<'_>) -> HandlerResult {
    let [id] = request.params();
    let management = request.management();
    let application = management.changeable_application(id).await?;
    match names(request, &form, &application.name_translations) {
        Ok((name, translations)) => {
            let change = ApplicationPatch {
                name: Some(name).filter(|name| *name != application.name),
                name_translations: Some(translations)
                    .filter(|translations| *translations != application.name_translations),
            };
            match management.change_application(&application, change).await {
                Ok(()) => request.redirect_with_flash(&address(application.id), Flash::Saved),
                Err(error) => {
                    show_refusal(request, &form, error, page(request, Some(&application)))
                }
            }
        }
        Err(errors) => show_errors(
            request,
            &form,
            errors,
            RefusalRule::FieldInvalid,
            page(request, Some(&application)),
        ),
    }
}

/// The page with the names that were typed before the session ended.
fn page_with_typed_names(
    request: &UserRequest<'_>,
    application: Option<&Application>,
) -> ApplicationFormPage {
    // Before the layout, which says that the form is restored.
    let typed = request.typed_form(FIELDS);
    let page = page(request, application);
    match typed {
        Some(typed) => with_submitted_names(page, &typed),
        None => page,
    }
}

fn with_submitted_names(page: ApplicationFormPage, form: &Form<'_>) -> ApplicationFormPage {
    ApplicationFormPage {
        name: form.field("name").unwrap_or_default().to_owned(),
        translations: translations::submitted_fields(form, TRANSLATIONS),
        ..page
    }
}

/// The submitted name, and those in other languages.
fn names(
    request: &UserRequest<'_>,
    form: &Form<'_>,
    stored: &Translations,
) -> Result<(ShortText, Translations), FormErrors> {
    let (mut errors, text) = (FormErrors::default(), request.texts());
    let name = form.parse_field("name", "name", &mut errors, text);
    let translations = translations::parse(form, TRANSLATIONS, stored, &mut errors, text);
    name.zip(translations).ok_or(errors)
}

/// Renders the form again if a field was rejected; returns every other error.
fn show_refusal(
    request: &UserRequest<'_>,
    form: &Form<'_>,
    error: ManagementError,
    page: ApplicationFormPage,
) -> HandlerResult {
    match error {
        ManagementError::Rejected(rejection) if rejection.field.is_some() => {
            let errors = FormErrors::from_rejection(&rejection, &form.names(), request.texts());
            show_errors(request, form, errors, rejection.rule, page)
        }
        error => Err(error.into()),
    }
}

/// Renders the form again with the submitted names and `errors`.
fn show_errors(
    request: &UserRequest<'_>,
    form: &Form<'_>,
    errors: FormErrors,
    rule: RefusalRule,
    page: ApplicationFormPage,
) -> HandlerResult {
    let page = ApplicationFormPage {
        errors,
        ..with_submitted_names(page, form)
    };
    request.render_refused(StatusCode::BAD_REQUEST, rule, &page)
}

/// The form for a new or an existing application.
fn page(request: &UserRequest<'_>, application: Option<&Application>) -> ApplicationFormPage {
    let text = request.texts();
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
        layout: request.layout("applications"),
        errors: FormErrors::default(),
        title: title.to_owned(),
        back,
        back_label: name
            .clone()
            .unwrap_or_else(|| text.nav_applications.to_owned()),
        action,
        name: name.unwrap_or_default(),
        translations: translations::stored_fields(
            application.map_or(&Translations::default(), |found| &found.name_translations),
        ),
    }
}

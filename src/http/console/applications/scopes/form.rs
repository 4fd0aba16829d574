use http::StatusCode;

use super::address;
use crate::domain::{Application, ScopeDefinition, ScopeDescription, Translations};
use crate::http::audit::RefusalRule;
use crate::http::console::form::flash::Flash;
use crate::http::console::form::translations;
use crate::http::console::form::version::{FormVersion, VERSION_FIELD};
use crate::http::console::form::{Form, FormFields};
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{FormErrors, ScopeFormPage};
use crate::http::management::ManagementError;
use crate::store::ScopePatch;

pub(crate) const CREATE_FIELDS: FormFields =
    FormFields::new(&["scope_name", "description", "approval_required"])
        .with_repeated(&[TRANSLATIONS]);
pub(crate) const UPDATE_FIELDS: FormFields =
    FormFields::new(&["description", "approval_required", VERSION_FIELD])
        .with_repeated(&[TRANSLATIONS]);

/// Field of the descriptions in other languages.
const TRANSLATIONS: &str = "description_translations";

/// `GET /applications/{id}/scopes/new`.
pub(crate) async fn show_new(request: &UserRequest<'_>) -> HandlerResult {
    let [application] = request.params();
    let application = request
        .management()
        .changeable_application(application)
        .await?;
    let typed = request.typed_form(CREATE_FIELDS);
    let page = new_page(request, &application);
    let page = match &typed {
        Some(typed) => with_submitted_values(page, typed),
        None => page,
    };
    request.render(StatusCode::OK, &page)
}

/// `POST /applications/{id}/scopes/new`.
pub(crate) async fn submit_new(request: &UserRequest<'_>, form: Form<'_>) -> HandlerResult {
    let [application] = request.params();
    let (management, text) = (request.management(), request.texts());
    let application = management.changeable_application(application).await?;
    let page = || with_submitted_values(new_page(request, &application), &form);
    let mut errors = FormErrors::default();
    let name = form.parse_field("scope_name", "scopeName", &mut errors, text);
    let description = form.parse_field("description", "description", &mut errors, text);
    let none = Translations::default();
    let translations = translations::parse(&form, TRANSLATIONS, &none, &mut errors, text);
    let (Some(name), Some(description), Some(translations)) = (name, description, translations)
    else {
        let page = ScopeFormPage { errors, ..page() };
        return request.render_refused(StatusCode::BAD_REQUEST, RefusalRule::FieldInvalid, &page);
    };
    match management
        .create_scope(
            &application,
            name,
            description,
            translations,
            form.is_checked("approval_required"),
        )
        .await
    {
        Ok(definition) => request.redirect_with_flash(&address(&definition), Flash::Created),
        Err(ManagementError::Rejected(rejection)) if rejection.field.is_some() => {
            let errors = FormErrors::from_rejection(&rejection, &form.names(), text);
            request.render_refused(
                rejection.status,
                rejection.rule,
                &ScopeFormPage { errors, ..page() },
            )
        }
        Err(error) => Err(error.into()),
    }
}

/// `GET /applications/{id}/scopes/{scopeId}/edit`.
pub(crate) async fn show_edit(request: &UserRequest<'_>) -> HandlerResult {
    let [application, id] = request.params();
    let definition = request
        .management()
        .changeable_scope(application, id)
        .await?;
    let typed = request.typed_form(UPDATE_FIELDS);
    let page = edit_page(request, &definition);
    let page = match &typed {
        Some(typed) => ScopeFormPage {
            fields: vec![FormVersion::from_form(typed).hidden_input()],
            ..with_submitted_values(page, typed)
        },
        None => page,
    };
    request.render(StatusCode::OK, &page)
}

/// `POST /applications/{id}/scopes/{scopeId}/edit`.
pub(crate) async fn submit_edit(request: &UserRequest<'_>, form: Form<'_>) -> HandlerResult {
    let [application, id] = request.params();
    let (management, text) = (request.management(), request.texts());
    let definition = management.changeable_scope(application, id).await?;
    let page = edit_page(request, &definition);
    if !form_version(&definition).matches(&form) {
        let errors = FormErrors::for_form(text.errors.changed_meanwhile);
        return request.render_refused(
            StatusCode::CONFLICT,
            RefusalRule::ChangedMeanwhile,
            &ScopeFormPage { errors, ..page },
        );
    }
    let mut errors = FormErrors::default();
    let description =
        form.parse_field::<ScopeDescription>("description", "description", &mut errors, text);
    let stored = &definition.description_translations;
    let translations = translations::parse(&form, TRANSLATIONS, stored, &mut errors, text);
    let (Some(description), Some(translations)) = (description, translations) else {
        let page = ScopeFormPage {
            errors,
            ..with_submitted_values(page, &form)
        };
        return request.render_refused(StatusCode::BAD_REQUEST, RefusalRule::FieldInvalid, &page);
    };
    let approval_required = form.is_checked("approval_required");
    let change = ScopePatch {
        description: Some(description).filter(|description| *description != definition.description),
        description_translations: Some(translations).filter(|translations| translations != stored),
        approval_required: Some(approval_required)
            .filter(|required| *required != definition.approval_required),
    };
    match management.change_scope(&definition, change).await {
        Ok(definition) => request.redirect_with_flash(&address(&definition), Flash::Saved),
        Err(ManagementError::Rejected(rejection)) if rejection.field.is_some() => {
            let errors = FormErrors::from_rejection(&rejection, &form.names(), text);
            let page = ScopeFormPage {
                errors,
                ..with_submitted_values(page, &form)
            };
            request.render_refused(rejection.status, rejection.rule, &page)
        }
        Err(error) => Err(error.into()),
    }
}

/// Version of the editable fields of a scope.
fn form_version(definition: &ScopeDefinition) -> FormVersion {
    FormVersion::from_parts([
        definition.description.to_string(),
        format!("{:?}", definition.description_translations),
        definition.approval_required.to_string(),
    ])
}

fn with_submitted_values(page: ScopeFormPage, form: &Form<'_>) -> ScopeFormPage {
    let typed = |name| form.field(name).unwrap_or_default().to_owned();
    let scope_name = if page.is_new {
        typed("scope_name")
    } else {
        page.scope_name
    };
    ScopeFormPage {
        scope_name,
        description: typed("description"),
        translations: translations::submitted_fields(form, TRANSLATIONS),
        approval_required: form.is_checked("approval_required"),
        ..page
    }
}

fn new_page(request: &UserRequest<'_>, application: &Application) -> ScopeFormPage {
    let (text, back) = (request.texts(), super::super::address(application.id));
    ScopeFormPage {
        text,
        layout: request.layout("applications"),
        errors: FormErrors::default(),
        title: text.new_scope.to_owned(),
        action: format!("{back}/scopes/new"),
        back,
        back_label: application.name.to_string(),
        is_new: true,
        scope_name: String::new(),
        description: String::new(),
        translations: translations::stored_fields(&Translations::default()),
        approval_required: false,
        fields: Vec::new(),
    }
}

fn edit_page(request: &UserRequest<'_>, definition: &ScopeDefinition) -> ScopeFormPage {
    let (text, back) = (request.texts(), address(definition));
    ScopeFormPage {
        text,
        layout: request.layout("applications"),
        errors: FormErrors::default(),
        title: text.edit_scope.to_owned(),
        action: format!("{back}/edit"),
        back,
        back_label: definition.scope.name.to_string(),
        is_new: false,
        scope_name: definition.scope.name.to_string(),
        description: definition.description.to_string(),
        translations: translations::stored_fields(&definition.description_translations),
        approval_required: definition.approval_required,
        fields: vec![form_version(definition).hidden_input()],
    }
}

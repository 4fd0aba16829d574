use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::{Ids, address};
use crate::domain::{Application, ScopeDefinition, ScopeDescription};
use crate::http::Body;
use crate::http::audit::RefusalRule;
use crate::http::console::error::{Error, with_rule};
use crate::http::console::flash::Flash;
use crate::http::console::form::{Form, FormFields};
use crate::http::console::form_version::{FormVersion, VERSION_FIELD};
use crate::http::console::server::Server;
use crate::http::console::session::SignedInUser;
use crate::http::console::views::{FormErrors, ScopeFormPage};
use crate::http::management::ManagementError;
use crate::store::ScopePatch;

const CREATE_FIELDS: FormFields = FormFields {
    single: &["scope_name", "description", "approval_required"],
    repeated: &[],
};
const UPDATE_FIELDS: FormFields = FormFields {
    single: &["description", "approval_required", VERSION_FIELD],
    repeated: &[],
};

/// `GET /applications/{id}/scopes/new`.
pub(super) async fn show_new(
    server: &Server,
    user: &SignedInUser,
    application: &str,
) -> Result<Response<Body>, Error> {
    let application = user
        .management(server)
        .changeable_application(application)
        .await?;
    server.render(StatusCode::OK, &new_page(server, user, &application))
}

/// `POST /applications/{id}/scopes/new`.
pub(super) async fn submit_new(
    server: &Server,
    user: &SignedInUser,
    application: &str,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let form = Form::parse(server, &user.token, request, CREATE_FIELDS)?;
    let (management, text) = (user.management(server), server.texts());
    let application = management.changeable_application(application).await?;
    let page = || with_submitted_values(new_page(server, user, &application), &form);
    let mut errors = FormErrors::default();
    let name = form.parse_field("scope_name", "scopeName", &mut errors, text);
    let description = form.parse_field("description", "description", &mut errors, text);
    let (Some(name), Some(description)) = (name, description) else {
        let page = ScopeFormPage { errors, ..page() };
        return Ok(with_rule(
            server.render(StatusCode::BAD_REQUEST, &page)?,
            RefusalRule::FieldInvalid,
        ));
    };
    match management
        .create_scope(
            &application,
            name,
            description,
            form.is_checked("approval_required"),
        )
        .await
    {
        Ok(definition) => server.redirect_with_flash(&address(&definition), Flash::Created),
        Err(ManagementError::Rejected(rejection)) if rejection.field.is_some() => {
            let errors = FormErrors::from_rejection(&rejection, CREATE_FIELDS.single, text);
            Ok(with_rule(
                server.render(rejection.status, &ScopeFormPage { errors, ..page() })?,
                rejection.rule,
            ))
        }
        Err(error) => Err(error.into()),
    }
}

/// `GET /applications/{id}/scopes/{scopeId}/edit`.
pub(super) async fn show_edit(
    server: &Server,
    user: &SignedInUser,
    (application, id): Ids<'_>,
) -> Result<Response<Body>, Error> {
    let definition = user
        .management(server)
        .changeable_scope(application, id)
        .await?;
    server.render(StatusCode::OK, &edit_page(server, user, &definition))
}

/// `POST /applications/{id}/scopes/{scopeId}/edit`.
pub(super) async fn submit_edit(
    server: &Server,
    user: &SignedInUser,
    (application, id): Ids<'_>,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let form = Form::parse(server, &user.token, request, UPDATE_FIELDS)?;
    let (management, text) = (user.management(server), server.texts());
    let definition = management.changeable_scope(application, id).await?;
    let page = edit_page(server, user, &definition);
    if !form_version(&definition).matches(&form) {
        let errors = FormErrors::for_form(text.errors.changed_meanwhile);
        return Ok(with_rule(
            server.render(StatusCode::CONFLICT, &ScopeFormPage { errors, ..page })?,
            RefusalRule::ChangedMeanwhile,
        ));
    }
    let mut errors = FormErrors::default();
    let Some(description) =
        form.parse_field::<ScopeDescription>("description", "description", &mut errors, text)
    else {
        let page = ScopeFormPage {
            errors,
            ..with_submitted_values(page, &form)
        };
        return Ok(with_rule(
            server.render(StatusCode::BAD_REQUEST, &page)?,
            RefusalRule::FieldInvalid,
        ));
    };
    let approval_required = form.is_checked("approval_required");
    let change = ScopePatch {
        description: Some(description).filter(|description| *description != definition.description),
        approval_required: Some(approval_required)
            .filter(|required| *required != definition.approval_required),
    };
    match management.change_scope(&definition, change).await {
        Ok(definition) => server.redirect_with_flash(&address(&definition), Flash::Saved),
        Err(ManagementError::Rejected(rejection)) if rejection.field.is_some() => {
            let errors = FormErrors::from_rejection(&rejection, UPDATE_FIELDS.single, text);
            let page = ScopeFormPage {
                errors,
                ..with_submitted_values(page, &form)
            };
            Ok(with_rule(
                server.render(rejection.status, &page)?,
                rejection.rule,
            ))
        }
        Err(error) => Err(error.into()),
    }
}

/// Version of the editable fields of a scope.
fn form_version(definition: &ScopeDefinition) -> FormVersion {
    FormVersion::from_parts([
        definition.description.to_string(),
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
        approval_required: form.is_checked("approval_required"),
        ..page
    }
}

fn new_page(server: &Server, user: &SignedInUser, application: &Application) -> ScopeFormPage {
    let (text, back) = (server.texts(), super::super::address(application.id));
    ScopeFormPage {
        text,
        layout: server.layout(user, "applications"),
        errors: FormErrors::default(),
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

fn edit_page(server: &Server, user: &SignedInUser, definition: &ScopeDefinition) -> ScopeFormPage {
    let (text, back) = (server.texts(), address(definition));
    ScopeFormPage {
        text,
        layout: server.layout(user, "applications"),
        errors: FormErrors::default(),
        title: text.edit_scope.to_owned(),
        action: format!("{back}/edit"),
        back,
        back_label: definition.scope.name.to_string(),
        is_new: false,
        scope_name: definition.scope.name.to_string(),
        description: definition.description.to_string(),
        approval_required: definition.approval_required,
        fields: vec![form_version(definition).hidden_input()],
    }
}

use http::StatusCode;

use super::address;
use super::removal_preview::RemovalPreview;
use crate::domain::Application;
use crate::http::audit::RefusalRule;
use crate::http::console::form::Form;
use crate::http::console::form::flash::Flash;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{ConfirmPage, FormErrors};

/// `GET /applications/{id}/delete`: shows the affected clients and grants.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let [id] = request.params();
    let management = request.management();
    let application = management.changeable_application(id).await?;
    let preview =
        RemovalPreview::load(request, &management.application_usage(&application).await?).await?;
    request.render(StatusCode::OK, &page(request, &application, preview))
}

/// `POST /applications/{id}/delete`.
pub(crate) async fn submit(request: &UserRequest<'_>, form: Form<'_>) -> HandlerResult {
    let [id] = request.params();
    let management = request.management();
    let application = management.changeable_application(id).await?;
    let preview =
        RemovalPreview::load(request, &management.application_usage(&application).await?).await?;
    if !preview.form_version.matches(&form) {
        let errors = FormErrors::for_form(request.texts().touched_meanwhile);
        let page = ConfirmPage {
            errors,
            ..page(request, &application, preview)
        };
        return request.render_refused(StatusCode::CONFLICT, RefusalRule::ChangedMeanwhile, &page);
    }
    management.delete_application(&application).await?;
    request.redirect_with_flash("/applications", Flash::Deleted)
}

fn page(
    request: &UserRequest<'_>,
    application: &Application,
    preview: RemovalPreview,
) -> ConfirmPage {
    let text = request.texts();
    ConfirmPage {
        text,
        layout: request.layout("applications"),
        errors: FormErrors::default(),
        affected: Some(preview.summary),
        affected_kind: preview.kind,
        clients: preview.clients,
        fields: vec![preview.form_version.hidden_input()],
        switch: None,
        title: text.delete_application_title(&application.name),
        effects: vec![text.delete_application_effect.to_owned()],
        back: address(application.id),
        back_label: application.name.to_string(),
        action: format!("{}/delete", address(application.id)),
        button: text.delete,
    }
}

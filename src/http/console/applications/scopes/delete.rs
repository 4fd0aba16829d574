use http::StatusCode;

use super::address;
use crate::domain::ScopeDefinition;
use crate::http::audit::RefusalRule;
use crate::http::console::applications::removal_preview::RemovalPreview;
use crate::http::console::form::Form;
use crate::http::console::form::flash::Flash;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{ConfirmPage, FormErrors};

/// `GET /applications/{id}/scopes/{scopeId}/delete`: shows the affected clients and grants.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let [application, id] = request.params();
    let management = request.management();
    let definition = management.changeable_scope(application, id).await?;
    let preview =
        RemovalPreview::load(request, &management.scope_usage(&definition).await?).await?;
    request.render(StatusCode::OK, &page(request, &definition, preview))
}

/// `POST /applications/{id}/scopes/{scopeId}/delete`.
pub(crate) async fn submit(request: &UserRequest<'_>, form: Form<'_>) -> HandlerResult {
    let [application, id] = request.params();
    let management = request.management();
    let definition = management.changeable_scope(application, id).await?;
    let preview =
        RemovalPreview::load(request, &management.scope_usage(&definition).await?).await?;
    if !preview.form_version.matches(&form) {
        let errors = FormErrors::for_form(request.texts().touched_meanwhile);
        let page = ConfirmPage {
            errors,
            ..page(request, &definition, preview)
        };
        return request.render_refused(StatusCode::CONFLICT, RefusalRule::ChangedMeanwhile, &page);
    }
    management.delete_scope(&definition).await?;
    request.redirect_with_flash(
        &super::super::address(definition.scope.application),
        Flash::Deleted,
    )
}

fn page(
    request: &UserRequest<'_>,
    definition: &ScopeDefinition,
    preview: RemovalPreview,
) -> ConfirmPage {
    let (text, back) = (request.texts(), address(definition));
    ConfirmPage {
        text,
        layout: request.layout("applications"),
        errors: FormErrors::default(),
        affected: Some(preview.summary),
        affected_kind: preview.kind,
        clients: preview.clients,
        fields: vec![preview.form_version.hidden_input()],
        switch: None,
        title: text.delete_scope_title(&definition.scope.name),
        effects: vec![text.delete_scope_effect.to_owned()],
        action: format!("{back}/delete"),
        back,
        back_label: definition.scope.name.to_string(),
        button: text.delete,
    }
}

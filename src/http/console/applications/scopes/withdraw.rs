use http::StatusCode;

use super::address;
use crate::http::audit::RefusalRule;
use crate::http::console::error::Error;
use crate::http::console::form::Form;
use crate::http::console::form::flash::Flash;
use crate::http::console::form::version::FormVersion;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{ConfirmPage, FormErrors};

/// `GET /applications/{id}/scopes/{scopeId}/clients/{clientId}/withdraw`: shows what the client
/// loses.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let (page, _) = page(request).await?;
    request.render(StatusCode::OK, &page)
}

/// `POST /applications/{id}/scopes/{scopeId}/clients/{clientId}/withdraw`.
pub(crate) async fn submit(request: &UserRequest<'_>, form: Form<'_>) -> HandlerResult {
    let (page, form_version) = page(request).await?;
    if !form_version.matches(&form) {
        let page = ConfirmPage {
            errors: FormErrors::for_form(request.texts().touched_meanwhile),
            ..page
        };
        return request.render_refused(StatusCode::CONFLICT, RefusalRule::ChangedMeanwhile, &page);
    }
    let [application, id, client] = request.params();
    let management = request.management();
    let definition = management.changeable_scope(application, id).await?;
    management.withdraw_scope(&definition, client).await?;
    request.redirect_with_flash(&address(&definition), Flash::ScopeWithdrawn)
}

async fn page(request: &UserRequest<'_>) -> Result<(ConfirmPage, FormVersion), Error> {
    let [application, id, client] = request.params();
    let (management, text) = (request.management(), request.texts());
    let definition = management.changeable_scope(application, id).await?;
    let client = management.client_of_scope(&definition, client).await?;
    let live = management
        .scope_usage(&definition)
        .await?
        .for_client(&client.id)
        .live;
    let effect = if definition.approval_required {
        text.remove_scope_effect
    } else {
        text.remove_open_scope_effect
    };
    let form_version =
        FormVersion::from_parts([definition.approval_required.to_string(), live.to_string()]);
    let back = address(&definition);
    let page = ConfirmPage {
        text,
        layout: request.layout("applications"),
        errors: FormErrors::default(),
        affected: (live > 0).then(|| text.touches(text.count_connections(live))),
        affected_kind: "warning",
        clients: Vec::new(),
        fields: vec![form_version.hidden_input()],
        switch: None,
        title: text.remove_scope_title(&client.name),
        effects: vec![effect.to_owned()],
        action: format!("{back}/clients/{}/withdraw", client.id),
        back,
        back_label: definition.scope.name.to_string(),
        button: text.remove_scope,
    };
    Ok((page, form_version))
}

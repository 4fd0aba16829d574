use http::StatusCode;

use super::{address, show};
use crate::http::audit::RefusalRule;
use crate::http::console::flash::Flash;
use crate::http::console::form::Form;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{FormErrors, ScopePage};
use crate::http::management::ManagementError;

/// `POST /applications/{id}/scopes/{scopeId}/approve`: approves the scope for a client.
pub(crate) async fn submit(request: &UserRequest<'_>, form: Form<'_>) -> HandlerResult {
    let [application, id] = request.params();
    let typed = form.field("client_id").unwrap_or_default();
    let management = request.management();
    let definition = management.changeable_scope(application, id).await?;
    match management.approve_scope(&definition, typed.trim()).await {
        Ok(()) => request.redirect_with_flash(&address(&definition), Flash::Approved),
        // The client is unknown. If the scope itself was removed, building the page returns an
        // error too.
        Err(ManagementError::Rejected(rejection)) if rejection.rule == RefusalRule::NotFound => {
            let mut errors = FormErrors::default();
            errors.add("client_id", request.texts().errors.client_unknown);
            let page = show::page(request, &definition).await?;
            let page = ScopePage {
                errors,
                client_id: typed.to_owned(),
                ..page
            };
            request.render_refused(StatusCode::BAD_REQUEST, rejection.rule, &page)
        }
        Err(error) => Err(error.into()),
    }
}

use http::StatusCode;

use super::{edit, show};
use crate::http::audit::RefusalRule;
use crate::http::console::error::with_rule;
use crate::http::console::flash::Flash;
use crate::http::console::form::{Form, FormFields};
use crate::http::console::form_version::VERSION_FIELD;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::management::ManagementError;

pub(crate) const FIELDS: FormFields = FormFields::new(&["decision", VERSION_FIELD]);

/// `POST /admin/keys/{id}/fields`: an administrator shows the fields that the owner asks for, or
/// refuses. The decision is about what the page showed, not about a later request.
pub(crate) async fn submit(request: &UserRequest<'_>, form: Form<'_>) -> HandlerResult {
    let [id] = request.params();
    let management = request.management();
    let key = management.changeable_api_key(id).await?;
    let is_approved = form.field("decision") == Some("approve");
    let flash = if is_approved {
        Flash::FieldsShown
    } else {
        Flash::FieldsRefused
    };
    let outcome = if edit::version(&key).matches(&form) {
        management.decide_requested_fields(&key, is_approved).await
    } else {
        Err(crate::http::management::Rejection::key_changed_meanwhile().into())
    };
    match outcome {
        Ok(()) => request.redirect_with_flash(&format!("/keys/{}", key.id), flash),
        Err(ManagementError::Rejected(rejection))
            if rejection.rule == RefusalRule::ChangedMeanwhile =>
        {
            let key = management.changeable_api_key(id).await?;
            let message = request.texts().errors.changed_meanwhile.to_owned();
            let page = show::page(request, &key, StatusCode::CONFLICT, Some(message)).await?;
            Ok(with_rule(page, RefusalRule::ChangedMeanwhile))
        }
        Err(error) => Err(error.into()),
    }
}

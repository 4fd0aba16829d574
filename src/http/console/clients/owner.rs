use http::StatusCode;

use super::show;
use crate::http::audit::RefusalRule;
use crate::http::console::form::Form;
use crate::http::console::form::flash::Flash;
use crate::http::console::people;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::FormErrors;
use crate::http::management::{ManagementError, Rejection};

/// `POST /clients/{id}/owner`: transfers a client to another user, for administrators.
pub(crate) async fn submit(request: &UserRequest<'_>, form: Form<'_>) -> HandlerResult {
    let [id] = request.params();
    let management = request.management();
    let client = management.changeable_client(id).await?;
    let typed = form.field("owner").unwrap_or_default();
    let result = match &people::find(request.server, typed).await?[..] {
        [owner] => management.transfer_client(&client, owner.clone()).await,
        // Nobody, or several people of one name.
        _ => Err(Rejection::owner_unknown().into()),
    };
    match result {
        Ok(()) => request
            .redirect_with_flash(&format!("/clients/{}", client.id), Flash::ClientTransferred),
        Err(ManagementError::Rejected(rejection))
            if rejection.rule == RefusalRule::OwnerUnknown =>
        {
            let page = show::page(
                request,
                &client,
                FormErrors::from_rejection(&rejection, &["owner"], request.texts()),
            )
            .await?;
            request.render_refused(StatusCode::BAD_REQUEST, rejection.rule, &page)
        }
        Err(error) => Err(error.into()),
    }
}

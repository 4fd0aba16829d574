use crate::http::console::form::Form;
use crate::http::console::form::flash::Flash;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;

/// `POST /account/sessions/{id}/end`.
pub(crate) async fn submit(request: &UserRequest<'_>, _: Form<'_>) -> HandlerResult {
    let [session] = request.params();
    request.management().end_session(session).await?;
    request.redirect_with_flash("/account", Flash::OtherSessionEnded)
}

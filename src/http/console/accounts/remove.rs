use http::StatusCode;

use crate::domain::{Account, PageRequest};
use crate::http::console::error::Error;
use crate::http::console::form::Form;
use crate::http::console::form::flash::Flash;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{ConfirmPage, FormErrors};
use crate::http::management::ManagementError;

/// `GET /admin/people/{id}/remove`: shows the effects of the removal.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let [id] = request.params();
    let management = request.management();
    let account = management.account(id).await?;
    management.check_other(&account)?;
    request.render(
        StatusCode::OK,
        &page(request, &account, FormErrors::default()).await?,
    )
}

/// `POST /admin/people/{id}/remove`.
pub(crate) async fn submit(request: &UserRequest<'_>, _: Form<'_>) -> HandlerResult {
    let [id] = request.params();
    let management = request.management();
    let account = management.account(id).await?;
    match management.remove_account(&account).await {
        Ok(()) => request.redirect_with_flash("/admin/people", Flash::AccountRemoved),
        Err(ManagementError::Rejected(rejection)) if rejection.status == StatusCode::CONFLICT => {
            let page = page(
                request,
                &account,
                FormErrors::from_rejection(&rejection, &[], request.texts()),
            )
            .await?;
            request.render_refused(rejection.status, rejection.rule, &page)
        }
        Err(error) => Err(error.into()),
    }
}

async fn page(
    request: &UserRequest<'_>,
    account: &Account,
    errors: FormErrors,
) -> Result<ConfirmPage, Error> {
    let server = request.server;
    let text = request.texts();
    let all = PageRequest::new(0, PageRequest::MAX_SIZE).map_err(Error::internal)?;
    let clients = server
        .registry()
        .clients(Some(&account.id.into()).into(), all)
        .await?
        .items;
    let suspended = clients
        .iter()
        .filter(|client| !client.first_party && !client.is_suspended())
        .count();
    let suspended = (suspended > 0).then(|| text.removal.suspends(suspended));
    let reassigned = clients
        .iter()
        .any(|client| client.first_party)
        .then(|| text.removal.reassigned.to_owned());
    let grants = server
        .consents()
        .grants_of(&account.id.into(), server.now())
        .await?
        .len();
    Ok(ConfirmPage {
        text,
        layout: request.layout("people"),
        errors,
        affected: (grants > 0).then(|| text.touches(text.count_connections(grants))),
        affected_kind: "warning",
        clients: Vec::new(),
        fields: Vec::new(),
        switch: None,
        title: text.remove_account_title(&account.email),
        effects: [text.remove_account_effect, text.remove_account_stays]
            .map(str::to_owned)
            .into_iter()
            .chain(suspended)
            .chain(reassigned)
            .collect(),
        back: format!("/admin/people/{}", account.id),
        back_label: account.email.to_string(),
        action: format!("/admin/people/{}/remove", account.id),
        button: text.remove_account,
    })
}

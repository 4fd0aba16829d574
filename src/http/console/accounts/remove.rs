use bytes::Bytes;
use http::{Request, Response, StatusCode};

use crate::domain::{Account, PageRequest};
use crate::http::Body;
use crate::http::console::error::{Error, with_rule};
use crate::http::console::flash::Flash;
use crate::http::console::form::{Form, FormFields};
use crate::http::console::server::Server;
use crate::http::console::session::SignedInUser;
use crate::http::console::views::{ConfirmPage, FormErrors};
use crate::http::management::ManagementError;

/// `GET /admin/people/{id}/remove`: shows the effects of the removal.
pub(super) async fn show(
    server: &Server,
    user: &SignedInUser,
    id: &str,
) -> Result<Response<Body>, Error> {
    let management = user.management(server);
    let account = management.account(id).await?;
    management.check_other(&account)?;
    server.render(
        StatusCode::OK,
        &page(server, user, &account, FormErrors::default()).await?,
    )
}

/// `POST /admin/people/{id}/remove`.
pub(super) async fn submit(
    server: &Server,
    user: &SignedInUser,
    id: &str,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    Form::parse(server, &user.token, request, FormFields::default())?;
    let management = user.management(server);
    let account = management.account(id).await?;
    match management.remove_account(&account).await {
        Ok(()) => server.redirect_with_flash("/admin/people", Flash::AccountRemoved),
        Err(ManagementError::Rejected(rejection)) if rejection.status == StatusCode::CONFLICT => {
            let page = page(
                server,
                user,
                &account,
                FormErrors::from_rejection(&rejection, &[], server.texts()),
            )
            .await?;
            Ok(with_rule(
                server.render(rejection.status, &page)?,
                rejection.rule,
            ))
        }
        Err(error) => Err(error.into()),
    }
}

async fn page(
    server: &Server,
    user: &SignedInUser,
    account: &Account,
    errors: FormErrors,
) -> Result<ConfirmPage, Error> {
    let text = server.texts();
    let all = PageRequest::new(0, PageRequest::MAX_SIZE).map_err(Error::internal)?;
    let clients = server
        .registry
        .clients(Some(&account.id.into()).into(), all)
        .await?
        .items;
    let suspended = clients
        .iter()
        .filter(|client| !client.first_party && !client.is_suspended())
        .count();
    let suspended = (suspended > 0).then(|| text.removal.suspends.of(suspended));
    let reassigned = clients
        .iter()
        .any(|client| client.first_party)
        .then(|| text.removal.reassigned.to_owned());
    let grants = server
        .consents
        .grants_of(&account.id.into(), server.clock.now())
        .await?
        .len();
    Ok(ConfirmPage {
        text,
        layout: server.layout(user, "admin"),
        errors,
        affected: (grants > 0).then(|| text.touches.with(text.count_connections.of(grants))),
        affected_kind: "warning",
        clients: Vec::new(),
        fields: Vec::new(),
        switch: None,
        title: text.remove_account_title.with(&account.email),
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

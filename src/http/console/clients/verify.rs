//! Verification of a client by administrators, and its withdrawal.

use http::StatusCode;

use super::form_version;
use crate::domain::Client;
use crate::http::audit::RefusalRule;
use crate::http::console::applications::requests::{BACK_FIELD, FROM_WAITING};
use crate::http::console::error::Error;
use crate::http::console::form::flash::Flash;
use crate::http::console::form::version::VERSION_FIELD;
use crate::http::console::form::{Form, FormFields};
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_labels::UserLabels;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{ConfirmPage, FormErrors};
use crate::http::management::ManagementError;

/// Fields of a verification, which the list of what waits sends too.
pub(crate) const FIELDS: FormFields = FormFields::new(&[VERSION_FIELD, BACK_FIELD]);

/// `GET /clients/{id}/verify`.
pub(crate) async fn show_verify(request: &UserRequest<'_>) -> HandlerResult {
    show(request, true).await
}

/// `POST /clients/{id}/verify`.
pub(crate) async fn submit_verify(request: &UserRequest<'_>, form: Form<'_>) -> HandlerResult {
    submit(request, form, true).await
}

/// `GET /clients/{id}/unverify`.
pub(crate) async fn show_unverify(request: &UserRequest<'_>) -> HandlerResult {
    show(request, false).await
}

/// `POST /clients/{id}/unverify`.
pub(crate) async fn submit_unverify(request: &UserRequest<'_>, form: Form<'_>) -> HandlerResult {
    submit(request, form, false).await
}

async fn show(request: &UserRequest<'_>, verified: bool) -> HandlerResult {
    let [id] = request.params();
    let client = request.management().changeable_client(id).await?;
    check_not_first_party(&client)?;
    request.render(
        StatusCode::OK,
        &confirm_page(request, &client, verified).await?,
    )
}

/// Refuses a form whose client has changed since the page was shown.
async fn submit(request: &UserRequest<'_>, form: Form<'_>, verified: bool) -> HandlerResult {
    let [id] = request.params();
    let management = request.management();
    let client = management.changeable_client(id).await?;
    check_not_first_party(&client)?;
    if !form_version::settings(&client.settings()).matches(&form) {
        return changed_meanwhile(request, confirm_page(request, &client, verified).await?);
    }
    match management
        .change_client(&client, client.settings(), Some(verified))
        .await
    {
        Ok(()) => {
            let flash = if verified {
                Flash::Verified
            } else {
                Flash::Unverified
            };
            match form.field(BACK_FIELD) {
                Some(FROM_WAITING) => {
                    let server = request.server;
                    server.redirect_with_flash_about("/admin/waiting", flash, client.id)
                }
                _ => request.redirect_with_flash(&format!("/clients/{}", client.id), flash),
            }
        }
        Err(ManagementError::Rejected(rejection))
            if rejection.rule == RefusalRule::ChangedMeanwhile =>
        {
            let client = management.changeable_client(id).await?;
            changed_meanwhile(request, confirm_page(request, &client, verified).await?)
        }
        Err(error) => Err(error.into()),
    }
}

/// First-party clients are always verified, so the page does not exist for them.
fn check_not_first_party(client: &Client) -> Result<(), Error> {
    if client.first_party {
        Err(Error::not_found())
    } else {
        Ok(())
    }
}

fn changed_meanwhile(request: &UserRequest<'_>, page: ConfirmPage) -> HandlerResult {
    let errors = FormErrors::for_form(request.texts().errors.changed_meanwhile);
    let page = ConfirmPage { errors, ..page };
    request.render_refused(StatusCode::CONFLICT, RefusalRule::ChangedMeanwhile, &page)
}

async fn confirm_page(
    request: &UserRequest<'_>,
    client: &Client,
    verified: bool,
) -> Result<ConfirmPage, Error> {
    let server = request.server;
    let review = &request.texts().review;
    let about = ConfirmPage {
        fields: vec![form_version::settings(&client.settings()).hidden_input()],
        ..ConfirmPage::about(request.texts(), request.layout("clients"), client)
    };
    if !verified {
        return Ok(ConfirmPage {
            title: review.unverify_title(&client.name),
            effects: vec![review.unverify_effect.to_owned()],
            action: format!("/clients/{}/unverify", client.id),
            button: review.unverify,
            ..about
        });
    }
    let owners = UserLabels::load(server, [&client.owner]).await?;
    let owner = review.owner(owners.name(&client.owner));
    let uris = client
        .redirect_uris
        .iter()
        .map(|uri| review.redirect_uri(uri));
    let policy_uri = client.policy_uri.iter().map(|uri| review.policy_uri(uri));
    Ok(ConfirmPage {
        title: review.verify_title(&client.name),
        effects: [review.verify_effect.to_owned(), owner]
            .into_iter()
            .chain(uris)
            .chain(policy_uri)
            .collect(),
        action: format!("/clients/{}/verify", client.id),
        button: review.verify,
        ..about
    })
}

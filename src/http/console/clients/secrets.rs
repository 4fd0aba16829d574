//! A client's secrets: adds a new one beside the newest and removes the older one.

use http::StatusCode;

use super::{code_samples, form_version};
use crate::domain::{Client, ClientPolicy};
use crate::http::audit::RefusalRule;
use crate::http::console::error::Error;
use crate::http::console::form::Form;
use crate::http::console::form::flash::Flash;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::shown_once::ShownSecret;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{ConfirmPage, FormErrors, ShownOncePage};

/// `GET /clients/{id}/secrets/new`: explains the effect on existing secrets.
pub(crate) async fn show_add(request: &UserRequest<'_>) -> HandlerResult {
    let [id] = request.params();
    let client = request.management().changeable_client(id).await?;
    check_not_public(&client)?;
    request.render(StatusCode::OK, &add_page(request, &client))
}

/// `POST /clients/{id}/secrets/new`: redirects to the page that shows the secret once. A form
/// submitted twice adds one secret.
pub(crate) async fn submit_add(request: &UserRequest<'_>, fields: Form<'_>) -> HandlerResult {
    let [id] = request.params();
    let management = request.management();
    let client = management.changeable_client(id).await?;
    check_not_public(&client)?;
    if !form_version::secrets(&client).matches(&fields) {
        return changed_meanwhile(request, add_page(request, &client));
    }
    let (client, secret) = management.add_secret(&client).await?;
    request.redirect_to_secret(&ShownSecret::AddedClientSecret {
        client: client.id.to_string(),
        secret: secret.expose().to_owned(),
    })
}

/// The page that shows a client's newest secret once.
pub(crate) async fn shown(
    request: &UserRequest<'_>,
    id: &str,
    secret: String,
    is_new_client: bool,
) -> HandlerResult {
    let text = request.texts();
    let client = request.management().changeable_client(id).await?;
    let goes_on = (client.secrets.len() > 1).then_some(text.secret_older_goes_on);
    let page = ShownOncePage {
        text,
        // The page cannot be requested again in another language.
        layout: request.layout("clients").without_language_switch(),
        title: if is_new_client {
            text.client_created
        } else {
            text.secret_created
        },
        label: text.secret_value,
        client_id: Some(client.id.to_string()),
        secret,
        advice: [text.secret_advice]
            .into_iter()
            .chain(goes_on)
            .map(str::to_owned)
            .collect(),
        samples: code_samples::for_client(request.server, &client)?,
        continue_href: format!("/clients/{}", client.id),
    };
    request.render(StatusCode::OK, &page)
}

/// `GET /clients/{id}/secrets/older`.
pub(crate) async fn show_remove_older(request: &UserRequest<'_>) -> HandlerResult {
    let [id] = request.params();
    let client = request.management().changeable_client(id).await?;
    check_older(&client)?;
    request.render(StatusCode::OK, &remove_page(request, &client))
}

/// `POST /clients/{id}/secrets/older`: removes the secret that the page showed, not one that became
/// the older one since.
pub(crate) async fn submit_remove_older(
    request: &UserRequest<'_>,
    fields: Form<'_>,
) -> HandlerResult {
    let [id] = request.params();
    let management = request.management();
    let client = management.changeable_client(id).await?;
    check_older(&client)?;
    if !form_version::secrets(&client).matches(&fields) {
        return changed_meanwhile(request, remove_page(request, &client));
    }
    management.remove_older_secret(&client).await?;
    request.redirect_with_flash(&format!("/clients/{}", client.id), Flash::SecretRemoved)
}

fn check_not_public(client: &Client) -> Result<(), Error> {
    if client.policy == ClientPolicy::Public {
        Err(Error::new(RefusalRule::PublicClient, StatusCode::CONFLICT))
    } else {
        Ok(())
    }
}

fn check_older(client: &Client) -> Result<(), Error> {
    if client.secrets.len() > 1 {
        Ok(())
    } else {
        Err(Error::not_found())
    }
}

fn changed_meanwhile(request: &UserRequest<'_>, page: ConfirmPage) -> HandlerResult {
    let errors = FormErrors::for_form(request.texts().errors.changed_meanwhile);
    let page = ConfirmPage { errors, ..page };
    request.render_refused(StatusCode::CONFLICT, RefusalRule::ChangedMeanwhile, &page)
}

fn add_page(request: &UserRequest<'_>, client: &Client) -> ConfirmPage {
    let text = request.texts();
    let effect = if client.secrets.is_empty() {
        text.first_secret_effect
    } else {
        text.new_secret_effect
    };
    let pushed_out = (client.secrets.len() >= Client::MAX_SECRETS)
        .then(|| text.new_secret_pushes_out.to_owned());
    ConfirmPage {
        title: text.new_secret_title(&client.name),
        effects: vec![effect.to_owned()],
        affected: pushed_out,
        action: format!("/clients/{}/secrets/new", client.id),
        button: text.new_secret,
        ..base_page(request, client)
    }
}

fn remove_page(request: &UserRequest<'_>, client: &Client) -> ConfirmPage {
    let text = request.texts();
    ConfirmPage {
        title: text.remove_older_secret_title(&client.name),
        effects: vec![text.remove_older_secret_effect.to_owned()],
        action: format!("/clients/{}/secrets/older", client.id),
        button: text.remove_older_secret,
        ..base_page(request, client)
    }
}

/// Common parts of both confirmation pages.
fn base_page(request: &UserRequest<'_>, client: &Client) -> ConfirmPage {
    ConfirmPage {
        fields: vec![form_version::secrets(client).hidden_input()],
        ..ConfirmPage::about(request.texts(), request.layout("clients"), client)
    }
}

//! A client's secrets: adds a new one beside the newest and removes the older one.

use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::{form_version, samples};
use crate::domain::{Client, ClientPolicy};
use crate::http::Body;
use crate::http::audit::RefusalRule;
use crate::http::console::error::{Error, with_rule};
use crate::http::console::flash::Flash;
use crate::http::console::form::{Form, FormFields};
use crate::http::console::server::Server;
use crate::http::console::session::SignedInUser;
use crate::http::console::views::{ConfirmPage, FormErrors, ShownOncePage};

const FIELDS: FormFields = FormFields {
    single: &["seen"],
    repeated: &[],
};

/// `GET /clients/{id}/secrets/new`: explains the effect on existing secrets.
pub(super) async fn show_add(
    server: &Server,
    user: &SignedInUser,
    id: &str,
) -> Result<Response<Body>, Error> {
    let client = user.management(server).changeable_client(id).await?;
    check_not_public(&client)?;
    server.render(StatusCode::OK, &add_page(server, user, &client))
}

/// `POST /clients/{id}/secrets/new`: only this response contains the secret. A form submitted twice
/// adds one secret.
pub(super) async fn submit_add(
    server: &Server,
    user: &SignedInUser,
    id: &str,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let (text, management) = (server.texts(), user.management(server));
    let fields = Form::parse(server, &user.token, request, FIELDS)?;
    let client = management.changeable_client(id).await?;
    check_not_public(&client)?;
    if !form_version::secrets(&client).matches(&fields) {
        return changed_meanwhile(server, add_page(server, user, &client));
    }
    let (client, secret) = management.add_secret(&client).await?;
    let goes_on = (client.secrets.len() > 1).then_some(text.secret_older_goes_on);
    let page = ShownOncePage {
        text,
        layout: server.layout(user, "clients").without_language_switch(),
        title: text.secret_created,
        label: text.secret_value,
        secret: secret.expose().to_owned(),
        advice: [text.secret_advice]
            .into_iter()
            .chain(goes_on)
            .map(str::to_owned)
            .collect(),
        samples: samples::for_client(server, &client)?,
        continue_href: format!("/clients/{}", client.id),
    };
    server.render(StatusCode::OK, &page)
}

/// `GET /clients/{id}/secrets/older`.
pub(super) async fn show_remove_older(
    server: &Server,
    user: &SignedInUser,
    id: &str,
) -> Result<Response<Body>, Error> {
    let client = user.management(server).changeable_client(id).await?;
    check_older(&client)?;
    server.render(StatusCode::OK, &remove_page(server, user, &client))
}

/// `POST /clients/{id}/secrets/older`: removes the secret that the page showed, not one that became
/// the older one since.
pub(super) async fn submit_remove_older(
    server: &Server,
    user: &SignedInUser,
    id: &str,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let management = user.management(server);
    let fields = Form::parse(server, &user.token, request, FIELDS)?;
    let client = management.changeable_client(id).await?;
    check_older(&client)?;
    if !form_version::secrets(&client).matches(&fields) {
        return changed_meanwhile(server, remove_page(server, user, &client));
    }
    management.remove_older_secret(&client).await?;
    server.redirect_with_flash(&format!("/clients/{}", client.id), Flash::SecretRemoved)
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

fn changed_meanwhile(server: &Server, page: ConfirmPage) -> Result<Response<Body>, Error> {
    let errors = FormErrors::for_form(server.texts().errors.changed_meanwhile);
    Ok(with_rule(
        server.render(StatusCode::CONFLICT, &ConfirmPage { errors, ..page })?,
        RefusalRule::ChangedMeanwhile,
    ))
}

fn add_page(server: &Server, user: &SignedInUser, client: &Client) -> ConfirmPage {
    let text = server.texts();
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
        ..base_page(server, user, client)
    }
}

fn remove_page(server: &Server, user: &SignedInUser, client: &Client) -> ConfirmPage {
    let text = server.texts();
    ConfirmPage {
        title: text.remove_older_secret_title(&client.name),
        effects: vec![text.remove_older_secret_effect.to_owned()],
        action: format!("/clients/{}/secrets/older", client.id),
        button: text.remove_older_secret,
        ..base_page(server, user, client)
    }
}

/// Common parts of both confirmation pages.
fn base_page(server: &Server, user: &SignedInUser, client: &Client) -> ConfirmPage {
    ConfirmPage {
        fields: vec![form_version::secrets(client).hidden_input()],
        ..ConfirmPage::about(server.texts(), server.layout(user, "clients"), client)
    }
}

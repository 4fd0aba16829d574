//! Verification of a client by administrators, and its withdrawal.

use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::form_version;
use crate::domain::Client;
use crate::http::Body;
use crate::http::audit::RefusalRule;
use crate::http::console::error::{Error, with_rule};
use crate::http::console::flash::Flash;
use crate::http::console::form::{Form, FormFields};
use crate::http::console::form_version::VERSION_FIELD;
use crate::http::console::server::Server;
use crate::http::console::session::SignedInUser;
use crate::http::console::views::{ConfirmPage, FormErrors};
use crate::http::management::ManagementError;

/// `GET /clients/{id}/verify`, or `GET /clients/{id}/unverify` if `verified` is false.
pub(super) async fn show(
    server: &Server,
    user: &SignedInUser,
    id: &str,
    verified: bool,
) -> Result<Response<Body>, Error> {
    user.check_administrator()?;
    let client = user.management(server).changeable_client(id).await?;
    check_not_first_party(&client)?;
    server.render(
        StatusCode::OK,
        &confirm_page(server, user, &client, verified).await?,
    )
}

/// `POST` to the same paths. Refuses a form whose client has changed since the page was shown.
pub(super) async fn submit(
    server: &Server,
    user: &SignedInUser,
    id: &str,
    verified: bool,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let management = user.management(server);
    let fields = Form::parse(
        server,
        &user.token,
        request,
        FormFields {
            single: &[VERSION_FIELD],
            repeated: &[],
        },
    )?;
    user.check_administrator()?;
    let client = management.changeable_client(id).await?;
    check_not_first_party(&client)?;
    if !form_version::settings(&client.settings()).matches(&fields) {
        return changed_meanwhile(server, confirm_page(server, user, &client, verified).await?);
    }
    match management
        .change_client(&client, client.settings(), Some(verified))
        .await
    {
        Ok(()) => server.redirect_with_flash(
            &format!("/clients/{}", client.id),
            if verified {
                Flash::Verified
            } else {
                Flash::Unverified
            },
        ),
        Err(ManagementError::Rejected(rejection))
            if rejection.rule == RefusalRule::ChangedMeanwhile =>
        {
            let client = management.changeable_client(id).await?;
            changed_meanwhile(server, confirm_page(server, user, &client, verified).await?)
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

fn changed_meanwhile(server: &Server, page: ConfirmPage) -> Result<Response<Body>, Error> {
    let errors = FormErrors::for_form(server.texts().errors.changed_meanwhile);
    Ok(with_rule(
        server.render(StatusCode::CONFLICT, &ConfirmPage { errors, ..page })?,
        RefusalRule::ChangedMeanwhile,
    ))
}

async fn confirm_page(
    server: &Server,
    user: &SignedInUser,
    client: &Client,
    verified: bool,
) -> Result<ConfirmPage, Error> {
    let review = &server.texts().review;
    let about = ConfirmPage {
        fields: vec![form_version::settings(&client.settings()).hidden_input()],
        ..ConfirmPage::about(server.texts(), server.layout(user, "clients"), client)
    };
    if !verified {
        return Ok(ConfirmPage {
            title: review.take_back_title(&client.name),
            effects: vec![review.take_back_effect.to_owned()],
            action: format!("/clients/{}/unverify", client.id),
            button: review.take_back,
            ..about
        });
    }
    let owner = review.owner(server.user_label(&client.owner).await?);
    let uris = client
        .redirect_uris
        .iter()
        .map(|uri| review.redirect_uri(uri));
    Ok(ConfirmPage {
        title: review.verify_title(&client.name),
        effects: [review.verify_effect.to_owned(), owner]
            .into_iter()
            .chain(uris)
            .collect(),
        action: format!("/clients/{}/verify", client.id),
        button: review.verify,
        ..about
    })
}

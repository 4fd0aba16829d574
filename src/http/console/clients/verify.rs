//! The verification of a client by administrators, and its end.

use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::seen;
use crate::domain::Client;
use crate::http::Body;
use crate::http::audit::Rule;
use crate::http::console::done::Done;
use crate::http::console::form::{Fields, Form};
use crate::http::console::gate::SignedIn;
use crate::http::console::refusal::{Refusal, faulty};
use crate::http::console::seen::SEEN;
use crate::http::console::server::Server;
use crate::http::console::views::{ConfirmPage, Problems};
use crate::http::manage::NotDone;

/// `GET /clients/{id}/verify`, and with `verified` false `GET /clients/{id}/unverify`.
pub(super) async fn ask(server: &Server, who: &SignedIn, id: &str, verified: bool) -> Result<Response<Body>, Refusal> {
    who.check_administrator()?;
    let client = who.desk(server).changeable_client(id).await?;
    check_not_first_party(&client)?;
    server.page(StatusCode::OK, &question(server, who, &client, verified).await?)
}

/// `POST` to the same addresses. An administrator verifies what the page showed, and not what its owner has made of it since.
pub(super) async fn submit(
    server: &Server,
    who: &SignedIn,
    id: &str,
    verified: bool,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Refusal> {
    let desk = who.desk(server);
    let fields = Form::of_session(server, &who.token, request, Fields { once: &[SEEN], lists: &[] })?;
    who.check_administrator()?;
    let client = desk.changeable_client(id).await?;
    check_not_first_party(&client)?;
    if !seen::settings(&client.settings()).is_in(&fields) {
        return changed_meanwhile(server, question(server, who, &client, verified).await?);
    }
    match desk.change_client(&client, client.settings(), Some(verified)).await {
        Ok(()) => server.led_to(&format!("/clients/{}", client.id), if verified { Done::Verified } else { Done::Unverified }),
        Err(NotDone::Denied(denial)) if denial.rule == Rule::ChangedMeanwhile => {
            let client = desk.changeable_client(id).await?;
            changed_meanwhile(server, question(server, who, &client, verified).await?)
        }
        Err(not_done) => Err(not_done.into()),
    }
}

/// One of the service's own is verified, and nothing is to be said of it.
fn check_not_first_party(client: &Client) -> Result<(), Refusal> {
    if client.first_party { Err(Refusal::not_found()) } else { Ok(()) }
}

fn changed_meanwhile(server: &Server, page: ConfirmPage) -> Result<Response<Body>, Refusal> {
    let problems = Problems::of_all(server.texts().faults.changed_meanwhile);
    Ok(faulty(server.page(StatusCode::CONFLICT, &ConfirmPage { problems, ..page })?, Rule::ChangedMeanwhile))
}

async fn question(server: &Server, who: &SignedIn, client: &Client, verified: bool) -> Result<ConfirmPage, Refusal> {
    let review = &server.texts().review;
    let about = ConfirmPage {
        fields: vec![seen::settings(&client.settings()).input()],
        ..ConfirmPage::about(server.texts(), server.frame(who, "clients"), client)
    };
    if !verified {
        return Ok(ConfirmPage {
            title: review.take_back_title.with(&client.name),
            effects: vec![review.take_back_effect.to_owned()],
            action: format!("/clients/{}/unverify", client.id),
            button: review.take_back,
            ..about
        });
    }
    let owner = review.owner.with(server.known_as(&client.owner).await?);
    let uris = client.redirect_uris.iter().map(|uri| review.redirect_uri.with(uri));
    Ok(ConfirmPage {
        title: review.verify_title.with(&client.name),
        effects: [review.verify_effect.to_owned(), owner].into_iter().chain(uris).collect(),
        action: format!("/clients/{}/verify", client.id),
        button: review.verify,
        ..about
    })
}

use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::show;
use crate::http::Body;
use crate::http::audit::Rule;
use crate::http::console::done::Done;
use crate::http::console::form::{Fields, Form};
use crate::http::console::gate::SignedIn;
use crate::http::console::refusal::{Refusal, faulty};
use crate::http::console::server::Server;
use crate::http::console::views::Problems;
use crate::http::manage::NotDone;

/// `POST /clients/{id}/owner`: gives a client to another person, for administrators.
pub(super) async fn submit(server: &Server, who: &SignedIn, id: &str, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let form = Form::of_session(server, &who.token, request, Fields { once: &["owner"], lists: &[] })?;
    who.check_administrator()?;
    let desk = who.desk(server);
    let client = desk.changeable_client(id).await?;
    let given = match desk.find_user(form.field("owner").unwrap_or_default()).await? {
        Some(owner) => desk.transfer_client(&client, owner).await,
        None => Err(NotDone::no_such_owner()),
    };
    match given {
        Ok(()) => server.led_to(&format!("/clients/{}", client.id), Done::ClientGiven),
        Err(NotDone::Denied(denial)) if denial.rule == Rule::OwnerUnknown => {
            let page = show::page(server, who, &client, Problems::of_denial(&denial, &["owner"], server.texts())).await?;
            Ok(faulty(server.page(StatusCode::BAD_REQUEST, &page)?, denial.rule))
        }
        Err(not_done) => Err(not_done.into()),
    }
}

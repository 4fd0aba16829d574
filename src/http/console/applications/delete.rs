use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::address;
use super::preview::Preview;
use crate::domain::Application;
use crate::http::Body;
use crate::http::audit::Rule;
use crate::http::console::done::Done;
use crate::http::console::form::{Fields, Form};
use crate::http::console::gate::SignedIn;
use crate::http::console::refusal::{Refusal, faulty};
use crate::http::console::seen::SEEN;
use crate::http::console::server::Server;
use crate::http::console::views::{ConfirmPage, Problems};

const FIELDS: Fields = Fields { once: &[SEEN], lists: &[] };

/// `GET /applications/{id}/delete`: whom it touches.
pub(super) async fn ask(server: &Server, who: &SignedIn, id: &str) -> Result<Response<Body>, Refusal> {
    let desk = who.desk(server);
    let application = desk.changeable_application(id).await?;
    let preview = Preview::of(server, &desk.application_usage(&application).await?).await?;
    server.page(StatusCode::OK, &page(server, who, &application, preview))
}

/// `POST /applications/{id}/delete`.
pub(super) async fn submit(server: &Server, who: &SignedIn, id: &str, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let form = Form::of_session(server, &who.token, request, FIELDS)?;
    let desk = who.desk(server);
    let application = desk.changeable_application(id).await?;
    let preview = Preview::of(server, &desk.application_usage(&application).await?).await?;
    if !preview.seen.is_in(&form) {
        let problems = Problems::of_all(server.texts().touched_meanwhile);
        let again = ConfirmPage { problems, ..page(server, who, &application, preview) };
        return Ok(faulty(server.page(StatusCode::CONFLICT, &again)?, Rule::ChangedMeanwhile));
    }
    desk.delete_application(&application).await?;
    server.led_to("/applications", Done::Deleted)
}

fn page(server: &Server, who: &SignedIn, application: &Application, preview: Preview) -> ConfirmPage {
    let text = server.texts();
    ConfirmPage {
        text,
        frame: server.frame(who, "applications"),
        problems: Problems::default(),
        touched: Some(preview.summary),
        touched_kind: preview.kind,
        clients: preview.clients,
        fields: vec![preview.seen.input()],
        switch: None,
        title: text.delete_application_title.with(&application.name),
        effects: vec![text.delete_application_effect.to_owned()],
        back: address(application.id),
        back_label: application.name.to_string(),
        action: format!("{}/delete", address(application.id)),
        button: text.delete,
    }
}

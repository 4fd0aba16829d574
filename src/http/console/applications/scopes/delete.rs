use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::{Ids, address};
use crate::domain::ScopeDefinition;
use crate::http::Body;
use crate::http::audit::Rule;
use crate::http::console::applications::preview::Preview;
use crate::http::console::done::Done;
use crate::http::console::form::{Fields, Form};
use crate::http::console::gate::SignedIn;
use crate::http::console::refusal::{Refusal, faulty};
use crate::http::console::seen::SEEN;
use crate::http::console::server::Server;
use crate::http::console::views::{ConfirmPage, Problems};

const FIELDS: Fields = Fields { once: &[SEEN], lists: &[] };

/// `GET /applications/{id}/scopes/{scopeId}/delete`: whom it touches.
pub(super) async fn ask(server: &Server, who: &SignedIn, (application, id): Ids<'_>) -> Result<Response<Body>, Refusal> {
    let desk = who.desk(server);
    let definition = desk.changeable_scope(application, id).await?;
    let preview = Preview::of(server, &desk.scope_usage(&definition).await?).await?;
    server.page(StatusCode::OK, &page(server, who, &definition, preview))
}

/// `POST /applications/{id}/scopes/{scopeId}/delete`.
pub(super) async fn submit(
    server: &Server,
    who: &SignedIn,
    (application, id): Ids<'_>,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Refusal> {
    let form = Form::of_session(server, &who.token, request, FIELDS)?;
    let desk = who.desk(server);
    let definition = desk.changeable_scope(application, id).await?;
    let preview = Preview::of(server, &desk.scope_usage(&definition).await?).await?;
    if !preview.seen.is_in(&form) {
        let problems = Problems::of_all(server.texts().touched_meanwhile);
        let again = ConfirmPage { problems, ..page(server, who, &definition, preview) };
        return Ok(faulty(server.page(StatusCode::CONFLICT, &again)?, Rule::ChangedMeanwhile));
    }
    desk.delete_scope(&definition).await?;
    server.led_to(&super::super::address(definition.scope.application), Done::Deleted)
}

fn page(server: &Server, who: &SignedIn, definition: &ScopeDefinition, preview: Preview) -> ConfirmPage {
    let (text, back) = (server.texts(), address(definition));
    ConfirmPage {
        text,
        frame: server.frame(who, "applications"),
        problems: Problems::default(),
        touched: Some(preview.summary),
        touched_kind: preview.kind,
        clients: preview.clients,
        fields: vec![preview.seen.input()],
        switch: None,
        title: text.delete_scope_title.with(&definition.scope.name),
        effects: vec![text.delete_scope_effect.to_owned()],
        action: format!("{back}/delete"),
        back,
        back_label: definition.scope.name.to_string(),
        button: text.delete,
    }
}

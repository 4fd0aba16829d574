use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::{Ids, address};
use crate::http::Body;
use crate::http::audit::Rule;
use crate::http::console::done::Done;
use crate::http::console::form::{Fields, Form};
use crate::http::console::gate::SignedIn;
use crate::http::console::refusal::{Refusal, faulty};
use crate::http::console::seen::{SEEN, Seen};
use crate::http::console::server::Server;
use crate::http::console::views::{ConfirmPage, Problems};

const FIELDS: Fields = Fields { once: &[SEEN], lists: &[] };

/// `GET /applications/{id}/scopes/{scopeId}/clients/{clientId}/withdraw`: what the client loses.
pub(super) async fn ask(server: &Server, who: &SignedIn, scope: Ids<'_>, client: &str) -> Result<Response<Body>, Refusal> {
    let (page, _) = page(server, who, scope, client).await?;
    server.page(StatusCode::OK, &page)
}

/// `POST /applications/{id}/scopes/{scopeId}/clients/{clientId}/withdraw`.
pub(super) async fn submit(
    server: &Server,
    who: &SignedIn,
    scope: Ids<'_>,
    client: &str,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Refusal> {
    let form = Form::of_session(server, &who.token, request, FIELDS)?;
    let (page, seen) = page(server, who, scope, client).await?;
    if !seen.is_in(&form) {
        let page = ConfirmPage { problems: Problems::of_all(server.texts().touched_meanwhile), ..page };
        return Ok(faulty(server.page(StatusCode::CONFLICT, &page)?, Rule::ChangedMeanwhile));
    }
    let (application, id) = scope;
    let desk = who.desk(server);
    let definition = desk.changeable_scope(application, id).await?;
    desk.withdraw_scope(&definition, client).await?;
    server.led_to(&address(&definition), Done::ScopeWithdrawn)
}

async fn page(server: &Server, who: &SignedIn, (application, id): Ids<'_>, client: &str) -> Result<(ConfirmPage, Seen), Refusal> {
    let (desk, text) = (who.desk(server), server.texts());
    let definition = desk.changeable_scope(application, id).await?;
    let client = desk.client_beside(&definition, client).await?;
    let live = desk.scope_usage(&definition).await?.of(&client.id).live;
    let effect = if definition.approval_required { text.withdraw_scope_effect } else { text.withdraw_open_scope_effect };
    let seen = Seen::of([definition.approval_required.to_string(), live.to_string()]);
    let back = address(&definition);
    let page = ConfirmPage {
        text,
        frame: server.frame(who, "applications"),
        problems: Problems::default(),
        touched: (live > 0).then(|| text.touches.with(text.count_connections.of(live))),
        touched_kind: "warning",
        clients: Vec::new(),
        fields: vec![seen.input()],
        switch: None,
        title: text.withdraw_scope_title.with(&client.name),
        effects: vec![effect.to_owned()],
        action: format!("{back}/clients/{}/withdraw", client.id),
        back,
        back_label: definition.scope.name.to_string(),
        button: text.withdraw,
    };
    Ok((page, seen))
}

use bytes::Bytes;
use http::{Request, Response, StatusCode};

use crate::domain::{Account, PageRequest};
use crate::http::Body;
use crate::http::console::done::Done;
use crate::http::console::form::{Fields, Form};
use crate::http::console::gate::SignedIn;
use crate::http::console::refusal::{Refusal, faulty};
use crate::http::console::server::Server;
use crate::http::console::views::{ConfirmPage, Problems};
use crate::http::manage::NotDone;

/// `GET /admin/people/{id}/remove`: what goes, and what stays.
pub(super) async fn show(server: &Server, who: &SignedIn, id: &str) -> Result<Response<Body>, Refusal> {
    let desk = who.desk(server);
    let account = desk.account(id).await?;
    desk.check_other(&account)?;
    server.page(StatusCode::OK, &page(server, who, &account, Problems::default()).await?)
}

/// `POST /admin/people/{id}/remove`.
pub(super) async fn submit(server: &Server, who: &SignedIn, id: &str, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    Form::of_session(server, &who.token, request, Fields::default())?;
    let desk = who.desk(server);
    let account = desk.account(id).await?;
    match desk.remove_account(&account).await {
        Ok(()) => server.led_to("/admin/people", Done::AccountRemoved),
        Err(NotDone::Denied(denial)) if denial.status == StatusCode::CONFLICT => {
            let page = page(server, who, &account, Problems::of_denial(&denial, &[], server.texts())).await?;
            Ok(faulty(server.page(denial.status, &page)?, denial.rule))
        }
        Err(not_done) => Err(not_done.into()),
    }
}

async fn page(server: &Server, who: &SignedIn, account: &Account, problems: Problems) -> Result<ConfirmPage, Refusal> {
    let text = server.texts();
    let all = PageRequest::new(0, PageRequest::MAX_SIZE).map_err(Refusal::failure)?;
    let clients = server.storage.clients(Some(&account.id.into()).into(), all).await?.items;
    let suspended = clients.iter().filter(|client| !client.first_party && !client.is_suspended()).count();
    let suspended = (suspended > 0).then(|| text.endings.suspends.of(suspended));
    let reassigned = clients.iter().any(|client| client.first_party).then(|| text.endings.reassigned.to_owned());
    let grants = server.storage.grants_of(&account.id.into(), server.clock.now()).await?.len();
    Ok(ConfirmPage {
        text,
        frame: server.frame(who, "admin"),
        problems,
        touched: (grants > 0).then(|| text.touches.with(text.count_connections.of(grants))),
        touched_kind: "warning",
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

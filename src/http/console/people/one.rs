use http::{Response, StatusCode};

use crate::domain::{Account, AuditFilter, PageRequest, Role, SubjectId};
use crate::http::Body;
use crate::http::console::api_keys;
use crate::http::console::gate::SignedIn;
use crate::http::console::refusal::Refusal;
use crate::http::console::server::Server;
use crate::http::console::views::{HintedChoice, PersonPage, Problems};
use crate::http::pages::Moment;
use crate::http::pages::texts::Texts;

/// `GET /admin/people/{id}`.
pub(super) async fn show(server: &Server, who: &SignedIn, id: &str) -> Result<Response<Body>, Refusal> {
    let account = who.desk(server).account(id).await?;
    server.page(StatusCode::OK, &page(server, who, &account, Problems::default()).await?)
}

/// The page of somebody's account, on which something may be wrong.
pub(super) async fn page(server: &Server, who: &SignedIn, account: &Account, problems: Problems) -> Result<PersonPage, Refusal> {
    let (text, now, id) = (server.texts(), server.clock.now(), SubjectId::from(account.id));
    let one = PageRequest::new(0, 1).map_err(Refusal::failure)?;
    let keys = match &server.api_keys {
        Some(store) => store.api_keys(Some(&id), one).await?.total,
        None => 0,
    };
    Ok(PersonPage {
        text,
        frame: server.frame(who, "admin"),
        problems,
        email: account.email.to_string(),
        address: format!("/admin/people/{}", account.id),
        id: account.id.to_string(),
        is_you: id == who.person.id,
        since: Moment::at(account.created_at, &server.zone),
        knows_sign_ins: server.audit.trail().is_some(),
        last_sign_in: last_sign_in(server, &id).await?,
        sessions: server.storage.user_sessions_of(&id, server.lifetimes.idle, now).await?.len(),
        grants: server.storage.grants_of(&id, now).await?.len(),
        keys,
        switch: api_keys::switch(server),
        roles: roles(account.role, text),
    })
}

/// When somebody last signed in, as far as that is kept.
pub(super) async fn last_sign_in(server: &Server, id: &SubjectId) -> Result<Option<Moment>, Refusal> {
    let Some(trail) = server.audit.trail() else { return Ok(None) };
    let filter = AuditFilter { kind: "signed_in".parse().ok(), subject: Some(id.clone()), ..AuditFilter::default() };
    let last = trail.audit_records(&filter, None, 1).await?;
    Ok(last.first().map(|entry| Moment::at(entry.record.at, &server.zone)))
}

/// The roles to choose from.
pub(super) fn roles(chosen: Role, text: &'static Texts) -> Vec<HintedChoice> {
    let hint = |role| match role {
        Role::User => text.words.role_user_hint,
        Role::Admin => text.words.role_admin_hint,
    };
    let choice = |role: &Role| HintedChoice {
        value: role.as_str().to_owned(),
        label: text.words.role(*role),
        hint: hint(*role),
        is_on: *role == chosen,
    };
    Role::ALL.iter().map(choice).collect()
}

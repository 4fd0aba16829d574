use std::cmp::Reverse;
use std::collections::BTreeMap;

use http::StatusCode;

use crate::domain::{Account, AuditFilter, AuditRecord, PageRequest, Role, SubjectId, UserSession};
use crate::http::audit::EventName;
use crate::http::console::accounts::update::ROLE_FIELDS;
use crate::http::console::audit::rows;
use crate::http::console::error::Error;
use crate::http::console::people;
use crate::http::console::revoke_keys;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::server::Server;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{
    AccountDetailsPage, EventRow, FormErrors, RadioOption, SessionRow,
};
use crate::http::login::Accounts;
use crate::http::pages::DisplayTime;
use crate::http::pages::texts::Texts;

/// Number of events on the page.
const EVENTS: u32 = 5;

/// `GET /admin/people/{id}`.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let [id] = request.params();
    let account = request.management().account(id).await?;
    request.render(
        StatusCode::OK,
        &page(request, &account, FormErrors::default()).await?,
    )
}

/// Builds the account page with `errors`.
pub(super) async fn page(
    request: &UserRequest<'_>,
    account: &Account,
    errors: FormErrors,
) -> Result<AccountDetailsPage, Error> {
    let server = request.server;
    let (text, now, id) = (request.texts(), server.now(), SubjectId::from(account.id));
    let typed = request.typed_form(ROLE_FIELDS);
    let chosen = typed.and_then(|form| form.field("role")?.parse().ok());
    let one = PageRequest::new(0, 1).map_err(Error::internal)?;
    let keys = match server.api_keys() {
        Some(store) => store.api_keys(Some(&id), one).await?.total,
        None => 0,
    };
    let sessions = server.shared.user_sessions.sessions_of(&id, now).await?;
    let session_row = |session: &UserSession| {
        let is_current = session.id == request.user.session.id;
        SessionRow::new(session, is_current, text, server.zone())
    };
    let label = people::labelled(server, vec![account.clone()]).await?.pop();
    let label = label.map(|person| person.label);
    Ok(AccountDetailsPage {
        name: label.as_ref().and_then(|label| label.name.clone()),
        class: label.and_then(|label| label.class),
        events: events_of(request, &id).await?,
        text,
        layout: request.layout("people"),
        errors,
        email: account.email.to_string(),
        address: format!("/admin/people/{}", account.id),
        id: account.id.to_string(),
        is_self: id == request.user.subject.id,
        notice: notice(request, account),
        can_have_link: account.password_hash.left_at().is_none(),
        since: DisplayTime::from_timestamp(account.created_at, server.zone()),
        has_sign_in_times: server.audit_store().is_some(),
        last_sign_in: last_sign_ins(server, std::slice::from_ref(&id))
            .await?
            .remove(&id),
        sessions: sessions.iter().map(session_row).collect(),
        grants: server.consents().grants_of(&id, now).await?.len(),
        keys,
        switch: revoke_keys::switch(server),
        roles: roles(chosen.unwrap_or(account.role), text),
    })
}

/// The latest events of or about the user; none without an audit store.
async fn events_of(request: &UserRequest<'_>, id: &SubjectId) -> Result<Vec<EventRow>, Error> {
    let Some(trail) = request.server.audit_store() else {
        return Ok(Vec::new());
    };
    let of = AuditFilter {
        subject: Some(id.clone()),
        ..AuditFilter::default()
    };
    let about = AuditFilter {
        target: Some(id.clone()),
        ..AuditFilter::default()
    };
    let mut found = trail.audit_records(&of, None, EVENTS).await?;
    found.extend(trail.audit_records(&about, None, EVENTS).await?);
    found.sort_by_key(|entry| Reverse(entry.id));
    found.dedup_by_key(|entry| entry.id);
    found.truncate(EVENTS as usize);
    rows(request.server, &found).await
}

/// The state of an account to which nobody signs in.
pub(super) fn state(account: &Account, text: &'static Texts) -> Option<&'static str> {
    let hash = &account.password_hash;
    if hash.left_at().is_some() {
        Some(text.state_left)
    } else if hash.is_suspended() {
        Some(text.state_suspended)
    } else {
        hash.is_none().then_some(text.state_invited)
    }
}

/// Why nobody can sign in to the account, if so.
fn notice(request: &UserRequest<'_>, account: &Account) -> Option<String> {
    let (text, hash) = (request.texts(), &account.password_hash);
    if let Some(at) = hash.left_at() {
        let zone = request.server.zone();
        let until = at.plus(Accounts::LEAVER_GRACE_PERIOD);
        let [since, until] = [at, until].map(|at| DisplayTime::from_timestamp(at, zone).text);
        return Some(text.person_left(since, until));
    }
    if hash.is_suspended() {
        return Some(text.person_restored.to_owned());
    }
    hash.is_none().then(|| text.person_invited.to_owned())
}

/// The times of the last sign-ins of users; none without an audit store.
pub(super) async fn last_sign_ins(
    server: &Server,
    users: &[SubjectId],
) -> Result<BTreeMap<SubjectId, DisplayTime>, Error> {
    let Some(trail) = server.audit_store() else {
        return Ok(BTreeMap::new());
    };
    let kind = EventName::SignedIn
        .as_str()
        .parse()
        .map_err(Error::internal)?;
    let newest = trail.newest_audit_records(&kind, users).await?;
    let time = |record: AuditRecord| DisplayTime::from_timestamp(record.at, server.zone());
    let times = newest
        .into_iter()
        .map(|(user, record)| (user, time(record)));
    Ok(times.collect())
}

/// Radio options for the roles.
pub(super) fn roles(chosen: Role, text: &'static Texts) -> Vec<RadioOption> {
    let hint = |role| match role {
        Role::User => text.domain.role_user_hint,
        Role::Admin => text.domain.role_admin_hint,
    };
    let choice = |role: &Role| RadioOption {
        value: role.as_str().to_owned(),
        label: text.domain.role(*role),
        hint: hint(*role),
        is_on: *role == chosen,
    };
    Role::ALL.iter().map(choice).collect()
}

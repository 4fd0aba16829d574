use http::StatusCode;

use crate::domain::{Account, AuditFilter, PageRequest, Role, SubjectId};
use crate::http::console::error::Error;
use crate::http::console::revoke_keys;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::server::Server;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{AccountDetailsPage, FormErrors, RadioOption};
use crate::http::login::Accounts;
use crate::http::pages::DisplayTime;
use crate::http::pages::texts::Texts;

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
    let one = PageRequest::new(0, 1).map_err(Error::internal)?;
    let keys = match server.api_keys() {
        Some(store) => store.api_keys(Some(&id), one).await?.total,
        None => 0,
    };
    Ok(AccountDetailsPage {
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
        last_sign_in: last_sign_in(server, &id).await?,
        sessions: server
            .user_sessions()
            .user_sessions_of(&id, server.shared.user_sessions.idle, now)
            .await?
            .len(),
        grants: server.consents().grants_of(&id, now).await?.len(),
        keys,
        switch: revoke_keys::switch(server),
        roles: roles(account.role, text),
    })
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

/// The time of the user's latest sign-in; `None` without an audit store or a recorded sign-in.
pub(super) async fn last_sign_in(
    server: &Server,
    id: &SubjectId,
) -> Result<Option<DisplayTime>, Error> {
    let Some(trail) = server.audit_store() else {
        return Ok(None);
    };
    let filter = AuditFilter {
        kind: "signed_in".parse().ok(),
        subject: Some(id.clone()),
        ..AuditFilter::default()
    };
    let last = trail.audit_records(&filter, None, 1).await?;
    Ok(last
        .first()
        .map(|entry| DisplayTime::from_timestamp(entry.record.at, server.zone())))
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

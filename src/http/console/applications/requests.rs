//! Requests for scopes, for the owners of applications.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use http::StatusCode;

use crate::domain::{Client, ScopeRequest, ShortText, SubjectId};
use crate::http::audit::RefusalRule;
use crate::http::console::error::Error;
use crate::http::console::form::flash::Flash;
use crate::http::console::form::version::{FormVersion, VERSION_FIELD};
use crate::http::console::form::{Form, FormFields};
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_labels::UserLabels;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{FormErrors, PageLinks, ScopeRequestsPage, WaitingRequestRow};
use crate::http::console::waiting;
use crate::http::management::ManagementError;
use crate::http::pages::DisplayTime;

pub(crate) const APPROVE_FIELDS: FormFields = FormFields::new(&[VERSION_FIELD, BACK_FIELD]);
pub(crate) const REFUSE_FIELDS: FormFields = FormFields::new(&[BACK_FIELD, "reason"]);

/// Field with the list to return to.
pub(in crate::http::console) const BACK_FIELD: &str = "back";

/// Value of [`BACK_FIELD`] for the list of administrators.
pub(in crate::http::console) const FROM_WAITING: &str = "waiting";

/// A decision that was not accepted.
pub(in crate::http::console) struct FailedRefusal<'a> {
    pub(in crate::http::console) scope: &'a str,
    pub(in crate::http::console) client: &'a str,
    pub(in crate::http::console) reason: &'a str,
    pub(in crate::http::console) errors: FormErrors,
}

impl FailedRefusal<'_> {
    /// An approval of something else than was shown. Its message is above the list, and no row has a
    /// typed reason.
    pub(in crate::http::console) fn outdated(request: &UserRequest<'_>) -> Self {
        Self {
            scope: "",
            client: "",
            reason: "",
            errors: FormErrors::for_form(request.texts().errors.changed_meanwhile),
        }
    }
}

/// `GET /applications/requests`: the requests that wait for the user.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let page = page(request, None).await?;
    request.render(StatusCode::OK, &page)
}

/// `POST /applications/requests/{scope}/{client}/approve`: approves the client if the request still
/// waits, and the client and the request are those that the list showed.
pub(crate) async fn approve(request: &UserRequest<'_>, form: Form<'_>) -> HandlerResult {
    let [scope, client] = request.params();
    let management = request.management();
    let definition = management.approvable_scope(scope).await?;
    if let Some(asked) = management.waiting_request(&definition, client).await? {
        let clients = request
            .server
            .shared
            .management
            .clients_by_id([asked.client].into());
        let clients = clients.await?;
        let shown = clients.get(&asked.client);
        if shown.is_some_and(|client| version(client, &asked).matches(&form))
            && management
                .approve_scope_request(&definition, &asked)
                .await?
        {
            return request.redirect_with_flash(back(request, &form), Flash::Approved);
        }
    }
    let (status, rule) = (StatusCode::CONFLICT, RefusalRule::ChangedMeanwhile);
    show_failed(
        request,
        &form,
        FailedRefusal::outdated(request),
        (status, rule),
    )
    .await
}

/// `POST /applications/requests/{scope}/{client}/refuse`.
pub(crate) async fn refuse(request: &UserRequest<'_>, form: Form<'_>) -> HandlerResult {
    let [scope, client] = request.params();
    let (management, text) = (request.management(), request.texts());
    let definition = management.approvable_scope(scope).await?;
    let typed = form.field("reason").unwrap_or_default();
    let mut errors = FormErrors::default();
    let invalid = (StatusCode::BAD_REQUEST, RefusalRule::FieldInvalid);
    let reason = form.parse_field::<ShortText>("reason", "name", &mut errors, text);
    let refused = match reason {
        Some(reason) => {
            management
                .refuse_scope_request(&definition, client, reason)
                .await
        }
        None => {
            let failed = FailedRefusal {
                scope,
                client,
                reason: typed,
                errors,
            };
            return show_failed(request, &form, failed, invalid).await;
        }
    };
    match refused {
        Ok(()) => request.redirect_with_flash(back(request, &form), Flash::RequestRefused),
        Err(ManagementError::Rejected(rejection)) if rejection.field.is_some() => {
            errors.add("reason", text.errors.message(rejection.rule, None));
            let failed = FailedRefusal {
                scope,
                client,
                reason: typed,
                errors,
            };
            show_failed(request, &form, failed, invalid).await
        }
        Err(error) => Err(error.into()),
    }
}

/// Version of a request and its client, as the list shows them to be approved.
fn version(client: &Client, asked: &ScopeRequest) -> FormVersion {
    let asked_at = asked.asked_at.seconds().to_string();
    let parts = [
        client.name.to_string(),
        client.owner.as_str().to_owned(),
        asked.asked_by.as_str().to_owned(),
        asked.reason.to_string(),
        asked_at,
    ];
    let uris = client.redirect_uris.iter().map(ToString::to_string);
    FormVersion::from_parts(parts.into_iter().chain(uris))
}

/// Renders the list again, with the reason that was not accepted in its row.
async fn show_failed(
    request: &UserRequest<'_>,
    form: &Form<'_>,
    failed: FailedRefusal<'_>,
    (status, rule): (StatusCode, RefusalRule),
) -> HandlerResult {
    if back_to_waiting(request, form).is_some() {
        let page = waiting::page(request, Some(failed)).await?;
        return request.render_refused(status, rule, &page);
    }
    let page = page(request, Some(failed)).await?;
    request.render_refused(status, rule, &page)
}

/// The list of administrators, if the form is one of it.
pub(in crate::http::console) fn back_to_waiting(
    request: &UserRequest<'_>,
    form: &Form<'_>,
) -> Option<&'static str> {
    let is_from_waiting =
        request.is_administrator() && form.field(BACK_FIELD) == Some(FROM_WAITING);
    is_from_waiting.then_some("/admin/waiting")
}

/// The list to return to.
fn back(request: &UserRequest<'_>, form: &Form<'_>) -> &'static str {
    back_to_waiting(request, form).unwrap_or("/applications/requests")
}

async fn page(
    request: &UserRequest<'_>,
    failed: Option<FailedRefusal<'_>>,
) -> Result<ScopeRequestsPage, Error> {
    let (text, page) = (request.texts(), request.query()?.page()?);
    let found = request.management().waiting_requests(page).await?;
    let requests = rows(request, &found.items, failed.as_ref()).await?;
    Ok(ScopeRequestsPage {
        text,
        layout: request.layout("applications"),
        errors: failed.map(|failed| failed.errors).unwrap_or_default(),
        requests,
        page_links: PageLinks::new(found.total, page, text, |page| {
            request
                .server
                .href(&format!("/applications/requests?page={page}"))
        }),
        back: "mine",
    })
}

/// The rows of requests, with the names of their clients, owners and scopes.
pub(in crate::http::console) async fn rows(
    request: &UserRequest<'_>,
    found: &[ScopeRequest],
    failed: Option<&FailedRefusal<'_>>,
) -> Result<Vec<WaitingRequestRow>, Error> {
    let (server, management) = (request.server, request.management());
    let ids: HashSet<_> = found.iter().map(|request| request.client).collect();
    let clients = server.shared.management.clients_by_id(ids).await?;
    let owners: Vec<&SubjectId> = clients.values().map(|client| &client.owner).collect();
    let people = UserLabels::load(server, owners).await?;
    let mut definitions = HashMap::new();
    for asked in found {
        if let Entry::Vacant(place) = definitions.entry(asked.scope) {
            place.insert(server.registry().scope(asked.scope).await?);
        }
    }
    let text = request.texts();
    let mut rows = Vec::with_capacity(found.len());
    for asked in found {
        let Some(client) = clients.get(&asked.client) else {
            continue;
        };
        let Some(Some(definition)) = definitions.get(&asked.scope) else {
            continue;
        };
        let refusal = failed.filter(|failed| {
            failed.scope == asked.scope.to_string() && failed.client == asked.client.to_string()
        });
        rows.push(WaitingRequestRow {
            address: format!("/applications/requests/{}/{}", asked.scope, asked.client),
            client: client.name.to_string(),
            client_id: client.id.to_string(),
            has_page: management.may_see(client),
            owner: if request.is_administrator() {
                people.named(&client.owner)
            } else {
                people.for_user(&client.owner, request)
            },
            is_verified: client.is_verified(),
            is_suspended: client.is_suspended(),
            application: text.scope_application(definition).to_owned(),
            scope: definition.scope.to_string(),
            scope_name: definition.scope.name.to_string(),
            description: text.scope_description(definition).to_owned(),
            reason: asked.reason.to_string(),
            asked_at: DisplayTime::from_timestamp(asked.asked_at, server.zone()),
            fields: vec![version(client, asked).hidden_input()],
            refusal: refusal.map(|failed| failed.reason.to_owned()),
        });
    }
    Ok(rows)
}

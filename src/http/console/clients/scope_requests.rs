//! Requests of a client for scopes that need an approval.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use http::StatusCode;

use super::scope_options::{all_scopes, applications_of};
use crate::domain::{
    ApplicationId, Client, ScopeDefinition, ScopeId, ScopeRequest, ScopeRequestState, ShortText,
    SubjectId,
};
use crate::http::audit::RefusalRule;
use crate::http::console::error::Error;
use crate::http::console::form::flash::Flash;
use crate::http::console::form::{Form, FormFields};
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_labels::UserLabels;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{
    ClientScopesPage, FormErrors, OwnRequestRow, RequestableScope, RequestableScopes,
};
use crate::http::management::{Changeable, ManagementError};
use crate::http::pages::DisplayTime;
use crate::http::pages::texts::Texts;
use crate::store::ScopeRequestCreation;

pub(crate) const FIELDS: FormFields = FormFields::new(&["scope", "reason"]);

/// `GET /clients/{id}/scopes`: the client's requests, and the scopes that can be asked for.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let [id] = request.params();
    let client = request.management().changeable_client(id).await?;
    let typed = request.typed_form(FIELDS);
    let typed = |name| typed.as_ref().and_then(|form| form.field(name));
    let values = ["scope", "reason"].map(|name| typed(name).unwrap_or_default());
    let page = page(request, &client, values.into(), FormErrors::default()).await?;
    request.render(StatusCode::OK, &page)
}

/// `POST /clients/{id}/scopes`: asks for a scope.
pub(crate) async fn submit(request: &UserRequest<'_>, form: Form<'_>) -> HandlerResult {
    let [id] = request.params();
    let (management, text) = (request.management(), request.texts());
    let client = management.changeable_client(id).await?;
    let typed = |name| form.field(name).unwrap_or_default();
    let mut errors = FormErrors::default();
    if typed("scope").parse::<ScopeId>().is_err() {
        errors.add("scope", text.errors.choose_one);
    }
    let reason = form.parse_field::<ShortText>("reason", "name", &mut errors, text);
    let Some(reason) = reason.filter(|_| errors.is_empty()) else {
        return show_errors(request, &client, &form, errors).await;
    };
    match management
        .request_scope(&client, typed("scope"), reason)
        .await
    {
        Ok(creation) => {
            if let Some(message) = refusal(creation, text) {
                errors.add("scope", message);
                return show_errors(request, &client, &form, errors).await;
            }
            request.redirect_with_flash(&address(&client), Flash::RequestSent)
        }
        Err(ManagementError::Rejected(rejection)) if rejection.status != StatusCode::FORBIDDEN => {
            let field = match rejection.rule {
                RefusalRule::NotFound => "scope",
                _ => "reason",
            };
            errors.add(field, text.errors.message(rejection.rule, None));
            show_errors(request, &client, &form, errors).await
        }
        Err(error) => Err(error.into()),
    }
}

/// `POST /clients/{id}/scopes/{scopeId}/withdraw`: deletes a request.
pub(crate) async fn withdraw(request: &UserRequest<'_>, _: Form<'_>) -> HandlerResult {
    let [id, scope] = request.params();
    let management = request.management();
    let client = management.changeable_client(id).await?;
    management.withdraw_scope_request(&client, scope).await?;
    request.redirect_with_flash(&address(&client), Flash::RequestWithdrawn)
}

fn address(client: &Client) -> String {
    format!("/clients/{}/scopes", client.id)
}

/// Why a request was not stored, if so.
fn refusal(creation: ScopeRequestCreation, text: &Texts) -> Option<&'static str> {
    match creation {
        ScopeRequestCreation::Requested => None,
        ScopeRequestCreation::AlreadyWaiting => Some(text.approvals.already_requested),
        ScopeRequestCreation::AlreadyApproved => Some(text.approvals.already_approved),
        ScopeRequestCreation::LimitReached => Some(text.approvals.limit),
        ScopeRequestCreation::UnknownScope | ScopeRequestCreation::UnknownClient => {
            Some(text.errors.choose_one)
        }
    }
}

async fn show_errors(
    request: &UserRequest<'_>,
    client: &Changeable<Arc<Client>>,
    form: &Form<'_>,
    errors: FormErrors,
) -> HandlerResult {
    let typed = |name| form.field(name).unwrap_or_default();
    let page = page(request, client, (typed("scope"), typed("reason")), errors).await?;
    request.render_refused(StatusCode::BAD_REQUEST, RefusalRule::FieldInvalid, &page)
}

async fn page(
    request: &UserRequest<'_>,
    client: &Client,
    (chosen, reason): (&str, &str),
    errors: FormErrors,
) -> Result<ClientScopesPage, Error> {
    let server = request.server;
    let requests = request
        .management()
        .scope_requests_of_client(client)
        .await?;
    let scopes = all_scopes(server).await?;
    let open: HashSet<ScopeId> = requests
        .iter()
        .filter(|request| !matches!(request.state, ScopeRequestState::Refused(_)))
        .map(|request| request.scope)
        .collect();
    let own = applications_of(server, &client.owner).await?;
    let can_be_asked_for = |definition: &&ScopeDefinition| {
        definition.approval_required
            && !own.contains(&definition.scope.application)
            && !client.allowed_scopes.contains(&definition.scope)
            && !open.contains(&definition.id)
    };
    let requestable: Vec<&ScopeDefinition> = scopes.iter().filter(can_be_asked_for).collect();
    let ids: HashSet<ApplicationId> = scopes
        .iter()
        .map(|definition| definition.scope.application)
        .collect();
    let ids: Vec<ApplicationId> = ids.into_iter().collect();
    let owners: BTreeMap<ApplicationId, SubjectId> = server
        .storage()
        .applications_by_id(&ids)
        .await?
        .into_iter()
        .map(|application| (application.id, application.owner))
        .collect();
    let people = UserLabels::load(server, owners.values()).await?;
    let owner_of = |application: &ApplicationId| match owners.get(application) {
        Some(owner) => people.for_user(owner, request),
        None => String::new(),
    };
    let text = request.texts();
    let mut groups: Vec<(ApplicationId, RequestableScopes)> = Vec::new();
    for definition in requestable {
        let application = definition.scope.application;
        let scope = RequestableScope {
            id: definition.id.to_string(),
            name: definition.scope.name.to_string(),
            description: text.scope_description(definition).to_owned(),
            is_on: definition.id.to_string() == chosen,
        };
        match groups.last_mut() {
            Some((last, group)) if *last == application => group.scopes.push(scope),
            _ => groups.push((
                application,
                RequestableScopes {
                    application: text.scope_application(definition).to_owned(),
                    owner: owner_of(&application),
                    scopes: vec![scope],
                },
            )),
        }
    }
    let rows = requests.iter().rev().filter_map(|asked| {
        let definition = scopes.iter().find(|known| known.id == asked.scope)?;
        let owner = owner_of(&definition.scope.application);
        Some(row(request, client, asked, definition, owner))
    });
    Ok(ClientScopesPage {
        text: request.texts(),
        layout: request.layout("clients"),
        errors,
        client_id: client.id.to_string(),
        client: client.name.to_string(),
        requests: rows.collect(),
        groups: groups.into_iter().map(|(_, group)| group).collect(),
        reason: reason.to_owned(),
    })
}

fn row(
    request: &UserRequest<'_>,
    client: &Client,
    asked: &ScopeRequest,
    definition: &ScopeDefinition,
    owner: String,
) -> OwnRequestRow {
    let (text, zone) = (request.texts(), request.server.zone());
    let (state, badge_kind) = match asked.state {
        ScopeRequestState::Waiting => (text.approvals.pending, "warning"),
        ScopeRequestState::Approved { .. } => (text.approved, "good"),
        ScopeRequestState::Refused(_) => (text.approvals.denied, "problem"),
    };
    OwnRequestRow {
        scope_id: asked.scope.to_string(),
        application: text.scope_application(definition).to_owned(),
        owner,
        scope: definition.scope.to_string(),
        description: text.scope_description(definition).to_owned(),
        reason: asked.reason.to_string(),
        asked_at: DisplayTime::from_timestamp(asked.asked_at, zone),
        state,
        badge_kind,
        is_waiting: asked.state == ScopeRequestState::Waiting,
        can_be_added: matches!(asked.state, ScopeRequestState::Approved { .. })
            && !client.allowed_scopes.contains(&definition.scope),
        refusal: match &asked.state {
            ScopeRequestState::Refused(refusal) => Some((
                refusal.reason.to_string(),
                DisplayTime::from_timestamp(refusal.at, zone),
            )),
            _ => None,
        },
    }
}

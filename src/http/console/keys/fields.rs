//! Requests for hidden fields of keys: administrators decide, and owners take them back.

use std::sync::Arc;

use super::{edit, show};
use crate::domain::{ApiKey, SubjectId};
use crate::http::audit::RefusalRule;
use crate::http::console::applications::requests::{BACK_FIELD, FailedRefusal, back_to_waiting};
use crate::http::console::error::{Error, with_rule};
use crate::http::console::form::flash::Flash;
use crate::http::console::form::version::VERSION_FIELD;
use crate::http::console::form::{Form, FormFields};
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_labels::UserLabels;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{FieldsRequestRow, KeyStatusBadge, field_names};
use crate::http::console::waiting;
use crate::http::management::{ManagementError, Rejection};
use crate::http::pages::DisplayTime;

pub(crate) const FIELDS: FormFields = FormFields::new(&["decision", VERSION_FIELD, BACK_FIELD]);

/// `POST /admin/keys/{id}/fields`: an administrator shows the fields that the owner asks for, or
/// refuses. The decision is about what the page showed, not about a later request.
pub(crate) async fn submit(request: &UserRequest<'_>, form: Form<'_>) -> HandlerResult {
    let [id] = request.params();
    let management = request.management();
    let key = management.changeable_api_key(id).await?;
    let is_approved = form.field("decision") == Some("approve");
    let flash = if is_approved {
        Flash::FieldsShown
    } else {
        Flash::FieldsRefused
    };
    let outcome = if edit::version(&key).matches(&form) {
        management.decide_requested_fields(&key, is_approved).await
    } else {
        Err(Rejection::key_changed_meanwhile().into())
    };
    let list = back_to_waiting(request, &form);
    match outcome {
        Ok(()) => match list {
            Some(list) => request.redirect_with_flash(list, flash),
            None => request.redirect_with_flash(&format!("/keys/{}", key.id), flash),
        },
        Err(ManagementError::Rejected(rejection))
            if rejection.rule == RefusalRule::ChangedMeanwhile =>
        {
            let rule = rejection.rule;
            if list.is_some() {
                let outdated = FailedRefusal::outdated(request);
                let page = waiting::page(request, Some(outdated)).await?;
                return request.render_refused(rejection.status, rule, &page);
            }
            let key = management.changeable_api_key(id).await?;
            let message = request.texts().errors.changed_meanwhile.to_owned();
            let page = show::page(request, &key, rejection.status, Some(message)).await?;
            Ok(with_rule(page, rule))
        }
        Err(error) => Err(error.into()),
    }
}

/// `POST /keys/{id}/fields/withdraw`: takes the request back.
pub(crate) async fn withdraw(request: &UserRequest<'_>, _: Form<'_>) -> HandlerResult {
    let [id] = request.params();
    let management = request.management();
    let key = management.changeable_api_key(id).await?;
    management.withdraw_requested_fields(&key).await?;
    request.redirect_with_flash(&format!("/keys/{}", key.id), Flash::RequestWithdrawn)
}

/// The rows of keys whose owners ask for fields.
pub(in crate::http::console) async fn rows(
    request: &UserRequest<'_>,
    keys: &[Arc<ApiKey>],
) -> Result<Vec<FieldsRequestRow>, Error> {
    let (server, text) = (request.server, request.texts());
    let owners: Vec<&SubjectId> = keys.iter().filter_map(|key| key.owner.as_ref()).collect();
    let people = UserLabels::load(server, owners).await?;
    let row = |key: &Arc<ApiKey>| {
        let owner = key.owner.as_ref();
        FieldsRequestRow {
            id: key.id.to_string(),
            key: key.description.to_string(),
            owner: owner.map_or_else(|| text.nobody.to_owned(), |owner| people.full(owner)),
            short_owner: owner.map_or_else(|| text.nobody.to_owned(), |it| people.short(it)),
            fields: field_names(key.waiting_fields(), text),
            scopes: key
                .scopes
                .iter()
                .map(|scope| text.domain.api_scope(scope).0.to_owned())
                .collect(),
            created: DisplayTime::from_timestamp(key.created_at, server.zone()),
            state: KeyStatusBadge::new(key, server.now(), text),
            version: vec![edit::version(key).hidden_input()],
        }
    };
    Ok(keys.iter().map(row).collect())
}

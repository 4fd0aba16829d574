use http::StatusCode;

use super::form_fields::{self, ShownValues};
use super::show::section;
use crate::domain::{ApiKey, ApiKeySettings, ApiScopes, HiddenFields, Quota};
use crate::http::audit::RefusalRule;
use crate::http::console::error::with_rule;
use crate::http::console::form::flash::Flash;
use crate::http::console::form::version::{FormVersion, VERSION_FIELD};
use crate::http::console::form::{Form, FormFields};
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{FormErrors, KeyEditPage};
use crate::http::management::{ManagementError, Rejection};

pub(crate) const FIELDS: FormFields = FormFields::new(&[
    "description",
    "rate_limit",
    "rate_window",
    "rate_burst",
    VERSION_FIELD,
])
.with_repeated(form_fields::REPEATED);

/// `GET /keys/{id}/edit`.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let [id] = request.params();
    let key = request.management().changeable_api_key(id).await?;
    let typed = request.typed_form(FIELDS);
    page(
        request,
        &key,
        typed.as_ref(),
        (StatusCode::OK, FormErrors::default()),
    )
}

/// `POST /keys/{id}/edit`. A form made from older settings is refused and shown again with the
/// current ones, so that it cannot undo another user's change.
pub(crate) async fn submit(request: &UserRequest<'_>, typed: Form<'_>) -> HandlerResult {
    let [id] = request.params();
    let (text, management) = (request.texts(), request.management());
    let key = management.changeable_api_key(id).await?;
    if !version(&key).matches(&typed) {
        return changed_meanwhile(request, &key);
    }
    let refused = |rejections: &[Rejection]| {
        let (status, rule, errors) =
            form_fields::errors(&typed, rejections, most(request, &key), text);
        let page = page(request, &key, Some(&typed), (status, errors))?;
        Ok(with_rule(page, rule))
    };
    let new = match parse(request, &key, &typed) {
        Ok(new) => new,
        Err(rejections) => return refused(&rejections),
    };
    match management.change_api_key(&key, new).await {
        Ok(()) => request.redirect_with_flash(&format!("/keys/{}", key.id), Flash::Saved),
        Err(ManagementError::Rejected(rejection))
            if rejection.rule == RefusalRule::ChangedMeanwhile =>
        {
            changed_meanwhile(request, &*management.changeable_api_key(id).await?)
        }
        Err(ManagementError::Rejected(rejection)) if rejection.rule != RefusalRule::NotFound => {
            refused(&[rejection])
        }
        Err(error) => Err(error.into()),
    }
}

/// Parses the new settings, or returns all rejections. What a form of an owner cannot change stays:
/// hidden fields, and the limit if its fields are empty.
fn parse(
    request: &UserRequest<'_>,
    key: &ApiKey,
    typed: &Form<'_>,
) -> Result<ApiKeySettings, Vec<Rejection>> {
    let is_admin = request.is_administrator();
    // Which scopes the user may add is checked with the change.
    let known = key
        .scopes
        .union(&request.server.shared.management.api_scopes);
    let typed = form_fields::parse(typed, &known)?;
    Ok(ApiKeySettings {
        hidden: if is_admin {
            typed.hidden
        } else {
            typed.hidden.union(key.hidden)
        },
        requested: if is_admin {
            key.waiting_fields()
        } else {
            typed.requested
        },
        quota: typed.quota.or(key.quota.filter(|_| !is_admin)),
        ..typed
    })
}

/// The scopes on the form: those of the key, and for administrators all that they may give.
fn known_scopes(request: &UserRequest<'_>, key: &ApiKey) -> ApiScopes {
    if request.is_administrator() {
        let grantable = request.management().grantable_api_scopes();
        key.scopes.union(&grantable)
    } else {
        key.scopes.clone()
    }
}

/// The highest limit that the user may set; `None` for administrators, and if it is unknown.
fn most(request: &UserRequest<'_>, key: &ApiKey) -> Option<Quota> {
    let management = &request.server.shared.management;
    let current = key.quota.or(management.api_key_limit);
    current.filter(|_| !request.is_administrator())
}

fn changed_meanwhile(request: &UserRequest<'_>, key: &ApiKey) -> HandlerResult {
    let errors = FormErrors::for_form(request.texts().errors.changed_meanwhile);
    let page = page(request, key, None, (StatusCode::CONFLICT, errors))?;
    Ok(with_rule(page, RefusalRule::ChangedMeanwhile))
}

/// Renders the form with the submitted values, or those of the key.
fn page(
    request: &UserRequest<'_>,
    key: &ApiKey,
    typed: Option<&Form<'_>>,
    (status, errors): (StatusCode, FormErrors),
) -> HandlerResult {
    let (text, is_admin, management) = (
        request.texts(),
        request.is_administrator(),
        request.management(),
    );
    let shown = ShownValues {
        typed,
        key: Some(key),
        text,
    };
    let (offered, kept) = if is_admin {
        (HiddenFields::all(), HiddenFields::default())
    } else {
        (HiddenFields::all().difference(key.hidden), key.hidden)
    };
    let requestable = if is_admin {
        HiddenFields::default()
    } else {
        let known = management.protected_fields().union(key.requested);
        known.intersection(key.hidden)
    };
    let most = most(request, key);
    let page = KeyEditPage {
        text,
        layout: request.layout(section(request, key)),
        errors,
        address: format!("/keys/{}", key.id),
        name: key.description.to_string(),
        description: shown.description(),
        scopes: shown.scopes(&known_scopes(request, key)),
        hidden_fields: shown.hidden(offered),
        kept_hidden: kept
            .iter()
            .map(|field| text.domain.personal_field(field))
            .collect(),
        requested_fields: shown.requested(requestable),
        limit: (is_admin || most.is_some()).then(|| shown.limit()),
        limit_hint: match most {
            Some(most) => text.key_limit_most(most.limit(), most.window().as_secs(), most.burst()),
            None => text.rate_limit_hint.to_owned(),
        },
        // A form that is shown again is still about the settings that it showed.
        fields: vec![
            typed
                .map_or_else(|| version(key), FormVersion::from_form)
                .hidden_input(),
        ],
    };
    request.render(status, &page)
}

/// Version of the settings. A release that formats them differently reports one false conflict.
pub(super) fn version(key: &ApiKey) -> FormVersion {
    FormVersion::from_parts([format!("{:?}", key.settings())])
}

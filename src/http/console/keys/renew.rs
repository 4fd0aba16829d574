use std::time::Duration;

use http::StatusCode;

use super::show::{section, value_once};
use crate::domain::{ApiKey, Timestamp};
use crate::http::audit::RefusalRule;
use crate::http::console::error::{Error, with_rule};
use crate::http::console::form::version::{FormVersion, VERSION_FIELD};
use crate::http::console::form::{Form, FormFields};
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::server::Server;
use crate::http::console::shown_once::ShownSecret;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{FormErrors, KeyRenewPage, SelectOption, field_names};
use crate::http::management::ManagementError;
use crate::http::pages::DisplayTime;
use crate::http::pages::texts::Texts;

pub(crate) const FIELDS: FormFields = FormFields::new(&["overlap", VERSION_FIELD]);

const HOUR: Duration = Duration::from_secs(60 * 60);

/// Overlap periods in which the old value still works, by the form's option.
const OVERLAPS: [(&str, Duration); 4] = [
    ("none", Duration::ZERO),
    ("hour", HOUR),
    ("day", ApiKey::DEFAULT_OVERLAP),
    ("week", HOUR.saturating_mul(168)),
];

/// `GET /keys/{id}/renew`.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let [id] = request.params();
    let key = request.management().changeable_api_key(id).await?;
    let typed = request.typed_form(FIELDS);
    let mut page = page(request, &key, FormErrors::default()).await?;
    if let Some(typed) = &typed {
        page.fields = vec![FormVersion::from_form(typed).hidden_input()];
        for choice in &mut page.overlaps {
            choice.is_on = typed.field("overlap") == Some(&*choice.value);
        }
    }
    request.render(StatusCode::OK, &page)
}

/// `POST /keys/{id}/renew`: redirects to the page that shows the new value once. A form submitted
/// twice renews the key once.
pub(crate) async fn submit(request: &UserRequest<'_>, typed: Form<'_>) -> HandlerResult {
    let [id] = request.params();
    let (management, text) = (request.management(), request.texts());
    let key = management.changeable_api_key(id).await?;
    if !form_version(&key).matches(&typed) {
        let page = form(
            request,
            &key,
            StatusCode::CONFLICT,
            FormErrors::for_form(text.errors.changed_meanwhile),
        )
        .await?;
        return Ok(with_rule(page, RefusalRule::ChangedMeanwhile));
    }
    let word = typed.field("overlap").unwrap_or_default();
    let Some((_, overlap)) = OVERLAPS.into_iter().find(|(known, _)| *known == word) else {
        let mut errors = FormErrors::default();
        errors.add("overlap", text.errors.choose_one);
        return Ok(with_rule(
            form(request, &key, StatusCode::BAD_REQUEST, errors).await?,
            RefusalRule::FieldInvalid,
        ));
    };
    match management.renew_api_key(&key, Some(overlap)).await {
        Ok((renewed, secret)) => request.redirect_to_secret(&ShownSecret::RenewedKey {
            key: key.id.to_string(),
            secret: secret.expose().to_owned(),
            old_until: renewed.expiry_of(&key.digest).map(Timestamp::seconds),
        }),
        Err(ManagementError::Rejected(rejection))
            if matches!(
                rejection.rule,
                RefusalRule::ScopeNotAllowed | RefusalRule::TooManyKeyValues
            ) =>
        {
            let errors = FormErrors::from_rejection(&rejection, &typed.names(), text);
            Ok(with_rule(
                form(request, &key, rejection.status, errors).await?,
                rejection.rule,
            ))
        }
        Err(error) => Err(error.into()),
    }
}

/// The page that shows the new value once.
pub(crate) async fn shown(
    request: &UserRequest<'_>,
    id: &str,
    secret: String,
    old_until: Option<Timestamp>,
) -> HandlerResult {
    let key = request.management().changeable_api_key(id).await?;
    let advice = vec![old_value_notice(request.server, old_until)];
    value_once(request, &key, request.texts().key_renewed, advice, secret)
}

/// Notice about the end of the old value.
fn old_value_notice(server: &Server, ends: Option<Timestamp>) -> String {
    let (text, now) = (server.texts(), server.now());
    match ends {
        Some(end) if now < end => {
            text.key_old_until(DisplayTime::from_timestamp(end, server.zone()).text)
        }
        _ => text.key_old_ended.to_owned(),
    }
}

async fn form(
    request: &UserRequest<'_>,
    key: &ApiKey,
    status: StatusCode,
    errors: FormErrors,
) -> HandlerResult {
    request.render(status, &page(request, key, errors).await?)
}

async fn page(
    request: &UserRequest<'_>,
    key: &ApiKey,
    errors: FormErrors,
) -> Result<KeyRenewPage, Error> {
    let text = request.texts();
    let hides = request.management().fields_hidden_by_renewal(key).await?;
    let choice = |(word, overlap): (&str, Duration)| SelectOption {
        value: word.to_owned(),
        label: label(word, text).into(),
        is_on: overlap == ApiKey::DEFAULT_OVERLAP,
    };
    Ok(KeyRenewPage {
        text,
        hides: field_names(hides, text),
        layout: request.layout(section(request, key)),
        errors,
        address: format!("/keys/{}", key.id),
        description: key.description.to_string(),
        fields: vec![form_version(key).hidden_input()],
        overlaps: OVERLAPS.into_iter().map(choice).collect(),
    })
}

/// Version of the value that is renewed.
fn form_version(key: &ApiKey) -> FormVersion {
    FormVersion::from_parts([key.digest.as_bytes()])
}

fn label(word: &str, text: &Texts) -> &'static str {
    match word {
        "none" => text.overlap_none,
        "hour" => text.overlap_hour,
        "day" => text.overlap_day,
        _ => text.overlap_week,
    }
}

use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::show::here;
use crate::domain::{ApiKey, Timestamp};
use crate::http::Body;
use crate::http::audit::Rule;
use crate::http::console::form::{Fields, Form};
use crate::http::console::gate::SignedIn;
use crate::http::console::refusal::{Refusal, faulty};
use crate::http::console::samples;
use crate::http::console::seen::{SEEN, Seen};
use crate::http::console::server::Server;
use crate::http::console::views::{Choice, KeyRenewPage, Problems, ShownOncePage};
use crate::http::manage::NotDone;
use crate::http::pages::Moment;
use crate::http::pages::texts::Texts;

const FIELDS: Fields = Fields { once: &["overlap", SEEN], lists: &[] };

const HOUR: Duration = Duration::from_secs(60 * 60);

/// How long the old value may go on, by the words of the form.
const OVERLAPS: [(&str, Duration); 4] =
    [("none", Duration::ZERO), ("hour", HOUR), ("day", ApiKey::OVERLAP), ("week", HOUR.saturating_mul(168))];

/// `GET /keys/{id}/renew`.
pub(super) async fn show(server: &Server, who: &SignedIn, id: &str) -> Result<Response<Body>, Refusal> {
    let key = who.desk(server).changeable_api_key(id).await?;
    form(server, who, &key, StatusCode::OK, Problems::default())
}

/// `POST /keys/{id}/renew`: the new value is in this answer alone. A form that is sent twice renews the key once.
pub(super) async fn submit(server: &Server, who: &SignedIn, id: &str, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let typed = Form::of_session(server, &who.token, request, FIELDS)?;
    let (desk, text) = (who.desk(server), server.texts());
    let key = desk.changeable_api_key(id).await?;
    if !seen(&key).is_in(&typed) {
        let page = form(server, who, &key, StatusCode::CONFLICT, Problems::of_all(text.faults.changed_meanwhile))?;
        return Ok(faulty(page, Rule::ChangedMeanwhile));
    }
    let word = typed.field("overlap").unwrap_or_default();
    let Some((_, overlap)) = OVERLAPS.into_iter().find(|(known, _)| *known == word) else {
        let mut problems = Problems::default();
        problems.add("overlap", text.faults.choose_one);
        return Ok(faulty(form(server, who, &key, StatusCode::BAD_REQUEST, problems)?, Rule::FieldInvalid));
    };
    match desk.renew_api_key(&key, Some(overlap)).await {
        Ok((renewed, secret)) => {
            let page = ShownOncePage {
                text,
                // The other language would have another page, without the key.
                frame: server.frame(who, here(who, &key)).only_once(),
                title: text.key_renewed,
                label: text.key_value,
                secret: secret.expose().to_owned(),
                advice: vec![of_old_value(server, renewed.expiry_of(&key.digest))],
                samples: samples::of_key(server, &renewed.scopes),
                next: format!("/keys/{}", key.id),
            };
            server.page(StatusCode::OK, &page)
        }
        Err(NotDone::Denied(denial)) if matches!(denial.rule, Rule::ScopeNotAllowed | Rule::TooManyKeyValues) => {
            let problems = Problems::of_denial(&denial, FIELDS.once, text);
            Ok(faulty(form(server, who, &key, denial.status, problems)?, denial.rule))
        }
        Err(not_done) => Err(not_done.into()),
    }
}

/// What becomes of the value until now.
fn of_old_value(server: &Server, ends: Option<Timestamp>) -> String {
    let (text, now) = (server.texts(), server.clock.now());
    match ends {
        Some(end) if now < end => text.key_old_until.with(Moment::at(end, &server.zone).text),
        _ => text.key_old_ended.to_owned(),
    }
}

fn form(server: &Server, who: &SignedIn, key: &ApiKey, status: StatusCode, problems: Problems) -> Result<Response<Body>, Refusal> {
    let text = server.texts();
    let choice = |(word, overlap): (&str, Duration)| Choice {
        value: word.to_owned(),
        label: label(word, text).into(),
        is_on: overlap == ApiKey::OVERLAP,
    };
    let page = KeyRenewPage {
        text,
        frame: server.frame(who, here(who, key)),
        problems,
        address: format!("/keys/{}", key.id),
        description: key.description.to_string(),
        fields: vec![seen(key).input()],
        overlaps: OVERLAPS.into_iter().map(choice).collect(),
    };
    server.page(status, &page)
}

/// The value that is renewed.
fn seen(key: &ApiKey) -> Seen {
    Seen::of([key.digest.as_bytes()])
}

fn label(word: &str, text: &Texts) -> &'static str {
    match word {
        "none" => text.overlap_none,
        "hour" => text.overlap_hour,
        "day" => text.overlap_day,
        _ => text.overlap_week,
    }
}

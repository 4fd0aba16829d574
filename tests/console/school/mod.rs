//! The school editor.

mod audited;
mod changes;
mod filtered;
mod forms;
mod import_notes;
mod imports;
mod looks;
mod two_administrators;
mod year;

use http::StatusCode;
use lyceum::directory::WriteOutcome;
use lyceum::domain::{ClubProfile, Quota, StudentProfile};
use lyceum::http::audit::EventKind;

use crate::harness::*;
use crate::school_fixtures;

/// A console with the school editor and the school of the tests of the data API.
async fn school() -> Harness {
    let many = Quota::new(1000, MINUTE, 1000).unwrap();
    let harness = Harness::with_school_editor(|auth| auth.management_limit(many)).await;
    let written = harness.directory.write(school_fixtures::changes()).await;
    assert!(matches!(written.unwrap(), WriteOutcome::Written(_)));
    harness
}

async fn student(harness: &Harness, id: i64) -> StudentProfile {
    let snapshot = harness.directory.snapshot().await.unwrap();
    snapshot.students().get(id).unwrap().clone()
}

async fn club(harness: &Harness, id: i64) -> ClubProfile {
    let snapshot = harness.directory.snapshot().await.unwrap();
    snapshot.clubs().get(id).unwrap().clone()
}

/// The events about the school's records.
fn edits(harness: &Harness) -> Vec<EventKind> {
    let events = harness.log.events().into_iter().map(|event| event.kind);
    events
        .filter(|kind| matches!(kind, EventKind::Edited { .. } | EventKind::Imported { .. }))
        .collect()
}

pub type Fields = Vec<(String, String)>;

/// The fields of the last form of a page, as a browser submits them.
pub fn form_of(page: &str) -> Fields {
    let form = page.rsplit("<form ").next().unwrap();
    let unescape = |text: &str| {
        ["&#34;\"", "&#38;&", "&#39;'", "&#60;<", "&#62;>"]
            .iter()
            .fold(text.to_owned(), |text, code| {
                text.replace(&code[..5], &code[5..])
            })
    };
    let attribute = |tag: &str, name: &str| {
        let value = tag.split(&format!(" {name}=\"")).nth(1)?;
        Some(unescape(value.split('"').next()?))
    };
    let mut fields = Vec::new();
    for (at, _) in form.match_indices('<') {
        let rest = &form[at..];
        let tag = rest.split('>').next().unwrap();
        let Some(name) = attribute(tag, "name") else {
            continue;
        };
        let value = if tag.starts_with("<input") {
            let is_off = tag.contains("type=\"radio\"") || tag.contains("type=\"checkbox\"");
            if is_off && !tag.contains(" checked") {
                continue;
            }
            attribute(tag, "value").unwrap_or_default()
        } else if tag.starts_with("<textarea") {
            let text = rest.split_once('>').unwrap().1;
            let text = text.split("</textarea>").next().unwrap();
            unescape(text.strip_prefix('\n').unwrap_or(text)).replace('\n', "\r\n")
        } else if tag.starts_with("<button") {
            continue;
        } else {
            let options = rest.split("</select>").next().unwrap();
            let options: Vec<&str> = options.split("<option").skip(1).collect();
            let chosen = options.iter().find(|option| option.contains(" selected"));
            attribute(chosen.unwrap_or(&options[0]), "value").unwrap()
        };
        fields.push((name, value));
    }
    fields
}

/// The fields with other values.
pub fn with_fields(fields: &Fields, others: &[(&str, &str)]) -> Fields {
    let value = |(name, value): &(String, String)| {
        let other = others.iter().find(|(other, _)| other == name);
        let value = other.map_or(value.clone(), |(_, value)| (*value).to_owned());
        (name.clone(), value)
    };
    for (name, _) in others {
        assert!(
            fields.iter().any(|(known, _)| known == name),
            "{name}: {fields:?}"
        );
    }
    fields.iter().map(value).collect()
}

pub async fn post(browser: &mut Browser, path: &str, fields: &Fields) -> TestResponse {
    let fields: Vec<(&str, &str)> = fields
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    browser.post(path, &fields).await
}

/// Opens a form, changes some of its fields and submits it.
async fn submit(browser: &mut Browser, path: &str, others: &[(&str, &str)]) -> TestResponse {
    let page = browser.get(path).await;
    assert_eq!(page.status, StatusCode::OK, "{path}: {page:?}");
    let action = path.split('?').next().unwrap();
    post(browser, action, &with_fields(&form_of(&page.body), others)).await
}

/// Submits a form as [`submit`] does, which saves the record.
async fn save(browser: &mut Browser, path: &str, others: &[(&str, &str)]) {
    let answer = submit(browser, path, others).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{path}: {answer:?}");
}

/// The message at a field.
fn fault<'a>(page: &'a str, field: &str) -> &'a str {
    let start = format!("<p class=\"fault\" id=\"{field}-fault\">");
    let mut parts = page.split(&start);
    let message = parts.nth(1).and_then(|rest| rest.split('<').next());
    message.unwrap_or("")
}

/// What a page says of changes since the page before.
fn changed_meanwhile(page: &str) -> &str {
    let section = page.split("id=\"meanwhile\">").nth(1);
    section.map_or("", |section| section.split("</section>").next().unwrap())
}

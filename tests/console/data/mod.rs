//! Pages of the school's data.

mod activity;
mod administrators;
mod custom_lists;
mod failures;
mod filters;
mod keys;
mod limits;
mod lists;
mod look;
mod records;
mod samples;
mod tables;
mod today;
mod week;

use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;
use lyceum::DataApi;
use lyceum::directory::WriteOutcome;
use lyceum::domain::{ApiKey, ApiKeyId, ApiKeySecret, ApiScope, ApiScopes, HiddenFields};
use lyceum::http::console::Console;
use lyceum::http::data_api::DataApiBuilder;
use lyceum::store::Creation;
use serde_json::Value;
use tower::ServiceExt;

use crate::harness::*;
use crate::school_fixtures;

pub const API: &str = "https://school.example/api";

/// Lists with their paths in the data API.
pub const KINDS: [(&str, &str); 6] = [
    ("students", "/v1/students"),
    ("clubs", "/v1/clubs"),
    ("projects", "/v1/projects"),
    ("meals", "/v1/neis/meals"),
    ("schedules", "/v1/neis/schedules"),
    ("timetables", "/v1/neis/timetables"),
];

/// What the pages of the lists are sorted by if the user chose nothing, as a query of the data API.
pub const BROWSED_BY: [&str; 6] = [
    "?sortBy=STUDENT_NUMBER",
    "?sortBy=NAME",
    "?sortBy=NAME",
    "",
    "",
    "",
];

/// A harness with a school, on a day of its calendar.
pub async fn harness() -> (Harness, DataApi) {
    harness_with(|builder| builder).await
}

/// The same with other settings of the data API.
pub async fn harness_with(
    data: impl FnOnce(DataApiBuilder) -> DataApiBuilder,
) -> (Harness, DataApi) {
    with_data(Harness::new().await, data).await
}

/// Adds a school and the data browser to a harness.
pub async fn with_data(
    harness: Harness,
    data: impl FnOnce(DataApiBuilder) -> DataApiBuilder,
) -> (Harness, DataApi) {
    harness.clock.advance(Duration::from_secs(
        u64::try_from(school_fixtures::NOW.seconds() - START.seconds()).unwrap(),
    ));
    assert!(matches!(
        harness
            .directory
            .write(school_fixtures::changes())
            .await
            .unwrap(),
        WriteOutcome::Written(_)
    ));
    let api = DataApi::builder(harness.directory.clone(), harness.store.clone())
        .clock(Arc::new(harness.clock.clone()));
    let api = data(api).build().unwrap();
    let console = Console::builder(harness.auth.management(), ADDRESS)
        .data_browser(api.data_client(), API)
        .build()
        .unwrap();
    (Harness { console, ..harness }, api)
}

/// A key of the harness's user with all scopes.
pub fn key(harness: &Harness, number: u8) -> ApiKey {
    let (id, secret) = (
        ApiKeyId::from_random([number + 100; 16]),
        ApiKeySecret::from_random([number; 16]),
    );
    let issued = ApiKey::new(
        id,
        &secret,
        "Lunch <b>".parse().unwrap(),
        ApiScopes::built_in(),
        school_fixtures::NOW,
    );
    ApiKey {
        owner: Some(harness.person.clone()),
        ..issued
    }
}

pub async fn keep(harness: &Harness, key: ApiKey) -> ApiKeyId {
    let id = key.id;
    assert_eq!(
        harness.store.create_api_key(key).await.unwrap(),
        Creation::Created
    );
    id
}

pub fn scopes(scope: ApiScope) -> ApiScopes {
    [scope].into_iter().collect()
}

/// A browser of a user with one key with all scopes.
pub async fn browser(harness: &Harness) -> Browser {
    keep(harness, key(harness, 1)).await;
    harness.browser_of(EMAIL).await
}

/// A browser of a user with one key that hides these fields.
pub async fn browser_without(harness: &Harness, hidden: HiddenFields) -> Browser {
    keep(
        harness,
        ApiKey {
            hidden,
            ..key(harness, 1)
        },
    )
    .await;
    harness.browser_of(EMAIL).await
}

/// The data API's response to the key with this number.
pub async fn asked(api: &DataApi, number: u8, path: &str, accept: &str) -> (StatusCode, String) {
    let secret = ApiKeySecret::from_random([number; 16]);
    let request = http::Request::get(path)
        .header("x-api-key", secret.expose())
        .header("accept", accept)
        .body(())
        .unwrap();
    let answer = api.clone().oneshot(request).await.unwrap();
    let (status, body) = (
        answer.status(),
        http_body_util::BodyExt::collect(answer.into_body())
            .await
            .unwrap()
            .to_bytes(),
    );
    (status, String::from_utf8(body.to_vec()).unwrap())
}

/// The data API's records for the first key.
pub async fn records(api: &DataApi, path: &str) -> Vec<Value> {
    let (status, body) = asked(api, 1, path, "application/json").await;
    assert_eq!(status, StatusCode::OK, "{path}: {body}");
    let body: Value = serde_json::from_str(&body).unwrap();
    body["data"]
        .as_object()
        .unwrap()
        .values()
        .find_map(Value::as_array)
        .unwrap()
        .clone()
}

/// Cells of a page's table, row by row.
pub fn rows(page: &TestResponse) -> Vec<Vec<String>> {
    let Some((_, table)) = page.body.split_once("<tbody>") else {
        return Vec::new();
    };
    let rows = table
        .split("</tbody>")
        .next()
        .unwrap()
        .split("<tr>")
        .skip(1);
    let cells = |row: &str| row.split("</t").filter_map(cell).collect();
    rows.map(cells).collect()
}

fn cell(html: &str) -> Option<String> {
    let at = html.find("<td").or_else(|| html.find("<th"))?;
    let (mut text, mut inside) = (String::new(), false);
    for letter in html[at..].chars() {
        match letter {
            '<' => inside = true,
            '>' if inside => inside = false,
            _ if !inside => text.push(letter),
            _ => {}
        }
    }
    Some(unescaped(&text))
}

/// URI of a form that sends its fields in the query: the first one with this field, sent by the
/// button with this text.
pub fn form_href(page: &TestResponse, field: &str, button: &str) -> String {
    let mut forms = page.body.split("<form").skip(1);
    let form = forms
        .find(|form| form.contains(&format!(" name=\"{field}\"")))
        .and_then(|form| form.split("</form>").next())
        .unwrap_or_else(|| panic!("no form with {field}"));
    let attribute = |element: &str, name: &str| {
        let value = element.split(&format!(" {name}=\"")).nth(1)?;
        Some(unescaped(value.split('"').next()?))
    };
    let before = form.split(&format!(">{button}</button>")).next().unwrap();
    let target = before.rsplit_once("<button").unwrap().1;
    let target = attribute(target, "formaction").or_else(|| attribute(form, "action"));
    let mut pairs = Vec::new();
    for input in form.split("<input").skip(1) {
        let input = input.split('>').next().unwrap();
        if !input.contains("type=\"checkbox\"") || input.ends_with(" checked") {
            let value = attribute(input, "value").unwrap_or_default();
            pairs.push((attribute(input, "name").unwrap(), value));
        }
    }
    for select in form.split("<select").skip(1) {
        let chosen = select.split(" selected").next().unwrap();
        let chosen = chosen.rsplit_once("<option").unwrap().1;
        let value = attribute(chosen, "value").unwrap();
        pairs.push((attribute(select, "name").unwrap(), value));
    }
    let query: Vec<String> = pairs
        .iter()
        .map(|(name, value)| format!("{name}={}", percent_encoded(value)))
        .collect();
    let target = target.unwrap();
    format!(
        "{}?{}",
        target.strip_prefix("/console").unwrap(),
        query.join("&")
    )
}

/// Text in a query.
pub fn percent_encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// URI of the link with this text.
pub fn link(page: &TestResponse, text: &str) -> Option<String> {
    let before = page.body.split_once(&format!(">{text}</a>"))?.0;
    let href = before.rsplit_once("href=\"")?.1.split('"').next()?;
    Some(unescaped(href.strip_prefix("/console").unwrap()))
}

pub fn unescaped(html: &str) -> String {
    let named = [
        ("&#60;", "<"),
        ("&#62;", ">"),
        ("&#34;", "\""),
        ("&#39;", "'"),
        ("&#38;", "&"),
    ];
    named
        .into_iter()
        .fold(html.to_owned(), |text, (escape, letter)| {
            text.replace(escape, letter)
        })
}

//! The school's data on pages.

mod failing;
mod filters;
mod keys;
mod limits;
mod lists;
mod own_lists;
mod samples;
mod tables;

use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;
use lyceum::DataApi;
use lyceum::directory::Writing;
use lyceum::domain::{ApiKey, ApiKeyId, ApiKeySecret, ApiScope, ApiScopes, HiddenFields};
use lyceum::http::console::Console;
use lyceum::http::data_api::DataApiBuilder;
use lyceum::store::Creation;
use serde_json::Value;
use tower::ServiceExt;

use crate::harness::*;
use crate::school;

pub const API: &str = "https://school.example/api";

/// The kinds of records, with their addresses in the data API.
pub const KINDS: [(&str, &str); 6] = [
    ("students", "/v1/students"),
    ("clubs", "/v1/clubs"),
    ("projects", "/v1/projects"),
    ("meals", "/v1/neis/meals"),
    ("schedules", "/v1/neis/schedules"),
    ("timetables", "/v1/neis/timetables"),
];

/// A world with a school, on a day of that.
pub async fn world() -> (World, DataApi) {
    world_with(|builder| builder).await
}

/// The same with other settings of the data API.
pub async fn world_with(data: impl FnOnce(DataApiBuilder) -> DataApiBuilder) -> (World, DataApi) {
    let world = World::new().await;
    world.clock.advance(Duration::from_secs(u64::try_from(school::NOW.seconds() - START.seconds()).unwrap()));
    assert!(matches!(world.directory.write(school::changes()).await.unwrap(), Writing::Written(_)));
    let api = DataApi::builder(world.directory.clone(), world.store.clone()).clock(Arc::new(world.clock.clone()));
    let api = data(api).build().unwrap();
    let builder = Console::builder(world.auth.office(), ADDRESS).site("Haneul <High> School").unwrap();
    let console = builder.data(api.reading_room(), API).build().unwrap();
    (World { console, ..world }, api)
}

/// A key of the person's, which may read everything.
pub fn key(world: &World, number: u8) -> ApiKey {
    let (id, secret) = (ApiKeyId::from_random([number + 100; 16]), ApiKeySecret::from_random([number; 16]));
    let issued = ApiKey::issued(id, &secret, "Lunch <b>".parse().unwrap(), ApiScopes::built_in(), school::NOW);
    ApiKey { owner: Some(world.person.clone()), ..issued }
}

pub async fn keep(world: &World, key: ApiKey) -> ApiKeyId {
    let id = key.id;
    assert_eq!(world.store.create_api_key(key).await.unwrap(), Creation::Created);
    id
}

pub fn scopes(scope: ApiScope) -> ApiScopes {
    [scope].into_iter().collect()
}

/// A browser of somebody with one key that may read everything.
pub async fn browser(world: &World) -> Browser {
    keep(world, key(world, 1)).await;
    world.browser_of(EMAIL).await
}

/// A browser of somebody with one key that does without these fields.
pub async fn browser_without(world: &World, hidden: HiddenFields) -> Browser {
    keep(world, ApiKey { hidden, ..key(world, 1) }).await;
    world.browser_of(EMAIL).await
}

/// What the data API answers to the key of this number.
pub async fn asked(api: &DataApi, number: u8, path: &str, accept: &str) -> (StatusCode, String) {
    let secret = ApiKeySecret::from_random([number; 16]);
    let request = http::Request::get(path).header("x-api-key", secret.expose()).header("accept", accept).body(()).unwrap();
    let answer = api.clone().oneshot(request).await.unwrap();
    let (status, body) = (answer.status(), http_body_util::BodyExt::collect(answer.into_body()).await.unwrap().to_bytes());
    (status, String::from_utf8(body.to_vec()).unwrap())
}

/// The records that the data API answers with to the first key.
pub async fn records(api: &DataApi, path: &str) -> Vec<Value> {
    let (status, body) = asked(api, 1, path, "application/json").await;
    assert_eq!(status, StatusCode::OK, "{path}: {body}");
    let body: Value = serde_json::from_str(&body).unwrap();
    body["data"].as_object().unwrap().values().find_map(Value::as_array).unwrap().clone()
}

/// The cells of a page's table, row by row.
pub fn rows(page: &Answer) -> Vec<Vec<String>> {
    let Some((_, table)) = page.body.split_once("<tbody>") else { return Vec::new() };
    let rows = table.split("</tbody>").next().unwrap().split("<tr>").skip(1);
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

/// The links whose text this is.
pub fn link(page: &Answer, text: &str) -> Option<String> {
    let before = page.body.split_once(&format!(">{text}</a>"))?.0;
    let href = before.rsplit_once("href=\"")?.1.split('"').next()?;
    Some(unescaped(href.strip_prefix("/console").unwrap()))
}

pub fn unescaped(html: &str) -> String {
    let named = [("&#60;", "<"), ("&#62;", ">"), ("&#34;", "\""), ("&#39;", "'"), ("&#38;", "&")];
    named.into_iter().fold(html.to_owned(), |text, (escape, letter)| text.replace(escape, letter))
}

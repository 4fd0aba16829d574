//! How the demo's school shows itself.

use lyceum::domain::ApiKeySecret;
use lyceum::store::ApiKeyStore;

use super::{signed_in, text};
use crate::sign_in::attribute;
use crate::support::Client;
use crate::test_database::{TestDatabase, on_each_database};

const SCHOOL: &str = "별빛소프트웨어고등학교";

on_each_database!(pages_and_calendar_feeds_name_one_school,);

async fn pages_and_calendar_feeds_name_one_school(database: TestDatabase) {
    let (server, ready) = database.ready();
    let base = text(&ready["base_url"]);
    let client = Client::new();
    for language in ["en", "ko"] {
        let headers = [("accept", "text/html"), ("accept-language", language)];
        let page = format!("{base}/console/sign-in");
        let page = client.get(&page, &headers).await.body;
        assert!(page.contains(SCHOOL), "{language}: {page}");
    }

    let mut browser = signed_in(&ready).await;
    let home = browser.open("/console/").await.body;
    assert!(home.contains(SCHOOL), "{home}");
    let secret = ApiKeySecret::parse(text(&ready["api_key"])).unwrap();
    let key = database.store().await.api_key(&secret.digest()).await;
    let page = format!("/console/keys/{}", key.unwrap().unwrap().id);
    let token = browser.open(&page).await;
    let token = attribute(&token.body, "name=\"form_token\" value=\"");
    let url = format!("{base}{page}/calendars");
    let headers = [("accept", "text/html"), ("cookie", browser.cookie.as_str())];
    let fields = [("form_token", token)];
    let made = browser.client.post_form(&url, &headers, &fields).await;
    assert_eq!(made.status, 303, "{}", made.body);
    browser.keep_cookie(&made);
    let shown = browser.open(made.header("location")).await.body;
    let meals = shown
        .split(['<', '>'])
        .find(|value| value.starts_with("http://") && value.ends_with("/meals.ics"))
        .unwrap_or_else(|| panic!("no address of meals in {shown}"));
    let feed = client.get(meals, &[]).await;
    assert_eq!(feed.status, 200, "{}", feed.body);
    let name = format!("X-WR-CALNAME:{SCHOOL} ");
    assert!(feed.body.contains(&name), "{}", feed.body);
    server.stop();
}

//! How the demo's school shows itself.

use lyceum::domain::ApiKeySecret;
use lyceum::store::ApiKeyStore;

use super::{signed_in, text};
use crate::sign_in::attribute;
use crate::support::Client;
use crate::test_database::{TestDatabase, on_each_database};

const SCHOOL: &str = "별빛소프트웨어고등학교";

on_each_database!(
    pages_and_calendar_feeds_name_one_school,
    pages_have_the_logo_the_colour_and_the_support_address_of_the_school,
);

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

async fn pages_have_the_logo_the_colour_and_the_support_address_of_the_school(
    database: TestDatabase,
) {
    let (server, ready) = database.ready();
    let base = text(&ready["base_url"]);
    let client = Client::new();
    let html = [("accept", "text/html")];
    let page = client.get(&format!("{base}/console/sign-in"), &html).await;
    assert!(
        page.body.contains("mailto:help@school.example"),
        "{}",
        page.body
    );
    let logo = attribute(&page.body, "<img src=\"");
    let logo = client.get(&format!("{base}{logo}"), &[]).await;
    assert_eq!(
        (logo.status.as_u16(), logo.header("content-type")),
        (200, "image/svg+xml")
    );
    let stylesheet = attribute(&page.body, "<link rel=\"stylesheet\" href=\"");
    let stylesheet = client.get(&format!("{base}{stylesheet}"), &[]).await.body;
    assert!(stylesheet.contains("--brand:#5a43c6"), "no accent colour");
    server.stop();
}

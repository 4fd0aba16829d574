//! Secrets that a page shows once, after the redirect of the form that made them.

use std::time::Duration;

use http::header::{CACHE_CONTROL, SET_COOKIE};
use http::{Method, StatusCode};
use lyceum::domain::PageRequest;

use crate::fixtures::{id_of, key};
use crate::harness::*;
use crate::pages::assert_safe;

/// Beginning of the names of the cookies.
const COOKIE: &str = "__Host-lyceum-shown-";
const FIELDS: [(&str, &str); 2] = [("description", "Lunch"), ("scopes", "NEIS_READ")];

/// Sends the form for a key, and returns the redirect.
async fn submit(browser: &mut Browser) -> TestResponse {
    let token = form_token(&browser.get("/keys/new").await.body);
    let fields = [&[("form_token", &*token)], &FIELDS[..]].concat();
    browser.submit("/keys/new", &fields).await
}

fn path(answer: &TestResponse) -> String {
    answer
        .location()
        .strip_prefix("/console")
        .unwrap()
        .to_owned()
}

/// The cookies with secrets.
fn sealed(browser: &Browser) -> Vec<(String, String)> {
    let cookies = browser.cookies.iter();
    let secrets = cookies.filter(|(name, _)| name.starts_with(COOKIE));
    secrets.cloned().collect()
}

/// The secret that a page shows.
fn secret(page: &TestResponse) -> String {
    let secret = page.body.split("id=\"secret\"").nth(1).unwrap();
    let secret = secret.split('>').nth(1).unwrap().split('<').next().unwrap();
    secret.to_owned()
}

// Proves: threats 51
/// Fails if a refreshed page makes a second key, or the key is in an address or the redirect.
#[tokio::test]
async fn a_refreshed_page_makes_no_second_key_and_shows_the_first_no_more() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_of(EMAIL).await;
    let answer = submit(&mut browser).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    assert!(answer.body.is_empty());
    let cookie = answer.cookies().concat();
    assert!(
        cookie.contains("HttpOnly") && cookie.contains("Secure") && cookie.contains("Max-Age=300"),
        "{cookie}"
    );
    assert!(cookie.len() < 4096);
    let address = path(&answer);
    // A program that only looks at the address takes nothing away.
    let head = browser.send(Method::HEAD, &address, None, "").await;
    assert!(head.headers.get(SET_COOKIE).is_none());
    let page = browser.get(&address).await;
    assert_eq!(
        (page.status, page.header(CACHE_CONTROL)),
        (StatusCode::OK, "no-store")
    );
    assert_safe(&page);
    let secret = &*secret(&page);
    assert_eq!(secret.len(), 36);
    assert!(!address.contains(secret) && !cookie.contains(secret));
    assert_eq!(sealed(&browser), [], "the browser has forgotten it");

    let again = browser.get(&address).await;
    assert_eq!(again.status, StatusCode::SEE_OTHER, "{again:?}");
    let record = browser.follow().await;
    assert!(
        record.body.contains("A secret is shown only once") && !record.body.contains(secret),
        "{}",
        record.body
    );
    let keys = harness
        .store
        .api_keys(None, PageRequest::LARGEST)
        .await
        .unwrap();
    assert_eq!(keys.total, 1);
    // The way back leads to an empty form.
    let form = browser.get("/keys/new").await;
    assert!(form.header(CACHE_CONTROL) == "no-store" && !form.body.contains("value=\"Lunch\""));
    assert!(!format!("{:?}", harness.log.events()).contains(secret));
}

// Proves: threats 51
/// Fails if another session, a later time or another record opens the cookie.
#[tokio::test]
async fn a_secret_is_shown_to_the_session_that_made_it_within_minutes() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_of(EMAIL).await;
    let address = path(&submit(&mut browser).await);
    let [(name, cookie)] = &sealed(&browser)[..] else {
        panic!("{:?}", browser.cookies)
    };
    // The same user in another session, and another user.
    for email in [EMAIL, ADMIN] {
        let mut other = harness.browser_of(email).await;
        other.cookies.push((name.clone(), cookie.clone()));
        let answer = other.get(&address).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{email}");
    }
    let own = key(&harness, 9, Some(&id_of(&harness, EMAIL).await), "Other").await;
    let page = address.split("page=").nth(1).unwrap();
    for elsewhere in [
        format!("/shown?next=%2Fkeys%2F{own}"),
        format!("/shown?next=%2Fkeys%2F{own}&page={page}"),
        address.replace(page, "AAAAAAAAAAA"),
        address.replace(page, "%00"),
        address.split('&').next().unwrap().to_owned(),
        "/shown".to_owned(),
        "/shown?next=%2F%2Fevil.example".to_owned(),
    ] {
        let answer = browser.get(&elsewhere).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{elsewhere}");
        assert!(
            answer.location().starts_with("/console/"),
            "{}",
            answer.location()
        );
    }
    let mut damaged = browser.clone();
    damaged.cookies.retain(|(other, _)| other != name);
    damaged
        .cookies
        .push((name.clone(), cookie.replace(&cookie[20..24], "AAAA")));
    assert_eq!(damaged.get(&address).await.status, StatusCode::SEE_OTHER);
    harness.clock.advance(Duration::from_secs(299));
    assert_eq!(browser.clone().get(&address).await.status, StatusCode::OK);
    harness.clock.advance(Duration::from_secs(1));
    assert_eq!(browser.get(&address).await.status, StatusCode::SEE_OTHER);
}

// Proves: threats 51
/// Fails if the form of one tab removes the secret of another, or a page that of another page.
#[tokio::test]
async fn secrets_made_in_several_tabs_at_once_are_all_shown() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_of(EMAIL).await;
    // Both forms are sent before the browser has the answer to one.
    let mut second_tab = browser.clone();
    let one = submit(&mut browser).await;
    let other = submit(&mut second_tab).await;
    browser.cookies.extend(sealed(&second_tab));
    assert_eq!(sealed(&browser).len(), 2);
    let (one, other) = (path(&one), path(&other));
    let shown = [browser.get(&one).await, browser.get(&other).await];
    for page in &shown {
        assert_eq!(page.status, StatusCode::OK, "{page:?}");
        assert_safe(page);
    }
    assert_ne!(secret(&shown[0]), secret(&shown[1]));
    assert_eq!(sealed(&browser), []);

    // More than a few of them would fill the header of all cookies.
    let mut addresses = Vec::new();
    for _ in 0..6 {
        addresses.push(path(&submit(&mut browser).await));
    }
    assert_eq!(sealed(&browser).len(), 4, "{:?}", browser.cookies);
    for (number, address) in addresses.iter().enumerate() {
        let expected = match number {
            0 | 1 => StatusCode::SEE_OTHER,
            _ => StatusCode::OK,
        };
        assert_eq!(browser.get(address).await.status, expected, "{number}");
    }
}

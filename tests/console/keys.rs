use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;
use lyceum::domain::{ApiKey, ApiKeyDailyUsage, ApiKeyId, SigningAlgorithm};
use lyceum::http::auth_server::AuthServer;
use lyceum::http::console::Console;

use crate::client_fixtures::client;
use crate::fixtures::{DAY, id_of, key};
use crate::harness::*;
use crate::page_assertions::{assert_page, send};
use crate::registry_fixtures::application;
use crate::verification::enroll_person;

async fn used(harness: &Harness, key: ApiKeyId, day: &str, calls: u32) {
    let used = ApiKeyDailyUsage {
        key,
        day: day.parse().unwrap(),
        calls,
        errors: 0,
        last_used_at: START,
    };
    harness
        .store
        .record_api_key_usage(vec![used])
        .await
        .unwrap();
}

/// Fails if an administrator's own list contains all keys.
#[tokio::test]
async fn the_list_has_own_keys_also_for_an_administrator() {
    let harness = Harness::new().await;
    let admin = id_of(&harness, ADMIN).await;
    let mine = key(&harness, 1, Some(&harness.person), "\"><b>Lunch").await;
    let admins = key(&harness, 2, Some(&admin), "Tower").await;
    used(&harness, mine, "2026-01-01", 41).await;
    used(&harness, mine, "2025-12-03", 1).await;
    used(&harness, mine, "2025-12-02", 500).await;
    let page = assert_page(&harness, &mut harness.browser_of(EMAIL).await, "/keys")
        .await
        .body;
    assert!(
        page.contains("&#34;&#62;&#60;b&#62;Lunch")
            && page.contains(&format!("/console/keys/{mine}")),
        "{page}"
    );
    assert!(
        page.contains("class=\"number\">42<"),
        "the requests of 30 days: {page}"
    );
    assert!(
        page.contains("Active") && page.contains("/console/keys/new") && !page.contains("Tower")
    );
    let page = harness.browser_of(ADMIN).await.get("/keys").await.body;
    assert!(
        page.contains(&format!("/console/keys/{admins}")) && !page.contains("Lunch"),
        "{page}"
    );
}

/// Fails if an owner whose name is known is shown by the address alone.
#[tokio::test]
async fn the_lists_of_administrators_name_owners_with_their_address_below() {
    let harness = Harness::with_school_editor(|auth| auth).await;
    let owner = enroll_person(&harness).await;
    let of = owner.enrollment().unwrap();
    let (name, grade, class) = (owner.name.clone(), of.grade, of.class_num);
    let label = format!("<bdi>{name} · {grade}-{class}</bdi><small>");
    key(&harness, 1, Some(&harness.person), "Lunch").await;
    client(&harness, 1, |client| client).await;
    application(&harness, 1, &harness.person, "Cafeteria").await;
    let mut admin = harness.browser_of(ADMIN).await;
    for list in ["/admin/keys", "/admin/clients", "/admin/applications"] {
        let page = assert_page(&harness, &mut admin, list).await.body;
        assert!(page.contains(&label), "{label} is missing in {page}");
        let below = page.split(&label).nth(1).unwrap();
        let below = below.split("</small>").next().unwrap();
        assert_eq!(below.replace("<wbr>", ""), EMAIL, "{list}");
    }
}

#[tokio::test]
async fn administrators_list_all_keys_in_pages() {
    let harness = Harness::new().await;
    for number in 1..=24 {
        key(
            &harness,
            number,
            Some(&harness.person),
            &format!("Key number {number}."),
        )
        .await;
    }
    key(&harness, 25, None, "Nobodys").await;
    let refused = harness.browser_of(EMAIL).await.get("/admin/keys").await;
    assert!(
        refused.status == StatusCode::FORBIDDEN && !refused.body.contains("number"),
        "{refused:?}"
    );
    let mut admin = harness.browser_of(ADMIN).await;
    let first = assert_page(&harness, &mut admin, "/admin/keys").await.body;
    assert!(
        first.contains("Key number 1.")
            && first.replace("<wbr>", "").contains(EMAIL)
            && !first.contains("Key number 21."),
        "{first}"
    );
    assert!(
        first.contains("href=\"/console/admin/keys?page=1\"") && first.contains("25 entries"),
        "{first}"
    );
    let second = admin.get("/admin/keys?page=1").await.body;
    assert!(
        second.contains("Key number 21.")
            && second.contains("Nobodys")
            && second.contains("No owner<"),
        "{second}"
    );
    for nonsense in [
        "/admin/keys?page=-1",
        "/admin/keys?page=99999999999",
        "/admin/keys?page=%3Cb%3E",
        "/keys?page=7",
    ] {
        assert_eq!(
            admin.get(nonsense).await.status,
            StatusCode::OK,
            "{nonsense}"
        );
    }
}

/// Fails if days begin in the machine's time zone, or a day without requests is missing.
#[tokio::test]
async fn a_keys_chart_has_the_last_thirty_days_where_the_school_is() {
    let harness = Harness::new().await;
    let id = key(&harness, 1, Some(&harness.person), "Lunch").await;
    used(&harness, id, "2026-01-01", 7).await;
    used(&harness, id, "2025-12-03", 3).await;
    // One second before midnight in Seoul, which is 15:00 in UTC.
    harness.clock.advance(Duration::from_secs(15 * 60 * 60 - 1));
    let mut browser = harness.browser_of(EMAIL).await;
    let page = assert_page(&harness, &mut browser, &format!("/keys/{id}"))
        .await
        .body;
    let days = |page: &str| page.matches("<tr><th scope=\"row\"><time").count();
    assert!(
        page.contains("30 days: 10 in total, 0 of them errors.")
            && page.contains("<title>Jan 1: 7 requests, 0 errors</title>"),
        "{page}"
    );
    assert!(
        page.contains("<title>Dec 3: 3 requests, 0 errors</title>")
            && !page.contains("2025-12-02")
            && days(&page) == 30
    );
    harness.clock.advance(Duration::from_secs(1));
    let page = browser.get(&format!("/keys/{id}")).await.body;
    assert!(
        page.contains("30 days: 7 in total, 0 of them errors.")
            && page.contains("<time datetime=\"2026-01-02\">"),
        "{page}"
    );
    assert!(!page.contains("2025-12-03") && days(&page) == 30);
    let other = Harness::with_console(|console| console.time_zone("UTC")).await;
    let id = key(&other, 1, Some(&other.person), "Lunch").await;
    other.clock.advance(Duration::from_secs(15 * 60 * 60));
    assert!(
        !other
            .browser_of(EMAIL)
            .await
            .get(&format!("/keys/{id}"))
            .await
            .body
            .contains("2026-01-02")
    );
}

// Proves: threats 52
/// Fails if errors are not told apart, or more of a value than its end is shown.
#[tokio::test]
async fn a_keys_page_has_its_errors_and_the_end_of_its_value() {
    let harness = Harness::new().await;
    let id = key(&harness, 1, Some(&harness.person), "Lunch").await;
    used(&harness, id, "2025-12-30", 1_400).await;
    let failed = ApiKeyDailyUsage {
        key: id,
        day: "2025-12-31".parse().unwrap(),
        calls: 200,
        errors: 168,
        last_used_at: START,
    };
    let store = &harness.store;
    store.record_api_key_usage(vec![failed]).await.unwrap();
    let hint = store.api_key_by_id(id).await.unwrap().unwrap().hint.clone();
    let end = hint.split_once('…').unwrap().1;
    let mut browser = harness.browser_of(EMAIL).await;
    let path = format!("/keys/{id}");
    let page = assert_page(&harness, &mut browser, &path).await.body;
    for text in [
        "<dt>Successful</dt><dd>1,432</dd>",
        "<dt>Errors</dt><dd>168</dd>",
        "<rect class=\"r\"",
        "<svg class=\"plot\" role=\"img\"",
        "x2=\"100%\"",
        "<div class=\"when\"><dt>Last used</dt>",
        "Most errors were on Dec 31: 168 of 200 requests.",
        "<td class=\"number\">32</td><td class=\"number\">168</td>",
    ] {
        assert!(page.contains(text), "{text} is missing in {page}");
    }
    for path in [&*path, "/keys"] {
        let page = browser.get(path).await.body;
        assert!(page.contains(&format!("…{end}<")) && !page.contains(&hint));
    }
}

/// Fails if an expired key looks active.
#[tokio::test]
async fn a_key_says_when_it_ends_soon_and_when_it_has_ended() {
    let harness = Harness::new().await;
    let id = key(&harness, 1, Some(&harness.person), "Lunch").await;
    let path = format!("/keys/{id}");
    for (days, seconds, state, warning) in [
        (22, 0, "Active", None),
        (
            0,
            24 * 60 * 60,
            "Expires soon",
            Some("This key expires in 7 days."),
        ),
        (
            6,
            24 * 60 * 60 - 1,
            "Expires soon",
            Some("This key expires in 1 day."),
        ),
        (0, 1, "Expired", Some("This key has expired.")),
    ] {
        harness
            .clock
            .advance(days * DAY + Duration::from_secs(seconds));
        let mut browser = harness.browser_of(EMAIL).await;
        let (page, list) = (
            browser.get(&path).await.body,
            browser.get("/keys").await.body,
        );
        assert!(
            page.contains(&format!(">{state}</span>"))
                && list.contains(&format!(">{state}</span>")),
            "{page}"
        );
        assert_eq!(
            page.contains("class=\"notice warning\""),
            warning.is_some(),
            "{page}"
        );
        assert!(
            warning.is_none_or(|warning| page.contains(warning)),
            "{warning:?} is missing in {page}"
        );
        assert!(
            page.contains(&format!("/console{path}/renew"))
                && page.contains(&format!("/console{path}/revoke"))
        );
    }
}

#[tokio::test]
async fn only_the_owner_and_administrators_view_a_key() {
    let harness = Harness::new().await;
    let admin = id_of(&harness, ADMIN).await;
    let mine = key(&harness, 1, Some(&harness.person), "Lunch").await;
    let admins = key(&harness, 2, Some(&admin), "Tower").await;
    let nobodys = key(&harness, 3, None, "Old").await;
    let (mut browser, mut administrator) = (
        harness.browser_of(EMAIL).await,
        harness.browser_of(ADMIN).await,
    );
    for (id, status) in [
        (mine, StatusCode::OK),
        (admins, StatusCode::FORBIDDEN),
        (nobodys, StatusCode::FORBIDDEN),
    ] {
        for path in [
            format!("/keys/{id}"),
            format!("/keys/{id}/renew"),
            format!("/keys/{id}/edit"),
            format!("/keys/{id}/revoke"),
        ] {
            assert_eq!(browser.get(&path).await.status, status, "{path}");
            assert_page(&harness, &mut administrator, &path).await;
        }
    }
    let page = administrator.get(&format!("/keys/{mine}")).await.body;
    assert!(
        page.contains(EMAIL) && page.contains("href=\"/console/admin/keys\""),
        "the owner is shown: {page}"
    );
    assert!(
        !browser
            .get(&format!("/keys/{mine}"))
            .await
            .body
            .contains("<dt>Owner</dt>")
    );
    assert!(harness.store.revoke_api_key(mine, START).await.unwrap());
    for path in [
        format!("/keys/{mine}"),
        format!("/keys/{}", ApiKeyId::from_random([9; 16])),
        "/keys/%3Cb%3E".to_owned(),
    ] {
        assert_eq!(
            browser.get(&path).await.status,
            StatusCode::NOT_FOUND,
            "{path}"
        );
    }
}

#[tokio::test]
async fn without_a_key_store_there_are_no_key_pages() {
    let harness = Harness::new().await;
    let auth = AuthServer::builder(
        harness.store.clone(),
        "https://school.example/auth",
        lyceum::testing::master_key(3),
    )
    .clock(Arc::new(harness.clock.clone()))
    .authenticator(harness.accounts.clone())
    .signing_algorithm(SigningAlgorithm::Es256)
    .build()
    .await
    .unwrap();
    let console = Console::builder(auth.management(), ADDRESS)
        .build()
        .unwrap();
    let harness = Harness { console, ..harness };
    let id = key(&harness, 1, Some(&harness.person), "Lunch").await;
    let mut admin = harness.browser_of(ADMIN).await;
    assert!(!admin.get("/").await.body.contains("/keys"));
    for path in [
        "/keys",
        "/keys/new",
        "/admin/keys",
        &format!("/keys/{id}"),
        &format!("/keys/{id}/renew"),
        &format!("/keys/{id}/revoke"),
    ] {
        assert_eq!(
            admin.get(path).await.status,
            StatusCode::NOT_FOUND,
            "{path}"
        );
    }
    assert_eq!(
        send(
            &mut admin,
            "/keys/new",
            &[("description", "x"), ("scopes", "CLUB_READ")]
        )
        .await
        .status,
        StatusCode::NOT_FOUND
    );
    assert_eq!(
        send(&mut admin, &format!("/keys/{id}/revoke"), &[])
            .await
            .status,
        StatusCode::NOT_FOUND
    );
    let kept: Arc<ApiKey> = harness.store.api_key_by_id(id).await.unwrap().unwrap();
    assert_eq!(kept.revoked_at, None);
}

/// Fails if a link of the start page leads to a missing page.
#[tokio::test]
async fn the_links_of_the_start_page_lead_to_own_records() {
    let harness = Harness::new().await;
    key(&harness, 1, Some(&harness.person), "Lunch").await;
    harness.clock.advance(31 * DAY);
    let mut browser = harness.browser_of(EMAIL).await;
    let page = browser.get("/").await.body;
    let links: Vec<&str> = page
        .split("href=\"/console")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap())
        .collect();
    let own = |link: &&&str| {
        ["/apps", "/keys", "/account"]
            .iter()
            .any(|area| link.starts_with(area))
    };
    let own: Vec<&&str> = links.iter().filter(own).collect();
    assert!(
        own.len() >= 4 && own.iter().any(|link| link.ends_with("/renew")),
        "{links:?}"
    );
    for link in own {
        assert_eq!(browser.get(link).await.status, StatusCode::OK, "{link}");
    }
}

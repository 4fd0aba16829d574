use http::StatusCode;

use lyceum::domain::{Client, ClientId, Verification};
use lyceum::http::console::Console;

use crate::audit::{audited_harness, keep};
use crate::client_fixtures::client;
use crate::fixtures::{DAY, key};
use crate::harness::*;
use crate::pages::assert_safe;

#[tokio::test]
async fn the_start_page_lists_own_records_and_links_to_allowed_actions() {
    let harness = Harness::new().await;
    key(&harness, 1, Some(&harness.person), "Lunch").await;
    client(&harness, 1, |client| Client {
        name: "Lunch screen".parse().unwrap(),
        ..client
    })
    .await;
    let page = harness.browser_of(EMAIL).await.get("/").await;
    assert_eq!(page.status, StatusCode::OK);
    for text in [
        "1 key<",
        "1 client<",
        "Lunch screen",
        "No apps are connected",
        "<small class=\"code\">…",
        "Nothing needs your attention.",
        EMAIL,
        "/console/keys",
        "/console/apps",
    ] {
        assert!(
            page.body.contains(text),
            "{text} is missing in {}",
            page.body
        );
    }
    assert!(!page.body.contains("/console/admin"));
    assert!(
        !page.body.contains("days left"),
        "of a key that ends soon only: {}",
        page.body
    );
    let new_key = "class=\"button main\" href=\"/console/keys/new\"";
    assert!(page.body.contains(new_key), "{}", page.body);
    let admins = harness.browser_of(ADMIN).await.get("/").await.body;
    assert!(
        admins.contains("/console/admin/people")
            && !admins.contains("id=\"clients\"")
            && !admins.contains("class=\"button main\""),
        "only what waits, and the administrator's own records: {admins}"
    );
}

#[tokio::test]
async fn a_user_without_keys_creates_one_from_the_empty_card() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_of(EMAIL).await;
    let create = "how to use it. <a class=\"button small\" href=\"/console/keys/new\">New key</a>";
    let page = browser.get("/").await;
    assert_safe(&page);
    assert!(page.body.contains(create), "{}", page.body);
    key(&harness, 1, Some(&harness.person), "Lunch").await;
    let page = browser.get("/").await.body;
    assert!(!page.contains(create), "{page}");
}

/// Fails if only expired keys need attention.
#[tokio::test]
async fn keys_that_end_soon_or_have_ended_need_attention() {
    let harness = Harness::new().await;
    let id = key(&harness, 1, Some(&harness.person), "<b>Lunch</b>").await;
    harness.clock.advance(22 * DAY);
    assert!(
        !harness
            .browser_of(EMAIL)
            .await
            .get("/")
            .await
            .body
            .contains("Needs your attention")
    );
    harness.clock.advance(DAY);
    let page = harness.browser_of(EMAIL).await.get("/").await.body;
    assert!(
        page.contains("expires soon")
            && page.contains("badge warning\">7 days left<")
            && page.contains(&format!("/console/keys/{id}/renew")),
        "{page}"
    );
    assert!(page.contains("&#60;b&#62;Lunch") && !page.contains("<b>Lunch"));
    harness.clock.advance(8 * DAY);
    assert!(
        harness
            .browser_of(EMAIL)
            .await
            .get("/")
            .await
            .body
            .contains("has expired")
    );
}

/// Fails if expired keys leave no room for those that work.
#[tokio::test]
async fn keys_that_work_come_before_expired_ones() {
    let harness = Harness::new().await;
    for number in 1..=4 {
        key(&harness, number, Some(&harness.person), "Old").await;
    }
    harness.clock.advance(31 * DAY);
    for (number, name) in [(5, "Works longest"), (6, "Works")] {
        key(&harness, number, Some(&harness.person), name).await;
    }
    let page = harness.browser_of(EMAIL).await.get("/").await.body;
    let card = page.split("id=\"keys\"").nth(1).unwrap();
    let card = card.split("</section>").next().unwrap();
    assert!(card.contains("Works longest"), "{card}");
    assert!(card.find("Works") < card.find("Old"), "{card}");
}

/// Fails if the bar of a phone marks nothing on a page whose link is only in its menu.
#[tokio::test]
async fn the_menu_of_a_phone_is_marked_on_pages_that_it_alone_leads_to() {
    let harness = Harness::new().await;
    let mut admin = harness.browser_of(ADMIN).await;
    for (path, is_marked) in [
        ("/", false),
        ("/keys", false),
        ("/admin/keys", true),
        ("/admin/people", true),
        ("/admin/waiting", true),
        ("/admin/audit", true),
        ("/account", true),
        ("/nowhere", false),
    ] {
        let page = admin.get(path).await.body;
        let menu = page.split("<details class=\"menu\">").nth(1);
        let marked = menu.is_some_and(|menu| menu.contains("<summary aria-current=\"true\">"));
        assert_eq!(marked, is_marked, "{path}: {page}");
    }
}

/// Fails if the reference or the look-up of requests is reached only through other pages.
#[tokio::test]
async fn developers_find_the_api_reference_and_the_look_up_of_requests_in_the_menu() {
    const DOCS: &str = "https://school.example/v1/docs";
    let menu = |page: &str| {
        let menu = page.split("<nav").nth(1).unwrap();
        menu.split("</nav>").next().unwrap().to_owned()
    };
    let harness = Harness::new().await;
    let page = harness.browser_of(EMAIL).await.get("/").await;
    let without = menu(&page.body);
    assert!(
        !without.contains("API reference") && !without.contains("/requests"),
        "neither is set up: {without}"
    );
    let (harness, ..) = audited_harness().await;
    let console = Console::builder(harness.auth.management(), ADDRESS).api_reference(DOCS);
    let console = console.build().unwrap();
    let harness = Harness { console, ..harness };
    let mut browser = harness.browser_of(EMAIL).await;
    for (language, reference, look_up) in [
        ("en", format!("href=\"{DOCS}\""), "Request lookup"),
        ("ko", format!("href=\"{DOCS}/ko\""), "요청 조회"),
    ] {
        browser.language = language;
        let page = browser.get("/requests").await;
        assert_safe(&page);
        let menu = menu(&page.body);
        assert!(
            menu.contains(&reference) && menu.contains(look_up),
            "{menu}"
        );
        let current = "href=\"/console/requests\" aria-current=\"page\"";
        assert!(menu.contains(current), "{menu}");
    }
}

/// Fails if the line at the top contradicts a count, a count of 0 is a link, or an item is none.
#[tokio::test]
async fn an_administrator_sees_what_waits_and_which_sign_ins_failed() {
    let (harness, _, log) = audited_harness().await;
    let mut admin = harness.browser_of(ADMIN).await;
    let page = admin.get("/").await.body;
    for text in [
        "Nothing needs your attention.",
        "There are no pending approvals.",
        "No sign-in failed.",
    ] {
        assert!(page.contains(text), "{text} is missing in {page}");
    }
    for text in [
        "No apps are connected",
        ">0<",
        "sign_in_refused",
        "id=\"clients\"",
    ] {
        assert!(!page.contains(text), "{text} is in {page}");
    }
    client(&harness, 1, |client| Client {
        name: "Old one".parse().unwrap(),
        ..client
    })
    .await;
    client(&harness, 2, |client| Client {
        name: "<b>Lunch".parse().unwrap(),
        verification: Verification::Unverified,
        ..client
    })
    .await;
    for _ in 0..2 {
        harness.browser().sign_in(EMAIL, "wrong").await;
    }
    let typed = "nobody@school.example";
    let unknown = harness.browser().sign_in(typed, "wrong").await;
    let unknown = unknown.header("x-request-id");
    assert!(log.flush().await);
    let page = admin.get("/").await.body;
    let (lunch, person) = (ClientId::from_random([2; 16]), harness.person.as_str());
    for text in [
        &*format!("<a href=\"/console/clients/{lunch}\"><bdi>&#60;b&#62;Lunch</bdi></a>"),
        &format!("<a href=\"/console/admin/people/{person}\"><bdi>Failed sign-in for {EMAIL}"),
        &format!("<a href=\"/console/admin/audit/explain?id={unknown}\"><bdi>Unknown email"),
        "2 items to review, 3 failed sign-ins<",
        "aria-label=\"Review &#60;b&#62;Lunch\"",
        EMAIL,
        &format!("Failed sign-in for {EMAIL} (wrong password or suspended account)"),
        " · 2 times",
        "Unknown email address at this website",
        "what=sign_in_refused&amp;from=2026-01-01",
    ] {
        assert!(page.contains(text), "{text} is missing in {page}");
    }
    assert!(!page.contains(typed), "{page}");
    let sentence = format!("Failed sign-in for {EMAIL}");
    assert_eq!(page.matches(&sentence).count(), 1, "{page}");
    assert!(!page.contains("Nothing needs") && !page.contains("no pending approvals"));
    assert!(
        page.find("Review &#60;b&#62;Lunch") < page.find("Review Old one"),
        "of the new client people are warned: {page}"
    );
    admin.language = "ko";
    let page = admin.get("/").await.body;
    assert!(page.contains("검토할 항목 2건, 로그인 실패 3건"), "{page}");
    let own = harness.browser_of(EMAIL).await.get("/").await.body;
    assert!(!own.contains("/admin/waiting"), "{own}");
}

/// Fails if an import is on no home, or on that of users too.
#[tokio::test]
async fn an_administrator_sees_the_last_import_beside_the_sync() {
    let (harness, store, _) = audited_harness().await;
    let mut admin = harness.browser_of(ADMIN).await;
    let page = admin.get("/").await.body;
    assert!(!page.contains("imported a file"), "{page}");
    let by = harness.person.as_str();
    let imported = |list: &str, added: u32| {
        format!(
            r#"{{"event":"imported","subject":"{by}","object":"{list}","added":{added},"changed":2,"removed":1}}"#
        )
    };
    keep(&store, "imported", 0, &imported("clubs", 9)).await;
    keep(&store, "imported", 60, &imported("students", 3)).await;
    let page = admin.get("/").await.body;
    for text in [
        "imported a file: Students",
        EMAIL,
        "3 added, 2 changed, 1 removed",
        "2026-01-01 09:01",
        "href=\"/console/admin/audit?what=imported\"",
    ] {
        assert!(page.contains(text), "{text} is missing in {page}");
    }
    assert!(!page.contains("imported a file: Clubs"), "{page}");
    admin.language = "ko";
    let page = admin.get("/").await.body;
    assert!(page.contains("추가 3건, 변경 2건, 삭제 1건"), "{page}");
    let own = harness.browser_of(EMAIL).await.get("/").await.body;
    assert!(!own.contains("imported a file"), "{own}");
}

#[tokio::test]
async fn a_notice_about_a_client_says_what_is_wrong_with_it() {
    let harness = Harness::new().await;
    client(&harness, 1, |client| Client {
        plain_pkce_allowed: true,
        ..client
    })
    .await;
    let page = harness.browser_of(EMAIL).await.get("/").await.body;
    assert!(
        page.contains("Improve the security of")
            && page.contains("The PKCE method “plain” is allowed")
            && page.contains("Needs your attention"),
        "{page}"
    );
}

/// Fails if each client with advice is a bar of its own.
#[tokio::test]
async fn several_clients_with_advice_are_one_line_that_opens_to_their_list() {
    let harness = Harness::new().await;
    for number in 1..=3 {
        client(&harness, number, |client| Client {
            name: format!("<b>App {number}").parse().unwrap(),
            plain_pkce_allowed: true,
            ..client
        })
        .await;
    }
    let mut browser = harness.browser_of(EMAIL).await;
    let page = browser.get("/").await;
    assert_safe(&page);
    assert_eq!(
        page.body.matches("class=\"notice").count(),
        1,
        "{}",
        page.body
    );
    let (_, line) = page.body.split_once("class=\"notice warning\">").unwrap();
    let line = line.split("</details>").next().unwrap();
    assert!(
        line.contains("#shield\"")
            && line.contains("<summary>Improve the security of 3 clients</summary>"),
        "{line}"
    );
    for number in 1..=3 {
        assert!(line.contains(&format!("<bdi>&#60;b&#62;App {number}</bdi>")));
    }
    assert_eq!(
        line.matches("The PKCE method “plain” is allowed").count(),
        3
    );
    browser.language = "ko";
    let page = browser.get("/").await.body;
    assert!(page.contains("클라이언트 3개의 보안을"), "{page}");
}

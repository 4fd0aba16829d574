use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use http::{Method, StatusCode};
use lyceum::domain::{AccountId, AuditRecord, Password, Role, Subject, SubjectId};
use lyceum::http::audit::{EventName, StoredAuditLog};
use lyceum::http::auth_server::{
    Accounts, AuthServerBuilder, AuthenticationOutcome, Authenticator,
};
use lyceum::store::{Storage, StorageError};

use crate::harness::*;
use crate::one_user::OneUser;
use crate::pages::assert_safe;
use crate::stores::new_store;
use crate::verification::enroll_person;

/// A harness that stores audit events, with its store and its log.
pub async fn audited_harness() -> (Harness, Arc<dyn Storage>, StoredAuditLog) {
    audited_harness_with(|auth| auth).await
}

/// The same with other settings of the authorization server.
pub async fn audited_harness_with(
    settings: impl FnOnce(AuthServerBuilder) -> AuthServerBuilder,
) -> (Harness, Arc<dyn Storage>, StoredAuditLog) {
    let store = new_store().await;
    let (log, writer) = StoredAuditLog::builder(store.clone()).build();
    tokio::spawn(writer.run());
    let audit = Arc::new(log.clone());
    let settings = |builder: AuthServerBuilder| settings(builder.audit(audit));
    (Harness::with_auth(settings).await, store, log)
}

/// An event of this kind with these facts as a JSON object, so many seconds after [`START`].
pub fn event(kind: &str, at: u64, request_id: &str, json: &str) -> AuditRecord {
    AuditRecord {
        at: START.plus(Duration::from_secs(at)),
        request_id: request_id.parse().unwrap(),
        kind: kind.parse().unwrap(),
        subject: None,
        target: None,
        client: None,
        application: None,
        grant: None,
        api_key: None,
        json: json.parse().unwrap(),
    }
}

/// Stores an event of this kind and time.
pub async fn keep(store: &Arc<dyn Storage>, kind: &str, at: i64, line: &str) {
    let at = u64::try_from(at).unwrap();
    let record = event(kind, at, &format!("request-{at}"), line);
    store.append_audit_records(vec![record]).await.unwrap();
}

#[tokio::test]
async fn only_administrators_see_audit_events() {
    let (harness, _, log) = audited_harness().await;
    let mut browser = harness.browser_of(EMAIL).await;
    assert!(log.flush().await);
    for path in [
        "/admin/audit",
        "/admin/audit/explain?id=0123456789",
        "/admin/audit?what=signed_in",
    ] {
        let answer = browser.get(path).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path}");
        assert_safe(&answer);
        assert!(!answer.body.contains("Signed in"));
    }
    assert!(
        harness
            .browser()
            .get("/admin/audit")
            .await
            .location()
            .starts_with("/console/sign-in")
    );
    let mut browser = harness.browser_of(ADMIN).await;
    let answer = browser.send(Method::POST, "/admin/audit", None, "").await;
    assert_eq!(
        (answer.status, answer.header("allow")),
        (StatusCode::METHOD_NOT_ALLOWED, "GET, HEAD")
    );
    assert_eq!(
        browser.get("/admin/audit/other").await.status,
        StatusCode::NOT_FOUND
    );
    assert_eq!(
        browser
            .send(Method::HEAD, "/admin/audit", None, "")
            .await
            .body,
        ""
    );
}

/// Fails if the newest event comes last.
#[tokio::test]
async fn audit_events_are_shown_with_their_actor_newest_first() {
    let (harness, _, log) = audited_harness().await;
    harness.browser_of(EMAIL).await;
    let mut browser = harness.browser_of(ADMIN).await;
    let token = form_token(&browser.get("/").await.body);
    let address = format!("/admin/people/{}", harness.person.as_str());
    browser
        .post(
            &format!("{address}/role"),
            &[("form_token", &token), ("role", "ADMIN")],
        )
        .await;
    assert!(log.flush().await);
    let page = browser.get("/admin/audit").await;
    assert_safe(&page);
    let rows: Vec<&str> = page.body.split("<th scope=\"row\">").skip(1).collect();
    for text in [
        ADMIN,
        &format!("Account: {EMAIL}"),
        "changed",
        "role",
        "2026-01-01 09:00:00<",
    ] {
        assert!(rows[0].contains(text), "{text} is missing in {}", rows[0]);
    }
    assert!(
        rows[1].contains("badge good") && rows[1].contains("Signed in") && rows[1].contains(ADMIN),
        "{}",
        rows[1]
    );
    browser.language = "ko";
    let page = browser.get("/admin/audit").await.body;
    assert!(
        page.contains("계정: ") && page.contains("로그인") && page.contains("감사"),
        "{page}"
    );
    let person = browser.get(&address).await.body;
    assert!(
        person.contains("2026-01-01 09:00"),
        "the last sign-in is shown: {person}"
    );
}

#[tokio::test]
async fn events_are_found_by_kind_person_and_day_where_the_school_is() {
    let (harness, store, log) = audited_harness().await;
    harness.browser_of(EMAIL).await;
    let mut browser = harness.browser_of(ADMIN).await;
    assert!(log.flush().await);
    // 15:30 in UTC is half past midnight of the next day in Seoul.
    keep(
        &store,
        "signing_keys_removed",
        15 * 3600 + 1800,
        "{\"count\":7}",
    )
    .await;
    let mut rows = async |query: &str| {
        let page = browser.get(&format!("/admin/audit?{query}")).await;
        assert_eq!(page.status, StatusCode::OK, "{query}");
        page.body
            .split("<th scope=\"row\">")
            .skip(1)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert!(
        rows("what=signed_in")
            .await
            .iter()
            .all(|row| row.contains("Signed in"))
            && rows("what=signed_in").await.len() == 2
    );
    assert_eq!(rows(&format!("who={EMAIL}")).await.len(), 1);
    assert_eq!(
        rows(&format!("who={}", EMAIL.to_uppercase())).await.len(),
        1
    );
    assert_eq!(
        rows(&format!(
            "who=%20{}&what=signed_in",
            harness.person.as_str()
        ))
        .await
        .len(),
        1
    );
    assert_eq!(
        rows("who=nobody@school.example").await.len(),
        0,
        "events of other users are not listed"
    );
    assert_eq!(rows("who=service").await.len(), 0);
    assert_eq!(rows("who=%22%3E%3Cb%3E").await.len(), 0);
    assert_eq!(rows("from=2026-01-02").await.len(), 1);
    assert_eq!(rows("from=2026-01-02&to=2026-01-02").await.len(), 1);
    assert_eq!(
        rows("to=2026-01-01").await.len(),
        3,
        "two sign-ins and the creation of the signing key"
    );
    assert_eq!(rows("from=2026-01-03").await.len(), 0);
    assert_eq!(rows("what=&who=&from=&to=").await.len(), 4);
}

/// Fails if invalid filters list all events, or the page has no links.
#[tokio::test]
async fn invalid_days_are_refused_and_hostile_filters_escaped() {
    let (harness, _, log) = audited_harness().await;
    let mut browser = harness.browser_of(ADMIN).await;
    assert!(log.flush().await);
    for query in [
        "from=yesterday",
        "to=2026-02-30",
        "from=2026-01-02&to=2026-01-01",
        "from=%22%3E%3Cb%3E",
    ] {
        let page = browser.get(&format!("/admin/audit?{query}")).await;
        assert_eq!(page.status, StatusCode::BAD_REQUEST, "{query}");
        assert_safe(&page);
        assert!(
            page.body.contains("Enter two dates") && !page.body.contains("<b>"),
            "{}",
            page.body
        );
    }
    let page = browser
        .get("/admin/audit?who=%22%3E%3Cb%3Ex&from=2026-01-01")
        .await;
    assert!(
        page.body.contains("value=\"&#34;&#62;&#60;b&#62;x\"")
            && page.body.contains("value=\"2026-01-01\""),
        "{}",
        page.body
    );
    assert_eq!(
        browser
            .get("/admin/audit?what=no_such&before=x")
            .await
            .status,
        StatusCode::OK
    );
}

#[tokio::test]
async fn audit_pages_link_to_older_events_with_the_same_filter() {
    let (harness, store, _log) = audited_harness().await;
    for at in 0..45 {
        keep(
            &store,
            "signing_keys_removed",
            at,
            &format!("{{\"count\":{at}}}"),
        )
        .await;
        keep(&store, "signed_in", at, "{}").await;
    }
    let mut browser = harness.browser_of(ADMIN).await;
    let (mut address, mut seen) = (
        "/admin/audit?what=signing_keys_removed&from=2026-01-01".to_owned(),
        Vec::new(),
    );
    for has_next in [true, true, false] {
        let page = browser.get(&address).await.body;
        seen.extend(
            page.split("request-")
                .skip(1)
                .filter_map(|rest| rest.split_once("</a>")?.0.parse::<u32>().ok()),
        );
        let next = page
            .split("rel=\"next\" href=\"")
            .nth(1)
            .map(|rest| rest.split('"').next().unwrap().replace("&#38;", "&"));
        assert_eq!(next.is_some(), has_next, "{address}: {page}");
        address = format!("/admin/audit{}", next.unwrap_or_default());
    }
    assert_eq!(seen, (0..45).rev().collect::<Vec<_>>());
}

/// Fails if an event of another version or a damaged event breaks the page.
#[tokio::test]
async fn unknown_audit_events_are_shown_as_stored() {
    let (harness, store, _log) = audited_harness().await;
    let record = event(
        "event_of_tomorrow",
        0,
        "0123456789",
        "{\"subject\":\"<b>kim\",\"rule\":\"no_such\",\"object\":\"moon\",\"id\":\"x\",\"change\":\"eaten\"}",
    );
    store.append_audit_records(vec![record]).await.unwrap();
    keep(&store, "signed_in", 1, "no JSON").await;
    let mut browser = harness.browser_of(ADMIN).await;
    for path in ["/admin/audit", "/admin/audit/explain?id=0123456789"] {
        let page = browser.get(path).await;
        assert_safe(&page);
        for text in [
            "event_of_tomorrow",
            "&#60;b&#62;kim",
            "moon: x",
            "eaten",
            "no_such",
        ] {
            assert!(
                page.body.contains(text),
                "{text} is missing in {}",
                page.body
            );
        }
    }
}

#[tokio::test]
async fn without_stored_events_the_page_says_so() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_of(ADMIN).await;
    for path in ["/admin/audit", "/admin/audit/explain?id=0123456789"] {
        let page = browser.get(path).await;
        assert_eq!(page.status, StatusCode::OK);
        assert_safe(&page);
        assert!(
            page.body.contains("writes them only to its log"),
            "{}",
            page.body
        );
    }
    assert!(
        !browser
            .get("/admin/people")
            .await
            .body
            .contains("Last sign-in"),
        "sign-in times are not shown either"
    );
}

/// Fails if a kind of event has no label, or is described by its name in the log.
#[tokio::test]
async fn every_kind_of_event_has_a_word_in_both_languages() {
    let (harness, store, _log) = audited_harness().await;
    for word in EventName::ALL {
        keep(&store, word.as_str(), 0, "{}").await;
    }
    let mut browser = harness.browser_of(ADMIN).await;
    for language in ["en", "ko"] {
        browser.language = language;
        for word in EventName::ALL {
            let page = browser
                .get(&format!(
                    "/admin/audit?what={}&from=2026-01-01",
                    word.as_str()
                ))
                .await
                .body;
            let label = page
                .split("<span class=\"badge")
                .nth(1)
                .unwrap()
                .split(['>', '<'])
                .nth(1)
                .unwrap()
                .to_owned();
            assert!(
                !label.is_empty() && label != word.as_str(),
                "{}",
                word.as_str()
            );
            assert_eq!(label.is_ascii(), language == "en", "{label}");
            assert!(
                page.contains(&format!("selected>{label}<")),
                "{label} is an option of the filter"
            );
            let row = page.split("<th scope=\"row\">").nth(1).unwrap();
            let sentence = row.split("<bdi>").nth(1).unwrap();
            let sentence = sentence.split("</bdi>").next().unwrap();
            // Without the name of a list, nothing follows the colon.
            let sentence = sentence.trim_end_matches([' ', ':']);
            assert!(
                sentence != word.as_str() && sentence.contains(' ') && !sentence.contains('_'),
                "{}: {sentence}",
                word.as_str()
            );
            assert_eq!(sentence.ends_with('요'), language == "ko", "{sentence}");
        }
    }
}

/// Fails if who did it and to whom are confused, or a name finds nobody.
#[tokio::test]
async fn events_are_found_by_who_did_it_and_to_whom() {
    let (harness, _, log) = audited_harness().await;
    harness.browser_of(EMAIL).await;
    let mut browser = harness.browser_of(ADMIN).await;
    let token = form_token(&browser.get("/").await.body);
    let address = format!("/admin/people/{}", harness.person.as_str());
    let form = [("form_token", &*token), ("role", "ADMIN")];
    browser.post(&format!("{address}/role"), &form).await;
    let form = [("form_token", &*token)];
    browser
        .post(&format!("{address}/sessions/end"), &form)
        .await;
    assert!(log.flush().await);
    let mut rows = async |query: &str| {
        let page = browser.get(&format!("/admin/audit?{query}")).await;
        assert_safe(&page);
        page.body.matches("<th scope=\"row\">").count()
    };
    assert_eq!(rows(&format!("about={EMAIL}")).await, 2);
    assert_eq!(rows(&format!("by={ADMIN}&about={EMAIL}")).await, 2);
    assert_eq!(rows(&format!("by={EMAIL}&about={EMAIL}")).await, 0);
    assert_eq!(rows(&format!("by={EMAIL}")).await, 1, "the sign-in");
    assert_eq!(rows(&format!("about={ADMIN}")).await, 0);
    assert_eq!(rows(&format!("who={EMAIL}")).await, 3, "of and about");
    assert_eq!(rows("by=nobody&about=nobody").await, 0);
    let page = browser.get("/admin/audit").await.body;
    for text in [
        &format!("{ADMIN} signed {EMAIL} out"),
        &format!("{ADMIN} changed the account of {EMAIL}"),
        &format!("<bdi>{EMAIL} signed in<"),
        &format!("<option value=\"{EMAIL}\""),
    ] {
        assert!(page.contains(text), "{text} is missing in {page}");
    }
    let person = browser.get(&address).await.body;
    assert!(
        person.contains(&format!("{ADMIN} signed {EMAIL} out")),
        "{person}"
    );
    browser.language = "ko";
    let page = browser.get("/admin/audit").await.body;
    assert!(
        page.contains(&format!("{ADMIN} 님이 {EMAIL} 님을 로그아웃했어요")),
        "{page}"
    );
}

/// Fails if a part of a name finds less than the search for people, or if it is not said that a text
/// names nobody.
#[tokio::test]
async fn events_are_found_by_a_part_of_a_name_and_it_is_said_that_nobody_has_it() {
    let store = new_store().await;
    let (log, writer) = StoredAuditLog::builder(store.clone()).build();
    tokio::spawn(writer.run());
    let audit = Arc::new(log.clone());
    let harness = Harness::with_school_editor(|auth| auth.audit(audit)).await;
    let name = enroll_person(&harness).await.name.to_string();
    harness.browser_of(EMAIL).await;
    let mut admin = harness.browser_of(ADMIN).await;
    assert!(log.flush().await);
    let part: String = name.chars().skip(1).collect();
    for text in [&*name, &*part, EMAIL] {
        let text = form_body(&[("by", text)]);
        let page = admin.get(&format!("/admin/audit?{text}")).await;
        assert_safe(&page);
        let rows = page.body.matches("<th scope=\"row\">").count();
        assert_eq!(rows, 1, "{text}: {}", page.body);
    }
    for query in ["by=%3Cb%3E", "about=%3Cb%3E", "who=%3Cb%3E"] {
        let page = admin.get(&format!("/admin/audit?{query}")).await;
        assert_safe(&page);
        assert!(
            page.body.contains("No user matches “&#60;b&#62;”.")
                && !page.body.contains("/admin/audit.csv"),
            "{query}: {}",
            page.body
        );
    }
    for number in 1..=11 {
        let email = format!("twin{number}@school.example");
        create_account(&harness.accounts, &email, Role::User).await;
    }
    let page = admin.get("/admin/audit?by=twin").await.body;
    assert!(page.contains("More than 10 users match “twin”."), "{page}");
}

/// Fails if the event of a refusal lacks the user, or names one who was not signed in.
#[tokio::test]
async fn the_name_of_a_refused_person_is_shown_if_they_were_signed_in() {
    let (harness, _, log) = audited_harness().await;
    let mut person = harness.browser_of(EMAIL).await;
    let refused = person.get("/admin/people").await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    harness.browser().get("/nothing").await;
    assert!(log.flush().await);
    let mut browser = harness.browser_of(ADMIN).await;
    let page = browser.get("/admin/audit?what=refused").await;
    assert_safe(&page);
    let rows: Vec<&str> = page.body.split("<th scope=\"row\">").skip(1).collect();
    assert_eq!(rows.len(), 2);
    assert!(!rows[0].contains(EMAIL), "{}", rows[0]);
    for text in [
        &format!("{EMAIL} was refused: Only administrators can see or change it."),
        "administrators_only",
    ] {
        assert!(rows[1].contains(text), "{text} is missing in {}", rows[1]);
    }
}

/// Fails if a newer page skips events, the last one has a link to nothing, or a page reads as if it
/// had all events.
#[tokio::test]
async fn audit_pages_lead_back_to_newer_events() {
    let (harness, store, _log) = audited_harness().await;
    for at in 0..45 {
        keep(&store, "signing_keys_removed", at, "{}").await;
        keep(&store, "synced", at, "{}").await;
    }
    let mut browser = harness.browser_of(ADMIN).await;
    let (mut address, mut pages) = (
        "/admin/audit?what=signing_keys_removed".to_owned(),
        Vec::new(),
    );
    let link = |page: &str, rel: &str| {
        let rest = page.split(&format!("rel=\"{rel}\" href=\"")).nth(1)?;
        let href = rest.split('"').next()?.replace("&#38;", "&");
        Some(format!("/admin/audit{href}"))
    };
    for (rel, summary) in [
        ("next", "Newest 20"),
        ("next", "20 on this page"),
        ("prev", "5 on this page"),
        ("prev", "20 on this page"),
    ] {
        let page = browser.get(&address).await.body;
        assert!(page.contains(&format!("<p>{summary}</p>")), "{page}");
        let ids: Vec<u32> = page
            .split("id=request-")
            .skip(1)
            .filter_map(|rest| rest.split('"').next()?.parse().ok())
            .collect();
        address = link(&page, rel).unwrap_or_else(|| panic!("no {rel} in {page}"));
        pages.push(ids);
    }
    let page = browser.get(&address).await.body;
    assert_eq!(link(&page, "prev"), None, "{page}");
    assert_eq!(pages[0], (25..45).rev().collect::<Vec<_>>());
    assert_eq!(pages[2], (0..5).rev().collect::<Vec<_>>());
    assert_eq!(pages[3], pages[1]);
    assert!(page.contains("id=request-44") && page.contains("id=request-25"));
    assert!(page.contains("<p>Newest 20</p>"), "{page}");
    keep(&store, "revoked", 50, "{}").await;
    let few = "/admin/audit?what=revoked";
    assert!(browser.get(few).await.body.contains("<p>1 entry</p>"));
    browser.language = "ko";
    let page = browser.get(&address).await.body;
    assert!(page.contains("<p>최근 20건</p>"), "{page}");
}

/// Fails if the file has other events than the page, or a cell is a formula.
#[tokio::test]
async fn the_filtered_events_are_exported() {
    let (harness, store, log) = audited_harness().await;
    for at in 0..210 {
        keep(&store, "signing_keys_removed", at, "{}").await;
    }
    for (at, address) in [(300, "=1+1"), (301, "＝1+1"), (302, " =1+1"), (303, "\\t1")] {
        let json = format!("{{\"address\":\"{address}\"}}");
        keep(&store, "event_of_tomorrow", at, &json).await;
    }
    let mut person = harness.browser_of(EMAIL).await;
    assert_eq!(
        person.get("/admin/audit.csv").await.status,
        StatusCode::FORBIDDEN
    );
    assert!(log.flush().await);
    let mut browser = harness.browser_of(ADMIN).await;
    let page = browser
        .get("/admin/audit?what=signing_keys_removed&from=2026-01-01")
        .await
        .body;
    let href = page.split("/console/admin/audit.csv?").nth(1).unwrap();
    let href = href.split('"').next().unwrap().replace("&#38;", "&");
    let file = browser.get(&format!("/admin/audit.csv?{href}")).await;
    assert_eq!(
        (file.status, file.header("content-type")),
        (StatusCode::OK, "text/csv; charset=utf-8")
    );
    let lines: Vec<&str> = file.body.lines().collect();
    assert_eq!(lines.len(), 211, "{}", file.body);
    assert!(lines[0].starts_with("\u{feff}Time,Event,Type,"));
    assert!(lines[1].contains(",Old signing keys were deleted,"));
    assert!(lines[1].ends_with(",request-209") && lines[210].ends_with(",request-0"));
    let all = browser.get("/admin/audit.csv").await.body;
    for cell in [
        "'=1+1,request-300",
        "'＝1+1,request-301",
        "' =1+1,request-302",
        "'\t1,request-303",
    ] {
        assert!(all.contains(&format!(",{cell}")), "{cell}: {all}");
    }
    assert_eq!(
        browser.get("/admin/audit.csv?from=x").await.status,
        StatusCode::BAD_REQUEST
    );
}

// Proves: threats 54
/// Fails if a file of the newest events looks like all of them, or the download is no event.
#[tokio::test]
async fn a_file_says_that_older_events_are_left_out_and_its_download_is_an_event() {
    let (harness, store, log) = audited_harness().await;
    let record = |number| event("signing_keys_removed", number, "request", "{}");
    for batch in 0..100 {
        let records = (0..100).map(|number| record(100 * batch + number));
        store.append_audit_records(records.collect()).await.unwrap();
    }
    let mut browser = harness.browser_of(ADMIN).await;
    let page = browser.get("/admin/audit").await;
    assert!(page.body.contains("at most the newest 10,000 events"));
    let path = "/admin/audit.csv?what=signing_keys_removed&by=&to=2030-01-01";
    for name in ["events.csv", "events-newest-10000.csv"] {
        let file = browser.get(path).await;
        assert_eq!(file.status, StatusCode::OK);
        let named = format!("attachment; filename=\"{name}\"");
        assert_eq!(file.header("content-disposition"), named);
        assert_eq!(file.body.lines().count(), 10_001);
        store
            .append_audit_records(vec![record(10_000)])
            .await
            .unwrap();
    }
    assert!(log.flush().await);
    let viewed = browser.get("/admin/audit?what=data_viewed").await.body;
    for text in ["exported 10000 events", "what, to", "10000"] {
        assert!(viewed.contains(text), "{text}: {viewed}");
    }
    assert!(!viewed.contains("2030"), "{viewed}");
}

/// Fails if a decision about a client or a request reads like another one, or client and scope change
/// places.
#[tokio::test]
async fn decisions_about_clients_and_requests_are_said_in_their_words() {
    let (harness, store, log) = audited_harness().await;
    let scope = crate::fixtures::scope(&harness, 1, "Cafeteria", "See your points").await;
    let lunch = crate::registry_fixtures::client(&harness, 1, &harness.person, "Lunch", &[]).await;
    for (at, change) in [(0, "created"), (1, "refused")] {
        let line = format!(
            "{{\"subject\":\"{}\",\"object\":\"scope_request\",\"id\":\"{scope}\",\"client\":\"{lunch}\",\"change\":\"{change}\"}}",
            harness.person.as_str()
        );
        keep(&store, "managed", at, &line).await;
    }
    keep(
        &store,
        "refused",
        2,
        "{\"rule\":\"scope_missing\",\"status\":403}",
    )
    .await;
    let mut browser = harness.browser_of(ADMIN).await;
    for action in ["unverify", "verify"] {
        let path = format!("/clients/{lunch}/{action}");
        let page = browser.get(&path).await;
        let fields = crate::school::form_of(&page.body);
        let answer = crate::school::post(&mut browser, &path, &fields).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
    }
    assert!(log.flush().await);
    let page = browser.get("/admin/audit").await;
    assert_safe(&page);
    let name = &scope.name;
    for text in [
        format!(">Verified</span> <bdi>{ADMIN} verified the client Lunch<"),
        format!(">Unverified</span> <bdi>{ADMIN} removed the verification of Lunch<"),
        format!(">Asked</span> <bdi>{EMAIL} requested the scope Cafeteria: {name} for Lunch<"),
        format!(">Denied</span> <bdi>{EMAIL} denied Lunch the scope Cafeteria: {name}<"),
        ">Refused</span> <bdi>A request was refused".to_owned(),
        "<bdi>verification removed</bdi>".to_owned(),
    ] {
        assert!(
            page.body.contains(&text),
            "{text} is missing in {}",
            page.body
        );
    }
    browser.language = "ko";
    let page = browser.get("/admin/audit").await.body;
    for text in [
        format!(">확인</span> <bdi>{ADMIN} 님이 Lunch 클라이언트를 확인했어요<"),
        format!(">확인 취소</span> <bdi>{ADMIN} 님이 Lunch 클라이언트의 확인을 취소했어요<"),
        format!("{EMAIL} 님이 Lunch에 Cafeteria: {name} 권한을 요청했어요<"),
        ">요청 거절</span>".to_owned(),
        ">거절</span> <bdi>요청이 거절됐어요".to_owned(),
    ] {
        assert!(page.contains(&text), "{text} is missing in {page}");
    }
}

/// Fails if the attacked user is not named, or what was typed is shown.
#[tokio::test]
async fn a_refused_sign_in_names_the_attacked_user_and_no_typed_address() {
    let (harness, store, log) = audited_harness().await;
    // An event from before the user was recorded.
    keep(&store, "sign_in_refused", 0, "{}").await;
    for email in [EMAIL, "nobody@school.example"] {
        harness.browser().sign_in(email, "wrong").await;
    }
    assert!(log.flush().await);
    let mut browser = harness.browser_of(ADMIN).await;
    let page = browser.get("/admin/audit?what=sign_in_refused").await;
    assert_safe(&page);
    let rows: Vec<&str> = page.body.split("<th scope=\"row\">").skip(1).collect();
    for (row, text) in rows.iter().zip([
        "<bdi>Unknown email address at this website<",
        &format!("<bdi>Failed sign-in for {EMAIL} (wrong password or suspended account)<"),
        "<bdi>Wrong email address or password at this website<",
    ]) {
        assert!(row.contains(text), "{text} is missing in {row}");
    }
    assert_eq!(rows.len(), 3);
    assert!(
        rows[1].contains(&format!("Account: {EMAIL}")),
        "{}",
        rows[1]
    );
    assert!(!page.body.contains("nobody@"), "{}", page.body);
    for (query, count) in [
        (format!("about={EMAIL}"), 1),
        // It is not known that this user typed the password.
        (format!("by={EMAIL}"), 0),
    ] {
        let page = browser.get(&format!("/admin/audit?{query}")).await.body;
        assert_eq!(page.matches("<th scope=\"row\">").count(), count, "{page}");
    }
    browser.language = "ko";
    let page = browser.get("/admin/audit?what=sign_in_refused").await.body;
    for text in [
        format!("<bdi>{EMAIL} 님의 로그인이 실패했어요(비밀번호가 틀렸거나 정지된 계정)"),
        "이 사이트에서 등록되지 않은 이메일 주소를 입력했어요".to_owned(),
    ] {
        assert!(page.contains(&text), "{text} is missing in {page}");
    }
}

/// The built-in accounts, and a user of the host.
#[derive(Debug)]
struct AccountsAndOneUser(Accounts, OneUser);

#[async_trait]
impl Authenticator for AccountsAndOneUser {
    async fn authenticate(
        &self,
        email: &str,
        password: &Password,
        address: Option<IpAddr>,
    ) -> Result<AuthenticationOutcome, StorageError> {
        self.0.authenticate(email, password, address).await
    }

    async fn subject(&self, id: &SubjectId) -> Result<Option<Subject>, StorageError> {
        match self.1.subject(id).await? {
            Some(user) => Ok(Some(user)),
            None => self.0.subject(id).await,
        }
    }

    fn accounts(&self) -> Option<&Accounts> {
        Some(&self.0)
    }
}

/// Fails if a user of the host whose id could be that of an account is taken for a removed one.
#[tokio::test]
async fn events_name_users_of_the_host_beside_the_built_in_accounts() {
    let accounts = Accounts::builder(new_store().await).hashing_cost(8, 1);
    let accounts = accounts.build().unwrap();
    create_account(&accounts, ADMIN, Role::Admin).await;
    let [guest, removed] = [1, 2].map(|byte| AccountId::from_random([byte; 16]).to_string());
    let other = OneUser::new(&guest, "guest@school.example", Role::User);
    let users = Arc::new(AccountsAndOneUser(accounts, other));
    let (harness, store, _) = audited_harness_with(|auth| auth.authenticator(users)).await;
    for (at, id) in [(0, &guest), (1, &removed)] {
        let line = format!("{{\"object\":\"account\",\"id\":\"{id}\"}}");
        keep(&store, "sign_in_refused", at, &line).await;
    }
    let mut browser = harness.browser_of(ADMIN).await;
    let page = browser.get("/admin/audit?what=sign_in_refused").await.body;
    for name in ["guest@school.example", "(removed account)"] {
        let text = format!("<bdi>Failed sign-in for {name} (wrong");
        assert!(page.contains(&text), "{text} is missing in {page}");
    }
}

/// Fails if the home page has another number of failed sign-ins than the list behind its link.
#[tokio::test]
async fn the_number_of_failed_sign_ins_is_that_of_the_events_behind_it() {
    const HOUR: i64 = 60 * 60;
    let (harness, store, _) = audited_harness().await;
    // Midnight was 15 hours after the start of the tests.
    harness.clock.advance(Duration::from_secs(24 * 60 * 60));
    for (hour, kind) in [
        (14, "sign_in_refused"),
        (16, "sign_in_refused"),
        (17, "sign_in_refused"),
        (18, "sign_in_limited"),
    ] {
        keep(&store, kind, hour * HOUR, "{}").await;
    }
    let mut browser = harness.browser_of(ADMIN).await;
    let home = browser.get("/").await.body;
    let link = home.split("/admin/audit?what=").nth(1).unwrap();
    let (query, rest) = link.split_once("\">").unwrap();
    assert!(rest.starts_with("Show all 2<"), "{home}");
    let address = format!("/admin/audit?what={}", query.replace("&amp;", "&"));
    let page = browser.get(&address).await.body;
    assert_eq!(page.matches("id=request-").count(), 2, "{page}");
}

/// Fails if others see the refusals of a client, or its owner sees people or addresses.
#[tokio::test]
async fn owners_see_counts_and_refusals_of_their_clients_and_look_up_their_requests() {
    let (harness, store, log) = audited_harness().await;
    let mut owner = harness.browser_of(EMAIL).await;
    let theirs = crate::registry_fixtures::other(&harness).await;
    let lunch = crate::registry_fixtures::client(&harness, 1, &harness.person, "Lunch", &[]).await;
    for (at, kind) in [(0, "refused"), (1, "tokens_issued"), (2, "refused")] {
        let facts = format!(
            "{{\"rule\":\"secret_wrong\",\"status\":401,\"endpoint\":\"token\",\"address\":\"192.0.2.7\",\"subject\":\"{}\"}}",
            theirs.as_str()
        );
        let record = AuditRecord {
            subject: Some(theirs.clone()),
            client: Some(lunch),
            ..event(kind, at, &format!("wrench000{at}"), &facts)
        };
        store.append_audit_records(vec![record]).await.unwrap();
    }
    let path = format!("/clients/{lunch}/activity");
    assert!(
        owner
            .get(&format!("/clients/{lunch}"))
            .await
            .body
            .contains(&path)
    );
    let page = owner.get(&path).await;
    assert_safe(&page);
    for text in [
        "<dt>Successful</dt><dd>1</dd>",
        "<dt>Errors</dt><dd>2</dd>",
        "Incorrect client secret",
        "token",
        "401",
        "/console/requests?id=wrench0002",
    ] {
        assert!(
            page.body.contains(text),
            "{text} is missing in {}",
            page.body
        );
    }
    let request = owner.get("/requests?id=%20WRENCH0000").await;
    assert_safe(&request);
    assert!(request.body.contains("secret_wrong"), "{}", request.body);
    for body in [&page.body, &request.body] {
        assert!(!body.contains("192.0.2.7") && !body.contains(theirs.as_str()));
    }
    let mut other = harness.browser_of(crate::registry_fixtures::OTHER).await;
    assert_eq!(other.get(&path).await.status, StatusCode::FORBIDDEN);
    let mut admin = harness.browser_of(ADMIN).await;
    assert_eq!(admin.get(&path).await.status, StatusCode::OK);
    let request = admin.get("/requests?id=wrench0000").await;
    assert!(
        request.body.contains("No request of yours has this ID"),
        "not even an administrator, who has a page for it: {}",
        request.body
    );
    let refused = other.get("/admin/people").await;
    assert!(log.flush().await);
    let own = format!("/requests?id={}", refused.header("x-request-id"));
    assert!(other.get(&own).await.body.contains("administrators_only"));
    assert!(!owner.get(&own).await.body.contains("administrators_only"));
}

/// Fails if a line shows an id or a word of the log where there is a name.
#[tokio::test]
async fn the_line_of_an_event_says_what_was_done_with_names() {
    let (harness, store, _log) = audited_harness().await;
    let key = crate::fixtures::key(&harness, 1, Some(&harness.person), "<b>Lunch").await;
    let revoked = crate::fixtures::key(&harness, 2, Some(&harness.person), "Dinner").await;
    assert!(harness.store.revoke_api_key(revoked, START).await.unwrap());
    let scope = crate::fixtures::scope(&harness, 1, "Cafeteria", "See your points").await;
    let person = harness.person.as_str();
    let gone = lyceum::domain::ClientId::from_random([77; 16]);
    for (at, kind, line) in [
        (
            0,
            "managed",
            format!(
                "\"subject\":\"{person}\",\"object\":\"api_key\",\"id\":\"{key}\",\"change\":\"created\""
            ),
        ),
        (
            1,
            "managed",
            format!(
                "\"subject\":\"{person}\",\"object\":\"api_key\",\"id\":\"{gone}\",\"change\":\"deleted\""
            ),
        ),
        (
            2,
            "data_viewed",
            format!("\"subject\":\"{person}\",\"object\":\"students\",\"count\":50"),
        ),
        (
            3,
            "refused",
            format!("\"apiKey\":\"{key}\",\"rule\":\"scope_missing\",\"status\":403"),
        ),
        (
            4,
            "revoked",
            format!("\"client\":\"{gone}\",\"scopes\":[\"{scope}\"]"),
        ),
        (
            5,
            "data_viewed",
            format!("\"subject\":\"{person}\",\"object\":\"clubs\",\"count\":1"),
        ),
        (
            6,
            "managed",
            format!(
                "\"subject\":\"{person}\",\"object\":\"scope_approval\",\"id\":\"{scope}\",\"client\":\"{gone}\",\"change\":\"deleted\""
            ),
        ),
        (
            7,
            "managed",
            format!(
                "\"subject\":\"{person}\",\"object\":\"api_key\",\"id\":\"{revoked}\",\"change\":\"deleted\""
            ),
        ),
    ] {
        keep(&store, kind, at, &format!("{{{line}}}")).await;
    }
    let mut browser = harness.browser_of(ADMIN).await;
    let page = browser.get("/admin/audit").await;
    assert_safe(&page);
    for text in [
        &format!(">Created</span> <bdi>{EMAIL} created the API key “&#60;b&#62;Lunch”<"),
        &format!(">Revoked</span> <bdi>{EMAIL} revoked an API key<"),
        &format!(">Revoked</span> <bdi>{EMAIL} revoked the API key “Dinner”<"),
        &format!("<bdi>{EMAIL} viewed 50 students<"),
        &format!("<bdi>{EMAIL} viewed 1 club<"),
        "<bdi>A request with the API key “&#60;b&#62;Lunch” was refused: The API key lacks",
        "<bdi>(deleted client) ended its access<",
        &format!(
            "{EMAIL} removed the scope Cafeteria: {} from (deleted client)<",
            scope.name
        ),
        &format!("&#60;b&#62;Lunch ({key})"),
        &format!("<bdi>Cafeteria: {}<", scope.name),
    ] {
        assert!(
            page.body.contains(text),
            "{text} is missing in {}",
            page.body
        );
    }
    let lines: Vec<&str> = page.body.split("<summary>").skip(1).collect();
    let lines: Vec<&str> = lines
        .iter()
        .filter_map(|line| line.split("</summary>").next())
        .collect();
    assert!(lines.len() > 6, "the filters and the events");
    for id in [key.to_string(), gone.to_string()] {
        assert!(lines.iter().all(|line| !line.contains(&id)), "{lines:?}");
    }
    browser.language = "ko";
    let page = browser.get("/admin/audit").await.body;
    for text in [
        "학생 50명을 조회했어요",
        "API 키 “&#60;b&#62;Lunch” 항목을 만들었어요",
    ] {
        assert!(page.contains(text), "{text} is missing in {page}");
    }
}

#[tokio::test]
async fn set_filters_are_unfolded_and_others_are_not() {
    let (harness, _, _log) = audited_harness().await;
    let mut browser = harness.browser_of(ADMIN).await;
    for (query, is_open) in [("", false), ("?by=x", true), ("?what=signed_in", true)] {
        let page = browser.get(&format!("/admin/audit{query}")).await.body;
        let is_unfolded = page.contains("<details class=\"fold\" open>");
        assert_eq!(is_unfolded, is_open, "{query}");
    }
}

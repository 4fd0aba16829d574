//! Administrators, who read without an API key.

use http::StatusCode;
use lyceum::domain::Role;
use lyceum::http::audit::EventKind;
use lyceum::store::AccountChange;

use super::*;
use crate::fixtures::id_of;
use crate::pages::assert_safe;

/// The looks of administrators: lists, names of filters, and numbers of records.
fn looks(harness: &Harness) -> Vec<(&'static str, Vec<&'static str>, usize)> {
    let events = harness.log.events().into_iter();
    let looks = events.filter_map(|event| match event.kind {
        EventKind::DataViewed {
            list,
            filters,
            records,
            ..
        } => Some((list, filters, records)),
        _ => None,
    });
    looks.collect()
}

async fn set_role(harness: &Harness, email: &str, role: Role) {
    let email = email.parse().unwrap();
    let account = harness.store.account_by_email(&email).await.unwrap();
    let id = account.unwrap().id;
    let changed = harness.accounts.set_role(&harness.person, id, role).await;
    assert_eq!(changed.unwrap(), AccountChange::Done);
}

// Proves: threats 54
/// Fails if a look is not recorded, or an event has a value of a filter or of a record.
#[tokio::test]
async fn an_administrator_reads_every_list_without_a_key_and_each_look_is_an_event() {
    let (harness, _) = harness().await;
    let mut admin = harness.browser_of(ADMIN).await;
    for (word, _) in KINDS {
        let page = admin.get(&format!("/data/{word}")).await;
        assert_safe(&page);
        assert_eq!(page.status, StatusCode::OK);
        assert!(page.body.contains("Administrator (all fields)"));
        let shown = rows(&page).len();
        assert!(shown > 0, "{word}");
        assert_eq!(looks(&harness).pop().unwrap(), (word, vec![], shown));
    }
    for (path, look) in [
        (
            "students?name=%EA%B9%80&grade=2&sortBy=NAME&page=0",
            ("students", vec!["name", "grade"], 1),
        ),
        ("students.csv?email=s19", ("students", vec!["email"], 1)),
        ("meals.xlsx?date=2026-11-20", ("meals", vec!["date"], 1)),
        ("students/1", ("students", vec!["studentId"], 1)),
        ("clubs/1", ("clubs", vec!["clubId"], 1)),
    ] {
        let before = looks(&harness).len();
        assert_eq!(
            admin.get(&format!("/data/{path}")).await.status,
            StatusCode::OK
        );
        let found = looks(&harness);
        assert_eq!(
            (found.len(), found.last()),
            (before + 1, Some(&look)),
            "{path}"
        );
    }
    let ids = harness.log.events().into_iter();
    let ids: Vec<i64> = ids
        .filter_map(|event| match event.kind {
            EventKind::DataViewed { record, .. } => record,
            _ => None,
        })
        .collect();
    assert_eq!(ids, [1, 1], "those with a page of their own");
    let events = harness.log.events();
    let json: String = events.iter().map(|event| event.to_json()).collect();
    assert!(
        json.contains(r#""object":"students","fields":["name","grade"]"#),
        "{json}"
    );
    for value in ["김", "s19", "2026-11-20", "Robotics"] {
        assert!(!json.contains(value), "{value} in {json}");
    }
    // What is refused shows nothing, and is no look.
    let before = looks(&harness).len();
    for path in ["students?grade=nine", "students/999", "meals?date=x"] {
        admin.get(&format!("/data/{path}")).await;
    }
    assert_eq!(looks(&harness).len(), before);
}

/// Fails if an administrator cannot look with a key, or that is recorded as a look of the role.
#[tokio::test]
async fn an_administrator_who_chooses_a_key_reads_what_it_allows() {
    let (harness, _) = harness().await;
    let mut admin = harness.browser_of(ADMIN).await;
    let account = id_of(&harness, ADMIN).await;
    let own = ApiKey {
        owner: Some(account),
        hidden: HiddenFields::all(),
        ..key(&harness, 5)
    };
    let own = keep(&harness, own).await;
    let page = admin.get(&format!("/data/students?key={own}")).await;
    assert!(page.status == StatusCode::OK && !page.body.contains("2307"));
    assert!(looks(&harness).is_empty());
    let page = admin.get("/data/students?key=").await;
    assert!(page.body.contains("2307"));
    assert_eq!(looks(&harness).len(), 1);
}

// Proves: threats 54
/// Fails if a user reads without a key, or one who was an administrator does so after losing the
/// role, within the same session or another.
#[tokio::test]
async fn only_a_current_administrator_reads_without_a_key() {
    let (harness, _) = harness().await;
    let (mut user, mut admin) = (
        harness.browser_of(EMAIL).await,
        harness.browser_of(ADMIN).await,
    );
    let paths = ["students", "students.csv", "students.xlsx", "students/1"];
    for path in paths {
        let page = user.get(&format!("/data/{path}?key=")).await;
        assert!(
            page.body.contains("/console/keys/new") && !page.body.contains("김하늘"),
            "{path}: {}",
            page.body
        );
        assert_eq!(
            admin.get(&format!("/data/{path}")).await.status,
            StatusCode::OK
        );
    }
    set_role(&harness, EMAIL, Role::Admin).await;
    set_role(&harness, ADMIN, Role::User).await;
    let before = looks(&harness).len();
    for path in paths {
        let page = admin.get(&format!("/data/{path}")).await;
        assert!(!page.body.contains("김하늘"), "{path}: {}", page.body);
    }
    let mut admin = harness.browser_of(ADMIN).await;
    for path in paths {
        let page = admin.get(&format!("/data/{path}")).await;
        assert!(
            page.body.contains("/console/keys/new") && !page.body.contains("김하늘"),
            "{path}: {}",
            page.body
        );
    }
    assert_eq!(looks(&harness).len(), before);
}

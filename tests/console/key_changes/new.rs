//! Creation of API keys.

use http::StatusCode;
use lyceum::domain::{ApiScope, ApiScopes, HiddenFields, PersonalField, Role};
use lyceum::http::audit::{Change, EventKind, ManagedObject};

use super::{NEW, count, shown, works};
use crate::harness::*;
use crate::page_assertions::{assert_page, send};
use crate::pages::assert_safe;

// Proves: threats 37
/// Fails if the key is shown a second time.
#[tokio::test]
async fn a_new_key_is_shown_once_with_how_to_use_it() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_of(EMAIL).await;
    let form = assert_page(&harness, &mut browser, NEW).await.body;
    assert!(
        form.contains("value=\"NEIS_READ\"") && !form.contains("rate_limit"),
        "only administrators set limits: {form}"
    );
    let fields = [
        ("description", "\"><b>Lunch"),
        ("scopes", "NEIS_READ"),
        ("scopes", "STUDENT_READ"),
        ("hidden_fields", "EMAIL"),
    ];
    let answer = send(&mut browser, NEW, &fields).await;
    let secret = shown(&answer);
    let key = works(&harness, &secret).await.unwrap();
    let scopes: ApiScopes = [ApiScope::NEIS_READ, ApiScope::STUDENT_READ]
        .into_iter()
        .collect();
    let hidden: HiddenFields = [PersonalField::Email].into_iter().collect();
    assert_eq!(
        (
            &*key.description.to_string(),
            &key.scopes,
            key.hidden,
            key.quota
        ),
        ("\"><b>Lunch", &scopes, hidden, None)
    );
    assert_eq!(key.owner.as_ref(), Some(&harness.person));
    for text in [
        "curl -H",
        "await fetch(",
        "urlopen(",
        "https://DATA_API/v1/students",
        "This sample contains your key.",
    ] {
        assert!(
            answer.body.contains(text),
            "{text} is missing in {}",
            answer.body
        );
    }
    assert_eq!(
        answer.body.matches(secret.expose()).count(),
        4,
        "the value, and each of three samples with it"
    );
    assert!(!answer.body.contains("YOUR_KEY"), "{}", answer.body);
    assert!(
        !answer.body.contains("language=ko"),
        "the page with the key has no language switch"
    );
    for path in ["/keys", "/", &format!("/keys/{}", key.id)] {
        let page = assert_page(&harness, &mut browser, path).await.body;
        assert!(!page.contains(secret.expose()), "{path}");
        assert_eq!(
            page.contains("X-API-KEY: YOUR_KEY"),
            path.ends_with(&key.id.to_string()),
            "the key's page has a placeholder: {page}"
        );
    }
    let created = EventKind::Managed {
        by: harness.person.clone(),
        object: ManagedObject::ApiKey(key.id),
        change: Change::Created,
        fields: vec![],
    };
    assert!(harness.recorded(&created) > 0);
}

/// Fails if an invalid form loses its input, or does not show all errors.
#[tokio::test]
async fn errors_of_a_new_key_are_shown_beside_their_fields_and_the_values_are_kept() {
    let harness = Harness::new().await;
    let mut admin = harness.browser_of(ADMIN).await;
    let long = "x".repeat(256);
    let [limits, windows, bursts] = ["60,000,000", "31,622,400", "4,294,967,295"]
        .map(|most| format!("Enter a whole number from 1 to {most}."));
    for (fields, faults) in [
        (
            &[][..],
            &[
                ("description", "This field is required."),
                ("scopes", "Choose at least one."),
            ][..],
        ),
        (
            &[("description", &*long), ("scopes", "CLUB_READ")],
            &[("description", "Enter one line")],
        ),
        (
            &[("description", "a\nb"), ("scopes", "CLUB_READ")],
            &[("description", "Enter one line")],
        ),
        (
            &[("description", "x"), ("scopes", "<b>")],
            &[("scopes", "One of the scopes no longer exists")],
        ),
        (
            &[
                ("description", "x"),
                ("scopes", "CLUB_READ"),
                ("rate_limit", "0"),
            ],
            &[("rate_limit", &*limits)],
        ),
        (
            &[
                ("description", "x"),
                ("scopes", "CLUB_READ"),
                ("rate_limit", "9"),
                ("rate_window", "<b>"),
            ],
            &[("rate_window", &*windows)],
        ),
        (
            &[
                ("description", "x"),
                ("scopes", "CLUB_READ"),
                ("rate_limit", "9"),
                ("rate_burst", "-1"),
            ],
            &[("rate_burst", &*bursts)],
        ),
        (
            &[
                ("description", "x"),
                ("scopes", "CLUB_READ"),
                ("rate_limit", "9"),
                ("rate_window", "0"),
            ],
            &[("rate_window", &*windows)],
        ),
        (
            &[
                ("description", "x"),
                ("scopes", "CLUB_READ"),
                ("rate_limit", "9"),
                ("rate_burst", "0"),
            ],
            &[("rate_burst", &*bursts)],
        ),
        (
            &[
                ("description", "x"),
                ("scopes", "CLUB_READ"),
                ("rate_window", "9"),
            ],
            &[("rate_limit", "This field is required.")],
        ),
    ] {
        let page = send(&mut admin, NEW, fields).await;
        assert_eq!(page.status, StatusCode::BAD_REQUEST, "{fields:?}");
        assert_safe(&page);
        for (field, fault) in faults {
            assert!(
                page.body.contains(&format!("id=\"{field}-fault\">{fault}")),
                "{field} {fault}: {}",
                page.body
            );
        }
        assert_eq!(
            page.body.matches("class=\"fault\"").count(),
            faults.len(),
            "{fields:?}: {}",
            page.body
        );
        assert!(!page.body.contains("<b>") && page.body.contains("role=\"alert\""));
    }
    let typed = [
        ("description", "\"><b>Lunch"),
        ("hidden_fields", "GITHUB"),
        ("rate_limit", "5"),
        ("rate_window", "x"),
    ];
    let page = send(&mut admin, NEW, &typed).await.body;
    for kept in [
        "value=\"&#34;&#62;&#60;b&#62;Lunch\"",
        "value=\"GITHUB\" checked",
        "value=\"5\"",
        "value=\"x\"",
        "<details class=\"more\" open>",
    ] {
        assert!(page.contains(kept), "{kept} is missing in {page}");
    }
    let unknown = send(
        &mut admin,
        NEW,
        &[
            ("description", "x"),
            ("scopes", "CLUB_READ"),
            ("hidden_fields", "NAME"),
        ],
    )
    .await;
    assert!(
        unknown.status == StatusCode::BAD_REQUEST
            && unknown.body.contains("Choose one of the options.")
    );
    assert_eq!(count(&harness).await, 0);
}

/// Fails if a user can set limits or scopes that are reserved for administrators.
#[tokio::test]
async fn only_administrators_give_limits_and_a_role_has_its_scopes() {
    let students = [ApiScope::NEIS_READ].into_iter().collect();
    let harness = Harness::with_auth(|auth| {
        auth.api_key_scopes(Role::User, students)
            .api_keys_per_owner(1)
    })
    .await;
    let (mut browser, mut admin) = (
        harness.browser_of(EMAIL).await,
        harness.browser_of(ADMIN).await,
    );
    let form = browser.get(NEW).await.body;
    assert!(
        form.contains("NEIS_READ") && !form.contains("STUDENT_READ"),
        "only scopes that the user may choose: {form}"
    );
    let limited = [
        ("description", "Lunch"),
        ("scopes", "NEIS_READ"),
        ("rate_limit", "5"),
        ("rate_window", "10"),
        ("rate_burst", "2"),
    ];
    assert_eq!(
        send(&mut browser, NEW, &limited).await.status,
        StatusCode::FORBIDDEN
    );
    let greedy = send(
        &mut browser,
        NEW,
        &[("description", "Lunch"), ("scopes", "CLUB_READ")],
    )
    .await;
    assert_eq!(greedy.status, StatusCode::FORBIDDEN);
    assert!(
        greedy
            .body
            .contains("id=\"scopes-fault\">Keys of your role cannot")
            && greedy.body.contains("value=\"Lunch\"")
    );
    assert_eq!(count(&harness).await, 0);
    let key = works(&harness, &shown(&send(&mut admin, NEW, &limited).await))
        .await
        .unwrap();
    let quota = key.quota.unwrap();
    assert_eq!(
        (quota.limit(), quota.window().as_secs(), quota.burst()),
        (5, 10, 2)
    );
    let page = admin.get(&format!("/keys/{}", key.id)).await.body;
    assert!(
        page.contains("5 requests in 10 seconds, 2 at once"),
        "{page}"
    );
    let more = send(&mut admin, NEW, &limited).await;
    assert!(
        more.status == StatusCode::CONFLICT
            && more.body.contains("reached the limit of API keys")
            && count(&harness).await == 1
    );
}

/// Fails if a scope that the host has not registered is offered, or a registered one is not.
#[tokio::test]
async fn a_scope_of_a_hosts_list_is_offered_by_its_name_if_the_host_registers_it() {
    let wish = [("description", "Rooms"), ("scopes", "ROOM_READ")];
    let rooms = ApiScopes::parse("ROOM_READ").unwrap();
    let told = Harness::with_auth(|auth| auth.api_scopes(rooms.clone())).await;
    let mut browser = told.browser_of(EMAIL).await;
    let form = assert_page(&told, &mut browser, NEW).await.body;
    assert!(
        form.contains("<label for=\"scopes-ROOM_READ\">ROOM_READ</label>")
            && !form.contains("scopes-ROOM_READ-hint"),
        "{form}"
    );
    assert!(
        form.contains("scopes-NEIS_READ-hint") && !form.contains(">NEIS_READ<"),
        "built-in scopes keep their labels: {form}"
    );
    let answer = send(&mut browser, NEW, &wish).await;
    assert!(
        !answer.body.contains("/v1/students"),
        "the key does not read students: {}",
        answer.body
    );
    let key = works(&told, &shown(&answer)).await.unwrap();
    assert_eq!(key.scopes, rooms);
    for path in ["/keys", &format!("/keys/{}", key.id)] {
        let page = assert_page(&told, &mut browser, path).await.body;
        assert!(
            page.contains("<span class=\"badge\">ROOM_READ</span>"),
            "{page}"
        );
    }
    let untold = Harness::new().await;
    let mut browser = untold.browser_of(EMAIL).await;
    assert!(!browser.get(NEW).await.body.contains("ROOM_READ"));
    let refused = send(&mut browser, NEW, &wish).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    assert!(
        refused
            .body
            .contains("id=\"scopes-fault\">One of the scopes no longer exists"),
        "{}",
        refused.body
    );
    assert_eq!(count(&untold).await, 0);
}

use http::StatusCode;
use lyceum::domain::PageRequest;
use lyceum::store::ScopePatch;

use crate::harness::*;
use crate::pages::assert_safe;
use crate::registry_fixtures::*;

#[tokio::test]
async fn users_add_scopes_and_change_their_settings() {
    let harness = Harness::new().await;
    let made = application(&harness, 1, &harness.person, "Points").await;
    let mut browser = harness.browser_of(EMAIL).await;
    let new = format!("{}/scopes/new", application_path(&made));
    let fields = [
        ("scope_name", "points_read"),
        ("description", "Read your points"),
    ];
    let answer = fill_in(&mut browser, &new, &fields).await;
    let kept = harness
        .store
        .scopes(Some(made.id), PageRequest::LARGEST)
        .await
        .unwrap()
        .items
        .remove(0);
    assert!(!kept.approval_required);
    let page = done(
        &mut browser,
        &answer,
        &format!("{}?done=created", scope_path(&kept)),
    )
    .await;
    assert_safe(&page);
    let full = format!("{}:points_read", made.id);
    assert_says(
        &page,
        &[
            "Created.",
            &full,
            "Read your points",
            "Not required",
            "No client uses this scope.",
            "Never",
        ],
    );
    assert!(
        !page.body.contains("Scope requests"),
        "the scope needs no approval"
    );

    let edit = format!("{}/edit", scope_path(&kept));
    let form = browser.get(&edit).await;
    assert_says(&form, &["points_read", "value=\"Read your points\""]);
    assert!(
        !form.body.contains("name=\"scope_name\""),
        "the name never changes"
    );
    let fields = [
        ("description", "Read &lt;points"),
        ("approval_required", "true"),
    ];
    let answer = fill_in(&mut browser, &edit, &fields).await;
    let page = done(
        &mut browser,
        &answer,
        &format!("{}?done=saved", scope_path(&kept)),
    )
    .await;
    assert_says(
        &page,
        &["Read &#38;lt;points", "Approval required", "Scope requests"],
    );
    let renamed = fill_in(
        &mut browser,
        &edit,
        &[("description", "x"), ("scope_name", "other")],
    )
    .await;
    assert_eq!(
        renamed.status,
        StatusCode::BAD_REQUEST,
        "the form has no such field"
    );
    let answer = fill_in(&mut browser, &edit, &[("description", "Read")]).await;
    done(
        &mut browser,
        &answer,
        &format!("{}?done=saved", scope_path(&kept)),
    )
    .await;
    let kept = harness.store.scope(kept.id).await.unwrap().unwrap();
    assert_eq!(
        (
            kept.scope.name.as_str(),
            kept.description.as_str(),
            kept.approval_required
        ),
        ("points_read", "Read", false)
    );
}

/// Fails if an invalid form loses its input, or an error is beside another field.
#[tokio::test]
async fn scope_errors_are_beside_the_field() {
    let harness = Harness::new().await;
    let made = application(&harness, 1, &harness.person, "Points").await;
    let read = scope(&harness, 1, &made, "read").await;
    let mut browser = harness.browser_of(EMAIL).await;
    let new = format!("{}/scopes/new", application_path(&made));
    for (name, description, status, faults) in [
        (
            "read",
            "Again",
            StatusCode::CONFLICT,
            &["id=\"scope_name-fault\">The application already has a scope with this name."][..],
        ),
        (
            "Read",
            "Again",
            StatusCode::BAD_REQUEST,
            &["id=\"scope_name-fault\">Use only lowercase letters"],
        ),
        (
            HOSTILE,
            HOSTILE,
            StatusCode::BAD_REQUEST,
            &["id=\"scope_name-fault\">Use only lowercase letters"],
        ),
        (
            "",
            "",
            StatusCode::BAD_REQUEST,
            &[
                "id=\"scope_name-fault\">This field is required",
                "id=\"description-fault\">This field is required",
            ],
        ),
        (
            "write",
            "a\tb",
            StatusCode::BAD_REQUEST,
            &["id=\"description-fault\">Enter one line"],
        ),
        (
            "write",
            "a\u{202e}b",
            StatusCode::BAD_REQUEST,
            &["id=\"description-fault\">This text has characters that are invisible"],
        ),
    ] {
        let typed = [
            ("scope_name", name),
            ("description", description),
            ("approval_required", "true"),
        ];
        let answer = fill_in(&mut browser, &new, &typed).await;
        assert_eq!(answer.status, status, "{name}");
        assert_safe(&answer);
        assert_says(&answer, faults);
        assert_says(&answer, &["Nothing was saved.", "value=\"true\" checked"]);
        assert!(!answer.body.contains("<b>"));
        if name == "read" {
            assert_says(&answer, &["value=\"read\"", "value=\"Again\""]);
        }
    }
    let edit = format!("{}/edit", scope_path(&read));
    let answer = fill_in(
        &mut browser,
        &edit,
        &[("description", ""), ("approval_required", "true")],
    )
    .await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    assert_says(
        &answer,
        &[
            "id=\"description-fault\">This field is required",
            "value=\"true\" checked",
            ">read<",
        ],
    );
    let answer = fill_in(
        &mut browser,
        &edit,
        &[("description", "a\u{200b}b"), ("approval_required", "true")],
    )
    .await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    assert_says(
        &answer,
        &[
            "id=\"description-fault\">This text has characters that are invisible",
            "value=\"true\" checked",
            ">read<",
        ],
    );
    assert_eq!(
        harness
            .store
            .scopes(Some(made.id), PageRequest::LARGEST)
            .await
            .unwrap()
            .items,
        [read]
    );
}

/// Fails if an old form undoes another user's change.
#[tokio::test]
async fn a_scope_that_was_changed_concurrently_is_shown_again() {
    let harness = Harness::new().await;
    let made = application(&harness, 1, &harness.person, "Points").await;
    let read = scope(&harness, 1, &made, "read").await;
    let mut browser = harness.browser_of(EMAIL).await;
    let edit = format!("{}/edit", scope_path(&read));
    let form = browser.get(&edit).await;
    let change = ScopePatch {
        approval_required: Some(true),
        ..ScopePatch::default()
    };
    let _ = harness.store.update_scope(read.id, change).await.unwrap();
    let answer = send(&mut browser, &form, &edit, &[("description", "Other")]).await;
    assert_eq!(answer.status, StatusCode::CONFLICT);
    assert_safe(&answer);
    assert_says(
        &answer,
        &[
            "This has changed in the meantime",
            "value=\"true\" checked",
            "value=\"Read &#60;b&#62;points",
        ],
    );
    let kept = harness.store.scope(read.id).await.unwrap().unwrap();
    assert_eq!(
        (kept.approval_required, kept.description),
        (true, read.description)
    );
    let again = send(
        &mut browser,
        &answer,
        &edit,
        &[("description", "Other"), ("approval_required", "true")],
    )
    .await;
    assert_eq!(
        again.status,
        StatusCode::SEE_OTHER,
        "the new form can be submitted"
    );
}

#[tokio::test]
async fn a_scopes_page_says_who_uses_it_and_when_it_was_last_granted() {
    let harness = Harness::new().await;
    let stranger = other(&harness).await;
    let made = application(&harness, 1, &harness.person, "Points").await;
    let (read, write) = (
        scope(&harness, 1, &made, "read").await,
        scope(&harness, 2, &made, "write").await,
    );
    let lunch = client(&harness, 1, &stranger, "Lunch", &[&read, &write]).await;
    let mine = client(&harness, 2, &harness.person, "Mine", &[&read]).await;
    let _ = harness
        .store
        .approve_scope(read.id, lunch, START)
        .await
        .unwrap();
    live_grant(&harness, 1, lunch, &[&read]).await;
    harness.clock.advance(MINUTE);
    live_grant(&harness, 2, lunch, &[&read, &write]).await;
    live_grant(&harness, 3, lunch, &[&write]).await;
    let mut browser = harness.browser_of(EMAIL).await;
    let page = browser.get(&scope_path(&read)).await;
    assert_safe(&page);
    assert_says(
        &page,
        &[
            "<dd>2</dd>",
            "2026-01-01 09:01",
            DEVELOPER,
            EMAIL,
            "2 entries",
            &format!("/console/clients/{mine}\""),
        ],
    );
    assert!(
        !page.body.contains(&format!("/console/clients/{lunch}\"")),
        "the owner of the scope may not see the client's page"
    );
    let rows: Vec<&str> = page.body.split("<tr>").skip(2).collect();
    let (lunch_row, mine_row) = (
        rows.iter().find(|row| row.contains("Lunch")).unwrap(),
        rows.iter().find(|row| row.contains("Mine")).unwrap(),
    );
    assert!(
        lunch_row.contains(">2</td>")
            && lunch_row.contains("In use")
            && lunch_row.contains("Approved"),
        "{lunch_row}"
    );
    assert!(
        mine_row.contains(">0</td>")
            && mine_row.contains("Never")
            && !mine_row.contains("Approved"),
        "{mine_row}"
    );
    assert_says(
        &browser.get(&application_path(&made)).await,
        &[
            "2026-01-01 09:01",
            "<td data-label=\"Clients\" class=\"number\">2</td>",
        ],
    );
}

/// Fails if a description in another language is lost, unescaped, or overwritten by an older form.
#[tokio::test]
async fn a_scope_has_a_description_in_each_language_of_the_pages() {
    let harness = Harness::new().await;
    let made = application(&harness, 1, &harness.person, "Points").await;
    let mut browser = harness.browser_of(EMAIL).await;
    let new = format!("{}/scopes/new", application_path(&made));
    assert_safe(&browser.get(&new).await);
    let fields = [
        ("scope_name", "read"),
        ("description", "Read points"),
        ("description_translations", "Read <i>all</i> points"),
        ("description_translations", "상점을 읽어요 <b>"),
    ];
    fill_in(&mut browser, &new, &fields).await;
    let stored = async || {
        harness
            .store
            .scopes(Some(made.id), PageRequest::LARGEST)
            .await
            .unwrap()
            .items
            .remove(0)
    };
    let scope = stored().await;
    let (path, edit) = (scope_path(&scope), format!("{}/edit", scope_path(&scope)));
    let (english, korean) = (
        "Read &#60;i&#62;all&#60;/i&#62; points",
        "상점을 읽어요 &#60;b&#62;",
    );
    for (language, shown, hidden) in [("en", english, korean), ("ko", korean, english)] {
        browser.language = language;
        let page = browser.get(&path).await;
        assert_safe(&page);
        assert_says(&page, &[shown, hidden, "<bdi>Read points</bdi> <small>"]);
        for path in ["/clients/new", &application_path(&made)] {
            let page = browser.get(path).await;
            assert_says(&page, &[shown]);
            assert!(!page.body.contains(hidden), "{}", page.body);
        }
    }
    browser.language = "en";
    let form = browser.get(&edit).await;
    assert_safe(&form);
    assert_says(
        &form,
        &[
            &format!("lang=\"en\" value=\"{english}\""),
            &format!("lang=\"ko\" value=\"{korean}\""),
        ],
    );
    let (token, seen) = (
        form_token(&form.body),
        crate::client_fixtures::hidden(&form.body, "seen"),
    );
    let change = ScopePatch {
        description_translations: Some(lyceum::domain::Translations::default()),
        ..ScopePatch::default()
    };
    let changed = harness.store.update_scope(scope.id, change).await.unwrap();
    assert_eq!(changed, lyceum::store::RegistryChange::Done);
    let older = [
        ("form_token", &*token),
        ("seen", &*seen),
        ("description", "Read points"),
        ("description_translations", "Old"),
        ("description_translations", ""),
    ];
    let answer = browser.post(&edit, &older).await;
    assert_eq!(answer.status, StatusCode::CONFLICT);
    assert!(stored().await.description_translations.is_empty());
}

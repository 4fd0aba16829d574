//! Creation and renaming of applications.

use http::StatusCode;
use lyceum::domain::PageRequest;
use lyceum::http::audit::{Change, EventKind, ManagedObject};

use crate::harness::*;
use crate::pages::assert_safe;
use crate::registry_fixtures::*;

#[tokio::test]
async fn people_create_applications_and_rename_them() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_of(EMAIL).await;
    assert_says(
        &browser.get("/applications").await,
        &["You have no applications yet"],
    );
    let answer = fill_in(&mut browser, "/applications/new", &[("name", HOSTILE)]).await;
    let made = harness
        .store
        .applications(Some(&harness.person), PageRequest::LARGEST)
        .await
        .unwrap()
        .items
        .remove(0);
    assert_eq!(&*made.name, HOSTILE);
    let page = done(
        &mut browser,
        &answer,
        &format!("{}?done=created", application_path(&made)),
    )
    .await;
    assert_says(
        &page,
        &[
            "Created.",
            &made.id.to_string(),
            EMAIL,
            "No scopes yet",
            "2026-01-01 09:00",
        ],
    );
    let edit = format!("{}/edit", application_path(&made));
    assert_says(
        &browser.get(&edit).await,
        &["name=\"name\" value=\"&#34;&#62;&#60;b&#62;x"],
    );
    let answer = fill_in(&mut browser, &edit, &[("name", "Points")]).await;
    let page = done(
        &mut browser,
        &answer,
        &format!("{}?done=saved", application_path(&made)),
    )
    .await;
    assert_says(&page, &["<h1><bdi>Points</bdi></h1>", "Saved."]);
    scope(&harness, 1, &made, "read").await;
    let row = browser.get("/applications").await;
    assert_says(
        &row,
        &[
            "Points",
            "<td data-label=\"Scopes\" class=\"number\">1</td>",
        ],
    );
    assert_says(
        &browser.get(&application_path(&made)).await,
        &["<td data-label=\"Clients\" class=\"number\">0</td>"],
    );
    let managed = |change, fields: &[&'static str]| EventKind::Managed {
        by: harness.person.clone(),
        object: ManagedObject::Application(made.id),
        change,
        fields: fields.to_vec(),
    };
    let events: Vec<_> = harness
        .log
        .events()
        .into_iter()
        .map(|event| event.kind)
        .collect();
    assert!(
        events.contains(&managed(Change::Created, &[]))
            && events.contains(&managed(Change::Changed, &["name"]))
    );
}

/// Fails if an invalid form loses its input.
#[tokio::test]
async fn an_invalid_name_is_an_error_beside_the_field_and_keeps_the_input() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_of(EMAIL).await;
    let made = application(&harness, 1, &harness.person, "Points").await;
    let edit = format!("{}/edit", application_path(&made));
    let long = format!("<b>{}", "x".repeat(253));
    for path in ["/applications/new", &*edit] {
        for (typed, fault, shown) in [
            ("", "This field is required.", "value=\"\""),
            ("a\nb", "Enter one line", "value=\"a\nb\""),
            (&*long, "Enter one line", "value=\"&#60;b&#62;xxx"),
            (
                "Haneul High School",
                "This name is, contains or looks like",
                "value=\"Haneul High School\"",
            ),
            (
                "Lunch of Haneu1 High School",
                "This name is, contains or looks like",
                "value=\"Lunch of Haneu1 High School\"",
            ),
        ] {
            let answer = fill_in(&mut browser, path, &[("name", typed)]).await;
            assert_eq!(answer.status, StatusCode::BAD_REQUEST);
            assert_safe(&answer);
            assert_says(
                &answer,
                &[
                    "Nothing was saved.",
                    &format!("<p class=\"fault\" id=\"name-fault\">{fault}"),
                    "aria-invalid=\"true\"",
                    shown,
                ],
            );
        }
        assert_eq!(
            fill_in(&mut browser, path, &[]).await.status,
            StatusCode::BAD_REQUEST
        );
    }
    let kept = harness
        .store
        .applications(None, PageRequest::LARGEST)
        .await
        .unwrap();
    assert_eq!(
        kept.items
            .iter()
            .map(|kept| &*kept.name)
            .collect::<Vec<_>>(),
        ["School account", "Points"],
        "no application is stored"
    );
}

/// Fails if a name in another language is lost, unescaped, or shown to readers of another one.
#[tokio::test]
async fn an_application_has_a_name_in_each_language_of_the_pages() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_of(EMAIL).await;
    let form = browser.get("/applications/new").await;
    assert_safe(&form);
    assert_says(
        &form,
        &[
            "<legend>Name in other languages</legend>",
            "<label for=\"name_translations-en\" lang=\"en\">English</label>",
            "<label for=\"name_translations-ko\" lang=\"ko\">한국어</label>",
        ],
    );
    let fields = [
        ("name", "Points"),
        ("name_translations", ""),
        ("name_translations", " 상점 <b> "),
    ];
    fill_in(&mut browser, "/applications/new", &fields).await;
    let stored = async || {
        harness
            .store
            .applications(Some(&harness.person), PageRequest::LARGEST)
            .await
            .unwrap()
            .items
            .remove(0)
    };
    let made = stored().await;
    let names: Vec<(&str, &str)> = made
        .name_translations
        .iter()
        .map(|(tag, name)| (tag, name.as_str()))
        .collect();
    assert_eq!((&*made.name, names), ("Points", vec![("ko", "상점 <b>")]));
    let (path, edit) = (
        application_path(&made),
        format!("{}/edit", application_path(&made)),
    );
    for (language, heading) in [
        ("en", "<h1><bdi>Points</bdi></h1>"),
        ("ko", "<h1><bdi>상점 &#60;b&#62;</bdi></h1>"),
    ] {
        browser.language = language;
        let page = browser.get(&path).await;
        assert_safe(&page);
        assert_says(
            &page,
            &[
                heading,
                "<bdi>상점 &#60;b&#62;</bdi> <small>한국어</small>",
                "<bdi>Points</bdi> <small>",
            ],
        );
    }
    browser.language = "en";
    assert_says(
        &browser.get(&edit).await,
        &["lang=\"ko\" value=\"상점 &#60;b&#62;\""],
    );
    // A form without these fields changes none of them, and a faulty one changes nothing.
    fill_in(&mut browser, &edit, &[("name", "Scores")]).await;
    assert_eq!(stored().await.name_translations, made.name_translations);
    let bad = [
        ("name", "Marks"),
        ("name_translations", "Ma\nrks"),
        ("name_translations", "\">점수"),
    ];
    let page = fill_in(&mut browser, &edit, &bad).await;
    assert_eq!(page.status, StatusCode::BAD_REQUEST);
    assert_says(
        &page,
        &[
            "href=\"#name_translations-fault\"",
            "id=\"name_translations-fault\"",
            "value=\"&#34;&#62;점수\"",
        ],
    );
    assert_eq!(&*stored().await.name, "Scores");
    let empty = [
        ("name", "Scores"),
        ("name_translations", ""),
        ("name_translations", ""),
    ];
    fill_in(&mut browser, &edit, &empty).await;
    assert!(stored().await.name_translations.is_empty());
}

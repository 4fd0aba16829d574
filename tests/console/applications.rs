use http::header::ALLOW;
use http::{Method, StatusCode};
use lyceum::domain::{PageRequest, Scope};
use lyceum::http::audit::{Change, EventKind, Object};

use crate::harness::*;
use crate::pages::assert_safe;
use crate::registry::*;

#[tokio::test]
async fn people_create_applications_and_rename_them() {
    let world = World::new().await;
    let mut browser = world.browser_of(EMAIL).await;
    assert_says(&browser.get("/applications").await, &["You have no application yet"]);
    let answer = fill_in(&mut browser, "/applications/new", &[("name", HOSTILE)]).await;
    let made = world.store.applications(Some(&world.person), PageRequest::LARGEST).await.unwrap().items.remove(0);
    assert_eq!(&*made.name, HOSTILE);
    let page = done(&mut browser, &answer, &format!("{}?done=created", page_of(&made))).await;
    assert_says(&page, &["Created.", &made.id.to_string(), EMAIL, "No scopes yet", "2026-01-01 09:00"]);
    let edit = format!("{}/edit", page_of(&made));
    assert_says(&browser.get(&edit).await, &["name=\"name\" value=\"&#34;&#62;&#60;b&#62;x"]);
    let answer = fill_in(&mut browser, &edit, &[("name", "Points")]).await;
    let page = done(&mut browser, &answer, &format!("{}?done=saved", page_of(&made))).await;
    assert_says(&page, &["<h1><bdi>Points</bdi></h1>", "Saved."]);
    scope(&world, 1, &made, "read").await;
    let row = browser.get("/applications").await;
    assert_says(&row, &["Points", "<td data-label=\"Scopes\" class=\"number\">1</td>"]);
    assert_says(&browser.get(&page_of(&made)).await, &["<td data-label=\"Clients\" class=\"number\">0</td>"]);
    let managed = |change, fields: &[&'static str]| EventKind::Managed {
        by: world.person.clone(),
        object: Object::Application(made.id),
        change,
        fields: fields.to_vec(),
    };
    let events: Vec<_> = world.log.events().into_iter().map(|event| event.kind).collect();
    assert!(events.contains(&managed(Change::Created, &[])) && events.contains(&managed(Change::Changed, &["name"])));
}

/// Fails if a form with a fault comes back empty.
#[tokio::test]
async fn a_name_that_cannot_be_used_is_told_beside_the_field_with_what_was_typed() {
    let world = World::new().await;
    let mut browser = world.browser_of(EMAIL).await;
    let made = application(&world, 1, &world.person, "Points").await;
    let edit = format!("{}/edit", page_of(&made));
    let long = format!("<b>{}", "x".repeat(253));
    for path in ["/applications/new", &*edit] {
        for (typed, fault, shown) in [
            ("", "Please fill this in.", "value=\"\""),
            ("a\nb", "It must be one line", "value=\"a\nb\""),
            (&*long, "It must be one line", "value=\"&#60;b&#62;xxx"),
            ("Haneul High School", "This is or contains a name", "value=\"Haneul High School\""),
            ("Lunch of Haneu1 High School", "This is or contains a name", "value=\"Lunch of Haneu1 High School\""),
        ] {
            let answer = fill_in(&mut browser, path, &[("name", typed)]).await;
            assert_eq!(answer.status, StatusCode::BAD_REQUEST);
            assert_safe(&answer);
            assert_says(
                &answer,
                &["Nothing was saved yet", &format!("<p class=\"fault\" id=\"name-fault\">{fault}"), "aria-invalid=\"true\"", shown],
            );
        }
        assert_eq!(fill_in(&mut browser, path, &[]).await.status, StatusCode::BAD_REQUEST);
    }
    let kept = world.store.applications(None, PageRequest::LARGEST).await.unwrap();
    assert_eq!(kept.items.iter().map(|kept| &*kept.name).collect::<Vec<_>>(), ["School account", "Points"], "nothing was kept");
}

#[tokio::test]
async fn the_list_has_ones_own_and_administrators_see_everybodys() {
    let world = World::new().await;
    let stranger = other(&world).await;
    for number in 1..=21 {
        application(&world, number, &world.person, &format!("Mine {number}")).await;
    }
    application(&world, 22, &stranger, "<b>Theirs").await;
    let mut mine = world.browser_of(EMAIL).await;
    let list = mine.get("/applications").await;
    assert_safe(&list);
    assert_says(&list, &["21 entries", "href=\"/console/applications?page=1\""]);
    assert!(!list.body.contains("Theirs") && !list.body.contains("School account"));
    let second = mine.get("/applications?page=1").await.body;
    assert_eq!((list.body.matches("Mine ").count(), second.matches("Mine ").count()), (20, 1));
    assert_eq!(mine.get("/admin/applications").await.status, StatusCode::FORBIDDEN);
    let mut admin = world.browser_of(ADMIN).await;
    assert!(!admin.get("/applications").await.body.contains("Mine "), "an administrator's own");
    let everybodys = [admin.get("/admin/applications").await, admin.get("/admin/applications?page=1").await];
    let both = everybodys.iter().map(|page| &*page.body).collect::<String>();
    everybodys.iter().for_each(assert_safe);
    assert_eq!(both.matches("Mine ").count(), 21);
    assert!(both.contains("&#60;b&#62;Theirs") && both.contains(OTHER) && both.contains(EMAIL) && both.contains("School account"));
    assert!(both.contains("/console/admin/applications?page=0"));
}

/// Fails if a page asks only whether somebody has signed in.
#[tokio::test]
async fn decision_4_anyone_sees_an_application_and_its_owner_and_administrators_change_it() {
    let world = World::new().await;
    other(&world).await;
    let made = application(&world, 1, &world.person, "Points").await;
    let read = scope(&world, 1, &made, "read").await;
    let user = client(&world, 1, &world.person, "App", &[&read]).await;
    let (own, below) = (page_of(&made), page_of_scope(&read));
    let withdraw = format!("{below}/clients/{user}/withdraw");
    let mut stranger = world.browser_of(OTHER).await;
    let page = stranger.get(&own).await;
    assert_eq!(page.status, StatusCode::OK);
    assert_says(&page, &["This application belongs to somebody else", "&#60;b&#62;points", EMAIL, ">read<"]);
    assert!(!page.body.contains("/edit") && !page.body.contains("/delete") && !page.body.contains("/scopes/"));
    assert!(!page.body.contains("data-label=\"Clients\""), "who uses it is its owner's to see");
    assert_eq!(stranger.get(&below).await.status, StatusCode::FORBIDDEN);
    let token = form_token(&page.body);
    let changes = [
        (format!("{own}/edit"), vec![("name", "Mine")]),
        (format!("{own}/delete"), vec![]),
        (format!("{own}/scopes/new"), vec![("scope_name", "mine"), ("description", "Mine")]),
        (format!("{below}/edit"), vec![("description", "Mine")]),
        (format!("{below}/delete"), vec![]),
        (withdraw, vec![]),
        (format!("{below}/approve"), vec![("client_id", "x")]),
    ];
    for (path, fields) in &changes {
        if !path.ends_with("/approve") {
            assert_eq!(stranger.get(path).await.status, StatusCode::FORBIDDEN, "{path}");
        }
        let answer = stranger.post(path, &[&[("form_token", &*token)], &fields[..]].concat()).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path}");
        assert_safe(&answer);
        assert_says(&answer, &["This belongs to somebody else."]);
    }
    assert_eq!(world.store.application(made.id).await.unwrap(), Some(made.clone()));
    assert_eq!(world.store.scope(read.id).await.unwrap(), Some(read.clone()));
    let mut admin = world.browser_of(ADMIN).await;
    assert!(!admin.get(&own).await.body.contains("belongs to somebody else"));
    let answer = fill_in(&mut admin, &format!("{own}/edit"), &[("name", "Renamed")]).await;
    done(&mut admin, &answer, &format!("{own}?done=saved")).await;
    assert_eq!(world.store.application(made.id).await.unwrap().unwrap().owner, world.person, "its owner stays");
}

/// Fails if the token of any session will do.
#[tokio::test]
async fn s22_forms_of_another_session_change_nothing() {
    let world = World::new().await;
    let made = application(&world, 1, &world.person, "Points").await;
    let read = scope(&world, 1, &made, "read").await;
    let user = client(&world, 1, &world.person, "App", &[&read]).await;
    let (mut mine, mut yours) = (world.browser_of(EMAIL).await, world.browser_of(ADMIN).await);
    let token = form_token(&yours.get("/applications/new").await.body);
    let (own, below) = (page_of(&made), page_of_scope(&read));
    let id = user.to_string();
    for (path, fields) in [
        ("/applications/new".to_owned(), vec![("name", "New")]),
        (format!("{own}/edit"), vec![("name", "New")]),
        (format!("{own}/delete"), vec![]),
        (format!("{own}/scopes/new"), vec![("scope_name", "new"), ("description", "New")]),
        (format!("{below}/edit"), vec![("description", "New")]),
        (format!("{below}/delete"), vec![]),
        (format!("{below}/approve"), vec![("client_id", &*id)]),
        (format!("{below}/clients/{user}/withdraw"), vec![]),
    ] {
        for token in [&*token, "", "x"] {
            let answer = mine.post(&path, &[&[("form_token", token)], &fields[..]].concat()).await;
            assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path}");
            assert_says(&answer, &["The form was too old"]);
        }
        assert_eq!(mine.post(&path, &fields).await.status, StatusCode::FORBIDDEN, "{path}");
        let right = form_token(&mine.get("/").await.body);
        let more = [&[("form_token", &*right), ("owner", "somebody")], &fields[..]].concat();
        assert_eq!(mine.post(&path, &more).await.status, StatusCode::BAD_REQUEST, "s36: a field that the form does not have");
    }
    let kept = world.store.applications(None, PageRequest::LARGEST).await.unwrap().items;
    assert!(kept.len() == 2 && kept.contains(&made), "{kept:?}");
    assert_eq!(world.store.scopes(Some(made.id), PageRequest::LARGEST).await.unwrap().items, std::slice::from_ref(&read));
    let users = world.store.clients_of_scope(read.id, PageRequest::LARGEST).await.unwrap().items;
    assert!(users.len() == 1 && !users[0].approved && users[0].listed);
}

#[tokio::test]
async fn the_services_own_application_is_shown_and_stays_as_it_is() {
    let world = World::new().await;
    let mut admin = world.browser_of(ADMIN).await;
    for browser in [&mut admin, &mut world.browser_of(EMAIL).await] {
        let page = browser.get("/applications/service").await;
        assert_safe(&page);
        assert_says(&page, &["School account", "stays as it is", "self_read", "manage"]);
        assert!(!page.body.contains("/edit") && !page.body.contains("/scopes/"), "{}", page.body);
    }
    let own = world.store.scope_definitions(&[Scope::self_read()].into_iter().collect()).await.unwrap().remove(0);
    let token = form_token(&admin.get("/").await.body);
    for path in ["edit", "delete", "scopes/new", &format!("scopes/{}/edit", own.id), &format!("scopes/{}/delete", own.id)] {
        let path = format!("/applications/service/{path}");
        for answer in [admin.get(&path).await, admin.post(&path, &[("form_token", &*token)]).await] {
            assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path}");
            assert_says(&answer, &["belongs to the service itself"]);
        }
    }
    assert!(world.store.scope(own.id).await.unwrap().is_some());
}

#[tokio::test]
async fn what_is_not_there_is_not_found_and_other_methods_are_refused() {
    let world = World::new().await;
    let made = application(&world, 1, &world.person, "Points").await;
    let read = scope(&world, 1, &made, "read").await;
    let elsewhere = application(&world, 2, &world.person, "Other").await;
    let mut browser = world.browser_of(EMAIL).await;
    let (own, below, nobody) = (page_of(&made), page_of_scope(&read), "7d444840-9dc0-41d1-b245-5ffdce74fad2");
    for path in [
        "/applications/".to_owned(),
        "/applications/nothing".to_owned(),
        format!("/applications/{nobody}"),
        format!("/applications/{nobody}/edit"),
        format!("{own}/scopes"),
        format!("{own}/scopes/{nobody}"),
        format!("{}/scopes/{}", page_of(&elsewhere), read.id),
        format!("{below}/clients/{nobody}/withdraw"),
        format!("{below}/clients/%22%3E%3Cb%3E/withdraw"),
        format!("{below}/nothing"),
    ] {
        assert_eq!(browser.get(&path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
    let (edit, approve) = (format!("{own}/edit"), format!("{below}/approve"));
    for (path, allow) in [("/applications", "GET, HEAD"), (&*own, "GET, HEAD"), (&*edit, "GET, HEAD, POST"), (&*approve, "POST")] {
        let answer = browser.send(Method::DELETE, path, None, "").await;
        assert_eq!((answer.status, answer.header(ALLOW)), (StatusCode::METHOD_NOT_ALLOWED, allow), "{path}");
    }
    for path in ["/applications", "/applications/new", &*own, &*edit, &*below] {
        let head = browser.send(Method::HEAD, path, None, "").await;
        assert_eq!((head.status, &*head.body), (StatusCode::OK, ""), "{path}");
    }
    assert_eq!(world.browser().get(&own).await.status, StatusCode::SEE_OTHER, "who has not signed in sees nothing");
}

/// Fails if a name stands on a page as it was typed.
#[tokio::test]
async fn s37_hostile_names_are_text_on_every_page_in_both_languages() {
    let world = World::new().await;
    let made = application(&world, 1, &world.person, HOSTILE).await;
    let read = scope(&world, 1, &made, "read").await;
    let user = client(&world, 1, &world.person, HOSTILE, &[&read]).await;
    live_grant(&world, 1, user, &[&read]).await;
    let (own, below) = (page_of(&made), page_of_scope(&read));
    let mut browser = world.browser_of(ADMIN).await;
    for (language, code) in [("en", "en"), ("ko", "ko")] {
        browser.language = language;
        for path in [
            "/applications".to_owned(),
            "/admin/applications".to_owned(),
            "/applications/new".to_owned(),
            own.clone(),
            format!("{own}/edit"),
            format!("{own}/delete"),
            format!("{own}/scopes/new"),
            below.clone(),
            format!("{below}/edit"),
            format!("{below}/delete"),
            format!("{below}/clients/{user}/withdraw"),
        ] {
            let page = browser.get(&path).await;
            assert_eq!(page.status, StatusCode::OK, "{path}");
            assert_safe(&page);
            assert!(page.body.contains(&format!("<html lang=\"{code}\">")));
            assert!(!page.body.contains("<b>") && !page.body.contains("\">x") && !page.body.contains("49"), "{path}: {}", page.body);
        }
    }
}

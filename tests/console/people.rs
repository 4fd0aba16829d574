use http::{Method, StatusCode};
use lyceum::domain::{Account, AccountId, Role};
use lyceum::http::audit::{Change, EventKind, Object};

use crate::given::{client, is_revoked, key};
use crate::harness::*;
use crate::pages::assert_safe;

const NEW: &str = "four words that differ";

async fn account(world: &World, email: &str) -> Option<Account> {
    world.store.account_by_email(&email.parse().unwrap()).await.unwrap()
}

async fn id(world: &World, email: &str) -> AccountId {
    account(world, email).await.unwrap().id
}

/// A browser of the administrator's, and its form token.
async fn administrator(world: &World) -> (Browser, String) {
    let mut browser = world.browser_of(ADMIN).await;
    let token = form_token(&browser.get("/admin/people").await.body);
    (browser, token)
}

/// Adds an account at the administrator's page.
async fn add(browser: &mut Browser, token: &str, email: &str, role: &str) -> Answer {
    browser.post("/admin/people/new", &[("form_token", token), ("email", email), ("password", PASSWORD), ("role", role)]).await
}

/// Fails if a page here is anybody's.
#[tokio::test]
async fn only_administrators_see_people_and_change_them() {
    let world = World::new().await;
    let mut browser = world.browser_of(EMAIL).await;
    let token = form_token(&browser.get("/").await.body);
    let one = format!("/admin/people/{}", id(&world, EMAIL).await);
    let other = format!("/admin/people/{}", id(&world, ADMIN).await);
    for path in ["/admin/people", "/admin/people/new", &one, &format!("{other}/remove"), "/admin/people/nobody"] {
        let answer = browser.get(path).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path}");
        assert_safe(&answer);
        assert!(!answer.body.contains(ADMIN), "{}", answer.body);
    }
    for (path, field) in [
        ("/admin/people/new".to_owned(), ("email", "new@school.example")),
        (format!("{one}/role"), ("role", "ADMIN")),
        (format!("{other}/password"), ("password", NEW)),
        (format!("{other}/remove"), ("form_token", &*token)),
    ] {
        let fields: Vec<_> = [("form_token", &*token), field].into_iter().take(if field.0 == "form_token" { 1 } else { 2 }).collect();
        assert_eq!(browser.post(&path, &fields).await.status, StatusCode::FORBIDDEN, "{path}");
    }
    assert_eq!(account(&world, EMAIL).await.unwrap().role, Role::User);
    assert!(account(&world, ADMIN).await.is_some() && account(&world, "new@school.example").await.is_none());
    let mut nobody = world.browser();
    assert!(nobody.get("/admin/people").await.location().starts_with("/console/sign-in"));
}

/// Fails if any form token, or none, is good.
#[tokio::test]
async fn s22_forms_of_other_sessions_change_nobody() {
    let world = World::new().await;
    let (mut mine, _) = administrator(&world).await;
    let (_, of_another) = administrator(&world).await;
    let one = format!("/admin/people/{}", id(&world, EMAIL).await);
    for token in ["", &*of_another] {
        for (path, field) in [
            ("/admin/people/new", Some(("email", "new@school.example"))),
            (&*format!("{one}/role"), Some(("role", "ADMIN"))),
            (&format!("{one}/password"), Some(("password", NEW))),
            (&format!("{one}/remove"), None),
        ] {
            let fields: Vec<_> = [("form_token", token)].into_iter().chain(field).collect();
            assert_eq!(mine.post(path, &fields).await.status, StatusCode::FORBIDDEN, "{path}");
        }
    }
    let kept = account(&world, EMAIL).await.unwrap();
    assert_eq!(kept.role, Role::User);
    assert!(account(&world, "new@school.example").await.is_none());
    world.browser_of(EMAIL).await;
}

#[tokio::test]
async fn people_are_listed_page_by_page_and_found_by_their_address() {
    let world = World::new().await;
    let (mut browser, token) = administrator(&world).await;
    for number in 10..31 {
        assert_eq!(add(&mut browser, &token, &format!("student{number}@school.example"), "USER").await.status, StatusCode::SEE_OTHER);
    }
    let first = browser.get("/admin/people").await;
    assert_safe(&first);
    assert!(first.body.contains(ADMIN) && first.body.contains("Page \u{2068}1 / 2\u{2069} · 23 entries"), "{}", first.body);
    assert!(first.body.contains("href=\"?page=1\"") && first.body.contains(">You<"));
    let second = browser.get("/admin/people?page=1").await.body;
    assert!(second.contains("student30@school.example") && !second.contains("student10@school.example"));
    let found = browser.get("/admin/people?email=STUDENT1").await.body;
    assert!(found.contains("student19@") && !found.contains("student20@") && found.contains("10 entries"), "{found}");
    assert!(browser.get("/admin/people?email=%00").await.body.contains("Nothing found."));
    let page = browser.get("/admin/people?email=student&page=0").await.body;
    assert!(page.contains("href=\"?email=student&amp;page=1\"") || page.contains("href=\"?email=student&#38;page=1\""), "{page}");
}

#[tokio::test]
async fn a_new_account_is_told_with_who_made_it() {
    let world = World::new().await;
    let (mut browser, token) = administrator(&world).await;
    let page = browser.get("/admin/people/new").await;
    assert_safe(&page);
    let answer = add(&mut browser, &token, "lee@school.example", "ADMIN").await;
    let made = account(&world, "lee@school.example").await.unwrap();
    assert_eq!((answer.status, answer.location()), (StatusCode::SEE_OTHER, &*format!("/console/admin/people/{}?done=created", made.id)));
    assert_eq!(made.role, Role::Admin);
    let page = browser.follow().await;
    assert_safe(&page);
    assert!(page.body.contains("lee@school.example") && page.body.contains("Created."));
    let by = id(&world, ADMIN).await.into();
    let object = Object::Account(made.id);
    let told = EventKind::Managed { by, object, change: Change::Created, fields: vec![] };
    let event = world.log.events().into_iter().find(|event| event.kind == told).expect("it is told");
    assert_eq!(event.request_id.to_string(), answer.header("x-request-id"), "with the request that it happened in");
    world.browser_of("lee@school.example").await;
}

/// Fails if a form that is wrong loses what was typed, or shows the password.
#[tokio::test]
async fn a_wrong_form_comes_back_with_what_was_typed_and_without_the_password() {
    let world = World::new().await;
    let (mut browser, token) = administrator(&world).await;
    let hostile = "\"><b>x";
    let secret = "a secret that was typed";
    let fields = [("form_token", &*token), ("email", hostile), ("password", secret), ("role", "KING")];
    let answer = browser.post("/admin/people/new", &fields).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    assert_safe(&answer);
    for text in ["&#34;&#62;&#60;b&#62;x", "This is no e-mail address", "id=\"role-fault\"", "aria-invalid"] {
        assert!(answer.body.contains(text), "{text} is missing in {}", answer.body);
    }
    assert!(!answer.body.contains(secret) && !answer.body.contains(hostile));
    let answer = browser.post("/admin/people/new", &[("form_token", &token), ("email", "x@y"), ("role", "USER")]).await;
    assert!(answer.status == StatusCode::BAD_REQUEST && answer.body.contains("id=\"password-fault\""), "{}", answer.body);
    let weak = [("form_token", &*token), ("email", "new.person@school.example"), ("password", "new.person"), ("role", "USER")];
    let answer = browser.post("/admin/people/new", &weak).await;
    assert!(answer.status == StatusCode::BAD_REQUEST && answer.body.contains("id=\"password-fault\">The password must not be the e-mail"));
    assert_safe(&answer);
    let answer = add(&mut browser, &token, &EMAIL.to_uppercase(), "USER").await;
    assert_eq!(answer.status, StatusCode::CONFLICT);
    assert!(answer.body.contains("id=\"email-fault\"") && answer.body.contains(&EMAIL.to_uppercase()), "{}", answer.body);
    browser.language = "ko";
    assert!(add(&mut browser, &token, EMAIL, "USER").await.body.contains("이 주소의 계정이 이미 있어요."));
    assert!(browser.post("/admin/people/new", &weak).await.body.contains("이메일 주소나 @ 앞부분은 비밀번호로 쓸 수 없어요."));
}

#[tokio::test]
async fn a_role_is_changed_and_ends_the_sessions_that_had_the_old_one() {
    let world = World::new().await;
    let (mut browser, token) = administrator(&world).await;
    let mut theirs = world.browser_of(EMAIL).await;
    let address = format!("/admin/people/{}", id(&world, EMAIL).await);
    let page = browser.get(&address).await;
    assert_safe(&page);
    assert!(page.body.contains("<dt>Where you are signed in</dt><dd>1</dd>"), "{}", page.body);
    for wrong in [&[("form_token", &*token), ("role", "KING")][..], &[("form_token", &token)]] {
        let answer = browser.post(&format!("{address}/role"), wrong).await;
        assert!(answer.status == StatusCode::BAD_REQUEST && answer.body.contains("id=\"role-fault\""), "{}", answer.body);
        assert_safe(&answer);
    }
    let answer = browser.post(&format!("{address}/role"), &[("form_token", &token), ("role", "ADMIN")]).await;
    assert_eq!((answer.status, answer.location()), (StatusCode::SEE_OTHER, &*format!("/console{address}?done=role")));
    assert_eq!(account(&world, EMAIL).await.unwrap().role, Role::Admin);
    assert_eq!(theirs.get("/").await.status, StatusCode::SEE_OTHER, "who has another role signs in anew");
    let told = EventKind::Managed {
        by: id(&world, ADMIN).await.into(),
        object: Object::Account(id(&world, EMAIL).await),
        change: Change::Changed,
        fields: vec!["role"],
    };
    assert_eq!(world.log.events().iter().filter(|event| event.kind == told).count(), 1);
}

#[tokio::test]
async fn a_lost_password_is_replaced_and_ends_what_the_old_one_had_begun() {
    let world = World::new().await;
    let (mut browser, token) = administrator(&world).await;
    let mut theirs = world.browser_of(EMAIL).await;
    let account = id(&world, EMAIL).await;
    let address = format!("/admin/people/{account}");
    let answer = browser.post(&format!("{address}/password"), &[("form_token", &token), ("password", "")]).await;
    assert!(answer.status == StatusCode::BAD_REQUEST && answer.body.contains("id=\"password-fault\""), "{}", answer.body);
    let answer = browser.post(&format!("{address}/password"), &[("form_token", &token), ("password", "password2026")]).await;
    assert!(answer.status == StatusCode::BAD_REQUEST && answer.body.contains("This password is too easy to guess."), "{}", answer.body);
    let answer = browser.post(&format!("{address}/password"), &[("form_token", &token), ("password", NEW)]).await;
    assert_eq!((answer.status, answer.location()), (StatusCode::SEE_OTHER, &*format!("/console{address}?done=password-set")));
    assert!(!answer.body.contains(NEW) && !browser.follow().await.body.contains(NEW));
    assert_eq!(theirs.get("/").await.status, StatusCode::SEE_OTHER);
    assert_eq!(world.browser().sign_in(EMAIL, PASSWORD).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(world.browser().sign_in(EMAIL, NEW).await.status, StatusCode::SEE_OTHER);
    let (by, object) = (id(&world, ADMIN).await.into(), Object::Password(account));
    let told = EventKind::Managed { by, object, change: Change::Changed, fields: vec![] };
    assert!(world.log.events().iter().any(|event| event.kind == told));
}

/// Fails if a key outlives the lost password although the switch is on, or ends although it is off.
#[tokio::test]
async fn a_password_that_is_set_for_somebody_revokes_their_api_keys_unless_the_switch_is_off() {
    for revokes in [false, true] {
        let world = World::new().await;
        let (mut browser, token) = administrator(&world).await;
        let account = id(&world, EMAIL).await;
        let (theirs, mine) =
            (key(&world, 1, Some(&world.person), "Lunch").await, key(&world, 2, Some(&id(&world, ADMIN).await.into()), "Mine").await);
        let address = format!("/admin/people/{account}");
        assert!(browser.get(&address).await.body.contains("name=\"revoke_keys\" value=\"true\" checked"));
        let on = revokes.then_some(("revoke_keys", "true"));
        let fields = [&[("form_token", &*token), ("password", NEW)][..], on.as_slice()].concat();
        assert_eq!(browser.post(&format!("{address}/password"), &fields).await.status, StatusCode::SEE_OTHER);
        assert_eq!((is_revoked(&world, theirs).await, is_revoked(&world, mine).await), (revokes, false));
    }
}

/// Fails if somebody whose account is removed keeps a key.
#[tokio::test]
async fn an_account_that_is_removed_takes_its_api_keys_along() {
    let world = World::new().await;
    let (mut browser, token) = administrator(&world).await;
    let (theirs, nobodys) = (key(&world, 1, Some(&world.person), "Lunch").await, key(&world, 2, None, "Tower").await);
    let address = format!("/admin/people/{}/remove", id(&world, EMAIL).await);
    assert!(browser.get(&address).await.body.contains("API keys stop working"));
    assert_eq!(browser.post(&address, &[("form_token", &token)]).await.status, StatusCode::SEE_OTHER);
    assert_eq!((is_revoked(&world, theirs).await, is_revoked(&world, nobodys).await), (true, false));
}

/// Fails if a leaver's client goes on, or an administrator cannot give it to somebody.
#[tokio::test]
async fn clients_of_a_removed_account_are_suspended_until_they_are_given_away() {
    let world = World::new().await;
    let (mut browser, token) = administrator(&world).await;
    let client = client(&world, 1, "Lunch").await;
    assert!(world.store.set_client_owner(client, world.person.clone()).await.unwrap());
    let address = format!("/admin/people/{}/remove", id(&world, EMAIL).await);
    assert!(browser.get(&address).await.body.contains("Their client is suspended"));
    assert_eq!(browser.post(&address, &[("form_token", &token)]).await.status, StatusCode::SEE_OTHER);
    let told = |change| move |event: &lyceum::http::audit::Event| matches!(&event.kind, EventKind::Managed { object: Object::Client(_), change: told, .. } if *told == change);
    assert!(world.log.events().iter().any(told(Change::Suspended)));
    let page = format!("/clients/{client}");
    assert!(browser.get(&page).await.body.contains("Its owner has left."));
    assert!(browser.get("/admin/clients").await.body.contains("Suspended"));
    let again = browser.post(&format!("{page}/owner"), &[("form_token", &token), ("owner", "nobody@school.example")]).await;
    assert_eq!(again.status, StatusCode::BAD_REQUEST);
    assert_safe(&again);
    assert!(again.body.contains("id=\"owner-fault\">There is no such person."), "{}", again.body);
    let answer = browser.post(&format!("{page}/owner"), &[("form_token", &token), ("owner", ADMIN)]).await;
    assert_eq!((answer.status, answer.location()), (StatusCode::SEE_OTHER, &*format!("/console{page}?done=client-given")));
    assert!(!browser.follow().await.body.contains("Its owner has left."));
    let kept = world.store.client(client).await.unwrap().unwrap();
    assert_eq!((kept.owner.clone(), kept.suspended_at), (id(&world, ADMIN).await.into(), None));
}

#[tokio::test]
async fn an_account_is_removed_after_a_question() {
    let world = World::new().await;
    let (mut browser, token) = administrator(&world).await;
    let account = id(&world, EMAIL).await;
    let address = format!("/admin/people/{account}/remove");
    let page = browser.get(&address).await;
    assert_safe(&page);
    assert!(page.body.contains(EMAIL) && page.body.contains("applications and scopes go on"), "{}", page.body);
    assert!(world.store.account(account).await.unwrap().is_some(), "a question changes nothing");
    let answer = browser.post(&address, &[("form_token", &token)]).await;
    assert_eq!((answer.status, answer.location()), (StatusCode::SEE_OTHER, "/console/admin/people?done=account-removed"));
    assert!(browser.follow().await.body.contains("The account is removed."));
    assert_eq!(browser.get(&address).await.status, StatusCode::NOT_FOUND);
    assert_eq!(browser.post(&address, &[("form_token", &token)]).await.status, StatusCode::NOT_FOUND);
    assert_eq!(world.browser().sign_in(EMAIL, PASSWORD).await.status, StatusCode::UNAUTHORIZED);
    let (by, object) = (id(&world, ADMIN).await.into(), Object::Account(account));
    let told = EventKind::Managed { by, object, change: Change::Deleted, fields: vec![] };
    assert!(world.log.events().iter().any(|event| event.kind == told));
}

/// Fails if administrators can lock themselves out.
#[tokio::test]
async fn nobody_changes_their_own_role_or_removes_themselves() {
    let world = World::new().await;
    let (mut browser, token) = administrator(&world).await;
    add(&mut browser, &token, "lee@school.example", "ADMIN").await;
    let address = format!("/admin/people/{}", id(&world, ADMIN).await);
    let page = browser.get(&address).await.body;
    assert!(page.contains("You cannot change your own role") && !page.contains("/remove") && !page.contains("/password\""), "{page}");
    for (path, field) in [("role", Some(("role", "USER"))), ("password", Some(("password", NEW))), ("remove", None)] {
        let fields: Vec<_> = [("form_token", &*token)].into_iter().chain(field).collect();
        let answer = browser.post(&format!("{address}/{path}"), &fields).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path}");
        assert_safe(&answer);
    }
    assert_eq!(browser.get(&format!("{address}/remove")).await.status, StatusCode::FORBIDDEN);
    assert_eq!(account(&world, ADMIN).await.unwrap().role, Role::Admin);
    assert_eq!(browser.get("/admin/people").await.status, StatusCode::OK, "and the session goes on");
}

/// Fails if two who take the role from each other leave nobody who has it.
#[tokio::test]
async fn the_last_administrator_cannot_go_whoever_comes_first() {
    let world = World::new().await;
    let (mut mine, token) = administrator(&world).await;
    add(&mut mine, &token, "lee@school.example", "ADMIN").await;
    let mut theirs = world.browser_of("lee@school.example").await;
    let their_token = form_token(&theirs.get("/admin/people").await.body);
    let (me, them) = (id(&world, ADMIN).await, id(&world, "lee@school.example").await);
    let (take, give) = ([("form_token", &*token), ("role", "USER")], [("form_token", &*their_token), ("role", "USER")]);
    let (their_path, my_path) = (format!("/admin/people/{them}/role"), format!("/admin/people/{me}/role"));
    let (one, other) = tokio::join!(mine.post(&their_path, &take), theirs.post(&my_path, &give));
    let done = [&one, &other].into_iter().filter(|answer| answer.location().contains("done=role")).count();
    assert_eq!(done, 1, "{one:?} {other:?}");
    let roles = [account(&world, ADMIN).await.unwrap().role, account(&world, "lee@school.example").await.unwrap().role];
    assert_eq!(roles.iter().filter(|role| **role == Role::Admin).count(), 1);
}

#[tokio::test]
async fn ids_of_nobody_and_other_methods_are_refused() {
    let world = World::new().await;
    let (mut browser, token) = administrator(&world).await;
    for id in ["nobody", "%3Cb%3E", "00000000-0000-4000-8000-000000000000"] {
        let answer = browser.get(&format!("/admin/people/{id}")).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{id}");
        assert_safe(&answer);
        for (path, field) in [("role", Some(("role", "USER"))), ("password", Some(("password", NEW))), ("remove", None)] {
            let fields: Vec<_> = [("form_token", &*token)].into_iter().chain(field).collect();
            assert_eq!(browser.post(&format!("/admin/people/{id}/{path}"), &fields).await.status, StatusCode::NOT_FOUND);
        }
    }
    let one = format!("/admin/people/{}", id(&world, EMAIL).await);
    for (path, allow) in [("/admin/people", "GET, HEAD"), ("/admin/people/new", "GET, HEAD, POST"), (&format!("{one}/role"), "POST")] {
        let answer = browser.send(Method::DELETE, path, None, "").await;
        assert_eq!((answer.status, answer.header("allow")), (StatusCode::METHOD_NOT_ALLOWED, allow), "{path}");
    }
    let (full, head) = (browser.get(&one).await, browser.send(Method::HEAD, &one, None, "").await);
    assert_eq!((head.status, &*head.body, full.status), (StatusCode::OK, "", StatusCode::OK));
    browser.language = "ko";
    assert!(browser.get(&one).await.body.contains("계정 삭제"));
}

/// Somebody else keeps the people.
#[derive(Debug)]
struct Elsewhere;

#[async_trait::async_trait]
impl lyceum::http::auth_server::Authenticator for Elsewhere {
    async fn authenticate(
        &self,
        email: &str,
        _: &lyceum::domain::Password,
        _: Option<std::net::IpAddr>,
    ) -> Result<lyceum::http::auth_server::SignInVerdict, lyceum::store::StorageError> {
        let boss = lyceum::domain::Subject { id: "boss".parse().unwrap(), email: email.parse().unwrap(), role: Role::Admin, number: None };
        Ok(lyceum::http::auth_server::SignInVerdict::SignedIn(boss))
    }

    async fn subject(&self, id: &lyceum::domain::SubjectId) -> Result<Option<lyceum::domain::Subject>, lyceum::store::StorageError> {
        Ok(Some(lyceum::domain::Subject { id: id.clone(), email: ADMIN.parse().unwrap(), role: Role::Admin, number: None }))
    }
}

/// Fails if accounts that nobody signs in with can be made.
#[tokio::test]
async fn people_who_are_kept_elsewhere_are_not_managed_here() {
    let world = World::at(ADDRESS, |builder| builder.authenticator(std::sync::Arc::new(Elsewhere)), |builder| builder).await;
    let (mut browser, token) = {
        let mut browser = world.browser_of(ADMIN).await;
        let token = form_token(&browser.get("/").await.body);
        (browser, token)
    };
    let page = browser.get("/admin/people").await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(
        page.body.contains("kept by the school's own sign-in") || page.body.contains("kept by the school&#39;s own sign-in"),
        "{}",
        page.body
    );
    assert_eq!(browser.get("/admin/people/new").await.status, StatusCode::NOT_FOUND);
    assert_eq!(add(&mut browser, &token, "new@school.example", "USER").await.status, StatusCode::NOT_FOUND);
    assert_eq!(browser.get(&format!("/admin/people/{}", id(&world, EMAIL).await)).await.status, StatusCode::NOT_FOUND);
    assert!(account(&world, "new@school.example").await.is_none());
}

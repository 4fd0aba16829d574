use http::StatusCode;
use lyceum::domain::Scope;
use lyceum::http::audit::{Change, EventKind, Object};
use lyceum::store::Assent;

use crate::given::{client, grant, is_revoked, key};
use crate::harness::*;
use crate::owed::{assert_guarded, assert_page, send};
use crate::pages::assert_safe;

const PATH: &str = "/account/password";
const NEW: &str = "another horse <b>";

async fn change(browser: &mut Browser, old: &str, new: &str, repeated: &str) -> Answer {
    let fields = [("email", EMAIL), ("old_password", old), ("new_password", new), ("repeated", repeated)];
    send(browser, PATH, &fields).await
}

/// Fails if whoever knew the token of before goes on with it, or anything else that the old password had opened goes on.
#[tokio::test]
async fn s23_a_new_password_gives_this_browser_a_new_token_and_ends_everything_else() {
    let world = World::new().await;
    let app = client(&world, 1, "Lunch").await;
    let grant = grant(&world, 1, &world.person, app, &[Scope::self_read()], Assent::Once).await;
    let (mut here, mut there) = (world.browser_of(EMAIL).await, world.browser_of(EMAIL).await);
    assert_page(&world, &mut here, PATH).await;
    let (mut thief, form) = (here.clone(), form_token(&here.get("/").await.body));
    let answer = change(&mut here, PASSWORD, NEW, NEW).await;
    assert_eq!((answer.status, answer.location()), (StatusCode::SEE_OTHER, "/console/account?done=password"));
    assert!(answer.cookies()[0].ends_with("; Path=/; Max-Age=43200; HttpOnly; SameSite=Lax; Secure"));
    assert_ne!(here.session(), thief.session());
    assert!(here.follow().await.body.contains("Your password is changed."));
    for gone in [&mut thief, &mut there] {
        assert_eq!(gone.get("/account").await.status, StatusCode::SEE_OTHER);
    }
    assert_eq!(here.post("/sign-out", &[("form_token", &form)]).await.status, StatusCode::FORBIDDEN, "forms of before are void");
    assert!(!world.store.grant_is_live(&grant, START).await.unwrap());
    assert_eq!(world.browser().sign_in(EMAIL, PASSWORD).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(world.browser().sign_in(EMAIL, NEW).await.status, StatusCode::SEE_OTHER);
    let (by, object) = (world.person.clone(), Object::Password(world.person.as_str().parse().unwrap()));
    let changed = EventKind::Managed { by, object, change: Change::Changed, fields: Vec::new() };
    assert_eq!(world.log.events().iter().filter(|event| event.kind == changed).count(), 1);
}

/// Fails if a key outlives the password although the switch is on, or ends although it is off.
#[tokio::test]
async fn a_new_password_revokes_the_api_keys_unless_the_switch_is_off() {
    for revokes in [false, true] {
        let world = World::new().await;
        let key = key(&world, 1, Some(&world.person), "Lunch").await;
        let mut browser = world.browser_of(EMAIL).await;
        let page = browser.get(PATH).await.body;
        let switch = "name=\"revoke_keys\" value=\"true\" checked";
        assert!(page.contains(switch) && page.contains("Revoke all API keys too"), "{page}");
        let typed = [("email", EMAIL), ("old_password", PASSWORD), ("new_password", NEW), ("repeated", "another")];
        let on = revokes.then_some(("revoke_keys", "true"));
        let again = send(&mut browser, PATH, &[&typed[..], on.as_slice()].concat()).await;
        assert_eq!(again.body.contains(switch), revokes, "the form comes back as it was: {}", again.body);
        let typed = [("email", EMAIL), ("old_password", PASSWORD), ("new_password", NEW), ("repeated", NEW)];
        assert_eq!(send(&mut browser, PATH, &[&typed[..], on.as_slice()].concat()).await.status, StatusCode::SEE_OTHER);
        assert_eq!(is_revoked(&world, key).await, revokes);
        let fields = if revokes { vec!["apiKeys"] } else { Vec::new() };
        let told =
            |kind: &EventKind| matches!(kind, EventKind::Managed { object: Object::Password(_), fields: told, .. } if *told == fields);
        assert!(world.log.events().iter().any(|event| told(&event.kind)));
    }
}

/// Fails if a fault is silent, or a password comes back in the page.
#[tokio::test]
async fn what_is_wrong_is_said_beside_its_field_and_nothing_changes() {
    let world = World::new().await;
    let mut browser = world.browser_of(EMAIL).await;
    let long = "x".repeat(1025);
    for (old, new, repeated, field, message) in [
        ("wrong <b>", NEW, NEW, "old_password", "This is not your current password."),
        ("", NEW, NEW, "old_password", "Please fill this in."),
        (PASSWORD, "", "", "new_password", "Please fill this in."),
        (PASSWORD, &long, &long, "new_password", "A password has 1 to 1024 bytes."),
        (PASSWORD, NEW, "another", "repeated", "The two new passwords differ."),
    ] {
        let page = change(&mut browser, old, new, repeated).await;
        assert_eq!(page.status, StatusCode::BAD_REQUEST, "{field}: {page:?}");
        assert_safe(&page);
        assert!(page.body.contains(&format!("id=\"{field}-fault\">{message}")), "{field}: {}", page.body);
        for typed in [PASSWORD, "another", "wrong", "xxx"] {
            assert!(!page.body.contains(typed), "{typed} in {}", page.body);
        }
    }
    assert_eq!(browser.get("/").await.status, StatusCode::OK);
    assert_eq!(world.browser().sign_in(EMAIL, PASSWORD).await.status, StatusCode::SEE_OTHER);
}

/// Fails if whoever found a browser open may guess as often as they like.
#[tokio::test]
async fn s40_guesses_are_attempts_to_sign_in() {
    let world = World::new().await;
    let mut browser = world.browser_of(EMAIL).await;
    for _ in 0..10 {
        assert_eq!(change(&mut browser, "wrong", NEW, NEW).await.status, StatusCode::BAD_REQUEST);
    }
    let answer = change(&mut browser, PASSWORD, NEW, NEW).await;
    assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(answer.header("retry-after").parse::<u64>().unwrap() > 0 && browser.get("/").await.status == StatusCode::OK);
    assert_eq!(world.browser().sign_in(EMAIL, PASSWORD).await.status, StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn s22_no_other_page_changes_a_password() {
    let world = World::new().await;
    let (mut mine, mut yours) = (world.browser_of(EMAIL).await, world.browser_of(ADMIN).await);
    let fields = [("old_password", PASSWORD), ("new_password", NEW), ("repeated", NEW)];
    assert_guarded(&mut mine, &mut yours, PATH, &fields).await;
    assert_eq!(world.browser().sign_in(EMAIL, PASSWORD).await.status, StatusCode::SEE_OTHER);
}

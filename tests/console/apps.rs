use http::StatusCode;
use lyceum::domain::{ClientId, Scope};
use lyceum::http::Clock;
use lyceum::http::audit::EventKind;
use lyceum::store::Assent;

use crate::given::{client, grant, id_of, scope};
use crate::harness::*;
use crate::owed::{assert_guarded, assert_page, send};

fn withdrawal(client: ClientId) -> String {
    format!("/apps/{client}/withdraw")
}

/// Fails if an app is there as often as it was allowed, or says only what it was allowed last.
#[tokio::test]
async fn all_that_a_client_may_do_is_one_connected_app() {
    let world = World::new().await;
    let app = client(&world, 1, "\"><b>Lunch").await;
    let points = scope(&world, 1, "<b>Points</b>", "Read \"><b>points").await;
    grant(&world, 1, &world.person, app, &[Scope::self_read()], Assent::Once).await;
    world.clock.advance(MINUTE * 5);
    grant(&world, 2, &world.person, app, &[points], Assent::Once).await;
    let page = assert_page(&world, &mut world.browser_of(EMAIL).await, "/apps").await.body;
    assert_eq!(page.matches(&withdrawal(app)).count(), 1, "{page}");
    for text in ["&#34;&#62;&#60;b&#62;Lunch", "Read &#34;&#62;&#60;b&#62;points", "&#60;b&#62;Points", "School account"] {
        assert!(page.contains(text), "{text} is missing in {page}");
    }
    assert!(page.contains("2026-01-01 09:00") && page.contains("2026-01-01 09:05"), "since the first, used with the last: {page}");
    let others = world.browser_of(ADMIN).await.get("/apps").await.body;
    assert!(others.contains("No app has access") && !others.contains("Lunch"));
}

/// Fails if what is remembered is seen only while a grant lives, or cannot be taken back.
#[tokio::test]
async fn what_an_app_need_not_ask_for_is_shown_and_can_be_withdrawn() {
    let world = World::new().await;
    let app = client(&world, 1, "Lunch").await;
    let ended = grant(&world, 1, &world.person, app, &[Scope::self_read()], Assent::Remembered).await;
    assert!(world.store.revoke_grant(&ended, START).await.unwrap());
    let mut browser = world.browser_of(EMAIL).await;
    let page = browser.get("/apps").await.body;
    assert!(page.contains("it need not ask you again") && page.contains(&withdrawal(app)), "{page}");
    assert_eq!(send(&mut browser, &withdrawal(app), &[]).await.location(), "/console/apps?done=withdrawn");
    let page = browser.follow().await.body;
    assert!(page.contains("The access is withdrawn.") && page.contains("No app has access"), "{page}");
    assert_eq!(world.store.consent(&world.person, &app).await.unwrap(), None);
    let withdrawn = EventKind::ConsentWithdrawn { subject: world.person.clone(), client: app };
    assert!(world.log.events().iter().any(|event| event.kind == withdrawn));
}

/// Fails if the app goes on with another of its grants, or may come back without asking.
#[tokio::test]
async fn withdrawing_an_app_ends_all_of_its_grants_and_what_it_need_not_ask_for() {
    let world = World::new().await;
    let (app, other) = (client(&world, 1, "Lunch").await, client(&world, 2, "Dinner").await);
    let admin = id_of(&world, ADMIN).await;
    let mine = [
        grant(&world, 1, &world.person, app, &[Scope::self_read()], Assent::Remembered).await,
        grant(&world, 2, &world.person, app, &[Scope::self_read()], Assent::Earlier).await,
    ];
    let kept = [
        grant(&world, 3, &world.person, other, &[Scope::self_read()], Assent::Once).await,
        grant(&world, 4, &admin, app, &[Scope::self_read()], Assent::Remembered).await,
    ];
    let mut browser = world.browser_of(EMAIL).await;
    let preview = assert_page(&world, &mut browser, &withdrawal(app)).await.body;
    assert!(preview.contains("Withdraw the access of \u{2068}Lunch\u{2069}?"), "{preview}");
    assert_eq!(world.store.grants_of(&world.person, START).await.unwrap().len(), 3, "looking changes nothing");
    let answer = send(&mut browser, &withdrawal(app), &[]).await;
    assert_eq!((answer.status, answer.location()), (StatusCode::SEE_OTHER, "/console/apps?done=withdrawn"));
    for (grants, live) in [(mine, false), (kept, true)] {
        for grant in grants {
            assert_eq!(world.store.grant_is_live(&grant, world.clock.now()).await.unwrap(), live);
        }
    }
    assert_eq!(world.store.consent(&world.person, &app).await.unwrap(), None);
    assert!(world.store.consent(&admin, &app).await.unwrap().is_some());
    let events = world.log.events();
    for grant in mine {
        let withdrawn = EventKind::GrantWithdrawn { grant, subject: world.person.clone() };
        assert!(events.iter().any(|event| event.kind == withdrawn));
    }
    assert_eq!(send(&mut browser, &withdrawal(app), &[]).await.status, StatusCode::NOT_FOUND, "there is nothing any more");
}

#[tokio::test]
async fn what_others_allowed_is_nobodys_business_also_an_administrators() {
    let world = World::new().await;
    let app = client(&world, 1, "Lunch").await;
    let grant = grant(&world, 1, &world.person, app, &[Scope::self_read()], Assent::Remembered).await;
    let mut admin = world.browser_of(ADMIN).await;
    for path in [withdrawal(app), withdrawal(ClientId::from_random([9; 16])), "/apps/%3Cb%3E/withdraw".to_owned()] {
        assert_eq!(admin.get(&path).await.status, StatusCode::NOT_FOUND, "{path}");
        assert_eq!(send(&mut admin, &path, &[]).await.status, StatusCode::NOT_FOUND, "{path}");
    }
    assert!(world.store.grant_is_live(&grant, START).await.unwrap());
}

#[tokio::test]
async fn s22_no_other_page_withdraws_an_app() {
    let world = World::new().await;
    let app = client(&world, 1, "Lunch").await;
    let grant = grant(&world, 1, &world.person, app, &[Scope::self_read()], Assent::Remembered).await;
    let (mut mine, mut yours) = (world.browser_of(EMAIL).await, world.browser_of(ADMIN).await);
    assert_guarded(&mut mine, &mut yours, &withdrawal(app), &[]).await;
    assert!(world.store.grant_is_live(&grant, START).await.unwrap());
    assert!(world.store.consent(&world.person, &app).await.unwrap().is_some());
}

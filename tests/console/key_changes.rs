use std::sync::Arc;

use http::StatusCode;
use lyceum::domain::{ApiKey, ApiKeySecret, ApiScope, ApiScopes, HiddenFields, PageRequest, PersonalField, Role};
use lyceum::http::Clock;
use lyceum::http::audit::{Change, EventKind, Object};

use crate::client_fixture::hidden;
use crate::given::{DAY, id_of, key};
use crate::harness::*;
use crate::owed::{assert_guarded, assert_page, send};
use crate::pages::assert_safe;

const NEW: &str = "/keys/new";

/// The value that an answer shows once.
fn shown(answer: &Answer) -> ApiKeySecret {
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    assert_safe(answer);
    let rest = answer.body.split("id=\"secret\"").nth(1).unwrap_or_else(|| panic!("nothing is shown in {}", answer.body));
    ApiKeySecret::presented(rest.split_once('>').unwrap().1.split('<').next().unwrap()).unwrap()
}

/// The key of which this is a value that works.
async fn works(world: &World, secret: &ApiKeySecret) -> Option<Arc<ApiKey>> {
    let found = world.store.api_key(&secret.digest()).await.unwrap();
    found.filter(|key| key.works(&secret.digest(), world.clock.now()))
}

/// Renews a key by the form of its page.
async fn renew(browser: &mut Browser, path: &str, fields: &[(&str, &str)]) -> Answer {
    let page = browser.get(path).await.body;
    let seen = hidden(&page, "seen");
    let fields: Vec<_> = fields.iter().copied().chain([("seen", &*seen)]).collect();
    send(browser, path, &fields).await
}

async fn count(world: &World) -> u64 {
    world.store.api_keys(None, PageRequest::LARGEST).await.unwrap().total
}

/// Fails if the key can be seen a second time.
#[tokio::test]
async fn s37_a_new_key_is_shown_once_with_how_to_use_it() {
    let world = World::new().await;
    let mut browser = world.browser_of(EMAIL).await;
    let form = assert_page(&world, &mut browser, NEW).await.body;
    assert!(form.contains("value=\"NEIS_READ\"") && !form.contains("rate_limit"), "limits are for administrators: {form}");
    let fields = [("description", "\"><b>Lunch"), ("scopes", "NEIS_READ"), ("scopes", "STUDENT_READ"), ("hidden_fields", "EMAIL")];
    let answer = send(&mut browser, NEW, &fields).await;
    let secret = shown(&answer);
    let key = works(&world, &secret).await.unwrap();
    let scopes: ApiScopes = [ApiScope::NEIS_READ, ApiScope::STUDENT_READ].into_iter().collect();
    let hidden: HiddenFields = [PersonalField::Email].into_iter().collect();
    assert_eq!((&*key.description.to_string(), &key.scopes, key.hidden, key.quota), ("\"><b>Lunch", &scopes, hidden, None));
    assert_eq!(key.owner.as_ref(), Some(&world.person));
    for text in ["curl -H", "await fetch(", "urlopen(", "https://DATA_API/v1/students", "in the place of YOUR_KEY"] {
        assert!(answer.body.contains(text), "{text} is missing in {}", answer.body);
    }
    assert_eq!(answer.body.matches(secret.expose()).count(), 1);
    assert!(!answer.body.contains("language=ko"), "the other language would be a page without the key");
    for path in ["/keys", "/", &format!("/keys/{}", key.id)] {
        let page = assert_page(&world, &mut browser, path).await.body;
        assert!(!page.contains(secret.expose()), "{path}");
    }
    let created = EventKind::Managed { by: world.person.clone(), object: Object::ApiKey(key.id), change: Change::Created, fields: vec![] };
    assert!(world.log.events().iter().any(|event| event.kind == created));
}

/// Fails if a form comes back empty, or says less than all that is wrong.
#[tokio::test]
async fn faults_of_a_new_key_are_said_beside_their_fields_and_what_was_typed_stays() {
    let world = World::new().await;
    let mut admin = world.browser_of(ADMIN).await;
    let long = "x".repeat(256);
    let whole = "This must be a whole number.";
    for (fields, faults) in [
        (&[][..], &[("description", "Please fill this in."), ("scopes", "Please choose at least one.")][..]),
        (&[("description", &*long), ("scopes", "CLUB_READ")], &[("description", "It must be one line")]),
        (&[("description", "a\nb"), ("scopes", "CLUB_READ")], &[("description", "It must be one line")]),
        (&[("description", "x"), ("scopes", "<b>")], &[("scopes", "One of the scopes does not exist")]),
        (&[("description", "x"), ("scopes", "CLUB_READ"), ("rate_limit", "0")], &[("rate_limit", "It must allow")]),
        (&[("description", "x"), ("scopes", "CLUB_READ"), ("rate_limit", "9"), ("rate_window", "<b>")], &[("rate_window", whole)]),
        (&[("description", "x"), ("scopes", "CLUB_READ"), ("rate_limit", "9"), ("rate_burst", "-1")], &[("rate_burst", whole)]),
        (&[("description", "x"), ("scopes", "CLUB_READ"), ("rate_window", "9")], &[("rate_limit", "Please fill this in.")]),
    ] {
        let page = send(&mut admin, NEW, fields).await;
        assert_eq!(page.status, StatusCode::BAD_REQUEST, "{fields:?}");
        assert_safe(&page);
        for (field, fault) in faults {
            assert!(page.body.contains(&format!("id=\"{field}-fault\">{fault}")), "{field} {fault}: {}", page.body);
        }
        assert_eq!(page.body.matches("class=\"fault\"").count(), faults.len(), "{fields:?}: {}", page.body);
        assert!(!page.body.contains("<b>") && page.body.contains("role=\"alert\""));
    }
    let typed = [("description", "\"><b>Lunch"), ("hidden_fields", "GITHUB"), ("rate_limit", "5"), ("rate_window", "x")];
    let page = send(&mut admin, NEW, &typed).await.body;
    for kept in
        ["value=\"&#34;&#62;&#60;b&#62;Lunch\"", "value=\"GITHUB\" checked", "value=\"5\"", "value=\"x\"", "<details class=\"more\" open>"]
    {
        assert!(page.contains(kept), "{kept} is missing in {page}");
    }
    let unknown = send(&mut admin, NEW, &[("description", "x"), ("scopes", "CLUB_READ"), ("hidden_fields", "NAME")]).await;
    assert!(unknown.status == StatusCode::BAD_REQUEST && unknown.body.contains("Please choose one of the offered."));
    assert_eq!(count(&world).await, 0);
}

/// Fails if a person gets a limit or scopes that an administrator has to give.
#[tokio::test]
async fn only_administrators_give_limits_and_a_role_has_its_scopes() {
    let students = [ApiScope::NEIS_READ].into_iter().collect();
    let world = World::at(ADDRESS, |auth| auth.api_key_scopes(Role::User, students).api_keys_per_owner(1), |console| console).await;
    let (mut browser, mut admin) = (world.browser_of(EMAIL).await, world.browser_of(ADMIN).await);
    let form = browser.get(NEW).await.body;
    assert!(form.contains("NEIS_READ") && !form.contains("STUDENT_READ"), "only what one may choose: {form}");
    let limited = [("description", "Lunch"), ("scopes", "NEIS_READ"), ("rate_limit", "5"), ("rate_window", "10"), ("rate_burst", "2")];
    assert_eq!(send(&mut browser, NEW, &limited).await.status, StatusCode::FORBIDDEN);
    let greedy = send(&mut browser, NEW, &[("description", "Lunch"), ("scopes", "CLUB_READ")]).await;
    assert_eq!(greedy.status, StatusCode::FORBIDDEN);
    assert!(greedy.body.contains("id=\"scopes-fault\">Keys of your role may not") && greedy.body.contains("value=\"Lunch\""));
    assert_eq!(count(&world).await, 0);
    let key = works(&world, &shown(&send(&mut admin, NEW, &limited).await)).await.unwrap();
    let quota = key.quota.unwrap();
    assert_eq!((quota.limit(), quota.window().as_secs(), quota.burst()), (5, 10, 2));
    let page = admin.get(&format!("/keys/{}", key.id)).await.body;
    assert!(page.contains("Requests in a window: 5 · Window in seconds: 10 · At once: 2"), "{page}");
    let more = send(&mut admin, NEW, &limited).await;
    assert!(more.status == StatusCode::CONFLICT && more.body.contains("as many API keys as one may have") && count(&world).await == 1);
}

/// Fails if a scope is offered or given that the host has not told of, or one of the host's own is not.
#[tokio::test]
async fn a_scope_of_a_hosts_own_list_is_offered_by_its_name_where_the_host_tells_of_it() {
    let wish = [("description", "Rooms"), ("scopes", "ROOM_READ")];
    let rooms = ApiScopes::parse("ROOM_READ").unwrap();
    let told = World::at(ADDRESS, |auth| auth.api_scopes(rooms.clone()), |console| console).await;
    let mut browser = told.browser_of(EMAIL).await;
    let form = assert_page(&told, &mut browser, NEW).await.body;
    assert!(form.contains("<label for=\"scopes-ROOM_READ\">ROOM_READ</label>") && !form.contains("scopes-ROOM_READ-hint"), "{form}");
    assert!(form.contains("scopes-NEIS_READ-hint") && !form.contains(">NEIS_READ<"), "the others are called as before: {form}");
    let answer = send(&mut browser, NEW, &wish).await;
    assert!(!answer.body.contains("/v1/students"), "the key does not read students: {}", answer.body);
    let key = works(&told, &shown(&answer)).await.unwrap();
    assert_eq!(key.scopes, rooms);
    for path in ["/keys", &format!("/keys/{}", key.id)] {
        let page = assert_page(&told, &mut browser, path).await.body;
        assert!(page.contains("<span class=\"badge\">ROOM_READ</span>"), "{page}");
    }
    let untold = World::new().await;
    let mut browser = untold.browser_of(EMAIL).await;
    assert!(!browser.get(NEW).await.body.contains("ROOM_READ"));
    let refused = send(&mut browser, NEW, &wish).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    assert!(refused.body.contains("id=\"scopes-fault\">One of the scopes does not exist"), "{}", refused.body);
    assert_eq!(count(&untold).await, 0);
}

/// Fails if the old value goes on for other than was chosen.
#[tokio::test]
async fn decision_2_12_a_renewed_key_has_a_new_value_and_the_old_one_goes_on_as_chosen() {
    let world = World::new().await;
    let id = key(&world, 1, Some(&world.person), "Lunch").await;
    let path = format!("/keys/{id}/renew");
    let mut browser = world.browser_of(EMAIL).await;
    let form = assert_page(&world, &mut browser, &path).await.body;
    assert!(form.contains("value=\"day\" selected"), "{form}");
    let mut old = ApiKeySecret::from_random([1; 16]);
    for (overlap, said, until) in [
        ("hour", "The old value works until \u{2068}2026-01-01 10:00\u{2069}.", Some("2026-01-01 10:00")),
        ("week", "2026-01-08 09:00", Some("2026-01-08 09:00")),
        ("day", "2026-01-02 09:00", Some("2026-01-02 09:00")),
        ("none", "The old value does not work any more.", None),
    ] {
        let answer = renew(&mut browser, &path, &[("overlap", overlap)]).await;
        let new = shown(&answer);
        assert!(answer.body.contains(said) && !answer.body.contains("language=ko"), "{overlap}: {}", answer.body);
        assert_eq!((works(&world, &old).await.is_some(), works(&world, &new).await.is_some()), (until.is_some(), true), "{overlap}");
        let page = browser.get(&format!("/keys/{id}")).await.body;
        let listed = until.map(|until| format!("{}</span> until <time datetime=\"{}", old.hint(), until.split_once(' ').unwrap().0));
        assert_eq!(page.contains(&format!("<li><span class=\"code\">{}", old.hint())), until.is_some(), "{overlap}: {page}");
        assert!(listed.is_none_or(|listed| page.contains(&listed)) && !page.contains(new.expose()), "{overlap}: {page}");
        old = new;
    }
    let page = browser.get(&format!("/keys/{id}")).await.body;
    assert!(page.contains("Old values that still work") && page.matches("</span> until <time").count() == 3, "none is cut: {page}");
    let more = renew(&mut browser, &path, &[("overlap", "hour")]).await;
    old = shown(&more);
    let full = renew(&mut browser, &path, &[("overlap", "hour")]).await;
    assert!(full.status == StatusCode::CONFLICT && full.body.contains("This key has five values that still work"), "{full:?}");
    assert_safe(&full);
    for wrong in [&[("overlap", "<b>")][..], &[]] {
        let page = renew(&mut browser, &path, wrong).await;
        assert!(page.status == StatusCode::BAD_REQUEST && page.body.contains("id=\"overlap-fault\""), "{page:?}");
        assert_safe(&page);
    }
    assert!(works(&world, &old).await.is_some(), "a form with a fault changes nothing");
}

/// Fails if a form that is sent again, as when its answer is loaded anew, renews again: the value that programs still have would end.
#[tokio::test]
async fn a_form_renews_the_value_that_it_was_about_and_no_other() {
    let world = World::new().await;
    let id = key(&world, 1, Some(&world.person), "Lunch").await;
    let path = format!("/keys/{id}/renew");
    let mut browser = world.browser_of(EMAIL).await;
    let page = browser.get(&path).await.body;
    let (token, seen) = (form_token(&page), hidden(&page, "seen"));
    let fields = [("form_token", &*token), ("overlap", "day"), ("seen", &*seen)];
    let new = shown(&browser.post(&path, &fields).await);
    for fields in [&fields[..], &fields[..2]] {
        let again = browser.post(&path, fields).await;
        assert_eq!(again.status, StatusCode::CONFLICT, "{again:?}");
        assert_safe(&again);
        assert!(again.body.contains("at the same moment") && hidden(&again.body, "seen") != seen, "{}", again.body);
    }
    assert!(works(&world, &new).await.is_some() && works(&world, &ApiKeySecret::from_random([1; 16])).await.is_some());
}

#[tokio::test]
async fn a_key_that_has_expired_comes_back_by_renewing_it() {
    let world = World::new().await;
    let id = key(&world, 1, Some(&world.person), "Lunch").await;
    world.clock.advance(31 * DAY);
    let answer = renew(&mut world.browser_of(EMAIL).await, &format!("/keys/{id}/renew"), &[("overlap", "week")]).await;
    assert!(answer.body.contains("The old value does not work any more."), "{}", answer.body);
    let renewed = works(&world, &shown(&answer)).await.unwrap();
    assert_eq!((renewed.id, renewed.expires_at), (id, START.plus(61 * DAY)));
    assert!(works(&world, &ApiKeySecret::from_random([1; 16])).await.is_none());
}

/// Fails if a preview revokes, or a revoked key works.
#[tokio::test]
async fn revoking_is_asked_first_and_says_whether_the_key_is_in_use() {
    let world = World::new().await;
    let id = key(&world, 1, Some(&world.person), "<b>Lunch").await;
    let path = format!("/keys/{id}/revoke");
    let mut browser = world.browser_of(EMAIL).await;
    assert!(assert_page(&world, &mut browser, &path).await.body.contains("It was not used in the last 7 days."));
    let use_of = |day: &str, calls| lyceum::domain::KeyUse { key: id, day: day.parse().unwrap(), calls, last_used_at: START };
    world.store.touch_api_keys(vec![use_of("2025-12-26", 2), use_of("2025-12-25", 9)]).await.unwrap();
    assert!(browser.get(&path).await.body.contains("It was used for 2 requests in the last 7 days."));
    assert!(works(&world, &ApiKeySecret::from_random([1; 16])).await.is_some());
    assert_eq!(send(&mut browser, &path, &[]).await.location(), "/console/keys?done=key-revoked");
    assert!(browser.follow().await.body.contains("The key is revoked."));
    assert!(works(&world, &ApiKeySecret::from_random([1; 16])).await.is_none());
    assert_eq!(send(&mut browser, &path, &[]).await.status, StatusCode::NOT_FOUND);
}

/// Fails if somebody else's key can be changed by whoever knows its id, or an administrator cannot.
#[tokio::test]
async fn only_owners_and_administrators_change_a_key() {
    let world = World::new().await;
    let admins = id_of(&world, ADMIN).await;
    let (mine, theirs) = (key(&world, 1, Some(&world.person), "Lunch").await, key(&world, 2, Some(&admins), "Tower").await);
    let (mut browser, mut admin) = (world.browser_of(EMAIL).await, world.browser_of(ADMIN).await);
    assert_eq!(send(&mut browser, &format!("/keys/{theirs}/renew"), &[("overlap", "none")]).await.status, StatusCode::FORBIDDEN);
    assert_eq!(send(&mut browser, &format!("/keys/{theirs}/revoke"), &[]).await.status, StatusCode::FORBIDDEN);
    assert!(works(&world, &ApiKeySecret::from_random([2; 16])).await.is_some());
    let renewed = shown(&renew(&mut admin, &format!("/keys/{mine}/renew"), &[("overlap", "none")]).await);
    assert_eq!(works(&world, &renewed).await.unwrap().owner.as_ref(), Some(&world.person));
    let answer = send(&mut admin, &format!("/keys/{mine}/revoke"), &[]).await;
    assert_eq!(answer.location(), "/console/admin/keys?done=key-revoked");
    assert!(works(&world, &renewed).await.is_none());
}

#[tokio::test]
async fn s22_no_other_page_makes_renews_or_revokes_a_key() {
    let world = World::new().await;
    let id = key(&world, 1, Some(&world.person), "Lunch").await;
    let (mut mine, mut yours) = (world.browser_of(EMAIL).await, world.browser_of(ADMIN).await);
    assert_guarded(&mut mine, &mut yours, NEW, &[("description", "x"), ("scopes", "CLUB_READ")]).await;
    assert_guarded(&mut mine, &mut yours, &format!("/keys/{id}/renew"), &[("overlap", "none")]).await;
    assert_guarded(&mut mine, &mut yours, &format!("/keys/{id}/revoke"), &[]).await;
    assert!(count(&world).await == 1 && works(&world, &ApiKeySecret::from_random([1; 16])).await.is_some());
}

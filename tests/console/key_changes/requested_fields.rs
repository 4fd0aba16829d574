//! Personal fields of self-made keys, which an administrator shows.

use http::StatusCode;
use lyceum::domain::{ApiKey, ApiKeyRenewal, ApiKeySecret, HiddenFields, PersonalField, Role};
use lyceum::http::audit::{Change, EventKind, ManagedObject};
use lyceum::store::{AccountChange, LeaverChange, Renewal};

use super::{NEW, shown, works};
use crate::audit::audited_harness_with;
use crate::client_fixtures::hidden;
use crate::fixtures::{DAY, id_of};
use crate::harness::*;
use crate::page_assertions::{assert_guarded, assert_page, send};

fn protected() -> HiddenFields {
    let fields = [PersonalField::Email, PersonalField::Dormitory];
    fields.into_iter().collect()
}

async fn harness() -> Harness {
    Harness::with_auth(|auth| auth.protected_fields(Role::User, protected())).await
}

/// Issues a key that asks for the e-mail address.
async fn issue(harness: &Harness, browser: &mut Browser) -> ApiKey {
    let fields = [
        ("description", "Lunch"),
        ("scopes", "STUDENT_READ"),
        ("requested_fields", "EMAIL"),
        ("requested_fields", "GITHUB"),
    ];
    let secret = shown(&send(browser, NEW, &fields).await);
    ApiKey::clone(&*works(harness, &secret).await.unwrap())
}

async fn decide(admin: &mut Browser, key: &ApiKey, decision: &str) -> TestResponse {
    let page = admin.get(&format!("/keys/{}", key.id)).await.body;
    let seen = hidden(&page, "seen");
    let fields = [("decision", decision), ("seen", &*seen)];
    send(admin, &format!("/admin/keys/{}/fields", key.id), &fields).await
}

/// The hidden fields of a key, and those that wait for an administrator.
async fn stored(harness: &Harness, key: &ApiKey) -> (HiddenFields, HiddenFields) {
    let key = harness.store.api_key_by_id(key.id).await.unwrap().unwrap();
    (key.hidden, key.waiting_fields())
}

// Proves: threats 52
/// Fails if a key of a former administrator shows what users see only with an approval, at once or
/// once it is renewed, or if saving the same role takes back an approval.
#[tokio::test]
async fn the_keys_of_a_former_administrator_hide_what_is_protected_for_users() {
    let harness = harness().await;
    let email = EMAIL.parse().unwrap();
    let account = harness.store.account_by_email(&email);
    let id = account.await.unwrap().unwrap().id;
    let promoted = harness
        .accounts
        .set_role(&harness.person, id, Role::Admin)
        .await;
    assert_eq!(promoted.unwrap(), AccountChange::Done);
    let mut former = harness.browser_of(EMAIL).await;
    let fields = [("description", "All"), ("scopes", "STUDENT_READ")];
    let secret = shown(&send(&mut former, NEW, &fields).await);
    let key = ApiKey::clone(&*works(&harness, &secret).await.unwrap());
    assert!(key.hidden.is_empty(), "{:?}", key.hidden);

    let mut admin = harness.browser_of(ADMIN).await;
    let page = admin.get(&format!("/admin/people/{id}")).await.body;
    assert!(page.contains("Their API keys hide the fields that are protected"));
    let role = format!("/admin/people/{id}/role");
    let answer = send(&mut admin, &role, &[("role", "USER")]).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
    assert_eq!(stored(&harness, &key).await.0, protected());
    assert!(works(&harness, &secret).await.is_some());
    let recorded = EventKind::Managed {
        by: id_of(&harness, ADMIN).await,
        object: ManagedObject::ApiKey(key.id),
        change: Change::Changed,
        fields: vec!["hiddenFields"],
    };
    let events = harness.log.events().into_iter().map(|event| event.kind);
    assert_eq!(events.filter(|kind| *kind == recorded).count(), 1);

    let mut former = harness.browser_of(EMAIL).await;
    let renew = format!("/keys/{}/renew", key.id);
    let secret = shown(&super::renew(&mut former, &renew, &[("overlap", "day")]).await);
    let renewed = works(&harness, &secret).await.unwrap();
    assert_eq!(renewed.hidden, protected());

    let asking = issue(&harness, &mut former).await;
    decide(&mut admin, &asking, "approve").await;
    let approved = stored(&harness, &asking).await;
    assert_ne!(approved.0, protected());
    send(&mut admin, &role, &[("role", "USER")]).await;
    assert_eq!(stored(&harness, &asking).await, approved);
}

// Proves: threats 52
/// Fails if a new key shows protected fields, or an approval shows more than was asked for.
#[tokio::test]
async fn a_self_made_key_hides_protected_fields_until_an_administrator_shows_them() {
    let harness = harness().await;
    let (mut browser, mut admin) = (
        harness.browser_of(EMAIL).await,
        harness.browser_of(ADMIN).await,
    );
    let form = assert_page(&harness, &mut browser, NEW).await.body;
    assert!(
        form.contains("id=\"requested_fields-EMAIL\"")
            && !form.contains("id=\"hidden_fields-EMAIL\""),
        "{form}"
    );
    let email: HiddenFields = [PersonalField::Email].into_iter().collect();
    let room: HiddenFields = [PersonalField::Dormitory].into_iter().collect();
    let key = issue(&harness, &mut browser).await;
    assert_eq!((key.hidden, key.requested), (protected(), email));
    let list = assert_page(&harness, &mut admin, "/admin/keys").await.body;
    assert!(list.contains("Personal fields requested"), "{list}");
    let own = browser.get(&format!("/keys/{}", key.id)).await.body;
    assert!(
        own.contains("Waiting for approval by an administrator") && !own.contains("/fields\""),
        "{own}"
    );
    let answer = decide(&mut admin, &key, "approve").await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
    assert_eq!(
        stored(&harness, &key).await,
        (room, HiddenFields::default())
    );
    let list = admin.get("/admin/keys").await.body;
    assert!(!list.contains("Personal fields requested"), "{list}");
}

// Proves: threats 52
/// Fails if administrators find a request only on the page of the key, or decide there about
/// something else than the list showed.
#[tokio::test]
async fn administrators_find_requests_for_fields_in_their_approvals_and_on_home() {
    let harness = harness().await;
    let (mut browser, mut admin) = (
        harness.browser_of(EMAIL).await,
        harness.browser_of(ADMIN).await,
    );
    let (key, other) = (
        issue(&harness, &mut browser).await,
        issue(&harness, &mut browser).await,
    );
    let home = admin.get("/").await.body;
    for text in [
        "2 items to review",
        "Personal fields: Email address",
        "aria-label=\"Review Lunch\"",
        &format!("<a href=\"/console/keys/{}\"><bdi>Lunch</bdi></a>", key.id),
    ] {
        assert!(home.contains(text), "{text} is missing in {home}");
    }
    let waiting = "/admin/waiting";
    let list = assert_page(&harness, &mut admin, waiting).await.body;
    for text in [
        "<h2>Personal fields requested</h2>",
        "Wants to read",
        "haneul@<wbr>school",
        "aria-label=\"Approve for Lunch: Email address\"",
    ] {
        assert!(list.contains(text), "{text} is missing in {list}");
    }
    assert!(!list.contains("no pending approvals"), "{list}");
    assert!(
        !list.contains("class=\"pager\""),
        "one page has no number of entries below its last table: {list}"
    );

    let path = format!("/admin/keys/{}/fields", key.id);
    let stale = [("decision", "approve"), ("seen", "x"), ("back", "waiting")];
    let stale = send(&mut admin, &path, &stale).await;
    assert_eq!(stale.status, StatusCode::CONFLICT);
    assert!(
        stale.body.contains("This has changed in the meantime")
            && stale.body.contains("Wants to read"),
        "{}",
        stale.body
    );
    assert_eq!(stored(&harness, &key).await.0, protected());

    for (key, decision, done) in [
        (&key, "approve", "fields-shown"),
        (&other, "refuse", "fields-refused"),
    ] {
        let list = admin.get(waiting).await.body;
        let form = format!("/admin/keys/{}/fields\"", key.id);
        let seen = hidden(list.split(&form).nth(1).unwrap(), "seen");
        let fields = [
            ("decision", decision),
            ("seen", &*seen),
            ("back", "waiting"),
        ];
        let path = format!("/admin/keys/{}/fields", key.id);
        let answer = send(&mut admin, &path, &fields).await;
        let location = format!("/console/admin/waiting?done={done}");
        assert_eq!(answer.location(), location, "{answer:?}");
    }
    let room: HiddenFields = [PersonalField::Dormitory].into_iter().collect();
    let none = HiddenFields::default();
    assert_eq!(stored(&harness, &key).await, (room, none));
    assert_eq!(stored(&harness, &other).await, (protected(), none));
    let list = admin.get(waiting).await.body;
    assert!(
        list.contains("no pending approvals") && !list.contains("Wants to read"),
        "{list}"
    );
    let theirs = browser.get(waiting).await;
    assert_eq!(theirs.status, StatusCode::FORBIDDEN);
}

/// Fails if an administrator approves a request of a key that no longer works without seeing that.
#[tokio::test]
async fn a_request_of_an_expired_or_suspended_key_is_marked_in_the_approvals() {
    let harness = harness().await;
    let mut browser = harness.browser_of(EMAIL).await;
    let key = issue(&harness, &mut browser).await;
    let marked = async || {
        let mut admin = harness.browser_of(ADMIN).await;
        let list = assert_page(&harness, &mut admin, "/admin/waiting")
            .await
            .body;
        let decision = format!("/admin/keys/{}/fields\"", key.id);
        assert!(list.contains(&decision), "{list}");
        list.contains("</a> <span class=\"badge problem\">Expired</span><small>")
    };
    assert!(!marked().await);
    let account = harness.person.as_str().parse().unwrap();
    let suspended = harness.store.suspend_leaver(account, START).await;
    assert_eq!(suspended.unwrap(), LeaverChange::Changed(Vec::new()));
    assert!(marked().await);
    let resumed = harness.store.resume_leaver(account).await;
    assert_eq!(resumed.unwrap(), LeaverChange::Changed(Vec::new()));
    assert!(!marked().await);
    harness.clock.advance(31 * DAY);
    assert!(marked().await);
}

/// Fails if the owner of a key does not see the request in the list of keys, cannot take it back, or
/// takes back that of somebody else.
#[tokio::test]
async fn owners_see_what_they_have_asked_for_and_take_it_back() {
    let harness = harness().await;
    let (mut browser, mut admin) = (
        harness.browser_of(EMAIL).await,
        harness.browser_of(ADMIN).await,
    );
    let key = issue(&harness, &mut browser).await;
    let list = assert_page(&harness, &mut browser, "/keys").await.body;
    assert!(
        list.contains("Personal fields requested</span><small>Email address<"),
        "{list}"
    );
    let path = format!("/keys/{}/fields/withdraw", key.id);
    let page = format!("/keys/{}", key.id);
    assert!(browser.get(&page).await.body.contains(&path));
    let theirs = admin.get(&page).await.body;
    assert!(!theirs.contains(&path), "{theirs}");
    let mut yours = harness.browser_of(ADMIN).await;
    assert_guarded(&mut browser, &mut yours, &path, &[]).await;
    let answer = send(&mut browser, &path, &[]).await;
    assert_eq!(
        answer.location(),
        format!("/console{page}?done=request-withdrawn")
    );
    let none = HiddenFields::default();
    assert_eq!(stored(&harness, &key).await, (protected(), none));
    assert!(!admin.get("/admin/waiting").await.body.contains("Lunch"));
    let admins = key_of_administrator(&harness, &mut admin).await;
    let theirs = format!("/keys/{}/fields/withdraw", admins.id);
    let answer = send(&mut browser, &theirs, &[]).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
}

/// A key of the administrator.
async fn key_of_administrator(harness: &Harness, admin: &mut Browser) -> ApiKey {
    let fields = [("description", "All"), ("scopes", "STUDENT_READ")];
    let secret = shown(&send(admin, NEW, &fields).await);
    ApiKey::clone(&*works(harness, &secret).await.unwrap())
}

/// Fails if the owner does not learn of a decision, or takes the own change for one.
#[tokio::test]
async fn the_owner_of_a_key_sees_what_was_decided_about_the_last_request() {
    let (stored, _, log) =
        audited_harness_with(|auth| auth.protected_fields(Role::User, protected())).await;
    let (mut browser, mut admin) = (
        stored.browser_of(EMAIL).await,
        stored.browser_of(ADMIN).await,
    );
    let denied = "<span class=\"badge problem\">Denied<";
    let approved = "<span class=\"badge good\">Approved<";
    let key = issue(&stored, &mut browser).await;
    let page = format!("/keys/{}", key.id);
    let shows = async |browser: &mut Browser| {
        assert!(log.flush().await);
        let page = browser.get(&page).await.body;
        (page.contains(denied), page.contains(approved))
    };
    assert_eq!(shows(&mut browser).await, (false, false));
    decide(&mut admin, &key, "refuse").await;
    assert_eq!(shows(&mut browser).await, (true, false));
    ask_again(&mut browser, &key).await;
    assert_eq!(shows(&mut browser).await, (false, false), "it waits");
    let withdraw = format!("{page}/fields/withdraw");
    send(&mut browser, &withdraw, &[]).await;
    assert_eq!(shows(&mut browser).await, (false, false), "nobody decided");
    ask_again(&mut browser, &key).await;
    decide(&mut admin, &key, "approve").await;
    assert_eq!(shows(&mut browser).await, (false, true));
}

/// Fails if a badge says that a request is approved while the key hides the fields again.
#[tokio::test]
async fn an_approval_is_shown_only_while_it_is_in_force() {
    let (stored, _, log) =
        audited_harness_with(|auth| auth.protected_fields(Role::User, protected())).await;
    let (mut browser, mut admin) = (
        stored.browser_of(EMAIL).await,
        stored.browser_of(ADMIN).await,
    );
    let key = issue(&stored, &mut browser).await;
    let page = format!("/keys/{}", key.id);
    decide(&mut admin, &key, "approve").await;
    assert!(log.flush().await);
    let approved = "<span class=\"badge good\">Approved<";
    assert!(browser.get(&page).await.body.contains(approved));
    // As when its owner loses a role.
    let owner = key.owner.as_ref().unwrap();
    let hidden = stored.store.hide_fields_of(owner, protected()).await;
    assert_eq!(hidden.unwrap(), [key.id]);
    let page = browser.get(&page).await.body;
    assert!(!page.contains(approved), "{page}");
}

/// Fails if the owner takes back what an administrator has decided meanwhile.
#[tokio::test]
async fn a_request_that_was_decided_cannot_be_withdrawn() {
    let harness = harness().await;
    let (mut browser, mut admin) = (
        harness.browser_of(EMAIL).await,
        harness.browser_of(ADMIN).await,
    );
    for decision in ["approve", "refuse"] {
        let key = issue(&harness, &mut browser).await;
        decide(&mut admin, &key, decision).await;
        let decided = harness.store.api_key_by_id(key.id).await.unwrap().unwrap();
        let events = harness.log.events().len();
        let path = format!("/keys/{}/fields/withdraw", key.id);
        let answer = send(&mut browser, &path, &[]).await;
        assert_eq!(
            answer.status,
            StatusCode::CONFLICT,
            "{decision}: {answer:?}"
        );
        let now = harness.store.api_key_by_id(key.id).await.unwrap().unwrap();
        assert_eq!(now.settings(), decided.settings(), "{decision}");
        let after = harness.log.events().split_off(events);
        assert!(
            matches!(&after[..], [event] if matches!(event.kind, EventKind::Refused(_))),
            "{after:?}"
        );
    }
}

/// Asks for the room with the form of an existing key.
async fn ask_again(browser: &mut Browser, key: &ApiKey) {
    let path = format!("/keys/{}/edit", key.id);
    let seen = hidden(&browser.get(&path).await.body, "seen");
    let again = [
        ("description", "Lunch"),
        ("scopes", "STUDENT_READ"),
        ("requested_fields", "DORMITORY"),
        ("seen", &*seen),
    ];
    let answer = send(browser, &path, &again).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
}

// Proves: threats 52
/// Fails if a renewal brings a key back with more fields than its owner may give, or takes an
/// approval back.
#[tokio::test]
async fn a_renewal_hides_what_is_protected_unless_an_administrator_has_approved_it() {
    let harness = harness().await;
    let (mut browser, mut admin) = (
        harness.browser_of(EMAIL).await,
        harness.browser_of(ADMIN).await,
    );
    // As the key of a former administrator whose role the host has taken away itself.
    let former = crate::fixtures::key(&harness, 9, Some(&harness.person), "Former").await;
    let former = harness.store.api_key_by_id(former).await.unwrap().unwrap();
    assert!(former.hidden.is_empty());
    let renew = format!("/keys/{}/renew", former.id);
    let page = assert_page(&harness, &mut browser, &renew).await.body;
    assert!(
        page.contains("Once you renew it, it hides them") && page.contains("Email address"),
        "{page}"
    );
    super::renew(&mut browser, &renew, &[("overlap", "day")]).await;
    let none = HiddenFields::default();
    assert_eq!(stored(&harness, &former).await, (protected(), none));
    let recorded = EventKind::Managed {
        by: harness.person.clone(),
        object: ManagedObject::ApiKey(former.id),
        change: Change::Changed,
        fields: vec!["hiddenFields"],
    };
    let events = || harness.log.events().into_iter().map(|event| event.kind);
    assert_eq!(events().filter(|kind| *kind == recorded).count(), 1);

    // Also if an administrator renews it, who has the role of an administrator.
    let theirs = crate::fixtures::key(&harness, 8, Some(&harness.person), "Theirs").await;
    let theirs = harness.store.api_key_by_id(theirs).await.unwrap().unwrap();
    let path = format!("/keys/{}/renew", theirs.id);
    super::renew(&mut admin, &path, &[("overlap", "day")]).await;
    assert_eq!(stored(&harness, &theirs).await, (protected(), none));

    let approved = issue(&harness, &mut browser).await;
    decide(&mut admin, &approved, "approve").await;
    let room: HiddenFields = [PersonalField::Dormitory].into_iter().collect();
    let renew = format!("/keys/{}/renew", approved.id);
    for browser in [&mut browser, &mut admin] {
        let page = browser.get(&renew).await.body;
        assert!(!page.contains("Once you renew it, it hides"), "{page}");
        super::renew(browser, &renew, &[("overlap", "none")]).await;
        assert_eq!(stored(&harness, &approved).await, (room, none));
    }
    // An approval ends when the owner hides the field, or loses a role.
    let owner = approved.owner.as_ref().unwrap();
    let hidden = harness.store.hide_fields_of(owner, protected());
    assert!(hidden.await.unwrap().contains(&approved.id));
    assert_eq!(stored(&harness, &approved).await, (protected(), none));
}

// Proves: threats 52
/// Fails if a form that is refused takes fields from the programs that have the key.
#[tokio::test]
async fn a_renewal_that_is_refused_hides_nothing() {
    let harness = harness().await;
    let mut browser = harness.browser_of(EMAIL).await;
    let former = crate::fixtures::key(&harness, 9, Some(&harness.person), "Former").await;
    for number in 10..14 {
        let secret = ApiKeySecret::from_random([number; 16]);
        let renewal = ApiKeyRenewal {
            digest: secret.digest(),
            hint: secret.hint(),
            overlap: ApiKey::DEFAULT_OVERLAP,
        };
        let renewed = harness.store.renew_api_key(former, renewal, START).await;
        assert!(matches!(renewed.unwrap(), Renewal::Renewed(_)));
    }
    let key = harness.store.api_key_by_id(former).await.unwrap().unwrap();
    let path = format!("/keys/{former}/renew");
    for (overlap, status) in [
        ("day", StatusCode::CONFLICT),
        ("ever", StatusCode::BAD_REQUEST),
    ] {
        let answer = super::renew(&mut browser, &path, &[("overlap", overlap)]).await;
        assert_eq!(answer.status, status, "{overlap}: {answer:?}");
        let now = harness.store.api_key_by_id(former).await.unwrap().unwrap();
        assert_eq!(now.settings(), key.settings(), "{overlap}");
    }
    assert!(key.hidden.is_empty());
    super::renew(&mut browser, &path, &[("overlap", "none")]).await;
    assert_eq!(stored(&harness, &key).await.0, protected());
}

// Proves: threats 52
/// Fails if owners approve their own requests by an edit, or an administrator's edit is no approval.
#[tokio::test]
async fn only_what_an_administrator_shows_in_the_key_of_somebody_else_is_approved() {
    let harness = harness().await;
    let (mut browser, mut admin) = (
        harness.browser_of(EMAIL).await,
        harness.browser_of(ADMIN).await,
    );
    let key = issue(&harness, &mut browser).await;
    let path = format!("/keys/{}/edit", key.id);
    let seen = hidden(&admin.get(&path).await.body, "seen");
    let shown = [
        ("description", "Lunch"),
        ("scopes", "STUDENT_READ"),
        ("hidden_fields", "EMAIL"),
        ("seen", &*seen),
    ];
    let answer = send(&mut admin, &path, &shown).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
    let email: HiddenFields = [PersonalField::Email].into_iter().collect();
    assert_eq!(stored(&harness, &key).await, (email, email), "it waits");
    let renew = format!("/keys/{}/renew", key.id);
    super::renew(&mut browser, &renew, &[("overlap", "none")]).await;
    assert_eq!(stored(&harness, &key).await, (email, email));
    // An administrator who hides the room again asks for nothing.
    let seen = hidden(&admin.get(&path).await.body, "seen");
    let again = [
        ("description", "Lunch"),
        ("scopes", "STUDENT_READ"),
        ("hidden_fields", "EMAIL"),
        ("hidden_fields", "DORMITORY"),
        ("seen", &*seen),
    ];
    send(&mut admin, &path, &again).await;
    assert_eq!(stored(&harness, &key).await, (protected(), email));
    let seen = hidden(&browser.get(&path).await.body, "seen");
    let own = [
        ("description", "Lunch"),
        ("scopes", "STUDENT_READ"),
        ("hidden_fields", "DORMITORY"),
        ("seen", &*seen),
    ];
    let answer = send(&mut browser, &path, &own).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
    let none = HiddenFields::default();
    assert_eq!(stored(&harness, &key).await, (protected(), none));
    let settings = harness.store.api_key_by_id(key.id).await.unwrap().unwrap();
    assert_eq!(settings.settings().approved_fields(), none);
}

#[tokio::test]
async fn a_refused_request_hides_the_fields_and_can_be_made_again() {
    let harness = harness().await;
    let (mut browser, mut admin) = (
        harness.browser_of(EMAIL).await,
        harness.browser_of(ADMIN).await,
    );
    let key = issue(&harness, &mut browser).await;
    decide(&mut admin, &key, "refuse").await;
    assert_eq!(
        stored(&harness, &key).await,
        (protected(), HiddenFields::default())
    );
    ask_again(&mut browser, &key).await;
    let room: HiddenFields = [PersonalField::Dormitory].into_iter().collect();
    assert_eq!(stored(&harness, &key).await, (protected(), room));
}

// Proves: threats 52
/// Fails if a user decides about the own key, or a decision is about a request that the page did
/// not show.
#[tokio::test]
async fn only_administrators_decide_and_only_about_what_they_have_seen() {
    let harness = harness().await;
    let (mut browser, mut admin) = (
        harness.browser_of(EMAIL).await,
        harness.browser_of(ADMIN).await,
    );
    let key = issue(&harness, &mut browser).await;
    let path = format!("/admin/keys/{}/fields", key.id);
    let before = stored(&harness, &key).await;
    let own = send(&mut browser, &path, &[("decision", "approve")]).await;
    assert_eq!(own.status, StatusCode::FORBIDDEN);
    let stale = send(&mut admin, &path, &[("decision", "approve"), ("seen", "x")]).await;
    assert_eq!(stale.status, StatusCode::CONFLICT);
    assert_eq!(stored(&harness, &key).await, before);
    let mut yours = harness.browser_of(ADMIN).await;
    assert_guarded(&mut admin, &mut yours, &path, &[("decision", "approve")]).await;
    assert_eq!(stored(&harness, &key).await, before);
}

/// Fails if the library protects fields that the host did not name.
#[tokio::test]
async fn without_the_setting_a_new_key_shows_every_field() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_of(EMAIL).await;
    let key = issue(&harness, &mut browser).await;
    assert!(key.hidden.is_empty() && key.requested.is_empty());
}

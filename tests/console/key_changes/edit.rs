//! Changed settings of API keys.

use std::time::Duration;

use http::StatusCode;
use lyceum::domain::{
    ApiKeyId, ApiKeySettings, ApiScope, ApiScopes, HiddenFields, PersonalField, Quota,
};
use lyceum::http::audit::{Change, EventKind, ManagedObject};
use lyceum::store::ApiKeyUpdate;

use crate::client_fixtures::hidden;
use crate::fixtures::key;
use crate::harness::*;
use crate::page_assertions::{assert_page, send};

async fn settings(harness: &Harness, id: ApiKeyId) -> ApiKeySettings {
    let key = harness.store.api_key_by_id(id).await.unwrap();
    key.unwrap().settings()
}

/// A key of the user with every built-in scope.
async fn wide_key(harness: &Harness) -> ApiKeyId {
    let id = key(harness, 1, Some(&harness.person), "Lunch").await;
    let now = settings(harness, id).await;
    let wide = ApiKeySettings {
        scopes: ApiScopes::built_in(),
        ..now.clone()
    };
    let outcome = harness.store.update_api_key(id, &now, wide).await;
    assert_eq!(outcome.unwrap(), ApiKeyUpdate::Updated);
    id
}

/// Submits the form of a key's page.
async fn edit(browser: &mut Browser, id: ApiKeyId, fields: &[(&str, &str)]) -> TestResponse {
    let path = format!("/keys/{id}/edit");
    let page = browser.get(&path).await.body;
    let seen = hidden(&page, "seen");
    let fields: Vec<_> = fields.iter().copied().chain([("seen", &*seen)]).collect();
    send(browser, &path, &fields).await
}

fn quota(limit: u32) -> Option<Quota> {
    Quota::new(limit, Duration::from_secs(60), limit).ok()
}

/// Fails if a change of an owner is not kept, or its event does not name the fields.
#[tokio::test]
async fn an_owner_narrows_a_key_and_the_event_names_the_fields() {
    let harness = Harness::with_auth(|auth| auth.api_key_limit(Quota::DEFAULT_FOR_API_KEY)).await;
    let id = wide_key(&harness).await;
    let mut browser = harness.browser_of(EMAIL).await;
    let form = assert_page(&harness, &mut browser, &format!("/keys/{id}/edit"))
        .await
        .body;
    assert!(
        form.contains("At most 100 requests in 60 seconds"),
        "{form}"
    );
    let before = harness.store.api_keys_version();
    let fields = [
        ("description", "Lunch bot"),
        ("scopes", "NEIS_READ"),
        ("hidden_fields", "SEX"),
        ("rate_limit", "20"),
    ];
    let answer = edit(&mut browser, id, &fields).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
    assert_eq!(answer.location(), format!("/console/keys/{id}?done=saved"));
    let expected = ApiKeySettings {
        description: "Lunch bot".parse().unwrap(),
        scopes: [ApiScope::NEIS_READ].into_iter().collect(),
        hidden: [PersonalField::Sex].into_iter().collect(),
        requested: HiddenFields::default(),
        quota: quota(20),
    };
    assert_eq!(settings(&harness, id).await, expected);
    assert_ne!(
        harness.store.api_keys_version(),
        before,
        "caches of keys see the change at once"
    );
    let changed = EventKind::Managed {
        by: harness.person.clone(),
        object: ManagedObject::ApiKey(id),
        change: Change::Changed,
        fields: vec!["description", "scopes", "hiddenFields", "rateLimit"],
    };
    assert!(harness.recorded(&changed) > 0);
    // Empty fields of the limit and of hidden fields leave them as they are.
    let fields = [("description", "Lunch bot"), ("scopes", "NEIS_READ")];
    let answer = edit(&mut browser, id, &fields).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
    assert_eq!(settings(&harness, id).await, expected);
}

// Proves: threats 52
/// Fails if an owner can widen a key with a form that the page does not offer.
#[tokio::test]
async fn only_an_administrator_widens_a_key() {
    let harness = Harness::new().await;
    let id = wide_key(&harness).await;
    let stored = ApiKeySettings {
        scopes: [ApiScope::NEIS_READ].into_iter().collect(),
        hidden: [PersonalField::Email].into_iter().collect(),
        quota: quota(20),
        ..settings(&harness, id).await
    };
    let now = settings(&harness, id).await;
    let outcome = harness.store.update_api_key(id, &now, stored.clone()).await;
    assert_eq!(outcome.unwrap(), ApiKeyUpdate::Updated);
    let (mut browser, mut admin) = (
        harness.browser_of(EMAIL).await,
        harness.browser_of(ADMIN).await,
    );
    let wider = [
        ("description", "Lunch"),
        ("scopes", "NEIS_READ"),
        ("scopes", "CLUB_READ"),
    ];
    let faster = [
        ("description", "Lunch"),
        ("scopes", "NEIS_READ"),
        ("rate_limit", "21"),
    ];
    let bursts = [
        ("description", "Lunch"),
        ("scopes", "NEIS_READ"),
        ("rate_limit", "5"),
        ("rate_burst", "21"),
    ];
    let slower = [
        ("description", "Lunch"),
        ("scopes", "NEIS_READ"),
        ("rate_limit", "20"),
        ("rate_window", "30"),
    ];
    let unreadable = [
        ("description", "Lunch"),
        ("scopes", "NEIS_READ"),
        ("rate_limit", "abc"),
    ];
    for (fields, field, message) in [
        (&wider[..], "scopes", "Scopes of a key can only be removed."),
        (&faster, "rate_limit", "At most 20; administrators can"),
        (&bursts, "rate_burst", "At most 20; administrators can"),
        (&slower, "rate_window", "At least 60 for this many"),
        (
            &unreadable,
            "rate_limit",
            "Enter a whole number from 1 to 20.",
        ),
    ] {
        let answer = edit(&mut browser, id, fields).await;
        assert!(answer.status.is_client_error(), "{answer:?}");
        let fault = format!("id=\"{field}-fault\">{message}");
        assert!(answer.body.contains(&fault), "{fault}: {}", answer.body);
        let faults = answer.body.matches("class=\"fault\"").count();
        assert_eq!(faults, 1, "{field}: {}", answer.body);
        assert_eq!(settings(&harness, id).await, stored);
    }
    let nothing_hidden = [("description", "Lunch"), ("scopes", "NEIS_READ")];
    edit(&mut browser, id, &nothing_hidden).await;
    assert_eq!(
        settings(&harness, id).await,
        stored,
        "an owner shows no hidden field"
    );
    let answer = edit(&mut admin, id, &wider).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
    let widened = settings(&harness, id).await;
    assert!(widened.scopes.contains(&ApiScope::CLUB_READ));
    assert!(widened.hidden.is_empty() && widened.quota.is_none());
}

// Proves: threats 52
/// Fails if a form undoes a change that it did not show.
#[tokio::test]
async fn a_form_made_from_older_settings_changes_nothing() {
    let harness = Harness::new().await;
    let id = wide_key(&harness).await;
    let mut browser = harness.browser_of(EMAIL).await;
    let path = format!("/keys/{id}/edit");
    let seen = hidden(&browser.get(&path).await.body, "seen");
    let fields = [("description", "First"), ("scopes", "NEIS_READ")];
    edit(&mut browser, id, &fields).await;
    let late = [
        ("description", "Second"),
        ("scopes", "NEIS_READ"),
        ("seen", &*seen),
    ];
    let answer = send(&mut browser, &path, &late).await;
    assert_eq!(answer.status, StatusCode::CONFLICT);
    assert!(
        answer.body.contains("value=\"First\""),
        "the form has the stored values: {}",
        answer.body
    );
    assert_eq!(settings(&harness, id).await.description.as_str(), "First");
}

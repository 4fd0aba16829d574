//! Changes of registered clients.

use http::StatusCode;
use lyceum::domain::{Client, ClientSettings, Scope};
use lyceum::store::ClientUpdate;

use super::{PUBLIC, posted, with};
use crate::client_fixtures::*;
use crate::harness::*;
use crate::pages::assert_safe;

// Proves: threats 36
/// Fails if a privileged field is accepted from a user who is no administrator.
#[tokio::test]
async fn what_is_for_administrators_stays_as_it_is_in_the_forms_of_others() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_of(EMAIL).await;
    for field in ["first_party", "client_credentials_allowed", "owner", "id"] {
        let page = posted(
            &mut browser,
            "/clients/new",
            &with(&PUBLIC, &[(field, "true")]),
        )
        .await;
        assert_eq!(page.status, StatusCode::BAD_REQUEST, "{field}");
    }
    assert!(stored_clients(&harness).await.is_empty());
    let client = client(&harness, 1, |client| Client {
        client_credentials_allowed: true,
        ..client
    })
    .await;
    let path = format!("/clients/{}/edit", client.id);
    let fields = [("name", "Renamed"), ("policy", "secret")];
    assert_eq!(
        posted(&mut browser, &path, &fields).await.status,
        StatusCode::SEE_OTHER
    );
    assert!(
        stored_client(&harness, client.id)
            .await
            .client_credentials_allowed,
        "the owner's form has no such field"
    );
    let page = posted(
        &mut browser,
        &path,
        &[("name", "Renamed"), ("policy", "none")],
    )
    .await;
    assert!(
        page.status == StatusCode::BAD_REQUEST
            && page.body.contains("cannot get tokens without a user"),
        "{}",
        page.body
    );
    let mut admin = harness.browser_of(ADMIN).await;
    assert_eq!(
        posted(
            &mut admin,
            &path,
            &[
                ("name", "Ours"),
                ("policy", "secret"),
                ("first_party", "true")
            ]
        )
        .await
        .status,
        303
    );
    let kept = stored_client(&harness, client.id).await;
    assert!(kept.first_party && !kept.client_credentials_allowed && kept.owner == harness.person);
}

/// Fails if an old form undoes another user's change.
#[tokio::test]
async fn a_form_that_shows_an_older_version_overwrites_nothing() {
    let harness = Harness::new().await;
    let client = client(&harness, 1, |client| client).await;
    let path = format!("/clients/{}/edit", client.id);
    let mut browser = harness.browser_of(EMAIL).await;
    let opened = browser.get(&path).await;
    assert_safe(&opened);
    for text in [
        "value=\"Timetable 1\"",
        ">https://app.example/callback</textarea>",
    ] {
        assert!(
            opened.body.contains(text),
            "{text} is missing in {}",
            opened.body
        );
    }
    let (token, seen) = (form_token(&opened.body), hidden(&opened.body, "seen"));
    let theirs = ClientSettings {
        name: "By somebody else".parse().unwrap(),
        ..client.settings()
    };
    assert_eq!(
        harness
            .store
            .update_client(client.id, &client.settings(), theirs.clone())
            .await
            .unwrap(),
        ClientUpdate::Updated
    );
    let fields = [
        ("form_token", &*token),
        ("seen", &*seen),
        ("name", "Mine"),
        ("policy", "none"),
    ];
    for fields in [
        &fields[..],
        &fields[2..],
        &[("seen", "x"), ("name", "Mine"), ("policy", "none")],
    ] {
        let fields: Vec<_> = with(fields, &[("form_token", &token)]);
        let page = browser.post(&path, &fields).await;
        assert_eq!(page.status, StatusCode::CONFLICT);
        assert_safe(&page);
        assert!(
            page.body.contains("This has changed in the meantime")
                && page.body.contains("value=\"By somebody else\"")
                && !page.body.contains("Mine")
        );
        assert_eq!(stored_client(&harness, client.id).await.settings(), theirs);
    }
    // The new form can be submitted. Adding a secret does not change the version.
    let _ = harness
        .store
        .add_client_secret(client.id, secret(9))
        .await
        .unwrap();
    let page = browser.post(&path, &fields).await.body;
    let seen = hidden(&page, "seen");
    let fields = with(&fields, &[("seen", &seen), ("policy", "secret")]);
    let answer = browser.post(&path, &fields).await;
    assert_eq!(
        answer.location(),
        format!("/console/clients/{}?done=saved", client.id)
    );
    assert_eq!(
        stored_client(&harness, client.id).await.name.as_str(),
        "Mine"
    );
    assert!(browser.follow().await.body.contains("Mine"));
}

#[tokio::test]
async fn changing_a_client_keeps_its_secrets_and_the_order_of_its_scopes() {
    let harness = Harness::new().await;
    let scopes = application(
        &harness,
        &harness.person,
        1,
        "Own",
        &[("a", false), ("b", false), ("c", false)],
    )
    .await;
    let before = [scopes[2].clone(), scopes[0].clone()].into_iter().collect();
    let client = client(&harness, 1, |client| Client {
        allowed_scopes: before,
        ..client
    })
    .await;
    let path = format!("/clients/{}/edit", client.id);
    let mut browser = harness.browser_of(EMAIL).await;
    let chosen: Vec<String> = scopes.iter().map(ToString::to_string).collect();
    let mut fields = vec![("name", "Timetable 1"), ("policy", "secret")];
    fields.extend(chosen.iter().map(|scope| ("scopes", &**scope)));
    assert_eq!(
        posted(&mut browser, &path, &fields).await.status,
        StatusCode::SEE_OTHER
    );
    let changed = stored_client(&harness, client.id).await;
    let order: Vec<&Scope> = changed.allowed_scopes.iter().collect();
    assert_eq!(
        (order, &changed.secrets),
        (vec![&scopes[2], &scopes[0], &scopes[1]], &client.secrets)
    );
    let page = browser.get(&path).await.body;
    assert!(
        page.contains("The secrets of this client stop working immediately"),
        "{page}"
    );
    assert_eq!(
        posted(
            &mut browser,
            &path,
            &[("name", "Public now"), ("policy", "none")]
        )
        .await
        .status,
        StatusCode::SEE_OTHER
    );
    assert!(stored_client(&harness, client.id).await.secrets.is_empty());
}

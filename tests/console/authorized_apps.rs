use http::StatusCode;
use lyceum::domain::{ClientId, PageRequest, Scope, Translations};
use lyceum::http::Clock;
use lyceum::http::audit::EventKind;
use lyceum::store::{ApplicationPatch, ConsentMode, RegistryChange, ScopePatch};

use crate::fixtures::{client, grant, id_of, scope, self_grant};
use crate::harness::*;
use crate::page_assertions::{assert_guarded, assert_page, send};

fn withdrawal(client: ClientId) -> String {
    format!("/apps/{client}/withdraw")
}

/// Fails if an app is listed once per grant, or only with the scopes of its last grant.
#[tokio::test]
async fn all_grants_of_a_client_are_one_authorized_app() {
    let harness = Harness::new().await;
    let app = client(&harness, 1, "\"><b>Lunch").await;
    let points = scope(&harness, 1, "<b>Points</b>", "Read \"><b>points").await;
    self_grant(&harness, 1, &harness.person, app, ConsentMode::Once).await;
    harness.clock.advance(MINUTE * 5);
    grant(
        &harness,
        2,
        &harness.person,
        app,
        &[points],
        ConsentMode::Once,
    )
    .await;
    let page = assert_page(&harness, &mut harness.browser_of(EMAIL).await, "/apps")
        .await
        .body;
    assert_eq!(page.matches(&withdrawal(app)).count(), 1, "{page}");
    for text in [
        "&#34;&#62;&#60;b&#62;Lunch",
        "Read &#34;&#62;&#60;b&#62;points",
        "&#60;b&#62;Points",
        "from <bdi>Haneul &#60;High&#62; School</bdi>",
    ] {
        assert!(page.contains(text), "{text} is missing in {page}");
    }
    assert!(
        page.contains("2026-01-01 09:00") && page.contains("2026-01-01 09:05"),
        "granted first, used last: {page}"
    );
    let others = harness.browser_of(ADMIN).await.get("/apps").await.body;
    assert!(others.contains("No apps are connected") && !others.contains("Lunch"));
}

/// Fails if a remembered consent is listed only while a grant is live, or cannot be revoked.
#[tokio::test]
async fn a_remembered_consent_is_shown_and_can_be_revoked() {
    let harness = Harness::new().await;
    let app = client(&harness, 1, "Lunch").await;
    let ended = self_grant(&harness, 1, &harness.person, app, ConsentMode::Remembered).await;
    assert!(harness.store.revoke_grant(&ended, START).await.unwrap());
    let mut browser = harness.browser_of(EMAIL).await;
    let page = browser.get("/apps").await.body;
    assert!(
        page.contains("it can reconnect without asking you again")
            && page.contains(&withdrawal(app)),
        "{page}"
    );
    assert_eq!(
        send(&mut browser, &withdrawal(app), &[]).await.location(),
        "/console/apps?done=withdrawn"
    );
    let page = browser.follow().await.body;
    assert!(
        page.contains("Access revoked.") && page.contains("No apps are connected"),
        "{page}"
    );
    assert_eq!(
        harness.store.consent(&harness.person, &app).await.unwrap(),
        None
    );
    let withdrawn = EventKind::ConsentWithdrawn {
        subject: harness.person.clone(),
        client: app,
    };
    assert!(harness.recorded(&withdrawn) > 0);
}

/// Fails if another grant of the app stays live, or the app gets a new one without consent.
#[tokio::test]
async fn revoking_an_app_ends_all_of_its_grants_and_its_consent() {
    let harness = Harness::new().await;
    let (app, other) = (
        client(&harness, 1, "Lunch").await,
        client(&harness, 2, "Dinner").await,
    );
    let admin = id_of(&harness, ADMIN).await;
    let mine = [
        self_grant(&harness, 1, &harness.person, app, ConsentMode::Remembered).await,
        self_grant(&harness, 2, &harness.person, app, ConsentMode::Existing).await,
    ];
    let kept = [
        self_grant(&harness, 3, &harness.person, other, ConsentMode::Once).await,
        self_grant(&harness, 4, &admin, app, ConsentMode::Remembered).await,
    ];
    let mut browser = harness.browser_of(EMAIL).await;
    let preview = assert_page(&harness, &mut browser, &withdrawal(app))
        .await
        .body;
    assert!(preview.contains("Revoke the access of Lunch?"), "{preview}");
    assert_eq!(
        harness
            .store
            .grants_of(&harness.person, START)
            .await
            .unwrap()
            .len(),
        3,
        "the preview changes nothing"
    );
    let answer = send(&mut browser, &withdrawal(app), &[]).await;
    assert_eq!(
        (answer.status, answer.location()),
        (StatusCode::SEE_OTHER, "/console/apps?done=withdrawn")
    );
    for (grants, live) in [(mine, false), (kept, true)] {
        for grant in grants {
            assert_eq!(
                harness
                    .store
                    .grant_is_live(&grant, harness.clock.now())
                    .await
                    .unwrap(),
                live
            );
        }
    }
    assert_eq!(
        harness.store.consent(&harness.person, &app).await.unwrap(),
        None
    );
    assert!(harness.store.consent(&admin, &app).await.unwrap().is_some());
    for grant in mine {
        let withdrawn = EventKind::GrantWithdrawn {
            grant,
            subject: harness.person.clone(),
        };
        assert!(harness.recorded(&withdrawn) > 0);
    }
    assert_eq!(
        send(&mut browser, &withdrawal(app), &[]).await.status,
        StatusCode::NOT_FOUND,
        "the app is not listed any more"
    );
}

#[tokio::test]
async fn consents_of_other_users_are_hidden_also_from_administrators() {
    let harness = Harness::new().await;
    let app = client(&harness, 1, "Lunch").await;
    let grant = self_grant(&harness, 1, &harness.person, app, ConsentMode::Remembered).await;
    let mut admin = harness.browser_of(ADMIN).await;
    for path in [
        withdrawal(app),
        withdrawal(ClientId::from_random([9; 16])),
        "/apps/%3Cb%3E/withdraw".to_owned(),
    ] {
        assert_eq!(
            admin.get(&path).await.status,
            StatusCode::NOT_FOUND,
            "{path}"
        );
        assert_eq!(
            send(&mut admin, &path, &[]).await.status,
            StatusCode::NOT_FOUND,
            "{path}"
        );
    }
    assert!(harness.store.grant_is_live(&grant, START).await.unwrap());
}

// Proves: threats 22
#[tokio::test]
async fn no_other_page_revokes_an_app() {
    let harness = Harness::new().await;
    let app = client(&harness, 1, "Lunch").await;
    let grant = self_grant(&harness, 1, &harness.person, app, ConsentMode::Remembered).await;
    let (mut mine, mut yours) = (
        harness.browser_of(EMAIL).await,
        harness.browser_of(ADMIN).await,
    );
    assert_guarded(&mut mine, &mut yours, &withdrawal(app), &[]).await;
    assert!(harness.store.grant_is_live(&grant, START).await.unwrap());
    assert!(
        harness
            .store
            .consent(&harness.person, &app)
            .await
            .unwrap()
            .is_some()
    );
}

/// Fails if the scopes of an app are described in another language than the page.
#[tokio::test]
async fn the_scopes_of_an_app_are_described_in_the_language_of_the_reader() {
    let harness = Harness::new().await;
    let app = client(&harness, 1, "Lunch").await;
    let points = scope(&harness, 1, "Points", "Read points").await;
    let texts = |text| Some(Translations::from_pairs([("ko", text)]).unwrap());
    let of_application = ApplicationPatch {
        name: None,
        name_translations: texts("상점"),
    };
    let changed = harness
        .store
        .update_application(points.application, of_application)
        .await;
    assert_eq!(changed.unwrap(), RegistryChange::Done);
    let scopes = harness
        .store
        .scopes(Some(points.application), PageRequest::LARGEST)
        .await
        .unwrap();
    let of_scope = ScopePatch {
        description_translations: texts("상점을 <b>읽어요"),
        ..ScopePatch::default()
    };
    let changed = harness
        .store
        .update_scope(scopes.items[0].id, of_scope)
        .await;
    assert_eq!(changed.unwrap(), RegistryChange::Done);
    let granted = [points, Scope::self_read()];
    grant(
        &harness,
        1,
        &harness.person,
        app,
        &granted,
        ConsentMode::Once,
    )
    .await;
    let mut browser = harness.browser_of(EMAIL).await;
    for (language, shown, hidden) in [
        (
            "en",
            ["Read points", "Points", "Read your basic information"],
            "상점",
        ),
        (
            "ko",
            [
                "상점을 &#60;b&#62;읽어요",
                "<bdi>상점</bdi>",
                "내 기본 정보",
            ],
            "Read ",
        ),
    ] {
        browser.language = language;
        let page = browser.get("/apps").await.body;
        for text in shown {
            assert!(page.contains(text), "{text} is missing in {page}");
        }
        assert!(!page.contains(hidden), "{page}");
    }
}

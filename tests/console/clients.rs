use http::{Method, StatusCode};
use lyceum::domain::{Advice, Client, ClientPolicy, Scope, SubjectId};
use lyceum::http::audit::EventKind;

use crate::client_fixtures::*;
use crate::harness::*;
use crate::page_assertions::assert_page;
use crate::pages::assert_safe;

#[tokio::test]
async fn the_list_has_own_clients_with_scopes_grants_and_advice() {
    let harness = Harness::new().await;
    let other = other(&harness).await;
    let empty = harness.browser_of(EMAIL).await.get("/clients").await;
    assert!(
        empty.body.contains("You have no clients yet")
            && empty.body.contains("/console/clients/new")
    );
    assert_safe(&empty);
    let sound = client(&harness, 1, |client| client).await;
    client(&harness, 2, |client| Client {
        plain_pkce_allowed: true,
        name: "\"><b>Kiosk".parse().unwrap(),
        ..client
    })
    .await;
    client(&harness, 3, |client| Client {
        owner: other.clone(),
        ..client
    })
    .await;
    grant(&harness, &sound, 1).await;
    let page = harness.browser_of(EMAIL).await.get("/clients").await;
    assert_safe(&page);
    for text in [
        "Timetable 1",
        "&#34;&#62;&#60;b&#62;Kiosk",
        "No issues",
        "badge problem\">1 recommendation",
        "Client secret",
        "2 entries",
    ] {
        assert!(
            page.body.contains(text),
            "{text} is missing in {}",
            page.body
        );
    }
    assert!(
        page.body.contains("class=\"number\">1</td>")
            && !page.body.contains("Timetable 3")
            && !page.body.contains("<b>")
    );
    let mut korean = harness.browser_of(EMAIL).await;
    korean.language = "ko";
    assert!(korean.get("/clients").await.body.contains("권장 사항 1건"));
    let admins = harness.browser_of(ADMIN).await.get("/clients").await.body;
    assert!(
        admins.contains("You have no clients yet"),
        "only the administrator's own clients: {admins}"
    );
}

/// Fails if a page calls the owner of the service's own records by its id.
#[tokio::test]
async fn what_belongs_to_the_service_is_shown_as_the_administrators() {
    let harness = Harness::new().await;
    let service = SubjectId::service();
    let kiosk = client(&harness, 1, |client| Client {
        owner: service.clone(),
        ..client
    })
    .await;
    application(&harness, &service, 1, "Cafeteria", &[]).await;
    let mut admin = harness.browser_of(ADMIN).await;
    let page = format!("/clients/{}", kiosk.id);
    for path in ["/admin/clients", "/admin/applications", &page] {
        let page = assert_page(&harness, &mut admin, path).await.body;
        assert!(
            page.contains("<bdi>administrators</bdi>") && !page.contains("<bdi>service</bdi>"),
            "{path}: {page}"
        );
    }
}

/// Fails if a user who is no administrator can list all clients.
#[tokio::test]
async fn administrators_list_all_clients_in_pages_with_their_owners() {
    let harness = Harness::new().await;
    let other = other(&harness).await;
    for number in 1..=21 {
        client(&harness, number, |client| Client {
            owner: if number == 21 {
                other.clone()
            } else {
                client.owner.clone()
            },
            ..client
        })
        .await;
    }
    let refused = harness.browser_of(EMAIL).await.get("/admin/clients").await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    assert!(!refused.body.contains("Timetable"));
    let mut admin = harness.browser_of(ADMIN).await;
    let first = admin.get("/admin/clients").await;
    assert_safe(&first);
    assert!(
        first.body.contains(EMAIL)
            && first.body.contains("href=\"?page=1\"")
            && !first.body.contains("Timetable 21")
    );
    let second = admin.get("/admin/clients?page=1").await.body;
    assert!(
        second.contains("Timetable 21")
            && second.contains(OTHER)
            && second.contains("href=\"?page=0\""),
        "{second}"
    );
    assert_eq!(
        admin.get("/admin/clients?page=x").await.status,
        StatusCode::OK
    );
    assert_eq!(
        admin.post("/admin/clients", &[]).await.status,
        StatusCode::METHOD_NOT_ALLOWED
    );
}

#[tokio::test]
async fn a_clients_page_shows_its_settings_and_how_to_use_it() {
    let harness = Harness::new().await;
    let client = client(&harness, 1, |client| Client {
        name: "\"><b>Kiosk".parse().unwrap(),
        redirect_uris: vec![
            "https://app.example/callback?a='b'&c=d".parse().unwrap(),
            "http://localhost:1/x".parse().unwrap(),
        ],
        secrets: vec![secret(1), secret(2)],
        ..client
    })
    .await;
    grant(&harness, &client, 1).await;
    let mut browser = harness.browser_of(EMAIL).await;
    let page = browser.get(&format!("/clients/{}", client.id)).await;
    assert_safe(&page);
    let link = format!(
        "https://school.example/auth/v1/oauth/authorize?response_type=code&#38;client_id={}&#38;redirect_uri=https%3A%2F%2Fapp.example%2Fcallback%3Fa%3D%27b%27%26c%3Dd&#38;scope=service%3Aself_read&#38;state={{STATE}}&#38;code_challenge={{CODE_CHALLENGE}}&#38;code_challenge_method=S256",
        client.id
    );
    for text in [
        &*link,
        "&#34;&#62;&#60;b&#62;Kiosk",
        EMAIL,
        "service:self_read",
        "Remove older secret",
        "2026-01-01",
        "/edit\"",
        "The secret may be on devices of users",
    ] {
        assert!(
            page.body.contains(text),
            "{text} is missing in {}",
            page.body
        );
    }
    assert!(
        !page.body.contains("<b>") && page.body.contains("<dd>1</dd>"),
        "{}",
        page.body
    );
    let mut korean = browser.clone();
    korean.language = "ko";
    let page = korean.get(&format!("/clients/{}", client.id)).await;
    assert!(page.body.contains("인증 요청 URL") && page.body.contains("로그인 전체 과정 예제"));
    let head = browser
        .send(Method::HEAD, &format!("/clients/{}", client.id), None, "")
        .await;
    assert_eq!((head.status, &*head.body), (StatusCode::OK, ""));
}

#[tokio::test]
async fn a_client_without_redirect_uris_has_no_link_and_its_advice_is_shown() {
    let harness = Harness::new().await;
    let lonely = client(&harness, 1, |client| Client {
        redirect_uris: Vec::new(),
        policy: ClientPolicy::Public,
        secrets: Vec::new(),
        ..client
    })
    .await;
    assert_eq!(lonely.advise(START), [Advice::Unreachable]);
    let page = harness
        .browser_of(EMAIL)
        .await
        .get(&format!("/clients/{}", lonely.id))
        .await
        .body;
    assert!(
        page.contains("Register a redirect URI")
            && !page.contains("authorize-link")
            && !page.contains("<h2 id=\"secrets\">"),
        "{page}"
    );
}

// Proves: threats 36
/// Fails if a page does not check the owner, or checks only after a change.
#[tokio::test]
async fn only_the_owner_and_administrators_change_a_client() {
    let harness = Harness::new().await;
    other(&harness).await;
    let client = client(&harness, 1, |client| Client {
        secrets: vec![secret(1), secret(2)],
        ..client
    })
    .await;
    let (mut stranger, mut admin) = (
        harness.browser_of(OTHER).await,
        harness.browser_of(ADMIN).await,
    );
    let token = form_token(&stranger.get("/").await.body);
    let forms = ["/edit", "/secrets/new", "/secrets/older", "/delete"];
    for path in ["", "/edit", "/secrets/new", "/secrets/older", "/delete"] {
        let address = format!("/clients/{}{path}", client.id);
        let page = stranger.get(&address).await;
        assert_eq!(page.status, StatusCode::FORBIDDEN, "{path}");
        assert!(
            page.body.contains("belongs to another user") && !page.body.contains("Timetable"),
            "{}",
            page.body
        );
        assert_eq!(admin.get(&address).await.status, StatusCode::OK, "{path}");
        for unknown in [
            "00000000-0000-4000-8000-000000000000",
            "x",
            "%22%3E%3Cb%3E",
            "",
        ] {
            let page = admin.get(&format!("/clients/{unknown}{path}")).await;
            assert_eq!(page.status, StatusCode::NOT_FOUND, "{unknown}{path}");
            assert_safe(&page);
        }
        let wrong = admin.send(Method::DELETE, &address, None, "").await;
        assert_eq!(
            wrong.header("allow"),
            if path.is_empty() {
                "GET, HEAD"
            } else {
                "GET, HEAD, POST"
            }
        );
    }
    for path in forms {
        let answer = stranger
            .post(
                &format!("/clients/{}{path}", client.id),
                &[("form_token", &token)],
            )
            .await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path}");
    }
    assert_eq!(stored_client(&harness, client.id).await, client);
}

// Proves: threats 22
/// Fails if a form without a token of the same session has an effect.
#[tokio::test]
async fn no_form_of_another_session_changes_a_client() {
    let harness = Harness::new().await;
    let client = client(&harness, 1, |client| Client {
        secrets: vec![secret(1), secret(2)],
        ..client
    })
    .await;
    let mut owner = harness.browser_of(EMAIL).await;
    let foreign = form_token(&harness.browser_of(ADMIN).await.get("/").await.body);
    for path in ["/new", "/edit", "/secrets/new", "/secrets/older", "/delete"] {
        let id = if path == "/new" {
            String::new()
        } else {
            format!("/{}", client.id)
        };
        let seen = if path.starts_with("/secrets") || path == "/edit" {
            hidden(
                &owner.get(&format!("/clients{id}{path}")).await.body,
                "seen",
            )
        } else {
            String::new()
        };
        for token in [None, Some(""), Some(&*foreign)] {
            let mut fields = vec![("name", "Taken over"), ("policy", "none")];
            if path.starts_with("/secrets") || path == "/delete" {
                fields.clear();
            }
            if !seen.is_empty() {
                fields.push(("seen", &seen));
            }
            fields.extend(token.map(|token| ("form_token", token)));
            let answer = owner.post(&format!("/clients{id}{path}"), &fields).await;
            assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path}");
            assert_safe(&answer);
        }
    }
    assert_eq!(stored_clients(&harness).await, [client]);
}

/// Fails if the owner of a first-party client can change its redirect URIs.
#[tokio::test]
async fn the_services_own_clients_are_changed_by_administrators_alone() {
    let harness = Harness::new().await;
    let client = client(&harness, 1, |client| Client {
        first_party: true,
        allowed_scopes: [Scope::manage()].into_iter().collect(),
        ..client
    })
    .await;
    let mut owner = harness.browser_of(EMAIL).await;
    let page = owner.get(&format!("/clients/{}", client.id)).await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(
        page.body.contains("Only administrators can change")
            && !page.body.contains("/edit\"")
            && !page.body.contains("/secrets/")
    );
    let token = form_token(&page.body);
    for path in ["/edit", "/secrets/new", "/secrets/older", "/delete"] {
        let address = format!("/clients/{}{path}", client.id);
        assert_eq!(
            owner.get(&address).await.status,
            StatusCode::FORBIDDEN,
            "{path}"
        );
        assert_eq!(
            owner.post(&address, &[("form_token", &token)]).await.status,
            StatusCode::FORBIDDEN,
            "{path}"
        );
    }
    assert_eq!(stored_client(&harness, client.id).await, client);
    let page = harness
        .browser_of(ADMIN)
        .await
        .get(&format!("/clients/{}", client.id))
        .await
        .body;
    assert!(page.contains("/edit\"") && !page.contains("Only administrators can change"));
}

#[tokio::test]
async fn a_clients_deletion_page_counts_its_live_grants() {
    let harness = Harness::new().await;
    let client = client(&harness, 1, |client| Client {
        name: "<b>Kiosk".parse().unwrap(),
        ..client
    })
    .await;
    let address = format!("/clients/{}/delete", client.id);
    let mut browser = harness.browser_of(EMAIL).await;
    let page = browser.get(&address).await;
    assert!(
        page.body.contains("Delete the client") && !page.body.contains("active connection"),
        "{}",
        page.body
    );
    grant(&harness, &client, 1).await;
    grant(&harness, &client, 2).await;
    let page = browser.get(&address).await;
    assert_safe(&page);
    assert!(
        page.body.contains("2 active connections") && !page.body.contains("<b>"),
        "{}",
        page.body
    );
    assert_eq!(
        stored_client(&harness, client.id).await,
        client,
        "the page changes nothing"
    );
    let answer = browser
        .post(&address, &[("form_token", &form_token(&page.body))])
        .await;
    assert_eq!(
        (answer.status, answer.location()),
        (StatusCode::SEE_OTHER, "/console/clients?done=deleted")
    );
    assert!(browser.follow().await.body.contains("Deleted."));
    assert!(harness.store.client(client.id).await.unwrap().is_none());
    assert!(harness.log.events().iter().any(
        |event| matches!(&event.kind, EventKind::Managed { by, .. } if *by == harness.person)
    ));
    let answer = browser
        .post(&address, &[("form_token", &form_token(&page.body))])
        .await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND, "it is gone");
}

#[tokio::test]
async fn an_administrator_who_deletes_anothers_client_returns_to_the_list_of_all() {
    let harness = Harness::new().await;
    let client = client(&harness, 1, |client| client).await;
    let mut admin = harness.browser_of(ADMIN).await;
    let address = format!("/clients/{}/delete", client.id);
    let token = form_token(&admin.get(&address).await.body);
    assert_eq!(
        admin
            .post(&address, &[("form_token", &token)])
            .await
            .location(),
        "/console/admin/clients?done=deleted"
    );
}

/// Fails if the last first-party client can be deleted, or the page does not explain the refusal.
#[tokio::test]
async fn the_last_of_the_services_own_clients_is_not_deleted_and_the_page_says_why() {
    let harness = Harness::new().await;
    let portal = client(&harness, 1, |client| Client {
        first_party: true,
        ..client
    })
    .await;
    let mut admin = harness.browser_of(ADMIN).await;
    let address = format!("/clients/{}/delete", portal.id);
    let token = form_token(&admin.get(&address).await.body);
    let answer = admin.post(&address, &[("form_token", &token)]).await;
    assert_eq!(answer.status, StatusCode::CONFLICT);
    assert_safe(&answer);
    assert!(
        answer
            .body
            .contains("the last that can request service:manage"),
        "{}",
        answer.body
    );
    assert!(harness.store.client(portal.id).await.unwrap().is_some());
}

//! The error table in `docs/wire.md`, compared with the service's responses.

use std::collections::BTreeSet;

use http::{Method, Request};
use lyceum::domain::ClientPolicy;
use lyceum::http::Body;
use lyceum::http::auth_server::ErrorReason;
use lyceum::oauth::TokenError;
use serde_json::json;

use crate::harness::{self, EMAIL, Harness, PASSWORD, START};
use crate::token::harness as tokens;
use crate::wire_doc;

type Row = (&'static str, u16, String);

// Proves: spec 3.22
/// Fails if an error code of the service's table has no row in `docs/wire.md`, or if a row there has
/// another code or status.
#[test]
fn the_page_has_the_error_codes_of_the_table() {
    const REDIRECT: u16 = 303;
    let documented: BTreeSet<(u16, &str)> = wire_doc::rows("Authorization service", "error")
        .map(|cells| (cells[1].parse().unwrap(), cells[2]))
        .collect();
    let table = ErrorReason::ALL
        .iter()
        .map(|reason| (reason.status().as_u16(), reason.as_str()));
    for (status, error) in table.clone() {
        let is_documented = [status, REDIRECT].map(|status| documented.contains(&(status, error)));
        assert_ne!(is_documented, [false; 2], "{status} {error}");
    }
    // A wrong verifier has a status of its own (spec 3.12).
    let wrong_verifier = (401, TokenError::PkceFailed.code().as_str());
    let table: BTreeSet<_> = table.chain([wrong_verifier]).collect();
    for (status, error) in documented {
        let is_in_table = match status {
            REDIRECT => error.parse::<ErrorReason>().is_ok(),
            _ => table.contains(&(status, error)),
        };
        assert!(is_in_table, "{status} {error}");
    }
}

// Proves: spec 3.22
#[tokio::test]
async fn every_documented_error_is_answered_and_every_answered_error_is_documented() {
    let mut answered = authorize_rows().await;
    answered.extend(login_rows().await);
    answered.extend(token_rows().await);
    answered.extend(standard_rows().await);
    answered.extend(crate::token::limits::beyond_the_limit().await);
    let answered: BTreeSet<_> = answered
        .into_iter()
        .map(|(place, status, error)| (place, status.to_string(), error))
        .collect();
    let rows = wire_doc::rows("Authorization service", "error");
    assert_eq!(
        answered,
        rows.map(|cells| (cells[0], cells[1].to_owned(), cells[2].to_owned()))
            .collect()
    );
}

async fn authorize_rows() -> Vec<Row> {
    let harness = Harness::new().await;
    let mut rows = Vec::new();
    let wrong: [&[(&str, &str)]; 7] = [
        &[("client_id", "nobody")],
        &[("redirect_uri", "https://evil.example/")],
        &[("scope", "service:nothing")],
        &[("response_type", "")],
        &[("response_type", "token")],
        &[("code_challenge_method", "S512")],
        &[("prompt", "none")],
    ];
    for changes in wrong {
        let answer = harness::get(&harness.server, &harness.authorize(changes)).await;
        let error = answer.sent_back("error").unwrap_or_else(|| word(&answer));
        rows.push(("authorize", answer.status.as_u16(), error));
    }
    let suspended = Harness::new().await;
    let leaver: lyceum::domain::SubjectId = "leaver".parse().unwrap();
    assert!(
        suspended
            .store
            .set_client_owner(suspended.client.id, leaver.clone())
            .await
            .unwrap()
    );
    assert_eq!(
        suspended
            .store
            .remove_owner(&leaver, START)
            .await
            .unwrap()
            .suspended_clients
            .len(),
        1
    );
    let suspended = harness::get(&suspended.server, &suspended.authorize(&[])).await;
    rows.push(("authorize", suspended.status.as_u16(), word(&suspended)));
    let failed = crate::authorize::answer_of_a_broken_store().await;
    rows.push((
        "authorize",
        failed.status.as_u16(),
        failed.sent_back("error").unwrap(),
    ));
    let flood = crate::limits::the_1001st_authorization_of_an_address().await;
    rows.push(("authorize", flood.status.as_u16(), word(&flood)));
    let denied = harness.browser_at_consent().await.decide("deny").await;
    rows.push((
        "authorize",
        denied.status.as_u16(),
        denied.sent_back("error").unwrap(),
    ));
    let nowhere = harness::get(&harness.server, "/v1/oauth/nowhere").await;
    rows.push(("any", nowhere.status.as_u16(), word(&nowhere)));
    let deleted = harness::ask(
        &harness.server,
        Request::builder()
            .method(Method::DELETE)
            .uri("/v1/oauth/token")
            .body(Body::empty())
            .unwrap(),
    );
    let deleted = deleted.await;
    rows.push(("any", deleted.status.as_u16(), word(&deleted)));
    let session = harness::get(&harness.server, "/v1/oauth/authorize/session").await;
    rows.push(("session", session.status.as_u16(), word(&session)));
    rows
}

async fn login_rows() -> Vec<Row> {
    let harness = Harness::with_settings(|builder| {
        builder.external_login("https://login.school.example/start")
    })
    .await;
    let token = harness::get(&harness.server, &harness.authorize(&[]))
        .await
        .sent_back("token")
        .unwrap();
    let mut rows = Vec::new();
    let good = json!({"email": EMAIL, "password": PASSWORD, "token": token});
    let stale = json!({"email": EMAIL, "password": PASSWORD, "token": "stale"});
    let wrong = json!({"email": EMAIL, "password": "wrong", "token": token});
    let mut bodies = vec!["{}".to_owned(), stale.to_string()];
    bodies.extend(std::iter::repeat_n(wrong.to_string(), 11));
    bodies.push(good.to_string());
    for body in bodies {
        let answer = harness::post_json(&harness.server, "/v1/oauth/authorize", body).await;
        rows.push(("login", answer.status.as_u16(), word(&answer)));
    }
    rows
}

async fn token_rows() -> Vec<Row> {
    let harness = tokens::Harness::new().await;
    let client = harness.client(ClientPolicy::SecretOrPkce).await;
    let sound = harness.exchange_fields(&client).await;
    let issued = harness.tokens(&client).await;
    let refresh = tokens::refresh_fields(&client, &issued.refresh);
    let mut rows = Vec::new();
    let other = format!("{}a", "b".repeat(42));
    for fields in [
        sound.with("code", ""),
        sound.with("code", &other),
        sound.with("code_verifier", &other),
        sound.with("client_id", "nobody"),
        sound.with("grant_type", "password"),
        refresh.with("scope", "service:nothing"),
    ] {
        let (status, error) = harness.post(&fields).await.error();
        rows.push(("token", status, error));
    }
    harness.users.set_reachable(false);
    let (status, error) = harness.post(&refresh).await.error();
    rows.push(("token", status, error));
    rows
}

async fn standard_rows() -> Vec<Row> {
    let harness = tokens::Harness::new().await;
    let client = harness
        .client_with(ClientPolicy::Secret, |client| {
            client.client_credentials_allowed = true
        })
        .await;
    let plain = harness.client(ClientPolicy::Secret).await;
    let of = |client: &tokens::TestClient, name: &str, value: &str| {
        tokens::Fields::new(&[
            ("client_id", &client.id),
            ("client_secret", &client.secrets[0]),
        ])
        .with(name, value)
    };
    let mut rows = Vec::new();
    let (status, error) = harness
        .post(&of(&plain, "grant_type", "client_credentials"))
        .await
        .error();
    rows.push(("token", status, error));

    let application = harness.application("owner").await;
    let allowed = format!("{application}:read")
        .parse::<lyceum::domain::Scope>()
        .unwrap();
    let own = harness.client_with(ClientPolicy::Secret, |client| {
        (client.allowed_scopes, client.client_credentials_allowed) =
            ([allowed].into_iter().collect(), true);
    });
    let own = own.await;
    let issued = harness
        .post(&of(&own, "grant_type", "client_credentials"))
        .await
        .json();
    for (place, path) in [
        ("revoke", "/v1/oauth/revoke"),
        ("introspect", "/v1/oauth/introspect"),
    ] {
        for fields in [
            of(&client, "token", ""),
            of(&client, "client_secret", "wrong").with("token", "x"),
            of(&own, "token", issued["access_token"].as_str().unwrap()),
        ] {
            let answer = harness.send(fields.to_request(path)).await;
            if answer.status != 200 {
                let (status, error) = answer.error();
                rows.push((place, status, error));
            }
        }
    }
    let (status, error) = crate::suspension::introspection_by_a_suspended_client()
        .await
        .error();
    rows.push(("introspect", status, error));
    let other = harness.tokens_for(&client, "service:manage").await.access;
    let in_query = harness.get("/userinfo?access_token=x").await;
    for answer in [
        harness.user_info("x").await,
        harness.user_info(&other).await,
        in_query,
    ] {
        let (status, error) = answer.error();
        rows.push(("userinfo", status, error));
    }
    rows
}

fn word(answer: &harness::TestResponse) -> String {
    answer.json()["error"].as_str().unwrap().to_owned()
}

//! The id of an error response leads to a log line and an event with the rule that refused the
//! request.

use std::collections::BTreeSet;
use std::sync::Arc;

use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, Method, Request};
use lyceum::crypto::SystemEntropy;
use lyceum::domain::ClientPolicy;
use lyceum::http::Body;
use lyceum::http::audit::{EventKind, RefusalRule};
use lyceum::http::auth_server::AuthServerBuilder;
use lyceum::testing::MemoryAuditLog;

use super::capture;
use crate::harness::{self, EMAIL, PASSWORD};
use crate::token::harness::{
    self as tokens, Fields, MINUTE, TOKEN, VERIFIER, basic, refresh_fields,
};

/// All tests of this process share the log, and most use the same seed.
fn with_ids_of_its_own(builder: AuthServerBuilder, log: &MemoryAuditLog) -> AuthServerBuilder {
    builder
        .audit(Arc::new(log.clone()))
        .entropy(Arc::new(SystemEntropy))
}

/// The rule in the log line and event of a response's id.
fn explained(log: &MemoryAuditLog, headers: &HeaderMap) -> RefusalRule {
    let id = headers["x-request-id"].to_str().unwrap();
    let lines = capture::explanations(id);
    assert_eq!(lines.len(), 1, "{id}: {lines:?}");
    let events = log.events().into_iter();
    let events = events.filter(|event| event.request_id.as_str() == id);
    let refusals: Vec<_> = events
        .filter_map(|event| match event.kind {
            EventKind::Refused(told) => Some((told.rule, Some(told))),
            EventKind::SignInRefused { .. } => Some((RefusalRule::Credentials, None)),
            EventKind::SignInLimited { .. } => Some((RefusalRule::SignInLimited, None)),
            _ => None,
        })
        .collect();
    assert_eq!(refusals.len(), 1, "{id}: {refusals:?}");
    let (rule, told) = &refusals[0];
    assert_eq!(lines[0].field("rule"), Some(rule.as_str()));
    if let Some(told) = told {
        assert_eq!(lines[0].field("status"), Some(&*told.status.to_string()));
        assert_eq!(lines[0].field("endpoint"), Some(told.endpoint));
    }
    *rule
}

/// Fails if an unknown client is logged as one with a wrong secret.
#[tokio::test]
async fn the_id_of_a_refused_token_request_says_which_rule_refused_it() {
    capture::install();
    let log = MemoryAuditLog::default();
    let harness =
        tokens::Harness::with_settings(|builder| with_ids_of_its_own(builder, &log)).await;
    let (client, other) = (
        harness.client(ClientPolicy::SecretOrPkce).await,
        harness.client(ClientPolicy::SecretOrPkce).await,
    );
    let (strict, public) = (
        harness.client(ClientPolicy::Secret).await,
        harness.client(ClientPolicy::Public).await,
    );
    let sound = harness.exchange_fields(&client).await;
    let wrong_verifier = "a".repeat(43);
    let nobody = "0b7e21c1-53a0-4a50-8a9f-8a35cc6a3a01";
    let issued = harness.tokens(&client).await;
    let refresh = refresh_fields(&client, &issued.refresh);

    for (request, rule) in [
        (sound.with("grant_type", "password"), RefusalRule::GrantType),
        (sound.with("grant_type", ""), RefusalRule::ParameterMissing),
        (sound.with("code", ""), RefusalRule::ParameterMissing),
        (
            sound.with("client_id", "nobody"),
            RefusalRule::ClientMalformed,
        ),
        (sound.with("client_id", nobody), RefusalRule::ClientUnknown),
        (
            sound
                .with("client_id", nobody)
                .with("client_secret", &client.secrets[0]),
            RefusalRule::ClientUnknown,
        ),
        (
            sound.with("client_secret", &other.secrets[0]),
            RefusalRule::SecretWrong,
        ),
        (
            sound.with("client_id", &strict.id),
            RefusalRule::SecretMissing,
        ),
        (
            sound
                .with("client_id", &public.id)
                .with("client_secret", &public.secrets[0]),
            RefusalRule::SecretUnexpected,
        ),
        (sound.with("client_id", &other.id), RefusalRule::CodeOfOther),
        (
            sound.with("redirect_uri", "https://app.example/other"),
            RefusalRule::RedirectDiffers,
        ),
        (
            sound.with("code", &"b".repeat(43)),
            RefusalRule::CodeUnknown,
        ),
        (
            sound.with("code_verifier", ""),
            RefusalRule::VerifierMissing,
        ),
        (
            sound.with("code_verifier", &wrong_verifier),
            RefusalRule::VerifierWrong,
        ),
        (
            refresh.with("refresh_token", &"c".repeat(71)),
            RefusalRule::RefreshUnknown,
        ),
        (
            refresh.with("client_id", &other.id),
            RefusalRule::RefreshOfOther,
        ),
        (
            refresh.with("scope", "service:nothing"),
            RefusalRule::ScopeNotGranted,
        ),
        (
            refresh.with("scope", "nothing"),
            RefusalRule::ScopeMalformed,
        ),
        (
            Fields::new(&[
                ("grant_type", "client_credentials"),
                ("client_id", &client.id),
                ("client_secret", &client.secrets[0]),
            ]),
            RefusalRule::GrantTypeNotAllowed,
        ),
    ] {
        let answer = harness.post(&request).await;
        assert_eq!(
            explained(&log, &answer.headers),
            rule,
            "{request:?} {answer:?}"
        );
    }

    let twice = sound
        .with("client_secret", &client.secrets[0])
        .with_header(&basic(&client.id, &client.secrets[0]));
    let differs = sound.with_header(&basic(&other.id, &other.secrets[0]));
    let text = Request::post(TOKEN)
        .header(CONTENT_TYPE, "text/plain")
        .body(Body::from("a=b"))
        .unwrap();
    let repeated = Request::post(TOKEN)
        .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(Body::from("a=b&a=b"))
        .unwrap();
    let long = Request::post(TOKEN)
        .header(CONTENT_TYPE, "application/json")
        .body(Body::from("a".repeat(40_000)))
        .unwrap();
    let in_query = Request::get("/userinfo?access_token=a")
        .body(Body::empty())
        .unwrap();
    let forged = Request::get("/userinfo")
        .header(AUTHORIZATION, "Bearer a.b.c")
        .body(Body::empty())
        .unwrap();
    let bare = Request::get("/userinfo").body(Body::empty()).unwrap();
    let deleted = Request::builder()
        .method(Method::DELETE)
        .uri(TOKEN)
        .body(Body::empty())
        .unwrap();
    for (request, rule) in [
        (twice, RefusalRule::ClientTwice),
        (differs, RefusalRule::ClientDiffers),
        (text, RefusalRule::BodyType),
        (repeated, RefusalRule::ParameterRepeated),
        (long, RefusalRule::BodyTooLong),
        (in_query, RefusalRule::BearerPlace),
        (forged, RefusalRule::BearerInvalid),
        (bare, RefusalRule::BearerMissing),
        (deleted, RefusalRule::MethodNotAllowed),
    ] {
        let answer = harness.send(request).await;
        assert_eq!(explained(&log, &answer.headers), rule, "{answer:?}");
    }

    let reused = harness.refresh(&client, &issued.refresh).await.tokens();
    harness.clock.advance(MINUTE);
    let answer = harness.refresh(&client, &issued.refresh).await;
    assert_eq!(explained(&log, &answer.headers), RefusalRule::RefreshReused);
    let answer = harness.refresh(&client, &reused.refresh).await;
    assert_eq!(explained(&log, &answer.headers), RefusalRule::GrantRevoked);
    let answer = harness.user_info(&reused.access).await;
    assert_eq!(explained(&log, &answer.headers), RefusalRule::BearerRevoked);

    let late = harness.exchange_fields(&client).await;
    harness.clock.advance(2 * MINUTE);
    assert_eq!(
        explained(&log, &harness.post(&late).await.headers),
        RefusalRule::CodeExpired
    );
    let spent = harness
        .exchange_fields(&client)
        .await
        .with("code_verifier", VERIFIER);
    let _ = harness.post(&spent).await.tokens();
    assert_eq!(
        explained(&log, &harness.post(&spent).await.headers),
        RefusalRule::CodeReplayed
    );
    let kept = harness.tokens(&client).await;
    harness.users.set_reachable(false);
    let away = harness.refresh(&client, &kept.refresh).await;
    assert_eq!(
        (away.status.as_u16(), explained(&log, &away.headers)),
        (503, RefusalRule::StorageUnavailable)
    );
    let line = capture::explanations(away.header("x-request-id")).remove(0);
    assert_eq!(
        (line.level, line.field("cause").unwrap()),
        (tracing::Level::ERROR, "asking for a user: planted")
    );
    harness.users.set_reachable(true);
    harness.users.remove_all();
    assert_eq!(
        explained(&log, &harness.refresh(&client, &kept.refresh).await.headers),
        RefusalRule::UserGone
    );
}

#[tokio::test]
async fn the_id_of_a_refused_sign_in_says_which_rule_refused_it() {
    capture::install();
    let log = MemoryAuditLog::default();
    let harness =
        harness::Harness::with_settings(|builder| with_ids_of_its_own(builder, &log)).await;
    for (changes, rule) in [
        (
            ("client_id", "0b7e21c1-53a0-4a50-8a9f-8a35cc6a3a01"),
            RefusalRule::ClientUnknown,
        ),
        (("client_id", ""), RefusalRule::ParameterMissing),
        (
            ("redirect_uri", "https://evil.example/"),
            RefusalRule::RedirectUnregistered,
        ),
        (("response_type", "token"), RefusalRule::ResponseType),
        (("scope", "service:nothing"), RefusalRule::ScopeNotAllowed),
        (("scope", "nothing"), RefusalRule::ScopeMalformed),
        (
            ("code_challenge_method", "plain"),
            RefusalRule::ChallengeMethod,
        ),
        (("code_challenge", "short"), RefusalRule::ChallengeMalformed),
        (("state", &*"s".repeat(2001)), RefusalRule::State),
        (("prompt", "none"), RefusalRule::Prompt),
    ] {
        let answer = harness::get(&harness.server, &harness.authorize(&[changes])).await;
        assert_eq!(explained(&log, &answer.headers), rule, "{answer:?}");
    }
    let nowhere = harness::get(&harness.server, "/v1/oauth/nowhere").await;
    assert_eq!(explained(&log, &nowhere.headers), RefusalRule::NotFound);
    let stranger = harness.browser().get("/v1/oauth/login").await;
    assert_eq!(
        explained(&log, &stranger.headers),
        RefusalRule::SessionMissing
    );
    assert!(
        stranger.is_page() && stranger.body.contains(stranger.header("x-request-id")),
        "{stranger:?}"
    );
    let stale = harness::get(
        &harness.server,
        &format!("/v1/oauth/sessions/{}", "a".repeat(43)),
    )
    .await;
    assert_eq!(explained(&log, &stale.headers), RefusalRule::SessionEnded);
    assert_eq!(stale.json()["requestId"], stale.header("x-request-id"));

    let mut browser = harness.browser_at_login().await;
    let foreign = browser
        .post(
            "/v1/oauth/login",
            &[
                ("form_token", "x"),
                ("email", EMAIL),
                ("password", PASSWORD),
            ],
        )
        .await;
    assert_eq!(explained(&log, &foreign.headers), RefusalRule::FormToken);
    let wrong = browser.sign_in(EMAIL, "wrong").await;
    assert_eq!(explained(&log, &wrong.headers), RefusalRule::Credentials);
    while browser.sign_in(EMAIL, "wrong").await.status == 401 {}
    let limited = browser.sign_in(EMAIL, PASSWORD).await;
    assert_eq!(
        explained(&log, &limited.headers),
        RefusalRule::SignInLimited
    );
    harness.clock.advance(100 * harness::MINUTE);
    let denied = harness.browser_at_consent().await.decide("deny").await;
    assert_eq!(explained(&log, &denied.headers), RefusalRule::UserDenied);
}

#[tokio::test]
async fn request_ids_of_clients_are_ignored() {
    capture::install();
    let harness = harness::Harness::new().await;
    let request = Request::get("/v1/oauth/nowhere")
        .header("x-request-id", "0000000000")
        .body(Body::empty())
        .unwrap();
    let answer = harness::ask(&harness.server, request).await;
    assert_ne!(answer.header("x-request-id"), "0000000000");
    assert!(capture::explanations("0000000000").is_empty());
}

/// Fails if the handbook does not explain a rule, or explains a word that is none.
#[test]
fn the_handbook_explains_the_rules_and_nothing_else() {
    let page = include_str!("../../../docs/operations.md");
    let section = page
        .split("\n## ")
        .find(|section| section.starts_with("Look up an id"))
        .unwrap();
    let explained: Vec<&str> = section
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next())
        .filter(|word| *word != "rule")
        .collect();
    let rules: BTreeSet<&str> = RefusalRule::ALL.iter().map(|rule| rule.as_str()).collect();
    assert_eq!(explained.iter().copied().collect::<BTreeSet<_>>(), rules);
    assert_eq!(explained.len(), rules.len(), "a rule is explained twice");
}

//! An error answer carries an id; the log line and the event of that id say which rule refused.

use std::sync::Arc;

use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, Method, Request};
use lyceum::crypto::SystemEntropy;
use lyceum::domain::ClientPolicy;
use lyceum::http::Body;
use lyceum::http::audit::{EventKind, Rule};
use lyceum::http::auth_server::AuthServerBuilder;
use lyceum::testing::MemoryAuditLog;

use super::capture;
use crate::harness::{self, EMAIL, PASSWORD};
use crate::token::world::{self as tokens, Fields, MINUTE, TOKEN, VERIFIER, basic, refresh_fields};

/// All tests of this process share the log, and most have the same seed.
fn with_ids_of_its_own(builder: AuthServerBuilder, log: &MemoryAuditLog) -> AuthServerBuilder {
    builder.audit(Arc::new(log.clone())).entropy(Arc::new(SystemEntropy))
}

/// The rule that the one line and the one event of an answer's id tell.
fn explained(log: &MemoryAuditLog, headers: &HeaderMap) -> Rule {
    let id = headers["x-request-id"].to_str().unwrap();
    let lines = capture::explanations(id);
    assert_eq!(lines.len(), 1, "{id}: {lines:?}");
    let refusals: Vec<_> = log.events().into_iter().filter(|event| event.request_id.as_str() == id).collect();
    let refusals: Vec<_> =
        refusals.iter().filter_map(|event| if let EventKind::Refused(told) = &event.kind { Some(told) } else { None }).collect();
    assert_eq!(refusals.len(), 1, "{id}: {refusals:?}");
    assert_eq!(lines[0].field("rule"), Some(refusals[0].rule.as_str()));
    assert_eq!(lines[0].field("status"), Some(&*refusals[0].status.to_string()));
    assert_eq!(lines[0].field("endpoint"), Some(refusals[0].endpoint));
    refusals[0].rule
}

/// Seen to fail when an unknown client is told to the log as one with a wrong secret.
#[tokio::test]
async fn the_id_of_a_refused_token_request_says_which_rule_refused_it() {
    capture::listen();
    let log = MemoryAuditLog::default();
    let world = tokens::World::with(|builder| with_ids_of_its_own(builder, &log)).await;
    let (client, other) = (world.client(ClientPolicy::SecretOrPkce).await, world.client(ClientPolicy::SecretOrPkce).await);
    let (strict, public) = (world.client(ClientPolicy::Secret).await, world.client(ClientPolicy::Public).await);
    let sound = world.exchange_fields(&client).await;
    let wrong_verifier = "a".repeat(43);
    let nobody = "0b7e21c1-53a0-4a50-8a9f-8a35cc6a3a01";
    let issued = world.tokens(&client).await;
    let refresh = refresh_fields(&client, &issued.refresh);

    for (request, rule) in [
        (sound.with("grant_type", "password"), Rule::GrantType),
        (sound.with("grant_type", ""), Rule::ParameterMissing),
        (sound.with("code", ""), Rule::ParameterMissing),
        (sound.with("client_id", "nobody"), Rule::ClientMalformed),
        (sound.with("client_id", nobody), Rule::ClientUnknown),
        (sound.with("client_id", nobody).with("client_secret", &client.secrets[0]), Rule::ClientUnknown),
        (sound.with("client_secret", &other.secrets[0]), Rule::SecretWrong),
        (sound.with("client_id", &strict.id), Rule::SecretMissing),
        (sound.with("client_id", &public.id).with("client_secret", &public.secrets[0]), Rule::SecretUnexpected),
        (sound.with("client_id", &other.id), Rule::CodeOfOther),
        (sound.with("redirect_uri", "https://app.example/other"), Rule::RedirectDiffers),
        (sound.with("code", &"b".repeat(43)), Rule::CodeUnknown),
        (sound.with("code_verifier", ""), Rule::VerifierMissing),
        (sound.with("code_verifier", &wrong_verifier), Rule::VerifierWrong),
        (refresh.with("refresh_token", &"c".repeat(71)), Rule::RefreshUnknown),
        (refresh.with("client_id", &other.id), Rule::RefreshOfOther),
        (refresh.with("scope", "service:nothing"), Rule::ScopeNotGranted),
        (refresh.with("scope", "nothing"), Rule::ScopeMalformed),
        (
            Fields::new(&[("grant_type", "client_credentials"), ("client_id", &client.id), ("client_secret", &client.secrets[0])]),
            Rule::GrantTypeNotAllowed,
        ),
    ] {
        let answer = world.post(&request).await;
        assert_eq!(explained(&log, &answer.headers), rule, "{request:?} {answer:?}");
    }

    let twice = sound.with("client_secret", &client.secrets[0]).with_header(&basic(&client.id, &client.secrets[0]));
    let differs = sound.with_header(&basic(&other.id, &other.secrets[0]));
    let text = Request::post(TOKEN).header(CONTENT_TYPE, "text/plain").body(Body::from("a=b")).unwrap();
    let repeated = Request::post(TOKEN).header(CONTENT_TYPE, "application/x-www-form-urlencoded").body(Body::from("a=b&a=b")).unwrap();
    let long = Request::post(TOKEN).header(CONTENT_TYPE, "application/json").body(Body::from("a".repeat(40_000))).unwrap();
    let in_query = Request::get("/userinfo?access_token=a").body(Body::empty()).unwrap();
    let forged = Request::get("/userinfo").header(AUTHORIZATION, "Bearer a.b.c").body(Body::empty()).unwrap();
    let bare = Request::get("/userinfo").body(Body::empty()).unwrap();
    let deleted = Request::builder().method(Method::DELETE).uri(TOKEN).body(Body::empty()).unwrap();
    for (request, rule) in [
        (twice, Rule::ClientTwice),
        (differs, Rule::ClientDiffers),
        (text, Rule::BodyType),
        (repeated, Rule::ParameterRepeated),
        (long, Rule::BodyTooLong),
        (in_query, Rule::BearerPlace),
        (forged, Rule::BearerInvalid),
        (bare, Rule::BearerMissing),
        (deleted, Rule::MethodNotAllowed),
    ] {
        let answer = world.send(request).await;
        assert_eq!(explained(&log, &answer.headers), rule, "{answer:?}");
    }

    let reused = world.refresh(&client, &issued.refresh).await.tokens();
    world.clock.advance(MINUTE);
    let answer = world.refresh(&client, &issued.refresh).await;
    assert_eq!(explained(&log, &answer.headers), Rule::RefreshReused);
    let answer = world.refresh(&client, &reused.refresh).await;
    assert_eq!(explained(&log, &answer.headers), Rule::GrantRevoked);
    let answer = world.user_info(&reused.access).await;
    assert_eq!(explained(&log, &answer.headers), Rule::BearerRevoked);

    let late = world.exchange_fields(&client).await;
    world.clock.advance(2 * MINUTE);
    assert_eq!(explained(&log, &world.post(&late).await.headers), Rule::CodeExpired);
    let spent = world.exchange_fields(&client).await.with("code_verifier", VERIFIER);
    let _ = world.post(&spent).await.tokens();
    assert_eq!(explained(&log, &world.post(&spent).await.headers), Rule::CodeReplayed);
    let kept = world.tokens(&client).await;
    world.users.set_reachable(false);
    let away = world.refresh(&client, &kept.refresh).await;
    assert_eq!((away.status.as_u16(), explained(&log, &away.headers)), (503, Rule::StorageUnavailable));
    let line = capture::explanations(away.header("x-request-id")).remove(0);
    assert_eq!((line.level, line.field("cause").unwrap()), (tracing::Level::ERROR, "asking for a user: planted"));
    world.users.set_reachable(true);
    world.users.leave();
    assert_eq!(explained(&log, &world.refresh(&client, &kept.refresh).await.headers), Rule::UserGone);
}

#[tokio::test]
async fn the_id_of_a_refused_sign_in_says_which_rule_refused_it() {
    capture::listen();
    let log = MemoryAuditLog::default();
    let world = harness::World::with(|builder| with_ids_of_its_own(builder, &log)).await;
    for (changes, rule) in [
        (("client_id", "0b7e21c1-53a0-4a50-8a9f-8a35cc6a3a01"), Rule::ClientUnknown),
        (("client_id", ""), Rule::ParameterMissing),
        (("redirect_uri", "https://evil.example/"), Rule::RedirectUnregistered),
        (("response_type", "token"), Rule::ResponseType),
        (("scope", "service:nothing"), Rule::ScopeNotAllowed),
        (("scope", "nothing"), Rule::ScopeMalformed),
        (("code_challenge_method", "plain"), Rule::ChallengeMethod),
        (("code_challenge", "short"), Rule::ChallengeMalformed),
        (("state", &*"s".repeat(2001)), Rule::State),
        (("prompt", "none"), Rule::Prompt),
    ] {
        let answer = harness::get(&world.server, &world.authorize(&[changes])).await;
        assert_eq!(explained(&log, &answer.headers), rule, "{answer:?}");
    }
    let nowhere = harness::get(&world.server, "/v1/oauth/nowhere").await;
    assert_eq!(explained(&log, &nowhere.headers), Rule::NotFound);
    let stranger = world.browser().get("/v1/oauth/login").await;
    assert_eq!(explained(&log, &stranger.headers), Rule::SessionMissing);
    assert!(stranger.is_page() && stranger.body.contains(stranger.header("x-request-id")), "{stranger:?}");
    let stale = harness::get(&world.server, &format!("/v1/oauth/sessions/{}", "a".repeat(43))).await;
    assert_eq!(explained(&log, &stale.headers), Rule::SessionEnded);
    assert_eq!(stale.json()["requestId"], stale.header("x-request-id"));

    let mut browser = world.browser_at_login().await;
    let foreign = browser.post("/v1/oauth/login", &[("form_token", "x"), ("email", EMAIL), ("password", PASSWORD)]).await;
    assert_eq!(explained(&log, &foreign.headers), Rule::FormToken);
    let wrong = browser.sign_in(EMAIL, "wrong").await;
    assert_eq!(explained(&log, &wrong.headers), Rule::Credentials);
    while browser.sign_in(EMAIL, "wrong").await.status == 401 {}
    let limited = browser.sign_in(EMAIL, PASSWORD).await;
    assert_eq!(explained(&log, &limited.headers), Rule::SignInLimited);
    world.clock.advance(100 * harness::MINUTE);
    let denied = world.browser_at_consent().await.decide("deny").await;
    assert_eq!(explained(&log, &denied.headers), Rule::UserDenied);
}

#[tokio::test]
async fn what_a_client_calls_its_request_plays_no_part() {
    capture::listen();
    let world = harness::World::new().await;
    let request = Request::get("/v1/oauth/nowhere").header("x-request-id", "0000000000").body(Body::empty()).unwrap();
    let answer = harness::ask(&world.server, request).await;
    assert_ne!(answer.header("x-request-id"), "0000000000");
    assert!(capture::explanations("0000000000").is_empty());
}

#[test]
fn every_rule_is_in_the_handbook() {
    let page = include_str!("../../../docs/operations.md");
    let section = page.split("\n## ").find(|section| section.starts_with("Look up an id")).unwrap();
    for rule in Rule::ALL {
        assert!(section.contains(&format!("`{rule}`")), "docs/operations.md does not explain {rule}");
    }
}

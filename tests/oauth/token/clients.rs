use std::sync::Arc;

use lyceum::domain::{ClientId, ClientPolicy, ScopeSet};
use lyceum::http::Clock;
use tokio::sync::Semaphore;

use super::harness::*;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Method {
    Nothing,
    Body,
    Header,
}

/// Sends the request by this authentication method, with this secret.
async fn authenticate_with(
    harness: &Harness,
    method: Method,
    fields: &Fields,
    id: &str,
    secret: &str,
) -> TestResponse {
    match method {
        Method::Nothing => harness.post(fields).await,
        Method::Body => harness.post(&fields.with("client_secret", secret)).await,
        Method::Header => {
            harness
                .send(fields.with("client_id", "").with_header(&basic(id, secret)))
                .await
        }
    }
}

// Proves: threats 17
/// Fails if the policy `secret` accepts PKCE alone.
#[tokio::test]
async fn every_policy_against_every_method() {
    use Method::{Body, Header, Nothing};
    let harness = Harness::new().await;
    for (policy, method, is_secret_right, is_accepted) in [
        (ClientPolicy::Secret, Nothing, true, false),
        (ClientPolicy::Secret, Body, true, true),
        (ClientPolicy::Secret, Body, false, false),
        (ClientPolicy::Secret, Header, true, true),
        (ClientPolicy::Secret, Header, false, false),
        (ClientPolicy::SecretOrPkce, Nothing, true, true),
        (ClientPolicy::SecretOrPkce, Body, true, true),
        (ClientPolicy::SecretOrPkce, Body, false, false),
        (ClientPolicy::SecretOrPkce, Header, true, true),
        (ClientPolicy::SecretOrPkce, Header, false, false),
        (ClientPolicy::Public, Nothing, true, true),
        (ClientPolicy::Public, Body, true, false),
        (ClientPolicy::Public, Header, true, false),
    ] {
        let client = harness.client(policy).await;
        let fields = harness.exchange_fields(&client).await;
        // A well-formed secret that belongs to no client.
        let secret = if is_secret_right {
            client.secrets[0].clone()
        } else {
            client.secrets[0].chars().rev().collect()
        };
        let answer = authenticate_with(&harness, method, &fields, &client.id, &secret).await;
        let case = format!("{policy} {method:?} {is_secret_right}");
        assert_eq!(answer.status == 200, is_accepted, "{case}");
        if !is_accepted {
            assert_eq!(answer.error(), error(401, "invalid_client"), "{case}");
            assert_eq!(
                answer.headers.contains_key("www-authenticate"),
                method == Header,
                "{case}"
            );
        }
    }
}

// Proves: threats 17
/// Fails if a code without a challenge needs no proof.
#[tokio::test]
async fn without_a_challenge_only_the_secret_proves_a_client() {
    let harness = Harness::new().await;
    for policy in [ClientPolicy::Secret, ClientPolicy::SecretOrPkce] {
        let client = harness.client(policy).await;
        let code = harness.code(&client, None).await;
        let fields = harness
            .exchange_fields(&client)
            .await
            .with("code", &code)
            .with("code_verifier", "");
        assert_eq!(
            harness.post(&fields).await.error(),
            error(401, "invalid_client"),
            "{policy}"
        );
        assert_eq!(
            harness
                .post(&fields.with("client_secret", &client.secrets[0]))
                .await
                .status,
            200,
            "{policy}"
        );
    }
}

// Proves: threats 17
/// Fails if the body's client is not compared with the header's.
#[tokio::test]
async fn a_header_for_one_client_and_a_body_for_another_is_neither() {
    let harness = Harness::new().await;
    let (one, other) = (
        harness.client(ClientPolicy::Secret).await,
        harness.client(ClientPolicy::Secret).await,
    );
    let fields = harness.exchange_fields(&one).await;
    for (header, body) in [(&one, &other), (&other, &one)] {
        let request = fields
            .with("client_id", &body.id)
            .with_header(&basic(&header.id, &header.secrets[0]));
        assert_eq!(
            harness.send(request).await.error(),
            error(401, "invalid_client")
        );
    }
    assert_eq!(
        harness
            .send(fields.with_header(&basic(&one.id, &one.secrets[0])))
            .await
            .status,
        200
    );
}

// Proves: spec 3.11
#[tokio::test]
async fn two_methods_at_once_are_refused() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Secret).await;
    let header = basic(&client.id, &client.secrets[0]);
    let fields = harness.exchange_fields(&client).await;
    let both = fields
        .with("client_secret", &client.secrets[0])
        .with_header(&header);
    assert_eq!(
        harness.send(both).await.error(),
        error(400, "invalid_request")
    );
    let mut twice = fields.with_header(&header);
    twice
        .headers_mut()
        .append("authorization", header.parse().unwrap());
    assert_eq!(
        harness.send(twice).await.error(),
        error(400, "invalid_request")
    );
    assert_eq!(harness.send(fields.with_header(&header)).await.status, 200);
}

// Proves: spec 3.11
#[tokio::test]
async fn a_client_has_two_secrets_while_it_changes_them() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Secret).await;
    for secret in &client.secrets {
        let fields = harness
            .exchange_fields(&client)
            .await
            .with("client_secret", secret);
        assert_eq!(harness.post(&fields).await.status, 200);
    }
}

// Proves: threats 18
/// Fails if an unknown client, or a malformed id, gets a different response.
#[tokio::test]
async fn an_unknown_client_and_a_wrong_secret_are_answered_with_the_same_bytes() {
    let harness = Harness::new().await;
    let (client, public) = (
        harness.client(ClientPolicy::Secret).await,
        harness.client(ClientPolicy::Public).await,
    );
    let unknown = "11111111-1111-4111-8111-111111111111";
    for fields in [
        harness.exchange_fields(&client).await,
        refresh_fields(&client, "x"),
    ] {
        for method in [Method::Body, Method::Header] {
            let wrong = &public.secrets[0];
            let refused = authenticate_with(&harness, method, &fields, &client.id, wrong).await;
            assert_eq!(refused.error(), error(401, "invalid_client"));
            for id in [unknown, &public.id, "", "x", &client.id.to_uppercase()] {
                let fields = if id.is_empty() {
                    fields.clone()
                } else {
                    fields.with("client_id", id)
                };
                let id = if id.is_empty() { unknown } else { id };
                let fields = fields.with("client_id", id);
                for secret in [&**wrong, "short", &"A".repeat(4000)] {
                    assert_eq!(
                        authenticate_with(&harness, method, &fields, id, secret).await,
                        refused,
                        "{method:?} {id}"
                    );
                }
            }
        }
        let without_secret = harness.post(&fields).await;
        assert_eq!(without_secret.error(), error(401, "invalid_client"));
        assert_eq!(
            harness.post(&fields.with("client_id", unknown)).await,
            without_secret
        );
    }
}

// Proves: spec 3.11
#[tokio::test]
async fn a_refresh_demands_what_the_exchange_proved() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::SecretOrPkce).await;
    let by_pkce = harness.tokens(&client).await;
    assert_eq!(harness.refresh(&client, &by_pkce.refresh).await.status, 200);

    let fields = harness
        .exchange_fields(&client)
        .await
        .with("client_secret", &client.secrets[0]);
    let by_secret = harness.post(&fields).await.tokens();
    let fields = refresh_fields(&client, &by_secret.refresh);
    assert_eq!(
        harness.post(&fields).await.error(),
        error(401, "invalid_client")
    );
    assert_eq!(
        harness
            .post(&fields.with("client_secret", &client.secrets[1]))
            .await
            .status,
        200
    );
}

// Proves: spec 3.11
#[tokio::test]
async fn a_secret_that_is_sent_with_a_refresh_is_checked_although_it_was_not_needed() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::SecretOrPkce).await;
    let tokens = harness.tokens(&client).await;
    let fields = refresh_fields(&client, &tokens.refresh).with("client_secret", "wrong");
    assert_eq!(
        harness.post(&fields).await.error(),
        error(401, "invalid_client")
    );
    assert_eq!(harness.refresh(&client, &tokens.refresh).await.status, 200);
}

// Proves: spec 3.11
/// Fails if a request writes by itself, if a wrong secret counts as used, or if the uses since the
/// last batch are lost at the stop.
#[tokio::test]
async fn the_last_use_of_each_secret_is_written_behind_the_requests() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Secret).await;
    let id: ClientId = client.id.parse().unwrap();
    let last_uses = async || {
        let client = harness.store.client(id).await.unwrap().unwrap();
        let last_uses = client.secrets.iter().map(|secret| secret.last_used_at);
        last_uses.collect::<Vec<_>>()
    };
    let status = async |secret: &str| {
        let fields = harness.exchange_fields(&client).await;
        authenticate_with(&harness, Method::Header, &fields, &client.id, secret)
            .await
            .status
    };
    let wrong: String = client.secrets[0].chars().rev().collect();
    assert_eq!(status(&wrong).await, 401);
    harness.server.flush().await.unwrap();
    assert_eq!(last_uses().await, [None, None], "it was not used");

    assert_eq!(status(&client.secrets[1]).await, 200);
    assert_eq!(last_uses().await, [None, None], "the request did not write");
    harness.server.flush().await.unwrap();
    assert_eq!(last_uses().await, [None, Some(START)]);

    harness.clock.advance(MINUTE);
    assert_eq!(status(&client.secrets[0]).await, 200);
    harness.server.flush().await.unwrap();
    assert_eq!(
        last_uses().await,
        [Some(START.plus(MINUTE)), Some(START)],
        "each secret has its own"
    );
}

// Proves: spec 3.11
/// Fails if a kind of request for tokens does not record the secret, or if the last use stays
/// unwritten until the next one.
#[tokio::test]
async fn every_grant_type_records_the_secret_and_a_minute_later_it_is_written() {
    let harness = Harness::new().await;
    let pauses = Arc::new(Semaphore::new(0));
    let background = tokio::spawn(harness.server.run({
        let pauses = Arc::clone(&pauses);
        move |time| {
            assert_eq!(time, MINUTE);
            let pauses = Arc::clone(&pauses);
            async move { pauses.acquire().await.unwrap().forget() }
        }
    }));
    for grant_type in ["authorization_code", "refresh_token", "client_credentials"] {
        let application = harness.application("owner").await;
        let allowed = ScopeSet::parse(&format!("{SCOPES} {application}:read")).unwrap();
        let client = harness
            .client_with(ClientPolicy::SecretOrPkce, |client| {
                (client.allowed_scopes, client.client_credentials_allowed) = (allowed, true);
            })
            .await;
        let fields = match grant_type {
            "authorization_code" => harness.exchange_fields(&client).await,
            "refresh_token" => {
                let tokens = harness.tokens(&client).await;
                refresh_fields(&client, &tokens.refresh)
            }
            _ => Fields::new(&[("grant_type", grant_type), ("client_id", &client.id)]),
        };
        let last_uses = async || {
            let id: ClientId = client.id.parse().unwrap();
            let client = harness.store.client(id).await.unwrap().unwrap();
            let last_uses = client.secrets.iter().map(|secret| secret.last_used_at);
            last_uses.collect::<Vec<_>>()
        };
        let answer = harness
            .post(&fields.with("client_secret", &client.secrets[1]))
            .await;
        assert_eq!(answer.status, 200, "{grant_type}: {answer:?}");
        assert_eq!(last_uses().await, [None, None], "{grant_type}");
        let at = harness.clock.now();
        harness.clock.advance(MINUTE);
        pauses.add_permits(1);
        let mut reads = 0;
        while last_uses().await == [None, None] {
            reads += 1;
            assert!(reads < 10_000, "{grant_type}: it is not written");
            tokio::task::yield_now().await;
        }
        assert_eq!(last_uses().await, [None, Some(at)], "{grant_type}");
    }
    background.abort();
}

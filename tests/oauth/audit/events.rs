//! The events of a login, in order.

use std::sync::Arc;

use http::Request;
use lyceum::domain::{ClientPolicy, ScopeSet, SubjectId};
use lyceum::http::audit::{Change, Event, EventKind, ManagedObject, RequestId};
use lyceum::http::{Body, ClientAddress};
use lyceum::testing::MemoryAuditLog;
use serde_json::{Value, json};

use crate::harness::{self, EMAIL, PASSWORD};
use crate::token::harness::{self as tokens, MINUTE};

fn words(log: &MemoryAuditLog) -> Vec<String> {
    let events = log
        .events()
        .into_iter()
        .map(|event| serde_json::from_str::<Value>(&event.to_json()).unwrap());
    events
        .map(|event| event["event"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn a_sign_in_and_its_consent_are_audited() {
    let log = MemoryAuditLog::default();
    let harness =
        harness::Harness::with_settings(|builder| builder.audit(Arc::new(log.clone()))).await;
    let mut browser = harness.browser_at_login().await;
    browser.address = Some("192.0.2.7".parse().unwrap());
    browser.sign_in(EMAIL, "wrong").await;
    browser.sign_in(EMAIL, PASSWORD).await;
    browser.decide("allow").await;
    let expected = [
        "signing_key_installed",
        "sign_in_refused",
        "signed_in",
        "consent_asked",
        "consent_given",
        "code_issued",
    ];
    assert_eq!(words(&log), expected);
    let refused: Value = serde_json::from_str(&log.events()[1].to_json()).unwrap();
    let account = log.events().into_iter().find_map(|event| match event.kind {
        EventKind::SignedIn { subject, .. } => Some(subject),
        _ => None,
    });
    assert_eq!(
        (&refused["object"], refused["id"].as_str()),
        (&json!("account"), account.as_ref().map(SubjectId::as_str))
    );
    assert_eq!(refused["client"], harness.client.id.to_string());
    let given: Value = serde_json::from_str(&log.events()[4].to_json()).unwrap();
    let EventKind::SignedIn { subject, .. } = &log.events()[2].kind else {
        panic!("{:?}", log.events()[2])
    };
    let expected = json!({
        "event": "consent_given",
        "requestId": log.events()[4].request_id.as_str(),
        "at": harness::START.seconds(),
        "address": "192.0.2.7",
        "client": harness.client.id.to_string(),
        "subject": subject.as_str(),
        "scopes": [format!("{}:read", harness.application)],
        "remembered": true,
    });
    assert_eq!(given, expected);

    // The second time the consent is remembered.
    harness
        .browser_at_login()
        .await
        .sign_in(EMAIL, PASSWORD)
        .await;
    assert_eq!(
        words(&log)[6..],
        ["signed_in", "consent_remembered", "code_issued"]
    );
    let mut asked = harness.browser();
    asked
        .get(&harness.authorize(&[("prompt", "consent")]))
        .await;
    asked.sign_in(EMAIL, PASSWORD).await;
    asked.decide("switch").await;
    asked.sign_in(EMAIL, PASSWORD).await;
    asked.decide("deny").await;
    let expected = [
        "signed_in",
        "consent_asked",
        "signed_out",
        "signed_in",
        "consent_asked",
        "consent_denied",
        "refused",
    ];
    assert_eq!(words(&log)[9..], expected);
}

#[tokio::test]
async fn audit_events_of_tokens_name_their_grant_and_how_they_ended() {
    let log = MemoryAuditLog::default();
    let harness =
        tokens::Harness::with_settings(|builder| builder.audit(Arc::new(log.clone()))).await;
    let client = harness
        .client_with(ClientPolicy::SecretOrPkce, |client| {
            client.client_credentials_allowed = true
        })
        .await;
    let fields = harness.exchange_fields(&client).await;
    let first = harness.post(&fields).await.tokens();
    let claims = harness.claims(&first.access).await;
    let Some(EventKind::TokensIssued(issued)) = log.events().pop().map(|event| event.kind) else {
        panic!("{:?}", words(&log))
    };
    assert_eq!(
        (issued.token_id.as_str(), issued.client.to_string()),
        (claims["jti"].as_str().unwrap(), client.id.clone())
    );
    assert_eq!(issued.scopes, ScopeSet::parse(&first.scope).unwrap());

    let _ = harness.refresh(&client, &first.refresh).await.tokens();
    let _ = harness.refresh(&client, &first.refresh).await.tokens();
    harness.clock.advance(MINUTE);
    harness.refresh(&client, &first.refresh).await;
    harness.post(&fields).await;
    let second = harness.tokens(&client).await;
    let revoke = tokens::Fields::new(&[
        ("token", &second.access),
        ("client_id", &client.id),
        ("client_secret", &client.secrets[0]),
    ]);
    harness.send(revoke.to_request("/v1/oauth/revoke")).await;
    let third = harness.tokens(&client).await;
    harness.users.remove_all();
    harness.refresh(&client, &third.refresh).await;
    let expected = [
        "signing_key_installed",
        "tokens_issued",
        "refreshed",
        "refresh_repeated",
        "reuse_detected",
        "refused",
        "reuse_detected",
        "refused",
        "tokens_issued",
        "revoked",
        "tokens_issued",
        "revoked_with_user",
        "refused",
    ];
    assert_eq!(words(&log), expected);
}

#[tokio::test]
async fn a_client_credentials_token_and_a_revoked_key_are_audited() {
    let log = MemoryAuditLog::default();
    let harness =
        tokens::Harness::with_settings(|builder| builder.audit(Arc::new(log.clone()))).await;
    let application = harness.application("7").await;
    let client = harness
        .client_with(ClientPolicy::Secret, |client| {
            client.client_credentials_allowed = true;
            client.allowed_scopes = ScopeSet::parse(&format!("{application}:read")).unwrap();
        })
        .await;
    let fields = [
        ("grant_type", "client_credentials"),
        ("client_id", &*client.id),
        ("client_secret", &*client.secrets[0]),
    ];
    let mut request: Request<Body> = tokens::Fields::new(&fields).as_form();
    request
        .extensions_mut()
        .insert(ClientAddress("2001:db8::1".parse().unwrap()));
    assert_eq!(harness.send(request).await.status, 200);
    let told = log.events().pop().unwrap();
    assert_eq!(told.address, Some("2001:db8::1".parse().unwrap()));
    assert!(
        matches!(&told.kind, EventKind::ClientTokenIssued(issued) if issued.grant.is_none() && issued.subject.is_none()),
        "{told:?}"
    );

    let key = harness.get("/v1/oauth/jwk-set").await.json()["keys"][0]["kid"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    for _ in 0..2 {
        let _ = harness.server.revoke_signing_key(&key).await.unwrap();
    }
    assert_eq!(
        words(&log)[2..],
        ["signing_key_revoked", "signing_key_installed"]
    );
}

#[test]
fn management_events_have_stable_names() {
    let id = "0b7e21c1-53a0-4a50-8a9f-8a35cc6a3a01";
    let told = |object, change| {
        let kind = EventKind::Managed {
            by: "7".parse().unwrap(),
            object,
            change,
            fields: Vec::new(),
        };
        let event = Event {
            request_id: RequestId::new(&lyceum::testing::SeededEntropy::new(1)),
            at: harness::START,
            address: None,
            kind,
        };
        let told: Value = serde_json::from_str(&event.to_json()).unwrap();
        assert_eq!(
            (&told["event"], &told["subject"]),
            (&json!("managed"), &json!("7"))
        );
        format!("{} {} {}", told["object"], told["change"], told["id"])
    };
    for (object, change, expected) in [
        (
            ManagedObject::Application(id.parse().unwrap()),
            Change::Created,
            format!(r#""application" "created" "{id}""#),
        ),
        (
            ManagedObject::Scope(format!("{id}:read").parse().unwrap()),
            Change::Changed,
            format!(r#""scope" "changed" "{id}:read""#),
        ),
        (
            ManagedObject::Client(id.parse().unwrap()),
            Change::Deleted,
            format!(r#""client" "deleted" "{id}""#),
        ),
        (
            ManagedObject::ClientSecret(id.parse().unwrap()),
            Change::Created,
            format!(r#""client_secret" "created" "{id}""#),
        ),
        (
            ManagedObject::ApiKey(id.parse().unwrap()),
            Change::Renewed,
            format!(r#""api_key" "renewed" "{id}""#),
        ),
    ] {
        assert_eq!(told(object, change), expected);
    }
}

//! Events of management changes (`docs/operations.md`, "Events").

use std::sync::Arc;

use http::Method;
use lyceum::testing::MemoryAuditLog;

use super::*;

type Change = (&'static str, String, &'static str);

/// The `Managed` events by the owner since the last call: the object, its id, and the change.
fn changes(log: &MemoryAuditLog, seen: &mut usize) -> Vec<Change> {
    let events = log.events();
    let new = events[*seen..]
        .iter()
        .map(|event| serde_json::from_str::<Value>(&event.to_json()).unwrap())
        .collect::<Vec<_>>();
    *seen = events.len();
    let of_managing = new
        .into_iter()
        .filter(|event| event["event"] == "managed" || event["event"] == "grant_withdrawn");
    of_managing
        .map(|event| {
            assert_eq!(event["subject"], "owner", "{event}");
            let fields: Vec<_> = event
                .get("fields")
                .into_iter()
                .flat_map(|fields| fields.as_array().unwrap())
                .map(text)
                .collect();
            match (event["object"].as_str(), event["change"].as_str()) {
                (Some("application" | "client"), Some("changed")) => {
                    assert_eq!(fields, ["name"], "{event}")
                }
                (Some("scope"), Some("changed")) => {
                    assert_eq!(fields, ["approvalRequired"], "{event}")
                }
                _ => assert!(fields.is_empty(), "{event}"),
            }
            let object = [
                "application",
                "scope",
                "client",
                "client_secret",
                "scope_approval",
                "api_key",
            ]
            .into_iter()
            .find(|word| event["object"] == *word);
            let change = ["created", "changed", "renewed", "deleted"]
                .into_iter()
                .find(|word| event["change"] == *word);
            let id = event.get("id").or(event.get("grant")).map(text).unwrap();
            assert_eq!(
                event.get("client").is_some(),
                object == Some("scope_approval"),
                "{event}"
            );
            (object.unwrap_or("grant"), id, change.unwrap_or("withdrawn"))
        })
        .collect()
}

/// Fails if a change is not recorded, is recorded although it was refused, or has another object's
/// id.
#[tokio::test]
async fn every_change_is_recorded_once_and_nothing_else_is() {
    let log = MemoryAuditLog::default();
    let management = ManagementClient::with_harness(
        Harness::with_settings(|builder| builder.audit(Arc::new(log.clone()))).await,
    )
    .await;
    let mut seen = log.events().len();
    let (application, scope_id) = management.application().await;
    let made = text(&management.client().await["id"]);
    let (scope, path) = (
        format!("{application}:read"),
        format!("/v1/applications/{application}"),
    );
    let (scope_path, client_path) = (
        format!("{path}/scopes/{scope_id}"),
        format!("/v1/clients/{made}"),
    );
    let expected = [
        ("application", application.clone(), "created"),
        ("scope", scope.clone(), "created"),
        ("client", made.clone(), "created"),
    ];
    assert_eq!(changes(&log, &mut seen), expected);

    let approval = format!("{scope_path}/clients/{made}");
    let key = text(
        &management
            .post(&management.owner, "/v1/api-keys", api_key())
            .await["id"],
    );
    assert_eq!(
        changes(&log, &mut seen),
        [("api_key", key.clone(), "created")]
    );

    let (none, key_path) = (json!({}), format!("/v1/api-keys/{key}"));
    let steps = [
        (
            Method::POST,
            format!("{key_path}/renew"),
            none.clone(),
            ("api_key", key.clone(), "renewed"),
        ),
        (
            Method::DELETE,
            key_path,
            none.clone(),
            ("api_key", key, "deleted"),
        ),
        (
            Method::PATCH,
            path.clone(),
            json!({"name": "Clubs"}),
            ("application", application.clone(), "changed"),
        ),
        (
            Method::PATCH,
            scope_path.clone(),
            json!({"approvalRequired": true}),
            ("scope", scope.clone(), "changed"),
        ),
        (
            Method::PUT,
            approval.clone(),
            none.clone(),
            ("scope_approval", scope.clone(), "created"),
        ),
        (
            Method::DELETE,
            approval,
            none.clone(),
            ("scope_approval", scope.clone(), "deleted"),
        ),
        (
            Method::PATCH,
            client_path.clone(),
            json!({"name": "Clubs"}),
            ("client", made.clone(), "changed"),
        ),
        (
            Method::POST,
            format!("{client_path}/secrets"),
            none.clone(),
            ("client_secret", made.clone(), "created"),
        ),
        (
            Method::DELETE,
            format!("{client_path}/secrets/older"),
            none.clone(),
            ("client_secret", made.clone(), "deleted"),
        ),
        (
            Method::DELETE,
            scope_path,
            none.clone(),
            ("scope", scope, "deleted"),
        ),
        (
            Method::DELETE,
            client_path,
            none.clone(),
            ("client", made, "deleted"),
        ),
        (
            Method::DELETE,
            path,
            none.clone(),
            ("application", application, "deleted"),
        ),
    ];
    for (method, path, body, change) in steps {
        management.get(&management.owner, "/v1/clients").await;
        let refused = management
            .ask(&management.other, method.clone(), &path, Some(body.clone()))
            .await;
        assert_eq!(refused.status, 403, "{method} {path}");
        assert_eq!(changes(&log, &mut seen), [], "before {method} {path}");
        data(
            &management
                .ask(&management.owner, method.clone(), &path, Some(body))
                .await,
        );
        assert_eq!(changes(&log, &mut seen), [change], "{method} {path}");
    }

    let grant = text(&management.get(&management.owner, "/v1/grants").await["grants"][0]["id"]);
    management
        .delete(&management.owner, &format!("/v1/grants/{grant}"))
        .await;
    assert_eq!(changes(&log, &mut seen), [("grant", grant, "withdrawn")]);
}

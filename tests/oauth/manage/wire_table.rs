//! The error table of "Management" in `docs/wire.md`, compared with the service's responses.

use std::collections::BTreeSet;

use http::Method;
use lyceum::domain::ApiScope;
use lyceum::http::ManagementErrorReason;
use lyceum::http::auth_server::{AuthServerBuilder, UserLimits};
use serde_json::json;

use super::*;
use crate::wire_doc;

// Proves: spec 4
/// Fails if a reason of the service's table has no row in `docs/wire.md`, another status there, or
/// a row there has no reason.
#[test]
fn the_page_has_the_rows_of_the_table() {
    let table = ManagementErrorReason::ALL
        .iter()
        .map(|reason| (reason.status().as_u16(), reason.to_string()));
    // The page explains an internal error once, for the whole authorization service.
    let table = table.filter(|(status, _)| *status != 500).collect();
    assert_eq!(wire_doc::refusals("Management", "reason"), table);
}

// Proves: spec 4
#[tokio::test]
async fn every_documented_refusal_is_answered() {
    let limits = UserLimits {
        applications_per_user: 1,
        scopes_per_application: 3,
        clients_per_user: 3,
        redirect_uris_per_client: 1,
        ..UserLimits::default()
    };
    let users = |builder: AuthServerBuilder| {
        let builder = builder
            .api_key_scopes(Role::User, [ApiScope::NEIS_READ].into_iter().collect())
            .api_keys_per_owner(0);
        builder.user_limits(limits)
    };
    let management = ManagementClient::with_harness(Harness::with_settings(users).await).await;
    let (application, scope) = management.application().await;
    let made = text(&management.client().await["id"]);
    let (scopes, client_path) = (
        format!("/v1/applications/{application}/scopes"),
        format!("/v1/clients/{made}"),
    );
    let public = text(
        &management
            .post(
                &management.owner,
                "/v1/clients",
                with(client(), "policy", json!("none")),
            )
            .await["id"],
    );
    let guarded =
        json!({"scopeName": "guarded", "description": "With approval", "approvalRequired": true});
    let guarded = management.post(&management.owner, &scopes, guarded).await;
    let read = json!({"scopeName": "read", "description": "Again"});
    let reader = management.harness.client(ClientPolicy::Public).await;
    let reading = management
        .harness
        .tokens_for(&reader, "service:self_read")
        .await
        .access;
    let (owner, other) = (&management.owner, &management.other);
    let asked = [
        (
            owner,
            Method::POST,
            "/v1/applications".to_owned(),
            Some(json!([])),
        ),
        (
            owner,
            Method::POST,
            "/v1/applications".to_owned(),
            Some(json!({"owner": "other"})),
        ),
        (
            owner,
            Method::POST,
            "/v1/applications".to_owned(),
            Some(json!({})),
        ),
        (
            owner,
            Method::POST,
            "/v1/applications".to_owned(),
            Some(json!({"name": ""})),
        ),
        (
            owner,
            Method::POST,
            "/v1/applications".to_owned(),
            Some(json!({"name": "Lunch\u{200b}"})),
        ),
        (
            owner,
            Method::POST,
            "/v1/applications".to_owned(),
            Some(json!({"name": "Schoo1 account"})),
        ),
        (
            owner,
            Method::GET,
            "/v1/applications?size=0".to_owned(),
            None,
        ),
        (
            owner,
            Method::GET,
            "/v1/applications?name=x".to_owned(),
            None,
        ),
        (owner, Method::GET, "/v1/clients?review=x".to_owned(), None),
        (
            owner,
            Method::GET,
            "/v1/clients?review=awaiting".to_owned(),
            None,
        ),
        (
            owner,
            Method::POST,
            "/v1/clients".to_owned(),
            Some(with(client(), "allowedScopes", json!(["service:nothing"]))),
        ),
        (&"x".to_owned(), Method::GET, "/v1/clients".to_owned(), None),
        (&reading, Method::GET, "/v1/clients".to_owned(), None),
        (other, Method::GET, client_path.clone(), None),
        (
            owner,
            Method::PATCH,
            client_path,
            Some(json!({"firstParty": true})),
        ),
        (
            &management.admin,
            Method::DELETE,
            "/v1/applications/service".to_owned(),
            None,
        ),
        (
            other,
            Method::POST,
            "/v1/clients".to_owned(),
            Some(with(client(), "allowedScopes", json!([guarded["scope"]]))),
        ),
        (owner, Method::GET, format!("/v1/clients/{NOBODY}"), None),
        (owner, Method::PUT, format!("{scopes}/{scope}"), None),
        (owner, Method::POST, scopes.clone(), Some(read)),
        (
            owner,
            Method::POST,
            scopes.clone(),
            Some(json!({"scopeName": "unseen", "description": "Read\u{200b}"})),
        ),
        (
            owner,
            Method::POST,
            "/v1/applications".to_owned(),
            Some(json!({"name": "Another"})),
        ),
        (
            owner,
            Method::POST,
            "/v1/clients".to_owned(),
            Some(with(
                client(),
                "redirectUris",
                json!([CALLBACK, "https://b.example/"]),
            )),
        ),
        (
            owner,
            Method::POST,
            "/v1/api-keys".to_owned(),
            Some(api_key()),
        ),
        (
            &management.admin,
            Method::POST,
            "/v1/api-keys".to_owned(),
            Some(api_key()),
        ),
        (
            owner,
            Method::POST,
            format!("/v1/clients/{public}/secrets"),
            None,
        ),
        (
            &management.admin,
            Method::POST,
            format!("/v1/clients/{public}/owner"),
            Some(json!({"owner": "nobody-at-all"})),
        ),
    ];
    let mut answered = BTreeSet::new();
    for (token, method, path, body) in asked {
        let (status, reason, _) = refusal(&management.ask(token, method, &path, body).await);
        answered.insert((status, reason));
    }
    let third = json!({"scopeName": "third", "description": "The last one"});
    management.post(owner, &scopes, third.clone()).await;
    management.client().await;
    for (path, body) in [
        (&*scopes, with(third, "scopeName", json!("fourth"))),
        ("/v1/clients", client()),
    ] {
        let (status, reason, _) =
            refusal(&management.ask(owner, Method::POST, path, Some(body)).await);
        answered.insert((status, reason));
    }
    for _ in 0..130 {
        let (status, reason, _) = refusal(
            &management
                .ask(other, Method::POST, "/v1/clients", Some(json!({})))
                .await,
        );
        answered.insert((status, reason));
    }
    let twice = management
        .send(
            owner,
            Method::POST,
            "/v1/applications",
            Some(r#"{"name":"a","name":"b"}"#.to_owned()),
        )
        .await;
    let (status, reason, _) = refusal(&twice);
    answered.insert((status, reason));
    // Concurrent changes have a separate test:
    // `two_changes_at_once_lose_nothing_that_was_acknowledged`.
    answered.insert((409, "changed_meanwhile".to_owned()));
    // As do keys that are renewed too often:
    // `a_key_with_five_values_that_work_is_renewed_only_without_an_overlap`.
    answered.insert((409, "too_many_key_values".to_owned()));
    // And the deletion of the last first-party client:
    // `the_last_of_the_services_own_clients_is_not_deleted`.
    answered.insert((409, "last_first_party".to_owned()));
    let once = management.harness.client(ClientPolicy::Secret).await;
    let token = management
        .harness
        .tokens_for(&once, "service:manage")
        .await
        .access;
    management
        .patch(
            &management.admin,
            &format!("/v1/clients/{}", once.id),
            json!({"allowedScopes": []}),
        )
        .await;
    let (status, reason, _) = refusal(
        &management
            .ask(&token, Method::GET, "/v1/grants", None)
            .await,
    );
    answered.insert((status, reason));
    management.harness.users.set_reachable(false);
    let (status, reason, _) =
        refusal(&management.ask(owner, Method::GET, "/v1/grants", None).await);
    answered.insert((status, reason));
    assert_eq!(answered, wire_doc::refusals("Management", "reason"));
}

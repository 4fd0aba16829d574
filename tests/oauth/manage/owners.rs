use http::header::WWW_AUTHENTICATE;
use http::{Method, Request};
use lyceum::domain::{ClientPolicy, Role};
use lyceum::http::Body;
use serde_json::json;

use super::*;
use crate::token::harness::{AfterLookup, refresh_fields};

/// Every path to an owned object, with its methods.
async fn addresses(management: &ManagementClient) -> Vec<(Method, String, Option<Value>)> {
    let (application, scope) = management.application().await;
    let client = text(&management.client().await["id"]);
    let (application, client) = (
        format!("/v1/applications/{application}"),
        format!("/v1/clients/{client}"),
    );
    let scope = format!("{application}/scopes/{scope}");
    let approval = format!("{scope}{}", client.strip_prefix("/v1").unwrap());
    let key = format!(
        "/v1/api-keys/{}",
        text(
            &management
                .post(&management.owner, "/v1/api-keys", api_key())
                .await["id"]
        )
    );
    vec![
        (Method::POST, format!("{key}/renew"), None),
        (Method::DELETE, key, None),
        (
            Method::PATCH,
            application.clone(),
            Some(json!({"name": "Mine"})),
        ),
        (
            Method::POST,
            format!("{application}/scopes"),
            Some(json!({"scopeName": "mine", "description": "Mine"})),
        ),
        (
            Method::PATCH,
            scope.clone(),
            Some(json!({"description": "Mine"})),
        ),
        (Method::GET, format!("{scope}/clients"), None),
        (Method::PUT, approval.clone(), None),
        (Method::DELETE, approval, None),
        (Method::DELETE, scope, None),
        (Method::DELETE, application, None),
        (Method::GET, client.clone(), None),
        (Method::PATCH, client.clone(), Some(json!({"name": "Mine"}))),
        (Method::POST, format!("{client}/secrets"), None),
        (Method::DELETE, format!("{client}/secrets/older"), None),
        (Method::DELETE, client, None),
    ]
}

// Proves: spec 4
/// Fails if a handler does not check the owner.
#[tokio::test]
async fn only_the_owner_and_administrators_see_and_change_a_record() {
    let management = ManagementClient::new().await;
    let addresses = addresses(&management).await;
    for (method, path, body) in &addresses {
        let answer = management
            .ask(&management.other, method.clone(), path, body.clone())
            .await;
        assert_eq!(
            refusal(&answer),
            refused(403, "not_owner", ""),
            "{method} {path}"
        );
    }
    for (method, path, body) in &addresses {
        let answer = management
            .ask(&management.admin, method.clone(), path, body.clone())
            .await;
        assert_eq!(answer.status, 200, "{method} {path} {answer:?}");
    }
}

// Proves: spec 4
#[tokio::test]
async fn any_user_sees_an_application_and_its_scopes() {
    let management = ManagementClient::new().await;
    let (application, _) = management.application().await;
    let path = format!("/v1/applications/{application}");
    for path in [path.clone(), format!("{path}/scopes")] {
        assert_eq!(
            management.get(&management.other, &path).await,
            management.get(&management.owner, &path).await
        );
    }
}

// Proves: spec 4
#[tokio::test]
async fn the_current_role_decides_not_the_one_in_the_token() {
    let management = ManagementClient::new().await;
    let (application, _) = management.application().await;
    let path = format!("/v1/applications/{application}");
    management.harness.users.sign_in_as("admin", Role::User);
    assert_eq!(
        refusal(
            &management
                .ask(&management.admin, Method::DELETE, &path, None)
                .await
        ),
        refused(403, "not_owner", "")
    );
    management.harness.users.sign_in_as("other", Role::Admin);
    assert_eq!(management.delete(&management.other, &path).await, json!({}));
}

#[tokio::test]
async fn a_request_needs_a_token_of_a_user_for_managing() {
    let management = ManagementClient::new().await;
    let reader = management.harness.client(ClientPolicy::Public).await;
    let reading = management
        .harness
        .tokens_for(&reader, "service:self_read")
        .await
        .access;
    let mut all = addresses(&management).await;
    for path in [
        "/v1/applications",
        "/v1/clients",
        "/v1/clients/available-scopes",
        "/v1/api-keys",
        "/v1/grants",
    ] {
        all.push((Method::GET, path.to_owned(), None));
    }
    all.push((
        Method::POST,
        "/v1/applications".to_owned(),
        Some(json!({"name": "x"})),
    ));
    all.push((Method::POST, "/v1/clients".to_owned(), Some(client())));
    all.push((Method::POST, "/v1/api-keys".to_owned(), Some(api_key())));
    all.push((Method::DELETE, format!("/v1/grants/{NOBODY}"), None));
    for (method, path, body) in all {
        let none = Request::builder()
            .method(method.clone())
            .uri(&path)
            .body(Body::empty())
            .unwrap();
        let none = management.harness.send(none).await;
        assert_eq!(
            refusal(&none),
            refused(401, "invalid_token", ""),
            "{method} {path}"
        );
        assert_eq!(
            none.header(WWW_AUTHENTICATE.as_str()),
            r#"Bearer realm="service", scope="service:manage""#
        );
        let forged = management
            .ask("forged", method.clone(), &path, body.clone())
            .await;
        assert_eq!(refusal(&forged), refused(401, "invalid_token", ""));
        assert!(
            forged
                .header("www-authenticate")
                .contains(r#"error="invalid_token""#)
        );
        let reading = management.ask(&reading, method.clone(), &path, body).await;
        assert_eq!(
            refusal(&reading),
            refused(403, "insufficient_scope", ""),
            "{method} {path}"
        );
    }
}

// Proves: spec 3.21
/// Fails if the scope in the token is sufficient: grants keep their scopes.
#[tokio::test]
async fn a_client_that_is_no_longer_one_of_the_services_own_manages_nothing() {
    let management = ManagementClient::new().await;
    let second = management.harness.client(ClientPolicy::Secret).await;
    let path = format!("/v1/clients/{}", second.id);
    for change in [
        json!({"allowedScopes": ["service:self_read"]}),
        json!({"firstParty": false}),
    ] {
        management.patch(
            &management.admin,
            &path,
            json!({"firstParty": true, "allowedScopes": ["service:self_read", "service:manage"]}),
        )
        .await;
        let tokens = management
            .harness
            .tokens_for(&second, "service:manage")
            .await;
        management.get(&tokens.access, "/v1/grants").await;
        let change = with(change, "allowedScopes", json!(["service:self_read"]));
        management.patch(&management.admin, &path, change).await;
        let fields =
            refresh_fields(&second, &tokens.refresh).with("client_secret", &second.secret());
        for token in [
            tokens.access,
            management.harness.post(&fields).await.tokens().access,
        ] {
            let answer = management
                .ask(&token, Method::GET, "/v1/grants", None)
                .await;
            assert_eq!(refusal(&answer), refused(403, "first_party_only", ""));
        }
    }
}

// Proves: spec 3.21
#[tokio::test]
async fn the_services_own_application_and_scopes_stay_as_they_are() {
    let management = ManagementClient::new().await;
    let shown = management
        .get(&management.admin, "/v1/applications/service")
        .await;
    assert_eq!(shown["scopes"].as_array().unwrap().len(), 2);
    let scope = format!(
        "/v1/applications/service/scopes/{}",
        text(&shown["scopes"][0]["id"])
    );
    let approval = format!("{scope}/clients/{}", management.console.id);
    let tries = [
        (
            Method::PATCH,
            "/v1/applications/service",
            Some(json!({"name": "Mine"})),
        ),
        (
            Method::POST,
            "/v1/applications/service/scopes",
            Some(json!({"scopeName": "mine", "description": "Mine"})),
        ),
        (
            Method::PATCH,
            &*scope,
            Some(json!({"approvalRequired": true})),
        ),
        (Method::PUT, &approval, None),
        (Method::DELETE, &approval, None),
        (Method::DELETE, &scope, None),
        (Method::DELETE, "/v1/applications/service", None),
    ];
    for (method, path, body) in tries {
        let by_admin = management
            .ask(&management.admin, method.clone(), path, body.clone())
            .await;
        assert_eq!(
            refusal(&by_admin),
            refused(403, "of_the_service", ""),
            "{method} {path}"
        );
        let by_user = management
            .ask(&management.owner, method.clone(), path, body)
            .await;
        assert_eq!(
            refusal(&by_user),
            refused(403, "not_owner", ""),
            "{method} {path}"
        );
    }
    assert_eq!(
        management
            .get(&management.admin, "/v1/applications/service")
            .await,
        shown
    );
}

/// Fails if owners can transfer their clients, a client gets an unknown owner, or an ordinary
/// change sets an owner.
#[tokio::test]
async fn administrators_alone_give_a_client_to_another_user() {
    let management = ManagementClient::new().await;
    let path = format!("/v1/clients/{}", text(&management.client().await["id"]));
    let (address, to_other) = (format!("{path}/owner"), json!({"owner": "other"}));
    let give = async |token: &str, body: &Value| {
        refusal(
            &management
                .ask(token, Method::POST, &address, Some(body.clone()))
                .await,
        )
    };
    assert_eq!(
        give(&management.owner, &to_other).await,
        refused(403, "administrators_only", "")
    );
    assert_eq!(
        give(&management.other, &to_other).await,
        refused(403, "not_owner", "")
    );
    assert_eq!(
        give(&management.admin, &json!({"owner": "nobody-at-all"})).await,
        refused(400, "owner_unknown", "owner")
    );
    assert_eq!(
        give(&management.admin, &json!({})).await,
        refused(400, "field_missing", "owner")
    );
    assert_eq!(
        give(
            &management.admin,
            &json!({"owner": "other", "role": "ADMIN"})
        )
        .await
        .0,
        400
    );
    let patched = management
        .ask(
            &management.admin,
            Method::PATCH,
            &path,
            Some(to_other.clone()),
        )
        .await;
    assert_eq!(patched.status, 400, "the owner is not a setting");
    let client: lyceum::domain::ClientId = path.rsplit('/').next().unwrap().parse().unwrap();
    let removal = management
        .harness
        .store
        .remove_owner(&"owner".parse().unwrap(), crate::token::harness::START)
        .await
        .unwrap();
    assert_eq!(removal.suspended_clients, [client]);
    assert_eq!(
        management.get(&management.admin, &path).await["suspendedAt"],
        crate::token::harness::START.seconds()
    );
    let given = management.post(&management.admin, &address, to_other).await;
    assert_eq!(
        (&given["owner"], &given["suspendedAt"]),
        (&json!("other"), &Value::Null)
    );
    assert_eq!(management.get(&management.other, &path).await, given);
    assert_eq!(
        refusal(
            &management
                .ask(&management.owner, Method::GET, &path, None)
                .await
        ),
        refused(403, "not_owner", "")
    );
}

/// Fails if administrators can lock themselves out of management by deleting the last first-party
/// client.
#[tokio::test]
async fn the_last_of_the_services_own_clients_is_not_deleted() {
    let management = ManagementClient::new().await;
    let path = format!("/v1/clients/{}", management.console.id);
    let answer = management
        .ask(&management.admin, Method::DELETE, &path, None)
        .await;
    assert_eq!(refusal(&answer), refused(409, "last_first_party", ""));
    assert_eq!(
        management.get(&management.admin, &path).await["id"],
        management.console.id,
        "the client still exists"
    );
}

/// Fails if the procedure that the refusal names does not work.
#[tokio::test]
async fn the_last_of_the_services_own_clients_is_deleted_once_it_is_none_any_more() {
    let management = ManagementClient::new().await;
    let path = format!("/v1/clients/{}", management.console.id);
    let plain = json!({"firstParty": false, "allowedScopes": ["service:self_read"]});
    let second = management.harness.client(ClientPolicy::Secret).await;
    management.patch(&management.admin, &path, plain).await;
    management.harness.users.sign_in_as("admin", Role::Admin);
    let token = management
        .harness
        .tokens_for(&second, "service:manage")
        .await
        .access;
    assert_eq!(management.delete(&token, &path).await, json!({}));
}

/// Fails if an unavailable directory counts as a missing user, which would suspend the clients of
/// an existing one.
#[tokio::test]
async fn a_transfer_whose_second_lookup_fails_suspends_nothing() {
    let management = ManagementClient::new().await;
    let mine = text(
        &management
            .post(&management.other, "/v1/clients", client())
            .await["id"],
    );
    let given = text(&management.client().await["id"]);
    management
        .harness
        .users
        .after_lookup("other", AfterLookup::Unavailable);
    let to_other = Some(json!({"owner": "other"}));
    let answer = management
        .ask(
            &management.admin,
            Method::POST,
            &format!("/v1/clients/{given}/owner"),
            to_other.clone(),
        )
        .await;
    assert_eq!(answer.status, 503, "{answer:?}");
    management.harness.users.set_reachable(true);
    for id in [&mine, &given] {
        assert_eq!(
            management
                .get(&management.admin, &format!("/v1/clients/{id}"))
                .await["suspendedAt"],
            Value::Null
        );
    }
    management
        .harness
        .users
        .after_lookup("other", AfterLookup::Removed);
    let answer = management
        .ask(
            &management.admin,
            Method::POST,
            &format!("/v1/clients/{given}/owner"),
            to_other,
        )
        .await;
    assert_eq!(refusal(&answer), refused(400, "owner_unknown", "owner"));
    for id in [&mine, &given] {
        let suspended_at = &management
            .get(&management.admin, &format!("/v1/clients/{id}"))
            .await["suspendedAt"];
        assert_ne!(*suspended_at, Value::Null, "the new owner was removed");
    }
}

/// Fails if a client that introspects tokens for an application cannot be transferred with it.
#[tokio::test]
async fn a_client_is_given_to_the_service_itself() {
    let management = ManagementClient::new().await;
    let path = format!("/v1/clients/{}", text(&management.client().await["id"]));
    let given = management
        .post(
            &management.admin,
            &format!("{path}/owner"),
            json!({"owner": "service"}),
        )
        .await;
    assert_eq!(given["owner"], "service");
    assert_eq!(
        refusal(
            &management
                .ask(&management.owner, Method::GET, &path, None)
                .await
        ),
        refused(403, "not_owner", "")
    );
}

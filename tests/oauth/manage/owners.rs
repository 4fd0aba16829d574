use http::header::WWW_AUTHENTICATE;
use http::{Method, Request};
use lyceum::domain::{ClientPolicy, Role};
use lyceum::http::Body;
use serde_json::json;

use super::*;
use crate::token::world::{AfterLook, refresh_fields};

/// Every address that names something of somebody's, each with its methods.
async fn addresses(desk: &Desk) -> Vec<(Method, String, Option<Value>)> {
    let (application, scope) = desk.application().await;
    let client = text(&desk.client().await["id"]);
    let (application, client) = (format!("/v1/applications/{application}"), format!("/v1/clients/{client}"));
    let scope = format!("{application}/scopes/{scope}");
    let approval = format!("{scope}{}", client.strip_prefix("/v1").unwrap());
    let key = format!("/v1/api-keys/{}", text(&desk.post(&desk.owner, "/v1/api-keys", api_key()).await["id"]));
    vec![
        (Method::POST, format!("{key}/renew"), None),
        (Method::DELETE, key, None),
        (Method::PATCH, application.clone(), Some(json!({"name": "Mine"}))),
        (Method::POST, format!("{application}/scopes"), Some(json!({"scopeName": "mine", "description": "Mine"}))),
        (Method::PATCH, scope.clone(), Some(json!({"description": "Mine"}))),
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

/// Fails if a handler asks the store without asking who owns what it finds.
#[tokio::test]
async fn decision_4_nobody_sees_or_changes_what_is_somebody_elses_but_an_administrator() {
    let desk = Desk::new().await;
    let addresses = addresses(&desk).await;
    for (method, path, body) in &addresses {
        let answer = desk.ask(&desk.other, method.clone(), path, body.clone()).await;
        assert_eq!(refusal(&answer), refused(403, "not_owner", ""), "{method} {path}");
    }
    for (method, path, body) in &addresses {
        let answer = desk.ask(&desk.admin, method.clone(), path, body.clone()).await;
        assert_eq!(answer.status, 200, "{method} {path} {answer:?}");
    }
}

#[tokio::test]
async fn decision_4_any_user_sees_an_application_and_its_scopes() {
    let desk = Desk::new().await;
    let (application, _) = desk.application().await;
    let path = format!("/v1/applications/{application}");
    for path in [path.clone(), format!("{path}/scopes")] {
        assert_eq!(desk.get(&desk.other, &path).await, desk.get(&desk.owner, &path).await);
    }
}

#[tokio::test]
async fn decision_4_the_role_is_the_one_of_today() {
    let desk = Desk::new().await;
    let (application, _) = desk.application().await;
    let path = format!("/v1/applications/{application}");
    desk.world.users.enter("admin", Role::User);
    assert_eq!(refusal(&desk.ask(&desk.admin, Method::DELETE, &path, None).await), refused(403, "not_owner", ""));
    desk.world.users.enter("other", Role::Admin);
    assert_eq!(desk.delete(&desk.other, &path).await, json!({}));
}

#[tokio::test]
async fn a_request_needs_a_token_of_a_user_for_managing() {
    let desk = Desk::new().await;
    let reader = desk.world.client(ClientPolicy::Public).await;
    let reading = desk.world.tokens_for(&reader, "service:self_read").await.access;
    let mut all = addresses(&desk).await;
    for path in ["/v1/applications", "/v1/clients", "/v1/clients/available-scopes", "/v1/api-keys", "/v1/grants"] {
        all.push((Method::GET, path.to_owned(), None));
    }
    all.push((Method::POST, "/v1/applications".to_owned(), Some(json!({"name": "x"}))));
    all.push((Method::POST, "/v1/clients".to_owned(), Some(client())));
    all.push((Method::POST, "/v1/api-keys".to_owned(), Some(api_key())));
    all.push((Method::DELETE, format!("/v1/grants/{NOBODY}"), None));
    for (method, path, body) in all {
        let none = Request::builder().method(method.clone()).uri(&path).body(Body::empty()).unwrap();
        let none = desk.world.send(none).await;
        assert_eq!(refusal(&none), refused(401, "invalid_token", ""), "{method} {path}");
        assert_eq!(none.header(WWW_AUTHENTICATE.as_str()), r#"Bearer realm="service", scope="service:manage""#);
        let forged = desk.ask("forged", method.clone(), &path, body.clone()).await;
        assert_eq!(refusal(&forged), refused(401, "invalid_token", ""));
        assert!(forged.header("www-authenticate").contains(r#"error="invalid_token""#));
        let reading = desk.ask(&reading, method.clone(), &path, body).await;
        assert_eq!(refusal(&reading), refused(403, "insufficient_scope", ""), "{method} {path}");
    }
}

/// Fails if the scope in the token is believed: grants keep what their users approved.
#[tokio::test]
async fn decision_3_21_a_client_that_is_no_longer_one_of_the_services_own_manages_nothing() {
    let desk = Desk::new().await;
    let second = desk.world.client(ClientPolicy::Secret).await;
    let path = format!("/v1/clients/{}", second.id);
    for change in [json!({"allowedScopes": ["service:self_read"]}), json!({"firstParty": false})] {
        desk.patch(&desk.admin, &path, json!({"firstParty": true, "allowedScopes": ["service:self_read", "service:manage"]})).await;
        let tokens = desk.world.tokens_for(&second, "service:manage").await;
        desk.get(&tokens.access, "/v1/grants").await;
        let change = with(change, "allowedScopes", json!(["service:self_read"]));
        desk.patch(&desk.admin, &path, change).await;
        let fields = refresh_fields(&second, &tokens.refresh).with("client_secret", &second.secret());
        for token in [tokens.access, desk.world.post(&fields).await.tokens().access] {
            let answer = desk.ask(&token, Method::GET, "/v1/grants", None).await;
            assert_eq!(refusal(&answer), refused(403, "first_party_only", ""));
        }
    }
}

#[tokio::test]
async fn the_services_own_application_and_scopes_stay_as_they_are() {
    let desk = Desk::new().await;
    let shown = desk.get(&desk.admin, "/v1/applications/service").await;
    assert_eq!(shown["scopes"].as_array().unwrap().len(), 2);
    let scope = format!("/v1/applications/service/scopes/{}", text(&shown["scopes"][0]["id"]));
    let approval = format!("{scope}/clients/{}", desk.console.id);
    let tries = [
        (Method::PATCH, "/v1/applications/service", Some(json!({"name": "Mine"}))),
        (Method::POST, "/v1/applications/service/scopes", Some(json!({"scopeName": "mine", "description": "Mine"}))),
        (Method::PATCH, &*scope, Some(json!({"approvalRequired": true}))),
        (Method::PUT, &approval, None),
        (Method::DELETE, &approval, None),
        (Method::DELETE, &scope, None),
        (Method::DELETE, "/v1/applications/service", None),
    ];
    for (method, path, body) in tries {
        let by_admin = desk.ask(&desk.admin, method.clone(), path, body.clone()).await;
        assert_eq!(refusal(&by_admin), refused(403, "of_the_service", ""), "{method} {path}");
        let by_user = desk.ask(&desk.owner, method.clone(), path, body).await;
        assert_eq!(refusal(&by_user), refused(403, "not_owner", ""), "{method} {path}");
    }
    assert_eq!(desk.get(&desk.admin, "/v1/applications/service").await, shown);
}

/// Fails if owners give their clients away, a client goes to nobody, or an ordinary change takes an owner.
#[tokio::test]
async fn administrators_alone_give_a_client_to_another_user() {
    let desk = Desk::new().await;
    let path = format!("/v1/clients/{}", text(&desk.client().await["id"]));
    let (address, to_other) = (format!("{path}/owner"), json!({"owner": "other"}));
    let give = async |token: &str, body: &Value| refusal(&desk.ask(token, Method::POST, &address, Some(body.clone())).await);
    assert_eq!(give(&desk.owner, &to_other).await, refused(403, "administrators_only", ""));
    assert_eq!(give(&desk.other, &to_other).await, refused(403, "not_owner", ""));
    assert_eq!(give(&desk.admin, &json!({"owner": "nobody-at-all"})).await, refused(400, "owner_unknown", "owner"));
    assert_eq!(give(&desk.admin, &json!({})).await, refused(400, "field_missing", "owner"));
    assert_eq!(give(&desk.admin, &json!({"owner": "other", "role": "ADMIN"})).await.0, 400);
    let patched = desk.ask(&desk.admin, Method::PATCH, &path, Some(to_other.clone())).await;
    assert_eq!(patched.status, 400, "an owner is no setting");
    let client: lyceum::domain::ClientId = path.rsplit('/').next().unwrap().parse().unwrap();
    let removal = desk.world.store.remove_owner(&"owner".parse().unwrap(), crate::token::world::START).await.unwrap();
    assert_eq!(removal.suspended_clients, [client]);
    assert_eq!(desk.get(&desk.admin, &path).await["suspendedAt"], crate::token::world::START.seconds());
    let given = desk.post(&desk.admin, &address, to_other).await;
    assert_eq!((&given["owner"], &given["suspendedAt"]), (&json!("other"), &Value::Null));
    assert_eq!(desk.get(&desk.other, &path).await, given);
    assert_eq!(refusal(&desk.ask(&desk.owner, Method::GET, &path, None).await), refused(403, "not_owner", ""));
}

/// Fails if the school can lock itself out of its own management by one wrong click.
#[tokio::test]
async fn the_last_of_the_services_own_clients_is_not_deleted() {
    let desk = Desk::new().await;
    let path = format!("/v1/clients/{}", desk.console.id);
    let answer = desk.ask(&desk.admin, Method::DELETE, &path, None).await;
    assert_eq!(refusal(&answer), refused(409, "last_first_party", ""));
    assert_eq!(desk.get(&desk.admin, &path).await["id"], desk.console.id, "it is still there");
}

/// Fails if the way that the refusal names is closed.
#[tokio::test]
async fn the_last_of_the_services_own_clients_is_deleted_once_it_is_none_any_more() {
    let desk = Desk::new().await;
    let path = format!("/v1/clients/{}", desk.console.id);
    let plain = json!({"firstParty": false, "allowedScopes": ["service:self_read"]});
    let second = desk.world.client(ClientPolicy::Secret).await;
    desk.patch(&desk.admin, &path, plain).await;
    desk.world.users.enter("admin", Role::Admin);
    let token = desk.world.tokens_for(&second, "service:manage").await.access;
    assert_eq!(desk.delete(&token, &path).await, json!({}));
}

/// Fails if a directory that does not answer counts as one that says no, which would suspend the clients of somebody who is there.
#[tokio::test]
async fn a_transfer_whose_second_look_fails_suspends_nothing() {
    let desk = Desk::new().await;
    let mine = text(&desk.post(&desk.other, "/v1/clients", client()).await["id"]);
    let given = text(&desk.client().await["id"]);
    desk.world.users.after_look("other", AfterLook::OutOfReach);
    let to_other = Some(json!({"owner": "other"}));
    let answer = desk.ask(&desk.admin, Method::POST, &format!("/v1/clients/{given}/owner"), to_other.clone()).await;
    assert_eq!(answer.status, 503, "{answer:?}");
    desk.world.users.set_reachable(true);
    for id in [&mine, &given] {
        assert_eq!(desk.get(&desk.admin, &format!("/v1/clients/{id}")).await["suspendedAt"], Value::Null);
    }
    desk.world.users.after_look("other", AfterLook::Leaves);
    let answer = desk.ask(&desk.admin, Method::POST, &format!("/v1/clients/{given}/owner"), to_other).await;
    assert_eq!(refusal(&answer), refused(400, "owner_unknown", "owner"));
    for id in [&mine, &given] {
        let suspended_at = &desk.get(&desk.admin, &format!("/v1/clients/{id}")).await["suspendedAt"];
        assert_ne!(*suspended_at, Value::Null, "the new owner has left");
    }
}

/// Fails if a client that introspects for an application has no way to follow it.
#[tokio::test]
async fn a_client_is_given_to_the_service_itself() {
    let desk = Desk::new().await;
    let path = format!("/v1/clients/{}", text(&desk.client().await["id"]));
    let given = desk.post(&desk.admin, &format!("{path}/owner"), json!({"owner": "service"})).await;
    assert_eq!(given["owner"], "service");
    assert_eq!(refusal(&desk.ask(&desk.owner, Method::GET, &path, None).await), refused(403, "not_owner", ""));
}

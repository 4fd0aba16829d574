//! Requests that were let in just before everything of their user ended.

use std::sync::Arc;

use http::Method;
use lyceum::store::Storage;

use super::*;
use crate::stores::new_store;
use crate::token::world::AfterLook;

/// A request of the owner, who signs out everywhere once it has been let in.
async fn ask_while_signing_out(desk: &Desk, path: &str, body: Option<Value>) -> Answer {
    desk.world.users.enter("owner", Role::User);
    let token = desk.world.tokens_for(&desk.console, "service:manage").await.access;
    desk.world.users.after_look("owner", AfterLook::SignsOut(desk.world.store.clone()));
    desk.ask(&token, Method::POST, path, body).await
}

fn assert_lost(answer: &Answer) {
    assert_eq!(refusal(answer), refused(401, "invalid_token", ""), "{answer:?}");
    assert!(answer.header("www-authenticate").contains("invalid_token"), "{answer:?}");
}

async fn world() -> (Desk, Arc<dyn Storage>) {
    let store = new_store().await;
    let keys = store.clone();
    (Desk::in_world(World::over(store.clone(), |builder| builder.api_keys(keys)).await).await, store)
}

/// Fails if the grant is looked at before the key is issued alone.
#[tokio::test]
async fn an_api_key_that_is_issued_while_its_owner_signs_out_everywhere_is_revoked() {
    let (desk, store) = world().await;
    assert_lost(&ask_while_signing_out(&desk, "/v1/api-keys", Some(api_key())).await);
    let owner = "owner".parse().unwrap();
    let keys = store.api_keys(Some(&owner), lyceum::domain::PageRequest::new(0, 9).unwrap()).await.unwrap();
    assert!(keys.items.iter().all(|key| key.revoked_at.is_some()), "{keys:?}");
}

/// Fails if the new value is shown, or the owner's key goes with it.
#[tokio::test]
async fn the_new_value_of_a_key_is_shown_to_nobody_who_has_signed_out_meanwhile() {
    let (desk, store) = world().await;
    let key = desk.post(&desk.owner, "/v1/api-keys", api_key()).await;
    assert_lost(&ask_while_signing_out(&desk, &format!("/v1/api-keys/{}/renew", text(&key["id"])), None).await);
    let kept = store.api_key_by_id(text(&key["id"]).parse().unwrap()).await.unwrap().unwrap();
    assert!(kept.revoked_at.is_none(), "{kept:?}");
}

/// Fails if a client, an application or a secret outlives the session that made it without having been seen to hold.
#[tokio::test]
async fn what_is_registered_while_its_owner_signs_out_everywhere_is_taken_back() {
    let (desk, _) = world().await;
    assert_lost(&ask_while_signing_out(&desk, "/v1/clients", Some(client())).await);
    assert_lost(&ask_while_signing_out(&desk, "/v1/applications", Some(json!({"name": "Club portal"}))).await);
    for (path, member) in [("/v1/clients", "clients"), ("/v1/applications", "applications")] {
        desk.world.users.enter("owner", Role::User);
        let token = desk.world.tokens_for(&desk.console, "service:manage").await.access;
        assert_eq!(desk.get(&token, path).await[member], json!([]), "{path}");
    }
    desk.world.users.enter("owner", Role::User);
    let token = desk.world.tokens_for(&desk.console, "service:manage").await.access;
    let client = desk.post(&token, "/v1/clients", client()).await;
    assert_lost(&ask_while_signing_out(&desk, &format!("/v1/clients/{}/secrets", text(&client["id"])), None).await);
}

//! Scopes of keys.

use lyceum::domain::ApiScope;
use lyceum::http::auth_server::AuthServerBuilder;

use super::*;

// Proves: spec 4
/// Fails if a user keeps a withdrawn scope by renewing.
#[tokio::test]
async fn a_scope_that_the_role_may_not_have_is_403() {
    let neis = |builder: AuthServerBuilder| {
        builder.api_key_scopes(Role::User, [ApiScope::NEIS_READ].into_iter().collect())
    };
    let management = ManagementClient::with_harness(Harness::with_settings(neis).await).await;
    let answer = management
        .ask(&management.owner, Method::POST, PATH, Some(api_key()))
        .await;
    assert_eq!(
        refusal(&answer),
        refused(403, "scope_not_allowed", "scopes")
    );
    management
        .post(
            &management.owner,
            PATH,
            with(api_key(), "scopes", json!(["NEIS_READ"])),
        )
        .await;
    let made = management.post(&management.admin, PATH, api_key()).await;
    management.harness.users.sign_in_as("admin", Role::User);
    let answer = management
        .ask(
            &management.admin,
            Method::POST,
            &format!("{PATH}/{}/renew", text(&made["id"])),
            None,
        )
        .await;
    assert_eq!(
        refusal(&answer),
        refused(403, "scope_not_allowed", "scopes")
    );
}

/// Fails if a key gets a scope that the host has not configured, or is refused one that it has.
#[tokio::test]
async fn a_scope_of_a_hosts_list_can_be_issued_if_the_host_registers_it() {
    let wish = with(api_key(), "scopes", json!(["ROOM_READ", "NEIS_READ"]));
    let rooms = |builder: AuthServerBuilder| {
        builder.api_scopes(ApiScopes::parse("ROOM_READ BUS_READ").unwrap())
    };
    let management = ManagementClient::with_harness(Harness::with_settings(rooms).await).await;
    let made = management.post(&management.owner, PATH, wish.clone()).await;
    assert_eq!(made["scopes"], json!(["NEIS_READ", "ROOM_READ"]));
    assert_eq!(
        management.get(&management.owner, PATH).await["apiKeys"][0]["scopes"],
        made["scopes"]
    );
    let lunch = with(api_key(), "scopes", json!(["LUNCH_READ"]));
    for (management, wish, others) in [
        (&management, lunch, ", BUS_READ, ROOM_READ"),
        (&ManagementClient::new().await, wish, ""),
    ] {
        let answer = management
            .ask(&management.owner, Method::POST, PATH, Some(wish))
            .await;
        assert_eq!(refusal(&answer), refused(400, "scope_unknown", "scopes"));
        let message = format!(
            "Each of the scopes must be one of STUDENT_READ, CLUB_READ, PROJECT_READ, NEIS_READ{others}."
        );
        assert_eq!(answer.json()["message"], json!(message));
    }
}

/// Fails if keys stop working, or can no longer be listed or renewed, after the host removes a
/// list.
#[tokio::test]
async fn a_key_keeps_a_scope_that_the_host_no_longer_registers() {
    let keys = ApiKeyHarness::new().await;
    let (secret, now) = (
        ApiKeySecret::from_random([9; 16]),
        keys.management.harness.clock.now(),
    );
    let scopes = ApiScopes::parse("CLUB_READ ROOM_READ").unwrap();
    let key = ApiKey::new(
        ApiKeyId::from_random([9; 16]),
        &secret,
        "Rooms".parse().unwrap(),
        scopes,
        now,
    );
    let key = ApiKey {
        owner: "owner".parse().ok(),
        ..key
    };
    assert_eq!(
        keys.store.create_api_key(key.clone()).await.unwrap(),
        Creation::Created
    );
    let kept = json!(["CLUB_READ", "ROOM_READ"]);
    assert_eq!(
        keys.management.get(&keys.management.owner, PATH).await["apiKeys"][0]["scopes"],
        kept
    );
    let renewed = keys.renew(&json!(key.id.to_string()), json!({})).await;
    assert_eq!(renewed["scopes"], kept);
    assert!(keys.is_valid(&json!(secret.expose())).await && keys.is_valid(&renewed["key"]).await);
}

//! Listing, updates and deletion of clients.

use std::sync::Arc;

use super::fixtures::{
    LIFETIMES, NOW, application, approval, approve, at, client, code, count, grant, owner,
    redeemed, scope, signed_in, token,
};
use super::management::{other_user, page, pending, pending_session, registered, with_scopes};
use super::store_under_test::{CONCURRENT_CALLERS, ExpectOk, StoreUnderTest};
use crate::domain::{
    AuthorizationSession, Client, ClientPolicy, ClientProof, ClientSecretDigest, Generation,
    InvalidClientMetadata, RegisteredSecret, Scope, ScopeSet, ShortText, Verification,
};
use crate::store::{ClientDeletion, ClientFilter, ClientUpdate, Redemption, Rotation};

cases! { Storage, clients as __conformance_clients:
    clients_come_by_owner_in_the_order_of_their_registration
    a_client_is_updated_from_what_was_seen
    deleting_a_client_ends_its_sessions_and_grants
    of_many_updates_from_the_same_settings_one_is_kept
}

async fn clients_come_by_owner_in_the_order_of_their_registration(store: &StoreUnderTest) {
    let secret = |number| RegisteredSecret {
        digest: ClientSecretDigest::from_bytes([number; 32]),
        created_at: NOW,
        last_four: None,
        last_used_at: None,
    };
    let later = Client {
        created_at: at(1),
        allowed_scopes: ScopeSet::default(),
        secrets: vec![secret(8), secret(5)],
        ..client(1)
    };
    let strangers = Client {
        owner: other_user(),
        ..client(2)
    };
    let without = Client {
        policy: ClientPolicy::Public,
        secrets: Vec::new(),
        policy_uri: None,
        ..client(4)
    };
    for kept in [&later, &strangers, &client(3), &without] {
        registered(store, kept.clone()).await;
    }
    let owned = store
        .clients(ClientFilter::OwnedBy(&owner()), page(0, 2))
        .await
        .expect_ok();
    assert_eq!(
        (owned.total, owned.items),
        (3, vec![Arc::new(client(3)), Arc::new(without)]),
        "each with its own scopes and secrets"
    );
    assert_eq!(
        store
            .clients(ClientFilter::OwnedBy(&owner()), page(1, 2))
            .await
            .expect_ok()
            .items,
        [Arc::new(later)]
    );
    let all = store
        .clients(ClientFilter::All, page(0, 1))
        .await
        .expect_ok();
    assert_eq!((all.total, all.items), (4, vec![Arc::new(strangers)]));
    assert_eq!(
        store
            .clients(
                ClientFilter::OwnedBy(&"nobody".parse().expect("an id")),
                page(0, 1)
            )
            .await
            .expect_ok()
            .total,
        0
    );
}

async fn a_client_is_updated_from_what_was_seen(store: &StoreUnderTest) {
    with_scopes(store, &["read", "write"]).await;
    let before = client(1);
    registered(store, before.clone()).await;
    let of = |name| scope(application(1).id, name);
    let after = Client {
        name: ShortText::from_static("Other"),
        policy: ClientPolicy::Secret,
        redirect_uris: vec!["https://other.example/".parse().expect("a redirect URI")],
        allowed_scopes: [of("write"), Scope::self_read(), of("read")]
            .into_iter()
            .collect(),
        plain_pkce_allowed: true,
        pkce_required: true,
        first_party: false,
        client_credentials_allowed: true,
        iss_omitted: true,
        policy_uri: Some("https://other.example/privacy".parse().expect("a URI")),
        verification: Verification::Unverified,
        ..before.clone()
    };
    let update = async |seen: &Client, new: &Client| {
        store
            .update_client(before.id, &seen.settings(), new.settings())
            .await
            .expect_ok()
    };
    assert_eq!(update(&before, &after).await, ClientUpdate::Updated);
    assert_eq!(
        store.client(before.id).await.expect_ok(),
        Some(Arc::new(after.clone())),
        "owner, secrets and the rest are unchanged"
    );
    assert_eq!(
        update(&before, &before).await,
        ClientUpdate::Conflict,
        "the settings differ from the expected ones"
    );
    let private = Client {
        policy_uri: None,
        ..after.clone()
    };
    assert_eq!(update(&after, &private).await, ClientUpdate::Updated);
    assert_eq!(
        store.client(before.id).await.expect_ok(),
        Some(Arc::new(private.clone())),
        "the privacy policy is removed, and nothing else"
    );
    assert_eq!(
        update(&after, &after).await,
        ClientUpdate::Conflict,
        "the privacy policy is one of the settings"
    );
    assert_eq!(update(&private, &after).await, ClientUpdate::Updated);
    let missing = Client {
        allowed_scopes: [of("read"), of("missing")].into_iter().collect(),
        ..before.clone()
    };
    let missing = Client {
        first_party: true,
        ..missing
    };
    assert_eq!(
        update(&after, &missing).await,
        ClientUpdate::UnknownScope(of("missing"))
    );
    let manager = Client {
        allowed_scopes: [Scope::manage()].into_iter().collect(),
        ..after.clone()
    };
    assert_eq!(
        update(&after, &manager).await,
        ClientUpdate::Invalid(InvalidClientMetadata::ManageIsForFirstParties)
    );
    assert_eq!(
        store.client(before.id).await.expect_ok(),
        Some(Arc::new(after.clone())),
        "a refused update changes nothing"
    );
    let public = Client {
        policy: ClientPolicy::Public,
        secrets: Vec::new(),
        client_credentials_allowed: false,
        ..after.clone()
    };
    assert_eq!(update(&after, &public).await, ClientUpdate::Updated);
    assert_eq!(
        store.client(before.id).await.expect_ok(),
        Some(Arc::new(public)),
        "a public client has no secret"
    );
    let unknown = store
        .update_client(client(9).id, &before.settings(), before.settings())
        .await
        .expect_ok();
    assert_eq!(unknown, ClientUpdate::NotFound);
}

// Proves: spec 3.17
async fn deleting_a_client_ends_its_sessions_and_grants(store: &StoreUnderTest) {
    redeemed(store, 1).await;
    signed_in(store, 2).await;
    pending(store, 3, ScopeSet::default()).await;
    approve(store, &token(3), approval(3), NOW).await;
    registered(store, client(2)).await;
    store
        .open_session(
            token(4),
            AuthorizationSession {
                client: client(2).id,
                ..pending_session(ScopeSet::default())
            },
        )
        .await
        .expect_ok();

    assert_eq!(
        store.delete_client(client(1).id, at(1)).await.expect_ok(),
        ClientDeletion::Deleted
    );
    assert!(
        !store.grant_is_live(&grant(1), at(1)).await.expect_ok(),
        "a deleted client's grants are revoked"
    );
    assert_eq!(
        store
            .rotate_refresh_token(&grant(1), Generation::FIRST, LIFETIMES, at(1))
            .await
            .expect_ok(),
        Rotation::Revoked
    );
    let redemption = store
        .redeem_authorization_code(&code(3), ClientProof::Pkce, LIFETIMES, at(1))
        .await
        .expect_ok();
    assert_eq!(
        redemption,
        Redemption::Revoked,
        "a deleted client's codes are revoked"
    );
    assert_eq!(
        store.session(&token(2), at(1)).await.expect_ok(),
        None,
        "a deleted client's sessions are deleted"
    );
    assert_eq!(store.client(client(1).id).await.expect_ok(), None);
    assert_eq!(
        store.client(client(2).id).await.expect_ok(),
        Some(Arc::new(client(2))),
        "no other client is deleted"
    );
    assert!(
        store.session(&token(4), at(1)).await.expect_ok().is_some(),
        "nor are its sessions and grants"
    );
    assert_eq!(
        store.delete_client(client(1).id, at(2)).await.expect_ok(),
        ClientDeletion::NotFound,
        "the client no longer exists"
    );
    assert!(
        store.revoke_grant(&grant(1), at(9)).await.expect_ok(),
        "the ended grant is still stored"
    );
}

async fn of_many_updates_from_the_same_settings_one_is_kept(store: &StoreUnderTest) {
    registered(store, client(1)).await;
    let named = |caller: usize| Client {
        name: format!("Client {caller}").parse().expect("a line"),
        ..client(1)
    };
    let answers = store.race(async |store, caller| {
        store
            .update_client(
                client(1).id,
                &client(1).settings(),
                named(caller).settings(),
            )
            .await
            .expect_ok()
    });
    let updated = count(&answers, |answer| *answer == ClientUpdate::Updated);
    assert_eq!(
        updated, 1,
        "of {CONCURRENT_CALLERS} updates from one version exactly one is stored"
    );
    assert_eq!(
        count(&answers, |answer| *answer == ClientUpdate::Conflict),
        CONCURRENT_CALLERS - 1
    );
    let winner = answers
        .iter()
        .position(|answer| *answer == ClientUpdate::Updated)
        .expect("one was stored");
    assert_eq!(
        store.client(client(1).id).await.expect_ok(),
        Some(Arc::new(named(winner)))
    );
}

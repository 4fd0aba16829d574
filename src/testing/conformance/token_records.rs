use std::fmt::Debug;

use super::fixtures::{
    LIFETIMES, NOW, account, approval, approve, at, client, code, grant, registered_client,
    session, signed_in, subject, token,
};
use super::store_under_test::{ExpectCreated, ExpectOk, StoreUnderTest};
use crate::domain::{
    Account, AuthorizationSession, Client, ClientId, ClientPolicy, ClientProof, ClientSecretDigest,
    RegisteredSecret, ScopeSet, Subject, SubjectId,
};
use crate::store::{Redemption, Rotation, SecretAddition, TokenRequestRecords};

cases! { Storage, token_records as __conformance_token_records:
    one_read_finds_of_a_code_what_each_read_finds
    one_read_finds_of_a_refresh_token_what_each_read_finds
}

/// Clients of the requests: with two secrets, with neither secrets nor scopes, and not registered.
const CLIENTS: [u8; 3] = [1, 2, 9];
/// Grants of a user with an account, of one without, revoked, and missing.
const GRANTS: [u8; 4] = [1, 2, 3, 9];

async fn one_read_finds_of_a_code_what_each_read_finds(store: &StoreUnderTest) {
    set_up(store).await;
    for (client_id, number) in CLIENTS
        .into_iter()
        .flat_map(|client_id| GRANTS.map(|number| (client(client_id).id, number)))
    {
        let Some(records) = store
            .records_for_code_exchange(client_id, &code(number))
            .await
            .expect_ok()
        else {
            return;
        };
        let binding = store.code_binding(&code(number)).await.expect_ok();
        let user = binding.as_ref().map(|binding| binding.subject.clone());
        agrees(store, client_id, records, binding, user).await;
    }
}

async fn one_read_finds_of_a_refresh_token_what_each_read_finds(store: &StoreUnderTest) {
    set_up(store).await;
    for number in [1, 2] {
        for client_id in CLIENTS {
            let Some(records) = store
                .records_for_refresh(client(client_id).id, &grant(number))
                .await
                .expect_ok()
            else {
                return;
            };
            assert!(
                records.binding.is_none(),
                "there is no refresh token before the redemption"
            );
            assert!(records.account.is_none(), "nor is its user relevant");
        }
        let redemption = store
            .redeem_authorization_code(&code(number), ClientProof::Secret, LIFETIMES, NOW)
            .await
            .expect_ok();
        let Redemption::Redeemed(redeemed) = redemption else {
            panic!("a good code was not redeemed: {redemption:?}")
        };
        let rotation = store
            .rotate_refresh_token(&redeemed.id, redeemed.generation, LIFETIMES, at(1))
            .await
            .expect_ok();
        assert!(matches!(rotation, Rotation::Rotated(_)), "{rotation:?}");
    }
    for (client_id, number) in CLIENTS
        .into_iter()
        .flat_map(|client_id| GRANTS.map(|number| (client(client_id).id, number)))
    {
        let Some(records) = store
            .records_for_refresh(client_id, &grant(number))
            .await
            .expect_ok()
        else {
            return;
        };
        let binding = store.refresh_binding(&grant(number)).await.expect_ok();
        let user = binding.as_ref().map(|binding| binding.subject.clone());
        agrees(store, client_id, records, binding, user).await;
    }
}

async fn set_up(store: &StoreUnderTest) {
    registered_client(store).await;
    let newer = RegisteredSecret {
        digest: ClientSecretDigest::from_bytes([77; 32]),
        created_at: at(5),
        last_four: Some("0000".to_owned()),
        last_used_at: None,
    };
    assert_eq!(
        store
            .add_client_secret(client(1).id, newer)
            .await
            .expect_ok(),
        SecretAddition::Added
    );
    let bare = Client {
        policy: ClientPolicy::Public,
        secrets: Vec::new(),
        allowed_scopes: ScopeSet::default(),
        ..client(2)
    };
    store.fixtures().create_client(bare).await;
    let kept = account(7, "kim@school.example");
    let user = Subject {
        id: kept.id.into(),
        ..subject()
    };
    store.create_account(kept).await.expect_created();
    store
        .open_session(
            token(1),
            AuthorizationSession {
                subject: Some(user),
                ..session()
            },
        )
        .await
        .expect_ok();
    for number in [2, 3] {
        signed_in(store, number).await;
    }
    for number in [1, 2, 3] {
        approve(store, &token(number), approval(number), NOW).await;
    }
    assert!(store.revoke_grant(&grant(3), NOW).await.expect_ok());
}

/// Asserts that one combined read returns the same as the three separate reads.
async fn agrees<B: Debug + PartialEq>(
    store: &StoreUnderTest,
    client_id: ClientId,
    records: TokenRequestRecords<B>,
    binding: Option<B>,
    user: Option<SubjectId>,
) {
    assert_eq!(records.binding, binding, "the binding, for any client");
    assert_eq!(
        records.client,
        store.client(client_id).await.expect_ok(),
        "the client with its scopes and secrets in their order"
    );
    let id = user.and_then(|user| user.as_str().parse().ok());
    let account = match id {
        Some(id) => store.account(id).await.expect_ok(),
        None => None,
    };
    assert_eq!(
        records.account.as_ref().map(columns),
        account.as_ref().map(columns),
        "the account of the binding's user"
    );
}

fn columns(account: &Account) -> impl Debug + PartialEq + use<> {
    let (email, hash) = (
        account.email.as_str().to_owned(),
        account.password_hash.as_phc().to_owned(),
    );
    (account.id, email, hash, account.role, account.created_at)
}

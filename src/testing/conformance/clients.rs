//! Clients: how they are listed, updated and deleted.

use std::sync::Arc;

use super::candidate::{Answered, Candidate, RACERS};
use super::given::{LIFETIMES, NOW, application, approval, at, client, code, count, grant, owner, redeemed, scope, signed_in, token};
use super::management::{asked, page, pending, registered, stranger, with_scopes};
use crate::domain::{
    AuthorizationSession, Client, ClientFault, ClientPolicy, ClientProof, ClientSecretDigest, Generation, Line, RegisteredSecret, Scope,
    ScopeSet, Verification,
};
use crate::store::{ApprovalOutcome, ClientDeletion, ClientFilter, ClientUpdate, Redemption, Rotation};

pub(super) async fn clients_come_by_owner_in_the_order_of_their_registration(store: &Candidate) {
    let secret = |number| RegisteredSecret { digest: ClientSecretDigest::from_bytes([number; 32]), created_at: NOW };
    let later = Client { created_at: at(1), allowed_scopes: ScopeSet::default(), secrets: vec![secret(8), secret(5)], ..client(1) };
    let strangers = Client { owner: stranger(), ..client(2) };
    let without = Client { policy: ClientPolicy::Public, secrets: Vec::new(), ..client(4) };
    for kept in [&later, &strangers, &client(3), &without] {
        registered(store, kept.clone()).await;
    }
    let owned = store.clients(ClientFilter::OwnedBy(&owner()), page(0, 2)).await.answered();
    assert_eq!((owned.total, owned.items), (3, vec![Arc::new(client(3)), Arc::new(without)]), "each with its own scopes and secrets");
    assert_eq!(store.clients(ClientFilter::OwnedBy(&owner()), page(1, 2)).await.answered().items, [Arc::new(later)]);
    let all = store.clients(ClientFilter::All, page(0, 1)).await.answered();
    assert_eq!((all.total, all.items), (4, vec![Arc::new(strangers)]));
    assert_eq!(store.clients(ClientFilter::OwnedBy(&"nobody".parse().expect("an id")), page(0, 1)).await.answered().total, 0);
}

pub(super) async fn a_client_is_updated_from_what_was_seen(store: &Candidate) {
    with_scopes(store, &["read", "write"]).await;
    let before = client(1);
    registered(store, before.clone()).await;
    let of = |name| scope(application(1).id, name);
    let after = Client {
        name: Line::literal("Other"),
        policy: ClientPolicy::Secret,
        redirect_uris: vec!["https://other.example/".parse().expect("a redirect URI")],
        allowed_scopes: [of("write"), Scope::self_read(), of("read")].into_iter().collect(),
        plain_pkce_allowed: true,
        pkce_required: true,
        first_party: false,
        client_credentials_allowed: true,
        iss_omitted: true,
        verification: Verification::Unverified,
        ..before.clone()
    };
    let update = async |seen: &Client, new: &Client| store.update_client(before.id, &seen.settings(), new.settings()).await.answered();
    assert_eq!(update(&before, &after).await, ClientUpdate::Updated);
    assert_eq!(store.client(before.id).await.answered(), Some(Arc::new(after.clone())), "owner, secrets and the rest stay");
    assert_eq!(update(&before, &before).await, ClientUpdate::Changed, "it is not as it was seen");
    let missing = Client { allowed_scopes: [of("read"), of("missing")].into_iter().collect(), ..before.clone() };
    let missing = Client { first_party: true, ..missing };
    assert_eq!(update(&after, &missing).await, ClientUpdate::UnknownScope(of("missing")));
    let manager = Client { allowed_scopes: [Scope::manage()].into_iter().collect(), ..after.clone() };
    assert_eq!(update(&after, &manager).await, ClientUpdate::Refused(ClientFault::ManageIsForFirstParties));
    assert_eq!(store.client(before.id).await.answered(), Some(Arc::new(after.clone())), "a refused update changes nothing");
    let public = Client { policy: ClientPolicy::Public, secrets: Vec::new(), client_credentials_allowed: false, ..after.clone() };
    assert_eq!(update(&after, &public).await, ClientUpdate::Updated);
    assert_eq!(store.client(before.id).await.answered(), Some(Arc::new(public)), "a public client has no secret");
    let unknown = store.update_client(client(9).id, &before.settings(), before.settings()).await.answered();
    assert_eq!(unknown, ClientUpdate::Unknown);
}

pub(super) async fn decision_3_17_a_deleted_client_takes_its_sessions_and_grants_along(store: &Candidate) {
    redeemed(store, 1).await;
    signed_in(store, 2).await;
    pending(store, 3, ScopeSet::default()).await;
    let approving = store.approve_session(&token(3), approval(3), NOW).await.answered();
    assert!(matches!(approving, ApprovalOutcome::Approved(_)));
    registered(store, client(2)).await;
    store.open_session(token(4), AuthorizationSession { client: client(2).id, ..asked(ScopeSet::default()) }).await.answered();

    assert_eq!(store.delete_client(client(1).id, at(1)).await.answered(), ClientDeletion::Deleted);
    assert!(!store.grant_is_live(&grant(1), at(1)).await.answered(), "a deleted client's grants are revoked");
    assert_eq!(store.rotate(&grant(1), Generation::FIRST, LIFETIMES, at(1)).await.answered(), Rotation::Revoked);
    let redemption = store.redeem_authorization_code(&code(3), ClientProof::Pkce, LIFETIMES, at(1)).await.answered();
    assert_eq!(redemption, Redemption::Revoked, "a deleted client's codes are dead");
    assert_eq!(store.session(&token(2), at(1)).await.answered(), None, "a deleted client's sessions are gone");
    assert_eq!(store.client(client(1).id).await.answered(), None);
    assert_eq!(store.client(client(2).id).await.answered(), Some(Arc::new(client(2))), "no other client goes");
    assert!(store.session(&token(4), at(1)).await.answered().is_some(), "nor what it has begun");
    assert_eq!(store.delete_client(client(1).id, at(2)).await.answered(), ClientDeletion::Unknown, "it is gone");
    assert!(store.revoke_grant(&grant(1), at(9)).await.answered(), "the grant is remembered");
}

pub(super) async fn of_many_updates_from_the_same_settings_one_is_kept(store: &Candidate) {
    registered(store, client(1)).await;
    let named = |racer: usize| Client { name: format!("Client {racer}").parse().expect("a line"), ..client(1) };
    let answers =
        store.race(async |store, racer| store.update_client(client(1).id, &client(1).settings(), named(racer).settings()).await.answered());
    let updated = count(&answers, |answer| *answer == ClientUpdate::Updated);
    assert_eq!(updated, 1, "of {RACERS} updates from one sight exactly one is kept");
    assert_eq!(count(&answers, |answer| *answer == ClientUpdate::Changed), RACERS - 1);
    let winner = answers.iter().position(|answer| *answer == ClientUpdate::Updated).expect("one was kept");
    assert_eq!(store.client(client(1).id).await.answered(), Some(Arc::new(named(winner))));
}

//! Scopes that were deleted before they are granted.

use super::candidate::{Answered, Candidate};
use super::given::{LIFETIMES, NOW, application, approval, approved_as, client, code, definition, owner, scope, token};
use super::management::{asked, pending, registered, with_scopes};
use crate::domain::{ClientProof, Scope, ScopeSet};
use crate::store::{Approval, Assent, Redemption, RegistryChange, ScopeCreation};

pub(super) async fn a_scope_that_is_gone_before_its_session_is_opened_is_not_granted(store: &Candidate) {
    with_scopes(store, &["read", "write"]).await;
    registered(store, client(1)).await;
    let [gone, kept] = ["read", "write"].map(|name| scope(application(1).id, name));
    assert_eq!(store.delete_scope(definition(1, &application(1), "read").id).await.answered(), RegistryChange::Done);
    // Whoever asked for it had read the client just before.
    pending(store, 1, [gone.clone(), Scope::self_read(), kept.clone()].into_iter().collect()).await;
    let approval = Approval { assent: Assent::Remembered, ..approval(1) };
    let left: ScopeSet = [Scope::self_read(), kept].into_iter().collect();
    let approving = store.approve_session(&token(1), approval, NOW).await.answered();
    assert_eq!(approving, approved_as(asked(left.clone())), "what is gone is left out, and the others keep their order");
    assert_eq!(store.create_scope(definition(3, &application(1), "read")).await.answered(), ScopeCreation::Created);
    let redemption = store.redeem_authorization_code(&code(1), ClientProof::Pkce, LIFETIMES, NOW).await.answered();
    assert!(matches!(&redemption, Redemption::Redeemed(grant) if grant.scopes == left), "it does not come back, not {redemption:?}");
    let consent = store.consent(&owner(), &client(1).id).await.answered();
    assert_eq!(consent.map(|consent| consent.scopes), Some(left), "nor has it been consented to");
}

//! What becomes of applications, scopes and clients, and of what was to be had with them.

use std::sync::Arc;

use super::candidate::{Answered, Candidate, RACERS};
use super::given::{
    LIFETIMES, NOW, application, approval, at, client, code, count, definition, grant, owner, scope, session, subject, token,
};
use crate::domain::{
    Application, ApplicationId, AuthorizationSession, Client, ClientProof, Generation, Line, PageRequest, Scope, ScopeDefinition,
    ScopeDescription, ScopeId, ScopeSet, SubjectId,
};
use crate::store::{
    Approval, ApprovalOutcome, Assent, ClientCreation, ClientDeletion, ClientUpdate, Creation, Redemption, Registered, RegistryChange,
    Rotation, ScopeApproval, ScopeChange, ScopeClient, ScopeCreation,
};

pub(super) async fn applications_come_by_owner_in_the_order_of_their_registration(store: &Candidate) {
    let later = Application { created_at: at(1), ..application(1) };
    let strangers = Application { owner: stranger(), ..application(2) };
    for kept in [&later, &strangers, &application(3), &application(4)] {
        assert_eq!(store.create_application(kept.clone()).await.answered(), Creation::Created);
    }
    let owned = store.applications(Some(&owner()), page(0, 2)).await.answered();
    assert_eq!((owned.total, owned.items), (3, vec![application(3), application(4)]), "by the moment, then by the id");
    assert_eq!(store.applications(Some(&owner()), page(1, 2)).await.answered().items, [later], "pages go on where the one before ended");
    let past = store.applications(Some(&owner()), page(2, 2)).await.answered();
    assert_eq!((past.total, past.items), (3, vec![]), "past the end there is nothing, and the total is right");
    let all = store.applications(None, page(0, 9)).await.answered();
    assert_eq!((all.total, all.items.first()), (5, Some(&Application::of_the_service())));
}

pub(super) async fn a_renamed_application_is_told_by_its_scopes(store: &Candidate) {
    with_scopes(store, &["read"]).await;
    let name = Line::literal("동아리 알리미");
    assert_eq!(store.rename_application(application(1).id, name.clone()).await.answered(), RegistryChange::Done);
    let renamed = store.application(application(1).id).await.answered();
    assert_eq!(renamed, Some(Application { name: name.clone(), ..application(1) }), "nothing else changes");
    let told = store.scope(definition(1, &application(1), "read").id).await.answered().map(|scope| scope.application_name);
    assert_eq!(told, Some(name), "its scopes tell the new name");
    assert_eq!(store.rename_application(application(9).id, Line::literal("Other")).await.answered(), RegistryChange::Unknown);
}

pub(super) async fn the_services_own_application_and_scopes_stay(store: &Candidate) {
    let [self_read, _] = ScopeDefinition::of_the_service();
    let change = ScopeChange { description: Some("Anything".parse().expect("a description")), approval_required: Some(true) };
    let tried = [
        store.rename_application(ApplicationId::Service, Line::literal("Other")).await.answered(),
        store.delete_application(ApplicationId::Service).await.answered(),
        store.update_scope(self_read.id, change).await.answered(),
        store.delete_scope(self_read.id).await.answered(),
    ];
    assert_eq!(tried, [RegistryChange::OfTheService; 4]);
    assert_eq!(store.application(ApplicationId::Service).await.answered(), Some(Application::of_the_service()));
    assert_eq!(store.scope(self_read.id).await.answered(), Some(self_read), "what is of the service stays as it is");
}

pub(super) async fn scopes_come_by_application_and_name(store: &Candidate) {
    let (one, other) = (application(1), application(2));
    for application in [&other, &one] {
        assert_eq!(store.create_application(application.clone()).await.answered(), Creation::Created);
    }
    let defined = [definition(1, &other, "b"), definition(2, &other, "a-b"), definition(3, &other, "a"), definition(4, &one, "z")];
    for definition in &defined {
        assert_eq!(store.create_scope(definition.clone()).await.answered(), ScopeCreation::Created);
    }
    let [b, a_b, a, z] = defined;
    let of_one = store.scopes(Some(other.id), page(0, 2)).await.answered();
    assert_eq!((of_one.total, of_one.items), (3, vec![a.clone(), a_b.clone()]), "a name is text, compared by code point");
    let all = store.scopes(None, page(0, 4)).await.answered();
    assert_eq!((all.total, all.items), (6, vec![z, a, a_b, b.clone()]), "an id is text, so the service's comes last");
    assert_eq!(store.scope(b.id).await.answered(), Some(b));
    assert_eq!(store.scope(definition(9, &one, "missing").id).await.answered(), None);
}

pub(super) async fn the_parts_of_a_scope_change_one_by_one(store: &Candidate) {
    with_scopes(store, &["read"]).await;
    let before = definition(1, &application(1), "read");
    let new: ScopeDescription = "시간표를 읽습니다".parse().expect("a description");
    let nothing = store.update_scope(before.id, ScopeChange::default()).await.answered();
    assert_eq!((nothing, store.scope(before.id).await.answered()), (RegistryChange::Done, Some(before.clone())), "no part need change");
    let described = ScopeChange { description: Some(new.clone()), ..ScopeChange::default() };
    assert_eq!(store.update_scope(before.id, described).await.answered(), RegistryChange::Done);
    let described = ScopeDefinition { description: new, ..before.clone() };
    assert_eq!(store.scope(before.id).await.answered(), Some(described.clone()), "the other part stays");
    let guarded = ScopeChange { approval_required: Some(true), ..ScopeChange::default() };
    assert_eq!(store.update_scope(before.id, guarded.clone()).await.answered(), RegistryChange::Done);
    assert_eq!(store.scope(before.id).await.answered(), Some(ScopeDefinition { approval_required: true, ..described }));
    let described = ScopeChange { description: Some(before.description.clone()), ..ScopeChange::default() };
    assert_eq!(store.update_scope(before.id, described).await.answered(), RegistryChange::Done);
    let both = store.scope(before.id).await.answered();
    assert_eq!(both, Some(ScopeDefinition { approval_required: true, ..before }), "a scope stays guarded when it is described");
    assert_eq!(store.update_scope(definition(9, &application(1), "x").id, guarded).await.answered(), RegistryChange::Unknown);
}

pub(super) async fn decision_3_17_a_deleted_scope_is_taken_from_whoever_has_it(store: &Candidate) {
    // Names that have each other inside, in every place of a list.
    with_scopes(store, &["read", "read2", "pre-read", "all"]).await;
    let of = |name| scope(application(1).id, name);
    let lists =
        [vec![of("read"), of("read2")], vec![of("pre-read"), of("read"), of("all")], vec![of("read2"), of("read")], vec![of("read")]];
    for (number, list) in (1..).zip(&lists) {
        granted(store, number, list.iter().cloned().collect()).await;
        pending(store, number + 50, list.iter().cloned().collect()).await;
    }
    let allowed = [of("pre-read"), of("read"), Scope::self_read(), of("all")].into_iter().collect();
    registered(store, Client { allowed_scopes: allowed, ..client(1) }).await;

    assert_eq!(store.delete_scope(definition(1, &application(1), "read").id).await.answered(), RegistryChange::Done);
    assert_eq!(store.scope(definition(1, &application(1), "read").id).await.answered(), None);
    let found = store.client(client(1).id).await.answered().map(|client| client.allowed_scopes.clone());
    assert_eq!(found, Some([of("pre-read"), Scope::self_read(), of("all")].into_iter().collect()), "a client's list keeps its order");
    for (number, list) in (1..).zip(&lists) {
        let left: ScopeSet = list.iter().filter(|scope| **scope != of("read")).cloned().collect();
        let binding = store.refresh_binding(&grant(number)).await.answered().expect("a grant stays, also with nothing left");
        assert_eq!(binding.scopes, left, "a deleted scope is taken from grants");
        let session = store.session(&token(number + 50), NOW).await.answered();
        assert_eq!(session.map(|session| session.scopes), Some(left.clone()), "a deleted scope is taken from sessions");
        let rotation = store.rotate(&grant(number), Generation::FIRST, LIFETIMES, NOW).await.answered();
        assert!(matches!(&rotation, Rotation::Rotated(grant) if grant.scopes == left), "a refresh has what is left, not {rotation:?}");
    }
    assert_eq!(store.delete_scope(definition(1, &application(1), "read").id).await.answered(), RegistryChange::Unknown, "it is gone");
}

pub(super) async fn decision_3_17_a_deleted_application_takes_its_scopes_along(store: &Candidate) {
    with_scopes(store, &["read", "write"]).await;
    let other = application(2);
    assert_eq!(store.create_application(other.clone()).await.answered(), Creation::Created);
    assert_eq!(store.create_scope(definition(7, &other, "read")).await.answered(), ScopeCreation::Created);
    let scopes = [scope(application(1).id, "read"), scope(other.id, "read"), scope(application(1).id, "write"), Scope::self_read()];
    let scopes: ScopeSet = scopes.into_iter().collect();
    registered(store, Client { allowed_scopes: scopes.clone(), ..client(1) }).await;
    granted(store, 1, scopes.clone()).await;
    pending(store, 2, scopes.clone()).await;
    pending(store, 3, scopes.clone()).await;
    let approving = store.approve_session(&token(3), approval(3), NOW).await.answered();
    assert!(matches!(approving, ApprovalOutcome::Approved(_)));

    assert_eq!(store.delete_application(application(1).id).await.answered(), RegistryChange::Done);
    let left: ScopeSet = [scope(other.id, "read"), Scope::self_read()].into_iter().collect();
    assert_eq!(store.application(application(1).id).await.answered(), None);
    assert_eq!(store.scopes(Some(application(1).id), page(0, 9)).await.answered().total, 0, "its scopes go with it");
    assert_eq!(store.client(client(1).id).await.answered().map(|client| client.allowed_scopes.clone()), Some(left.clone()));
    assert_eq!(store.refresh_binding(&grant(1)).await.answered().map(|binding| binding.scopes), Some(left.clone()));
    assert_eq!(store.session(&token(2), NOW).await.answered().map(|session| session.scopes), Some(left.clone()));
    let redemption = store.redeem_authorization_code(&code(3), ClientProof::Pkce, LIFETIMES, NOW).await.answered();
    assert!(matches!(&redemption, Redemption::Redeemed(grant) if grant.scopes == left), "a code has what is left, not {redemption:?}");
    assert_eq!(store.delete_application(application(1).id).await.answered(), RegistryChange::Unknown, "it is gone");
}

pub(super) async fn decision_3_17_an_application_goes_however_many_scopes_it_has(store: &Candidate) {
    let big = application(1);
    assert_eq!(store.create_application(big.clone()).await.answered(), Creation::Created);
    let names: Vec<_> = (0..1_100_u16).map(|number| scope(big.id, &format!("scope-{number}"))).collect();
    for (number, scope) in (0_u16..).zip(&names) {
        let [high, low] = number.to_be_bytes();
        let id = ScopeId::from_random([high, low, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
        let definition = ScopeDefinition { id, scope: scope.clone(), ..definition(1, &big, "any") };
        assert_eq!(store.create_scope(definition).await.answered(), ScopeCreation::Created);
    }
    let some = |some: &[Scope]| [Scope::self_read()].into_iter().chain(some.iter().cloned()).collect::<ScopeSet>();
    registered(store, Client { allowed_scopes: some(&names[500..600]), ..client(1) }).await;
    granted(store, 1, some(&names[..50])).await;
    granted(store, 2, some(&names[1_000..])).await;
    pending(store, 3, some(&names[513..515])).await;

    assert_eq!(store.delete_application(big.id).await.answered(), RegistryChange::Done);
    let left = some(&[]);
    assert_eq!(store.scopes(Some(big.id), page(0, 9)).await.answered().total, 0, "all of its scopes go with it");
    assert_eq!(store.client(client(1).id).await.answered().map(|client| client.allowed_scopes.clone()), Some(left.clone()));
    for number in [1, 2] {
        let binding = store.refresh_binding(&grant(number)).await.answered();
        assert_eq!(binding.map(|binding| binding.scopes), Some(left.clone()), "a grant loses all of them");
    }
    assert_eq!(store.session(&token(3), NOW).await.answered().map(|session| session.scopes), Some(left));
}

pub(super) async fn a_scope_that_needs_approval_is_listed_after_it(store: &Candidate) {
    with_scopes(store, &["read"]).await;
    let guarded = definition(1, &application(1), "read");
    let wanted: ScopeSet = [guarded.scope.clone()].into_iter().collect();
    let early = Client { owner: stranger(), allowed_scopes: wanted.clone(), ..client(1) };
    registered(store, early.clone()).await;
    let change = ScopeChange { approval_required: Some(true), ..ScopeChange::default() };
    assert_eq!(store.update_scope(guarded.id, change).await.answered(), RegistryChange::Done);
    let renamed = Client { name: Line::literal("Other"), ..early.clone() };
    let updating = store.update_client(early.id, &early.settings(), renamed.settings()).await.answered();
    assert_eq!(updating, ClientUpdate::Updated, "what is listed before stays");

    let own = Client { owner: owner(), allowed_scopes: wanted.clone(), ..client(2) };
    assert_eq!(store.create_client(own).await.answered(), ClientCreation::Created, "the owner's own clients need no approval");
    let eager = Client { owner: stranger(), allowed_scopes: wanted.clone(), ..client(3) };
    let refused = store.create_client(eager.clone()).await.answered();
    assert_eq!(refused, ClientCreation::NeedsApproval(guarded.scope.clone()), "who has not been approved may not list it");
    let modest = Client { allowed_scopes: ScopeSet::default(), ..eager.clone() };
    registered(store, modest.clone()).await;
    let update = async || store.update_client(modest.id, &modest.settings(), eager.settings()).await.answered();
    assert_eq!(update().await, ClientUpdate::NeedsApproval(guarded.scope.clone()));
    assert_eq!(store.client(modest.id).await.answered(), Some(Arc::new(modest.clone())), "a refused update changes nothing");
    for _ in 0..2 {
        assert_eq!(store.approve_scope(guarded.id, modest.id, NOW).await.answered(), ScopeApproval::Approved, "also once more");
    }
    assert_eq!(update().await, ClientUpdate::Updated, "who has been approved may list it");
    let unknown = definition(9, &application(1), "x").id;
    assert_eq!(store.approve_scope(unknown, modest.id, NOW).await.answered(), ScopeApproval::UnknownScope);
    assert_eq!(store.approve_scope(guarded.id, client(9).id, NOW).await.answered(), ScopeApproval::UnknownClient);
}

pub(super) async fn whoever_lists_a_scope_or_was_approved_for_it_is_on_its_list(store: &Candidate) {
    with_scopes(store, &["read", "write"]).await;
    let [read, write] = [(1, "read"), (2, "write")].map(|(number, name)| definition(number, &application(1), name));
    let one = |scope: &ScopeDefinition| [scope.scope.clone()].into_iter().collect::<ScopeSet>();
    let both = [write.scope.clone(), read.scope.clone()].into_iter().collect();
    for (number, allowed_scopes) in [(4, one(&read)), (3, both), (2, one(&write)), (1, ScopeSet::default()), (5, ScopeSet::default())] {
        registered(store, Client { owner: stranger(), allowed_scopes, ..client(number) }).await;
    }
    for number in [3, 1] {
        assert_eq!(store.approve_scope(read.id, client(number).id, NOW).await.answered(), ScopeApproval::Approved);
    }
    let guarded = ScopeChange { approval_required: Some(true), ..ScopeChange::default() };
    assert_eq!(store.update_scope(read.id, guarded).await.answered(), RegistryChange::Done);
    let found = |number, approved, listed| ScopeClient { client: client(number).id, approved, listed };
    let first = store.clients_of_scope(read.id, page(0, 2)).await.answered();
    assert_eq!((first.total, first.items), (3, vec![found(1, true, false), found(3, true, true)]), "each once, by id");
    let second = store.clients_of_scope(read.id, page(1, 2)).await.answered();
    assert_eq!((second.total, second.items), (3, vec![found(4, false, true)]), "also who listed it before it needed approval");
    assert_eq!(store.clients_of_scope(read.id, page(2, 2)).await.answered(), Registered { total: 3, items: Vec::new() });
    let of_other = store.clients_of_scope(write.id, page(0, 9)).await.answered();
    assert_eq!(of_other.items, [found(2, false, true), found(3, false, true)], "no other scope is meant");

    for number in [4, 1] {
        assert!(store.withdraw_scope(read.id, client(number).id).await.answered(), "it is taken from who is on the list");
    }
    assert_eq!(store.delete_client(client(3).id, NOW).await.answered(), ClientDeletion::Deleted, "there was such a client");
    assert_eq!(store.clients_of_scope(read.id, page(0, 9)).await.answered(), Registered { total: 0, items: Vec::new() });
    assert_eq!(store.clients_of_scope(definition(9, &application(1), "x").id, page(0, 9)).await.answered().total, 0);
}

pub(super) async fn a_withdrawn_scope_is_taken_from_that_client_alone(store: &Candidate) {
    with_scopes(store, &["read"]).await;
    let withdrawn = definition(1, &application(1), "read");
    let scopes: ScopeSet = [withdrawn.scope.clone(), Scope::self_read()].into_iter().collect();
    let (one, other) = (Client { allowed_scopes: scopes.clone(), ..client(1) }, Client { allowed_scopes: scopes.clone(), ..client(2) });
    registered(store, one.clone()).await;
    registered(store, other.clone()).await;
    granted(store, 1, scopes.clone()).await;
    pending(store, 2, scopes.clone()).await;
    let of_other = AuthorizationSession { client: other.id, ..asked(scopes.clone()) };
    store.open_session(token(3), of_other).await.answered();
    assert_eq!(store.approve_scope(withdrawn.id, one.id, NOW).await.answered(), ScopeApproval::Approved);

    assert!(store.withdraw_scope(withdrawn.id, one.id).await.answered());
    let left: ScopeSet = [Scope::self_read()].into_iter().collect();
    assert_eq!(store.client(one.id).await.answered().map(|client| client.allowed_scopes.clone()), Some(left.clone()));
    assert_eq!(store.refresh_binding(&grant(1)).await.answered().map(|binding| binding.scopes), Some(left.clone()));
    assert_eq!(store.session(&token(2), NOW).await.answered().map(|session| session.scopes), Some(left));
    let left = [ScopeClient { client: other.id, approved: false, listed: true }];
    assert_eq!(store.client(other.id).await.answered(), Some(Arc::new(other)), "no other client loses it");
    assert_eq!(store.clients_of_scope(withdrawn.id, page(0, 9)).await.answered().items, left, "the approval is gone, too");
    assert_eq!(store.session(&token(3), NOW).await.answered().map(|session| session.scopes), Some(scopes));
    assert!(!store.withdraw_scope(withdrawn.id, one.id).await.answered(), "there is nothing left to take");
    assert!(!store.withdraw_scope(definition(9, &application(1), "x").id, one.id).await.answered());
}

pub(super) async fn a_scope_deleted_beside_approvals_is_in_no_grant(store: &Candidate) {
    with_scopes(store, &["read"]).await;
    let scopes: ScopeSet = [Scope::self_read(), scope(application(1).id, "read")].into_iter().collect();
    let numbers = 1..=u8::try_from(RACERS).expect("few racers");
    for number in numbers.clone() {
        pending(store, number, scopes.clone()).await;
    }
    store.race(async |store, racer| {
        let number = u8::try_from(racer).expect("few racers") + 1;
        if racer == RACERS / 2 {
            assert_eq!(store.delete_scope(definition(1, &application(1), "read").id).await.answered(), RegistryChange::Done);
        }
        let approving = store.approve_session(&token(number), approval(number), NOW).await.answered();
        assert!(matches!(approving, ApprovalOutcome::Approved(_)), "a signed-in session can be approved, not {approving:?}");
    });
    for number in numbers {
        let redemption = store.redeem_authorization_code(&code(number), ClientProof::Pkce, LIFETIMES, NOW).await.answered();
        let left: ScopeSet = [Scope::self_read()].into_iter().collect();
        assert!(matches!(&redemption, Redemption::Redeemed(grant) if grant.scopes == left), "grant {number} lost it, not {redemption:?}");
    }
}

pub(super) async fn a_client_deleted_beside_redemptions_has_no_live_grant(store: &Candidate) {
    registered(store, Client { first_party: false, allowed_scopes: ScopeSet::default(), ..client(1) }).await;
    let numbers = 1..=u8::try_from(RACERS).expect("few racers");
    for number in numbers.clone() {
        pending(store, number, ScopeSet::default()).await;
    }
    store.race(async |store, racer| {
        let number = u8::try_from(racer).expect("few racers") + 1;
        if racer == RACERS / 2 {
            assert_eq!(store.delete_client(client(1).id, NOW).await.answered(), ClientDeletion::Deleted, "there was such a client");
            return;
        }
        if let ApprovalOutcome::Approved(_) = store.approve_session(&token(number), approval(number), NOW).await.answered() {
            let redemption = store.redeem_authorization_code(&code(number), ClientProof::Pkce, LIFETIMES, NOW).await.answered();
            assert!(matches!(redemption, Redemption::Redeemed(_) | Redemption::Revoked), "not {redemption:?}");
        }
    });
    for number in numbers {
        assert!(!store.grant_is_live(&grant(number), NOW).await.answered(), "grant {number} of a deleted client is dead");
    }
}

pub(super) async fn decision_3_17_what_goes_is_taken_from_consents(store: &Candidate) {
    with_scopes(store, &["read", "write", "list"]).await;
    let names = ["read", "write", "list"].map(|name| scope(application(1).id, name));
    let allowed: ScopeSet = names.iter().cloned().chain([Scope::self_read()]).collect();
    registered(store, Client { allowed_scopes: allowed.clone(), first_party: false, ..client(1) }).await;
    pending(store, 1, allowed.clone()).await;
    let approval = Approval { assent: Assent::Remembered, ..approval(1) };
    let approving = store.approve_session(&token(1), approval, NOW).await.answered();
    assert!(matches!(approving, ApprovalOutcome::Approved(_)));
    let consent = async || store.consent(&owner(), &client(1).id).await.answered().map(|consent| consent.scopes);
    assert_eq!(consent().await, Some(allowed.clone()));

    assert_eq!(store.delete_scope(definition(1, &application(1), "read").id).await.answered(), RegistryChange::Done);
    let left = allowed.without(&names[0]);
    assert_eq!(consent().await, Some(left.clone()), "a deleted scope is taken from consents");
    assert!(store.withdraw_scope(definition(2, &application(1), "write").id, client(1).id).await.answered());
    assert_eq!(consent().await, Some(left.without(&names[1])), "a withdrawn scope is taken from consents");
    assert_eq!(store.delete_application(application(1).id).await.answered(), RegistryChange::Done);
    assert_eq!(consent().await, Some([Scope::self_read()].into_iter().collect()), "a deleted application's scopes are, too");
    assert_eq!(store.delete_client(client(1).id, NOW).await.answered(), ClientDeletion::Deleted);
    assert_eq!(consent().await, None, "what a deleted client was allowed is forgotten");
}

pub(super) async fn of_many_changes_to_the_parts_of_a_scope_none_undoes_another(store: &Candidate) {
    with_scopes(store, &["read"]).await;
    let id = definition(1, &application(1), "read").id;
    let new: ScopeDescription = "시간표를 읽습니다".parse().expect("a description");
    let answers = store.race(async |store, racer| {
        let described = ScopeChange { description: Some(new.clone()), ..ScopeChange::default() };
        let guarded = ScopeChange { approval_required: Some(true), ..ScopeChange::default() };
        store.update_scope(id, if racer.is_multiple_of(2) { described } else { guarded }).await.answered()
    });
    assert_eq!(count(&answers, |answer| *answer == RegistryChange::Done), RACERS);
    let found = store.scope(id).await.answered().map(|scope| (scope.description, scope.approval_required));
    assert_eq!(found, Some((new, true)), "both parts are as they were last told to be");
}

pub(super) async fn a_scope_deleted_beside_new_clients_is_on_no_list(store: &Candidate) {
    with_scopes(store, &["read"]).await;
    let listed: ScopeSet = [scope(application(1).id, "read")].into_iter().collect();
    let number = |racer: usize| u8::try_from(racer).expect("few racers");
    store.race(async |store, racer| {
        if racer == RACERS / 2 {
            assert_eq!(store.delete_scope(definition(1, &application(1), "read").id).await.answered(), RegistryChange::Done);
            return;
        }
        let created = store.create_client(Client { allowed_scopes: listed.clone(), ..client(number(racer)) }).await.answered();
        assert!(matches!(created, ClientCreation::Created | ClientCreation::UnknownScope(_)), "not {created:?}");
    });
    for racer in 0..RACERS {
        let found = store.client(client(number(racer)).id).await.answered();
        assert!(found.is_none_or(|client| client.allowed_scopes.is_empty()), "client {racer} lists what is gone");
    }
}

pub(super) fn stranger() -> SubjectId {
    "stranger".parse().expect("an id")
}

pub(super) fn page(page: u32, size: u32) -> PageRequest {
    PageRequest::new(page, size).expect("a page")
}

/// Application 1 and scopes of these names, whose definitions are numbered from 1.
pub(super) async fn with_scopes(store: &Candidate, names: &[&str]) {
    assert_eq!(store.create_application(application(1)).await.answered(), Creation::Created);
    for (number, name) in (1..).zip(names) {
        assert_eq!(store.create_scope(definition(number, &application(1), name)).await.answered(), ScopeCreation::Created);
    }
}

pub(super) async fn registered(store: &Candidate, client: Client) {
    assert_eq!(store.create_client(client).await.answered(), ClientCreation::Created);
}

/// A session of client 1 that asks for these, with a subject.
pub(super) fn asked(scopes: ScopeSet) -> AuthorizationSession {
    AuthorizationSession { scopes, subject: Some(subject()), ..session() }
}

/// Such a session under `token(number)`.
pub(super) async fn pending(store: &Candidate, number: u8, scopes: ScopeSet) {
    store.open_session(token(number), asked(scopes)).await.answered();
}

/// The grant `grant(number)` of client 1, redeemed at [`NOW`].
async fn granted(store: &Candidate, number: u8, scopes: ScopeSet) {
    pending(store, number, scopes).await;
    let approving = store.approve_session(&token(number), approval(number), NOW).await.answered();
    assert!(matches!(approving, ApprovalOutcome::Approved(_)));
    let redemption = store.redeem_authorization_code(&code(number), ClientProof::Pkce, LIFETIMES, NOW).await.answered();
    assert!(matches!(redemption, Redemption::Redeemed(_)));
}

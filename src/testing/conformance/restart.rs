use std::time::Duration;

use super::candidate::{Answered, Candidate};
use super::given::{
    LIFETIMES, NOW, account, api_key, application, approval, approved, at, client, code, definition, grant, open_session, owner, redeemed,
    renewal, scopes, session, signed_in, token,
};
use super::given_school;
use super::given_school::{EVERYONE, club, days, event, led, lesson, meal, member, project};
use crate::directory::{DirectoryChange, Writing};
use crate::domain::{
    ApiKey, ClientProof, Consent, DateRange, Generation, KeyUse, MealType, PageRequest, SealedKey, SigningAlgorithm, SigningKeyRecord,
};
use crate::store::{
    Approval, ApprovalOutcome, Assent, ClientCreation, Creation, KeyInstallation, KeyRevocation, Redemption, Renewal, Rotation,
    ScopeApproval, ScopeCreation, Withdrawal,
};

pub(super) async fn accounts_keys_and_the_registry_are_there_through_another_handle(store: &Candidate) {
    let record = signing_key();
    assert_eq!(store.create_account(account(1, "a@school.example")).await.answered(), Creation::Created);
    assert_eq!(store.create_api_key(api_key(1)).await.answered(), Creation::Created);
    let day = given_school::day("2026-09-21");
    store.touch_api_keys(vec![KeyUse { key: api_key(1).id, day, calls: 7, last_used_at: at(3) }]).await.answered();
    let renewing = store.renew_api_key(api_key(1).id, renewal(2, Duration::from_secs(60)), at(4)).await.answered();
    assert!(matches!(renewing, Renewal::Renewed(_)));
    assert!(store.revoke_api_key(api_key(1).id, at(5)).await.answered());
    assert_eq!(store.create_application(application(1)).await.answered(), Creation::Created);
    assert_eq!(store.create_scope(definition(1, &application(1), "read")).await.answered(), ScopeCreation::Created);
    assert_eq!(store.create_client(client(1)).await.answered(), ClientCreation::Created);
    assert_eq!(store.install_signing_key(record.clone()).await.answered(), KeyInstallation::Installed);

    let again = store.again();
    assert_eq!(
        again.account_by_email(&account(1, "A@school.example").email).await.answered().map(|found| found.id),
        Some(account(1, "a@b").id)
    );
    let used = ApiKey { last_used_at: Some(at(3)), ..api_key(1) };
    let renewed = used.renewed(renewal(2, Duration::from_secs(60)), at(4)).expect("one more value may work");
    for number in [1, 2] {
        let key = again.api_key(&api_key(number).digest).await.answered();
        assert_eq!(key.as_deref(), Some(&ApiKey { revoked_at: Some(at(5)), ..renewed.clone() }), "value {number}");
    }
    assert_eq!(again.api_key_usage(api_key(1).id, DateRange::day(day)).await.answered(), [(day, 7)]);
    assert_eq!(again.application(application(1).id).await.answered(), Some(application(1)));
    let expected = definition(1, &application(1), "read");
    assert_eq!(again.scope_definitions(&[expected.scope.clone()].into_iter().collect()).await.answered(), [expected]);
    assert_eq!(again.client(client(1).id).await.answered().as_deref(), Some(&client(1)));
    assert_eq!(again.signing_keys().await.answered(), [record]);
    assert_eq!(again.create_account(account(2, "a@school.example")).await.answered(), Creation::Taken);
}

pub(super) async fn sessions_codes_and_grants_go_on_through_another_handle(store: &Candidate) {
    open_session(store, 1).await;
    approved(store, 2).await;
    redeemed(store, 3).await;
    let again = store.again();
    assert_eq!(again.session(&token(1), NOW).await.answered(), Some(session()));
    assert_eq!(again.approve_session(&token(1), approval(1), NOW).await.answered(), ApprovalOutcome::NotSignedIn);
    let redemption = again.redeem_authorization_code(&code(2), ClientProof::Pkce, LIFETIMES, NOW).await.answered();
    assert!(matches!(redemption, Redemption::Redeemed(_)), "a code is good through any handle, not {redemption:?}");
    let replay = store.redeem_authorization_code(&code(2), ClientProof::Pkce, LIFETIMES, NOW).await.answered();
    assert_eq!(replay, Redemption::AlreadyRedeemed { grant: grant(2), at: NOW }, "and spent through every handle");
    let rotation = again.rotate(&grant(3), Generation::FIRST, LIFETIMES, at(1)).await.answered();
    assert!(matches!(rotation, Rotation::Rotated(_)), "a refresh token is good through any handle, not {rotation:?}");
    assert!(store.revoke_grant(&grant(3), at(2)).await.answered());
    assert!(!again.grant_is_live(&grant(3), at(2)).await.answered(), "what is revoked through one handle is revoked through all");
}

pub(super) async fn consents_approvals_and_revocations_hold_through_another_handle(store: &Candidate) {
    let scope = definition(1, &application(1), "read");
    assert_eq!(store.create_application(application(1)).await.answered(), Creation::Created);
    assert_eq!(store.create_scope(scope.clone()).await.answered(), ScopeCreation::Created);
    signed_in(store, 1).await;
    let approval = Approval { assent: Assent::Remembered, ..approval(1) };
    let approving = store.approve_session(&token(1), approval, NOW).await.answered();
    assert!(matches!(approving, ApprovalOutcome::Approved(_)));
    assert_eq!(store.approve_scope(scope.id, client(1).id, NOW).await.answered(), ScopeApproval::Approved);
    assert_eq!(store.install_signing_key(signing_key()).await.answered(), KeyInstallation::Installed);
    assert_eq!(store.revoke_signing_key(&signing_key().id, at(5)).await.answered(), KeyRevocation::Revoked);

    let again = store.again();
    let consent = again.consent(&owner(), &client(1).id).await.answered();
    assert_eq!(consent, Some(Consent { scopes: scopes(), granted_at: NOW }), "what a user allowed is remembered");
    let approved = again.clients_of_scope(scope.id, PageRequest::new(0, 9).expect("a page")).await.answered();
    assert!(approved.items.iter().any(|found| found.client == client(1).id && found.approved), "who was approved stays approved");
    let keys = again.signing_keys().await.answered();
    assert_eq!(keys, [SigningKeyRecord { revoked_at: Some(at(5)), ..signing_key() }], "a revoked key stays revoked");
    assert_eq!(again.withdraw_grant(&owner(), &grant(1), at(6)).await.answered(), Withdrawal::Withdrawn);
    assert!(again.withdraw_scope(scope.id, client(1).id).await.answered());
    assert_eq!(store.consent(&owner(), &client(1).id).await.answered(), None, "what is taken back through one handle is gone through all");
    assert_eq!(store.clients_of_scope(scope.id, PageRequest::new(0, 9).expect("a page")).await.answered().total, 0);
}

pub(super) async fn the_school_is_the_same_through_another_handle(store: &Candidate) {
    let everything: [DirectoryChange; 7] = [
        club(1).into(),
        member(1, 1).into(),
        led(1, 1).into(),
        project(1, &[1]).into(),
        meal("2026-05-20", MealType::Lunch).into(),
        event("e", "2026-05-20", "체육 대회").into(),
        lesson("l", "2026-05-20", [1, 1, 1]).into(),
    ];
    let version = store.put(everything).await;
    let (again, may) = (store.school_again().await, days("2026-05-01", "2026-05-31"));
    assert_eq!(again.version().await.answered(), version, "the version is kept with the school");
    assert_eq!(again.students(EVERYONE).await.answered().items, store.students(EVERYONE).await.items);
    assert_eq!(again.meals(may).await.answered().len(), 1);
    assert_eq!(again.events(may).await.answered().len(), 1);
    assert_eq!(again.lessons(may).await.answered().len(), 1);
    match again.write(vec![DirectoryChange::RemoveStudent(member(1, 1).id)]).await.answered() {
        Writing::Written(later) => assert!(later.number > version.number, "the version grows on from where it was"),
        refused => panic!("the change is allowed, not {refused:?}"),
    }
    assert_eq!(store.one_club(1).await.club, club(1), "what is written through one handle is seen through all");
    assert_eq!(store.one_project(1).await.participants, []);
}

fn signing_key() -> SigningKeyRecord {
    SigningKeyRecord {
        sequence: 1,
        id: "a".repeat(43).parse().expect("a key id"),
        algorithm: SigningAlgorithm::Rs256,
        sealed: SealedKey::from_bytes(vec![7; 100]),
        created_at: NOW,
        revoked_at: None,
    }
}

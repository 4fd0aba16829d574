//! Fixtures for tests of client pages.

use std::time::Duration;

use lyceum::domain::{
    Application, ApplicationId, AuthorizationCodeDigest, AuthorizationSession, Client, ClientId,
    ClientPolicy, ClientProof, ClientSecretDigest, GrantId, RegisteredSecret, Role, Scope,
    ScopeDefinition, ScopeId, SessionDigest, Subject, SubjectId, Translations,
};
use lyceum::store::{
    Approval, ApprovalLimits, ApprovalOutcome, ClientFilter, ConsentMode, Creation, Redemption,
    ScopeCreation, SignIn, TokenLifetimes,
};

use crate::fixtures::{keep_client, new_client};
use crate::harness::*;

pub const OTHER: &str = "lee.other@school.example";

/// Another user, who is no administrator.
pub async fn other(harness: &Harness) -> SubjectId {
    create_account(&harness.accounts, OTHER, Role::User).await
}

/// A confidential client of the harness's user without security advice, except for `change`.
pub async fn client(
    harness: &Harness,
    number: u8,
    change: impl FnOnce(Client) -> Client,
) -> Client {
    let client = change(Client {
        owner: harness.person.clone(),
        policy: ClientPolicy::Secret,
        secrets: vec![secret(number)],
        ..new_client(number, &format!("Timetable {number}"))
    });
    keep_client(harness, client.clone()).await;
    client
}

pub fn secret(number: u8) -> RegisteredSecret {
    RegisteredSecret {
        digest: ClientSecretDigest::from_bytes([number; 32]),
        created_at: START,
        last_four: None,
        last_used_at: None,
    }
}

/// The client in the store.
pub async fn stored_client(harness: &Harness, id: ClientId) -> Client {
    Client::clone(&*harness.store.client(id).await.unwrap().unwrap())
}

/// The clients of the harness's user in the store.
pub async fn stored_clients(harness: &Harness) -> Vec<Client> {
    let found = harness
        .store
        .clients(
            ClientFilter::OwnedBy(&harness.person),
            lyceum::domain::PageRequest::LARGEST,
        )
        .await
        .unwrap();
    found
        .items
        .iter()
        .map(|client| Client::clone(client))
        .collect()
}

/// An application with scopes, each with or without required approval.
pub async fn application(
    harness: &Harness,
    owner: &SubjectId,
    number: u8,
    name: &str,
    scopes: &[(&str, bool)],
) -> Vec<Scope> {
    let (id, name) = (
        ApplicationId::from_random([number; 16]),
        name.parse().unwrap(),
    );
    let application = Application {
        id,
        name,
        name_translations: Translations::default(),
        owner: owner.clone(),
        created_at: START,
    };
    assert_eq!(
        harness
            .store
            .create_application(application.clone())
            .await
            .unwrap(),
        Creation::Created
    );
    let mut defined = Vec::new();
    for (at, (scope, approval_required)) in (0..).zip(scopes) {
        let mut bytes = [number; 16];
        bytes[0] = 100 + at;
        let definition = ScopeDefinition {
            id: ScopeId::from_random(bytes),
            scope: Scope {
                application: id,
                name: scope.parse().unwrap(),
            },
            description: format!("<i>{scope}</i> of you").parse().unwrap(),
            application_name: application.name.clone(),
            description_translations: Translations::default(),
            application_name_translations: Translations::default(),
            approval_required: *approval_required,
        };
        assert_eq!(
            harness
                .store
                .create_scope(definition.clone())
                .await
                .unwrap(),
            ScopeCreation::Created
        );
        defined.push(definition.scope);
    }
    defined
}

/// Stores a live grant of the client.
pub async fn grant(harness: &Harness, client: &Client, number: u8) {
    let (now, store) = (START, &harness.store);
    let (opened, moved) = (
        SessionDigest::from_bytes([number; 32]),
        SessionDigest::from_bytes([number + 100; 32]),
    );
    let pending = AuthorizationSession {
        client: client.id,
        redirect_uri: client.redirect_uris[0].to_string(),
        state: None,
        scopes: client.allowed_scopes.clone(),
        challenge: None,
        prompt: lyceum::domain::Prompt::default(),
        subject: None,
        created_at: now,
        expires_at: now.plus(MINUTE),
    };
    store.open_session(opened, pending).await.unwrap();
    let subject = Subject {
        id: harness.person.clone(),
        email: EMAIL.parse().unwrap(),
        role: Role::User,
        numeric_id: None,
        student: None,
    };
    assert!(matches!(
        store.sign_in(&opened, moved, subject, now).await.unwrap(),
        SignIn::SignedIn(_)
    ));
    let code = AuthorizationCodeDigest::from_bytes([number; 32]);
    let approval = Approval {
        grant: GrantId::from_random([number; 16]),
        code,
        code_expires_at: now.plus(MINUTE),
        consent_mode: ConsentMode::Once,
        limits: ApprovalLimits::UNLIMITED,
    };
    assert!(matches!(
        store.approve_session(&moved, approval, now).await.unwrap(),
        ApprovalOutcome::Approved(_)
    ));
    let day = Duration::from_secs(24 * 60 * 60);
    let lifetimes = TokenLifetimes {
        idle: 30 * day,
        absolute: 180 * day,
        retry_window: MINUTE,
    };
    let redemption = store
        .redeem_authorization_code(&code, ClientProof::Secret, lifetimes, now)
        .await
        .unwrap();
    assert!(matches!(redemption, Redemption::Redeemed(_)));
}

/// Value of a hidden field.
pub fn hidden(page: &str, name: &str) -> String {
    let rest = page
        .split(&format!("name=\"{name}\" value=\""))
        .nth(1)
        .unwrap_or_else(|| panic!("no {name} in {page}"));
    rest.split('"').next().unwrap().to_owned()
}

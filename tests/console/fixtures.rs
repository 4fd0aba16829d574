//! Records that pages show. Numbers distinguish records of one kind.

use std::time::Duration;

use lyceum::domain::*;
use lyceum::store::*;

use crate::harness::*;

pub const DAY: Duration = Duration::from_secs(24 * 60 * 60);

const LIFETIMES: TokenLifetimes = TokenLifetimes {
    idle: DAY,
    absolute: Duration::from_secs(30 * 24 * 60 * 60),
    retry_window: MINUTE,
};

/// A public client of the service that is not stored yet.
pub fn new_client(number: u8, name: &str) -> Client {
    Client {
        id: ClientId::from_random([number; 16]),
        name: name.parse().unwrap(),
        owner: SubjectId::service(),
        policy: ClientPolicy::Public,
        secrets: Vec::new(),
        redirect_uris: vec!["https://app.example/callback".parse().unwrap()],
        allowed_scopes: [Scope::self_read()].into_iter().collect(),
        plain_pkce_allowed: false,
        pkce_required: true,
        first_party: false,
        client_credentials_allowed: false,
        iss_omitted: false,
        policy_uri: None,
        verification: Verification::Assumed,
        created_at: START,
        suspended_at: None,
    }
}

/// Stores a client, and returns its id.
pub async fn keep_client(harness: &Harness, client: Client) -> ClientId {
    let id = client.id;
    let created = harness.store.create_client(client).await.unwrap();
    assert_eq!(created, ClientCreation::Created);
    id
}

/// A client owned by the service.
pub async fn client(harness: &Harness, number: u8, name: &str) -> ClientId {
    keep_client(harness, new_client(number, name)).await
}

/// A scope of an application.
pub async fn scope(harness: &Harness, number: u8, application: &str, description: &str) -> Scope {
    let id = ApplicationId::from_random([number; 16]);
    let (owner, name) = (
        SubjectId::service(),
        application.parse::<ShortText>().unwrap(),
    );
    let created = harness
        .store
        .create_application(Application {
            id,
            name: name.clone(),
            name_translations: Translations::default(),
            owner,
            created_at: START,
        })
        .await
        .unwrap();
    assert_eq!(created, Creation::Created);
    let scope = Scope {
        application: id,
        name: "points".parse().unwrap(),
    };
    let definition = ScopeDefinition {
        // The first numbers are those of the service's own scopes.
        id: ScopeId::from_random([number + 100; 16]),
        scope: scope.clone(),
        description: description.parse().unwrap(),
        application_name: name,
        description_translations: Translations::default(),
        application_name_translations: Translations::default(),
        approval_required: false,
    };
    assert_eq!(
        harness.store.create_scope(definition).await.unwrap(),
        ScopeCreation::Created
    );
    scope
}

/// A live grant of a user for a client, with tokens issued now.
pub async fn grant(
    harness: &Harness,
    number: u8,
    person: &SubjectId,
    client: ClientId,
    scopes: &[Scope],
    consent_mode: ConsentMode,
) -> GrantId {
    let (at, subject) = (
        lyceum::http::Clock::now(&harness.clock),
        Subject {
            id: person.clone(),
            email: EMAIL.parse().unwrap(),
            role: Role::User,
            numeric_id: None,
            student: None,
        },
    );
    let [before, session] =
        [number, number + 100].map(|number| SessionDigest::from_bytes([number; 32]));
    let (grant, code) = (
        GrantId::from_random([number; 16]),
        AuthorizationCodeDigest::from_bytes([number; 32]),
    );
    let pending = AuthorizationSession {
        client,
        redirect_uri: "https://app.example/callback".to_owned(),
        state: None,
        scopes: scopes.iter().cloned().collect(),
        challenge: None,
        prompt: Prompt::default(),
        subject: None,
        created_at: at,
        expires_at: at.plus(MINUTE),
    };
    harness.store.open_session(before, pending).await.unwrap();
    assert!(matches!(
        harness
            .store
            .sign_in(&before, session, subject, at)
            .await
            .unwrap(),
        SignIn::SignedIn(_)
    ));
    let approval = Approval {
        grant,
        code,
        code_expires_at: at.plus(MINUTE),
        consent_mode,
        limits: ApprovalLimits::UNLIMITED,
    };
    assert!(matches!(
        harness
            .store
            .approve_session(&session, approval, at)
            .await
            .unwrap(),
        ApprovalOutcome::Approved(_)
    ));
    let redeemed = harness
        .store
        .redeem_authorization_code(&code, ClientProof::Pkce, LIFETIMES, at)
        .await
        .unwrap();
    assert!(matches!(redeemed, Redemption::Redeemed(_)));
    grant
}

/// A live [`grant`] that has `service:self_read` alone.
pub async fn self_grant(
    harness: &Harness,
    number: u8,
    person: &SubjectId,
    client: ClientId,
    consent_mode: ConsentMode,
) -> GrantId {
    let scopes = [Scope::self_read()];
    grant(harness, number, person, client, &scopes, consent_mode).await
}

/// An API key that works from now on.
pub async fn key(
    harness: &Harness,
    number: u8,
    owner: Option<&SubjectId>,
    description: &str,
) -> ApiKeyId {
    let (id, secret) = (
        ApiKeyId::from_random([number; 16]),
        ApiKeySecret::from_random([number; 16]),
    );
    let at = lyceum::http::Clock::now(&harness.clock);
    let issued = ApiKey::new(
        id,
        &secret,
        description.parse().unwrap(),
        [ApiScope::STUDENT_READ].into_iter().collect(),
        at,
    );
    assert_eq!(
        harness
            .store
            .create_api_key(ApiKey {
                owner: owner.cloned(),
                ..issued
            })
            .await
            .unwrap(),
        Creation::Created
    );
    id
}

/// Id of the user with this address.
pub async fn id_of(harness: &Harness, email: &str) -> SubjectId {
    harness
        .store
        .account_by_email(&email.parse().unwrap())
        .await
        .unwrap()
        .unwrap()
        .id
        .into()
}

/// Whether an API key is revoked.
pub async fn is_revoked(harness: &Harness, key: ApiKeyId) -> bool {
    harness
        .store
        .api_key_by_id(key)
        .await
        .unwrap()
        .unwrap()
        .revoked_at
        .is_some()
}

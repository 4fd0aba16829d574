//! Fixtures of the cases. Numbers identify records of one kind.

use std::time::Duration;

use super::store_under_test::{ExpectOk, StoreUnderTest};
use crate::domain::{
    Account, AccountId, ApiKey, ApiKeyDigest, ApiKeyId, ApiKeyRenewal, ApiScopes, Application,
    ApplicationId, AuthorizationCodeDigest, AuthorizationSession, Client, ClientId, ClientPolicy,
    ClientProof, ClientSecretDigest, Grant, GrantId, HiddenFields, PasswordHash, RegisteredSecret,
    Role, Scope, ScopeDefinition, ScopeId, ScopeSet, SessionDigest, ShortText, Subject, SubjectId,
    Timestamp, Translations, Verification,
};
use crate::store::{
    Approval, ApprovalLimits, ApprovalOutcome, ApprovedSession, ConsentMode, ProtocolStorage,
    Redemption, SignIn, TokenLifetimes,
};

pub(super) const NOW: Timestamp = Timestamp::from_seconds(1_790_000_000);

/// Returns the time so many seconds after [`NOW`].
pub(super) const fn at(seconds: i64) -> Timestamp {
    Timestamp::from_seconds(NOW.seconds() + seconds)
}

/// Lifetimes in these cases, in seconds from [`NOW`].
pub(super) const SESSION_LIFETIME: i64 = 600;
pub(super) const CODE_LIFETIME: i64 = 60;

pub(super) const IDLE_TIMEOUT: i64 = 1_000;
pub(super) const ABSOLUTE_LIFETIME: i64 = 5_000;
pub(super) const RETRY_WINDOW: i64 = 30;

pub(super) const LIFETIMES: TokenLifetimes = TokenLifetimes {
    idle: Duration::from_secs(IDLE_TIMEOUT.unsigned_abs()),
    absolute: Duration::from_secs(ABSOLUTE_LIFETIME.unsigned_abs()),
    retry_window: Duration::from_secs(RETRY_WINDOW.unsigned_abs()),
};

pub(super) fn account(number: u8, email: &str) -> Account {
    Account {
        id: AccountId::from_random([number; 16]),
        email: email.parse().expect("an address"),
        password_hash: PasswordHash::from_phc(format!(
            "$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$hash{number}"
        )),
        role: Role::User,
        created_at: NOW,
        student: None,
    }
}

pub(super) fn api_key(number: u8) -> ApiKey {
    ApiKey {
        id: ApiKeyId::from_random([number; 16]),
        digest: ApiKeyDigest::from_bytes([number; 32]),
        hint: format!("{number:08}…cafe"),
        previous: Vec::new(),
        owner: None,
        description: ShortText::from_static("급식 알리미"),
        scopes: ApiScopes::built_in(),
        hidden: HiddenFields::default(),
        requested: HiddenFields::default(),
        quota: None,
        created_at: NOW,
        expires_at: NOW.plus(ApiKey::VALIDITY),
        revoked_at: None,
        last_used_at: None,
    }
}

/// Returns a renewal to the value with the digest of `api_key(number)`.
pub(super) fn renewal(number: u8, overlap: Duration) -> ApiKeyRenewal {
    let ApiKey { digest, hint, .. } = api_key(number);
    ApiKeyRenewal {
        digest,
        hint,
        overlap,
    }
}

pub(super) fn owner() -> SubjectId {
    "owner".parse().expect("an id")
}

pub(super) fn application(number: u8) -> Application {
    Application {
        id: ApplicationId::from_random([number; 16]),
        name: format!("Application {number}").parse().expect("a line"),
        name_translations: in_korean(&format!("애플리케이션 {number}")),
        owner: owner(),
        created_at: NOW,
    }
}

/// Returns a text in Korean, and in a second language whose tag has subtags.
pub(super) fn in_korean(text: &str) -> Translations {
    Translations::from_pairs([("ko", text), ("zh-Hant-TW", "文字")]).expect("texts")
}

pub(super) fn scope(application: ApplicationId, name: &str) -> Scope {
    Scope {
        application,
        name: name.parse().expect("a scope name"),
    }
}

/// Returns a scope definition. The number makes its id, which no built-in scope has.
pub(super) fn definition(number: u8, of: &Application, name: &str) -> ScopeDefinition {
    ScopeDefinition {
        id: ScopeId::from_random([number ^ 0x80; 16]),
        scope: scope(of.id, name),
        description: format!("Lets {name} happen")
            .parse()
            .expect("a description"),
        application_name: of.name.clone(),
        description_translations: in_korean(&format!("{name}을 허용해요")),
        application_name_translations: of.name_translations.clone(),
        approval_required: false,
    }
}

/// Returns the default scopes, which every store has, in an unsorted order.
pub(super) fn scopes() -> ScopeSet {
    [Scope::self_read(), Scope::manage()].into_iter().collect()
}

pub(super) fn client(number: u8) -> Client {
    Client {
        id: ClientId::from_random([number; 16]),
        name: ShortText::from_static("밥묵자"),
        owner: owner(),
        policy: ClientPolicy::SecretOrPkce,
        secrets: vec![RegisteredSecret {
            digest: ClientSecretDigest::from_bytes([number; 32]),
            created_at: NOW,
            last_four: Some("Q-_7".to_owned()),
            last_used_at: Some(at(9)),
        }],
        redirect_uris: vec![
            "https://app.example/callback"
                .parse()
                .expect("a redirect URI"),
        ],
        allowed_scopes: scopes(),
        plain_pkce_allowed: false,
        pkce_required: false,
        first_party: true,
        client_credentials_allowed: false,
        iss_omitted: false,
        policy_uri: Some("https://app.example/privacy".parse().expect("a URI")),
        verification: Verification::Assumed,
        created_at: NOW,
        suspended_at: None,
    }
}

pub(super) fn subject() -> Subject {
    Subject {
        id: owner(),
        email: "haneul@school.example".parse().expect("an address"),
        role: Role::User,
        numeric_id: None,
        student: None,
    }
}

/// Returns a session of client 1 without a subject.
pub(super) fn session() -> AuthorizationSession {
    AuthorizationSession {
        client: client(1).id,
        redirect_uri: "https://app.example/callback".to_owned(),
        state: Some("x&y=ü".to_owned()),
        scopes: scopes(),
        challenge: None,
        prompt: crate::domain::Prompt::default(),
        subject: None,
        created_at: NOW,
        expires_at: at(SESSION_LIFETIME),
    }
}

pub(super) const fn token(number: u8) -> SessionDigest {
    SessionDigest::from_bytes([number; 32])
}

pub(super) const fn code(number: u8) -> AuthorizationCodeDigest {
    AuthorizationCodeDigest::from_bytes([number; 32])
}

pub(super) fn approval(number: u8) -> Approval {
    Approval {
        grant: grant(number),
        code: code(number),
        code_expires_at: at(CODE_LIFETIME),
        consent_mode: ConsentMode::Once,
        limits: ApprovalLimits::UNLIMITED,
    }
}

pub(super) fn grant(number: u8) -> GrantId {
    GrantId::from_random([number; 16])
}

/// Registers client 1.
pub(super) async fn registered_client(store: &StoreUnderTest<impl ProtocolStorage + ?Sized>) {
    store.fixtures().create_client(client(1)).await;
}

/// Registers client 1 and opens a session without a subject under `token(number)`.
pub(super) async fn open_session(
    store: &StoreUnderTest<impl ProtocolStorage + ?Sized>,
    number: u8,
) {
    if store.client(client(1).id).await.expect_ok().is_none() {
        registered_client(store).await;
    }
    store
        .open_session(token(number), session())
        .await
        .expect_ok();
}

/// Creates a session with a subject under `token(number)`.
pub(super) async fn signed_in(store: &StoreUnderTest<impl ProtocolStorage + ?Sized>, number: u8) {
    open_session(store, number.wrapping_add(100)).await;
    let signing_in = store
        .sign_in(
            &token(number.wrapping_add(100)),
            token(number),
            subject(),
            NOW,
        )
        .await
        .expect_ok();
    assert!(
        matches!(signing_in, SignIn::SignedIn(_)),
        "an existing session can be signed in to, not {signing_in:?}"
    );
}

/// Creates the grant `grant(number)` with the unredeemed `code(number)`.
pub(super) async fn approved(store: &StoreUnderTest<impl ProtocolStorage + ?Sized>, number: u8) {
    signed_in(store, number).await;
    approve(store, &token(number), approval(number), NOW).await;
}

/// Approves a session with a subject.
pub(super) async fn approve(
    store: &StoreUnderTest<impl ProtocolStorage + ?Sized>,
    session: &SessionDigest,
    approval: Approval,
    at: Timestamp,
) {
    let outcome = store
        .approve_session(session, approval, at)
        .await
        .expect_ok();
    assert!(
        matches!(outcome, ApprovalOutcome::Approved(_)),
        "a signed-in session can be approved, not {outcome:?}"
    );
}

/// Creates the grant `grant(number)`, redeemed at [`NOW`].
pub(super) async fn redeemed(
    store: &StoreUnderTest<impl ProtocolStorage + ?Sized>,
    number: u8,
) -> Grant {
    approved(store, number).await;
    match store
        .redeem_authorization_code(&code(number), ClientProof::Pkce, LIFETIMES, NOW)
        .await
        .expect_ok()
    {
        Redemption::Redeemed(grant) => grant,
        other => panic!("a fresh code can be redeemed, not {other:?}"),
    }
}

/// Returns the number of elements for which `so` is true.
pub(super) fn count<T>(answers: &[T], so: impl Fn(&T) -> bool) -> usize {
    answers.iter().filter(|answer| so(answer)).count()
}

/// Returns the outcome of an approval that revokes no other grant.
pub(super) fn approved_as(session: AuthorizationSession) -> ApprovalOutcome {
    ApprovalOutcome::Approved(Box::new(ApprovedSession {
        session,
        replaced: Vec::new(),
    }))
}

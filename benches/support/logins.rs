//! A client, its user, and authorization codes.

use std::sync::Arc;
use std::time::Duration;

use lyceum::domain::{
    Account, AccountId, Application, ApplicationId, AuthorizationCode, AuthorizationSession,
    Client, ClientId, ClientPolicy, ClientSecret, GrantId, PasswordHash, RegisteredSecret, Role,
    Scope, ScopeDefinition, ScopeId, SessionToken, ShortText, Subject, SubjectId, Timestamp,
    Translations, Verification,
};
use lyceum::http::{Clock, SystemClock};
use lyceum::store::{
    Approval, ApprovalLimits, ApprovalOutcome, ClientCreation, ConsentMode, Creation,
    ScopeCreation, SignIn, Storage,
};

const REDIRECT_URI: &str = "https://app.example/callback";
const EMAIL: &str = "someone@school.example";
/// Number of codes that are created concurrently.
const AT_ONCE: usize = 64;

fn application() -> ApplicationId {
    ApplicationId::from_random([1; 16])
}

fn client_id() -> ClientId {
    ClientId::from_random([2; 16])
}

fn secret() -> ClientSecret {
    ClientSecret::from_random([2; 32])
}

fn scope() -> Scope {
    Scope {
        application: application(),
        name: "read".parse().unwrap(),
    }
}

fn account_id() -> AccountId {
    AccountId::from_random([5; 16])
}

/// The form parameters that authenticate the client.
pub fn credentials() -> String {
    format!(
        "client_id={}&client_secret={}",
        client_id(),
        secret().expose()
    )
}

/// The form that exchanges a code.
pub fn exchange(code: &str) -> String {
    format!(
        "grant_type=authorization_code&code={code}&redirect_uri={REDIRECT_URI}&{}",
        credentials()
    )
}

/// The form that refreshes the tokens of the last response.
pub fn refresh(answer: &[u8]) -> String {
    let answer: serde_json::Value = serde_json::from_slice(answer).unwrap();
    format!(
        "grant_type=refresh_token&refresh_token={}&{}",
        answer["refresh_token"].as_str().unwrap(),
        credentials()
    )
}

/// Saves the client and its user in the store.
pub async fn register(store: &dyn Storage) {
    let (now, name) = (SystemClock.now(), ShortText::from_static("Bench"));
    let kept = Application {
        id: application(),
        name: name.clone(),
        name_translations: Translations::default(),
        owner: SubjectId::service(),
        created_at: now,
    };
    assert_eq!(
        store.create_application(kept).await.unwrap(),
        Creation::Created
    );
    let definition = ScopeDefinition {
        id: ScopeId::from_random([9; 16]),
        scope: scope(),
        description: "Read".parse().unwrap(),
        application_name: name.clone(),
        description_translations: Translations::default(),
        application_name_translations: Translations::default(),
        approval_required: false,
    };
    assert_eq!(
        store.create_scope(definition).await.unwrap(),
        ScopeCreation::Created
    );
    let client = Client {
        id: client_id(),
        name,
        owner: SubjectId::service(),
        policy: ClientPolicy::Secret,
        secrets: vec![RegisteredSecret::new(&secret(), now)],
        redirect_uris: vec![REDIRECT_URI.parse().unwrap()],
        allowed_scopes: [scope()].into_iter().collect(),
        plain_pkce_allowed: false,
        pkce_required: false,
        first_party: false,
        client_credentials_allowed: false,
        iss_omitted: false,
        policy_uri: None,
        verification: Verification::Assumed,
        created_at: now,
        suspended_at: None,
    };
    assert_eq!(
        store.create_client(client).await.unwrap(),
        ClientCreation::Created
    );
    let password_hash = PasswordHash::from_phc("unused");
    let account = Account {
        id: account_id(),
        email: EMAIL.parse().unwrap(),
        password_hash,
        role: Role::User,
        created_at: now,
        student: None,
    };
    let _ = store.create_account(account).await.unwrap();
}

/// Creates codes with numbers from `first` on.
pub async fn issue(store: &Arc<dyn Storage>, first: u32, count: u32) -> Vec<String> {
    let (mut making, mut codes) = (tokio::task::JoinSet::new(), Vec::new());
    let now = SystemClock.now();
    for number in first..first + count {
        let store = Arc::clone(store);
        making.spawn(async move { issue_one(&*store, number, now).await.expose().to_owned() });
        if making.len() == AT_ONCE {
            codes.extend(making.join_next().await.transpose().unwrap());
        }
    }
    codes.extend(making.join_all().await);
    codes
}

async fn issue_one(store: &dyn Storage, number: u32, now: Timestamp) -> AuthorizationCode {
    let bytes = |kind: u8| {
        let mut bytes = [kind; 32];
        bytes[..4].copy_from_slice(&number.to_be_bytes());
        bytes
    };
    let (session, signed_in) = (
        SessionToken::from_random(bytes(1)).digest(),
        SessionToken::from_random(bytes(2)).digest(),
    );
    let code = AuthorizationCode::from_random(bytes(3));
    let soon = now.plus(Duration::from_secs(600));
    let pending = AuthorizationSession {
        client: client_id(),
        redirect_uri: REDIRECT_URI.to_owned(),
        state: None,
        scopes: [scope()].into_iter().collect(),
        challenge: None,
        prompt: lyceum::domain::Prompt::default(),
        subject: None,
        created_at: now,
        expires_at: soon,
    };
    store.open_session(session, pending).await.unwrap();
    let subject = Subject {
        id: account_id().into(),
        email: EMAIL.parse().unwrap(),
        role: Role::User,
        numeric_id: None,
        student: None,
    };
    assert!(matches!(
        store
            .sign_in(&session, signed_in, subject, now)
            .await
            .unwrap(),
        SignIn::SignedIn(_)
    ));
    let grant = GrantId::from_random(std::array::from_fn(|at| bytes(4)[at]));
    let approval = Approval {
        grant,
        code: code.digest(),
        code_expires_at: soon,
        consent_mode: ConsentMode::Once,
        limits: ApprovalLimits::UNLIMITED,
    };
    assert!(matches!(
        store
            .approve_session(&signed_in, approval, now)
            .await
            .unwrap(),
        ApprovalOutcome::Approved(_)
    ));
    code
}

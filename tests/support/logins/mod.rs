//! Simulated year of logins, to test that a store deletes expired rows.
//!
//! Once a day a hundred users sign in at the same moment. Some stop at each stage of the login,
//! some refresh once or for half a year, and some have a refresh token stolen. Every result of the
//! store is checked against the expected one, and the number of rows it needs at each moment is
//! known.

mod login_scenario;
mod row_counts;

use std::time::Duration;

use login_scenario::LoginScenario;
use lyceum::domain::{
    ApiKey, ApiKeyDigest, ApiKeyId, ApiScopes, AuthorizationCodeDigest, AuthorizationSession,
    ClientId, ClientProof, Generation, GrantId, HiddenFields, RateLimitDecision, RateLimitKey,
    Role, ScopeSet, SealedKey, SessionDigest, ShortText, SigningAlgorithm, SigningKeyRecord,
    Subject, Timestamp, UserSession, UserSessionDigest, UserSessionId,
};
use lyceum::store::{
    Approval, ApprovalLimits, ApprovalOutcome, ConsentMode, Creation, Redemption, Rotation, SignIn,
    SigningKeyInstallation, Storage, StorageError, TokenLifetimes,
};
pub use row_counts::RowCounts;

/// Number of logins at one moment, in any order or concurrently. All logins of a moment must end
/// before those of the next begin.
pub const LOGINS_PER_BATCH: u64 = 100;

/// Number of logins after which the row counts no longer grow: every row has been deleted after
/// half a year and a day.
pub const STEADY_AFTER: u64 = 200 * LOGINS_PER_DAY;

/// Number of logins a day.
const LOGINS_PER_DAY: u64 = LOGINS_PER_BATCH;

const START: Timestamp = Timestamp::from_seconds(1_790_000_000);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const SESSION_LIFETIME: Duration = Duration::from_secs(600);
const USER_SESSION_LIFETIME: Duration = Duration::from_secs(12 * 60 * 60);
const CODE_LIFETIME: Duration = Duration::from_secs(60);
const LIFETIMES: TokenLifetimes = TokenLifetimes {
    idle: DAY.saturating_mul(30),
    absolute: DAY.saturating_mul(180),
    retry_window: Duration::from_secs(30),
};

/// Logins for each client address that is counted, console session, API key and signing key.
const LOGINS_PER_ADDRESS: u64 = 4;
const LOGINS_PER_USER_SESSION: u64 = 5;
const LOGINS_PER_API_KEY: u64 = 50;
const LOGINS_PER_SIGNING_KEY: u64 = 30 * LOGINS_PER_DAY;

/// Returns the time of a login.
fn time_of(number: u64) -> Timestamp {
    START.plus(DAY * u32::try_from(number / LOGINS_PER_DAY).unwrap_or(u32::MAX))
}

/// Performs one login and the later events of earlier logins that are due. Numbers count from 0,
/// one moment after the other.
///
/// # Errors
/// When a storage call fails.
///
/// # Panics
/// When the store returns a wrong result.
pub async fn simulate_login(store: &dyn Storage, number: u64) -> Result<(), StorageError> {
    let now = time_of(number);
    create_other_rows(store, number, now).await?;
    sign_in(store, number, now).await?;
    for (days, event) in LoginScenario::from_number(number).later_events() {
        if let Some(earlier) = number.checked_sub(days * LOGINS_PER_DAY) {
            event.apply(store, earlier, now).await?;
        }
    }
    Ok(())
}

/// Creates the rows beside the login itself: rate limits, console sessions, API keys and signing
/// keys.
async fn create_other_rows(
    store: &dyn Storage,
    number: u64,
    now: Timestamp,
) -> Result<(), StorageError> {
    if number.is_multiple_of(LOGINS_PER_ADDRESS) {
        let verdict = store
            .take(
                &RateLimitKey::new("address", &number.to_be_bytes()),
                row_counts::quota(),
                now,
            )
            .await?;
        assert!(
            matches!(verdict, RateLimitDecision::Allowed { .. }),
            "a new address has its full burst: {verdict:?}"
        );
    }
    if number.is_multiple_of(LOGINS_PER_USER_SESSION) {
        store
            .open_user_session(
                UserSessionDigest::from_bytes(digest(5, number)),
                user_session(number, now),
            )
            .await?;
    }
    if number.is_multiple_of(LOGINS_PER_API_KEY) {
        assert_eq!(
            store.create_api_key(api_key(number, now)).await?,
            Creation::Created
        );
    }
    if number.is_multiple_of(LOGINS_PER_SIGNING_KEY) {
        assert_eq!(
            store.install_signing_key(signing_key(number, now)).await?,
            SigningKeyInstallation::Installed
        );
        store.sweep_signing_keys(now.minus(DAY)).await?;
    }
    Ok(())
}

async fn sign_in(store: &dyn Storage, number: u64, now: Timestamp) -> Result<(), StorageError> {
    let (opened, moved, scenario) = (
        session(1, number),
        session(2, number),
        LoginScenario::from_number(number),
    );
    store.open_session(opened, pending(now)).await?;
    if scenario == LoginScenario::NeverSignsIn {
        return Ok(());
    }
    let signed_in = store.sign_in(&opened, moved, subject(), now).await?;
    assert!(
        matches!(signed_in, SignIn::SignedIn(_)),
        "a newly opened session exists"
    );
    match scenario {
        LoginScenario::AbandonsConsent => return Ok(()),
        LoginScenario::DeniesConsent => {
            return store
                .close_session(&moved, now)
                .await
                .map(|closed| assert!(closed.is_some(), "the session exists"));
        }
        _ => {}
    }
    let approval = Approval {
        grant: grant(number),
        code: code(number),
        code_expires_at: now.plus(CODE_LIFETIME),
        consent_mode: ConsentMode::Once,
        limits: ApprovalLimits::UNLIMITED,
    };
    let approved = store.approve_session(&moved, approval, now).await?;
    assert!(
        matches!(approved, ApprovalOutcome::Approved(_)),
        "a session with a subject can be approved"
    );
    if scenario == LoginScenario::NeverRedeemsCode {
        return Ok(());
    }
    let redemption = redeem(store, number, now).await?;
    assert!(
        matches!(redemption, Redemption::Redeemed(_)),
        "a fresh code is valid: {redemption:?}"
    );
    if scenario == LoginScenario::ReplaysCode {
        assert_eq!(
            redeem(store, number, now).await?,
            Redemption::AlreadyRedeemed {
                grant: grant(number),
                at: now
            }
        );
    }
    Ok(())
}

async fn redeem(
    store: &dyn Storage,
    number: u64,
    now: Timestamp,
) -> Result<Redemption, StorageError> {
    store
        .redeem_authorization_code(&code(number), ClientProof::Pkce, LIFETIMES, now)
        .await
}

async fn rotate(
    store: &dyn Storage,
    number: u64,
    generation: u32,
    now: Timestamp,
) -> Result<Rotation, StorageError> {
    store
        .rotate_refresh_token(&grant(number), Generation::new(generation), LIFETIMES, now)
        .await
}

fn pending(now: Timestamp) -> AuthorizationSession {
    AuthorizationSession {
        client: ClientId::from_random([1; 16]),
        redirect_uri: "https://app.example/callback".to_owned(),
        state: Some("state".to_owned()),
        scopes: ScopeSet::default(),
        challenge: None,
        prompt: lyceum::domain::Prompt::default(),
        subject: None,
        created_at: now,
        expires_at: now.plus(SESSION_LIFETIME),
    }
}

fn subject() -> Subject {
    Subject {
        id: "pupil".parse().expect("an id"),
        email: "pupil@school.example".parse().expect("an address"),
        role: Role::User,
        numeric_id: None,
        student: None,
    }
}

fn user_session(number: u64, now: Timestamp) -> UserSession {
    UserSession {
        id: UserSessionId::from_random(id(number)),
        subject: subject().id,
        browser: None,
        created_at: now,
        last_used_at: now,
        expires_at: now.plus(USER_SESSION_LIFETIME),
    }
}

fn api_key(number: u64, now: Timestamp) -> ApiKey {
    ApiKey {
        id: ApiKeyId::from_random(id(number)),
        digest: ApiKeyDigest::from_bytes(digest(4, number)),
        hint: "00000000…cafe".to_owned(),
        previous: Vec::new(),
        owner: None,
        description: ShortText::from_static("Timetable"),
        scopes: ApiScopes::built_in(),
        hidden: HiddenFields::default(),
        requested: HiddenFields::default(),
        quota: None,
        created_at: now,
        expires_at: now.plus(ApiKey::VALIDITY),
        revoked_at: None,
        last_used_at: None,
    }
}

fn signing_key(number: u64, now: Timestamp) -> SigningKeyRecord {
    SigningKeyRecord {
        sequence: i64::try_from(number / LOGINS_PER_SIGNING_KEY).unwrap_or(i64::MAX),
        id: format!("{number:043}").parse().expect("a key id"),
        algorithm: SigningAlgorithm::Es256,
        sealed: SealedKey::from_bytes(vec![7; 100]),
        created_at: now,
        revoked_at: None,
    }
}

fn session(stage: u8, number: u64) -> SessionDigest {
    SessionDigest::from_bytes(digest(stage, number))
}

fn code(number: u64) -> AuthorizationCodeDigest {
    AuthorizationCodeDigest::from_bytes(digest(3, number))
}

fn grant(number: u64) -> GrantId {
    GrantId::from_random(id(number))
}

fn digest(kind: u8, number: u64) -> [u8; 32] {
    let mut bytes = [kind; 32];
    bytes[..8].copy_from_slice(&number.to_be_bytes());
    bytes
}

/// Writes a number into the free bits at the end of a version 4 UUID.
fn id(number: u64) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes[9..].copy_from_slice(&number.to_be_bytes()[1..]);
    bytes
}

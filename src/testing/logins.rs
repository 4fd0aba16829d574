//! Logins, day after day, for seeing that a store does not grow for ever.
//!
//! Once a day a hundred people sign in at the same moment. Some give up, at each of the stages; some refresh, once or for half a
//! year; some are robbed. Every answer of the store is checked, and how many rows it needs at each moment is known.
//!
//! ```
//! use lyceum::store::memory::MemoryStore;
//! use lyceum::testing::logins::{AT_A_TIME, login};
//!
//! # tokio::runtime::Runtime::new().unwrap().block_on(async {
//! let store = MemoryStore::new();
//! for number in 0..AT_A_TIME {
//!     login(&store, number).await?;
//! }
//! # Ok::<_, lyceum::store::StorageError>(()) }).unwrap();
//! ```

mod fate;
mod rows;

use std::time::Duration;

use crate::domain::{
    ApiKey, ApiKeyDigest, ApiKeyId, ApiScopes, AuthorizationCodeDigest, AuthorizationSession, ClientId, ClientProof, Generation, GrantId,
    HiddenFields, Line, RateKey, RateVerdict, Role, ScopeSet, SealedKey, SessionDigest, SigningAlgorithm, SigningKeyRecord, Subject,
    Timestamp, UserSession, UserSessionDigest, UserSessionId,
};
use crate::store::{
    Approval, ApprovalCaps, ApprovalOutcome, Assent, Creation, KeyInstallation, Redemption, Rotation, SignIn, Storage, StorageError,
    TokenLifetimes,
};
use fate::Fate;
pub use rows::Rows;

/// How many logins happen at one moment, in any order or all at once. The moment's must be over before the next one's begin.
pub const AT_A_TIME: u64 = 100;

/// After so many logins nothing grows any more: the longest that anything lives and is kept is half a year and a day, which has passed.
pub const FLAT_FROM: u64 = 200 * A_DAY;

/// How many logins there are a day.
const A_DAY: u64 = AT_A_TIME;

const START: Timestamp = Timestamp::from_seconds(1_790_000_000);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const SESSION: Duration = Duration::from_secs(600);
const USER_SESSION: Duration = Duration::from_secs(12 * 60 * 60);
const CODE: Duration = Duration::from_secs(60);
const LIFETIMES: TokenLifetimes =
    TokenLifetimes { idle: DAY.saturating_mul(30), absolute: DAY.saturating_mul(180), retry_window: Duration::from_secs(30) };

/// How many logins there are for each address that is counted, each session in the console, each API key that is issued, and each signing key.
const PER_ADDRESS: u64 = 4;
const PER_USER_SESSION: u64 = 5;
const PER_API_KEY: u64 = 50;
const PER_SIGNING_KEY: u64 = 30 * A_DAY;

/// When the login of this number happens.
fn moment(number: u64) -> Timestamp {
    START.plus(DAY * u32::try_from(number / A_DAY).unwrap_or(u32::MAX))
}

/// One login, and what happens meanwhile to some that were before. Numbers count from 0, moment by moment.
///
/// # Errors
/// When the store cannot answer.
///
/// # Panics
/// When it gives an answer that it must not give.
pub async fn login(store: &dyn Storage, number: u64) -> Result<(), StorageError> {
    let now = moment(number);
    visit(store, number, now).await?;
    sign_in(store, number, now).await?;
    for (days, event) in Fate::of(number).events() {
        if let Some(earlier) = number.checked_sub(days * A_DAY) {
            event.happen(store, earlier, now).await?;
        }
    }
    Ok(())
}

/// What is counted and issued beside the sign-in itself.
async fn visit(store: &dyn Storage, number: u64, now: Timestamp) -> Result<(), StorageError> {
    if number.is_multiple_of(PER_ADDRESS) {
        let verdict = store.take(&RateKey::new("address", &number.to_be_bytes()), rows::quota(), now.seconds() * 1_000_000).await?;
        assert!(matches!(verdict, RateVerdict::Allowed { .. }), "an address that is seen for the first time has its burst: {verdict:?}");
    }
    if number.is_multiple_of(PER_USER_SESSION) {
        store.open_user_session(UserSessionDigest::from_bytes(digest(5, number)), user_session(number, now)).await?;
    }
    if number.is_multiple_of(PER_API_KEY) {
        assert_eq!(store.create_api_key(api_key(number, now)).await?, Creation::Created);
    }
    if number.is_multiple_of(PER_SIGNING_KEY) {
        assert_eq!(store.install_signing_key(signing_key(number, now)).await?, KeyInstallation::Installed);
        store.remove_signing_keys(now.minus(DAY)).await?;
    }
    Ok(())
}

async fn sign_in(store: &dyn Storage, number: u64, now: Timestamp) -> Result<(), StorageError> {
    let (opened, moved, fate) = (session(1, number), session(2, number), Fate::of(number));
    store.open_session(opened, pending(now)).await?;
    if fate == Fate::GivesUp {
        return Ok(());
    }
    let signed_in = store.sign_in(&opened, moved, subject(), now).await?;
    assert!(matches!(signed_in, SignIn::SignedIn(_)), "a session that was just opened is there");
    match fate {
        Fate::LeavesTheConsent => return Ok(()),
        Fate::Denies => return store.close_session(&moved, now).await.map(|closed| assert!(closed.is_some(), "it is there")),
        _ => {}
    }
    let approval = Approval {
        grant: grant(number),
        code: code(number),
        code_expires_at: now.plus(CODE),
        assent: Assent::Once,
        caps: ApprovalCaps::NONE,
    };
    let approved = store.approve_session(&moved, approval, now).await?;
    assert!(matches!(approved, ApprovalOutcome::Approved(_)), "a session that was just signed in to can be approved");
    if fate == Fate::LosesTheCode {
        return Ok(());
    }
    let redemption = redeem(store, number, now).await?;
    assert!(matches!(redemption, Redemption::Redeemed(_)), "a fresh code is good: {redemption:?}");
    if fate == Fate::Replays {
        assert_eq!(redeem(store, number, now).await?, Redemption::AlreadyRedeemed { grant: grant(number), at: now });
    }
    Ok(())
}

async fn redeem(store: &dyn Storage, number: u64, now: Timestamp) -> Result<Redemption, StorageError> {
    store.redeem_authorization_code(&code(number), ClientProof::Pkce, LIFETIMES, now).await
}

async fn rotate(store: &dyn Storage, number: u64, generation: u32, now: Timestamp) -> Result<Rotation, StorageError> {
    store.rotate(&grant(number), Generation::new(generation), LIFETIMES, now).await
}

fn pending(now: Timestamp) -> AuthorizationSession {
    AuthorizationSession {
        client: ClientId::from_random([1; 16]),
        redirect_uri: "https://app.example/callback".to_owned(),
        state: Some("state".to_owned()),
        scopes: ScopeSet::default(),
        challenge: None,
        ask_again: false,
        subject: None,
        created_at: now,
        expires_at: now.plus(SESSION),
    }
}

fn subject() -> Subject {
    Subject {
        id: "pupil".parse().expect("an id"),
        email: "pupil@school.example".parse().expect("an address"),
        role: Role::User,
        number: None,
    }
}

fn user_session(number: u64, now: Timestamp) -> UserSession {
    UserSession {
        id: UserSessionId::from_random(id(number)),
        subject: subject().id,
        browser: None,
        created_at: now,
        last_used_at: now,
        expires_at: now.plus(USER_SESSION),
    }
}

fn api_key(number: u64, now: Timestamp) -> ApiKey {
    ApiKey {
        id: ApiKeyId::from_random(id(number)),
        digest: ApiKeyDigest::from_bytes(digest(4, number)),
        hint: "00000000…cafe".to_owned(),
        previous: Vec::new(),
        owner: None,
        description: Line::literal("Timetable"),
        scopes: ApiScopes::built_in(),
        hidden: HiddenFields::default(),
        quota: None,
        created_at: now,
        expires_at: now.plus(ApiKey::VALIDITY),
        revoked_at: None,
        last_used_at: None,
    }
}

fn signing_key(number: u64, now: Timestamp) -> SigningKeyRecord {
    SigningKeyRecord {
        sequence: i64::try_from(number / PER_SIGNING_KEY).unwrap_or(i64::MAX),
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

/// The bits of a version 4 UUID that are free at its end.
fn id(number: u64) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes[9..].copy_from_slice(&number.to_be_bytes()[1..]);
    bytes
}

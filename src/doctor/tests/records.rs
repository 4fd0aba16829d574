//! Checks of what a database has.

use super::*;
use crate::crypto::{KeyError, MasterKey, generate_signing_key};
use crate::domain::{
    ApiKey, ApiKeyId, ApiKeySecret, ApiScopes, Client, ClientId, ClientPolicy, KeyRotation,
    ScopeSet, ShortText, SigningAlgorithm, SubjectId, Verification,
};
use crate::http::auth_server::AuthServerBuilder;
use crate::store::TableSize;

const ROTATION: KeyRotation = AuthServerBuilder::DEFAULT_SIGNING_KEY_ROTATION;

/// Fails if a newer or missing schema passes for a pending migration.
#[test]
fn only_an_older_schema_is_pending() {
    for (schema, level) in [
        (15, Level::Ok),
        (14, Level::Warning),
        (1, Level::Warning),
        (0, Level::Failure),
        (16, Level::Failure),
    ] {
        assert_eq!(migrations(schema, 15, 15).level, level, "{schema}");
    }
}

/// Fails if servers that may go on have to stop, or others stay beside the migrated database.
#[test]
fn a_pending_migration_names_the_servers_that_have_to_stop() {
    for (schema, oldest_beside, stop) in [
        (13, 14, ", stop all older servers, and"),
        (
            14,
            14,
            ", stop the servers that do not know schema 14 (the others may go on), and",
        ),
        (14, 13, ", stop the servers that do not know schema 13 "),
    ] {
        let text = migrations(schema, 15, oldest_beside).text;
        assert!(text.contains(stop), "{text}");
    }
}

/// Fails if the master key of another database passes, or a key that is not published has to open.
#[test]
fn the_master_key_opens_the_published_signing_keys() {
    let entropy = crate::testing::SeededEntropy::new(1);
    let [ours, other] = [(); 2].map(|()| MasterKey::generate(&entropy));
    let key = |sequence, sealed_with: &MasterKey, age| {
        let at = NOW.minus(age);
        generate_signing_key(SigningAlgorithm::Es256, sequence, at, &entropy, sealed_with)
    };
    let keys = |of: [Result<_, KeyError>; 2]| of.map(Result::unwrap);
    let check = |keys: &[_]| master_key(keys, ROTATION, &ours, NOW).level;
    assert_eq!(check(&[]), Level::Ok);
    let [first, second] = keys([key(1, &ours, 2 * DAY), key(2, &ours, DAY / 2)]);
    assert_eq!(check(&[first.clone(), second.clone()]), Level::Ok);
    let [first_of_other, second_of_other] =
        keys([key(1, &other, 2 * DAY), key(2, &other, DAY / 2)]);
    assert_eq!(
        check(&[first_of_other.clone(), second_of_other.clone()]),
        Level::Failure
    );
    let one = master_key(&[first, second_of_other.clone()], ROTATION, &ours, NOW);
    assert_eq!(one.level, Level::Failure);
    assert!(
        one.text.contains(second_of_other.id.as_str()),
        "{}",
        one.text
    );
    let mut revoked = first_of_other;
    revoked.revoked_at = Some(NOW);
    assert_eq!(check(&[revoked, second]), Level::Ok);
}

/// Fails if a school whose servers make no keys is not warned, or a revoked key counts.
#[test]
fn a_signing_key_that_is_due_for_a_day_is_reported() {
    let entropy = crate::testing::SeededEntropy::new(1);
    let master_key = MasterKey::generate(&entropy);
    let key = |sequence, age| {
        let at = NOW.minus(age);
        generate_signing_key(SigningAlgorithm::Es256, sequence, at, &entropy, &master_key).unwrap()
    };
    let level = |keys: &[_]| signing_keys(keys, ROTATION, NOW).level;
    assert_eq!(level(&[]), Level::Ok);
    let old = key(1, 91 * DAY);
    assert_eq!(level(std::slice::from_ref(&old)), Level::Warning);
    assert_eq!(level(&[key(1, 90 * DAY)]), Level::Ok);
    let mut revoked = key(2, DAY);
    assert_eq!(level(&[old.clone(), revoked.clone()]), Level::Ok);
    revoked.revoked_at = Some(NOW);
    assert_eq!(level(&[old, revoked]), Level::Warning);
}

/// Fails if a key that a program uses expires unannounced, or unused keys are noise.
#[test]
fn api_keys_in_use_are_named_a_week_before_they_expire() {
    let key = |expires_in: Duration, used: Option<Duration>| ApiKey {
        expires_at: NOW.plus(expires_in),
        last_used_at: used.map(|ago| NOW.minus(ago)),
        ..ApiKey::new(
            ApiKeyId::from_random([1; 16]),
            &ApiKeySecret::from_random([1; 16]),
            ShortText::from_static("Club screen"),
            ApiScopes::built_in(),
            NOW,
        )
    };
    let expired = ApiKey {
        expires_at: NOW,
        ..key(DAY, Some(DAY))
    };
    let unnoticed = [
        key(8 * DAY, Some(DAY)),
        key(DAY, None),
        key(DAY, Some(40 * DAY)),
        expired,
    ];
    let finding = api_keys(&unnoticed, NOW);
    assert_eq!(
        (finding.level, &*finding.text),
        (Level::Ok, "3 valid, none in use expires within 7 days")
    );
    let many = vec![key(7 * DAY, Some(DAY)); 7];
    let finding = api_keys(&many, NOW);
    assert_eq!(finding.level, Level::Advice);
    assert!(
        finding.text.contains("7 API keys (") && finding.text.contains(", …)"),
        "{}",
        finding.text
    );
}

/// Fails if urgent advice is no warning.
#[test]
fn advice_on_a_client_is_one_finding_as_severe_as_the_first() {
    let client = |plain_pkce_allowed, pkce_required| Client {
        id: ClientId::from_random([1; 16]),
        name: ShortText::from_static("Old Kiosk"),
        owner: SubjectId::service(),
        policy: ClientPolicy::Public,
        secrets: Vec::new(),
        redirect_uris: vec!["https://kiosk.example/callback".parse().unwrap()],
        allowed_scopes: ScopeSet::default(),
        plain_pkce_allowed,
        pkce_required,
        first_party: false,
        client_credentials_allowed: false,
        iss_omitted: true,
        policy_uri: None,
        verification: Verification::Assumed,
        created_at: NOW,
        suspended_at: None,
    };
    let found = clients(&[client(true, true), client(false, true)], NOW);
    assert_eq!(levels(&found), [Level::Warning, Level::Advice]);
    let text = &found[0].text;
    assert!(text.contains(": plain_pkce, iss_omitted. Let"), "{text}");
    let sound = Client {
        iss_omitted: false,
        ..client(false, true)
    };
    assert_eq!(levels(&clients(&[sound], NOW)), [Level::Ok]);
}

/// Fails if accounts that cannot sign in are not worth a warning.
#[test]
fn what_a_restoration_suspended_is_counted() {
    assert_eq!(suspensions(0, 0, 0).level, Level::Ok);
    assert_eq!(suspensions(0, 0, 1).level, Level::Advice);
    for (accounts, keys) in [(1, 0), (0, 1)] {
        assert_eq!(suspensions(accounts, keys, 0).level, Level::Warning);
    }
    let text = suspensions(2, 1, 0).text;
    assert!(
        text.starts_with("2 accounts, 1 API key and 0 clients are suspended"),
        "{text}"
    );
}

/// Fails if a table without sweeps grows unnoticed.
#[test]
fn rows_that_no_sweep_deleted_and_large_tables_are_reported() {
    let table = |name: &str, bytes, expired_rows| TableSize {
        name: name.to_owned(),
        bytes,
        expired_rows,
    };
    let small = [
        table("grants", 4096, 10_000),
        table("sessions", 1_700_000, 0),
    ];
    let found = tables(&small);
    assert_eq!(levels(&found), [Level::Ok]);
    assert_eq!(
        found[0].text,
        "1.6 MiB in all, the largest sessions with 1.6 MiB"
    );
    let found = tables(&[
        table("grants", 4096, 10_001),
        table("audit_records", 1 << 30, 0),
    ]);
    assert_eq!(levels(&found), [Level::Warning, Level::Advice]);
    assert!(
        found[0].text.starts_with("grants has 10001 rows"),
        "{found:?}"
    );
    assert!(
        found[1].text.starts_with("audit_records takes 1 GiB"),
        "{found:?}"
    );
}

use std::fs;
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::time::Duration;

use super::files::Completeness;
use super::*;
use crate::crypto::{KeyError, MasterKey, generate_signing_key};
use crate::domain::{
    ApiKey, ApiKeyId, ApiKeySecret, ApiScopes, Client, ClientId, ClientPolicy, KeyRotation,
    ScopeSet, ShortText, SigningAlgorithm, SubjectId, Timestamp, Verification,
};
use crate::http::TrustedProxies;
use crate::http::auth_server::AuthServerBuilder;
use crate::store::TableSize;

const NOW: Timestamp = Timestamp::from_seconds(1_790_000_000);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const ROTATION: KeyRotation = AuthServerBuilder::DEFAULT_SIGNING_KEY_ROTATION;

fn levels(findings: &[Finding]) -> Vec<Level> {
    findings.iter().map(|finding| finding.level).collect()
}

/// Fails if the script that reads the report, or the operator, misses the worst finding.
#[test]
fn a_report_is_a_line_or_an_object_for_each_finding_and_as_severe_as_the_worst() {
    let report: Report = [
        Finding::ok(Check::Clock, "agrees"),
        Finding::failure(Check::Backups, "two\nlines"),
        Finding::warning(Check::PublicUrl, "\"quoted\""),
    ]
    .into_iter()
    .collect();
    assert_eq!(report.level(), Level::Failure);
    assert_eq!(Report::default().level(), Level::Ok);
    assert_eq!(
        report.to_string(),
        "ok       clock         agrees\nFAILED   backups       two lines\nwarning  public_url    \"quoted\"\n"
    );
    let json: serde_json::Value = serde_json::from_str(&report.to_json()).unwrap();
    assert_eq!(json["level"], "failure");
    assert_eq!(json["findings"][2]["check"], "public_url");
    assert_eq!(json["findings"][2]["level"], "warning");
    assert_eq!(json["findings"][2]["text"], "\"quoted\"");
}

/// Fails if a clock that is behind, or just beyond the tolerance, is not reported.
#[test]
fn clocks_are_compared_in_both_directions() {
    for (offset, level) in [
        (0, Level::Ok),
        (5, Level::Ok),
        (6, Level::Warning),
        (60, Level::Warning),
        (61, Level::Failure),
    ] {
        let other = NOW.plus(Duration::from_secs(offset));
        assert_eq!(clock(NOW, other, "the peer").level, level, "{offset}");
        assert_eq!(clock(other, NOW, "the peer").level, level, "{offset}");
    }
    let text = clock(NOW, NOW.plus(DAY), "the peer").text;
    assert!(text.starts_with("86400 seconds behind the peer"), "{text}");
}

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

/// Public URL, listener, whether the server has a certificate, trusted networks, and what is found.
type ProxyCase = (
    &'static str,
    &'static str,
    bool,
    &'static [&'static str],
    &'static [Level],
);

/// Fails if a proxy that is not trusted, or a client that is, goes unnoticed.
#[test]
fn the_proxy_in_front_is_trusted_and_no_client_is() {
    let cases: [ProxyCase; 12] = [
        (
            "https://school.example",
            "127.0.0.1:8080",
            false,
            &["127.0.0.1"],
            &[Level::Ok],
        ),
        (
            "https://school.example",
            "[::1]:8080",
            false,
            &["::1"],
            &[Level::Ok],
        ),
        (
            "https://school.example",
            "unix:/run/lyceum.sock",
            false,
            &["127.0.0.0/8"],
            &[Level::Ok],
        ),
        (
            "https://school.example",
            "systemd",
            false,
            &["10.0.0.0/8"],
            &[Level::Ok],
        ),
        (
            "https://school.example",
            "0.0.0.0:443",
            true,
            &[],
            &[Level::Ok],
        ),
        (
            "http://127.0.0.1:8080",
            "127.0.0.1:8080",
            false,
            &[],
            &[Level::Ok],
        ),
        (
            "https://school.example",
            "127.0.0.1:8080",
            false,
            &[],
            &[Level::Warning],
        ),
        (
            "https://school.example",
            "127.0.0.1:8080",
            false,
            &["10.0.0.1"],
            &[Level::Warning],
        ),
        (
            "https://school.example",
            "unix:/run/lyceum.sock",
            false,
            &["10.0.0.1"],
            &[Level::Warning],
        ),
        (
            "https://school.example",
            "0.0.0.0:80",
            false,
            &["10.0.0.1"],
            &[Level::Advice],
        ),
        (
            "https://school.example",
            "127.0.0.1:8080",
            false,
            &["0.0.0.0/0"],
            &[Level::Failure],
        ),
        (
            "https://school.example",
            "0.0.0.0:443",
            true,
            &["::/0", "10.0.0.0/7"],
            &[Level::Failure; 2],
        ),
    ];
    for (public_url, listen, has_certificate, networks, expected) in cases {
        let trusted = TrustedProxies::x_forwarded_for(networks).unwrap();
        let settings = ProxySettings {
            public_url,
            listen,
            has_certificate,
            trusted: &trusted,
        };
        let found = settings.check();
        assert_eq!(
            levels(&found),
            expected,
            "{public_url} {listen} {networks:?}: {found:?}"
        );
    }
}

/// Public URL, trusted network, the addresses of this machine and of the server on the connection,
/// the recorded address, and what is found.
type RecordCase = [&'static str; 5];

/// Fails if an address that the server recorded for this machine shows a wrong proxy, and passes.
#[test]
fn the_recorded_address_shows_which_proxy_is_trusted() {
    const HTTPS: &str = "https://school.example";
    const FORGED: &str = "203.0.113.7";
    let cases: [(RecordCase, Level); 14] = [
        // Without a proxy.
        (
            [HTTPS, "", "192.0.2.1", "192.0.2.9", "192.0.2.1"],
            Level::Ok,
        ),
        (
            [HTTPS, "192.0.2.9", "192.0.2.1", "192.0.2.9", FORGED],
            Level::Failure,
        ),
        // A proxy on another machine: trusted, not trusted, and without a header.
        (
            [HTTPS, "192.0.2.9", "192.0.2.1", "192.0.2.9", "192.0.2.1"],
            Level::Ok,
        ),
        (
            [HTTPS, "10.0.0.1", "192.0.2.1", "192.0.2.9", "192.0.2.9"],
            Level::Warning,
        ),
        (
            [HTTPS, "192.0.2.9", "192.0.2.1", "192.0.2.9", "192.0.2.9"],
            Level::Warning,
        ),
        // A proxy with a second address, or a router that translates the address of this machine.
        (
            [HTTPS, "10.0.0.1", "192.0.2.1", "192.0.2.9", "10.0.0.9"],
            Level::Warning,
        ),
        // A proxy on this machine, at the public address or the local one.
        (
            [HTTPS, "127.0.0.1", "192.0.2.1", "192.0.2.1", "192.0.2.1"],
            Level::Ok,
        ),
        (
            [HTTPS, "10.0.0.1", "192.0.2.1", "192.0.2.1", "127.0.0.1"],
            Level::Warning,
        ),
        (
            [HTTPS, "10.0.0.1", "192.0.2.1", "192.0.2.1", "192.0.2.1"],
            Level::Warning,
        ),
        (
            [HTTPS, "10.0.0.1", "127.0.0.1", "127.0.1.1", "127.0.0.1"],
            Level::Warning,
        ),
        // This machine is trusted itself.
        (
            [HTTPS, "127.0.0.1", "127.0.0.1", "127.0.0.1", FORGED],
            Level::Advice,
        ),
        (
            [HTTPS, "10.1.0.0/29", "10.1.0.3", "192.0.2.9", "10.1.0.1"],
            Level::Advice,
        ),
        (
            [HTTPS, "10.1.0.0/29", "10.1.0.3", "192.0.2.9", "192.0.2.9"],
            Level::Warning,
        ),
        (
            [
                "http://127.0.0.1",
                "",
                "127.0.0.1",
                "127.0.0.1",
                "127.0.0.1",
            ],
            Level::Ok,
        ),
    ];
    for (case, level) in cases {
        let [public_url, network, local, peer, recorded] = case;
        let networks = Some(network).filter(|network| !network.is_empty());
        let trusted = TrustedProxies::x_forwarded_for(networks.as_slice()).unwrap();
        let settings = ProxySettings {
            public_url,
            listen: "systemd",
            has_certificate: network.is_empty(),
            trusted: &trusted,
        };
        let address = |text: &str| text.parse::<IpAddr>().unwrap();
        let answer = Answer {
            local_address: address(local),
            peer_address: address(peer),
            ..answer(400, "")
        };
        let found = settings.recorded_address(address(recorded), address(FORGED), &answer);
        assert_eq!(found.level, level, "{case:?}: {found}");
    }
}

fn answer(status: u16, body: &str) -> Answer {
    Answer {
        status,
        date: None,
        request_id: None,
        certificate_end: None,
        local_address: Ipv4Addr::LOCALHOST.into(),
        peer_address: Ipv4Addr::LOCALHOST.into(),
        body: body.into(),
    }
}

/// Fails if another service at the public URL passes, or a bad certificate is reported twice.
#[test]
fn the_public_url_must_lead_to_this_service() {
    const ISSUER: &str = "https://school.example/auth";
    let level = |answer: Result<Answer, ProbeError>| {
        issuer("https://school.example", &answer, ISSUER).map(|finding| finding.level)
    };
    let metadata = format!("{{\"issuer\":\"{ISSUER}\"}}");
    assert_eq!(level(Ok(answer(200, &metadata))), Some(Level::Ok));
    for (status, body) in [
        (404, &*metadata),
        (200, "{\"issuer\":\"https://other.example\"}"),
        (200, "<html>"),
        (200, "{}"),
    ] {
        assert_eq!(
            level(Ok(answer(status, body))),
            Some(Level::Failure),
            "{body}"
        );
    }
    assert_eq!(level(Err(ProbeError::Timeout)), Some(Level::Warning));
    let untrusted = Err(ProbeError::Certificate("UnknownIssuer".to_owned()));
    assert_eq!(issuer("https://school.example", &untrusted, ISSUER), None);
    let certificate = |answer: &Result<Answer, ProbeError>| {
        served_certificate("https://school.example", answer, NOW).map(|finding| finding.level)
    };
    assert_eq!(certificate(&untrusted), Some(Level::Failure));
    assert_eq!(certificate(&Err(ProbeError::Timeout)), None);
    assert_eq!(certificate(&Ok(answer(200, ""))), None);
    for (days, level) in [(20, Level::Warning), (21, Level::Ok)] {
        let ending = Answer {
            certificate_end: Some(NOW.plus(days * DAY)),
            ..answer(200, "")
        };
        assert_eq!(certificate(&Ok(ending)), Some(level), "{days} days");
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

fn write(path: &Path, mode: u32) {
    fs::write(path, "secret").unwrap();
    let permissions = std::os::unix::fs::PermissionsExt::from_mode(mode);
    fs::set_permissions(path, permissions).unwrap();
}

/// Fails if other users may read a secret, or the group of a service may not.
#[test]
fn a_file_with_secrets_is_closed_to_other_users() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("key");
    let level =
        || files::private_file(Check::MasterKey, "the master key", &file).map(|found| found.level);
    assert_eq!(level(), Some(Level::Failure), "it is missing");
    for (mode, found) in [
        (0o600, None),
        (0o640, None),
        (0o644, Some(Level::Failure)),
        (0o602, Some(Level::Failure)),
    ] {
        write(&file, mode);
        assert_eq!(level(), found, "{mode:o}");
    }
}

/// Fails if the secret of a container is a mistake, or any other file passes for one.
#[test]
fn a_provided_secret_may_have_any_mode() {
    let folder = tempfile::tempdir().unwrap();
    let provided = folder.path().join("secrets");
    fs::create_dir(&provided).unwrap();
    let (inside, outside) = (provided.join("url"), folder.path().join("url"));
    let check = |file: &Path| {
        let directories = [Path::new("/missing"), &provided];
        let found = files::private_file_outside(directories, Check::Settings, "the file", file);
        found.map(|found| found.level)
    };
    for (mode, found) in [(0o444, Some(Level::Failure)), (0o640, None)] {
        write(&inside, mode);
        write(&outside, mode);
        assert_eq!(check(&inside), None, "{mode:o}");
        assert_eq!(check(&outside), found, "{mode:o}");
        assert_eq!(check(&provided.join("../url")), found, "{mode:o}");
    }
    assert_eq!(check(&provided.join("missing")), Some(Level::Failure));
}

/// Fails if a key that is copied together with the data goes unnoticed, also below or by a link.
#[test]
fn the_master_key_is_apart_from_database_and_backups() {
    let folder = tempfile::tempdir().unwrap();
    let [keys, data, backups] = ["keys", "data", "backups"].map(|name| folder.path().join(name));
    for folder in [&keys, &data, &backups, &backups.join("below")] {
        fs::create_dir(folder).unwrap();
    }
    std::os::unix::fs::symlink(&backups, folder.path().join("link")).unwrap();
    let level = |key: &Path| {
        let database = data.join("lyceum.db");
        let found = files::key_location(&key.join("lyceum.key"), Some(&database), Some(&backups));
        found.map(|found| found.level)
    };
    assert_eq!(level(&keys), None);
    assert_eq!(level(&data), Some(Level::Advice));
    for key in [
        backups.clone(),
        backups.join("below"),
        folder.path().join("link"),
    ] {
        assert_eq!(level(&key), Some(Level::Failure), "{key:?}");
    }
}

/// Fails if a backup that is missing, old, damaged or open passes.
#[test]
fn the_newest_backup_is_young_complete_and_closed() {
    let folder = tempfile::tempdir().unwrap();
    let check = |at: Timestamp, found: Completeness| {
        let found = files::backups(folder.path(), DAY, at, |_| found.clone());
        levels(&found)
    };
    let complete = Completeness::Complete;
    assert_eq!(
        check(NOW, complete.clone()),
        [Level::Warning],
        "there is none"
    );
    let missing = files::backups(&folder.path().join("none"), DAY, NOW, |_| complete.clone());
    assert_eq!(levels(&missing), [Level::Failure]);
    let backup = folder.path().join("lyceum.db");
    write(&backup, 0o600);
    let written = backup.metadata().unwrap().modified().unwrap();
    let written = written
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap()
        .as_secs();
    let written = Timestamp::from_seconds(written.try_into().unwrap());
    assert_eq!(check(written.plus(DAY), complete.clone()), [Level::Ok]);
    assert_eq!(
        check(written.plus(DAY + Duration::from_secs(1)), complete.clone()),
        [Level::Warning]
    );
    let damaged = Completeness::Damaged("its end is missing".to_owned());
    assert_eq!(check(written, damaged), [Level::Failure]);
    let unknown = Completeness::Unknown("nothing reads it".to_owned());
    assert_eq!(check(written, unknown), [Level::Advice]);
    write(&backup, 0o644);
    assert_eq!(check(written, complete.clone()), [Level::Failure]);
    write(&backup, 0o600);
    write(&folder.path().join("lyceum.db.1-0.partial"), 0o600);
    assert_eq!(check(written, complete), [Level::Advice]);
}

/// Fails if a backup that is deleted while others are looked at counts as damaged or as open.
#[test]
fn a_backup_that_is_deleted_meanwhile_does_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["oldest", "kept", "newest"];
    for (name, age) in names.into_iter().zip([2, 1, 0]) {
        let file = folder.path().join(name);
        write(&file, 0o600);
        let written = std::time::UNIX_EPOCH + Duration::from_secs(NOW.seconds().cast_unsigned());
        let opened = fs::OpenOptions::new().write(true).open(&file).unwrap();
        opened.set_modified(written - age * DAY / 2).unwrap();
    }
    let mut inspected = Vec::new();
    let found = files::backups(folder.path(), DAY, NOW, |file| {
        inspected.push(file.file_name().unwrap().to_owned());
        // The job that writes backups deletes others.
        for name in ["oldest", "newest"] {
            let _ = fs::remove_file(folder.path().join(name));
        }
        match file.exists() {
            true => Completeness::Complete,
            false => Completeness::Damaged("it cannot be read".to_owned()),
        }
    });
    assert_eq!(inspected, ["newest", "kept"]);
    assert_eq!(levels(&found), [Level::Ok], "{found:?}");
    assert_eq!(found[0].text, "1 file, the newest complete");
}

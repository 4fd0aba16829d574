use std::error::Error;
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use lyceum::crypto::MasterKey;
use lyceum::doctor::{
    self, Answer, Check, Finding, Level, Probe, ProbeError, ProxySettings, Report, files,
};
use lyceum::domain::{KeyRotation, ShortText, Timestamp};
use lyceum::http::audit::StoredAuditLog;
use lyceum::http::auth_server::AuthServerBuilder;
use lyceum::http::{Certificates, Clock, SystemClock};
use lyceum::store::sql::{OpenError, SqlStore};
use lyceum::store::{
    AccountStore, ApiKeyStore, AuditStore, ClientFilter, ClientRegistry, SigningKeyStore,
    StoreClock,
};
use serde_json::Value;

use super::{OpenMode, all_pages};
use crate::BoxError;
use crate::backend::{Backend, path};
use crate::services::NeisSettings;
use crate::settings::{
    AddressOptions, BACKUP_DIRECTORY, BACKUP_MAX_AGE, BackupOptions, CLOCK_PEER, LISTEN,
    OptionValues, PUBLIC_URL, ServeOptions, ServeSettings, Settings, StoreOptions,
};

/// Rotation of the signing keys by `serve`.
const ROTATION: KeyRotation = AuthServerBuilder::DEFAULT_SIGNING_KEY_ROTATION;

/// Time for which expired rows may stay: inserts delete them, and in quiet times there are none.
const EXPIRED_ROWS: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// A forged address of a client, of a network for documentation (RFC 5737).
const FORGED: IpAddr = IpAddr::V4(Ipv4Addr::new(203, 0, 113, 7));

/// How often, and after which time, the record of a refused request is looked for.
const LOOKS: (u32, Duration) = (20, Duration::from_millis(100));

#[derive(Debug, Args)]
pub struct Options<O: Args> {
    /// Compare the clock with the server at this URL instead of the public one
    #[arg(long, value_name = "URL")]
    clock_peer: Option<String>,
    /// Hours after which the newest backup is too old [26]
    #[arg(long, value_name = "HOURS")]
    backup_max_age: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    store: StoreOptions<O>,
    #[command(flatten)]
    addresses: AddressOptions,
    #[command(flatten)]
    serve: ServeOptions,
    #[command(flatten)]
    backups: BackupOptions,
}

/// Runs all checks and prints a line for each finding. The status is 1 with a warning and 2 with a
/// failure.
pub async fn run<B: Backend>(options: Options<B::Options>) -> Result<ExitCode, BoxError> {
    let given = options.addresses.values().into_iter();
    let given = given
        .chain(options.serve.values())
        .chain(options.backups.values())
        .chain([
            ("clock-peer", options.clock_peer),
            ("backup-max-age", options.backup_max_age),
        ]);
    let mut findings = match super::settings::<B>(options.store, given.collect()) {
        Ok(settings) => examine::<B>(&settings).await,
        Err(error) => vec![Finding::failure(Check::Settings, error.to_string())],
    };
    findings.sort_by_key(|finding| finding.check);
    let report: Report = findings.into_iter().collect();
    let text = if options.json {
        report.to_json() + "\n"
    } else {
        report.to_string()
    };
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(match report.level() {
        Level::Ok | Level::Advice => ExitCode::SUCCESS,
        Level::Warning => ExitCode::from(1),
        Level::Failure => ExitCode::from(2),
    })
}

/// Runs the checks that the settings allow.
async fn examine<B: Backend>(settings: &Settings) -> Vec<Finding> {
    let at = SystemClock.now();
    let mut findings = Vec::new();
    let serve = ServeSettings::from_settings(settings);
    findings.push(of_settings::<B>(settings, &serve));
    let master_key = of_master_key::<B>(settings, &mut findings);
    let store = of_database::<B>(settings, &mut findings).await;
    if let Some(store) = &store
        && let Err(error) = of_records(store, master_key, at, &mut findings).await
    {
        findings.push(Finding::failure(Check::Database, error.to_string()));
    }
    if let Ok(serve) = &serve {
        let missing_key = serve
            .services
            .neis
            .as_ref()
            .and_then(NeisSettings::missing_key);
        findings.extend(missing_key.map(|text| Finding::warning(Check::Settings, text)));
        let proxies = ProxySettings {
            public_url: settings.text(&PUBLIC_URL).unwrap_or_default(),
            listen: settings.text(&LISTEN).unwrap_or_default(),
            has_certificate: serve.tls.is_some(),
            trusted: &serve.services.proxies,
        };
        let found = proxies.check();
        // Where the settings already show a mistake, no request is sent to find it again.
        let store = store.filter(|_| found.iter().all(|found| found.level <= Level::Advice));
        findings.extend(found);
        findings.extend(of_certificate_files(serve, at));
        let peer = settings.text(&CLOCK_PEER).filter(|url| !url.is_empty());
        of_network(serve, &proxies, peer, store.as_ref(), &mut findings).await;
    }
    findings.extend(of_backups::<B>(settings, at));
    findings
}

fn of_settings<B: Backend>(
    settings: &Settings,
    serve: &Result<ServeSettings, BoxError>,
) -> Finding {
    if let Err(error) = serve {
        return Finding::failure(Check::Settings, error.to_string());
    }
    let file = settings.file_with_secret();
    file.and_then(|file| files::private_file(Check::Settings, "the file of the settings", file))
        .or_else(|| {
            // That it is missing is reported by what reads it.
            let (name, file) = B::secret_file(settings).filter(|(_, file)| file.exists())?;
            private_secret(Check::Settings, name, &file)
        })
        .unwrap_or_else(|| Finding::ok(Check::Settings, "`serve` takes them"))
}

/// Checks the mode of a file with nothing but a secret, which a container engine or systemd may
/// provide.
#[expect(
    clippy::disallowed_methods,
    reason = "this is a program, and no library"
)]
fn private_secret(check: Check, what: &str, file: &Path) -> Option<Finding> {
    let credentials = std::env::var_os("CREDENTIALS_DIRECTORY").map(PathBuf::from);
    let provided = files::PROVIDED_SECRETS.map(Path::new).into_iter();
    let provided = provided.chain(credentials.as_deref());
    files::private_file_outside(provided, check, what, file)
}

/// Checks the file of the master key and reads it.
fn of_master_key<B: Backend>(
    settings: &Settings,
    findings: &mut Vec<Finding>,
) -> Option<MasterKey> {
    let read =
        super::key_files(settings).and_then(|files| Ok((files, super::master_key(settings)?)));
    match read {
        Ok((files, master_key)) => {
            let database = B::database_file(settings).ok().flatten();
            let backups = backup_directory(settings).and_then(Result::ok);
            for file in [Some(files.current), files.next, files.former] {
                let Some(file) = file else { continue };
                let open = private_secret(Check::MasterKey, "the master key", &file);
                findings.extend(open);
                let location = files::key_location(&file, database.as_deref(), backups.as_deref());
                findings.extend(location);
            }
            Some(master_key)
        }
        Err(error) => {
            findings.push(Finding::failure(Check::MasterKey, error.to_string()));
            None
        }
    }
}

/// Opens the database without changing it.
async fn of_database<B: Backend>(
    settings: &Settings,
    findings: &mut Vec<Finding>,
) -> Option<SqlStore> {
    let store = match B::open(settings, OpenMode::Inspect).await {
        Ok(store) => store,
        Err(error) => {
            findings.push(unopened::<B>(&*error));
            return None;
        }
    };
    let file = B::database_file(settings).ok().flatten();
    let open = file.and_then(|file| files::private_file(Check::Database, "the database", &file));
    findings.push(open.unwrap_or_else(|| Finding::ok(Check::Database, "it can be read")));
    findings.push(Finding::ok(Check::Migrations, "none is pending"));
    Some(store)
}

fn unopened<B: Backend>(error: &(dyn Error + 'static)) -> Finding {
    match error.downcast_ref() {
        Some(
            OpenError::NotMigrated {
                schema, supported, ..
            }
            | OpenError::Newer {
                schema, supported, ..
            },
        ) => doctor::migrations(*schema, *supported, SqlStore::OLDEST_SCHEMA_BESIDE),
        Some(OpenError::Restored { .. }) => {
            Finding::failure(Check::Database, format!("{error}: {}", B::RESTORE_FIRST))
        }
        _ => Finding::failure(Check::Database, error.to_string()),
    }
}

/// Checks what the database has.
async fn of_records(
    store: &SqlStore,
    master_key: Option<MasterKey>,
    at: Timestamp,
    findings: &mut Vec<Finding>,
) -> Result<(), BoxError> {
    let there = StoreClock::now(store).await?;
    findings.push(match there {
        Some(there) => doctor::clock(SystemClock.now(), there, "the database"),
        None => Finding::ok(Check::Clock, "the database uses the clock of this machine"),
    });
    let keys = store.signing_keys().await?;
    if let Some(master_key) = master_key {
        findings.push(doctor::master_key(&keys, ROTATION, &master_key, at));
    }
    findings.push(doctor::signing_keys(&keys, ROTATION, at));
    let api_keys = all_pages(async |page| store.api_keys(None, page).await).await?;
    findings.push(doctor::api_keys(&api_keys, at));
    let clients = all_pages(async |page| store.clients(ClientFilter::All, page).await).await?;
    findings.extend(doctor::clients(&clients, at));
    let accounts = all_pages(async |page| store.accounts(None, page).await).await?;
    let accounts = accounts
        .iter()
        .map(|account| &account.password_hash)
        .filter(|hash| hash.is_suspended() && hash.left_at().is_none());
    let suspended_clients = clients.iter().filter(|client| client.is_suspended());
    findings.push(doctor::suspensions(
        accounts.count(),
        store.suspended_api_keys().await?.len(),
        suspended_clients.count(),
    ));
    let sizes = store.table_sizes(at.minus(EXPIRED_ROWS), StoredAuditLog::DEFAULT_RETENTION);
    findings.extend(doctor::tables(&sizes.await?));
    Ok(())
}

fn of_certificate_files(serve: &ServeSettings, at: Timestamp) -> Vec<Finding> {
    let Some((chain, key)) = &serve.tls else {
        return Vec::new();
    };
    let loaded = Certificates::from_files(chain, key);
    // A proxy may connect by another name.
    let host = (!serve.is_behind_proxies).then(|| serve.addresses.host());
    doctor::certificates(&loaded, host, at)
}

/// Asks the server at the public URL, and the peer.
async fn of_network(
    serve: &ServeSettings,
    proxies: &ProxySettings<'_>,
    peer: Option<&str>,
    store: Option<&SqlStore>,
    findings: &mut Vec<Finding>,
) {
    let probe = Probe::from_system();
    let addresses = &serve.addresses;
    let url = addresses.metadata();
    let answer = probe.get(&url, &[]).await;
    let issuer = doctor::issuer(&url, &answer, &addresses.auth());
    let is_this_service = issuer
        .as_ref()
        .is_some_and(|found| found.level == Level::Ok);
    findings.extend(issuer);
    findings.extend(doctor::served_certificate(&url, &answer, SystemClock.now()));
    match (peer, &answer) {
        (Some(peer), _) => findings.push(of_peer(peer, &probe.get(peer, &[]).await)),
        (None, Ok(found)) if found.is_of_this_machine() => findings.push(Finding::advice(
            Check::Clock,
            "this machine answers at the public URL, so its clock was compared with itself: set clock-peer to the URL of another server",
        )),
        (None, Ok(_)) => findings.push(of_peer(&url, &answer)),
        // That it is not reached was reported.
        (None, Err(_)) => {}
    }
    if let Some(store) = store.filter(|_| is_this_service) {
        let url = format!("{}/v1/oauth/token", addresses.auth());
        let found = of_forged_header(&probe, &url, proxies, store).await;
        findings.push(found.unwrap_or_else(|| {
            Finding::warning(
                Check::Proxies,
                format!(
                    "which address of a client the server believes could not be checked: it recorded no refused request to {url} in this database; look at its log, and at the URL of its database"
                ),
            )
        }));
    }
}

fn of_peer(url: &str, answer: &Result<Answer, ProbeError>) -> Finding {
    match answer {
        Ok(Answer {
            date: Some(date), ..
        }) => doctor::clock(SystemClock.now(), *date, url),
        Ok(_) => Finding::warning(
            Check::Clock,
            format!("{url} sends no Date: name another peer"),
        ),
        Err(error) => Finding::warning(Check::Clock, format!("{url}: {error}")),
    }
}

/// Sends a request that is refused, with a forged forwarding header, and looks up the address that
/// the server recorded. `None` if it recorded none in this database.
async fn of_forged_header(
    probe: &Probe,
    url: &str,
    proxies: &ProxySettings<'_>,
    store: &SqlStore,
) -> Option<Finding> {
    let forged = FORGED.to_string();
    let answer = probe.get(url, &[("x-forwarded-for", &forged)]).await.ok()?;
    let request: ShortText = answer.request_id.as_ref()?.parse().ok()?;
    let (times, interval) = LOOKS;
    for _ in 0..times {
        if let Some(entry) = store.audit_records_of(&request).await.ok()?.first() {
            let event: Value = serde_json::from_str(entry.record.json.as_str()).ok()?;
            let recorded = event["address"].as_str()?.parse().ok()?;
            return Some(proxies.recorded_address(recorded, FORGED, &answer));
        }
        // The server records events in the background.
        tokio::time::sleep(interval).await;
    }
    None
}

fn of_backups<B: Backend>(settings: &Settings, at: Timestamp) -> Vec<Finding> {
    let max_age = settings.parse(&BACKUP_MAX_AGE, |text| {
        let hours: Option<u64> = text.parse().ok();
        hours
            .filter(|hours| (1..=8784).contains(hours))
            .map(|hours| Duration::from_secs(hours * 60 * 60))
    });
    match (backup_directory(settings).transpose(), max_age) {
        (Ok(Some(directory)), Ok(max_age)) => {
            files::backups(&directory, max_age, at, B::inspect_backup)
        }
        (Ok(None), Ok(_)) => vec![Finding::advice(
            Check::Backups,
            "backup-directory is not set: set it, or watch the age of your backups by other means",
        )],
        (Err(error), _) | (_, Err(error)) => {
            vec![Finding::failure(Check::Settings, error.to_string())]
        }
    }
}

/// The directory of the backups, if it is set.
fn backup_directory(settings: &Settings) -> Option<Result<PathBuf, BoxError>> {
    settings.text(&BACKUP_DIRECTORY)?;
    Some(settings.parse(&BACKUP_DIRECTORY, path))
}

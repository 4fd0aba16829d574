//! Checks of what a database has.

use std::borrow::Borrow;
use std::fmt::Display;
use std::time::Duration;

use super::{Check, Finding, counted, size};
use crate::crypto::{MasterKey, open_signing_key};
use crate::domain::{ApiKey, Client, KeyRotation, Severity, SigningKeyRecord, Timestamp};
use crate::store::TableSize;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Time before its expiry at which a key that is in use should be renewed.
const SOON: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Time after which a signing key that is due has become a problem.
const OVERDUE: Duration = DAY;

/// Number of rows that sweeps may have left. Inserts delete more rows than they add, so that only
/// the rows of quiet times are left.
const MAX_EXPIRED_ROWS: u64 = 10_000;

/// Size of a table that is worth a look.
const LARGE_TABLE: u64 = 1 << 30;

/// Number of names in a text.
const MAX_NAMED: usize = 5;

/// Compares the schema of a database with the newest one of this build. `oldest_beside` is the
/// oldest schema whose builds may run on that one.
pub fn migrations(schema: i64, supported: i64, oldest_beside: i64) -> Finding {
    match supported - schema {
        0 => Finding::ok(
            Check::Migrations,
            format!("none is pending, the schema is {schema}"),
        ),
        _ if schema == 0 => Finding::failure(
            Check::Migrations,
            "the database has no tables of lyceum yet: run `init`",
        ),
        ..0 => Finding::failure(
            Check::Migrations,
            format!(
                "the schema is {schema}, and this program knows {supported}: run the newer program that migrated the database, or restore a backup"
            ),
        ),
        pending => {
            let pending = match pending {
                1 => "1 migration is".to_owned(),
                _ => format!("{pending} migrations are"),
            };
            let older = if schema < oldest_beside {
                "all older servers".to_owned()
            } else {
                format!(
                    "the servers that do not know schema {oldest_beside} (the others may go on)"
                )
            };
            Finding::warning(
                Check::Migrations,
                format!(
                    "{pending} pending, from schema {schema} to {supported}: write a backup, stop {older}, and start one server that migrates"
                ),
            )
        }
    }
}

/// Checks that the master key opens the signing keys that are published at a time.
pub fn master_key(
    keys: &[SigningKeyRecord],
    rotation: KeyRotation,
    master_key: &MasterKey,
    at: Timestamp,
) -> Finding {
    let states = rotation.states(keys, at);
    let published = keys
        .iter()
        .zip(states)
        .filter(|(_, state)| state.is_published());
    let (mut opened, mut unopened) = (0, Vec::new());
    for (key, _) in published {
        match open_signing_key(key, master_key) {
            Ok(_) => opened += 1,
            Err(_) => unopened.push(key.id.as_str()),
        }
    }
    match (opened, &unopened[..]) {
        (0, []) => Finding::ok(
            Check::MasterKey,
            "no signing key is published that it could open",
        ),
        (_, []) => Finding::ok(
            Check::MasterKey,
            format!("it opens {}", counted(opened, "published signing key")),
        ),
        (0, _) => Finding::failure(
            Check::MasterKey,
            "it opens no published signing key, so it is the key of another database: set key-file to the key that `init` made with this one",
        ),
        (_, unopened) => Finding::failure(
            Check::MasterKey,
            format!(
                "it does not open the {}: the row is damaged, or a server has another master key; revoke a damaged key",
                named(unopened.len(), "signing key", unopened.iter())
            ),
        ),
    }
}

/// Checks that servers make new signing keys in time.
pub fn signing_keys(keys: &[SigningKeyRecord], rotation: KeyRotation, at: Timestamp) -> Finding {
    let Some(newest) = keys.iter().rfind(|key| key.revoked_at.is_none()) else {
        return Finding::ok(
            Check::SigningKeys,
            "there is none: a server makes one when it starts",
        );
    };
    let due = newest.created_at.plus(rotation.rotate_every);
    let overdue = at.since(due);
    if overdue >= OVERDUE {
        return Finding::warning(
            Check::SigningKeys,
            format!(
                "a new one is due since {} days: a server makes it while it answers requests, unless its clock differs from the database's or the database refuses writes; see its log",
                overdue.as_secs() / DAY.as_secs()
            ),
        );
    }
    Finding::ok(
        Check::SigningKeys,
        format!(
            "the newest was made at {}, and the next is due at {due}",
            newest.created_at
        ),
    )
}

/// Finds API keys that were used lately and expire soon.
pub fn api_keys(keys: &[impl Borrow<ApiKey>], at: Timestamp) -> Finding {
    let in_use = |key: &&ApiKey| {
        key.last_used_at
            .is_some_and(|used| at.since(used) <= ApiKey::VALIDITY)
    };
    let live = keys
        .iter()
        .map(Borrow::borrow)
        .filter(|key: &&ApiKey| at < key.expires_at);
    let expiring: Vec<&ApiKey> = live
        .clone()
        .filter(in_use)
        .filter(|key| key.expires_at.since(at) <= SOON)
        .collect();
    if expiring.is_empty() {
        return Finding::ok(
            Check::ApiKeys,
            format!("{} valid, none in use expires within 7 days", live.count()),
        );
    }
    Finding::advice(
        Check::ApiKeys,
        format!(
            "in use, and expiring within 7 days: {}; their owners renew them",
            named(expiring.len(), "API key", expiring.iter().map(|key| key.id))
        ),
    )
}

/// Returns a finding for each client that [advice](Client::advise) applies to.
pub fn clients(clients: &[impl Borrow<Client>], at: Timestamp) -> Vec<Finding> {
    let mut findings = Vec::new();
    for client in clients {
        let client: &Client = client.borrow();
        let advice = client.advise(at);
        let Some(first) = advice.first() else {
            continue;
        };
        let names: Vec<&str> = advice.iter().map(|advice| advice.as_str()).collect();
        let text = format!(
            "{} ({}): {}. {}",
            client.name,
            client.id,
            names.join(", "),
            first.remedy()
        );
        findings.push(match first.severity() {
            Severity::High => Finding::warning(Check::Clients, text),
            _ => Finding::advice(Check::Clients, text),
        });
    }
    if findings.is_empty() {
        let text = format!("{}, no advice", counted(clients.len(), "client"));
        findings.push(Finding::ok(Check::Clients, text));
    }
    findings
}

/// Reports what is suspended since a backup was restored. Clients are also suspended when their
/// owner leaves.
pub fn suspensions(accounts: usize, api_keys: usize, clients: usize) -> Finding {
    let suspended = format!(
        "{}, {} and {} are suspended",
        counted(accounts, "account"),
        counted(api_keys, "API key"),
        counted(clients, "client")
    );
    match (accounts + api_keys, clients) {
        (0, 0) => Finding::ok(Check::Suspensions, "nothing is suspended"),
        (0, _) => Finding::advice(
            Check::Suspensions,
            format!("{suspended}: give a client whose owner left to another person, or delete it"),
        ),
        _ => Finding::warning(
            Check::Suspensions,
            format!(
                "{suspended} since a backup was restored: confirm what is current (`account confirm`, `key confirm`, `client confirm`)"
            ),
        ),
    }
}

/// Checks that no table has grown beyond what its retention explains.
pub fn tables(sizes: &[TableSize]) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    for table in sizes
        .iter()
        .filter(|table| table.expired_rows > MAX_EXPIRED_ROWS)
    {
        findings.push(Finding::warning(
            Check::Tables,
            format!(
                "{} has {} rows that should have been deleted a week ago: inserts delete them, unless the clock of the servers is ahead of the database's; see their log",
                table.name, table.expired_rows
            ),
        ));
    }
    for table in sizes.iter().filter(|table| table.bytes >= LARGE_TABLE) {
        findings.push(Finding::advice(
            Check::Tables,
            format!(
                "{} takes {}: look whether the disk and the backups have room for it",
                table.name,
                size(table.bytes)
            ),
        ));
    }
    if findings.is_empty() {
        let total = sizes.iter().map(|table| table.bytes).sum();
        let largest = sizes.iter().max_by_key(|table| table.bytes);
        let largest = largest.map_or_else(String::new, |table| {
            format!(", the largest {} with {}", table.name, size(table.bytes))
        });
        findings.push(Finding::ok(
            Check::Tables,
            format!("{} in all{largest}", size(total)),
        ));
    }
    findings
}

/// `2 keys (a, b)`; of many only the first are named.
fn named(number: usize, what: &str, names: impl Iterator<Item = impl Display>) -> String {
    let mut names: Vec<String> = names.take(MAX_NAMED).map(|name| name.to_string()).collect();
    if number > names.len() {
        names.push("…".to_owned());
    }
    format!("{} ({})", counted(number, what), names.join(", "))
}

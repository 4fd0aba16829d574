//! Tests of the crate's structure. They check the imports in `src/` against the layers of
//! `docs/ARCHITECTURE.md`, which the compiler does not check inside one crate.

mod features;
mod layers;
mod source_files;
mod stages;

use layers::layer_of;
use source_files::{SourceFile, named_modules, source_files};

/// Words that the domain layer must not contain.
const FORBIDDEN_IN_DOMAIN: &[&str] = &[
    "async fn",
    "async_trait",
    "http::",
    "hyper::",
    "sea_query",
    "rusqlite",
    "tokio",
    "deadpool",
    "getrandom",
    "SystemTime",
    "Instant::now",
    "serde",
];

#[test]
fn no_layer_imports_upward_or_sideways() {
    let mut faults = Vec::new();
    for file in source_files() {
        let Some((layer, may_name)) = layer_of(&file.module) else {
            assert!(
                file.module.is_empty(),
                "{} is in none of LAYERS",
                file.path.display()
            );
            continue;
        };
        for module in named_modules(&file) {
            // A path may end in a function or constant of a layer, so only its layer is compared.
            if let Some((named, _)) = layer_of(&module)
                && !may_name.contains(named)
            {
                faults.push(format!("{} ({layer}) names {module}", file.path.display()));
            }
        }
    }
    assert!(
        faults.is_empty(),
        "imports against the layers:\n{}",
        faults.join("\n")
    );
}

#[test]
fn the_domain_uses_no_async_http_sql_clock_or_randomness() {
    for file in source_files()
        .iter()
        .filter(|file| file.module.starts_with("domain"))
    {
        for word in FORBIDDEN_IN_DOMAIN {
            assert!(
                !file.code.contains(word),
                "{} mentions {word}",
                file.path.display()
            );
        }
    }
}

#[test]
fn names_on_the_wire_live_in_wire_files_only() {
    // Custom pages of a host use the view types too.
    const PAGES: [&str; 3] = [
        "http::auth_server::views",
        "http::console::views",
        "http::pages",
    ];
    let files = source_files();
    for layer in PAGES {
        let is_there = files.iter().any(|file| file.module.starts_with(layer));
        assert!(is_there, "there is no {layer}");
    }
    for file in files {
        let is_wire = file.path.ends_with("wire.rs")
            || file.module == "crypto::jose"
            || file.module.ends_with("::claims")
            || file.module.ends_with("::wire")
            || file.module.contains("::wire::");
        let is_page = PAGES.iter().any(|layer| file.module.starts_with(layer));
        let derives = file
            .code
            .lines()
            .any(|line| line.trim().starts_with("#[derive(") && line.contains("erialize"));
        assert!(
            is_wire || is_page || !derives && !file.code.contains("#[serde("),
            "{} has wire names outside a wire file",
            file.path.display()
        );
    }
}

/// Methods that the interleavings do not call directly: they read pages or many rows where another
/// method reads one row, they read no row, or a case of their own has their races.
const NOT_SEARCHED: &[&str] = &[
    "accounts",
    "consents_of",
    // The operations reach these through a directory.
    "directory_version",
    "load_directory",
    "directory_changes",
    "write_directory",
    // The school's history is in no store of the searches. It is written in the transition of
    // `write_directory`, and tests/process/school/year.rs interrupts that at each statement.
    "write_directory_with_history",
    "year_turns",
    "turned_records",
    "school_history",
    "delete_old_history",
    "erase_history",
    "erasures",
    "now",
    "applications",
    "applications_by_id",
    "scopes",
    "clients",
    "clients_by_id",
    "api_keys",
    "api_keys_by_id",
    "api_keys_with_requests",
    // It calls `api_keys_by_id`.
    "api_key_by_id",
    // They call `usage_of_api_keys` and `usage_of_clients`.
    "api_key_usage",
    "client_usage",
    // It holds the lock of management, and a conformance case has its races.
    "update_api_key",
    // It locks the rows of the secrets, and a conformance case has its races.
    "record_client_secret_usage",
    // It calls the others.
    "hide_fields_of",
    // Calendar feeds are no part of `Storage`: the 64 callers of their cases race.
    "create_calendar_feed",
    "calendar_feeds",
    "calendar_feed",
    "revoke_calendar_feed",
    // Changes of leavers hold the lock of management, and a conformance case has their races.
    "all_accounts",
    "accounts_by_id",
    "create_accounts",
    "link_students",
    "suspend_leaver",
    "resume_leaver",
    "remove_leaver",
    // Requests for scopes hold the lock of management, and a conformance case has their races.
    "request_scope",
    "scope_requests",
    "refuse_scope_request",
    "approve_scope_request",
    "withdraw_scope_request",
    "audit_records_after",
    "audit_counts",
    "newest_audit_records",
    "records_for_code_exchange",
    "records_for_refresh",
    // A sync, which is no part of the searched storage: one statement each, raced by its cases.
    "append_sync_run",
    "sync_runs",
    "confirm_data",
    "data_as_of",
    "first_sync_runs",
    "acquire_lease",
    "lease",
    "release_lease",
];

#[test]
fn every_method_of_a_store_has_a_conformance_case_and_is_searched_for_races() {
    let files = source_files();
    let calls = |layer: &str| -> String {
        files
            .iter()
            .filter(|file| file.module.starts_with(layer))
            .map(|file| file.code.as_str())
            .collect()
    };
    let (cases, searched) = (
        calls("testing::conformance"),
        calls("testing::interleavings"),
    );
    let traits = files
        .iter()
        .filter(|file| file.module.split("::").count() == 2 && file.module.starts_with("store::"));
    let methods: Vec<&str> = traits
        .filter(|file| file.code.contains("pub trait"))
        .flat_map(|file| {
            file.code
                .split("async fn ")
                .skip(1)
                .filter_map(|method| method.split('(').next())
        })
        .collect();
    assert!(methods.len() > 50, "the methods were not found");
    for method in methods {
        let call = format!(".{method}(");
        assert!(cases.contains(&call), "{method} has no conformance case");
        assert!(
            searched.contains(&call) || NOT_SEARCHED.contains(&method),
            "{method} is no operation of the searches"
        );
    }
}

/// Checked by a call under the name of another method, which fails this test.
#[test]
fn every_call_to_a_sql_store_is_measured_under_the_name_of_its_method() {
    let mut calls = 0;
    for file in source_files()
        .iter()
        .filter(|file| file.module.starts_with("store::sql::sql_store"))
    {
        for method in file.code.split("async fn ").skip(1) {
            let name = method.split(['(', '<']).next().unwrap();
            for call in [
                "self.read(",
                "self.read_in_one_statement(",
                "self.write(",
                "self.write_api_keys(",
            ]
            .iter()
            .filter_map(|call| method.split(call).nth(1))
            {
                assert!(
                    call.trim_start().starts_with(&format!("\"{name}\",")),
                    "{name} in {}",
                    file.path.display()
                );
                calls += 1;
            }
        }
    }
    assert!(calls > 50, "the calls were not found");
}

#[test]
fn files_and_layers_have_a_readable_size() {
    let mut sizes: Vec<usize> = Vec::new();
    for file in source_files() {
        assert!(
            file.lines <= 500,
            "{} has {} lines without its tests",
            file.path.display(),
            file.lines
        );
        sizes.push(file.lines);
    }
    sizes.sort_unstable();
    let median = sizes[sizes.len() / 2];
    assert!(median <= 150, "the median file has {median} lines");
}

// Proves: threats 32
/// Fails if the crate's `SigningKey` is named.
#[test]
fn signing_never_runs_in_the_rsa_crate() {
    // threats 32: RUSTSEC-2023-0071 has no patch. The crate generates keys and parses formats;
    // aws-lc performs private-key operations.
    for file in source_files() {
        for word in [
            "rsa::pkcs1v15::SigningKey",
            "SigningKey::<Sha256>",
            "rsa::pss",
            ".sign_with_rng(",
            ".decrypt(",
            "rsa::signature",
        ] {
            assert!(
                !file.code.contains(word),
                "{} uses {word}",
                file.path.display()
            );
        }
    }
}

// Proves: threats 19
/// Fails if a secret derives `PartialEq`, or two digests are compared by `==`.
#[test]
fn no_type_that_holds_a_secret_can_be_compared_by_accident() {
    // Secrets are zeroized on drop, so that the type of their field identifies them. They are
    // compared in constant time by their digests: `matches`.
    let mut secrets = 0;
    for file in source_files() {
        let lines: Vec<&str> = file.code.lines().map(str::trim).collect();
        for (at, line) in lines.iter().enumerate().filter(|(_, line)| {
            line.contains("Zeroizing<") && !line.contains("fn ") && !line.contains("->")
        }) {
            let Some(declared) = lines[..=at]
                .iter()
                .rposition(|line| line.contains("struct ") || line.contains("enum "))
            else {
                continue;
            };
            let name = lines[declared]
                .split("struct ")
                .nth(1)
                .unwrap_or_default()
                .split(['(', ' ', '{', '<'])
                .next()
                .unwrap();
            let derives = lines[..declared]
                .iter()
                .rev()
                .take_while(|line| line.starts_with("#[") || line.is_empty());
            let implements = lines
                .iter()
                .any(|line| line.contains("PartialEq") && line.contains(&format!(" for {name}")));
            assert!(
                !implements && derives.clone().all(|line| !line.contains("PartialEq")),
                "{}: {line}",
                file.path.display()
            );
            secrets += 1;
        }
        // Stores look rows up by equality; presented secrets are compared with `matches`.
        if file.module.starts_with("oauth") || file.module.starts_with("http") {
            for word in [
                "digest ==",
                "digest() ==",
                "== digest",
                "== secret",
                "secret ==",
                "expose() ==",
                "!= secret",
                "!= digest",
            ] {
                assert!(
                    !file.code.contains(word),
                    "{} compares by {word}",
                    file.path.display()
                );
            }
        }
    }
    assert!(secrets >= 5, "the secrets were not found");
}

#[test]
fn a_forbidden_import_would_be_seen() {
    let file = |module: &str, code: &str| SourceFile {
        path: format!("src/{module}.rs").into(),
        module: module.into(),
        code: code.into(),
        lines: 1,
    };
    let named = |module: &str, code: &str| named_modules(&file(module, code));
    assert_eq!(
        named("domain::key", "use crate::{store::GrantStore, crypto};"),
        ["store", "crypto"]
    );
    let nested = "use crate::{domain::{ShortText as _ShortText}, store::StorageError as _E};";
    assert_eq!(named("domain::key", nested), ["domain", "store"]);
    assert_eq!(
        named(
            "domain::key",
            "use crate::{http::{data_api::{route, format}, cookie}, crypto};"
        ),
        ["http::data_api", "http::cookie", "crypto"]
    );
    assert_eq!(
        named(
            "store::sql::grants",
            "use super::super::memory::MemoryStore;"
        ),
        ["store::memory"]
    );
    assert_eq!(
        named(
            "http::data_api::key_check",
            "crate::http::auth_server::token::answer()"
        ),
        ["http::auth_server"]
    );
    assert_eq!(
        layer_of("http::auth_server::token").unwrap().0,
        "http::auth_server"
    );
    assert_eq!(layer_of("stores"), None);
}

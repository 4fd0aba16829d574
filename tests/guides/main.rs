//! What `README.md`, `docs/ARCHITECTURE.md`, `docs/storage.md`, `docs/testing.md`, `docs/operations.md`, `docs/embedding.md` and
//! `docs/replacing.md` say is so: their commands and examples are run, their figures compared,
//! their files looked for.

#[path = "../support/browser.rs"]
mod browser;
#[path = "../support/certificates.rs"]
#[allow(dead_code, reason = "this program uses a part of it")]
mod certificates;
#[path = "../support/logins/mod.rs"]
#[allow(dead_code, unused_imports, reason = "this program uses a part of it")]
mod logins;
#[path = "../support/long_run.rs"]
mod long_run;
#[path = "../support/postgres.rs"]
mod postgres_server;
#[path = "../support/report.rs"]
mod report;
#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "this program uses a part of it")]
mod support;

#[path = "../migration/fixtures.rs"]
#[allow(dead_code, reason = "this program uses a part of it")]
mod fixtures;
#[path = "../process/server.rs"]
#[allow(dead_code, reason = "this program uses a part of it")]
mod server;
#[path = "../migration/services.rs"]
#[allow(dead_code, reason = "this program uses a part of it")]
mod services;

mod backups;
mod custom_pages;
mod dependencies;
mod deploy;
mod doctor;
mod embedding;
mod events;
mod first_steps;
mod interface;
mod introspection;
mod master_key;
mod metrics;
mod monitoring;
#[path = "../../examples/server/src/metrics.rs"]
mod prometheus;
mod proofs;
mod readme;
mod recipes;
mod replacement;
mod replacing;
mod revoked_key;
mod users;

use std::path::Path;
use std::time::Duration;

use lyceum::store::retention::{
    API_KEY_RETENTION, CLOCK_SKEW, GRANT_RETENTION, MAX_DELETED_PER_INSERT, SYNC_RUN_RETENTION,
};

const README: &str = include_str!("../../README.md");
const ARCHITECTURE: &str = include_str!("../../docs/ARCHITECTURE.md");
const TESTING: &str = include_str!("../../docs/testing.md");
const STORAGE: &str = include_str!("../../docs/storage.md");
const OPERATIONS: &str = include_str!("../../docs/operations.md");
const EMBEDDING: &str = include_str!("../../docs/embedding.md");
const REPLACING: &str = include_str!("../../docs/replacing.md");

/// Returns the fenced blocks of a language.
fn blocks<'t>(text: &'t str, language: &str) -> Vec<&'t str> {
    let fence = format!("```{language}\n");
    text.split(&fence)
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap())
        .collect()
}

/// Returns the only block with these words.
fn block(text: &'static str, language: &str, words: &str) -> &'static str {
    let found: Vec<_> = blocks(text, language)
        .into_iter()
        .filter(|block| block.contains(words))
        .collect();
    let [block] = found[..] else {
        panic!("{words:?} is in {} blocks", found.len())
    };
    block
}

#[test]
fn the_documented_retention_periods_equal_the_constants() {
    let row = |what: &str| {
        OPERATIONS
            .lines()
            .find(|line| line.starts_with(&format!("| {what} |")))
            .unwrap()
            .to_owned()
    };
    let says = |what: &str, length: Duration, number: u64, unit: u64| {
        assert_eq!(length.as_secs(), number * unit, "{what}");
        let unit = match unit {
            1 => "seconds",
            3600 => "hours",
            _ => "days",
        };
        assert!(
            row(what).contains(&format!("| {number} {unit} after")),
            "{}",
            row(what)
        );
    };
    says("pending session", CLOCK_SKEW, 60, 1);
    says("state of a rate limit", CLOCK_SKEW, 60, 1);
    says("grant and its code", GRANT_RETENTION, 24, 3600);
    says("API key", API_KEY_RETENTION, 90, 86_400);
    says("calendar feed of an API key", CLOCK_SKEW, 60, 1);
    says("run of a sync", SYNC_RUN_RETENTION, 90, 86_400);
    let deleted = format!("deletes at most {MAX_DELETED_PER_INSERT} expired ones");
    assert!(OPERATIONS.contains(&deleted));
}

/// The paths of a name such as `src/texts/{en,ko}.ftl`.
fn alternatives(name: &str) -> Vec<String> {
    let Some((start, (names, end))) = name
        .split_once('{')
        .and_then(|(start, rest)| Some((start, rest.split_once('}')?)))
    else {
        return vec![name.to_owned()];
    };
    let paths = names.split(',');
    paths.map(|part| format!("{start}{part}{end}")).collect()
}

#[test]
fn every_file_that_is_named_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut seen = 0;
    for text in [ARCHITECTURE, STORAGE, TESTING, OPERATIONS, EMBEDDING] {
        let names = text.split('`').filter(|name| {
            ["src/", "tests/", "migrations/", "examples/", "scripts/"]
                .iter()
                .any(|room| name.starts_with(room))
        });
        for name in names.filter(|name| !name.contains(char::is_whitespace)) {
            for path in alternatives(name) {
                assert!(root.join(&path).exists(), "{path} is not there");
                seen += 1;
            }
        }
        for link in text
            .split("](")
            .skip(1)
            .map(|rest| rest.split(')').next().unwrap())
        {
            let file = link.split('#').next().unwrap();
            assert!(
                link.starts_with("https://") || root.join("docs").join(file).exists(),
                "{link} leads nowhere"
            );
            seen += 1;
        }
    }
    assert!(seen > 10, "only {seen} names were found");
}

#[test]
fn every_test_and_example_of_a_command_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut seen = 0;
    for text in [STORAGE, TESTING, OPERATIONS] {
        for (option, folders) in [
            ("--test ", ["tests"].as_slice()),
            ("--example ", &["examples", "examples/server"]),
        ] {
            for name in text
                .split(option)
                .skip(1)
                .map(|rest| rest.split([' ', '`', '\n']).next().unwrap())
            {
                let mut places = folders.iter().map(|folder| root.join(folder).join(name));
                assert!(
                    places.any(|place| {
                        place.join("main.rs").exists() || place.with_extension("rs").exists()
                    }),
                    "{option}{name}"
                );
                seen += 1;
            }
        }
    }
    assert!(seen >= 6);
}

#[test]
fn every_long_search_has_a_result() {
    let table = OPERATIONS
        .split("| Search | Command | Last result |\n")
        .nth(1)
        .unwrap();
    let rows: Vec<_> = table
        .lines()
        .skip(1)
        .take_while(|line| line.starts_with('|'))
        .collect();
    assert!(rows.len() >= 4, "{rows:?}");
    for row in rows {
        let [_, _, _, result, _] = row.split('|').collect::<Vec<_>>()[..] else {
            panic!("not three cells: {row}")
        };
        let is_open = ["\u{2014}", "\u{2026}", "TODO"]
            .iter()
            .any(|mark| result.contains(mark));
        assert!(
            !is_open && result.contains(|digit: char| digit.is_ascii_digit()),
            "no figures: {row}"
        );
    }
}

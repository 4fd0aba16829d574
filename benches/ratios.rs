//! Speed as ratios. Both sides of a ratio are measured in one run, alternately in five rounds, and
//! the median is printed as `RATIO <name> <value>`. Unlike absolute times, ratios hardly depend on
//! the machine.
//!
//! ```sh
//! scripts/bench
//! ```
//!
//! The measured process runs on the first core. This program sends the requests from the second
//! one.

#![allow(clippy::disallowed_methods, reason = "a benchmark measures time")]

mod measurements;
#[path = "../tests/support/postgres.rs"]
mod postgres_server;
mod support;

use std::path::PathBuf;

use measurements::pages::StoreSpec;
use measurements::{import, load_write, memory, million, pages, searches, tokens};
use postgres_server::Cluster;
use support::process::{self, Process, SERVER};
use support::{crypto_baseline, server};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["serve", arguments @ ..] => server::serve(arguments),
        ["hyper", arguments @ ..] => server::serve_with_hyper(arguments),
        ["bare"] => crypto_baseline::run(),
        ["million"] => million::run(),
        ["load_write", arguments @ ..] => load_write::run(arguments),
        ["import", arguments @ ..] => import::run(arguments),
        // Cargo adds its own flags.
        _ => measure(
            &arguments
                .into_iter()
                .filter(|word| !word.starts_with('-'))
                .collect::<Vec<_>>(),
        ),
    }
}

/// Measures the groups whose names contain one of the words, or all groups.
fn measure(words: &[&str]) {
    process::pin_this();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let sqlite = |name: &str| format!("sqlite:{}", folder.path().join(name).to_str().unwrap());
    // Commits are durable, unlike those of tests.
    let cluster = std::cell::LazyCell::new(|| {
        Cluster::start_private(&["fsync = on", "full_page_writes = on"], &[])
    });
    let postgres = || format!("postgres:{}", cluster.new_schema());
    let wanted = |group: &str| words.is_empty() || words.iter().any(|word| group.contains(word));
    if wanted("pages_memory") {
        runtime.block_on(pages::cached(
            &StoreSpec {
                name: "memory",
                store: "memory".to_owned(),
            },
            &folder,
        ));
    }
    if wanted("pages_sqlite") {
        runtime.block_on(pages::cached(
            &StoreSpec {
                name: "sqlite",
                store: sqlite("pages.db"),
            },
            &folder,
        ));
    }
    if wanted("pages_postgres") && !postgres_server::skipped() {
        runtime.block_on(pages::cached(
            &StoreSpec {
                name: "postgres",
                store: postgres(),
            },
            &folder,
        ));
    }
    if wanted("page_uncached") {
        runtime.block_on(pages::uncached(&folder));
    }
    if wanted("page_vs_axum_sqlx") {
        runtime.block_on(pages::against_axum_sqlx(
            std::env::var_os("AXUM_SQLX").map(PathBuf::from),
            &folder,
        ));
    }
    if wanted("million") {
        Process::run_of_this(SERVER, &["million"]);
    }
    if wanted("code_exchange_sqlite") {
        runtime.block_on(tokens::exchanges(
            "code_exchange_sqlite",
            &sqlite("exchanges.db"),
            "rs256",
        ));
    }
    if wanted("refresh_sqlite") {
        runtime.block_on(tokens::refreshes("refresh_sqlite", &sqlite("refreshes.db")));
    }
    if wanted("code_exchange_postgres") && !postgres_server::skipped() {
        runtime.block_on(tokens::exchanges(
            "code_exchange_postgres",
            &postgres(),
            "rs256",
        ));
    }
    if wanted("es256_exchange_sqlite") {
        runtime.block_on(tokens::exchanges(
            "es256_exchange_sqlite",
            &sqlite("es256.db"),
            "es256",
        ));
    }
    if wanted("guard_verify") {
        runtime.block_on(tokens::guard());
    }
    if wanted("login_while_searching") {
        runtime.block_on(searches::logins(&folder));
    }
    if wanted("load_write_sqlite") {
        Process::run_of_this(SERVER, &["load_write", "sqlite", &sqlite("load_write.db")]);
    }
    if wanted("load_write_postgres") && !postgres_server::skipped() {
        Process::run_of_this(SERVER, &["load_write", "postgres", &postgres()]);
    }
    if wanted("import_sqlite") {
        Process::run_of_this(SERVER, &["import", "sqlite", &sqlite("import.db")]);
    }
    if wanted("import_postgres") && !postgres_server::skipped() {
        Process::run_of_this(SERVER, &["import", "postgres", &postgres()]);
    }
    if wanted("rss_1200") {
        runtime.block_on(memory::resident("rss_1200", 1_200, &folder));
    }
    if wanted("rss_100k") {
        runtime.block_on(memory::resident("rss_100k", 100_000, &folder));
    }
}

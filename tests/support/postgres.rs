//! PostgreSQL for tests: the server of `TEST_POSTGRES_URL`, or a temporary cluster in a temporary
//! folder.
//!
//! The tests of a program share one cluster, and each uses a separate schema. The cluster stops when
//! the program ends, also when it is killed. Tests that stop the server or need other settings start
//! a private cluster, so PostgreSQL's programs are always needed.
//!
//! Test programs declare it as `mod postgres_server`.

#![allow(dead_code, reason = "each test program uses a part of it")]

#[path = "postgres/connection.rs"]
mod connection;
#[path = "postgres/installation.rs"]
pub mod installation;
#[path = "postgres/server.rs"]
mod server;
#[path = "skip.rs"]
pub mod skip;

use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use connection::Connection;
use server::Server;
use skip::skips;

/// Environment variable with the URL of the shared server, whose role may create schemas.
pub const URL_VARIABLE: &str = "TEST_POSTGRES_URL";
/// Environment variable that skips the tests over PostgreSQL if it is 1.
pub const SKIP_VARIABLE: &str = "SKIP_POSTGRES";

/// Whether this run skips tests over PostgreSQL. If so, says so on standard error.
pub fn skipped() -> bool {
    skips(SKIP_VARIABLE, "the tests of this program on PostgreSQL")
}

/// Returns from a test if the run skips tests over PostgreSQL.
#[allow(unused_macros, reason = "each test program uses a part of it")]
macro_rules! needs_postgres {
    () => {
        if crate::postgres_server::skipped() {
            return;
        }
    };
}
#[allow(unused_imports, reason = "each test program uses a part of it")]
pub(crate) use needs_postgres;

/// Returns the shared cluster of this program, which starts at its first use.
///
/// # Panics
/// When PostgreSQL is not installed; the message says how to install it.
pub fn cluster() -> &'static Cluster {
    static CLUSTER: OnceLock<Cluster> = OnceLock::new();
    CLUSTER.get_or_init(|| match variable(URL_VARIABLE) {
        Some(url) => Cluster::from_url(url),
        None => Cluster::start_private(&[], &[]),
    })
}

/// A cluster in which tests create schemas. A private one is stopped and removed when dropped.
pub struct Cluster {
    url: String,
    /// Kept open, so that other programs see which schemas are in use.
    keeper: Connection,
    backend: i32,
    schemas: AtomicU64,
    server: Option<Server>,
}

impl Cluster {
    /// Starts a private cluster with additional lines for its `postgresql.conf` and files (name and
    /// content) beside it, for tests that stop it or need TLS.
    pub fn start_private(settings: &[&str], files: &[(&str, &str)]) -> Self {
        let mut server = Server::create(settings, files);
        server.start();
        let url = server.socket_url();
        Self {
            server: Some(server),
            ..Self::from_url(url)
        }
    }

    fn from_url(url: String) -> Self {
        let keeper = Connection::open(&url);
        let backend = keeper.number("SELECT pg_backend_pid()");
        let cluster = Self {
            url,
            keeper,
            backend,
            schemas: AtomicU64::new(0),
            server: None,
        };
        cluster.drop_stale_schemas();
        cluster
    }

    /// Returns the URL of the server. A temporary cluster listens on a Unix socket without a password.
    pub fn url(&self) -> String {
        self.url.clone()
    }

    /// Creates an empty schema and returns the URL with it as the search path.
    pub fn new_schema(&self) -> String {
        let name = format!(
            "lyceum_test_{}_{}",
            self.backend,
            self.schemas.fetch_add(1, Ordering::Relaxed)
        );
        Connection::open(&self.url).run(&format!("CREATE SCHEMA {name}"));
        in_schema(&self.url, &name)
    }

    /// Runs a statement and returns the first column of its rows.
    pub fn texts(&self, statement: &str) -> Vec<String> {
        Self::query_at(&self.url, statement)
    }

    /// Runs a statement at another URL, such as that of a schema.
    pub fn query_at(url: &str, statement: &str) -> Vec<String> {
        Connection::open(url).texts(statement)
    }

    /// Returns the URL of a temporary cluster over TCP, where it requires a password.
    pub fn tcp_url(&self, password: &str) -> String {
        self.owned().tcp_url(password)
    }

    /// Returns the password for [`tcp_url`](Self::tcp_url).
    pub fn password(&self) -> &str {
        self.owned().password()
    }

    /// Stops the server at once, like a power cut.
    pub fn stop(&mut self) {
        self.server
            .as_mut()
            .expect("the server of others is not stopped")
            .stop();
    }

    /// Starts the server again with the same URL and data.
    pub fn start(&mut self) {
        self.server
            .as_mut()
            .expect("the server of others is not started")
            .start();
    }

    /// Returns the folder of the programs that created the server.
    pub fn bin(&self) -> &Path {
        self.owned().bin()
    }

    /// Returns the folder of a temporary cluster.
    pub fn folder(&self) -> &Path {
        self.owned().folder()
    }

    fn owned(&self) -> &Server {
        self.server.as_ref().unwrap_or_else(|| {
            panic!("this test needs a server of its own, not that of {URL_VARIABLE}")
        })
    }

    /// Removes the schemas of programs that were killed, from a server that was not.
    fn drop_stale_schemas(&self) {
        let unused = "SELECT nspname FROM pg_namespace WHERE nspname ~ '^lyceum_test_[0-9]+_[0-9]+$' \
                      AND split_part(nspname, '_', 3)::int NOT IN (SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid())";
        for schema in self.keeper.texts(unused) {
            self.keeper
                .run(&format!("DROP SCHEMA IF EXISTS {schema} CASCADE"));
        }
    }
}

/// Returns the URL with one schema as the search path.
fn in_schema(url: &str, schema: &str) -> String {
    let separator = if url.contains('?') { '&' } else { '?' };
    format!("{url}{separator}options=-csearch_path%3D{schema}")
}

#[allow(
    clippy::disallowed_methods,
    reason = "the environment of the tests, not of the library"
)]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

//! PostgreSQL for tests: the server of `TEST_POSTGRES_URL`, or a throw-away cluster in a temporary
//! folder.
//!
//! A program's tests share one cluster, and each takes a schema of its own. The cluster ends with
//! the program, however that ends. Tests that stop a server, or need one with other settings, start
//! their own in any case, so PostgreSQL's programs are always needed.
//!
//! It is `mod postgres_server` in each test program.

#![allow(dead_code, reason = "each test program uses a part of it")]

#[path = "postgres/connection.rs"]
mod connection;
#[path = "postgres/installation.rs"]
pub mod installation;
#[path = "postgres/server.rs"]
mod server;

use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Once, OnceLock};

use connection::Connection;
use server::Server;

/// The variable with the address of the server that tests share, whose role may create schemas.
pub const URL_VARIABLE: &str = "TEST_POSTGRES_URL";
/// The variable that, set to 1, does without the tests that need PostgreSQL.
pub const SKIP_VARIABLE: &str = "SKIP_POSTGRES";

/// Whether this run does without PostgreSQL, which it says on standard error: nothing is skipped
/// silently.
pub fn skipped() -> bool {
    static ONCE: Once = Once::new();
    let skipped = variable(SKIP_VARIABLE).is_some_and(|value| value == "1");
    if skipped {
        // Written past the capture of the test harness.
        ONCE.call_once(|| {
            drop(writeln!(
                std::io::stderr(),
                "SKIPPED, because {SKIP_VARIABLE}=1: the tests of this program on PostgreSQL"
            ))
        });
    }
    skipped
}

/// Leaves a test where the run does without PostgreSQL, which says so.
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

/// The cluster of this program, started at its first use.
///
/// # Panics
/// When there is no PostgreSQL; the message says how to get it.
pub fn cluster() -> &'static Cluster {
    static CLUSTER: OnceLock<Cluster> = OnceLock::new();
    CLUSTER.get_or_init(|| match variable(URL_VARIABLE) {
        Some(url) => Cluster::from_url(url),
        None => Cluster::start_private(&[], &[]),
    })
}

/// Where tests make their schemas. A private one is stopped and removed when dropped.
pub struct Cluster {
    url: String,
    /// Open as long as this is, so that other programs see whose schemas are in use.
    keeper: Connection,
    backend: i32,
    schemas: AtomicU64,
    server: Option<Server>,
}

impl Cluster {
    /// A cluster that nobody shares, with lines for its `postgresql.conf` and files (name and
    /// content) beside it: for tests that stop it, or need TLS.
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

    /// Its address. A throw-away cluster's is a Unix socket, and needs no password.
    pub fn url(&self) -> String {
        self.url.clone()
    }

    /// Its address with a fresh, empty schema as the search path.
    pub fn new_schema(&self) -> String {
        let name = format!(
            "lyceum_test_{}_{}",
            self.backend,
            self.schemas.fetch_add(1, Ordering::Relaxed)
        );
        Connection::open(&self.url).run(&format!("CREATE SCHEMA {name}"));
        in_schema(&self.url, &name)
    }

    /// Runs a statement and gives the first column of its rows.
    pub fn texts(&self, statement: &str) -> Vec<String> {
        Self::query_at(&self.url, statement)
    }

    /// The same at an address, such as one of a schema.
    pub fn query_at(url: &str, statement: &str) -> Vec<String> {
        Connection::open(url).texts(statement)
    }

    /// The address of a throw-away cluster over TCP, where it asks for a password.
    pub fn tcp_url(&self, password: &str) -> String {
        self.owned().tcp_url(password)
    }

    /// The password that [`tcp_url`](Self::tcp_url) wants.
    pub fn password(&self) -> &str {
        self.owned().password()
    }

    /// Ends the server at once, as a power cut would.
    pub fn stop(&mut self) {
        self.server
            .as_mut()
            .expect("the server of others is not stopped")
            .stop();
    }

    /// Starts it again at the same address, over what is on its disk.
    pub fn start(&mut self) {
        self.server
            .as_mut()
            .expect("the server of others is not started")
            .start();
    }

    /// The folder of the programs that the server was made with.
    pub fn bin(&self) -> &Path {
        self.owned().bin()
    }

    /// The folder that a throw-away cluster lives in.
    pub fn folder(&self) -> &Path {
        self.owned().folder()
    }

    fn owned(&self) -> &Server {
        self.server.as_ref().unwrap_or_else(|| {
            panic!("this test needs a server of its own, not that of {URL_VARIABLE}")
        })
    }

    /// A program that was killed could not remove its schemas from a server that outlives it.
    fn drop_stale_schemas(&self) {
        let unused = "SELECT nspname FROM pg_namespace WHERE nspname ~ '^lyceum_test_[0-9]+_[0-9]+$' \
                      AND split_part(nspname, '_', 3)::int NOT IN (SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid())";
        for schema in self.keeper.texts(unused) {
            self.keeper
                .run(&format!("DROP SCHEMA IF EXISTS {schema} CASCADE"));
        }
    }
}

/// The address with a search path of one schema.
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

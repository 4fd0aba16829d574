use std::path::{Path, PathBuf};
use std::process::Command;

use lyceum::store::sql::SqlStore;
use serde_json::Value;
use tempfile::TempDir;

use crate::postgres_server::{Cluster, cluster};
use crate::server::{Server, example, on_postgres, on_sqlite};

/// In seconds, longer than any request waits for the database.
const TIMEOUT: &str = "120";

/// A database for examples, with a folder for their files.
pub struct TestDatabase {
    folder: TempDir,
    /// URL of a PostgreSQL database; `None` for a SQLite file in the folder.
    url: Option<String>,
}

impl TestDatabase {
    pub fn sqlite() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            url: None,
        }
    }

    pub fn postgres() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            url: Some(cluster().new_schema()),
        }
    }

    pub fn name(&self) -> &'static str {
        if self.url.is_some() {
            "PostgreSQL"
        } else {
            "SQLite"
        }
    }

    pub fn is_sqlite(&self) -> bool {
        self.url.is_none()
    }

    /// Command of the example for this database.
    pub fn command(&self) -> Command {
        match &self.url {
            Some(url) => {
                let mut command = on_postgres(url, &self.key_file());
                // A busy machine must not cause a timeout, because the tests treat every 5xx as a
                // failure.
                command.args(["--migrate", "--patience", TIMEOUT]);
                command
            }
            None => on_sqlite(&self.file()),
        }
    }

    /// Command of a school's server for this database, which `init` makes.
    pub fn school(&self, arguments: &[&str]) -> Command {
        let mut command = match &self.url {
            Some(url) => {
                let mut command = Command::new(example("postgres"));
                command.args(arguments).env("DATABASE_URL", url);
                command.args(["--database-timeout", TIMEOUT, "--key-file"]);
                command.arg(self.key_file());
                command
            }
            None => {
                let mut command = Command::new(example("sqlite"));
                command.args(arguments).arg("--database").arg(self.file());
                command
            }
        };
        // The settings of the developer's own environment do not count.
        command.env_remove("LYCEUM_CONFIG");
        command
    }

    pub fn key_file(&self) -> PathBuf {
        self.folder.path().join("school.db.key")
    }

    /// URL of the PostgreSQL database.
    pub fn url(&self) -> Option<&str> {
        self.url.as_deref()
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn file(&self) -> PathBuf {
        self.folder.path().join("school.db")
    }

    /// Starts a server that accepts connections, and returns its first line too.
    pub fn ready(&self) -> (Server, Value) {
        let mut server = self.start();
        let ready = server.ready_line();
        (server, ready)
    }

    /// Starts a server without reading its first line.
    pub fn start(&self) -> Server {
        Server::start(self.command(), &["--json"])
    }

    /// Two servers that were started at once.
    pub fn two_ready(&self) -> [(Server, Value); 2] {
        [self.start(), self.start()].map(|mut server| {
            let ready = server.ready_line();
            (server, ready)
        })
    }

    /// Creates the tables, if they are missing.
    pub async fn prepare(&self) {
        match &self.url {
            Some(url) => drop(SqlStore::postgres(url).migrate(true).open().await.unwrap()),
            None => drop(SqlStore::sqlite(self.file()).unwrap()),
        }
    }

    /// Opens the database.
    pub async fn store(&self) -> SqlStore {
        match &self.url {
            Some(url) => SqlStore::postgres(url).open().await.unwrap(),
            None => SqlStore::sqlite(self.file()).unwrap(),
        }
    }

    /// Runs SQL statements.
    pub fn run(&self, statements: &str) {
        match &self.url {
            Some(url) => drop(Cluster::query_at(url, statements)),
            None => rusqlite::Connection::open(self.file())
                .unwrap()
                .execute_batch(statements)
                .unwrap(),
        }
    }

    /// Runs a query for one number.
    pub fn count(&self, statement: &str) -> i64 {
        match &self.url {
            Some(url) => Cluster::query_at(url, statement)[0].parse().unwrap(),
            None => rusqlite::Connection::open(self.file())
                .unwrap()
                .query_row(statement, [], |row| row.get(0))
                .unwrap(),
        }
    }

    /// Keeps writers from a SQLite file until the connection is dropped.
    pub fn lock(&self) -> rusqlite::Connection {
        let connection = rusqlite::Connection::open(self.file()).unwrap();
        connection.execute_batch("BEGIN IMMEDIATE").unwrap();
        connection
    }

    /// Fails if the SQLite file is corrupt. Does nothing on PostgreSQL.
    pub fn check(&self) {
        if self.url.is_none() {
            let connection = rusqlite::Connection::open(self.file()).unwrap();
            let integrity: String = connection
                .query_row("PRAGMA integrity_check", [], |row| row.get(0))
                .unwrap();
            assert_eq!(integrity, "ok");
        }
    }
}

/// Creates a test for each database from every `async fn(TestDatabase)`.
macro_rules! on_each_database {
    ($($test:ident),+ $(,)?) => {
        mod on_sqlite {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $test() {
                    super::$test(crate::test_database::TestDatabase::sqlite()).await;
                }
            )+
        }
        mod on_postgres {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $test() {
                    crate::postgres_server::needs_postgres!();
                    super::$test(crate::test_database::TestDatabase::postgres()).await;
                }
            )+
        }
    };
}
pub(crate) use on_each_database;

use std::path::PathBuf;
use std::process::Command;

use lyceum::store::sql::SqlStore;
use serde_json::Value;
use tempfile::TempDir;

use crate::postgres_server::{Cluster, cluster};
use crate::server::{Server, on_postgres, on_sqlite};

/// In seconds, longer than any request waits for the database here.
const PATIENCE: &str = "120";

/// A database that examples can be started on, with a folder for their files.
pub struct Place {
    folder: TempDir,
    /// The address of a PostgreSQL database; without one, it is a SQLite file in the folder.
    url: Option<String>,
}

impl Place {
    pub fn sqlite() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), url: None }
    }

    pub fn postgres() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), url: Some(cluster().schema()) }
    }

    pub fn name(&self) -> &'static str {
        if self.url.is_some() { "PostgreSQL" } else { "SQLite" }
    }

    pub fn is_sqlite(&self) -> bool {
        self.url.is_none()
    }

    /// The command of the example on this database.
    pub fn command(&self) -> Command {
        match &self.url {
            Some(url) => {
                let mut command = on_postgres(url, &self.key_file());
                // On a machine with much else to do nobody may be told to come again for that: any 5xx is a fault.
                command.args(["--migrate", "--patience", PATIENCE]);
                command
            }
            None => on_sqlite(&self.file()),
        }
    }

    pub fn key_file(&self) -> PathBuf {
        self.folder.path().join("school.db.key")
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("school.db")
    }

    /// A server that accepts connections, and its first line.
    pub fn ready(&self) -> (Server, Value) {
        let mut server = self.start();
        let ready = server.told();
        (server, ready)
    }

    /// A server whose first line nobody has read yet.
    pub fn start(&self) -> Server {
        Server::start(self.command(), &["--json"])
    }

    /// Two servers that were started at once.
    pub fn two_ready(&self) -> [(Server, Value); 2] {
        [self.start(), self.start()].map(|mut server| {
            let ready = server.told();
            (server, ready)
        })
    }

    /// Makes the tables, if they are not there.
    pub async fn prepare(&self) {
        match &self.url {
            Some(url) => drop(SqlStore::postgres(url).migrate(true).open().await.unwrap()),
            None => drop(SqlStore::sqlite(self.file()).unwrap()),
        }
    }

    /// The same database, opened by the test.
    pub async fn store(&self) -> SqlStore {
        match &self.url {
            Some(url) => SqlStore::postgres(url).open().await.unwrap(),
            None => SqlStore::sqlite(self.file()).unwrap(),
        }
    }

    /// Runs statements of the test's own.
    pub fn run(&self, statements: &str) {
        match &self.url {
            Some(url) => drop(Cluster::texts_at(url, statements)),
            None => rusqlite::Connection::open(self.file()).unwrap().execute_batch(statements).unwrap(),
        }
    }

    /// The number that a statement asks for.
    pub fn count(&self, statement: &str) -> i64 {
        match &self.url {
            Some(url) => Cluster::texts_at(url, statement)[0].parse().unwrap(),
            None => rusqlite::Connection::open(self.file()).unwrap().query_row(statement, [], |row| row.get(0)).unwrap(),
        }
    }

    /// Fails when the file is damaged. PostgreSQL looks after itself.
    pub fn check(&self) {
        if self.url.is_none() {
            let connection = rusqlite::Connection::open(self.file()).unwrap();
            let integrity: String = connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
            assert_eq!(integrity, "ok");
        }
    }
}

/// Makes a test on each database of every `async fn(Place)`.
macro_rules! on_each_database {
    ($($test:ident),+ $(,)?) => {
        mod on_sqlite {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $test() {
                    super::$test(crate::place::Place::sqlite()).await;
                }
            )+
        }
        mod on_postgres {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $test() {
                    crate::postgres_server::needs_postgres!();
                    super::$test(crate::place::Place::postgres()).await;
                }
            )+
        }
    };
}
pub(crate) use on_each_database;

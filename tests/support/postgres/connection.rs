use std::sync::mpsc;
use std::thread;

use tokio_postgres::{NoTls, SimpleQueryMessage};

/// A blocking connection, which works inside and outside of a runtime because a separate thread owns
/// it.
pub struct Connection(mpsc::Sender<(String, mpsc::Sender<Vec<String>>)>);

impl Connection {
    pub fn open(url: &str) -> Self {
        let url = url.to_owned();
        let (questions, asked) = mpsc::channel::<(String, mpsc::Sender<Vec<String>>)>();
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            let client = runtime.block_on(async {
                let (client, connection) = tokio_postgres::connect(&url, NoTls)
                    .await
                    .unwrap_or_else(|error| panic!("no connection to the test server: {error}"));
                tokio::spawn(connection);
                client
            });
            while let Ok((statement, answer)) = asked.recv() {
                let rows = runtime
                    .block_on(client.simple_query(&statement))
                    .unwrap_or_else(|error| {
                        panic!("{statement}: {error}: {:?}", error.as_db_error())
                    });
                let first = |message| match message {
                    SimpleQueryMessage::Row(row) => row.get(0).map(ToOwned::to_owned),
                    _ => None,
                };
                let _ = answer.send(rows.into_iter().filter_map(first).collect());
            }
        });
        Self(questions)
    }

    /// Runs a statement and returns the first column of its rows.
    pub fn texts(&self, statement: &str) -> Vec<String> {
        let (answer, answered) = mpsc::channel();
        let asked = self.0.send((statement.to_owned(), answer));
        asked
            .ok()
            .and_then(|()| answered.recv().ok())
            .unwrap_or_else(|| panic!("the test server did not answer {statement}"))
    }

    pub fn run(&self, statement: &str) {
        self.texts(statement);
    }

    pub fn number(&self, statement: &str) -> i32 {
        self.texts(statement)[0].parse().unwrap()
    }
}

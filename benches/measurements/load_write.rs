//! Time that a SQL store takes to write 10,000 students and to load 100,000, in a separate process.

use std::time::Instant;

use lyceum::directory::{Directory, DirectoryChange, WriteOutcome};

use crate::support::report::{ROUNDS, print};
use crate::support::{school, server};

/// Total number of students.
const STUDENTS: usize = 100_000;
/// Number of students per write.
const BATCH: usize = 10_000;

/// `load_write NAME STORE`: measures `write_10k_NAME`, `load_100k_NAME` and `open_100k_NAME`.
pub fn run(arguments: &[&str]) {
    let [name, store] = arguments else {
        panic!("load_write NAME STORE")
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let (store, _) = server::open(store).await;
        let directory = Directory::open(store.clone()).await.unwrap();
        let (clubs, students) = school::students(STUDENTS);
        let _ = directory
            .write(clubs.into_iter().map(DirectoryChange::PutClub).collect())
            .await
            .unwrap();
        let mut written = Vec::new();
        for batch in students.chunks(BATCH) {
            let changes: Vec<_> = batch
                .iter()
                .cloned()
                .map(DirectoryChange::PutStudent)
                .collect();
            let started = Instant::now();
            assert!(matches!(
                directory.write(changes).await.unwrap(),
                WriteOutcome::Written(_)
            ));
            written.push((
                started.elapsed().as_secs_f64(),
                "seconds until they are durable and shown".to_owned(),
            ));
        }
        print(&format!("write_10k_{name}"), written);
        drop((directory, students));
        let (mut loaded, mut opened) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let started = Instant::now();
            let rows = store.load_directory().await.unwrap();
            loaded.push((
                started.elapsed().as_secs_f64(),
                "seconds until the rows are in memory".to_owned(),
            ));
            assert_eq!(rows.students.len(), STUDENTS);
            drop(rows);
            let started = Instant::now();
            drop(Directory::open(store.clone()).await.unwrap());
            opened.push((
                started.elapsed().as_secs_f64(),
                "seconds until lists are answered".to_owned(),
            ));
        }
        print(&format!("load_100k_{name}"), loaded);
        print(&format!("open_100k_{name}"), opened);
    });
}

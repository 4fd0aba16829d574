//! Many directories that write to one store at once.

use std::collections::BTreeSet;
use std::sync::{Arc, Barrier};

use lyceum::directory::{Directory, DirectoryChange, RejectionReason, WriteOutcome};
use lyceum::store::memory::MemoryStore;

use super::{EVERYONE, all, changes, open};
use crate::school_records::{club, club_id, member, student};

const WRITERS: i64 = 16;

/// Calls each of many directories on one store, with its number from 1, on a thread of its own.
fn at_once<T: Send>(
    store: &Arc<MemoryStore>,
    call: impl AsyncFn(&Directory, i64) -> T + Sync,
) -> Vec<T> {
    let start = Barrier::new(usize::try_from(WRITERS).unwrap());
    let caller = |number| {
        block_on(async {
            let directory = open(store.clone()).await;
            start.wait();
            call(&directory, number).await
        })
    };
    std::thread::scope(|threads| {
        let callers: Vec<_> = (1..=WRITERS)
            .map(|number| threads.spawn(move || caller(number)))
            .collect();
        callers
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    })
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap()
        .block_on(future)
}

/// Writes a batch, again while other directories write in between.
async fn write(directory: &Directory, changes: Vec<DirectoryChange>) -> WriteOutcome {
    loop {
        match directory.write(changes.clone()).await.unwrap() {
            WriteOutcome::Contended => {}
            outcome => return outcome,
        }
    }
}

/// Fails if a directory that lost against another writes its plan all the same, or if a client that
/// follows the changes misses one.
#[test]
fn no_batch_of_many_writers_is_lost_to_the_lists_or_to_their_changes() {
    let store = Arc::new(MemoryStore::new());
    let mut written = at_once(&store, async |directory, number| {
        let batch = (0..3).map(|more| student(number * 10 + more).into());
        let WriteOutcome::Written(version) = write(directory, batch.collect()).await else {
            panic!("the batch is allowed")
        };
        // A few changes at a time, while the others write.
        let (mut seen, mut since) = (BTreeSet::new(), None);
        loop {
            let snapshot = directory.snapshot().await.unwrap();
            let part = changes(snapshot.students(), since, 5, EVERYONE);
            seen.extend(part.records.iter().map(|record| record.value().student.id));
            since = Some(part.next);
            if !part.has_more() {
                return (version, since, seen);
            }
        }
    });
    written.sort_by_key(|(version, ..)| version.number);
    let newest = block_on(async { open(store).await.snapshot().await.unwrap() });
    let expected: Vec<_> = (1..=WRITERS)
        .flat_map(|number| number * 10..number * 10 + 3)
        .collect();
    let found = all(newest.students(), &[("size", "1000")]);
    assert!(
        found
            .iter()
            .map(|found| found.student.id.get())
            .eq(expected.iter().copied()),
        "{found:?}"
    );
    for (number, (version, since, mut seen)) in (1..).zip(written) {
        assert_eq!(
            version.number, number,
            "each batch has a version of its own"
        );
        let rest = changes(newest.students(), since, 1000, EVERYONE);
        seen.extend(rest.records.iter().map(|record| record.value().student.id));
        assert_eq!(seen.len(), expected.len());
    }
}

/// Fails if a plan that was made before the removal is written after it.
#[test]
fn a_club_removed_beside_new_members_has_none_of_them() {
    let store = Arc::new(MemoryStore::new());
    block_on(async {
        let _ = write(&open(store.clone()).await, vec![club(1).into()]).await;
    });
    let written = at_once(&store, async |directory, number| {
        let change = if number == WRITERS / 2 {
            DirectoryChange::RemoveClub(club_id(1))
        } else {
            member(number, 1).into()
        };
        match write(directory, vec![change]).await {
            WriteOutcome::Written(_) => true,
            WriteOutcome::Rejected {
                index: 0,
                reason: RejectionReason::UnknownClub(_),
            } => false,
            other => panic!("a removed club is unknown, not {other:?}"),
        }
    });
    let newest = block_on(async { open(store).await.snapshot().await.unwrap() });
    let students = all(newest.students(), &[]);
    assert_eq!(
        students.len(),
        written.iter().filter(|written| **written).count() - 1,
        "exactly the accepted students exist"
    );
    assert!(
        students
            .iter()
            .all(|found| { found.major_club.is_none() && !found.student.is_member_of(club_id(1)) })
    );
}

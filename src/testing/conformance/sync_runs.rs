use super::fixtures::{NOW, at};
use super::store_under_test::{CONCURRENT_CALLERS, ExpectOk, SyncUnderTest};
use crate::domain::{
    DataKind, DateRange, ShortText, SubjectId, SyncResult, SyncRunRecord, Timestamp,
};
use crate::store::retention::{CLOCK_SKEW, MAX_DELETED_PER_INSERT, SYNC_RUN_RETENTION};
use crate::store::{Lease, LeaseAcquisition, MAX_LISTED_SYNC_RUNS};

cases! { SyncStore, sync_runs as __conformance_sync_runs:
    a_run_is_found_as_it_was_appended
    a_run_under_way_is_replaced_by_the_next_record_of_its_kind
    the_newest_runs_come_first_and_no_more_than_asked_for
    the_first_run_of_each_kind_is_known
    old_runs_are_deleted_in_small_batches
    a_success_confirms_its_kind_and_a_failure_none
    a_kind_is_confirmed_forwards_only
    a_confirmation_of_a_clock_that_was_ahead_is_corrected_by_the_next_one
    of_many_confirmations_the_latest_holds
    a_free_lease_is_acquired_and_a_held_one_is_not
    a_lease_ends_when_it_expires_or_is_released
    a_holder_renews_its_lease
    a_lease_of_a_clock_that_was_ahead_is_free
    of_many_holders_one_acquires_a_lease
    of_many_appended_runs_none_is_lost
}

async fn a_run_is_found_as_it_was_appended(store: &SyncUnderTest) {
    let full = SyncRunRecord {
        code: Some(ShortText::from_static("ERROR-337")),
        result: SyncResult::QuotaSpent,
        detail: ShortText::from_static("the quota is spent: \"오늘\""),
        calls: u32::MAX,
        skipped: u32::MAX,
        versions: [7, 9_000_000_000],
        by: "누구".parse().expect("an id"),
        ..run(1)
    };
    for run in [&full, &run(2)] {
        store.append_sync_run(run.clone()).await.expect_ok();
    }
    let found = store.reopened().sync_runs(9).await.expect_ok();
    assert_eq!(found, [run(2), full], "the same, through any handle");
    for (number, result) in (10..).zip(SyncResult::ALL) {
        let run = SyncRunRecord {
            result: *result,
            ..run(number)
        };
        store.append_sync_run(run.clone()).await.expect_ok();
        assert_eq!(store.sync_runs(1).await.expect_ok(), [run]);
    }
}

async fn a_run_under_way_is_replaced_by_the_next_record_of_its_kind(store: &SyncUnderTest) {
    let of = |kind, result, number| SyncRunRecord {
        kind,
        result,
        ..run(number)
    };
    let [meals, lessons] = [(DataKind::Meals, 2), (DataKind::Timetables, 3)]
        .map(|(kind, number)| of(kind, SyncResult::Running, number));
    for run in [run(1), meals.clone(), lessons.clone()] {
        store.append_sync_run(run).await.expect_ok();
    }
    assert_eq!(
        store.reopened().sync_runs(9).await.expect_ok(),
        [lessons.clone(), meals, run(1)]
    );
    let later = of(DataKind::Meals, SyncResult::Running, 4);
    store.append_sync_run(later.clone()).await.expect_ok();
    assert_eq!(
        store.sync_runs(9).await.expect_ok(),
        [later, lessons.clone(), run(1)],
        "the runs that have ended and those of other kinds stay"
    );
    let ended = of(DataKind::Meals, SyncResult::Interrupted, 5);
    for run in [&ended, &run(6)] {
        store.append_sync_run(run.clone()).await.expect_ok();
    }
    assert_eq!(
        store.sync_runs(9).await.expect_ok(),
        [run(6), ended, lessons, run(1)]
    );
}

async fn the_newest_runs_come_first_and_no_more_than_asked_for(store: &SyncUnderTest) {
    assert_eq!(store.sync_runs(9).await.expect_ok(), []);
    // The clock of the second node is behind.
    let behind = SyncRunRecord {
        started_at: at(-99),
        ended_at: at(-90),
        ..run(2)
    };
    for run in [run(1), behind.clone(), run(3)] {
        store.append_sync_run(run).await.expect_ok();
    }
    assert_eq!(store.sync_runs(0).await.expect_ok(), []);
    assert_eq!(
        store.sync_runs(2).await.expect_ok(),
        [run(3), behind],
        "in the order in which they were appended"
    );
    for number in 4..=MAX_LISTED_SYNC_RUNS + 2 {
        store.append_sync_run(run(number)).await.expect_ok();
    }
    let all = store.sync_runs(u32::MAX).await.expect_ok();
    assert_eq!(all.len(), MAX_LISTED_SYNC_RUNS as usize);
}

async fn the_first_run_of_each_kind_is_known(store: &SyncUnderTest) {
    assert_eq!(store.first_sync_runs().await.expect_ok(), []);
    let of = |kind, number| SyncRunRecord {
        kind,
        ..run(number)
    };
    for run in [
        of(DataKind::Timetables, 9),
        of(DataKind::Meals, 3),
        // The clock of another node is behind.
        of(DataKind::Meals, 2),
        of(DataKind::Meals, 5),
    ] {
        store.append_sync_run(run).await.expect_ok();
    }
    assert_eq!(
        store.reopened().first_sync_runs().await.expect_ok(),
        [(DataKind::Meals, at(1)), (DataKind::Timetables, at(8))]
    );
}

async fn old_runs_are_deleted_in_small_batches(store: &SyncUnderTest) {
    let old = 3 * MAX_DELETED_PER_INSERT;
    for number in (1..).take(old) {
        store.append_sync_run(run(number)).await.expect_ok();
    }
    let retained = NOW.plus(SYNC_RUN_RETENTION).plus(CLOCK_SKEW).seconds();
    let ended = |seconds: i64| SyncRunRecord {
        ended_at: Timestamp::from_seconds(retained + seconds),
        ..run(100)
    };
    // The first run ended at one second.
    store.append_sync_run(ended(0)).await.expect_ok();
    assert_eq!(
        store.sync_runs(99).await.expect_ok().len(),
        old + 1,
        "none is deleted before its time"
    );
    store.append_sync_run(ended(1)).await.expect_ok();
    let found = store.sync_runs(99).await.expect_ok();
    assert_eq!(found.len(), old + 1, "one has had its time");
    assert!(!found.contains(&run(1)), "the oldest");
    store.append_sync_run(ended(99)).await.expect_ok();
    let found = store.sync_runs(99).await.expect_ok();
    assert_eq!(found.len(), old + 2 - MAX_DELETED_PER_INSERT);
    assert!(
        !found.contains(&run(2)) && found.contains(&run(20)),
        "the oldest first"
    );
}

async fn a_success_confirms_its_kind_and_a_failure_none(store: &SyncUnderTest) {
    let of = |kind, result| SyncRunRecord {
        kind,
        result,
        ..run(5)
    };
    for result in SyncResult::ALL.iter().filter(|result| !result.is_success()) {
        let failed = of(DataKind::Meals, *result);
        store.append_sync_run(failed).await.expect_ok();
    }
    assert_eq!(
        store.data_as_of().await.expect_ok(),
        [],
        "no run has succeeded"
    );
    let empty = of(DataKind::Timetables, SyncResult::Empty);
    store.append_sync_run(empty).await.expect_ok();
    let synced = of(DataKind::Meals, SyncResult::Synced);
    store.append_sync_run(synced.clone()).await.expect_ok();
    let as_of = synced.started_at;
    let expected = [(DataKind::Meals, as_of), (DataKind::Timetables, as_of)];
    assert_eq!(
        store.reopened().data_as_of().await.expect_ok(),
        expected,
        "as of the start of the run, which read the source after it"
    );
    let earlier = SyncRunRecord {
        kind: DataKind::Meals,
        ..run(4)
    };
    store.append_sync_run(earlier).await.expect_ok();
    assert_eq!(store.data_as_of().await.expect_ok(), expected);
}

async fn a_kind_is_confirmed_forwards_only(store: &SyncUnderTest) {
    for (number, kind) in (0..).zip(DataKind::ALL.iter().rev()) {
        let as_of = at(number);
        store.confirm_data(*kind, as_of, as_of).await.expect_ok();
    }
    let all = store.data_as_of().await.expect_ok();
    let expected = DataKind::ALL.iter().copied().zip((0..6).rev().map(at));
    assert!(all.iter().copied().eq(expected), "{all:?}");
    for (seconds, holds) in [(9, 9), (8, 9), (10, 10)] {
        let kind = DataKind::Clubs;
        let as_of = at(seconds);
        store.confirm_data(kind, as_of, as_of).await.expect_ok();
        let all = store.data_as_of().await.expect_ok();
        assert!(all.contains(&(kind, at(holds))), "{all:?}");
    }
}

async fn a_confirmation_of_a_clock_that_was_ahead_is_corrected_by_the_next_one(
    store: &SyncUnderTest,
) {
    let kind = DataKind::Meals;
    let confirm = async |as_of, now| {
        store.confirm_data(kind, as_of, now).await.expect_ok();
        let all = store.reopened().data_as_of().await.expect_ok();
        all.into_iter().map(|(_, as_of)| as_of).collect::<Vec<_>>()
    };
    let ahead = at(1000);
    assert_eq!(confirm(ahead, ahead).await, [ahead]);
    let tolerated = NOW
        .plus(std::time::Duration::from_secs(1000))
        .minus(CLOCK_SKEW);
    assert_eq!(
        confirm(tolerated, tolerated).await,
        [ahead],
        "clocks of nodes differ a little"
    );
    let now = tolerated.minus(std::time::Duration::from_secs(1));
    assert_eq!(confirm(at(3), now).await, [at(3)]);
    // So does a run that succeeds.
    assert_eq!(confirm(ahead, ahead).await, [ahead]);
    store.append_sync_run(run(9)).await.expect_ok();
    assert_eq!(store.data_as_of().await.expect_ok(), [(kind, at(8))]);
}

async fn of_many_confirmations_the_latest_holds(store: &SyncUnderTest) {
    let callers = store.race(async |store, number| {
        let as_of = at(i64::try_from(number).unwrap_or_default());
        store
            .confirm_data(DataKind::Students, as_of, at(99))
            .await
            .expect_ok();
        as_of
    });
    let latest = callers.into_iter().max().expect("there are callers");
    let all = store.data_as_of().await.expect_ok();
    assert_eq!(all, [(DataKind::Students, latest)]);
}

async fn a_free_lease_is_acquired_and_a_held_one_is_not(store: &SyncUnderTest) {
    assert_eq!(store.lease(&work(), NOW).await.expect_ok(), None);
    let (first, second) = (lease("first", 60), lease("second", 90));
    acquire(store, &first, NOW, LeaseAcquisition::Acquired).await;
    acquire(
        store,
        &second,
        at(59),
        LeaseAcquisition::Held(first.clone()),
    )
    .await;
    let found = store.reopened().lease(&work(), at(59)).await.expect_ok();
    assert_eq!(found, Some(first), "the lease is as it was");
    let other = ShortText::from_static("another name");
    let acquired = store.acquire_lease(&other, second, NOW).await.expect_ok();
    assert_eq!(
        acquired,
        LeaseAcquisition::Acquired,
        "names are independent"
    );
}

async fn a_lease_ends_when_it_expires_or_is_released(store: &SyncUnderTest) {
    let (first, second) = (lease("first", 60), lease("second", 90));
    acquire(store, &first, NOW, LeaseAcquisition::Acquired).await;
    assert_eq!(store.lease(&work(), at(60)).await.expect_ok(), None);
    acquire(store, &second, at(60), LeaseAcquisition::Acquired).await;
    let release = async |holder: &Lease| {
        let released = store.release_lease(&work(), &holder.holder).await;
        released.expect_ok()
    };
    assert!(!release(&first).await, "it is another holder's by now");
    assert_eq!(
        store.lease(&work(), at(61)).await.expect_ok(),
        Some(second.clone())
    );
    assert!(release(&second).await);
    assert!(!release(&second).await, "a lease is released once");
    assert_eq!(store.lease(&work(), at(61)).await.expect_ok(), None);
    acquire(
        store,
        &lease("third", 99),
        at(61),
        LeaseAcquisition::Acquired,
    )
    .await;
}

async fn a_holder_renews_its_lease(store: &SyncUnderTest) {
    acquire(store, &lease("first", 60), NOW, LeaseAcquisition::Acquired).await;
    let renewed = lease("first", 120);
    acquire(store, &renewed, at(50), LeaseAcquisition::Acquired).await;
    let second = lease("second", 180);
    acquire(store, &second, at(100), LeaseAcquisition::Held(renewed)).await;
}

async fn a_lease_of_a_clock_that_was_ahead_is_free(store: &SyncUnderTest) {
    let skew = i64::try_from(CLOCK_SKEW.as_secs()).expect("a minute");
    let tolerated = lease("tolerated", 60 + skew);
    acquire(store, &tolerated, at(skew), LeaseAcquisition::Acquired).await;
    let second = lease("second", 60);
    acquire(
        store,
        &second,
        NOW,
        LeaseAcquisition::Held(tolerated.clone()),
    )
    .await;
    let ahead = lease("tolerated", 61 + skew);
    acquire(store, &ahead, at(skew), LeaseAcquisition::Acquired).await;
    acquire(store, &second, NOW, LeaseAcquisition::Acquired).await;
    assert_eq!(store.lease(&work(), NOW).await.expect_ok(), Some(second));
}

async fn of_many_holders_one_acquires_a_lease(store: &SyncUnderTest) {
    for round in 0..5 {
        // Free at first, and later expired.
        let now = at(round * 100);
        let answers = store.race(async |store, number| {
            let lease = Lease {
                holder: format!("holder {number}").parse().expect("a line"),
                expires_at: now.plus(std::time::Duration::from_secs(60)),
            };
            let answer = store.acquire_lease(&work(), lease.clone(), now).await;
            (lease, answer.expect_ok())
        });
        let acquired = |answer: &&(Lease, LeaseAcquisition)| answer.1 == LeaseAcquisition::Acquired;
        let holders: Vec<_> = answers.iter().filter(acquired).collect();
        let [(holder, _)] = *holders else {
            panic!(
                "{} of {CONCURRENT_CALLERS} acquired the lease",
                holders.len()
            )
        };
        assert_eq!(
            store.lease(&work(), now).await.expect_ok().as_ref(),
            Some(holder)
        );
        let held = LeaseAcquisition::Held(holder.clone());
        let others = answers.iter().filter(|(_, answer)| *answer == held);
        assert_eq!(
            others.count(),
            CONCURRENT_CALLERS - 1,
            "and the others see it"
        );
    }
}

async fn of_many_appended_runs_none_is_lost(store: &SyncUnderTest) {
    let numbers = store.race(async |store, number| {
        let number = u32::try_from(number).unwrap_or_default();
        store.append_sync_run(run(number)).await.expect_ok();
        number
    });
    let mut found: Vec<u32> = store
        .sync_runs(99)
        .await
        .expect_ok()
        .iter()
        .map(|run| run.calls)
        .collect();
    found.sort_unstable();
    assert_eq!(found, numbers);
}

/// A run with this number of calls, which ended so many seconds after [`NOW`].
fn run(number: u32) -> SyncRunRecord {
    let [first, last] = ["2026-03-01", "2027-02-28"].map(|day| day.parse().expect("a day"));
    SyncRunRecord {
        kind: DataKind::Meals,
        window: DateRange::new(first, last).expect("a year"),
        result: SyncResult::Synced,
        detail: ShortText::from_static("the directory is up to date"),
        code: None,
        calls: number,
        inserted: 1,
        updated: 2,
        deleted: 3,
        skipped: 4,
        versions: [5, 6],
        by: SubjectId::service(),
        started_at: at(i64::from(number) - 1),
        ended_at: at(i64::from(number)),
    }
}

fn work() -> ShortText {
    ShortText::from_static("sync")
}

fn lease(holder: &'static str, seconds: i64) -> Lease {
    Lease {
        holder: ShortText::from_static(holder),
        expires_at: at(seconds),
    }
}

async fn acquire(store: &SyncUnderTest, lease: &Lease, now: Timestamp, expected: LeaseAcquisition) {
    let answer = store.acquire_lease(&work(), lease.clone(), now).await;
    assert_eq!(answer.expect_ok(), expected);
}

use std::collections::BTreeMap;

use super::fixtures::{at, client, grant, owner};
use super::store_under_test::{CONCURRENT_CALLERS, ExpectOk, StoreUnderTest};
use crate::domain::{
    ApiKeyId, ApplicationId, AuditEntry, AuditFilter, AuditId, AuditRecord, ShortText, SubjectId,
    Timestamp,
};
use crate::store::{MAX_LISTED_AUDIT_RECORDS, MAX_SWEPT_AUDIT_RECORDS};

cases! { Storage, audit_trail as __conformance_audit_trail:
    what_happened_is_found_as_it_was_written_down
    a_page_goes_on_where_the_one_before_ended
    a_page_comes_back_to_the_one_before
    what_happened_is_counted_by_day_and_kind
    every_filter_of_what_happened_finds_what_it_says
    the_newest_record_of_a_kind_is_found_for_each_of_many
    what_happened_in_a_request_comes_in_order
    no_more_of_what_happened_is_shown_than_anyone_reads
    of_many_batches_of_what_happened_none_is_lost_and_each_stays_together
    old_audit_records_are_deleted_in_small_batches
}

async fn what_happened_is_found_as_it_was_written_down(store: &StoreUnderTest) {
    let full = AuditRecord {
        request_id: ShortText::from_static("0123456789"),
        kind: ShortText::from_static("managed"),
        subject: Some("누구".parse().expect("an id")),
        target: Some("그누구".parse().expect("an id")),
        client: Some(client(1).id),
        application: Some(ApplicationId::from_random([4; 16])),
        grant: Some(grant(2)),
        api_key: Some(ApiKeyId::from_random([3; 16])),
        json: r#"{"event":"managed","name":"동아리 \"x\""}"#
            .parse()
            .expect("prose"),
        ..record(1)
    };
    let of_the_service = AuditRecord {
        application: Some(ApplicationId::Service),
        at: at(-5),
        ..record(2)
    };
    let kept = [full, record(3), of_the_service];
    store.append_audit_records(kept.to_vec()).await.expect_ok();
    store.append_audit_records(vec![]).await.expect_ok();
    let found = store
        .audit_records(&AuditFilter::default(), None, 9)
        .await
        .expect_ok();
    let records: Vec<_> = found
        .iter()
        .rev()
        .map(|entry| entry.record.clone())
        .collect();
    assert_eq!(records, kept, "newest first, by number and not by time");
    assert!(
        found.is_sorted_by(|newer, older| newer.id > older.id),
        "numbers rise"
    );
}

async fn a_page_goes_on_where_the_one_before_ended(store: &StoreUnderTest) {
    append(store, 1..=5).await;
    let first = page(store, None, 2).await;
    assert_eq!(numbers(&first), [5, 4]);
    append(store, 6..=7).await;
    let second = page(store, first.last().map(|entry| entry.id), 2).await;
    assert_eq!(
        numbers(&second),
        [3, 2],
        "records appended meanwhile do not shift the pages"
    );
    let third = page(store, second.last().map(|entry| entry.id), 2).await;
    assert_eq!(numbers(&third), [1]);
    assert_eq!(
        page(store, third.last().map(|entry| entry.id), 2).await,
        [],
        "nothing follows the last page"
    );
    assert_eq!(page(store, None, 0).await, []);
}

async fn a_page_comes_back_to_the_one_before(store: &StoreUnderTest) {
    append(store, 1..=6).await;
    let oldest = page(store, None, 9).await.pop().expect("a record").id;
    let newer = async |filter: AuditFilter, after, size| {
        let found = store.audit_records_after(&filter, after, size).await;
        found.expect_ok()
    };
    let all = AuditFilter::default;
    let next = newer(all(), oldest, 2).await;
    assert_eq!(numbers(&next), [2, 3], "the nearest ones, oldest first");
    let last = next.last().expect("a record").id;
    let even = AuditFilter {
        from: Some(at(5)),
        ..all()
    };
    assert_eq!(numbers(&newer(even, last, 9).await), [5, 6]);
    assert_eq!(
        newer(all(), last, u32::MAX).await.len(),
        3,
        "all newer ones"
    );
    assert_eq!(newer(all(), last, 0).await, []);
}

async fn what_happened_is_counted_by_day_and_kind(store: &StoreUnderTest) {
    // 1970-01-11 at midnight.
    let midnight = Timestamp::from_seconds(10 * 86_400);
    let later = |seconds: u64| midnight.plus(std::time::Duration::from_secs(seconds));
    let refused = ShortText::from_static("refused");
    let kept = [
        (midnight, "refused", Some(client(9).id)),
        (later(1), "refused", Some(client(9).id)),
        (later(2), "signed_in", Some(client(9).id)),
        (later(3), "refused", None),
        (later(86_399), "refused", Some(client(9).id)),
        (later(86_400), "refused", Some(client(9).id)),
    ];
    let kept = kept.map(|(at, kind, client)| AuditRecord {
        at,
        kind: ShortText::from_static(kind),
        client,
        ..record(1)
    });
    store.append_audit_records(kept.to_vec()).await.expect_ok();
    let of_client = AuditFilter {
        client: Some(client(9).id),
        ..AuditFilter::default()
    };
    let counted = async |filter: &AuditFilter, offset| {
        let counts = store.audit_counts(filter, offset).await.expect_ok();
        let tuples = counts
            .into_iter()
            .map(|count| (count.day, count.kind.to_string(), count.count));
        tuples.collect::<Vec<_>>()
    };
    let told = |day: i64, kind: &str, count| (day, kind.to_owned(), count);
    assert_eq!(
        counted(&of_client, 0).await,
        [
            told(10, "refused", 3),
            told(10, "signed_in", 1),
            told(11, "refused", 1)
        ]
    );
    let only = AuditFilter {
        kind: Some(refused),
        from: Some(later(1)),
        ..of_client
    };
    assert_eq!(
        counted(&only, 1).await,
        [told(10, "refused", 1), told(11, "refused", 2)],
        "a day begins earlier east of Greenwich"
    );
    let earlier = [told(9, "refused", 1), told(10, "refused", 2)];
    assert_eq!(counted(&only, -86_399).await, earlier);
    assert_eq!(
        counted(
            &AuditFilter {
                to: Some(midnight),
                ..only
            },
            0
        )
        .await,
        []
    );
}

async fn every_filter_of_what_happened_finds_what_it_says(store: &StoreUnderTest) {
    let (key, application) = (
        ApiKeyId::from_random([3; 16]),
        ApplicationId::from_random([4; 16]),
    );
    let kept = vec![
        AuditRecord {
            kind: ShortText::from_static("signed_out"),
            ..record(1)
        },
        AuditRecord {
            subject: Some(owner()),
            client: Some(client(9).id),
            ..record(2)
        },
        AuditRecord {
            client: Some(client(9).id),
            grant: Some(grant(5)),
            ..record(3)
        },
        AuditRecord {
            application: Some(application),
            subject: Some(owner()),
            ..record(4)
        },
        AuditRecord {
            api_key: Some(key),
            target: Some(owner()),
            ..record(5)
        },
    ];
    store.append_audit_records(kept).await.expect_ok();
    let all = AuditFilter::default;
    for (filter, expected) in [
        (all(), &[5, 4, 3, 2, 1][..]),
        (
            AuditFilter {
                kind: Some(ShortText::from_static("signed_out")),
                ..all()
            },
            &[1],
        ),
        (
            AuditFilter {
                kind: Some(ShortText::from_static("signed_in")),
                ..all()
            },
            &[5, 4, 3, 2],
        ),
        (
            AuditFilter {
                kind: Some(ShortText::from_static("Signed_out")),
                ..all()
            },
            &[],
        ),
        (
            AuditFilter {
                subject: Some(owner()),
                ..all()
            },
            &[4, 2],
        ),
        (
            AuditFilter {
                target: Some(owner()),
                ..all()
            },
            &[5],
        ),
        (
            AuditFilter {
                subject: Some(owner()),
                target: Some(owner()),
                ..all()
            },
            &[],
        ),
        (
            AuditFilter {
                client: Some(client(9).id),
                ..all()
            },
            &[3, 2],
        ),
        (
            AuditFilter {
                application: Some(application),
                ..all()
            },
            &[4],
        ),
        (
            AuditFilter {
                grant: Some(grant(5)),
                ..all()
            },
            &[3],
        ),
        (
            AuditFilter {
                api_key: Some(key),
                ..all()
            },
            &[5],
        ),
        (
            AuditFilter {
                from: Some(at(2)),
                to: Some(at(4)),
                ..all()
            },
            &[3, 2],
        ),
        (
            AuditFilter {
                from: Some(at(4)),
                ..all()
            },
            &[5, 4],
        ),
        (
            AuditFilter {
                subject: Some(owner()),
                client: Some(client(9).id),
                ..all()
            },
            &[2],
        ),
        (
            AuditFilter {
                subject: Some(owner()),
                to: Some(at(2)),
                ..all()
            },
            &[],
        ),
    ] {
        let found = store.audit_records(&filter, None, 9).await.expect_ok();
        assert_eq!(numbers(&found), expected, "{filter:?}");
    }
    let before = store.audit_records(&all(), None, 1).await.expect_ok();
    let filter = AuditFilter {
        client: Some(client(9).id),
        ..all()
    };
    let found = store
        .audit_records(&filter, before.first().map(|entry| entry.id), 1)
        .await
        .expect_ok();
    assert_eq!(numbers(&found), [3], "a filter holds on every page");
}

async fn the_newest_record_of_a_kind_is_found_for_each_of_many(store: &StoreUnderTest) {
    let [somebody, nobody] = ["누구", "그누구"].map(|id| id.parse().expect("an id"));
    let of = |subject: &SubjectId, kind, number| AuditRecord {
        kind: ShortText::from_static(kind),
        subject: Some(subject.clone()),
        ..record(number)
    };
    let kept = vec![
        of(&owner(), "signed_in", 1),
        of(&somebody, "signed_in", 2),
        of(&owner(), "signed_in", 3),
        of(&owner(), "signed_out", 4),
    ];
    store.append_audit_records(kept.clone()).await.expect_ok();
    let subjects = [nobody, owner(), somebody.clone(), owner()];
    let newest = store.newest_audit_records(&kept[0].kind, &subjects).await;
    let expected = [(owner(), kept[2].clone()), (somebody, kept[1].clone())];
    assert_eq!(newest.expect_ok(), BTreeMap::from(expected));
}

async fn what_happened_in_a_request_comes_in_order(store: &StoreUnderTest) {
    append(store, 1..=2).await;
    store
        .append_audit_records(
            [7, 8]
                .map(|number| AuditRecord {
                    request_id: request(1),
                    ..record(number)
                })
                .to_vec(),
        )
        .await
        .expect_ok();
    let told =
        async |number: u8| numbers(&store.audit_records_of(&request(number)).await.expect_ok());
    assert_eq!(told(1).await, [1, 7, 8], "from the first record");
    assert_eq!((told(2).await, told(9).await), (vec![2], vec![]));
}

async fn no_more_of_what_happened_is_shown_than_anyone_reads(store: &StoreUnderTest) {
    let most = MAX_LISTED_AUDIT_RECORDS as usize;
    let many = std::iter::repeat_with(|| record(1)).take(most + 1);
    store.append_audit_records(many.collect()).await.expect_ok();
    assert_eq!(
        page(store, None, u32::MAX).await.len(),
        most,
        "a page is limited"
    );
    assert_eq!(
        store.audit_records_of(&request(1)).await.expect_ok().len(),
        most,
        "so are the records of a request"
    );
}

async fn of_many_batches_of_what_happened_none_is_lost_and_each_stays_together(
    store: &StoreUnderTest,
) {
    store.race(async |store, caller| {
        let caller = u8::try_from(caller).unwrap_or_default();
        let batch = [2 * caller, 2 * caller + 1].map(|number| AuditRecord {
            request_id: request(caller),
            ..record(number)
        });
        store.append_audit_records(batch.to_vec()).await.expect_ok();
    });
    let found = page(store, None, MAX_LISTED_AUDIT_RECORDS).await;
    assert_eq!(
        found.len(),
        2 * CONCURRENT_CALLERS,
        "of {CONCURRENT_CALLERS} batches none is lost"
    );
    for pair in found.chunks(2) {
        let [newer, older] = pair else {
            panic!("each batch has both records")
        };
        assert_eq!(
            newer.record.request_id, older.record.request_id,
            "nothing comes between the records of a batch"
        );
        assert!(
            older.id < newer.id && older.record.at < newer.record.at,
            "each batch keeps its order"
        );
    }
}

// Proves: threats 42
async fn old_audit_records_are_deleted_in_small_batches(store: &StoreUnderTest) {
    let old = std::iter::repeat_with(|| AuditRecord {
        at: at(-9),
        ..record(1)
    })
    .take(MAX_SWEPT_AUDIT_RECORDS + 3);
    store.append_audit_records(old.collect()).await.expect_ok();
    append(store, 2..=4).await;
    store
        .append_audit_records(vec![AuditRecord {
            at: at(-10),
            ..record(5)
        }])
        .await
        .expect_ok();
    let sweep = async |until| store.sweep_audit_records(at(until)).await.expect_ok();
    assert_eq!(sweep(-11).await, 0, "newer records stay");
    assert_eq!(sweep(-10).await, 1, "by time, whatever the number");
    assert_eq!(
        (sweep(-9).await, sweep(-9).await, sweep(-9).await),
        (MAX_SWEPT_AUDIT_RECORDS, 3, 0),
        "one call deletes a few"
    );
    assert_eq!(
        numbers(&page(store, None, 9).await),
        [4, 3, 2],
        "and newer records stay"
    );
    let last = page(store, None, 1).await.pop().map(|entry| entry.id);
    assert_eq!(sweep(9).await, 3);
    append(store, 6..=6).await;
    assert!(
        page(store, None, 1).await.pop().map(|entry| entry.id) > last,
        "no number is reused"
    );
    let again = store.reopened();
    let found = again
        .audit_records(&AuditFilter::default(), None, 9)
        .await
        .expect_ok();
    assert_eq!(
        numbers(&found),
        [6],
        "the records are visible through another handle"
    );
}

fn record(number: u8) -> AuditRecord {
    AuditRecord {
        at: at(number.into()),
        request_id: request(number),
        kind: ShortText::from_static("signed_in"),
        subject: None,
        target: None,
        client: None,
        application: None,
        grant: None,
        api_key: None,
        json: format!(r#"{{"number":{number}}}"#).parse().expect("prose"),
    }
}

fn request(number: u8) -> ShortText {
    format!("request-{number}").parse().expect("a line")
}

async fn append(store: &StoreUnderTest, numbers: std::ops::RangeInclusive<u8>) {
    store
        .append_audit_records(numbers.map(record).collect())
        .await
        .expect_ok();
}

async fn page(store: &StoreUnderTest, before: Option<AuditId>, size: u32) -> Vec<AuditEntry> {
    store
        .audit_records(&AuditFilter::default(), before, size)
        .await
        .expect_ok()
}

/// Returns the numbers in the records.
fn numbers(entries: &[AuditEntry]) -> Vec<u8> {
    entries
        .iter()
        .filter_map(|entry| entry.record.json.split([':', '}']).nth(1)?.parse().ok())
        .collect()
}

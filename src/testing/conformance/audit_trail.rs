use super::candidate::{Answered, Candidate, RACERS};
use super::given::{at, client, grant, owner};
use crate::domain::{ApiKeyId, ApplicationId, AuditEntry, AuditFilter, AuditId, AuditRecord, Line};
use crate::store::{AUDIT_RECORDS_SHOWN, AUDIT_RECORDS_SWEPT};

pub(super) async fn what_happened_is_found_as_it_was_written_down(store: &Candidate) {
    let full = AuditRecord {
        request: Line::literal("0123456789"),
        kind: Line::literal("managed"),
        subject: Some("누구".parse().expect("an id")),
        client: Some(client(1).id),
        application: Some(ApplicationId::from_random([4; 16])),
        grant: Some(grant(2)),
        api_key: Some(ApiKeyId::from_random([3; 16])),
        line: r#"{"event":"managed","name":"동아리 \"x\""}"#.parse().expect("prose"),
        ..record(1)
    };
    let of_the_service = AuditRecord { application: Some(ApplicationId::Service), at: at(-5), ..record(2) };
    let kept = [full, record(3), of_the_service];
    store.append_audit_records(kept.to_vec()).await.answered();
    store.append_audit_records(vec![]).await.answered();
    let found = store.audit_records(&AuditFilter::default(), None, 9).await.answered();
    let records: Vec<_> = found.iter().rev().map(|entry| entry.record.clone()).collect();
    assert_eq!(records, kept, "the newest first, by their numbers and not by their moments");
    assert!(found.is_sorted_by(|newer, older| newer.id > older.id), "numbers rise");
}

pub(super) async fn a_page_goes_on_where_the_one_before_ended(store: &Candidate) {
    append(store, 1..=5).await;
    let first = page(store, None, 2).await;
    assert_eq!(numbers(&first), [5, 4]);
    append(store, 6..=7).await;
    let second = page(store, first.last().map(|entry| entry.id), 2).await;
    assert_eq!(numbers(&second), [3, 2], "what is written down meanwhile moves nothing");
    let third = page(store, second.last().map(|entry| entry.id), 2).await;
    assert_eq!(numbers(&third), [1]);
    assert_eq!(page(store, third.last().map(|entry| entry.id), 2).await, [], "past the end there is nothing");
    assert_eq!(page(store, None, 0).await, []);
}

pub(super) async fn every_filter_of_what_happened_finds_what_it_says(store: &Candidate) {
    let (key, application) = (ApiKeyId::from_random([3; 16]), ApplicationId::from_random([4; 16]));
    let kept = vec![
        AuditRecord { kind: Line::literal("signed_out"), ..record(1) },
        AuditRecord { subject: Some(owner()), client: Some(client(9).id), ..record(2) },
        AuditRecord { client: Some(client(9).id), grant: Some(grant(5)), ..record(3) },
        AuditRecord { application: Some(application), subject: Some(owner()), ..record(4) },
        AuditRecord { api_key: Some(key), ..record(5) },
    ];
    store.append_audit_records(kept).await.answered();
    let all = AuditFilter::default;
    for (filter, expected) in [
        (all(), &[5, 4, 3, 2, 1][..]),
        (AuditFilter { kind: Some(Line::literal("signed_out")), ..all() }, &[1]),
        (AuditFilter { kind: Some(Line::literal("signed_in")), ..all() }, &[5, 4, 3, 2]),
        (AuditFilter { kind: Some(Line::literal("Signed_out")), ..all() }, &[]),
        (AuditFilter { subject: Some(owner()), ..all() }, &[4, 2]),
        (AuditFilter { client: Some(client(9).id), ..all() }, &[3, 2]),
        (AuditFilter { application: Some(application), ..all() }, &[4]),
        (AuditFilter { grant: Some(grant(5)), ..all() }, &[3]),
        (AuditFilter { api_key: Some(key), ..all() }, &[5]),
        (AuditFilter { from: Some(at(2)), to: Some(at(4)), ..all() }, &[3, 2]),
        (AuditFilter { from: Some(at(4)), ..all() }, &[5, 4]),
        (AuditFilter { subject: Some(owner()), client: Some(client(9).id), ..all() }, &[2]),
        (AuditFilter { subject: Some(owner()), to: Some(at(2)), ..all() }, &[]),
    ] {
        let found = store.audit_records(&filter, None, 9).await.answered();
        assert_eq!(numbers(&found), expected, "{filter:?}");
    }
    let before = store.audit_records(&all(), None, 1).await.answered();
    let filter = AuditFilter { client: Some(client(9).id), ..all() };
    let found = store.audit_records(&filter, before.first().map(|entry| entry.id), 1).await.answered();
    assert_eq!(numbers(&found), [3], "a filter holds on every page");
}

pub(super) async fn what_happened_in_a_request_comes_in_order(store: &Candidate) {
    append(store, 1..=2).await;
    store.append_audit_records([7, 8].map(|number| AuditRecord { request: request(1), ..record(number) }).to_vec()).await.answered();
    let told = async |number: u8| numbers(&store.audit_records_of(&request(number)).await.answered());
    assert_eq!(told(1).await, [1, 7, 8], "from the first on");
    assert_eq!((told(2).await, told(9).await), (vec![2], vec![]));
}

pub(super) async fn no_more_of_what_happened_is_shown_than_anyone_reads(store: &Candidate) {
    let most = AUDIT_RECORDS_SHOWN as usize;
    let many = std::iter::repeat_with(|| record(1)).take(most + 1);
    store.append_audit_records(many.collect()).await.answered();
    assert_eq!(page(store, None, u32::MAX).await.len(), most, "a page has an end");
    assert_eq!(store.audit_records_of(&request(1)).await.answered().len(), most, "so has what happened in a request");
}

pub(super) async fn of_many_batches_of_what_happened_none_is_lost_and_each_stays_together(store: &Candidate) {
    store.race(async |store, racer| {
        let racer = u8::try_from(racer).unwrap_or_default();
        let batch = [2 * racer, 2 * racer + 1].map(|number| AuditRecord { request: request(racer), ..record(number) });
        store.append_audit_records(batch.to_vec()).await.answered();
    });
    let found = page(store, None, AUDIT_RECORDS_SHOWN).await;
    assert_eq!(found.len(), 2 * RACERS, "of {RACERS} batches none is lost");
    for pair in found.chunks(2) {
        let [newer, older] = pair else { panic!("two come together") };
        assert_eq!(newer.record.request, older.record.request, "nothing comes between the records of a batch");
        assert!(older.id < newer.id && older.record.at < newer.record.at, "which keep their order");
    }
}

pub(super) async fn s42_what_happened_long_ago_goes_in_small_steps(store: &Candidate) {
    let old = std::iter::repeat_with(|| AuditRecord { at: at(-9), ..record(1) }).take(AUDIT_RECORDS_SWEPT + 3);
    store.append_audit_records(old.collect()).await.answered();
    append(store, 2..=4).await;
    store.append_audit_records(vec![AuditRecord { at: at(-10), ..record(5) }]).await.answered();
    let sweep = async |until| store.sweep_audit_records(at(until)).await.answered();
    assert_eq!(sweep(-11).await, 0, "what is not old enough stays");
    assert_eq!(sweep(-10).await, 1, "by its moment, whatever its number");
    assert_eq!((sweep(-9).await, sweep(-9).await, sweep(-9).await), (AUDIT_RECORDS_SWEPT, 3, 0), "few at once");
    assert_eq!(numbers(&page(store, None, 9).await), [4, 3, 2], "and what is newer stays");
    let last = page(store, None, 1).await.pop().map(|entry| entry.id);
    assert_eq!(sweep(9).await, 3);
    append(store, 6..=6).await;
    assert!(page(store, None, 1).await.pop().map(|entry| entry.id) > last, "no number is used twice");
    let again = store.again();
    let found = again.audit_records(&AuditFilter::default(), None, 9).await.answered();
    assert_eq!(numbers(&found), [6], "what was written down is there through another handle");
}

fn record(number: u8) -> AuditRecord {
    AuditRecord {
        at: at(number.into()),
        request: request(number),
        kind: Line::literal("signed_in"),
        subject: None,
        client: None,
        application: None,
        grant: None,
        api_key: None,
        line: format!(r#"{{"number":{number}}}"#).parse().expect("prose"),
    }
}

fn request(number: u8) -> Line {
    format!("request-{number}").parse().expect("a line")
}

async fn append(store: &Candidate, numbers: std::ops::RangeInclusive<u8>) {
    store.append_audit_records(numbers.map(record).collect()).await.answered();
}

async fn page(store: &Candidate, before: Option<AuditId>, size: u32) -> Vec<AuditEntry> {
    store.audit_records(&AuditFilter::default(), before, size).await.answered()
}

/// What their lines tell.
fn numbers(entries: &[AuditEntry]) -> Vec<u8> {
    entries.iter().filter_map(|entry| entry.record.line.split([':', '}']).nth(1)?.parse().ok()).collect()
}

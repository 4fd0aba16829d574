use std::net::IpAddr;
use std::sync::Mutex;

use async_trait::async_trait;

use super::*;
use crate::crypto::SystemEntropy;
use crate::domain::{
    AccountId, ApiKeyId, AuditCount, AuditEntry, AuditFilter, AuditId, AuditRecord, ClientId,
    Scope, ScopeSet, ShortText, Timestamp,
};
use crate::http::audit::{
    Change, EmailOwner, EventKind, ManagedObject, RefusalRule, RefusedRequest, RequestId,
    RequestOrigin,
};
use crate::store::memory::MemoryStore;
use crate::store::{StorageError, StoreClock};

/// A store that fails with these errors first.
#[derive(Debug, Default)]
struct TestAuditStore {
    store: MemoryStore,
    errors: Mutex<Vec<StorageError>>,
    /// The store's own clock, if any.
    clock: Mutex<Option<Timestamp>>,
}

#[async_trait]
impl StoreClock for TestAuditStore {
    async fn now(&self) -> Result<Option<Timestamp>, StorageError> {
        Ok(*self.clock.lock().unwrap())
    }
}

#[async_trait]
impl AuditStore for TestAuditStore {
    async fn append_audit_records(&self, records: Vec<AuditRecord>) -> Result<(), StorageError> {
        let error = self.errors.lock().unwrap().pop();
        match error {
            Some(error) => Err(error),
            None => self.store.append_audit_records(records).await,
        }
    }

    async fn audit_records_of(&self, request: &ShortText) -> Result<Vec<AuditEntry>, StorageError> {
        self.store.audit_records_of(request).await
    }

    async fn audit_records(
        &self,
        filter: &AuditFilter,
        before: Option<AuditId>,
        size: u32,
    ) -> Result<Vec<AuditEntry>, StorageError> {
        self.store.audit_records(filter, before, size).await
    }

    async fn audit_records_after(
        &self,
        filter: &AuditFilter,
        after: AuditId,
        size: u32,
    ) -> Result<Vec<AuditEntry>, StorageError> {
        self.store.audit_records_after(filter, after, size).await
    }

    async fn audit_counts(
        &self,
        filter: &AuditFilter,
        offset: i32,
    ) -> Result<Vec<AuditCount>, StorageError> {
        self.store.audit_counts(filter, offset).await
    }

    async fn sweep_audit_records(&self, until: Timestamp) -> Result<usize, StorageError> {
        self.store.sweep_audit_records(until).await
    }
}

impl TestAuditStore {
    /// The times of all stored records in seconds, in order.
    async fn kept(&self) -> Vec<i64> {
        let entries = self
            .store
            .audit_records(&AuditFilter::default(), None, 200)
            .await
            .unwrap();
        entries
            .iter()
            .rev()
            .map(|entry| entry.record.at.seconds())
            .collect()
    }
}

#[derive(Debug)]
struct NullAuditLog;

impl AuditLog for NullAuditLog {
    fn record(&self, _: &Event) {}
}

fn log(
    settings: impl FnOnce(StoredAuditLogBuilder) -> StoredAuditLogBuilder,
) -> (Arc<TestAuditStore>, StoredAuditLog, StoredAuditLogWriter) {
    let trail = Arc::new(TestAuditStore::default());
    let (log, writer) =
        settings(StoredAuditLog::builder(trail.clone()).forward_to(Arc::new(NullAuditLog))).build();
    (trail, log, writer)
}

fn event(at: i64, address: Option<&str>, kind: EventKind) -> Event {
    let address: Option<IpAddr> = address.map(|address| address.parse().unwrap());
    let origin = RequestOrigin {
        request_id: RequestId::new(&SystemEntropy),
        address,
    };
    Event::new(origin, Timestamp::from_seconds(at), kind)
}

fn changed(at: i64) -> Event {
    let object = ManagedObject::Account(AccountId::from_random([1; 16]));
    event(
        at,
        None,
        EventKind::Managed {
            by: "boss".parse().unwrap(),
            object,
            change: Change::Changed,
            fields: vec!["role"],
        },
    )
}

fn refused(at: i64, address: &str) -> Event {
    let refused = RefusedRequest {
        rule: RefusalRule::NotFound,
        status: 404,
        endpoint: "none",
        client: None,
        subject: None,
        api_key: None,
        parameter: None,
    };
    event(at, Some(address), EventKind::Refused(refused))
}

#[tokio::test]
async fn everything_is_kept_in_its_order_when_it_is_flushed() {
    let (trail, log, writer) = log(|builder| builder);
    for at in 0..150 {
        log.record(&changed(at));
    }
    let writing = tokio::spawn(writer.run());
    assert!(log.flush().await);
    assert_eq!(trail.kept().await, (0..150).collect::<Vec<_>>());
    log.record(&changed(150));
    assert!(log.close().await && log.close().await);
    writing.await.unwrap();
    assert_eq!((trail.kept().await.len(), log.lost()), (151, 0));
    log.record(&changed(151));
    assert_eq!(
        (trail.kept().await.len(), log.lost()),
        (151, 1),
        "records after the end are counted"
    );
}

/// Fails if recording waits for a full queue, or dropped records are not counted.
#[tokio::test]
async fn what_a_full_queue_has_no_room_for_is_counted() {
    let (trail, log, writer) = log(|builder| builder.capacity(8));
    for at in 0..20 {
        log.record(&changed(at));
    }
    assert_eq!(log.lost(), 12);
    let writing = tokio::spawn(writer.run());
    assert!(log.close().await);
    writing.await.unwrap();
    assert_eq!(trail.kept().await, (0..8).collect::<Vec<_>>());
}

/// Fails if refusals may use the whole queue.
#[tokio::test]
async fn strangers_do_not_push_out_what_happened() {
    let (trail, log, writer) = log(|builder| builder.capacity(40));
    for number in 0..1_000 {
        log.record(&refused(0, "192.0.2.1"));
        let sign_in = EventKind::SignInRefused {
            client: None,
            email_owner: EmailOwner::NoUser,
        };
        log.record(&event(0, None, sign_in));
        if number % 50 == 0 {
            log.record(&changed(number));
        }
    }
    tokio::spawn(writer.run());
    assert!(log.flush().await);
    let kept = trail.kept().await;
    assert_eq!(
        kept.iter()
            .filter(|at| **at > 0)
            .copied()
            .collect::<Vec<_>>(),
        (1..20).map(|number| number * 50).collect::<Vec<_>>()
    );
    assert_eq!(kept.len(), 20 + 10, "and a quarter of the queue");
}

#[tokio::test]
async fn strangers_have_a_number_in_an_hour_and_one_network_half_of_it() {
    let (trail, log, writer) = log(|builder| builder.refusals_per_hour(10));
    for _ in 0..20 {
        log.record(&refused(7_200, "2001:db8::1"));
        log.record(&refused(7_200, "2001:db8::2"));
    }
    tokio::spawn(writer.run());
    assert!(log.flush().await);
    assert_eq!(trail.kept().await.len(), 5, "a /64 is one network");
    for number in 0..20 {
        log.record(&refused(7_200, &format!("192.0.2.{number}")));
    }
    log.record(&refused(3_599, "192.0.2.99"));
    assert!(log.flush().await);
    assert_eq!(
        trail.kept().await.len(),
        10,
        "and a clock that goes back begins no new hour"
    );
    assert_eq!(log.lost(), 40 + 21 - 10);
    log.record(&refused(10_800, "2001:db8::1"));
    assert!(log.flush().await);
    assert_eq!(trail.kept().await.len(), 11);
}

/// Fails if visitors of a sign-in page, or an app that asks whether one is needed, make errors of the
/// app.
#[tokio::test]
async fn a_client_has_the_refusals_of_its_program_and_not_those_of_its_visitors() {
    let (trail, log, writer) = log(|builder| builder);
    tokio::spawn(writer.run());
    let client = ClientId::from_random([1; 16]);
    for (endpoint, rule) in [
        ("login", RefusalRule::FormToken),
        ("login", RefusalRule::SessionEnded),
        ("consent", RefusalRule::FormToken),
        ("authorize", RefusalRule::Prompt),
        ("authorize", RefusalRule::ScopeNone),
        ("token", RefusalRule::SecretWrong),
    ] {
        let refused = RefusedRequest {
            rule,
            status: 400,
            endpoint,
            client: Some(client),
            subject: None,
            api_key: None,
            parameter: None,
        };
        log.record(&event(0, None, EventKind::Refused(refused)));
    }
    assert!(log.flush().await);
    let of_client = AuditFilter {
        client: Some(client),
        ..AuditFilter::default()
    };
    let (all, id) = (AuditFilter::default(), client.to_string());
    let found = trail.store.audit_records(&all, None, 10).await.unwrap();
    assert_eq!(found.len(), 6);
    let names_client = |entry: &&AuditEntry| entry.record.json.as_str().contains(&id);
    assert_eq!(found.iter().filter(names_client).count(), 6);
    let found = trail.store.audit_records(&of_client, None, 10).await;
    let found: Vec<_> = found
        .unwrap()
        .into_iter()
        .map(|entry| entry.record.json)
        .collect();
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(
        found
            .iter()
            .any(|json| json.as_str().contains("scope_none"))
    );
}

/// Fails if one key or user uses up the quota of its network, or of the other keys and users.
#[tokio::test]
async fn refusals_of_a_key_or_a_user_leave_room_for_the_sign_ins_of_their_network() {
    let (trail, log, writer) = log(|builder| builder.refusals_per_hour(100));
    tokio::spawn(writer.run());
    let of = |api_key: Option<u8>, subject: Option<&str>| {
        let refused = RefusedRequest {
            rule: RefusalRule::RateLimited,
            status: 429,
            endpoint: "students",
            client: None,
            subject: subject.map(|id| id.parse().unwrap()),
            api_key: api_key.map(|number| ApiKeyId::from_random([number; 16])),
            parameter: None,
        };
        event(7_200, Some("192.0.2.1"), EventKind::Refused(refused))
    };
    for _ in 0..300 {
        log.record(&of(Some(1), Some("kim")));
        log.record(&of(None, Some("kim")));
    }
    assert!(log.flush().await);
    assert_eq!(trail.kept().await.len(), 5 + 5);
    log.record(&of(Some(2), None));
    for _ in 0..60 {
        log.record(&refused(7_200, "192.0.2.1"));
    }
    assert!(log.flush().await);
    assert_eq!(trail.kept().await.len(), 10 + 1 + 50, "half for a network");
    for number in 3..200 {
        log.record(&of(Some(number), None));
    }
    assert!(log.flush().await);
    assert_eq!(
        trail.kept().await.len(),
        100 + 50,
        "and no more of all keys"
    );
}

/// Fails if records that a store could not take are lost or reordered.
#[tokio::test]
async fn what_the_store_cannot_take_is_tried_again_with_the_next_event() {
    let (trail, log, writer) = log(|builder| builder);
    trail.errors.lock().unwrap().extend([
        StorageError::unavailable("away", "away"),
        StorageError::unavailable("away", "away"),
    ]);
    log.record(&changed(1));
    let writing = tokio::spawn(writer.run());
    assert!(!log.flush().await, "a failed flush is reported");
    log.record(&changed(2));
    tokio::task::yield_now().await;
    assert!(trail.kept().await.is_empty(), "tried, and failed again");
    log.record(&changed(3));
    assert!(log.close().await);
    writing.await.unwrap();
    assert_eq!((trail.kept().await, log.lost()), (vec![1, 2, 3], 0));
}

#[tokio::test]
async fn what_the_store_refuses_for_good_is_counted_and_holds_nothing_up() {
    let (trail, log, writer) = log(|builder| builder);
    trail
        .errors
        .lock()
        .unwrap()
        .push(StorageError::corrupt("audit_head.last"));
    log.record(&changed(1));
    tokio::spawn(writer.run());
    assert!(log.flush().await);
    log.record(&changed(2));
    assert!(log.flush().await);
    assert_eq!((trail.kept().await, log.lost()), (vec![2], 1));
}

#[tokio::test]
async fn what_nobody_writes_is_counted() {
    let (trail, log, writer) = log(|builder| builder);
    trail
        .errors
        .lock()
        .unwrap()
        .push(StorageError::unavailable("away", "away"));
    log.record(&changed(1));
    let writing = tokio::spawn(writer.run());
    assert!(!log.close().await, "the store was away to the end");
    writing.await.unwrap();
    assert_eq!((log.lost(), log.flush().await), (1, false));
}

#[tokio::test]
async fn what_stands_in_a_queue_whose_writer_is_gone_is_counted() {
    let (_, log, writer) = log(|builder| builder);
    log.record(&changed(1));
    drop(writer);
    assert_eq!((log.lost(), log.flush().await), (1, false));
}

#[tokio::test]
async fn old_records_go_when_new_ones_come() {
    let (trail, log, writer) = log(|builder| builder.retention(Duration::from_secs(1_000)));
    tokio::spawn(writer.run());
    for (at, kept) in [
        (0, vec![0]),
        (500, vec![0, 500]),
        (1_000, vec![500, 1_000]),
        (1_030, vec![500, 1_000, 1_030]),
    ] {
        log.record(&changed(at));
        assert!(log.flush().await);
        assert_eq!(trail.kept().await, kept, "{at}");
    }
    log.record(&changed(1_500));
    assert!(log.flush().await);
    assert_eq!(trail.kept().await, [1_000, 1_030, 1_500]);
}

/// Fails if a record cannot be found by the object it concerns.
#[test]
fn records_are_found_by_what_they_are_about() {
    let (client, application) = (
        ClientId::from_random([3; 16]),
        crate::domain::ApplicationId::Service,
    );
    let scope: Scope = crate::domain::ScopeDefinition::built_in()[0].scope.clone();
    let by = |object| {
        wire::to_record(&event(
            1,
            None,
            EventKind::Managed {
                by: "boss".parse().unwrap(),
                object,
                change: Change::Created,
                fields: vec![],
            },
        ))
    };
    let approval = by(ManagedObject::ScopeApproval {
        scope: scope.clone(),
        client,
    })
    .unwrap();
    assert_eq!(
        (approval.client, approval.application),
        (Some(client), Some(scope.application))
    );
    assert_eq!(approval.subject, Some("boss".parse().unwrap()));
    assert_eq!(
        by(ManagedObject::ClientSecret(client)).unwrap().client,
        Some(client)
    );
    assert_eq!(
        by(ManagedObject::Application(application))
            .unwrap()
            .application,
        Some(application)
    );
    let key = ApiKeyId::from_random([4; 16]);
    assert_eq!(by(ManagedObject::ApiKey(key)).unwrap().api_key, Some(key));
    assert!(
        approval
            .json
            .as_str()
            .contains(r#""object":"scope_approval""#),
        "{:?}",
        approval.json
    );
}

/// Fails if an event with more scopes than fit in a record is lost.
#[test]
fn a_long_event_is_kept_without_its_scopes() {
    let scopes: ScopeSet = (0..200)
        .map(|number| {
            format!(
                "{}:{}{number}",
                uuid::Uuid::from_bytes([7; 16]),
                "x".repeat(40)
            )
            .parse::<Scope>()
            .unwrap()
        })
        .collect();
    let (subject, client) = ("kim".parse().unwrap(), ClientId::from_random([3; 16]));
    let record = wire::to_record(&event(
        1,
        None,
        EventKind::ConsentAsked {
            subject,
            client,
            scopes,
        },
    ))
    .unwrap();
    assert!(
        record.json.as_str().contains(r#""count":200"#),
        "{:?}",
        record.json
    );
}

/// Fails if a clock that is ahead is trusted, or events that were delayed count as a clock that is
/// behind.
#[tokio::test]
async fn old_records_stay_while_the_clock_of_the_node_is_ahead_of_the_stores() {
    const DAY: i64 = 24 * 60 * 60;
    for (ahead, swept) in [(61, false), (400 * DAY, false), (60, true), (-DAY, true)] {
        let (trail, log, writer) =
            log(|builder| builder.retention(Duration::from_secs(100 * DAY as u64)));
        let writing = tokio::spawn(writer.run());
        log.record(&changed(0));
        assert!(log.flush().await);
        let now = 101 * DAY;
        *trail.clock.lock().unwrap() = Some(Timestamp::from_seconds(now - ahead));
        log.record(&changed(now));
        assert!(log.close().await);
        writing.await.unwrap();
        assert_eq!(
            trail.kept().await.len(),
            if swept { 1 } else { 2 },
            "ahead by {ahead} seconds"
        );
    }
}

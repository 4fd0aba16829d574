//! Calendars to which programs subscribe: RFC 5545, read by a parser of others, and their feeds.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use http::{Request, StatusCode};
use icalendar::{CalendarDateTime, Component, DatePerhapsTime, Event};
use lyceum::DataApi;
use lyceum::directory::{Directory, DirectoryChange, WriteOutcome};
use lyceum::domain::{
    ApiKey, ApiKeySecret, ApiScope, ApiScopes, CalendarFeed, CalendarFeedId, CalendarFeedToken,
    Dish, Lesson, Meal, MealType, Quota, SchoolEvent, SubjectId, Timestamp,
};
use lyceum::http::ClientAddress;
use lyceum::http::audit::{EventKind, RefusalRule};
use lyceum::http::data_api::{DataApiBuilder, KeyOwnerCheck};
use lyceum::store::memory::MemoryStore;
use lyceum::store::{ApiKeyStore, CalendarFeedCreation, CalendarFeedStore, Creation, StorageError};
use lyceum::testing::{ManualClock, MemoryAuditLog};
use proptest::prelude::*;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::util::SubscriberInitExt;

use crate::client::{TestResponse, request, send};
use crate::log_capture::{CapturedLog, capture_log};
use crate::school_fixtures::{self, NOW, key};

const SECOND: Duration = Duration::from_secs(1);
const CALENDARS: [&str; 3] = ["schedules", "meals", "timetable-1-1"];

/// A school, and a feed of each of its keys.
struct Harness {
    store: Arc<MemoryStore>,
    directory: Directory,
    clock: ManualClock,
    log: MemoryAuditLog,
    api: DataApi,
}

impl Harness {
    async fn new(settings: impl FnOnce(DataApiBuilder) -> DataApiBuilder) -> Self {
        let store = school_fixtures::store().await;
        let revoked = key(5, ApiScopes::built_in());
        assert_eq!(
            store.create_api_key(revoked.clone()).await.unwrap(),
            Creation::Created
        );
        for number in [1, 2, 3, 5] {
            create_feed(&store, number, feed_end()).await;
        }
        assert!(store.revoke_api_key(revoked.id, NOW).await.unwrap());
        let (clock, log) = (ManualClock::new(NOW), MemoryAuditLog::default());
        let directory = school_fixtures::directory(store.clone()).await;
        let builder = DataApi::builder(directory.clone(), store.clone())
            .clock(Arc::new(clock.clone()))
            .audit(Arc::new(log.clone()))
            .calendar_feeds(store.clone());
        let api = settings(builder).build().unwrap();
        Self {
            store,
            directory,
            clock,
            log,
            api,
        }
    }

    async fn get(&self, token: &str, calendar: &str) -> TestResponse {
        self.get_with(token, calendar, &[]).await
    }

    async fn get_with(
        &self,
        token: &str,
        calendar: &str,
        headers: &[(&str, &str)],
    ) -> TestResponse {
        let mut request = Request::get(path(token, calendar));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        send(&self.api, request.body(()).unwrap()).await
    }

    async fn body(&self, calendar: &str) -> String {
        let answer = self.get(token(1).expose(), calendar).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
        answer.body
    }

    async fn write(&self, changes: Vec<DirectoryChange>) {
        let outcome = self.directory.write(changes).await.unwrap();
        assert!(matches!(outcome, WriteOutcome::Written(_)));
    }

    async fn status(&self, token: &str) -> StatusCode {
        self.get(token, "meals").await.status
    }
}

/// Midnight of 1 March in Seoul.
fn feed_end() -> Timestamp {
    Timestamp::from_seconds(1_803_826_800)
}

fn token(number: u8) -> CalendarFeedToken {
    CalendarFeedToken::from_random([number; 32])
}

fn path(token: &str, calendar: &str) -> String {
    format!("/v1/calendars/{token}/{calendar}.ics")
}

fn feed(number: u8, expires_at: Timestamp) -> CalendarFeed {
    CalendarFeed {
        id: CalendarFeedId::from_random([number; 16]),
        key: key(number, ApiScopes::built_in()).id,
        digest: token(number).digest(),
        hint: token(number).hint(),
        created_at: NOW,
        expires_at,
    }
}

async fn create_feed(store: &MemoryStore, number: u8, expires_at: Timestamp) {
    let created = store
        .create_calendar_feed(feed(number, expires_at), 10)
        .await
        .unwrap();
    assert_eq!(created, CalendarFeedCreation::Created);
}

/// Reads a calendar with a parser that is not this crate's, after checks of its lines.
fn parsed(body: &str) -> icalendar::Calendar {
    let lines = body.strip_suffix("\r\n").expect("the last line is ended");
    for line in lines.split("\r\n") {
        assert!(line.len() <= 75, "{} bytes: {line}", line.len());
        assert!(!line.contains(['\r', '\n']) && !line.is_empty(), "{line:?}");
    }
    let count = |word| {
        lines
            .split("\r\n")
            .filter(|line| line.starts_with(word))
            .count()
    };
    assert_eq!(count("BEGIN:"), count("END:"));
    body.parse()
        .unwrap_or_else(|error| panic!("{error}: {body}"))
}

fn events(calendar: &icalendar::Calendar) -> Vec<&Event> {
    let events: Vec<_> = calendar.events().collect();
    let ids: BTreeSet<_> = events
        .iter()
        .map(|event| event.get_uid().unwrap())
        .collect();
    assert_eq!(ids.len(), events.len(), "each event has its own id");
    for event in &events {
        assert!(event.get_timestamp().is_some(), "DTSTAMP is required");
    }
    events
}

fn starts(event: &Event) -> String {
    match event.get_start().unwrap() {
        DatePerhapsTime::Date(day) => day.to_string(),
        DatePerhapsTime::DateTime(CalendarDateTime::WithTimezone { date_time, tzid }) => {
            format!("{date_time} {tzid}")
        }
        other => panic!("{other:?} has no zone"),
    }
}

fn text<'a>(event: &'a Event, property: &str) -> &'a str {
    event.property_value(property).unwrap_or_default()
}

// Proves: spec 2.22
/// Fails if a calendar lacks what programs need, or if its events are on other days.
#[tokio::test]
async fn a_parser_of_others_reads_every_calendar() {
    let school =
        Harness::new(|builder| builder.public_url("https://api.school.example/data")).await;
    for calendar in CALENDARS {
        let body = school.body(calendar).await;
        let read = parsed(&body);
        for (property, value) in [
            ("VERSION", "2.0"),
            ("CALSCALE", "GREGORIAN"),
            ("X-WR-TIMEZONE", "Asia/Seoul"),
            ("X-PUBLISHED-TTL", "PT6H"),
            ("REFRESH-INTERVAL", "PT6H"),
        ] {
            assert_eq!(read.property_value(property), Some(value), "{calendar}");
        }
        assert!(read.property_value("PRODID").is_some());
        assert!(body.contains("\r\nBEGIN:VTIMEZONE\r\nTZID:Asia/Seoul\r\n"));
        assert!(!events(&read).is_empty());
    }

    let schedules = parsed(&school.body("schedules").await);
    assert_eq!(schedules.get_name(), Some("하늘고 학사일정"));
    let found: Vec<_> = events(&schedules)
        .iter()
        .map(|event| (text(event, "UID"), starts(event), text(event, "SUMMARY")))
        .collect();
    let expected = [
        ("e1", 21, "Open day"),
        ("e3", 21, "Sports"),
        ("e2", 22, "Exam"),
    ]
    .map(|(id, day, name)| (format!("schedules-{id}@api.school.example"), day, name));
    let expected: Vec<_> = expected
        .iter()
        .map(|(id, day, name)| (id.as_str(), format!("2026-11-{day}"), *name))
        .collect();
    assert_eq!(found, expected);

    let meals = parsed(&school.body("meals").await);
    let found: Vec<_> = events(&meals)
        .iter()
        .map(|event| (starts(event), text(event, "SUMMARY")))
        .collect();
    let dishes = |day: &str, kind| (day.to_owned(), kind);
    assert_eq!(
        found,
        [
            dishes("2026-11-20", "석식: 비빔밥, 물"),
            dishes("2026-11-21", "조식: 비빔밥, 물"),
            dishes("2026-11-21", "중식: 비빔밥, 물"),
        ],
        "the meals of the academic year alone"
    );
    assert_eq!(
        text(events(&meals)[0], "DESCRIPTION"),
        "비빔밥 (1.난류, 5.대두, 6.밀)\n물\n열량: 812.5 Kcal"
    );

    let lessons = parsed(&school.body("timetable-1-1").await);
    assert_eq!(lessons.get_name(), Some("하늘고 1학년 1반 시간표"));
    let found: Vec<_> = events(&lessons)
        .iter()
        .map(|event| (text(event, "UID"), starts(event)))
        .collect();
    assert_eq!(
        found,
        [
            (
                "timetables-l1@api.school.example",
                "2026-11-21 08:40:00 Asia/Seoul".to_owned()
            ),
            (
                "timetables-l2@api.school.example",
                "2026-11-21 09:40:00 Asia/Seoul".to_owned()
            ),
        ],
        "the lessons of this class alone"
    );
    let empty = parsed(&school.body("timetable-3-9").await);
    assert_eq!(
        events(&empty).len(),
        0,
        "a class without lessons has an empty calendar"
    );
}

/// Fails if a change of the school's clock is missing where it has summer time, or if the periods
/// are not those that were set.
#[tokio::test]
async fn lessons_are_at_the_schools_own_times_in_its_zone() {
    let school = Harness::new(|builder| {
        builder
            .time_zone("Europe/Berlin")
            .class_periods("07:50-08:35".parse().unwrap())
    })
    .await;
    let body = school.body("timetable-1-1").await;
    let lessons = parsed(&body);
    let found: Vec<_> = events(&lessons).iter().map(|event| starts(event)).collect();
    assert_eq!(
        found,
        ["2026-11-21 07:50:00 Europe/Berlin", "2026-11-21"],
        "a lesson of a period without times has the whole day"
    );
    for change in [
        "BEGIN:DAYLIGHT\r\nDTSTART:20260329T020000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\n",
        "BEGIN:STANDARD\r\nDTSTART:20261025T030000\r\nTZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\n",
    ] {
        assert!(body.contains(change), "{body}");
    }
}

// Proves: spec 2.22
/// Fails if the same records have other bytes, another id or another tag after they are written
/// again, or a changed record has another id.
#[tokio::test]
async fn the_same_records_have_the_same_bytes_and_ids_and_the_same_tag() {
    let school = Harness::new(|builder| builder).await;
    let before = school.get(token(1).expose(), "schedules").await;
    school
        .write(vec![
            DirectoryChange::RemoveEvent("e2".to_owned()),
            DirectoryChange::PutMeal(school_fixtures::meal("2026-12-24", MealType::Lunch)),
        ])
        .await;
    let without = school.get(token(1).expose(), "schedules").await;
    assert_ne!(before.header("etag"), without.header("etag"));
    let event = school_fixtures::event("e2", "2026-11-22", "Exam");
    school
        .write(vec![DirectoryChange::PutEvent(event.clone())])
        .await;
    let after = school.get(token(1).expose(), "schedules").await;
    assert_eq!(
        (&before.body, before.header("etag")),
        (&after.body, after.header("etag"))
    );
    for (tag, status) in [(before.header("etag"), 304), (without.header("etag"), 200)] {
        let answer = school
            .get_with(token(1).expose(), "schedules", &[("If-None-Match", tag)])
            .await;
        assert_eq!(answer.status.as_u16(), status);
        assert_eq!(answer.header("etag"), before.header("etag"));
        assert_eq!(answer.body.is_empty(), status == 304);
    }
    let moved = SchoolEvent {
        date: "2026-11-25".parse().unwrap(),
        ..event
    };
    school.write(vec![DirectoryChange::PutEvent(moved)]).await;
    let (old, new) = (
        parsed(&before.body),
        parsed(&school.body("schedules").await),
    );
    let ids = |calendar| -> BTreeSet<String> {
        let events = events(calendar).into_iter();
        events
            .map(|event| event.get_uid().unwrap().to_owned())
            .collect()
    };
    assert_eq!(ids(&old), ids(&new));
}

#[tokio::test]
async fn a_calendar_has_the_headers_that_programs_and_caches_need() {
    let school = Harness::new(|builder| builder).await;
    let answer = school
        .get_with(
            token(1).expose(),
            "meals",
            &[("Accept", "application/json")],
        )
        .await;
    assert_eq!(answer.status, StatusCode::OK, "Accept is not negotiated");
    for (name, value) in [
        ("content-type", "text/calendar; charset=utf-8"),
        ("cache-control", "private, no-cache"),
        ("vary", "Accept, Accept-Encoding"),
        ("referrer-policy", "no-referrer"),
        ("x-ratelimit-remaining", "99"),
    ] {
        assert_eq!(answer.header(name), value, "{name}");
    }
    assert_eq!(
        answer.header("content-length"),
        answer.body.len().to_string()
    );
    let head = request("HEAD", &path(token(1).expose(), "meals"), None);
    let head = send(&school.api, head).await;
    assert_eq!((head.status, head.body.as_str()), (StatusCode::OK, ""));
    assert_eq!(
        head.header("content-length"),
        answer.header("content-length")
    );
    let post = request("POST", &path(token(1).expose(), "meals"), None);
    assert_eq!(send(&school.api, post).await.status, 405);
    let encoded = path(&token(1).expose().replace("cal_", "%63al_"), "meals");
    assert_eq!(
        send(&school.api, request("GET", &encoded, None))
            .await
            .status,
        200
    );
}

#[cfg(feature = "compression")]
#[tokio::test]
async fn a_calendar_is_compressed_as_other_answers_are() {
    use http_body_util::BodyExt;
    use tower::ServiceExt;

    let school = Harness::new(|builder| builder).await;
    let request = Request::get(path(token(1).expose(), "meals")).header("Accept-Encoding", "gzip");
    let answer = school
        .api
        .clone()
        .oneshot(request.body(()).unwrap())
        .await
        .unwrap();
    assert_eq!(answer.headers()["content-encoding"], "gzip");
    let bytes = answer.into_body().collect().await.unwrap().to_bytes();
    let body = std::io::read_to_string(flate2::read::GzDecoder::new(&bytes[..])).unwrap();
    assert_eq!(body, school.body("meals").await);
}

// Proves: spec 2.22
/// Fails if a response tells a revoked or expired feed, or one of a key that does not work, from one
/// that never was.
#[tokio::test]
async fn a_feed_that_does_not_work_is_answered_like_an_unknown_address() {
    let school = Harness::new(|builder| builder).await;
    let plain = |answer: TestResponse| {
        let mut json = answer.json();
        json["requestId"].take();
        let headers = answer
            .headers
            .iter()
            .filter(|(name, _)| *name != "x-request-id");
        let mut headers: Vec<_> = headers.map(|header| format!("{header:?}")).collect();
        headers.sort();
        (answer.status, json, headers)
    };
    let unknown = plain(school.get(token(99).expose(), "meals").await);
    assert_eq!(
        (unknown.0, &unknown.1["reason"]),
        (StatusCode::NOT_FOUND, &"not_found".into())
    );
    for (what, presented) in [
        ("a key without the scope", token(2).expose().to_owned()),
        ("an expired key", token(3).expose().to_owned()),
        ("a revoked key", token(5).expose().to_owned()),
        ("no token at all", "nothing".to_owned()),
        ("the value of the key", school_fixtures::FULL_KEY.to_owned()),
    ] {
        assert_eq!(
            plain(school.get(&presented, "meals").await),
            unknown,
            "{what}"
        );
    }
    assert_eq!(school.status(token(1).expose()).await, StatusCode::OK);
    let revoked = school
        .store
        .revoke_calendar_feed(feed(1, NOW).key, feed(1, NOW).id)
        .await
        .unwrap();
    assert!(revoked);
    let gone = school.get(token(1).expose(), "meals").await;
    assert_eq!(plain(gone), unknown, "a revocation takes effect at once");
    let events = school.log.events();
    let EventKind::Refused(refused) = &events[0].kind else {
        panic!("refusals are in the audit log")
    };
    assert_eq!(refused.rule, RefusalRule::CalendarFeedInvalid);
    assert_eq!(refused.endpoint, "calendar");
}

// Proves: spec 2.22
/// Fails if a feed outlives its key or the academic year, or does not come back when the key is
/// renewed.
#[tokio::test]
async fn a_feed_works_while_its_key_does_until_the_end_of_the_academic_year() {
    let school = Harness::new(|builder| builder).await;
    let (first, end) = (token(1), key(1, ApiScopes::built_in()).expires_at);
    let renew = async |at| {
        let secret = ApiKeySecret::from_random([50; 16]);
        let renewal = lyceum::domain::ApiKeyRenewal {
            digest: secret.digest(),
            hint: secret.hint(),
            overlap: Duration::ZERO,
        };
        let id = key(1, ApiScopes::built_in()).id;
        drop(school.store.renew_api_key(id, renewal, at).await.unwrap());
    };
    school.clock.set(end.minus(SECOND));
    assert_eq!(school.status(first.expose()).await, 200);
    school.clock.set(end);
    assert_eq!(
        school.status(first.expose()).await,
        404,
        "the key has expired"
    );
    renew(end).await;
    assert_eq!(school.status(first.expose()).await, 200, "and is renewed");
    // The key is valid beyond the end of the year.
    let lately = feed_end().minus(24 * 60 * 60 * SECOND);
    let secret = ApiKeySecret::from_random([51; 16]);
    let renewal = lyceum::domain::ApiKeyRenewal {
        digest: secret.digest(),
        hint: secret.hint(),
        overlap: Duration::ZERO,
    };
    let id = key(1, ApiScopes::built_in()).id;
    drop(
        school
            .store
            .renew_api_key(id, renewal, lately)
            .await
            .unwrap(),
    );
    school.clock.set(feed_end().minus(SECOND));
    assert_eq!(school.status(first.expose()).await, 200);
    school.clock.set(feed_end());
    assert_eq!(
        school.status(first.expose()).await,
        404,
        "a new year has begun"
    );
}

// Proves: spec 2.22
#[tokio::test]
async fn requests_count_towards_the_limit_of_the_key() {
    let quota = Quota::new(3, Duration::from_secs(60), 3).unwrap();
    let school = Harness::new(|builder| builder.rate_limit(quota)).await;
    assert_eq!(school.status(token(1).expose()).await, 200);
    assert_eq!(school.get(token(1).expose(), "schedules").await.status, 200);
    let list = request("GET", "/v1/neis/meals", Some(school_fixtures::FULL_KEY));
    assert_eq!(send(&school.api, list).await.status, 200);
    let limited = school.get(token(1).expose(), "meals").await;
    assert_eq!(limited.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(limited.reason().0, "rate_limited");
    school.api.flush().await.unwrap();
    let days = lyceum::domain::DateRange::single_day("2026-11-21".parse().unwrap());
    let id = key(1, ApiScopes::built_in()).id;
    let calls = school.store.api_key_usage(id, days).await.unwrap();
    assert_eq!(
        calls,
        [lyceum::domain::DailyCalls {
            day: "2026-11-21".parse().unwrap(),
            calls: 4,
            errors: 1
        }],
        "and in the statistics, the refused one as an error"
    );
}

// Proves: spec 2.22
#[tokio::test]
async fn invalid_tokens_are_limited_per_network_and_valid_ones_pass() {
    let quota = Quota::new(2, Duration::from_secs(60), 2).unwrap();
    let school = Harness::new(|builder| builder.bad_key_limit(quota)).await;
    let from = async |token: &str, address: [u8; 4]| {
        let mut request = request("GET", &path(token, "meals"), None);
        request
            .extensions_mut()
            .insert(ClientAddress(address.into()));
        send(&school.api, request).await.status.as_u16()
    };
    let (one, other) = ([192, 0, 2, 1], [192, 0, 2, 2]);
    for status in [404, 404, 429, 429] {
        assert_eq!(from(token(99).expose(), one).await, status);
    }
    assert_eq!(from("malformed", one).await, 429);
    assert_eq!(from(token(99).expose(), other).await, 404);
    assert_eq!(from(token(1).expose(), one).await, 200);
}

/// A check that knows nobody.
#[derive(Debug)]
struct Nobody;

#[async_trait::async_trait]
impl KeyOwnerCheck for Nobody {
    async fn is_user(&self, _: &SubjectId) -> Result<bool, StorageError> {
        Ok(false)
    }
}

#[tokio::test]
async fn the_feed_of_a_former_user_ends() {
    let school = Harness::new(|builder| builder.key_owner_check(Arc::new(Nobody))).await;
    let owned = ApiKey {
        owner: "kim".parse().ok(),
        ..key(9, [ApiScope::NEIS_READ].into_iter().collect())
    };
    let _ = school.store.create_api_key(owned).await.unwrap();
    create_feed(&school.store, 9, feed_end()).await;
    assert_eq!(school.status(token(9).expose()).await, 404);
    assert_eq!(
        school.status(token(1).expose()).await,
        200,
        "its key has no owner"
    );
}

#[tokio::test]
async fn without_a_store_of_feeds_there_are_no_calendars() {
    let api = school_fixtures::api().await;
    let answer = send(
        &api,
        request("GET", &path(token(1).expose(), "meals"), None),
    )
    .await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    assert_eq!(answer.header("cache-control"), "no-store");
}

// Proves: threats 26
/// Fails if the token is in a log line, an event, an error or what is printed for debugging.
#[tokio::test]
async fn a_token_is_printed_nowhere() {
    // With a second subscriber, `tracing` asks this thread's for each event and span.
    drop(capture_log());
    let log = Arc::new(CapturedLog::default());
    let subscriber = tracing_subscriber::fmt()
        .with_ansi(false)
        .with_max_level(LevelFilter::TRACE)
        .with_span_events(FmtSpan::FULL)
        .with_writer(log.clone());
    let guard = subscriber.finish().set_default();
    let school = Harness::new(|builder| builder).await;
    let mut printed = String::new();
    for number in [1, 2, 99] {
        let token = token(number);
        for calendar in CALENDARS.iter().chain(&["nothing"]) {
            let answer = school.get(token.expose(), calendar).await;
            if answer.status != StatusCode::OK {
                printed += &format!("{:?} {}", answer.headers, answer.body);
            }
        }
        printed += &format!("{token:?} {:?} {:?}", feed(number, NOW), token.digest());
    }
    printed += &format!(
        "{:?} {:?} {:?}",
        school.log.events(),
        school.api,
        school.store
    );
    drop(guard);
    let logged = log.lines().join("\n");
    assert!(logged.contains("refused"), "refusals are logged: {logged}");
    let span = "lyceum.request{service=\"data\" route=\"calendar\"";
    for event in [": new", ": enter", ": close"] {
        let of_request = |line: &&str| line.contains(span) && line.contains(event);
        assert!(
            logged.lines().any(|line| of_request(&line)),
            "{event}: {logged}"
        );
    }
    for number in [1, 2, 99] {
        let secret = token(number);
        let random = secret.expose().strip_prefix("cal_").unwrap();
        assert!(
            !logged.contains(random) && !printed.contains(random),
            "{logged}{printed}"
        );
    }
}

/// Texts that would end a property or a component, and those that are hard to fold.
fn hostile_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[가-힣a-z,;:\\\\\" 😀👨‍👩‍👧]{1,200}",
        Just("a,b;c\\d:e\"f".to_owned()),
        Just("END:VEVENT\\nBEGIN:VALARM".to_owned()),
        Just("👩‍❤️‍💋‍👩".repeat(20)),
        Just("급".repeat(200)),
        Just("\\".repeat(150)),
    ]
    .prop_filter("it is no blank", |text| !text.trim().is_empty())
    .prop_map(|text| text.trim().to_owned())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Fails if a text of a record ends its property, or is read as another one.
    #[test]
    fn a_parser_of_others_reads_every_text_as_it_is(texts in proptest::array::uniform4(hostile_text())) {
        let [name, content, dish, subject] = texts;
        let line = |text: &str| text.parse().ok();
        let (Some(name), Some(dish), Some(subject)) = (line(&name), line(&dish), line(&subject)) else {
            return Ok(());
        };
        let content = format!("{content}\nEND:VCALENDAR\n{content}");
        let event = SchoolEvent {
            content: content.parse().ok(),
            name,
            target_grades: Vec::new(),
            ..school_fixtures::event("e1", "2026-11-23", "x")
        };
        let meal = Meal {
            dishes: vec![Dish { name: dish, allergens: Vec::new() }],
            ..school_fixtures::meal("2026-11-23", MealType::Lunch)
        };
        let lesson = Lesson {
            subject: Some(subject),
            date: "2026-11-23".parse().unwrap(),
            ..school_fixtures::lesson("l1", 1, 1, 1)
        };
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let bodies = runtime.block_on(async {
            let school = Harness::new(|builder| builder).await;
            school
                .write(vec![
                    DirectoryChange::PutEvent(event.clone()),
                    DirectoryChange::PutMeal(meal.clone()),
                    DirectoryChange::PutLesson(lesson.clone()),
                ])
                .await;
            [school.body("schedules").await, school.body("meals").await, school.body("timetable-1-1").await]
        });
        let [schedules, meals, lessons] = bodies.map(|body| parsed(&body));
        let on_the_day = |calendar: &icalendar::Calendar, property: &str| {
            let found = events(calendar);
            let found = found.iter().find(|event| starts(event).starts_with("2026-11-23")).unwrap();
            text(found, property).to_owned()
        };
        prop_assert_eq!(on_the_day(&schedules, "SUMMARY"), event.name.as_str());
        if let Some(content) = &event.content {
            prop_assert_eq!(on_the_day(&schedules, "DESCRIPTION"), content.as_str());
        }
        prop_assert_eq!(on_the_day(&meals, "SUMMARY"), format!("중식: {}", meal.dishes[0].name));
        prop_assert_eq!(on_the_day(&lessons, "SUMMARY"), lesson.subject.as_deref().unwrap());
    }
}

//! Conditional requests: RFC 9110 §13 and spec 2.14.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use http::Request;
use lyceum::DataApi;
use lyceum::directory::{Directory, DirectoryChange, WriteOutcome};
use lyceum::domain::StudentId;
use lyceum::testing::ManualClock;

use crate::client::{get, send, send_with};
use crate::recording_store::RecordingStore;
use crate::school_fixtures::{self, CLUB_KEY, FULL_KEY};

const CLUBS: &str = "/v1/clubs?status=ACTIVE";
const PATHS: [&str; 9] = [
    "/v1/students",
    CLUBS,
    "/v1/projects",
    "/v1/students?updatedSince=0",
    "/v1/clubs?updatedSince=0",
    "/v1/projects?updatedSince=0",
    "/v1/neis/meals",
    "/v1/neis/schedules",
    "/v1/neis/timetables",
];

async fn tag_of(api: &DataApi, path: &str) -> String {
    get(api, path).await.header("etag").to_owned()
}

// Proves: spec 2.14
#[tokio::test]
async fn the_conditions_of_rfc_9110_hold_and_each_comes_before_the_next() {
    let api = school_fixtures::api().await;
    let weak = tag_of(&api, CLUBS).await;
    let strong = weak.strip_prefix("W/").unwrap();
    let bare = strong.trim_matches('"');
    let (list, spaced, last) = (
        format!("\"a\", {weak}"),
        format!(" \t, ,{weak} , \"a\""),
        format!("W/\"a,b\",\"\",{strong}"),
    );
    let (lower, longer, unquoted, half) = (
        format!("w/{strong}"),
        format!("\"{bare}a\""),
        bare.to_owned(),
        format!("\"{bare}"),
    );
    let (past, future) = (
        "Sun, 06 Nov 1994 08:49:37 GMT",
        "Fri, 31 Dec 2100 23:59:59 GMT",
    );
    type Headers<'a> = &'a [(&'a str, &'a str)];
    let cases: &[(&str, Headers<'_>, u16)] = &[
        ("no condition", &[], 200),
        // §13.1.2: compared weakly, so the strong form is the same tag.
        ("weak", &[("if-none-match", &weak)], 304),
        ("strong", &[("if-none-match", strong)], 304),
        ("any", &[("if-none-match", "*")], 304),
        ("any, with blanks", &[("if-none-match", " \t* ")], 304),
        ("list", &[("if-none-match", &list)], 304),
        (
            "list with empty members",
            &[("if-none-match", &spaced)],
            304,
        ),
        (
            "list with a comma inside a tag",
            &[("if-none-match", &last)],
            304,
        ),
        ("other", &[("if-none-match", "\"a\"")], 200),
        ("longer", &[("if-none-match", &longer)], 200),
        (
            "two lines",
            &[("if-none-match", "\"a\""), ("if-none-match", &weak)],
            304,
        ),
        (
            "two other lines",
            &[("if-none-match", "\"a\""), ("if-none-match", "W/\"b\"")],
            200,
        ),
        // An invalid list of tags is ignored, and the whole response is sent.
        ("empty", &[("if-none-match", "")], 200),
        ("small w", &[("if-none-match", &lower)], 200),
        ("unquoted", &[("if-none-match", &unquoted)], 200),
        ("half quoted", &[("if-none-match", &half)], 200),
        ("a quoted asterisk", &[("if-none-match", "\"*\"")], 200),
        (
            "an asterisk inside a tag",
            &[("if-none-match", "\"a,*,b\"")],
            200,
        ),
        (
            "an asterisk among tags",
            &[("if-none-match", "\"a\", *")],
            200,
        ),
        (
            "an asterisk on a line among others",
            &[("if-none-match", "\"a\""), ("if-none-match", "*")],
            200,
        ),
        // §13.1.1: compared strongly, and the tags are weak.
        ("if-match any", &[("if-match", "*")], 200),
        ("if-match weak", &[("if-match", &weak)], 412),
        ("if-match strong", &[("if-match", strong)], 412),
        ("if-match list", &[("if-match", &list)], 412),
        ("if-match other", &[("if-match", "\"a\"")], 412),
        ("if-match empty", &[("if-match", "")], 412),
        (
            "if-match an asterisk inside a tag",
            &[("if-match", "\"a,*,b\"")],
            412,
        ),
        // §13.1.3 and §13.1.4: ignored, because there is no `Last-Modified`.
        ("modified since", &[("if-modified-since", past)], 200),
        (
            "modified since, not yet",
            &[("if-modified-since", future)],
            200,
        ),
        ("unmodified since", &[("if-unmodified-since", future)], 200),
        (
            "unmodified since, long ago",
            &[("if-unmodified-since", past)],
            200,
        ),
        // §13.2.2: If-Match, then If-None-Match; dates beside either are ignored.
        (
            "if-match before if-none-match",
            &[("if-match", "\"a\""), ("if-none-match", &weak)],
            412,
        ),
        (
            "if-none-match after if-match",
            &[("if-match", "*"), ("if-none-match", &weak)],
            304,
        ),
        (
            "if-none-match before a date",
            &[("if-none-match", &weak), ("if-modified-since", past)],
            304,
        ),
        (
            "if-none-match alone decides",
            &[("if-none-match", "\"a\""), ("if-modified-since", future)],
            200,
        ),
        (
            "if-match alone decides",
            &[("if-match", "*"), ("if-unmodified-since", past)],
            200,
        ),
        // §14: ranges are not supported.
        ("range", &[("range", "bytes=0-3")], 200),
        (
            "if-range",
            &[("range", "bytes=0-3"), ("if-range", strong)],
            200,
        ),
    ];
    for (name, headers, status) in cases {
        for method in ["GET", "HEAD"] {
            let answer = send_with(&api, method, CLUBS, headers).await;
            assert_eq!(answer.status, *status, "{method} {name}: {headers:?}");
            let has_body = method == "GET" && *status != 304;
            assert_eq!(!answer.body.is_empty(), has_body, "{method} {name}");
            if *status != 412 {
                assert_eq!(answer.header("etag"), weak, "{method} {name}");
            }
        }
    }
}

// Proves: spec 2.14
#[tokio::test]
async fn a_304_has_the_tag_and_what_caches_need_and_nothing_of_the_body() {
    let api = school_fixtures::api().await;
    for path in PATHS {
        let whole = get(&api, path).await;
        for method in ["GET", "HEAD"] {
            let answer = send_with(&api, method, path, &[("if-none-match", "*")]).await;
            assert_eq!((answer.status.as_u16(), answer.body.as_str()), (304, ""));
            let names: BTreeSet<_> = answer
                .headers
                .keys()
                .map(|name| name.as_str())
                .filter(|name| !name.contains("ratelimit"))
                .collect();
            assert_eq!(
                names,
                BTreeSet::from(["etag", "cache-control", "vary"]),
                "{method} {path}"
            );
            for name in names {
                assert_eq!(answer.header(name), whole.header(name), "{method} {path}");
            }
        }
    }
}

// Proves: spec 2.14
/// Fails if each request reads a list from the store or queries its version.
#[tokio::test]
async fn a_request_asks_the_store_for_the_key_and_once_a_second_for_its_version() {
    let (store, clock) = (
        Arc::new(RecordingStore::new(school_fixtures::store().await)),
        ManualClock::new(school_fixtures::NOW),
    );
    let directory = Directory::builder(store.clone())
        .clock(Arc::new(clock.clone()))
        .open()
        .await
        .unwrap();
    assert_eq!(store.take_calls(), ["load_directory"]);
    let api = DataApi::builder(directory, store.clone())
        .clock(Arc::new(school_fixtures::FixedClock))
        .build()
        .unwrap();
    for path in PATHS {
        let tag = tag_of(&api, path).await;
        assert_eq!(
            store
                .take_calls()
                .into_iter()
                .filter(|asked| *asked != "api_key")
                .collect::<Vec<_>>(),
            [""; 0],
            "{path}"
        );
        assert_eq!(
            send_with(&api, "GET", path, &[("if-none-match", &tag)])
                .await
                .status,
            304
        );
        assert_eq!(store.take_calls(), [""; 0], "{path}");
        clock.advance(Duration::from_secs(1));
        for looks in [&["directory_version"][..], &[]] {
            assert_eq!(
                send_with(&api, "GET", path, &[("if-none-match", &tag)])
                    .await
                    .status,
                304
            );
            assert_eq!(store.take_calls(), looks, "{path}");
        }
        assert_eq!(
            send_with(&api, "GET", path, &[("if-match", &tag)])
                .await
                .status,
            412
        );
        assert_eq!(store.take_calls(), [""; 0], "{path}");
    }
}

// Proves: spec 2.14
#[tokio::test]
async fn conditions_are_checked_last_and_errors_have_no_tag() {
    let api = school_fixtures::api().await;
    for (path, key, status) in [
        ("/v1/nothing", FULL_KEY, 404),
        (CLUBS, "", 401),
        ("/v1/students", CLUB_KEY, 403),
        ("/v1/clubs?x=1", FULL_KEY, 400),
    ] {
        let request = Request::get(path)
            .header("x-api-key", key)
            .header("if-none-match", "*")
            .header("if-match", "\"a\"");
        let answer = send(&api, request.body(()).unwrap()).await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("etag")),
            (status, ""),
            "{path}"
        );
    }
    let failed = send_with(&api, "GET", CLUBS, &[("if-match", "\"a\"")]).await;
    assert_eq!(
        (failed.reason().0.as_str(), failed.header("etag")),
        ("precondition_failed", "")
    );
}

// Proves: spec 2.14
#[tokio::test]
async fn a_tag_changes_with_every_write_that_changes_something_and_with_nothing_else() {
    let store = school_fixtures::store().await;
    let directory = school_fixtures::directory(store.clone()).await;
    let api = DataApi::builder(directory.clone(), store)
        .clock(Arc::new(school_fixtures::FixedClock))
        .build()
        .unwrap();
    let write = async |change| {
        assert!(matches!(
            directory.write(vec![change]).await.unwrap(),
            WriteOutcome::Written(_)
        ))
    };
    let no_student = |number| DirectoryChange::RemoveStudent(StudentId::new(number).unwrap());
    // A tag covers the whole directory, so most of these changes are to another list than the
    // requested one.
    let changes = (1..=8)
        .map(no_student)
        .chain([DirectoryChange::RemoveEvent("e1".to_owned())]);
    for (path, change) in PATHS.into_iter().zip(changes) {
        let before = tag_of(&api, path).await;
        assert_eq!(tag_of(&api, path).await, before, "{path}");
        write(no_student(999)).await;
        assert_eq!(
            tag_of(&api, path).await,
            before,
            "no student has that number: {path}"
        );
        write(change).await;
        assert_ne!(tag_of(&api, path).await, before, "{path}");
        assert_eq!(
            send_with(&api, "GET", path, &[("if-none-match", &before)])
                .await
                .status,
            200
        );
    }
}

// Proves: spec 2.14
#[tokio::test]
async fn a_tag_depends_on_the_query_and_not_on_its_spelling() {
    let api = school_fixtures::api().await;
    // The spellings of one query.
    let questions: &[&[&str]] = &[
        &[
            "/v1/students",
            "/v1/%73tudents",
            "/v1/students?page=0",
            "/v1/students?size=300&page=",
            "/v1/students?sortBy=ID&sortDirection=ASC",
        ],
        &["/v1/students?page=1"],
        &["/v1/students?size=299"],
        &["/v1/students?sortDirection=DESC"],
        &["/v1/students?sortBy=NAME"],
        &[
            "/v1/students?grade=1&sex=MAN",
            "/v1/students?sex=MAN&grade=1",
            "/v1/students?s%65x=M%41N&grade=01",
        ],
        &[
            "/v1/students?name=a",
            "/v1/students?name=A",
            "/v1/students?name=%61",
        ],
        &["/v1/students?email=a"],
        &[
            "/v1/students?includeGraduates=true",
            "/v1/students?includeGraduates=TRUE",
        ],
        &["/v1/clubs", "/v1/clubs?includeLeaderInParticipants=false"],
        &["/v1/clubs?includeLeaderInParticipants=true"],
        &["/v1/clubs?status=ACTIVE", "/v1/clubs?clubStatus=ACTIVE"],
        &["/v1/projects", "/v1/projects?status=ACTIVE"],
        &[
            "/v1/neis/meals",
            "/v1/neis/meals?date=2026-11-21",
            "/v1/neis/meals?startDate=2026-11-21&toDate=2026-11-21",
        ],
        &["/v1/neis/meals?date=2026-11-22"],
        &["/v1/neis/schedules"],
        &["/v1/neis/timetables"],
        &["/v1/neis/timetables?grade=1"],
        &["/v1/neis/timetables?classNum=1"],
    ];
    let mut tags = BTreeSet::new();
    for spellings in questions {
        let tag = tag_of(&api, spellings[0]).await;
        for spelling in *spellings {
            assert_eq!(tag_of(&api, spelling).await, tag, "{spelling}");
        }
        assert!(
            tags.insert(tag),
            "{} has the tag of another question",
            spellings[0]
        );
    }
}

// Proves: spec 2.14
#[tokio::test]
async fn the_tag_of_a_query_for_today_changes_at_the_schools_midnight() {
    // Ten minutes before midnight in Seoul, and a morning in Chicago.
    let clock = ManualClock::new(school_fixtures::NOW.minus(Duration::from_secs(40 * 60)));
    let store = school_fixtures::store().await;
    let directory = school_fixtures::directory(store.clone()).await;
    let build = |zone: &str| {
        let builder = DataApi::builder(directory.clone(), store.clone())
            .clock(Arc::new(clock.clone()))
            .without_rate_limit();
        builder.time_zone(zone).build().unwrap()
    };
    let (seoul, chicago) = (build("Asia/Seoul"), build("America/Chicago"));
    for path in [
        "/v1/neis/meals",
        "/v1/neis/schedules",
        "/v1/neis/timetables",
    ] {
        clock.set(school_fixtures::NOW.minus(Duration::from_secs(40 * 60)));
        let (before, elsewhere) = (tag_of(&seoul, path).await, tag_of(&chicago, path).await);
        clock.advance(Duration::from_secs(9 * 60 + 59));
        assert_eq!(tag_of(&seoul, path).await, before, "{path}");
        clock.advance(Duration::from_secs(1));
        assert_ne!(tag_of(&seoul, path).await, before, "{path}");
        assert_eq!(tag_of(&chicago, path).await, elsewhere, "{path}");
    }
    assert_eq!(
        tag_of(&seoul, "/v1/neis/meals?date=2026-11-20").await,
        tag_of(&chicago, "/v1/neis/meals").await
    );
}

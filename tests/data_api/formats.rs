//! Lists as CSV and NDJSON, compared with the same lists as JSON.

use std::collections::BTreeSet;
use std::sync::Arc;

use insta::assert_snapshot;
use lyceum::DataApi;
use lyceum::directory::DirectoryChange;
use lyceum::domain::{ApiScopes, Project, ProjectId, Repositories, TechStacks, Year, YearRange};
use lyceum::sample_data::SampleSchool;
use lyceum::store::memory::MemoryStore;
use lyceum::store::{ApiKeyStore, Creation};
use serde_json::Value;

use crate::client::{TestResponse, get, request, send, send_with};
use crate::school_fixtures::{self, FULL_KEY};

const CSV: (&str, &str) = ("accept", "text/csv");
const LINES: (&str, &str) = ("accept", "application/x-ndjson");
const LISTS: [&str; 3] = ["students", "clubs", "projects"];

/// Creates the service with 1,200 students, 40 clubs and 80 projects.
pub async fn large() -> DataApi {
    let store = Arc::new(MemoryStore::new());
    let changes = SampleSchool::new(7, "2026-11-20".parse().unwrap()).changes();
    school_fixtures::write(&store, changes).await;
    assert_eq!(
        store
            .create_api_key(school_fixtures::key(1, ApiScopes::built_in()))
            .await
            .unwrap(),
        Creation::Created
    );
    // The remaining calls differ between responses.
    school_fixtures::builder_with_store(store)
        .await
        .clock(Arc::new(school_fixtures::FixedClock))
        .without_rate_limit()
        .build()
        .unwrap()
}

/// The records of a JSON response.
fn records(answer: &TestResponse) -> Vec<Value> {
    answer.json()["data"]
        .as_object()
        .unwrap()
        .values()
        .find_map(Value::as_array)
        .unwrap()
        .clone()
}

/// Parses CSV strictly (RFC 4180).
fn cells(table: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    let mut rest = table.chars().peekable();
    let mut quoted = false;
    while let Some(c) = rest.next() {
        match c {
            '"' if quoted && rest.peek() == Some(&'"') => cell.push(rest.next().unwrap()),
            '"' if quoted => {
                quoted = false;
                assert!(
                    matches!(rest.peek(), Some(',' | '\r')),
                    "a quotation ends inside a cell"
                );
            }
            c if quoted => cell.push(c),
            '"' => {
                assert!(cell.is_empty(), "a quotation begins inside a cell");
                quoted = true;
            }
            ',' => row.push(std::mem::take(&mut cell)),
            '\r' => {
                assert_eq!(rest.next(), Some('\n'));
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            c => {
                assert_ne!(c, '\n');
                cell.push(c);
            }
        }
    }
    assert!(
        row.is_empty() && cell.is_empty() && !quoted,
        "the last row has no line break"
    );
    rows
}

/// The expected value of a cell.
fn expected(record: &Value, column: &str) -> Value {
    column.split('.').fold(record.clone(), |value, name| {
        value.get(name).cloned().unwrap_or(Value::Null)
    })
}

fn assert_cell(cell: &str, value: &Value) {
    match value {
        Value::Null => assert_eq!(cell, ""),
        Value::String(text) => assert_eq!(cell.strip_prefix('\'').unwrap_or(cell), text),
        other => assert_eq!(serde_json::from_str::<Value>(cell).unwrap(), *other),
    }
}

#[tokio::test]
async fn a_list_as_a_table_has_the_names_of_the_wire_and_a_row_for_each_record() {
    let api = school_fixtures::api().await;
    let answer = send_with(&api, "GET", "/v1/students?size=2&sortBy=NAME", &[CSV]).await;
    assert_eq!(answer.status, 200);
    assert_eq!(
        answer.header("content-type"),
        "text/csv; charset=utf-8; header=present"
    );
    assert!(answer.body.ends_with("\r\n") && !answer.body.starts_with('\u{feff}'));
    assert_snapshot!(answer.body.replace("\r\n", "␍\n"), @r#"
    id,name,sex,email,grade,classNum,number,studentNumber,major,specialty,role,dormitoryFloor,dormitoryRoom,majorClub.id,majorClub.name,majorClub.type,autonomousClub.id,autonomousClub.name,autonomousClub.type,githubId,githubUrl␍
    5,Bob,MAN,s15@school.example,2,1,3,2103,AI,1000 Designs,GENERAL_STUDENT,,,,,,,,,,␍
    2,Åsa Öberg,WOMAN,s18@school.example,1,1,1,1101,SW_DEVELOPMENT,100% Design,STUDENT_COUNCIL,,,1,Robotics,MAJOR_CLUB,,,,Asa-O,https://github.com/Asa-O␍
    "#);
    let projects = send_with(&api, "GET", "/v1/projects?projectId=1", &[CSV]).await;
    assert_snapshot!(projects.body.replace("\r\n", "␍\n"), @r#"
    id,name,description,startYear,endYear,status,club.id,club.name,club.type,participants,repositories,techStacks␍
    1,campus map,"Where is
    room 415?",2024,,ACTIVE,1,Robotics,MAJOR_CLUB,"[{""id"":1,""name"":""김하늘"",""email"":""s19@school.example"",""studentNumber"":2307,""major"":""AI"",""sex"":""WOMAN""},{""id"":6,""name"":""Carol"",""email"":""s14@school.example"",""studentNumber"":null,""major"":null,""sex"":""WOMAN""}]","[""https://git.example/map""]","[""Rust"",""SVG""]"␍
    "#);
    let clubs = send_with(
        &api,
        "GET",
        "/v1/clubs?clubId=1&includeLeaderInParticipants=true",
        &[CSV],
    )
    .await;
    assert_snapshot!(clubs.body.replace("\r\n", "␍\n"), @r#"
    id,name,type,status,foundedYear,abolishedYear,leader.id,leader.name,leader.email,leader.studentNumber,leader.major,leader.sex,participants␍
    1,Robotics,MAJOR_CLUB,ACTIVE,2018,,2,Åsa Öberg,s18@school.example,1101,SW_DEVELOPMENT,WOMAN,"[{""id"":1,""name"":""김하늘"",""email"":""s19@school.example"",""studentNumber"":2307,""major"":""AI"",""sex"":""WOMAN""},{""id"":2,""name"":""Åsa Öberg"",""email"":""s18@school.example"",""studentNumber"":1101,""major"":""SW_DEVELOPMENT"",""sex"":""WOMAN""},{""id"":4,""name"":""박서연"",""email"":""s16@school.example"",""studentNumber"":1205,""major"":""SW_DEVELOPMENT"",""sex"":""WOMAN""}]"␍
    "#);
}

#[tokio::test]
async fn a_table_and_lines_have_the_rows_of_the_json_in_its_order() {
    let api = large().await;
    for list in LISTS {
        for query in [
            "size=1000&includeGraduates=true",
            "size=7&page=3&sortBy=NAME&sortDirection=DESC",
            "page=900",
        ] {
            let query = if list == "students" {
                query.to_owned()
            } else {
                query.replace("&includeGraduates=true", "")
            };
            let path = format!("/v1/{list}?{query}");
            let json = get(&api, &path).await;
            let records = records(&json);

            let lines = send_with(&api, "GET", &path, &[LINES]).await;
            assert_eq!(
                (lines.status.as_u16(), lines.header("content-type")),
                (200, "application/x-ndjson")
            );
            assert_eq!(lines.body.lines().count(), records.len(), "{path}");
            assert!(lines.body.is_empty() || lines.body.ends_with('\n'));
            let joined = lines.body.trim_end().replace('\n', ",");
            assert!(
                json.body.ends_with(&format!("\"{list}\":[{joined}]}}}}")),
                "{path}"
            );

            let table = send_with(&api, "GET", &path, &[CSV]).await;
            let mut rows = cells(&table.body).into_iter();
            let columns = rows.next().unwrap();
            assert_eq!(rows.len(), records.len(), "{path}");
            for (row, record) in rows.zip(&records) {
                assert_eq!(row.len(), columns.len());
                for (cell, column) in row.iter().zip(&columns) {
                    assert_cell(cell, &expected(record, column));
                }
            }

            let total = json.json()["data"]["totalElements"].to_string();
            for answer in [&lines, &table] {
                assert_eq!(answer.header("x-total-count"), total, "{path}");
                assert_eq!(answer.header("link"), json.header("link"), "{path}");
                assert_eq!(answer.header("vary"), "X-API-KEY, Accept, Accept-Encoding");
            }
            assert_eq!(json.header("x-total-count"), "");
        }
    }
}

#[tokio::test]
async fn every_field_of_a_record_has_a_column_and_every_column_a_field() {
    let api = school_fixtures::api().await;
    // A record without missing values.
    for (path, nested) in [
        (
            "/v1/students?studentId=1",
            ["majorClub", "autonomousClub"].as_slice(),
        ),
        ("/v1/clubs?clubId=1", &["leader"]),
        ("/v1/projects?projectId=1", &["club"]),
    ] {
        let record = records(&get(&api, path).await).remove(0);
        let fields = record
            .as_object()
            .unwrap()
            .iter()
            .flat_map(|(name, value)| match value.as_object() {
                Some(inner) => inner
                    .keys()
                    .map(|inner| format!("{name}.{inner}"))
                    .collect(),
                None => vec![name.clone()],
            });
        let fields: BTreeSet<String> = fields.collect();
        assert!(nested.iter().all(|name| record[name].is_object()), "{path}");
        let table = send_with(&api, "GET", path, &[CSV]).await;
        let columns = cells(&table.body).remove(0);
        assert_eq!(
            columns.iter().cloned().collect::<BTreeSet<_>>(),
            fields,
            "{path}"
        );
        assert_eq!(columns.len(), fields.len());
        // Columns are in the order of the JSON members.
        let line = send_with(&api, "GET", path, &[LINES]).await.body;
        let mut at = 0;
        for column in columns {
            let name = format!("\"{}\":", column.split('.').next_back().unwrap());
            at += line[at..]
                .find(&name)
                .unwrap_or_else(|| panic!("{column} comes too late"));
        }
    }
}

#[tokio::test]
async fn a_cell_that_looks_like_a_formula_is_made_harmless_and_only_there() {
    let store = school_fixtures::store().await;
    let evil = Project {
        id: ProjectId::new(77).unwrap(),
        name: "=HYPERLINK(\"https://a.example\",\"b\")".parse().unwrap(),
        description: "\t＝1\n+1".parse().unwrap(),
        years: YearRange::new(Year::new(2024).unwrap(), None).unwrap(),
        club: None,
        participants: [].into(),
        repositories: Repositories::default(),
        tech_stacks: TechStacks::default(),
    };
    school_fixtures::write(&store, vec![DirectoryChange::PutProject(evil)]).await;
    let api = school_fixtures::builder_with_store(store)
        .await
        .clock(Arc::new(school_fixtures::FixedClock))
        .build()
        .unwrap();
    let path = "/v1/projects?projectId=77";
    let row = cells(&send_with(&api, "GET", path, &[CSV]).await.body).remove(1);
    assert_eq!(
        row[..3],
        [
            "77",
            "'=HYPERLINK(\"https://a.example\",\"b\")",
            "'\t＝1\n+1"
        ]
    );
    let line = send_with(&api, "GET", path, &[LINES]).await.body;
    assert!(
        line.contains(
            r#""name":"=HYPERLINK(\"https://a.example\",\"b\")","description":"\t＝1\n+1""#
        ),
        "{line}"
    );
}

#[tokio::test]
async fn a_list_of_any_length_says_how_long_it_is() {
    let api = large().await;
    for path in [
        "/v1/students?size=1000&includeGraduates=true",
        "/v1/students?size=1",
        "/v1/students?page=900",
    ] {
        for accept in [CSV, LINES] {
            let answer = send_with(&api, "GET", path, &[accept]).await;
            assert_eq!(
                answer.header("content-length"),
                answer.body.len().to_string(),
                "{path} {accept:?}"
            );
        }
    }
}

#[tokio::test]
async fn head_has_the_headers_of_get_in_every_format() {
    let api = large().await;
    for path in [
        "/v1/students?size=1000&includeGraduates=true",
        "/v1/clubs?size=1",
    ] {
        for accept in [CSV, LINES] {
            let (got, headed) = (
                send_with(&api, "GET", path, &[accept]).await,
                send_with(&api, "HEAD", path, &[accept]).await,
            );
            assert_eq!(
                (headed.status, headed.headers),
                (got.status, got.headers),
                "{path}"
            );
            assert!(headed.body.is_empty() && !got.body.is_empty());
        }
    }
}

#[tokio::test]
async fn an_unacceptable_format_is_406_with_the_supported_ones() {
    let api = school_fixtures::api().await;
    let all = "application/json, text/csv, application/x-ndjson";
    for (path, accept, offered) in [
        ("/v1/students", "text/html", all),
        ("/v1/clubs", "application/json;q=0", ""),
        ("/v1/clubs", "*/*;q=0", all),
        ("/v1/projects", "application/problem+json", all),
        ("/v1/neis/meals", "text/csv", "application/json."),
        (
            "/v1/neis/schedules",
            "application/x-ndjson",
            "application/json.",
        ),
        (
            "/v1/neis/timetables",
            "text/csv, application/json;q=0",
            "application/json.",
        ),
    ] {
        let answer = send_with(&api, "GET", path, &[("accept", accept)]).await;
        assert_eq!(
            (answer.status.as_u16(), answer.reason().0.as_str()),
            (406, "not_acceptable"),
            "{path} {accept}"
        );
        assert_eq!(answer.header("etag"), "");
        assert!(answer.body.contains(offered), "{}", answer.body);
    }
    // Every other check comes first, except for the conditions.
    for (path, status) in [("/v1/nothing", 404), ("/v1/students?x=1", 400)] {
        assert_eq!(
            send_with(&api, "GET", path, &[("accept", "text/html")])
                .await
                .status,
            status
        );
    }
    let conditional = [
        ("accept", "text/html"),
        ("if-none-match", "*"),
        ("if-match", "\"a\""),
    ];
    assert_eq!(
        send_with(&api, "GET", "/v1/students", &conditional)
            .await
            .status,
        406
    );
}

// Proves: spec 2.14
#[tokio::test]
async fn each_format_has_its_own_tag_however_it_is_requested() {
    let api = school_fixtures::api().await;
    for list in LISTS {
        let path = format!("/v1/{list}");
        let mut tags = BTreeSet::new();
        for spellings in [
            ["", "*/*", "application/json", "text/csv;q=0.1, */*"],
            [
                "text/csv",
                "text/*",
                "TEXT/CSV;q=0.3",
                "application/json;q=0.2, text/csv",
            ],
            [
                "application/x-ndjson",
                "application/X-NDJSON",
                "application/x-ndjson, text/csv;q=0.9",
                "application/json;q=0, application/*",
            ],
        ] {
            let mut tag = None;
            for accept in spellings {
                let answer = send_with(&api, "GET", &path, &[("accept", accept)]).await;
                assert_eq!(
                    *tag.get_or_insert(answer.header("etag").to_owned()),
                    answer.header("etag"),
                    "{accept}"
                );
                let known = send_with(
                    &api,
                    "GET",
                    &path,
                    &[("accept", accept), ("if-none-match", answer.header("etag"))],
                )
                .await;
                assert_eq!((known.status.as_u16(), known.body.as_str()), (304, ""));
                assert_eq!(
                    (
                        known.header("content-type"),
                        known.header("x-total-count"),
                        known.header("link")
                    ),
                    ("", "", "")
                );
            }
            assert!(tags.insert(tag));
        }
    }
    assert_eq!(
        send(&api, request("GET", "/v1/clubs", Some(FULL_KEY)))
            .await
            .header("content-type"),
        "application/json"
    );
}

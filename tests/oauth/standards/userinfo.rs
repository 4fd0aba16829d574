use std::sync::Arc;
use std::time::Duration;

use http::Request;
use lyceum::DataApi;
use lyceum::directory::{Directory, WriteOutcome};
use lyceum::domain::{ApiKey, ApiKeyId, ApiKeySecret, ApiScopes, ClientPolicy, Role, ScopeSet};
use lyceum::http::Body;
use lyceum::sample_data::SampleSchool;
use lyceum::store::memory::MemoryStore;
use lyceum::store::{
    ApiKeyStore, Creation, DatasetVersion, DirectoryRow, DirectoryRows, DirectoryStore,
    DirectoryWrite,
};
use lyceum::testing::ManualClock;
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::token::harness::*;

const PATHS: [&str; 2] = ["/userinfo", "/v1/oauth/userinfo"];

// Proves: spec 3.20
#[tokio::test]
async fn user_info_identifies_the_user() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Public).await;
    let tokens = harness.tokens(&client).await;
    let answer = harness.user_info(&tokens.access).await;
    let expected = json!({
        "id": 7,
        "email": "kim@school.example",
        "role": "USER",
        "status": "ACTIVE",
        "objectType": null,
        "isStudent": false,
        "student": null,
        "sub": "kim@school.example",
    });
    assert_eq!(
        (answer.json(), answer.header("cache-control")),
        (expected, "no-store")
    );
    for path in PATHS {
        let request = |method| {
            Request::builder()
                .method(method)
                .uri(path)
                .header("authorization", format!("bearer {}", tokens.access))
        };
        assert_eq!(
            harness
                .send(request("GET").body(Body::empty()).unwrap())
                .await,
            answer
        );
        let head = harness
            .send(request("HEAD").body(Body::empty()).unwrap())
            .await;
        assert_eq!((head.status.as_u16(), &*head.body), (200, ""));
        let post = harness
            .send(request("POST").body(Body::empty()).unwrap())
            .await;
        assert_eq!(
            (post.status.as_u16(), post.header("allow")),
            (405, "GET, HEAD, OPTIONS")
        );
    }
}

// Proves: spec 3.20
/// Fails if a client that parses a `long` cannot read the response, or the id changes with the
/// e-mail address.
#[tokio::test]
async fn a_user_whose_id_is_no_number_has_a_stable_derived_number() {
    let harness = Harness::new().await;
    harness
        .users
        .sign_in_as("3f2b8c1e-9d4a-4e6f-8a7b-0c1d2e3f4a5b", Role::User);
    let client = harness.client(ClientPolicy::Public).await;
    let tokens = harness.tokens(&client).await;
    for email in ["kim@school.example", "haneul@school.example"] {
        harness.users.set_email_and_role(email, Role::User);
        let told = harness.user_info(&tokens.access).await.json();
        assert_eq!(
            (&told["id"], &told["sub"]),
            (&json!(760_847_704_308_741_i64), &json!(email))
        );
    }
}

// Proves: spec 3.20
/// Fails if the host's number is lost after the sign-in, or replaced by the derived one.
#[tokio::test]
async fn a_user_to_whom_the_host_gave_a_number_has_that_one() {
    let harness = Harness::new().await;
    harness
        .users
        .sign_in_as("3f2b8c1e-9d4a-4e6f-8a7b-0c1d2e3f4a5b", Role::User);
    let client = harness.client(ClientPolicy::Public).await;
    let tokens = harness.tokens(&client).await;
    for number in [0, 20_260_001, (1 << 53) - 1] {
        harness.users.set_number(number);
        assert_eq!(harness.user_info(&tokens.access).await.json()["id"], number);
    }
}

// Proves: spec 3.20
#[tokio::test]
async fn user_info_is_of_the_current_user_record() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Public).await;
    let tokens = harness.tokens(&client).await;
    harness
        .users
        .set_email_and_role("haneul@school.example", Role::Admin);
    let body = harness.user_info(&tokens.access).await.json();
    assert_eq!(
        (&body["email"], &body["role"]),
        (&"haneul@school.example".into(), &"ADMIN".into())
    );
    harness.users.set_reachable(false);
    assert_eq!(
        harness.user_info(&tokens.access).await.error(),
        error(503, "temporarily_unavailable")
    );
    harness.users.set_reachable(true);
    harness.users.remove_all();
    assert_eq!(
        harness.user_info(&tokens.access).await.error(),
        error(401, "invalid_token")
    );
}

/// A directory with a sample school in which the students at these positions have this e-mail
/// address. Enrolled students come first.
async fn directory(email: &str, places: &[usize]) -> (Arc<MemoryStore>, Directory) {
    let store = Arc::new(MemoryStore::new());
    let directory = Directory::open(store.clone()).await.unwrap();
    let mut school = SampleSchool::new(1, "2026-05-20".parse().unwrap());
    school
        .students
        .sort_by_key(|student| student.enrollment().is_none());
    assert!(matches!(
        directory.write(school.changes()).await.unwrap(),
        WriteOutcome::Written(_)
    ));
    // Only a school from before the rule has several such students.
    let before = store.directory_version().await.unwrap();
    let mut rows = DirectoryRows::empty(DatasetVersion {
        number: before.number + 1,
        ..before
    });
    for place in places {
        let mut student = school.students[*place].clone();
        student.email = email.parse().unwrap();
        rows.students.push(DirectoryRow {
            id: student.id,
            changed: rows.version.number,
            value: Some(student),
        });
    }
    rows.students.sort_by_key(|row| row.id);
    let written = store.write_directory(before, Arc::new(rows)).await.unwrap();
    assert_eq!(written, DirectoryWrite::Written);
    let directory = Directory::open(store.clone()).await.unwrap();
    (store, directory)
}

/// The students with this e-mail address, as returned by the data API.
async fn shown_by_the_data_api(
    (store, directory): (Arc<MemoryStore>, Directory),
    email: &str,
) -> Vec<Value> {
    let secret = ApiKeySecret::from_random([1; 16]);
    let key = ApiKey::new(
        ApiKeyId::from_random([1; 16]),
        &secret,
        "test".parse().unwrap(),
        ApiScopes::built_in(),
        START,
    );
    assert_eq!(store.create_api_key(key).await.unwrap(), Creation::Created);
    let api = DataApi::builder(directory, store)
        .clock(Arc::new(ManualClock::new(START)))
        .build()
        .unwrap();
    let path = format!("/v1/students?email={email}&includeGraduates=true&includeWithdrawn=true");
    let request = Request::get(path)
        .header("x-api-key", secret.expose())
        .body(Body::empty())
        .unwrap();
    let answer = api.oneshot(request).await.unwrap();
    let body: Value = serde_json::from_slice(answer.body().as_bytes()).unwrap();
    body["data"]["students"]
        .as_array()
        .unwrap_or_else(|| panic!("{body}"))
        .clone()
}

/// The response of `/userinfo` over this directory, for the user kim@school.example.
async fn told_over(directory: Directory) -> Value {
    let harness = Harness::with_settings(|builder| builder.directory(directory)).await;
    let client = harness.client(ClientPolicy::Public).await;
    harness
        .user_info(&harness.tokens(&client).await.access)
        .await
        .json()
}

// Proves: spec 3.20
#[tokio::test]
async fn a_user_who_is_a_student_is_shown_as_the_data_api_shows_one() {
    const ENROLLED: usize = 3;
    const GRADUATE: usize = 600;
    for places in [&[ENROLLED][..], &[GRADUATE], &[ENROLLED, GRADUATE]] {
        let school = directory("KIM@School.example", places).await;
        let told = told_over(school.1.clone()).await;
        let mut shown = shown_by_the_data_api(school, "kim@school.example").await;
        shown.retain(|student| student["email"] == "KIM@School.example");
        assert_eq!(
            (&told["isStudent"], &told["objectType"], shown.len()),
            (&json!(true), &json!("STUDENT"), places.len())
        );
        let student = if places.len() == 1 {
            &shown[0]
        } else {
            shown
                .iter()
                .find(|student| !student["grade"].is_null())
                .unwrap()
        };
        assert_eq!(&told["student"], student);
    }
}

// Proves: spec 3.20
#[tokio::test]
async fn user_info_matches_the_students_email_exactly() {
    let told = told_over(directory("akim@school.example", &[3]).await.1).await;
    assert_eq!(
        (&told["isStudent"], &told["objectType"], &told["student"]),
        (&json!(false), &Value::Null, &Value::Null)
    );
}

/// Fails if the consent page says less than `/userinfo` returns, or more.
#[tokio::test]
async fn the_consent_page_names_what_user_info_returns() {
    // Ids, and marks that say nothing more about the user.
    const TECHNICAL: [&str; 6] = ["id", "sub", "status", "objectType", "isStudent", "student"];
    let of_everybody: [(&str, &str, &[&str]); 2] = [
        ("Email address", "이메일 주소", &["email", "student.email"]),
        ("role", "역할", &["role"]),
    ];
    let of_students: [(&str, &str, &[&str]); 10] = [
        ("name", "이름", &["student.name"]),
        ("sex", "성별", &["student.sex"]),
        (
            "grade and class",
            "학년과 반",
            &["student.grade", "student.classNum"],
        ),
        (
            "student number",
            "학번",
            &["student.number", "student.studentNumber"],
        ),
        ("major", "학과", &["student.major"]),
        ("specialty", "특기 분야", &["student.specialty"]),
        ("student role", "학생 구분", &["student.role"]),
        (
            "dormitory room",
            "기숙사 호실",
            &["student.dormitoryFloor", "student.dormitoryRoom"],
        ),
        (
            "clubs",
            "동아리",
            &["student.majorClub", "student.autonomousClub"],
        ),
        (
            "GitHub account",
            "GitHub 계정",
            &["student.githubId", "student.githubUrl"],
        ),
    ];
    let told = told_over(directory("kim@school.example", &[3]).await.1).await;
    let fields = |object: &Value, prefix: &str| -> Vec<String> {
        let names = object.as_object().unwrap().keys();
        let names = names.filter(|name| !TECHNICAL.contains(&name.as_str()));
        names.map(|name| format!("{prefix}{name}")).collect()
    };
    let returned = [fields(&told, ""), fields(&told["student"], "student.")].concat();
    let mut named: Vec<&str> = of_everybody
        .iter()
        .chain(&of_students)
        .flat_map(|(.., fields)| fields.iter().copied())
        .collect();
    let mut returned: Vec<&str> = returned.iter().map(String::as_str).collect();
    named.sort_unstable();
    returned.sort_unstable();
    assert_eq!(named, returned);

    let english = |words: &[(&'static str, &str, &[&str])]| {
        let words: Vec<&str> = words.iter().map(|(word, ..)| *word).collect();
        words.join(", ")
    };
    let korean = |words: &[(&str, &'static str, &[&str])], between| {
        let words: Vec<&str> = words.iter().map(|(_, word, _)| *word).collect();
        words.join(between)
    };
    let lines = [
        (
            "en",
            format!(
                "<small>{}; if you are a student also {}</small>",
                english(&of_everybody),
                english(&of_students)
            ),
        ),
        (
            "ko",
            format!(
                "<small>{}이 포함돼요. 학생이면 {}도 포함돼요.</small>",
                korean(&of_everybody, "와 "),
                korean(&of_students, ", ")
            ),
        ),
    ];
    let host = crate::harness::Harness::new().await;
    let mut browser = host.browser();
    let all = [("scope", ""), ("prompt", "consent")];
    browser.get(&host.authorize(&all)).await;
    browser
        .sign_in(crate::harness::EMAIL, crate::harness::PASSWORD)
        .await;
    for (language, line) in lines {
        browser
            .get(&format!("/v1/oauth/consent?language={language}"))
            .await;
        let page = browser.get("/v1/oauth/consent").await;
        assert_eq!(page.body.matches(&line).count(), 1, "{line}: {}", page.body);
    }
}

/// The status, the `error` code and the challenge.
async fn refused(harness: &Harness, request: Request<Body>) -> (u16, String, String) {
    let answer = harness.send(request).await;
    let (status, word) = answer.error();
    (status, word, answer.header("www-authenticate").to_owned())
}

#[tokio::test]
async fn rfc_6750_a_request_without_a_valid_token_gets_a_challenge_that_says_why() {
    const CHALLENGE: &str = r#"Bearer realm="service", scope="service:self_read""#;
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Public).await;
    let tokens = harness.tokens(&client).await;
    let get = |path: &str, headers: &[&str]| {
        let request = headers.iter().fold(Request::get(path), |request, value| {
            request.header("authorization", *value)
        });
        request.body(Body::empty()).unwrap()
    };
    let bearer = format!("Bearer {}", tokens.access);
    let basic = basic(&client.id, &client.secrets[0]);
    for headers in [&[][..], &[&*basic], &["Bearer"], &[""]] {
        let (status, word, challenge) = refused(&harness, get("/userinfo", headers)).await;
        assert_eq!(
            (status, &*word, &*challenge),
            (401, "invalid_token", CHALLENGE),
            "{headers:?}"
        );
    }
    let in_query = format!("/userinfo?access_token={}", tokens.access);
    for (path, headers) in [
        (&*in_query, &[][..]),
        (&in_query, &[&*bearer]),
        ("/userinfo", &[&bearer, &bearer]),
        ("/userinfo", &[&bearer, &basic]),
    ] {
        let (status, word, challenge) = refused(&harness, get(path, headers)).await;
        assert_eq!((status, &*word), (400, "invalid_request"), "{path}");
        assert!(
            challenge.starts_with(CHALLENGE) && challenge.contains("error=\"invalid_request\""),
            "{challenge}"
        );
    }
    for token in [
        "x",
        &tokens.refresh,
        &format!("{} ", tokens.access),
        &tokens.access.to_lowercase(),
    ] {
        let (status, word, challenge) =
            refused(&harness, get("/userinfo", &[&format!("Bearer {token}")])).await;
        assert_eq!((status, &*word), (401, "invalid_token"), "{token}");
        assert!(challenge.contains("error=\"invalid_token\""), "{challenge}");
    }
    harness.clock.advance(Duration::from_secs(3600));
    assert_eq!(
        refused(&harness, get("/userinfo", &[&bearer])).await.1,
        "invalid_token"
    );
}

#[tokio::test]
async fn rfc_6750_a_token_needs_the_scope_and_must_be_for_this_service() {
    let harness = Harness::new().await;
    let application = harness.application("somebody").await;
    let other = format!("{application}:read");
    let client = harness.client_with(ClientPolicy::Secret, |client| {
        client.allowed_scopes = ScopeSet::parse(&format!("{SCOPES} {other}")).unwrap();
    });
    let client = client.await;
    let lacking = harness
        .user_info(&harness.tokens_for(&client, "service:manage").await.access)
        .await;
    assert_eq!(lacking.error(), error(403, "insufficient_scope"));
    assert!(
        lacking
            .header("www-authenticate")
            .contains("scope=\"service:self_read\", error=\"insufficient_scope\"")
    );
    let foreign = harness
        .user_info(&harness.tokens_for(&client, &other).await.access)
        .await;
    assert_eq!(foreign.error(), error(401, "invalid_token"));
}

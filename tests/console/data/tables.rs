use http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use http::{Method, Request, StatusCode};
use http_body_util::BodyExt;
use lyceum::directory::{DirectoryChange, WriteOutcome};
use lyceum::domain::{EnrollmentStatus, Sex, ShortText, Student, StudentId};
use lyceum::http::Body;

use super::*;

/// Fails if the download can be cached, or is shown as a page.
#[tokio::test]
async fn the_table_is_that_of_the_data_api_to_keep_as_a_file() {
    let (harness, api) = harness().await;
    let mut browser = browser(&harness).await;
    for (word, query) in [
        ("students", "includeGraduates=true&sortBy=NAME"),
        ("clubs", "clubName=robot"),
        ("projects", "status=ENDED"),
    ] {
        let page = browser.get(&format!("/data/{word}?{query}")).await;
        let href = link_to_table(&page).unwrap();
        let table = browser.get(&href).await;
        assert_eq!(
            (table.status, table.header(CONTENT_TYPE)),
            (StatusCode::OK, "text/csv; charset=utf-8; header=present")
        );
        assert_eq!(
            table.header(CONTENT_DISPOSITION),
            format!("attachment; filename=\"{word}.csv\"")
        );
        assert_eq!(
            (table.header(CACHE_CONTROL), table.header(REFERRER_POLICY)),
            ("no-store", "no-referrer")
        );
        assert_eq!(table.header(X_CONTENT_TYPE_OPTIONS), "nosniff");
        assert_eq!(
            table.body,
            asked(&api, 1, &format!("/v1/{word}?{query}"), "text/csv")
                .await
                .1
        );
        assert!(table.body.lines().count() > 1, "{}", table.body);
    }
}

fn link_to_table(page: &TestResponse) -> Option<String> {
    let href = page
        .body
        .split("href=\"")
        .map(|rest| rest.split('"').next().unwrap())
        .find(|href| href.contains(".csv?"))?;
    Some(unescaped(href.strip_prefix("/console")?))
}

// Proves: threats 37
/// Fails if a spreadsheet would evaluate a name as a formula.
#[tokio::test]
async fn a_name_that_looks_like_a_formula_is_none_in_the_table() {
    let (harness, _) = harness().await;
    let mut browser = browser(&harness).await;
    put_students(&harness, [(50, "=HYPERLINK(\"https://evil.example\")")]).await;
    let table = browser
        .get("/data/students.csv?includeGraduates=true&studentId=50")
        .await
        .body;
    assert!(table.contains("\"'=HYPERLINK(\"\"https"), "{table}");
}

/// Fails if a download omits records without notice, or the last page links to the first part.
#[tokio::test]
async fn a_large_table_is_downloaded_in_numbered_parts() {
    let (harness, _) = harness().await;
    let mut browser = browser(&harness).await;
    put_students(&harness, (100..1_150).map(|id| (id, "Dana"))).await;
    let mut names = Vec::new();
    let mut found = 0;
    for page in ["", "&page=20"] {
        let page = browser
            .get(&format!(
                "/data/students?name=Dana&includeGraduates=true{page}"
            ))
            .await;
        let request = Request::get(link_to_table(&page).unwrap()).header(
            "cookie",
            format!("__Host-lyceum-console={}", browser.session().unwrap()),
        );
        let answer = harness
            .console
            .clone()
            .oneshot(request.body(Body::empty()).unwrap())
            .await
            .unwrap();
        names.push(
            answer.headers()[CONTENT_DISPOSITION]
                .to_str()
                .unwrap()
                .to_owned(),
        );
        let body = answer.into_body().collect().await.unwrap().to_bytes();
        found += std::str::from_utf8(&body).unwrap().matches("Dana").count();
    }
    assert_eq!(
        names,
        [
            "attachment; filename=\"students-1-of-2.csv\"",
            "attachment; filename=\"students-2-of-2.csv\""
        ]
    );
    assert_eq!(found, 1_050);
    let head = browser
        .send(
            Method::HEAD,
            "/data/students.csv?name=Dana&includeGraduates=true",
            None,
            "",
        )
        .await;
    assert_eq!(head.status, StatusCode::OK);
    assert!(head.header("content-length").parse::<usize>().unwrap() > 10_000);
}

async fn put_students(harness: &Harness, students: impl IntoIterator<Item = (i64, &str)>) {
    let changes = students.into_iter().map(|(id, name)| {
        let (name, email): (ShortText, _) = (
            name.parse().unwrap(),
            format!("g{id}@school.example").parse().unwrap(),
        );
        let id = StudentId::new(id).unwrap();
        DirectoryChange::PutStudent(Student {
            id,
            name,
            sex: Sex::Man,
            email,
            specialty: None,
            github_id: None,
            enrollment_status: EnrollmentStatus::Graduate,
        })
    });
    assert!(matches!(
        harness.directory.write(changes.collect()).await.unwrap(),
        WriteOutcome::Written(_)
    ));
}

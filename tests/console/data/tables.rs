use http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use http::{Method, Request, StatusCode};
use http_body_util::BodyExt;
use lyceum::directory::{DirectoryChange, Writing};
use lyceum::domain::{Line, Sex, Standing, Student, StudentId};
use lyceum::http::Body;

use super::*;

/// Fails if anybody keeps the table on its way, or it is opened as a page.
#[tokio::test]
async fn the_table_is_that_of_the_data_api_to_keep_as_a_file() {
    let (world, api) = world().await;
    let mut browser = browser(&world).await;
    for (word, query) in [("students", "includeGraduates=true&sortBy=NAME"), ("clubs", "clubName=robot"), ("projects", "status=ENDED")] {
        let page = browser.get(&format!("/data/{word}?{query}")).await;
        let href = link_to_table(&page).unwrap();
        let table = browser.get(&href).await;
        assert_eq!((table.status, table.header(CONTENT_TYPE)), (StatusCode::OK, "text/csv; charset=utf-8; header=present"));
        assert_eq!(table.header(CONTENT_DISPOSITION), format!("attachment; filename=\"{word}.csv\""));
        assert_eq!((table.header(CACHE_CONTROL), table.header(REFERRER_POLICY)), ("no-store", "no-referrer"));
        assert_eq!(table.header(X_CONTENT_TYPE_OPTIONS), "nosniff");
        assert_eq!(table.body, asked(&api, 1, &format!("/v1/{word}?{query}"), "text/csv").await.1);
        assert!(table.body.lines().count() > 1, "{}", table.body);
    }
}

fn link_to_table(page: &Answer) -> Option<String> {
    let href = page.body.split("href=\"").map(|rest| rest.split('"').next().unwrap()).find(|href| href.contains(".csv?"))?;
    Some(unescaped(href.strip_prefix("/console")?))
}

/// Fails if a name becomes a formula in somebody's spreadsheet.
#[tokio::test]
async fn s37_a_name_that_looks_like_a_formula_is_none_in_the_table() {
    let (world, _) = world().await;
    let mut browser = browser(&world).await;
    put_students(&world, [(50, "=HYPERLINK(\"https://evil.example\")")]).await;
    let table = browser.get("/data/students.csv?includeGraduates=true&studentId=50").await.body;
    assert!(table.contains("\"'=HYPERLINK(\"\"https"), "{table}");
}

/// Fails if what one table cannot hold is left out without a word, or the last page leads to the first part.
#[tokio::test]
async fn what_is_too_much_for_one_table_comes_in_parts_that_say_so() {
    let (world, _) = world().await;
    let mut browser = browser(&world).await;
    put_students(&world, (100..1_150).map(|id| (id, "Dana"))).await;
    let mut names = Vec::new();
    let mut found = 0;
    for page in ["", "&page=20"] {
        let page = browser.get(&format!("/data/students?name=Dana&includeGraduates=true{page}")).await;
        let request =
            Request::get(link_to_table(&page).unwrap()).header("cookie", format!("__Host-lyceum-console={}", browser.session().unwrap()));
        let answer = world.console.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        names.push(answer.headers()[CONTENT_DISPOSITION].to_str().unwrap().to_owned());
        let body = answer.into_body().collect().await.unwrap().to_bytes();
        found += std::str::from_utf8(&body).unwrap().matches("Dana").count();
    }
    assert_eq!(names, ["attachment; filename=\"students-1-of-2.csv\"", "attachment; filename=\"students-2-of-2.csv\""]);
    assert_eq!(found, 1_050);
    let head = browser.send(Method::HEAD, "/data/students.csv?name=Dana&includeGraduates=true", None, "").await;
    assert_eq!(head.status, StatusCode::OK);
    assert!(head.header("content-length").parse::<usize>().unwrap() > 10_000);
}

async fn put_students(world: &World, students: impl IntoIterator<Item = (i64, &str)>) {
    let changes = students.into_iter().map(|(id, name)| {
        let (name, email): (Line, _) = (name.parse().unwrap(), format!("g{id}@school.example").parse().unwrap());
        let id = StudentId::new(id).unwrap();
        DirectoryChange::PutStudent(Student {
            id,
            name,
            sex: Sex::Man,
            email,
            specialty: None,
            github_id: None,
            standing: Standing::Graduate,
        })
    });
    assert!(matches!(world.directory.write(changes.collect()).await.unwrap(), Writing::Written(_)));
}

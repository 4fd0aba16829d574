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
        ("clubs", "clubName=robot&sortBy=ID"),
        ("projects", "status=ENDED&sortBy=ID"),
    ] {
        let page = browser.get(&format!("/data/{word}?{query}")).await;
        let href = form_href(&page, "_headings", "CSV");
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

/// Fails if a download omits records without a choice of the others, or the last page chooses the
/// first part.
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
        let chosen = |part| if part == names.len() { " selected" } else { "" };
        for (part, rows) in ["1–1,000", "1,001–1,050"].into_iter().enumerate() {
            let option = format!("<option value=\"{part}\"{}>{rows}</option>", chosen(part));
            assert!(page.body.contains(&option), "{option}: {}", page.body);
        }
        let href = form_href(&page, "_headings", "CSV");
        let (headers, body) = file(&harness, &browser, &href).await;
        let name = headers[CONTENT_DISPOSITION].to_str().unwrap();
        names.push(name.to_owned());
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
    let one = browser.get("/data/students?studentId=1").await.body;
    assert!(
        one.contains("_headings") && !one.contains("id=\"part\""),
        "{one}"
    );
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

/// The sheet of a workbook, which is not compressed.
fn sheet(archive: &[u8]) -> String {
    let name = b"xl/worksheets/sheet1.xml";
    // The name is also in another part, and in the directory at the end.
    let is_header = |at: &usize| {
        archive[..*at].ends_with(name) && {
            let header = at.saturating_sub(name.len() + 30);
            archive[header..].starts_with(b"PK\x03\x04")
        }
    };
    let end = (name.len()..archive.len()).find(is_header).unwrap();
    let at = end - name.len();
    let start = at + name.len();
    let size = u32::from_le_bytes(archive[at - 8..at - 4].try_into().unwrap());
    String::from_utf8(archive[start..start + size as usize].to_vec()).unwrap()
}

/// The body and the headers of a download.
async fn file(harness: &Harness, browser: &Browser, path: &str) -> (http::HeaderMap, Vec<u8>) {
    let request = Request::get(path).header(
        "cookie",
        format!("__Host-lyceum-console={}", browser.session().unwrap()),
    );
    let answer = harness
        .console
        .clone()
        .oneshot(request.body(Body::empty()).unwrap())
        .await
        .unwrap();
    assert_eq!(answer.status(), StatusCode::OK, "{path}");
    let (head, body) = answer.into_parts();
    (
        head.headers,
        body.collect().await.unwrap().to_bytes().to_vec(),
    )
}

/// Fails if Excel would show Korean as other letters, or another table than the page has.
#[tokio::test]
async fn a_korean_reader_gets_a_file_that_excel_opens_right() {
    let (harness, _) = harness().await;
    let mut browser = browser(&harness).await;
    browser.language = "ko";
    let page = browser
        .get("/data/students?name=%EA%B9%80&_columns=sex,majorClub,dormitoryRoom")
        .await;
    assert_eq!(rows(&page), [["김하늘", "여", "415", "Robotics"]]);
    let csv = browser.get(&form_href(&page, "_headings", "CSV")).await;
    assert_eq!(
        csv.body,
        "\u{feff}이름,성별,기숙사 호실,전공 동아리\r\n김하늘,여,415,Robotics\r\n"
    );
    let xlsx = form_href(&page, "_headings", "엑셀");
    let (headers, archive) = file(&harness, &browser, &xlsx).await;
    assert_eq!(
        headers[CONTENT_TYPE],
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    );
    assert_eq!(
        headers[CONTENT_DISPOSITION],
        "attachment; filename=\"students.xlsx\""
    );
    assert_eq!(headers[CACHE_CONTROL], "no-store");
    let sheet = sheet(&archive);
    let text =
        |text| format!("<c t=\"inlineStr\"><is><t xml:space=\"preserve\">{text}</t></is></c>");
    let (name, sex, club) = (text("김하늘"), text("여"), text("Robotics"));
    assert!(
        sheet.contains(&format!("<row>{name}{sex}<c><v>415</v></c>{club}</row>")),
        "{sheet}"
    );
}

/// Fails if a spreadsheet program could not sort or filter by days.
#[tokio::test]
async fn the_dates_of_a_workbook_are_dates() {
    let (harness, _) = harness().await;
    let browser = browser(&harness).await;
    for headings in ["", "ko"] {
        let path = format!("/data/meals.xlsx?date=2026-11-20&_headings={headings}");
        let sheet = sheet(&file(&harness, &browser, &path).await.1);
        assert!(
            sheet.contains("<c s=\"1\"><v>46346</v></c>") && !sheet.contains("2026-11-20"),
            "{sheet}"
        );
    }
}

// Proves: threats 37
/// Fails if a spreadsheet would evaluate a name as a formula, in either format and any words.
#[tokio::test]
async fn no_text_of_a_workbook_is_a_formula() {
    let (harness, _) = harness().await;
    let browser = browser(&harness).await;
    put_students(&harness, [(50, "=1+1<&>")]).await;
    for headings in ["", "ko", "en"] {
        let query = format!("includeGraduates=true&studentId=50&_headings={headings}");
        let path = format!("/data/students.xlsx?{query}");
        let sheet = sheet(&file(&harness, &browser, &path).await.1);
        assert!(
            sheet
                .contains("<c t=\"inlineStr\"><is><t xml:space=\"preserve\">=1+1&lt;&amp;&gt;</t>")
                && !sheet.contains("<f>"),
            "{sheet}"
        );
        let path = format!("/data/students.csv?{query}");
        let csv = String::from_utf8(file(&harness, &browser, &path).await.1).unwrap();
        assert!(csv.contains("'=1+1<&>"), "{csv}");
    }
}

/// Fails if a list of days cannot be downloaded, or only the page of it.
#[tokio::test]
async fn every_list_is_downloaded_whole_in_both_formats() {
    let (harness, api) = harness().await;
    let browser = browser(&harness).await;
    for (word, path) in KINDS {
        let expected = records(&api, path).await;
        let csv = file(&harness, &browser, &format!("/data/{word}.csv"))
            .await
            .1;
        let csv = String::from_utf8(csv).unwrap();
        let columns = csv.lines().next().unwrap().split(',').count();
        let xlsx = file(&harness, &browser, &format!("/data/{word}.xlsx"))
            .await
            .1;
        let sheet = sheet(&xlsx);
        assert_eq!(sheet.matches("<row>").count(), expected.len() + 1, "{word}");
        let cells = sheet.matches("<c>").count()
            + sheet.matches("<c/>").count()
            + sheet.matches("<c t=").count()
            + sheet.matches("<c s=").count();
        assert_eq!(cells, columns * (expected.len() + 1), "{word}");
    }
}

use std::collections::BTreeSet;

use http::StatusCode;
use lyceum::http::ApiReference;

use super::*;
use crate::pages::assert_safe;

/// Names of the fields of a page's filter form, one of which is outside of it.
fn fields(page: &TestResponse) -> BTreeSet<String> {
    let body = &page.body;
    let form = body.split("<form class=\"filters").nth(1).unwrap();
    let form = form.split("</form>").next().unwrap();
    let outside = body.split("<input").filter(|input| {
        let input = input.split('>').next().unwrap();
        input.contains(" form=\"filters\"")
    });
    std::iter::once(form)
        .flat_map(|form| form.split(" name=\"").skip(1))
        .chain(outside.filter_map(|input| input.split(" name=\"").nth(1)))
        .map(|rest| rest.split('"').next().unwrap().to_owned())
        .collect()
}

/// Fails if a filter of the data API is missing on the pages, or the reverse.
#[tokio::test]
async fn every_parameter_of_the_data_api_is_a_filter() {
    let (harness, api) = harness().await;
    let mut browser = browser(&harness).await;
    // One key would be no choice.
    keep(&harness, key(&harness, 2)).await;
    let document: Value = serde_json::from_str(
        ApiReference::new("Test", [api.openapi()])
            .unwrap()
            .document(),
    )
    .unwrap();
    for (word, path) in KINDS {
        let parameters = document["paths"][path]["get"]["parameters"]
            .as_array()
            .unwrap();
        let of_query = parameters
            .iter()
            .filter(|parameter| parameter["in"] == "query");
        let mut expected: BTreeSet<String> = of_query
            .map(|parameter| parameter["name"].as_str().unwrap().to_owned())
            .collect();
        // Pages and orders are links, and `updatedSince` is for programs that keep a copy.
        let links = ["page", "sortBy", "sortDirection", "updatedSince"];
        expected.retain(|name| !links.contains(&&**name));
        expected.insert("key".to_owned());
        assert_eq!(
            fields(&browser.get(&format!("/data/{word}")).await),
            expected,
            "{word}"
        );
    }
}

/// Fails if a value of an enumeration is no option.
#[tokio::test]
async fn every_word_of_the_data_api_can_be_chosen_and_is_shown_as_chosen() {
    let (harness, api) = harness().await;
    let mut browser = browser(&harness).await;
    let document = ApiReference::new("Test", [api.openapi()])
        .unwrap()
        .document()
        .to_owned();
    let document: Value = serde_json::from_str(&document).unwrap();
    let mut chosen = 0;
    for (word, path) in KINDS {
        for parameter in document["paths"][path]["get"]["parameters"]
            .as_array()
            .unwrap()
        {
            let name = parameter["name"].as_str().unwrap();
            if name.starts_with("sort") {
                continue;
            }
            let schema = &parameter["schema"];
            let schema = schema["$ref"].as_str().map_or(schema, |to| {
                document.pointer(to.trim_start_matches('#')).unwrap()
            });
            for value in schema["enum"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|value| value.as_str().unwrap())
            {
                let page = browser.get(&format!("/data/{word}?{name}={value}")).await;
                assert_eq!(page.status, StatusCode::OK);
                assert!(
                    page.body
                        .contains(&format!("<option value=\"{value}\" selected>")),
                    "{word} {name}={value}"
                );
                chosen += 1;
                harness.clock.advance(MINUTE / 60);
            }
        }
    }
    assert!(chosen > 15, "{chosen}");
}

#[tokio::test]
async fn a_filter_finds_what_it_finds_in_the_data_api() {
    let (harness, api) = harness().await;
    let mut browser = browser(&harness).await;
    for (word, path, query, found) in [
        ("students", "/v1/students", "name=%ED%95%98%EB%8A%98", 1),
        (
            "students",
            "/v1/students",
            "grade=1&classNum=&major=SW_DEVELOPMENT",
            2,
        ),
        (
            "students",
            "/v1/students",
            "includeGraduates=true&includeWithdrawn=true",
            8,
        ),
        ("students", "/v1/students", "specialty=100%25", 1),
        ("clubs", "/v1/clubs", "status=ABOLISHED", 2),
        (
            "clubs",
            "/v1/clubs",
            "clubName=robot&sortBy=FOUNDED_YEAR&sortDirection=DESC",
            2,
        ),
        ("projects", "/v1/projects", "status=ENDED", 1),
        ("meals", "/v1/neis/meals", "date=2026-11-20", 1),
        ("timetables", "/v1/neis/timetables", "grade=1&classNum=2", 1),
    ] {
        let page = browser.get(&format!("/data/{word}?{query}")).await;
        let expected = records(&api, &format!("{path}?{query}")).await;
        assert_eq!(
            (rows(&page).len(), expected.len()),
            (found, found),
            "{word}?{query}"
        );
    }
    let nothing = browser.get("/data/students?name=nobody").await;
    assert!(nothing.body.contains("No records match") && nothing.body.contains("value=\"nobody\""));
}

#[tokio::test]
async fn a_filter_error_is_beside_the_filter_and_keeps_the_input() {
    let (harness, _) = harness().await;
    let mut browser = browser(&harness).await;
    for (path, name, message) in [
        (
            "students?grade=nine",
            "grade",
            "Enter a whole number from 1 to 3.",
        ),
        (
            "students?grade=9",
            "grade",
            "Enter a whole number from 1 to 3.",
        ),
        (
            "students?grade=1&grade=2",
            "grade",
            "This value is not valid.",
        ),
        (
            "students?size=0",
            "size",
            "Enter a whole number from 1 to 1000.",
        ),
        ("students?sex=BOTH", "sex", "Choose one of the options."),
        (
            "students?onlyEnrolled=perhaps",
            "onlyEnrolled",
            "Choose one of the options.",
        ),
        ("meals?date=yesterday", "date", "Enter a date."),
        (
            "meals?date=2026-11-21&toDate=2026-11-22",
            "date",
            "Enter one date, or a first and a last day.",
        ),
        ("meals?toDate=2026-13-01", "toDate", "Enter a date."),
        (
            "timetables?fromDate=2026-11-22&toDate=2026-11-21",
            "fromDate",
            "The first day cannot be after the last",
        ),
    ] {
        let page = browser
            .get(&format!("/data/{path}&clubStatus=X&name=%EA%B9%80"))
            .await;
        assert_safe(&page);
        assert_eq!(page.status, StatusCode::BAD_REQUEST, "{path}");
        assert!(
            page.body
                .contains(&format!("id=\"{name}-fault\">{message}")),
            "{path}: {}",
            page.body
        );
        assert!(page.body.contains("Check the marked filters."));
        assert!(rows(&page).is_empty() && !page.body.contains(".csv"));
        if path.starts_with("students") {
            assert!(page.body.contains("value=\"김\""));
        }
    }
    assert!(
        browser
            .get("/data/students?grade=nine")
            .await
            .body
            .contains("value=\"nine\"")
    );
    let page = browser.get("/data/students").await;
    assert!(
        page.body
            .contains("placeholder=\"1–3\" min=\"1\" max=\"3\""),
        "{}",
        page.body
    );
    // The order has no field.
    for path in ["students", "students.csv"] {
        let page = browser.get(&format!("/data/{path}?sortBy=SHOE_SIZE")).await;
        assert_eq!(page.status, StatusCode::BAD_REQUEST);
        assert!(
            page.body.contains("Sort by: Choose one of the options."),
            "{}",
            page.body
        );
    }
    for query in ["page=-1", "page=x", "page=99999999999"] {
        let page = browser.get(&format!("/data/students?{query}")).await;
        assert_eq!(page.status, StatusCode::BAD_REQUEST);
        assert!(page.body.contains("This value is not valid.") && !page.body.contains("marked"));
    }
    assert_eq!(
        browser.get("/data/students?name=%").await.status,
        StatusCode::BAD_REQUEST
    );
}

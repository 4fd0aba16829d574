use http::StatusCode;

use super::*;

/// Code of the samples, in their order.
fn samples(page: &TestResponse) -> Vec<String> {
    page.body
        .split("<pre id=\"sample-")
        .skip(1)
        .map(|rest| {
            unescaped(
                rest.split_once("<code>")
                    .unwrap()
                    .1
                    .split("</code>")
                    .next()
                    .unwrap(),
            )
        })
        .collect()
}

/// The text between `before` and the next quotation mark.
fn between(code: &str, before: &str, quote: char) -> String {
    code.split_once(before)
        .unwrap_or_else(|| panic!("no {before} in {code}"))
        .1
        .split(quote)
        .next()
        .unwrap()
        .to_owned()
}

/// Fails if a sample requests other records than the page, or a value ends a string literal.
#[tokio::test]
async fn the_samples_are_the_request_of_the_page_with_a_place_for_the_key() {
    let (harness, api) = harness().await;
    let mut browser = browser(&harness).await;
    for (word, query) in [
        (
            "students",
            "name=%EB%B0%95&includeGraduates=true&sortBy=NAME",
        ),
        ("students", "name=%27%22%5C%24%28id%29%60%3B%26%2B%20%25"),
        ("students", "size=2&page=1&language=&done=saved&nonsense=1"),
        ("clubs", "clubName=100%25"),
        ("projects", "status=ENDED"),
        ("meals", ""),
        ("schedules", "fromDate=2026-11-01&toDate=2026-11-30"),
        ("timetables", "grade=1&page=0"),
    ] {
        let page = browser.get(&format!("/data/{word}?{query}")).await;
        assert_eq!(page.status, StatusCode::OK, "{page:?}");
        let samples = samples(&page);
        assert_eq!(samples.len(), 3);
        let curl = between(&samples[0], "YOUR_KEY' '", '\'');
        assert_eq!(between(&samples[1], "fetch(\"", '"'), curl);
        assert_eq!(between(&samples[2], "Request(\"", '"'), curl);
        let path = curl.strip_prefix(API).unwrap();
        assert!(
            path.bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"/?=&%-._~".contains(&byte)),
            "{path}"
        );
        let expected: Vec<_> = records(&api, path)
            .await
            .iter()
            .map(|record| first(word, record))
            .collect();
        let shown: Vec<_> = rows(&page)
            .into_iter()
            .map(|mut cells| cells.remove(0))
            .collect();
        assert_eq!(shown, expected, "{path}");
        let secret = ApiKeySecret::from_random([1; 16]);
        for sample in &samples {
            assert!(
                sample.contains("YOUR_KEY")
                    && !sample.contains(&secret.hint())
                    && !sample.contains(secret.expose())
            );
            assert!(
                !sample.contains(&key(&harness, 1).id.to_string()),
                "{sample}"
            );
        }
        assert!(!page.body.contains(secret.expose()));
    }
}

fn first(word: &str, record: &Value) -> String {
    let name = match word {
        "meals" => "mealDate",
        "schedules" => "scheduleDate",
        "timetables" => "timetableDate",
        _ => "name",
    };
    record[name].as_str().unwrap().to_owned()
}

/// Fails if the page of a new key has no sample requests.
#[tokio::test]
async fn a_new_key_comes_with_requests_to_the_data_api_of_the_school() {
    let (harness, _) = harness().await;
    let mut browser = browser(&harness).await;
    let token = form_token(&browser.get("/keys/new").await.body);
    let fields = [
        ("form_token", &*token),
        ("description", "Lunch"),
        ("scopes", "NEIS_READ"),
    ];
    let page = browser.post("/keys/new", &fields).await;
    for sample in samples(&page) {
        assert!(
            sample.contains(&format!("{API}/v1/neis/meals")) && !sample.contains("DATA_API"),
            "{sample}"
        );
        assert!(
            sample.contains("This sample contains your key.") && !sample.contains("YOUR_KEY"),
            "{sample}"
        );
    }
}

//! The OpenAPI description, compared with the service.

use std::collections::BTreeSet;

use lyceum::DataApi;
use lyceum::directory::Directory;
use lyceum::http::ApiReference;
use serde_json::{Value, json};

use crate::client::{escaped, get};
use crate::schemas::{response_schema, schema_mismatch};
use crate::school_fixtures;
use crate::wire_doc;

const READ: [&str; 6] = [
    "/v1/students",
    "/v1/clubs",
    "/v1/projects",
    "/v1/neis/meals",
    "/v1/neis/schedules",
    "/v1/neis/timetables",
];

fn document(api: &DataApi) -> Value {
    serde_json::from_str(
        ApiReference::new("Test", [api.openapi()])
            .unwrap()
            .document(),
    )
    .unwrap()
}

// Proves: spec 2.5
/// Fails if a parameter is accepted but not described, or described but not accepted.
#[tokio::test]
async fn every_address_takes_the_parameters_that_are_described() {
    let api = school_fixtures::api().await;
    let document = document(&api);
    for path in READ {
        let answer = get(&api, &format!("{path}?nonsense=1")).await;
        let message = answer.json()["message"]
            .as_str()
            .unwrap()
            .trim_end_matches('.')
            .to_owned();
        let taken: BTreeSet<&str> = message
            .split("known are ")
            .nth(1)
            .unwrap()
            .split(", ")
            .collect();
        let parameters = document["paths"][path]["get"]["parameters"]
            .as_array()
            .unwrap();
        let of_query = parameters
            .iter()
            .filter(|parameter| parameter["in"] == "query");
        let names = of_query
            .flat_map(|parameter| [&parameter["name"], &parameter["x-alias"]])
            .filter_map(Value::as_str);
        assert_eq!(names.collect::<BTreeSet<_>>(), taken, "{path}");
    }
}

/// Fails if the examples of an endpoint's parameters conflict with each other or with the defaults.
#[tokio::test]
async fn the_examples_and_defaults_of_an_address_go_together() {
    let api = school_fixtures::api().await;
    let document = document(&api);
    for path in READ {
        let parameters = document["paths"][path]["get"]["parameters"]
            .as_array()
            .unwrap()
            .iter();
        let shown = parameters
            .filter(|parameter| parameter["in"] == "query")
            .filter_map(|parameter| {
                let value = parameter
                    .get("example")
                    .or_else(|| parameter["schema"].get("default"))?;
                let value = value
                    .as_str()
                    .map_or_else(|| value.to_string(), str::to_owned);
                Some(format!(
                    "{}={}",
                    parameter["name"].as_str().unwrap(),
                    escaped(&value)
                ))
            });
        let query: Vec<String> = shown.collect();
        assert!(query.len() >= 2, "{path}");
        let answer = get(&api, &format!("{path}?{}", query.join("&"))).await;
        assert_eq!(
            answer.status,
            200,
            "{path}?{}: {}",
            query.join("&"),
            answer.body
        );
    }
}

/// Fails if a response or an example has a field that is not described, or lacks a required one.
#[tokio::test]
async fn every_answer_and_every_example_is_as_described() {
    let api = school_fixtures::api().await;
    let document = document(&api);
    for path in READ {
        let schema = response_schema(&document, path, "get");
        let query = if path.contains("neis") {
            "?fromDate=2026-01-01&toDate=2026-12-31"
        } else {
            ""
        };
        let answer = get(&api, &format!("{path}{query}")).await.json();
        assert!(
            answer["data"]
                .as_object()
                .unwrap()
                .values()
                .any(|list| list.as_array().is_some_and(|list| !list.is_empty())),
            "{path}"
        );
        assert_eq!(schema_mismatch(&document, schema, &answer), None, "{path}");
        let content =
            &document["paths"][path]["get"]["responses"]["200"]["content"]["application/json"];
        assert_eq!(
            schema_mismatch(&document, schema, &content["example"]),
            None,
            "{path}"
        );
    }
    for path in &READ[..3] {
        let changes = get(&api, &format!("{path}?updatedSince=0&size=1"))
            .await
            .json();
        assert_eq!(
            schema_mismatch(&document, response_schema(&document, path, "get"), &changes),
            None,
            "{path}"
        );
    }
    for path in ["/v1/health", "/v1/health/ready"] {
        assert_eq!(
            schema_mismatch(
                &document,
                response_schema(&document, path, "get"),
                &get(&api, path).await.json()
            ),
            None,
            "{path}"
        );
    }
    let refused = get(&api, "/v1/students?grade=4").await.json();
    assert_eq!(
        schema_mismatch(
            &document,
            &json!({ "$ref": "#/components/schemas/ErrorBody" }),
            &refused
        ),
        None
    );
}

/// Fails if a header that is described as always present is absent.
#[tokio::test]
async fn every_answer_has_the_headers_that_are_described_as_always_there() {
    let api = school_fixtures::api().await;
    let document = document(&api);
    for path in READ {
        let changes = format!("{path}?updatedSince=0");
        for asked in [Some(path), (!path.contains("neis")).then_some(&*changes)]
            .into_iter()
            .flatten()
        {
            let answer = get(&api, asked).await;
            for (name, header) in document["paths"][path]["get"]["responses"]["200"]["headers"]
                .as_object()
                .unwrap()
            {
                let reference = header["$ref"].as_str().unwrap().trim_start_matches('#');
                let is_always = document.pointer(reference).unwrap()["required"] == true;
                assert!(
                    !is_always || answer.headers.contains_key(name),
                    "{asked} has no {name}"
                );
            }
        }
    }
}

// Proves: spec 2.2
/// Fails if the reasons in the description differ from the table in `docs/wire.md`.
#[tokio::test]
async fn the_description_has_the_reasons_of_the_table() {
    let document = document(&school_fixtures::api().await);
    let responses = document["paths"]["/v1/students"]["get"]["responses"]
        .as_object()
        .unwrap();
    let mut described = BTreeSet::new();
    for (status, response) in responses {
        let reference = response["$ref"]
            .as_str()
            .unwrap_or_default()
            .trim_start_matches('#');
        let text = document
            .pointer(reference)
            .and_then(|response| response["description"].as_str())
            .unwrap_or_default();
        let lines = text
            .lines()
            .filter_map(|line| line.strip_prefix("* `")?.split('`').next());
        described.extend(lines.map(|reason| (status.parse().unwrap(), reason.to_owned())));
    }
    let mut expected = wire_doc::refusals("Data API", "reason");
    // These two belong to no described path or method.
    expected.retain(|(status, _)| ![404, 405].contains(status));
    assert_eq!(described, expected);
}

/// Fails if the description ignores the service's configuration.
#[tokio::test]
async fn the_description_is_of_the_service_as_it_is_configured() {
    let plain = document(&school_fixtures::api().await);
    let directory = Directory::builder(school_fixtures::store().await)
        .grades(1..=6)
        .majors(["ROBOTICS".parse().unwrap()])
        .open()
        .await
        .unwrap();
    let builder = DataApi::builder(directory, school_fixtures::store().await)
        .public_url("https://api.school.example")
        .without_rate_limit();
    let other = document(
        &builder
            .authorization_server("https://school.example/auth")
            .build()
            .unwrap(),
    );
    let grade = |document: &Value| {
        let parameters = document["paths"]["/v1/students"]["get"]["parameters"]
            .as_array()
            .unwrap()
            .clone();
        parameters
            .into_iter()
            .find(|parameter| parameter["name"] == "grade")
            .unwrap()["schema"]["maximum"]
            .clone()
    };
    assert_eq!((grade(&plain), grade(&other)), (json!(3), json!(6)));
    assert_eq!(
        other["components"]["schemas"]["Major"]["enum"],
        json!(["ROBOTICS"])
    );
    let limit = |document: &Value| {
        !document["components"]["responses"]["SchoolBadRequest"]["headers"]["RateLimit"].is_null()
    };
    assert_eq!((limit(&plain), limit(&other)), (true, false));
    assert_eq!(
        (&plain["servers"][0]["url"], &other["servers"][0]["url"]),
        (&json!(".."), &json!("https://api.school.example"))
    );
    let resource = |document: &Value| {
        document["paths"]
            .get("/.well-known/oauth-protected-resource")
            .is_some()
    };
    assert_eq!((resource(&plain), resource(&other)), (false, true));
}

//! Custom pages of a host.

use std::sync::{Arc, Mutex};

use http::StatusCode;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY};
use lyceum::http::{CustomPages, Page};

use crate::harness::*;

/// Replaces some pages and records the requested names.
#[derive(Debug, Default)]
struct Branded {
    asked: Mutex<Vec<&'static str>>,
}

impl CustomPages for Branded {
    fn html(&self, page: &Page) -> Option<String> {
        self.asked.lock().unwrap().push(page.name());
        let content = page.content();
        match page.name() {
            "console/key_new" => {
                let scopes: Vec<&str> = content["scopes"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|scope| scope["value"].as_str().unwrap())
                    .collect();
                let (token, errors) = (
                    content["layout"]["form_token"].as_str().unwrap(),
                    &content["errors"]["fields"],
                );
                Some(format!(
                    "OURS {scopes:?} {errors} {} <input name=\"form_token\" value=\"{token}\">",
                    page.status().as_u16()
                ))
            }
            "console/shown_once" => Some(format!("OURS {}", content["secret"].as_str().unwrap())),
            "console/error" => Some(format!("OURS {}", content["request_id"].as_str().unwrap())),
            _ => None,
        }
    }
}

#[tokio::test]
async fn a_host_replaces_pages_and_their_forms_and_faults_work_as_before() {
    let branded = Arc::new(Branded::default());
    let harness = Harness::with_auth(|auth| auth.pages(branded.clone())).await;
    let mut browser = harness.browser_of(EMAIL).await;
    assert!(
        browser.get("/").await.body.starts_with("<!doctype html>"),
        "this crate's page"
    );
    let form = browser.get("/keys/new").await;
    assert!(
        form.body.starts_with("OURS [")
            && form.body.contains("\"STUDENT_READ\"")
            && form.body.contains("{} 200"),
        "{form:?}"
    );
    assert!(
        form.header(CONTENT_SECURITY_POLICY)
            .contains("script-src 'self'")
            && form.header(CACHE_CONTROL) == "no-store"
    );
    let token = form_token(&form.body);
    let faulty = browser
        .post(
            "/keys/new",
            &[("form_token", &token), ("description", "Lunch")],
        )
        .await;
    assert!(
        faulty.status == StatusCode::BAD_REQUEST
            && faulty.body.contains("\"scopes\":")
            && faulty.body.contains(" 400 "),
        "{faulty:?}"
    );
    let fields = [
        ("form_token", &*token),
        ("description", "Lunch"),
        ("scopes", "STUDENT_READ"),
    ];
    let shown = browser.post("/keys/new", &fields).await;
    assert!(
        shown.status == StatusCode::OK && shown.body.starts_with("OURS ") && shown.body.len() > 30,
        "{shown:?}"
    );
    let error = browser.post("/keys/new", &[("form_token", "x")]).await;
    assert_eq!(
        (error.status, error.body),
        (
            StatusCode::FORBIDDEN,
            format!("OURS {}", error.headers["x-request-id"].to_str().unwrap())
        )
    );
    for name in [
        "console/sign_in",
        "console/home",
        "console/key_new",
        "console/shown_once",
        "console/error",
    ] {
        assert!(branded.asked.lock().unwrap().contains(&name), "{name}");
    }
}

//! Custom pages of a host.

use std::sync::{Arc, Mutex};

use http::StatusCode;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY};
use lyceum::http::{CustomPages, Page};

use crate::harness::*;

/// Replaces some pages, and records the calls.
#[derive(Debug, Default)]
struct Branded {
    asked: Mutex<Vec<(&'static str, u16, &'static str, String)>>,
}

impl CustomPages for Branded {
    fn html(&self, page: &Page) -> Option<String> {
        self.asked.lock().unwrap().push((
            page.name(),
            page.status().as_u16(),
            page.language(),
            format!("{page:?}"),
        ));
        let text = |pointer: &str| {
            page.content()
                .pointer(pointer)
                .unwrap_or_else(|| panic!("{pointer}"))
                .as_str()
                .unwrap()
                .to_owned()
        };
        match page.name() {
            "authorize/consent" => Some(format!(
                "OURS {} asks {} for {} of {} <form action=\"{}/consent\"><input name=\"form_token\" value=\"{}\">",
                text("/service_name"),
                text("/account"),
                text("/scopes/0/description"),
                text("/scopes/0/application"),
                text("/layout/root"),
                text("/layout/form_token"),
            )),
            "authorize/error" => Some(format!(
                "OURS {} {}",
                text("/description"),
                text("/request_id")
            )),
            _ => None,
        }
    }
}

#[tokio::test]
async fn a_host_replaces_the_pages_that_it_has_others_for() {
    let branded = Arc::new(Branded::default());
    let harness = Harness::with_settings(|builder| builder.pages(branded.clone())).await;
    let mut browser = harness.browser_at_login().await;
    assert!(
        browser
            .get("/v1/oauth/login")
            .await
            .body
            .contains("<!doctype html>"),
        "the built-in page"
    );
    let mut browser = harness.browser_at_consent().await;
    let consent = browser.get("/v1/oauth/consent").await;
    assert!(
        consent.body.starts_with("OURS ") && consent.body.contains(EMAIL),
        "{consent:?}"
    );
    assert!(
        consent
            .header(CONTENT_SECURITY_POLICY)
            .contains("frame-ancestors 'none'")
            && consent.header(CACHE_CONTROL) == "no-store"
    );
    // Its own form works, and no form works without the token.
    let foreign = browser
        .post("/v1/oauth/consent", &[("decision", "allow")])
        .await;
    assert_eq!(
        (foreign.status, foreign.body.starts_with("OURS ")),
        (StatusCode::FORBIDDEN, true)
    );
    assert!(
        foreign.body.contains(foreign.header("x-request-id")),
        "{foreign:?}"
    );
    assert!(browser.decide("allow").await.sent_back("code").is_some());
    let asked = branded.asked.lock().unwrap();
    for (name, status) in [
        ("authorize/sign_in", 200),
        ("authorize/consent", 200),
        ("authorize/error", 403),
    ] {
        assert!(
            asked
                .iter()
                .any(|(found, of, language, _)| (*found, *of, *language) == (name, status, "en")),
            "{name} {status}: {asked:?}"
        );
    }
}

/// Fails if the debug output of a page contains its data.
#[tokio::test]
async fn a_pages_debug_output_shows_no_secret() {
    let branded = Arc::new(Branded::default());
    let harness = Harness::with_settings(|builder| builder.pages(branded.clone())).await;
    harness
        .browser_at_consent()
        .await
        .get("/v1/oauth/consent")
        .await;
    for (_, _, _, printed) in branded.asked.lock().unwrap().iter() {
        assert!(
            !printed.contains(EMAIL) && !printed.contains("form_token"),
            "{printed}"
        );
    }
}
